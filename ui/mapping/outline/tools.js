// The tools above the outline: which kinds are shown, the way from change to change, and the search.

function button(text, title, attributes = {}) {
  return element("button", { type: "button", title, ...attributes }, text);
}

// The switch that leaves only sentences that may claim something else; none without any.
function flagChips(count, view, changed) {
  if (!count) return [];
  const chip = button("", "Sentences with another number, name, negation, opposite or modality (must, may). Click to show these alone.", { class: "key flags" });
  chip.append(flagElement(), element("span", "word", "claims "), String(count));
  const show = () => chip.setAttribute("aria-pressed", String(view.flagged));
  chip.addEventListener("click", () => {
    view.flagged = !view.flagged;
    show();
    changed();
  });
  show();
  return [chip];
}

// One switch per kind; `off` is the set of those not shown, `whole` of those shown even in long stretches, `changed` is
// called after one changed.
function chipElements(styles, { off, whole }, changed) {
  return Object.entries(styles).filter(([, style]) => style.count).map(([kind, style]) => {
    const sign = element("span", "glyph", style.glyph);
    sign.setAttribute("aria-hidden", "true");
    const chip = button("", `${style.meaning}. Click to show or fold these.`, { class: "key" });
    chip.dataset.kind = kind;
    chip.append(sign, element("span", "word", `${kind} `), String(style.count));
    const show = () => chip.setAttribute("aria-pressed", String(!off.has(kind)));
    chip.addEventListener("click", () => {
      if (!off.delete(kind)) off.add(kind);
      else whole.add(kind);
      show();
      changed();
    });
    show();
    return chip;
  });
}

// One stop for the Tab key; the arrow keys walk from button to button.
function toolbar(...groups) {
  const bar = element("span", { class: "group", role: "toolbar", "aria-label": "Shown, and from change to change" }, ...groups);
  const buttons = () => [...bar.querySelectorAll("button:not(:disabled)")];
  const rove = (chosen) => buttons().forEach((each) => (each.tabIndex = each === chosen ? 0 : -1));
  rove(buttons()[0]);
  bar.addEventListener("focusin", (event) => rove(event.target));
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = buttons();
    all[(all.indexOf(event.target) + step + all.length) % all.length].focus();
    event.preventDefault();
    event.stopPropagation();
  });
  return bar;
}

// One of several names that is pressed; `choose(name)` is called with another one.
function segments(label, names, chosen, choose) {
  const group = element("span", { class: "segments", role: "radiogroup", "aria-label": label });
  for (const [name, title] of Object.entries(names)) {
    const isChosen = name === chosen;
    const each = element("button", { type: "button", role: "radio", "aria-checked": String(isChosen), tabindex: isChosen ? 0 : -1 }, title);
    each.addEventListener("click", () => isChosen || choose(name));
    group.append(each);
  }
  group.addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow")) return;
    choose(Object.keys(names).find((name) => name !== chosen)); // there are two
    event.preventDefault();
    event.stopPropagation();
  });
  return group;
}

// Below the maps: the sum of the costs, up to the row where one is or of all that is shown; why it is TTED; and how
// the two readings relate.
class Foot {
  constructor(outline, foot, unit) {
    Object.assign(this, { outline, foot, unit });
    this.sum = element("b", "sum");
    const words = ["relation", "proof"].map((name) => element("span", { class: name, title: foot[name] ?? "" }, foot[name]));
    this.element = element("div", "foot", words[0], this.sum, words[1]);
  }

  text(amount) {
    return this.unit === "cost" ? amount.toFixed(3) : `${(100 * amount).toFixed(1)} %`;
  }

