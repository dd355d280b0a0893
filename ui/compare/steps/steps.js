// The step player. The page sends the trees at some steps around the current one, so that most steps are shown at
// once; each step is reported to the page, which then sends the trees around it.

const MOVE = { duration: 260, easing: "ease-out" };

class ScriptPlayer extends Player {
  constructor(root) {
    const button = (text, label, className = "") => element(
      "button", { type: "button", title: label, "aria-label": label, class: className }, text);
    const buttons = {
      first: button("|◀", "First step"),
      back: button("◀ Back", "Back (left arrow key)"),
      next: button("Next ▶", "Next step (right arrow key)", "primary"),
      last: button("▶|", "Last step"),
    };
    super(root, buttons, element("input", { type: "range", min: 0, "aria-label": "Step" }), {
      ease: 1.25, scrolled: () => this.box,
    });
    this.end = 0;
    this.frames = {};
    this.steps = element("select");
    this.steps.addEventListener("change", () => this.go(this.steps.selectedIndex));
    this.status = element("span", "status");
    this.bar = element("progress", { "aria-label": "Cost so far, of the whole distance" });
    this.caption = element("p", { class: "caption", "aria-live": "polite" });
    this.box = element("div", { class: "box", tabindex: 0, role: "list", "aria-label": "The tree after this step" });
    const goTo = element("label", "", "Go to ", this.steps);
    const tools = element("div", "tools", ...Object.values(buttons), goTo, this.slider, this.status, this.presentation.button);
    root.replaceChildren(tools, this.bar, this.caption, this.box);
    // After the tab was opened, the arrow keys shall step; on the tab, they would select the next tab.
    if (document.activeElement?.matches("[role=tab]")) buttons.next.focus({ preventScroll: true });
  }

  arrived() {
    this.ask(this.position);
  }

  take({ steps, step, frames, glyphs }) {
    Object.assign(this, { end: steps.length - 1, position: step, frames, glyphs });
    if (steps.join("\n") !== this.names) {
      this.names = steps.join("\n");
      this.steps.replaceChildren(...steps.map((name, number) => element("option", "", `${number} ${name}`)));
    }
    this.draw();
  }

  draw() {
    this.drawControls();
    this.steps.selectedIndex = this.position;
    const frame = this.frames[this.position];
    if (!frame) return; // it is on its way
    this.status.textContent = `Step ${this.position} of ${this.end} · ${frame.costs}`;
    this.bar.max = frame.total || 1;
    this.bar.value = frame.total ? frame.so_far : 1;
    const drawn = JSON.stringify(frame);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.say(frame);
    this.drawTree(frame);
  }

  say(frame) {
    const pieces = [element("span", "glyph", this.glyphs[frame.kind]), frame.words];
    if (frame.cost) pieces.push(element("span", "cost", frame.cost));
    if (frame.finished) pieces.push(" This is the right map.");
    this.caption.dataset.kind = frame.kind;
    this.caption.replaceChildren(...pieces);
  }

  drawTree(frame) {
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

function rowElement({ id, level, kind, parts, current, gone, note }, glyphs) {
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
  if (note) row.append(element("span", "note", note));
  return row;
}

const players = new WeakMap();

// `picks` counts the steps requested here: until the page has acknowledged the last one, its step is out of date.
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".steps");
  if (!players.has(root)) players.set(root, { player: new ScriptPlayer(root), picks: data.picks });
  const known = players.get(root);
  known.player.ask = (count) => {
    known.picks += 1;
    setStateValue("wanted", [count, known.picks]);
  };
  if (data.picks === known.picks) known.player.take(data);
  return known.player.listen();
}
