// The drawer at the selected row: the page's panel that explains a pair (`.st-key-why`) stands in room that the row
// makes for it. The panel is Streamlit's own and stays where it is in the document; only its position on screen is set.
// Without a selection, or on a page without the panel, there is no drawer.

class Drawer {
  constructor(outline) {
    this.outline = outline;
    this.room = element("div", "drawer");
    this.spaced = [];
    this.observer = new ResizeObserver(() => outline.layOut());
    this.onFocus = () => this.isClipped() && outline.scrollTo(this.item);
    this.onKey = (event) => event.key === "Escape" && !event.target.matches("input") && this.leave();
  }

  // Finds the panel, which comes after the outline and may be another one when the page has run again.
  take() {
    const panel = this.outline.selected === null || this.outline.presentation.on ? null : document.querySelector(".st-key-why");
    if (panel === this.panel) return;
    this.release();
    this.panel = panel;
    if (!panel) return;
    panel.dataset.drawer = "";
    panel.addEventListener("focusin", this.onFocus);
    panel.addEventListener("keydown", this.onKey);
    this.observer.observe(panel);
    this.outline.box.addEventListener("scroll", this.onScroll = () => this.follow(), { passive: true });
  }

  release() {
    this.observer.disconnect();
    this.outline.box.removeEventListener("scroll", this.onScroll);
    if (!this.panel) return;
    delete this.panel.dataset.drawer;
    this.panel.removeEventListener("focusin", this.onFocus);
    this.panel.removeEventListener("keydown", this.onKey);
    for (const name of ["top", "left", "width", "clip-path"]) this.panel.style.removeProperty(name);
    this.panel = null;
  }

  // Makes room below the selected row, before lines are drawn; the graph moves down what is below the box.
  makeRoom() {
    this.take();
    for (const part of this.spaced) part.classList.remove("spaced");
    this.spaced = [];
    const { outline, room } = this;
    room.hidden = !this.panel;
    this.item = null;
    this.height = this.panel ? this.panel.offsetHeight + 8 : 0;
    outline.root.style.setProperty("--drawer", `${this.height}px`);
    if (!this.panel) return;
    const ends = outline.parts[outline.selected].filter((part) => outline.positions.has(part) && isShown(part));
    this.item = ends.includes(outline.here) ? outline.here : ends[0];
    if (!this.item) return;
    const { row } = outline.entry(this.item);
    if (outline.root.classList.contains("graph")) return;
    this.item = ends.findLast((end) => outline.entry(end).row === row);
    const narrow = outline.root.classList.contains("narrow");
    const level = outline.parts[outline.selected].filter((part) => part.style.getPropertyValue("--row") === String(row + 1));
    this.spaced = level.filter((part) => part === this.item || !(narrow && outline.positions.has(part)));
    for (const part of this.spaced) part.classList.add("spaced");
  }

  // Puts the drawer below the row, as wide as the maps.
  put() {
    if (!this.item) return;
    const { outline, room, panel } = this;
    const box = this.item.getBoundingClientRect();
    const grid = outline.grid.getBoundingClientRect();
    this.width = outline.box.clientWidth - 18;
    const top = box.bottom - grid.top + 2;
    panel.style.width = `${this.width}px`;
    this.place({ top, width: this.width, height: panel.offsetHeight });
    this.follow();
  }

  // Sets the room's place in the grid, which the graph draws at a scale.
  place(pixels) {
    for (const [name, value] of Object.entries(pixels)) this.room.style[name] = `${value / (this.outline.scale ?? 1)}px`;
  }

  // Keeps the panel on its room while the maps scroll, within their width, and hides what would be above or below.
  follow() {
    if (!this.item) return;
    this.place({ left: this.outline.box.scrollLeft });
    const room = this.room.getBoundingClientRect();
    const parent = this.panel.offsetParent;
    const from = parent.getBoundingClientRect();
    this.panel.style.top = `${room.top - from.top + parent.scrollTop}px`;
    this.panel.style.left = `${room.left - from.left}px`;
    const [top, bottom] = this.clipped(room);
    this.panel.style.clipPath = top || bottom ? `inset(${top}px 0 ${bottom}px)` : "";
  }

  clipped(room) {
    const box = this.outline.box.getBoundingClientRect();
    return [Math.max(0, box.top - room.top), Math.max(0, room.bottom - box.bottom)];
  }

  isClipped() {
    return this.clipped(this.room.getBoundingClientRect()).some((pixels) => pixels > 0);
  }

  // Into the drawer: to its first button.
  enter() {
    const buttons = this.panel?.querySelectorAll("button:not(:disabled)") ?? [];
    [...buttons].find((button) => button.checkVisibility())?.focus(); // on a phone, each has a hidden twin
  }

  // Back to the row, which is no longer selected.
  leave() {
    this.outline.choose(null);
    this.outline.focus(this.outline.current());
  }
}
