// The ruler beside the scroll bar: where in the whole the changes are, and what part of it is seen. For the mouse
// only; by keyboard, n and p lead from change to change.

class Ruler {
  constructor(box) {
    this.box = box;
    this.window = element("div", "window");
    this.element = element("div", { class: "ruler", "aria-hidden": "true" }, this.window);
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      this.scrollTo(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (this.element.hasPointerCapture(event.pointerId)) this.scrollTo(event);
    });
    box.addEventListener("scroll", () => this.follow(), { passive: true });
  }

  scrollTo(event) {
    const { top, height } = this.element.getBoundingClientRect();
    this.box.scrollTop = ((event.clientY - top) / height) * this.box.scrollHeight - this.box.clientHeight / 2;
  }

  // `items` are the changed nodes; those that are not shown have no mark.
  place(items) {
    const whole = this.box.scrollHeight;
    this.element.hidden = whole <= this.box.clientHeight + 1;
    if (this.element.hidden) return;
    const seen = items.filter(isShown).map((item) => [item.offsetTop, item.offsetHeight, item]);
    const marks = seen.map(([top, height, item]) => {
      const mark = element("div", `mark ${item.classList.contains("left") ? "left" : "right"}`);
      mark.dataset.kind = item.dataset.kind;
      mark.style.top = `${(100 * top) / whole}%`;
      mark.style.height = `${(100 * height) / whole}%`;
      return mark;
    });
    this.element.replaceChildren(...marks, this.window);
    this.follow();
  }

  follow() {
    const whole = this.box.scrollHeight;
    this.window.style.top = `${(100 * this.box.scrollTop) / whole}%`;
    this.window.style.height = `${(100 * this.box.clientHeight) / whole}%`;
  }
}