  update() {
    const { ops, sides, shown, here } = this.outline;
    const rows = new Map();
    for (const { op, row } of Object.values(sides).flat()) rows.set(op, Math.min(row, rows.get(op) ?? row));
    const last = here ? this.outline.entry(here).row : Infinity;
    const sum = (wanted) => ops.reduce((all, op, number) => all + (wanted(op, number) ? op.cost : 0), 0);
    const isWhole = ops.every((op) => shown.has(op) || !op.cost);
    const all = isWhole ? this.foot.tted : this.text(sum((op) => shown.has(op)));
    const soFar = this.text(sum((op, number) => shown.has(op) && (rows.get(number) ?? 0) <= last));
    this.sum.textContent = `Σ ${here ? `${soFar} of ` : ""}${all}${isWhole ? "" : " shown"}`;
    this.sum.title = "The costs of the rows, added up to the current one";
  }
}

// The way from change to change, `go(step)`, and what tells where one is.
class Changes {
  constructor(outline, count) {
    this.outline = outline;
    this.count = count;
    this.status = element("span", { class: "status", role: "status" });
    const back = button("▲", "Previous change (p)", { "aria-label": "Previous change" });
    const next = button("▼", "Next change (n)", { "aria-label": "Next change" });
    back.addEventListener("click", () => this.go(-1));
    next.addEventListener("click", () => this.go(1));
    back.disabled = next.disabled = !count;
    this.element = element("span", "group", back, next, this.status);
    this.tell(null);
  }

  // Returns the change that one comes to from the row where one is; the first one after the last.
  go(step, focus = false) {
    const heads = this.outline.heads.filter(({ op }) => this.outline.shown.has(this.outline.ops[op]));
    if (!heads.length) return;
    const here = this.outline.row();
    const after = heads.findIndex(({ row }) => (step > 0 ? row > here : row >= here));
    const next = (after < 0 ? heads.length : after) + (step > 0 ? 0 : -1);
    const head = heads.at(next % heads.length);
    this.tell(head.change);
    this.outline.visit(head.item, focus);
  }

  tell(change) {
    this.status.textContent = change === null ? "" : `${change + 1} of ${this.count}`;
  }
}

class Search {
  constructor(outline) {
    this.outline = outline;
    this.hits = [];
    this.hit = -1;
    this.input = element("input", { type: "search", placeholder: "Search", "aria-label": "Search the texts" });
    this.status = element("span", { class: "status", role: "status" });
    this.element = element("span", "group", this.input, this.status);
    this.input.addEventListener("input", () => this.find());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.go(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape") this.outline.focus(this.hits[this.hit]?.item ?? this.outline.current());
      else return;
      event.preventDefault();
    });
  }

  find() {
    for (const { item } of this.hits) item.classList.remove("hit");
    const wanted = this.input.value.trim().toLocaleLowerCase();
    const entries = wanted ? Object.values(this.outline.sides).flat() : [];
    this.hits = entries.filter((entry) => textOf(entry).toLocaleLowerCase().includes(wanted));
    this.hits.sort((one, other) => one.row - other.row);
    for (const { item } of this.hits) item.classList.add("hit");
    this.mark(wanted);
    this.hit = -1;
    if (this.hits.length) this.go(1);
    else this.status.textContent = wanted ? "not found" : "";
  }

  // Marks the words that were searched for; texts in which they span pieces stay without.
  mark(wanted) {
    const ranges = this.hits.flatMap(({ item }) => {
      const texts = document.createTreeWalker(item.querySelector(".text"), NodeFilter.SHOW_TEXT);
      const found = [];
      while (texts.nextNode()) {
        const text = texts.currentNode.data.toLocaleLowerCase();
        for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
          const end = Math.min(at + wanted.length, texts.currentNode.length);
          found.push(new StaticRange({ startContainer: texts.currentNode, startOffset: at, endContainer: texts.currentNode, endOffset: end }));
        }
      }
      return found;
    });
    CSS.highlights?.set("searched", new Highlight(...ranges));
  }

  go(step) {
    if (!this.hits.length) return;
    this.hit = (this.hit + step + this.hits.length) % this.hits.length;
    this.status.textContent = `${this.hit + 1} of ${this.hits.length}`;
    this.outline.visit(this.hits[this.hit].item);
  }
}
