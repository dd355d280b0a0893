// Presents what Streamlit draws: the page's containers with the keys slide-1, slide-2 and so on, one at a time.
export default function (component) {
  const root = component.parentElement.querySelector(".slides");
  const slides = (root.slides ??= new Slides(root));
  return slides.listen();
}

const CAPTION = 14; // pixels of the smallest text on a page
const MOST = 1.5; // of the smallest text's size, if it fits
const PICTURES = [.55, .4, .3, .24, .18, .13]; // of the window's height, the highest that a picture may have
const PHONE = 640; // pixels of width up to which a slide has the page's own size and scrolls

class Slides extends Presentation {
  constructor(root) {
    super(root);
    const turning = (label, sign, by) => {
      const button = element("button", { type: "button", "aria-label": label }, sign);
      button.addEventListener("click", () => this.go(this.index + by));
      return button;
    };
    this.back = turning("Previous step", "‹", -1);
    this.next = turning("Next step", "›", 1);
    this.status = element("span", "status");
    this.style = element("style");
    root.replaceChildren(element("span", "tools", this.back, this.status, this.next), this.button);
    this.index = Number(this.address.searchParams.get("slide")) - 1;
  }

  listen() {
    const [back, next] = [() => this.go(this.index - 1), () => this.go(this.index + 1)];
    const deafen = super.listen({
      ArrowLeft: back, PageUp: back, ArrowRight: next, PageDown: next,
      Home: () => this.go(0), End: () => this.go(this.all.length - 1),
    });
    const onScreen = () => !document.fullscreenElement && this.show(false);
    document.addEventListener("fullscreenchange", onScreen);
    // Redrawn content, after a click on an answer for example, may need more space or less.
    const redrawn = new MutationObserver(() => requestAnimationFrame(() => this.fit()));
    redrawn.observe(document.querySelector(".stMain"), { childList: true, subtree: true });
    if (this.index >= 0) this.show(true);
    return () => {
      deafen();
      document.removeEventListener("fullscreenchange", onScreen);
      redrawn.disconnect();
      this.style.remove();
    };
  }

  get on() {
    return this.root.classList.contains("shown");
  }

  get all() {
    return document.querySelectorAll(".stMain [class*=st-key-slide-]");
  }

  get address() {
    return new URL(window.location);
  }

  async toggle() {
    if (this.on) return this.leave();
    this.index = 0;
    this.show(true);
    return document.documentElement.requestFullscreen().catch(() => {}); // not everywhere allowed: the window, then
  }

  leave() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.show(false);
  }

  show(on) {
    this.root.classList.toggle("shown", on);
    if (on) document.head.append(this.style);
    else this.style.remove();
    this.label();
    if (on) this.go(this.index);
    else this.note(null);
  }

  go(index) {
    this.index = Math.max(0, Math.min(index, this.all.length - 1));
    this.note(this.index + 1);
    this.fit();
    this.all[this.index]?.scrollTo(0, 0);
  }

  // The slide stands in the address, so that a link opens the page at it.
  note(slide) {
    const { address } = this;
    if (slide) address.searchParams.set("slide", slide);
    else address.searchParams.delete("slide");
    if (address.href !== window.location.href) window.history.replaceState({}, "", address);
  }

  fit() {
    const { all, index } = this;
    if (!this.on || !all.length) return undefined;
    this.status.textContent = `${index + 1} / ${all.length}`;
    this.back.setAttribute("aria-disabled", String(index === 0));
    this.next.setAttribute("aria-disabled", String(index === all.length - 1));
    const smallest = Math.min(window.innerWidth / LINES.across, window.innerHeight / LINES.down) / CAPTION;
    const fits = (zoom, pictures) => {
      this.draw(zoom, pictures);
      return all[index].scrollHeight <= all[index].clientHeight;
    };
    if (window.innerWidth <= PHONE) return this.draw(1, PICTURES[0]);
    const pictures = PICTURES.find((each) => fits(smallest, each)) ?? PICTURES.at(-1);
    return this.draw(greatest(smallest, MOST * smallest, (zoom) => fits(zoom, pictures)), pictures);
  }

  draw(zoom, pictures) {
    const shown = `.stMain .st-key-slide-${this.index + 1}`;
    const text = `
      .stApp { visibility: hidden; }
      ${shown} {
        visibility: visible; position: fixed; inset: 0; z-index: 1000000; width: auto; zoom: ${zoom};
        box-sizing: border-box; padding: .5rem 1.5rem 2.5rem; overflow: hidden auto; background: var(--st-background-color, Canvas);
      }
      ${shown} .stElementContainer:has(.stVegaLiteChart) { width: ${100 / zoom}% !important; } /* it is measured in pixels of the screen */
      ${shown} img { max-height: ${pictures * window.innerHeight / zoom}px; }
      [data-baseweb=popover] { zoom: ${zoom}; }`;
    if (text !== this.style.textContent) this.style.textContent = text;
  }
}
