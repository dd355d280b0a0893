// The keys of a component, and presenting it: alone on the screen, without the page around it. Its button, or f,
// begins and ends that. Everything in a component is written in em of `--size`, which is then a share of the window:
// so it looks the same whatever the browser's zoom is. Texts have 24 of 1080 lines or more wherever that fits. Where
// it doesn't, the tables and drawings get smaller, by the factor `--tables`, and only then the texts, too.

const LARGEST = 2.4; // of the smallest text, like the others
const TABLES = [.95, .9, .85, .8, .75, .7, .65, .6, .55, .5]; // their sizes beside the texts
const TINIEST = .1; // room for any example in any window
const LINES = { across: 80, down: 45 }; // of the smallest text, which fit into the window
const TYPING = "input:not([type=range]), textarea, select, [contenteditable]";
// Where, on the page, keys have a meaning of their own.
const TAKEN = "input, canvas, [role=tab], [role=treeitem], [role=slider], [role=radio], [role=combobox], [role=grid], "
  + "[role=gridcell]";

class Presentation {
  // `settled()` is called when it has begun, ended, or the window has changed. `layouts` are classes of the root, the
  // richer ones first; the first that `fits()` at the smallest size, times `ease`, is taken, as large as can be. What is
  // in `scrolled()`, if there is such an element, need not fit, but scrolls.
  constructor(root, { settled = () => {}, layouts = [""], fits = () => isWhole(root), ease = 1, scrolled = () => null } = {}) {
    Object.assign(this, { root, settled, layouts, fits, ease, scrolled });
    this.button = element("button", { type: "button", class: "present" });
    this.button.addEventListener("click", () => this.toggle());
    this.label();
  }

  // Listens to the page's keys; returns what ends it. `keys` are names of keys and what they do; while it is presented
  // they need no focus. On the page those mean something that `onPage(own)` names, the focus being its own or not.
  listen(keys, onPage = () => []) {
    Object.assign(this, { keys, onPage });
    const all = (window.presentations ??= new Set()).add(this);
    const onKey = (event) => this.key(event, all);
    const onSize = () => this.on && this.fit();
    const onScreen = () => this.show(this.root.matches(":fullscreen"));
    document.addEventListener("keydown", onKey);
    window.addEventListener("resize", onSize);
    this.root.addEventListener("fullscreenchange", onScreen);
    return () => {
      all.delete(this);
      document.removeEventListener("keydown", onKey);
      window.removeEventListener("resize", onSize);
      this.root.removeEventListener("fullscreenchange", onScreen);
    };
  }

  key(event, all) {
    const at = event.composedPath()[0];
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const leaves = event.key === "Escape"; // from a field of the presentation, too
    if ((at.closest?.(TYPING) && !leaves) || (event.key === " " && at.tagName === "BUTTON")) return; // the button's own key
    const shown = [...all].find((each) => each.on);
    const seen = event.key === "f" ? -Infinity : 0; // it presents what is below the fold, too
    const able = shown ? [shown] : [...all].filter((each) => each.action(event) && each.nearness(event) > seen);
    const [meant] = able.sort((one, other) => other.nearness(event) - one.nearness(event));
    const action = meant === this && this.action(event);
    if (!action) return;
    event.preventDefault();
    action();
  }

  // What a key does now, if anything.
  action(event) {
    if (event.key === "f") return () => this.toggle();
    if (this.on) return event.key === "Escape" ? () => this.leave() : this.keys[event.key];
    const own = event.composedPath().includes(this.root);
    const taken = event.composedPath()[0].closest?.(TAKEN);
    return !taken && this.onPage(own).includes(event.key) ? this.keys[event.key] : undefined;
  }

  // How much a key is meant for this component: most if the focus is in it, else by how much of it is in view.
  nearness(event) {
    const { top, bottom, width } = this.root.getBoundingClientRect();
    if (event.composedPath().includes(this.root)) return Infinity;
    return width ? Math.min(bottom, window.innerHeight) - Math.max(top, 0) : -Infinity;
  }

  get on() {
    return this.root.classList.contains("presented");
  }

  async toggle() {
    if (this.on) {
      this.leave();
      return;
    }
    try {
      await this.root.requestFullscreen();
    } catch { // not everywhere allowed: as large as the window, then
      this.root.popover = "manual";
      this.root.showPopover();
      this.show(true);
    }
  }

  leave() {
    if (this.root.matches(":fullscreen")) {
      document.exitFullscreen();
      return;
    }
    this.root.hidePopover();
    this.root.removeAttribute("popover");
    this.show(false);
  }

  show(on) {
    this.root.classList.toggle("presented", on);
    this.label();
    if (on) {
      if (!this.root.hasAttribute("tabindex")) this.root.tabIndex = -1;
      this.root.focus({ preventScroll: true });
    } else {
      this.root.classList.remove(...this.classes());
      for (const name of ["--size", "--tables"]) this.root.style.removeProperty(name);
    }
    this.fit();
  }

  label() {
    this.button.textContent = this.on ? "Leave" : "Present";
    this.button.title = `${this.on ? "Back to the page" : "For a class: this alone, filling the window"} (f)`;
  }

  // Takes the layout and the sizes with which all fits into the window.
  fit() {
    const smallest = Math.min(window.innerWidth / LINES.across, window.innerHeight / LINES.down);
    if (this.on) this.take(...this.roomiest(this.ease * smallest, LARGEST * smallest));
    this.settled();
  }

  // The first layout that fits, as large as can be; else the leanest ones with smaller tables, and then smaller texts.
  roomiest(smallest, largest) {
    const whole = this.layouts.find((each) => this.take(each, smallest));
    if (whole !== undefined) {
      const scrolls = () => this.scrolled() && !isWhole(this.scrolled());
      return [whole, scrolls() ? smallest : greatest(smallest, largest, (size) => this.take(whole, size) && !scrolls())];
    }
    const lean = this.layouts.slice(-2);
    for (const tables of TABLES) {
      const layout = lean.find((each) => this.take(each, smallest, tables));
      if (layout !== undefined) return [layout, smallest, tables];
    }
    const [layout, tables] = [lean.at(-1), TABLES.at(-1)];
    return [layout, greatest(TINIEST * smallest, smallest, (size) => this.take(layout, size, tables)), tables];
  }

  // Returns whether all fits.
  take(layout, size, tables = 1) {
    this.root.classList.remove(...this.classes());
    this.root.classList.add(...names(layout));
    this.root.style.setProperty("--size", `${size}px`);
    this.root.style.setProperty("--tables", tables);
    return this.fits();
  }

  classes() {
    return this.layouts.flatMap(names);
  }
}

const names = (layout) => layout.split(" ").filter(Boolean);

// The greatest number between two that `holds`, to a twentieth of what lies between; the lower one if none does.
function greatest(low, high, holds) {
  if (holds(high)) return high;
  const step = (high - low) / 20;
  let [good, bad] = [low, high];
  while (bad - good > step) {
    const middle = (good + bad) / 2;
    if (holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

function isWhole(root) {
  return root.scrollWidth <= root.clientWidth && root.scrollHeight <= root.clientHeight;
}
