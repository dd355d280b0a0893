// The step player. The page sends the trees at some steps around the present one, so that most steps are shown at
// once; each step is told to the page, which then sends the trees around that one.

const KEYS = { ArrowRight: 1, ArrowLeft: -1 };
const CLICKER = { PageDown: 1, PageUp: -1 }; // what presenters' remote controls send
// Where these keys have a meaning of their own.
const TAKEN = "input, textarea, select, canvas, [contenteditable], [role=tab], [role=treeitem], [role=slider], "
  + "[role=radio], [role=combobox], [role=grid], [role=gridcell]";
const MOVE = { duration: 260, easing: "ease-out" };

class Player {
  constructor(root) {
    this.root = root;
    this.place = 0;
    this.stops = [0];
    this.frames = {};
    const button = (text, label, action) => {
      const made = element("button", "", text);
      made.type = "button";
      made.title = label;
      made.setAttribute("aria-label", label);
      made.addEventListener("click", action);
      return made;
    };
    this.first = button("|◀", "First step", () => this.go(0));
    this.back = button("◀ Back", "Back (left arrow key)", () => this.go(this.place - 1));
    this.next = button("Next ▶", "Next step (right arrow key)", () => this.go(this.place + 1));
    this.next.className = "primary";
    this.last = button("▶|", "Last step", () => this.go(this.stops.length - 1));
    const isFull = () => root.matches(":fullscreen");
    const screen = button("Full screen", "Full screen", () => {
      if (isFull()) document.exitFullscreen();
      else root.requestFullscreen();
    });
    root.addEventListener("fullscreenchange", () => {
      screen.textContent = screen.title = screen.ariaLabel = isFull() ? "Leave full screen" : "Full screen";
    });
    this.slider = element("input");
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.setAttribute("aria-label", "Step");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.status = element("span", "status");
    this.bar = element("progress");
    this.bar.setAttribute("aria-label", "Cost so far, of the whole distance");
    this.caption = element("p", "caption");
    this.caption.setAttribute("aria-live", "polite");
    this.box = element("div", "box");
    this.box.tabIndex = 0;
    this.box.setAttribute("role", "list");
    this.box.setAttribute("aria-label", "The tree after this step");
    const tools = element("div", "tools");
    tools.append(this.first, this.back, this.next, this.last, this.slider, this.status, screen);
    root.replaceChildren(tools, this.bar, this.caption, this.box);
    this.onKey = (event) => this.key(event);
    // Whoever has just opened the player wants to play it; on the tab, the arrow keys would go to the next tab.
    if (document.activeElement?.matches("[role=tab]")) this.next.focus({ preventScroll: true });
  }

  key(event) {
    const own = event.composedPath().includes(this.root);
    const origin = event.composedPath()[0];
    const step = KEYS[event.key] ?? (own ? CLICKER[event.key] : undefined);
    if (!step || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (origin.closest?.(TAKEN) || !(own || this.inView())) return;
    event.preventDefault();
    this.go(this.place + step);
  }

  inView() {
    const { top, bottom, width } = this.box.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < window.innerHeight;
  }

  go(place) {
    const wanted = Math.min(Math.max(place, 0), this.stops.length - 1);
    if (wanted === this.place) return;
    this.place = wanted;
    this.show();
    this.ask(this.stops[wanted]);
  }

  tools() {
    const end = this.stops.length - 1;
    this.slider.max = end;
    this.slider.value = this.place;
    for (const [button, off] of [[this.first, 0], [this.back, 0], [this.next, end], [this.last, end]]) {
      button.setAttribute("aria-disabled", String(this.place === off)); // stays focused, unlike a disabled one
    }
  }

  take({ stops, place, frames, glyphs }) {
    Object.assign(this, { stops, place, frames, glyphs });
    this.show();
  }

  show() {
    this.tools();
    const frame = this.frames[this.stops[this.place]];
    if (!frame) return; // it is on its way
    this.status.textContent =
      `Step ${this.place} of ${this.stops.length - 1} · cost so far ${frame.so_far.toFixed(3)} of ${frame.total.toFixed(3)}`;
    this.bar.max = frame.total || 1;
    this.bar.value = frame.total ? frame.so_far : 1;
    const drawn = JSON.stringify(frame);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.say(frame);
    this.draw(frame);
  }

  say(frame) {
    const pieces = [element("span", "glyph", this.glyphs[frame.kind]), ...frame.words.map(([text, quoted]) => (quoted ? element("bdi", "", `“${text}”`) : text))];
    if (frame.cost) pieces.push(element("span", "cost", `cost ${frame.cost}`));
    if (frame.finished) pieces.push(" This is the right map.");
    this.caption.dataset.kind = frame.kind;
    this.caption.replaceChildren(...pieces);
  }

  draw(frame) {
    const before = new Map([...this.box.children].map((row) => [row.dataset.id, row.offsetTop]));
    const scrolled = this.box.scrollTop;
    this.box.lang = frame.lang ?? "";
    const rows = frame.rows.map((row) => rowElement(row, this.glyphs));
    this.box.replaceChildren(...rows);
    this.box.scrollTop = scrolled;
    const current = rows.find((row) => row.matches(".current"));
    if (current) this.reveal(current);
    else this.box.scrollTop = 0;
    if (!before.size || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const row of rows) {
      const from = before.get(row.dataset.id);
      if (from === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], MOVE);
      else if (from !== row.offsetTop) {
        row.animate([{ transform: `translateY(${from - row.offsetTop}px)` }, { transform: "none" }], MOVE);
      }
    }
  }

  reveal(row) {
    const { scrollTop, clientHeight } = this.box;
    const hidden = row.offsetTop < scrollTop || row.offsetTop + row.offsetHeight > scrollTop + clientHeight;
    if (hidden) this.box.scrollTop = row.offsetTop - clientHeight / 3;
  }
}

const DONE = { match: "kept", replace: "replaced", delete: "deleted", insert: "inserted" };

function rowElement({ id, level, kind, parts, current, gone }, glyphs) {
  const row = element("div", `row${current ? " current" : ""}${gone ? " gone" : ""}`);
  row.dataset.id = id;
  row.dataset.kind = kind;
  row.style.setProperty("--depth", level - 1);
  row.setAttribute("role", "listitem");
  row.setAttribute("aria-level", level);
  const text = element("span", "text");
  text.dir = "auto";
  for (const [part, changed] of parts) text.append(changed ? element("ins", "", part) : part);
  const sign = element("span", "glyph", glyphs[kind]);
  sign.setAttribute("aria-hidden", "true");
  row.append(sign, text);
  if (current) row.append(element("span", "note", DONE[kind]));
  return row;
}

const players = new WeakMap();

// `picks` counts the steps asked for here: until the page has heard of the last one, its step is out of date.
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".steps");
  if (!players.has(root)) players.set(root, { player: new Player(root), picks: data.picks });
  const known = players.get(root);
  known.player.ask = (count) => {
    known.picks += 1;
    setStateValue("wanted", [count, known.picks]);
  };
  root.classList.toggle("large", data.large);
  if (data.picks === known.picks) known.player.take(data);
  document.addEventListener("keydown", known.player.onKey);
  return () => document.removeEventListener("keydown", known.player.onKey);
}
