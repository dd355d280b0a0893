// The outline: both maps on common rows. It is built once per comparison; when the page runs again with the same
// one, only the selection moves, and what is folded and focused stays.

const OTHER = { left: "right", right: "left" };
const ONE_COLUMN = { screen: 720, room: 560 }; // pixels below which the maps don't stand side by side

class Outline {
  constructor(root, rows) {
    this.root = root;
    this.ops = rows.ops;
    this.parts = rows.ops.map(() => []); // each operation's elements: nodes, tags, line
    this.links = [];
    this.sides = {};
    this.place = new Map(); // element -> { side, index }
    this.selected = null;
    this.pick = () => {};
    this.build(rows);
    this.listen();
    this.observer = new ResizeObserver(() => this.layOut());
  }

  build(rows) {
    const notes = rows.reordered ? ["siblings on the right reordered for display"] : [];
    this.box = element("div", "box");
    this.grid = element("div", "grid");
    this.gutter = element("div", "head gutter", "operation, cost");
    const deepest = Math.max(...["left", "right"].flatMap((side) => rows[side].nodes.map((node) => node.level)));
    this.grid.style.setProperty("--steps", Math.max(1, deepest - 1));
    this.svg = element("svg:svg", { "aria-hidden": "true" });
    this.grid.append(this.head("left", rows), this.gutter, this.head("right", rows), this.svg);
    for (const side of ["left", "right"]) this.grid.append(this.tree(side, rows));
    this.addTagsAndLinks(rows);
    const hint = element("p", "hint", "↑ ↓ walk · ← → cross to the other map · Enter selects · Space folds");
    this.box.append(this.grid);
    this.root.replaceChildren(legendElement(rows.styles, notes), this.box, hint);
  }

  head(side, rows) {
    const head = element("div", `head ${side}`, `${side === "left" ? "Left" : "Right"} map `);
    head.append(element("bdi", "", rows[side].name));
    return head;
  }

  tree(side, rows) {
    const tree = element("div", "tree");
    tree.setAttribute("role", "tree");
    tree.setAttribute("aria-label", `${side === "left" ? "Left" : "Right"} map ${rows[side].name}`);
    if (rows[side].lang) tree.lang = rows[side].lang;
    const children = new Map();
    this.sides[side] = rows[side].nodes.map((node, index) => {
      const op = this.ops[node.op];
      const item = nodeElement(side, node, op, rows.styles[op.kind].glyph);
      item.dataset.op = node.op;
      this.parts[node.op].push(item);
      this.place.set(item, { side, index });
      if (children.has(node.above)) children.get(node.above).push({ ...node, item });
      else children.set(node.above, [{ ...node, item }]);
      return { ...node, item, folded: false };
    });
    for (const [above, siblings] of children) {
      siblings.forEach(({ item }, index) => {
        item.setAttribute("aria-posinset", index + 1);
        item.setAttribute("aria-setsize", siblings.length);
      });
      if (above < 0) continue;
      const parent = this.sides[side][above];
      parent.guide = guideElement(side, parent, siblings.at(-1).row);
      this.grid.append(parent.guide);
    }
    tree.append(...this.sides[side].map((entry) => entry.item));
    this.sides[side][0].item.tabIndex = 0;
    return tree;
  }

  addTagsAndLinks(rows) {
    const entry = { left: [], right: [] };
    for (const side of ["left", "right"]) for (const each of this.sides[side]) entry[side][each.op] = each;
    this.ops.forEach((op, number) => {
      const ends = [entry.left[number], entry.right[number]];
      const glyph = rows.styles[op.kind].glyph;
      const tag = (of, end) => {
        const made = tagElement(op, of.row, end, glyph);
        (of.tags ??= []).push(made);
        this.parts[number].push(made);
        this.grid.append(made);
      };
      if (!ends[1]) tag(ends[0], "first");
      else if (!ends[0]) tag(ends[1], "last");
      else if (ends[0].row === ends[1].row) {
        tag(ends[0], "both");
        if (op.kind === "match") ends[1].item.classList.add("twin");
      } else {
        tag(ends[0], "first");
        tag(ends[1], "second");
      }
      if (ends[0] && ends[1]) {
        const line = linkElement(op);
        this.parts[number].push(line);
        this.links.push({ line, from: ends[0].item, to: ends[1].item });
        this.svg.append(line);
      }
    });
  }

  listen() {
    const nodeAt = (event) => event.target.closest?.(".node");
    const light = (event) => this.light(nodeAt(event));
    for (const name of ["mouseover", "focusin"]) this.grid.addEventListener(name, light);
    for (const name of ["mouseleave", "focusout"]) this.grid.addEventListener(name, () => this.light(null));
    this.grid.addEventListener("click", (event) => {
      const item = nodeAt(event);
      if (!item) return this.choose(null);
      this.focus(item);
      if (event.target.closest(".fold")) this.fold(item);
      else this.choose(this.entry(item).op);
    });
    this.grid.addEventListener("keydown", (event) => {
      const item = nodeAt(event);
      if (!item || event.ctrlKey || event.metaKey || event.altKey || !this.key(event.key, item)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  // Returns whether the key meant something.
  key(name, item) {
    const { side, index } = this.place.get(item);
    const shown = this.sides[side].filter((entry) => isShown(entry.item));
    const here = shown.findIndex((entry) => entry.item === item);
    const goals = { ArrowDown: shown[here + 1], ArrowUp: shown[here - 1], Home: shown[0], End: shown.at(-1) };
    if (name in goals) this.focus(goals[name]?.item);
    else if (name === "ArrowRight" || name === "ArrowLeft") this.cross(name === "ArrowRight" ? "right" : "left", item);
    else if (name === "Enter") this.choose(this.sides[side][index].op);
    else if (name === "Escape") this.choose(null);
    else if (name === " ") this.fold(item);
    else return false;
    return true;
  }

  entry(item) {
    const { side, index } = this.place.get(item);
    return this.sides[side][index];
  }

  focus(item) {
    if (!item) return;
    for (const entry of this.sides[this.place.get(item).side]) entry.item.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  }

  // To the partner, or to the nearest row of the other map.
  cross(side, item) {
    const { side: own } = this.place.get(item);
    if (side === own) return;
    const { row, op } = this.entry(item);
    const shown = this.sides[side].filter((entry) => isShown(entry.item));
    const distance = (entry) => (entry.op === op ? -1 : Math.abs(entry.row - row));
    shown.sort((one, other) => distance(one) - distance(other));
    this.focus(shown[0]?.item);
  }

  light(item) {
    for (const part of this.lit ?? []) part.classList.remove("lit");
    this.lit = item ? this.parts[this.entry(item).op] : [];
    for (const part of this.lit) part.classList.add("lit");
  }

  // Selects an operation, or null for none, and tells the page.
  choose(number) {
    if (number === this.selected) return;
    this.mark(number);
    this.pick(number === null ? [null, null] : [this.ops[number].source, this.ops[number].target]);
  }

  mark(number) {
    const set = (of, on) => {
      for (const part of of === null ? [] : this.parts[of]) {
        part.classList.toggle("selected", on);
        if (part.matches(".node")) part.setAttribute("aria-selected", String(on));
      }
    };
    set(this.selected, false);
    set(number, true);
    this.selected = number;
    this.layOut(); // a long text opens when it is selected
  }

  // The selection as the page has it: lit up, and scrolled to where the page asks for it.
  show([source, target], reveal) {
    const number = this.ops.findIndex((op) => op.source === source && op.target === target);
    const found = number < 0 ? null : number;
    if (found !== this.selected) this.mark(found);
    if (found === null || !reveal) return;
    for (const item of this.parts[found].filter((part) => part.matches(".node"))) this.unfoldAbove(item);
    const item = this.parts[found].find((part) => part.matches(".node") && isShown(part));
    this.box.scrollTop = item.offsetTop - this.box.clientHeight / 3;
    if (reveal === "page") this.root.scrollIntoView({ block: "nearest" });
  }

  // A pair is folded on both sides, so that what is left stays side by side.
  fold(item) {
    const { op, folded } = this.entry(item);
    for (const part of this.parts[op]) if (this.place.has(part)) this.entry(part).folded = !folded;
    this.hideFolded();
  }

  unfoldAbove(item) {
    const { side } = this.place.get(item);
    for (let above = this.entry(item).above; above >= 0; above = this.sides[side][above].above) {
      this.sides[side][above].folded = false;
    }
    this.hideFolded();
  }

  hideFolded() {
    for (const side of ["left", "right"]) {
      let end = 0; // of the folded branch that we are in
      this.sides[side].forEach((entry, index) => {
        entry.item.hidden = index < end;
        if (entry.folded) end = Math.max(end, index + entry.size);
        if (entry.size === 1) return;
        entry.guide.hidden = index < end;
        entry.item.setAttribute("aria-expanded", String(!entry.folded));
        entry.item.querySelector(".inside").textContent = entry.folded ? this.inside(side, index) : "";
      });
    }
    for (const side of ["left", "right"]) {
      for (const { item, tags, op } of this.sides[side]) {
        const gone = this.parts[op].filter((part) => this.place.has(part)).every((part) => part.hidden);
        for (const tag of tags ?? []) tag.hidden = tag.matches(".both") ? gone : item.hidden;
      }
    }
    this.layOut();
  }

  // How many nodes are below this one in its map, and how many of them are no matches.
  inside(side, index) {
    const below = this.sides[side].slice(index + 1, index + this.sides[side][index].size);
    const changes = below.filter(({ op }) => this.ops[op].kind !== "match").length;
    const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
    return `${counted(below.length, "node")}, ${changes ? counted(changes, "change") : "unchanged"}`;
  }

  layOut() {
    const narrow = window.innerWidth < ONE_COLUMN.screen || this.root.clientWidth < ONE_COLUMN.room;
    this.root.classList.toggle("narrow", narrow);
    if (!narrow) placeLinks(this.svg, this.links, this.grid, this.gutter);
  }
}

function isShown(item) {
  return item.offsetParent !== null;
}

const drawn = new WeakMap();

// `picks` counts what was selected here: until the page has heard of the last one, its selection is out of date.
// `reveals` counts what was selected elsewhere and should be scrolled to.
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".outline");
  const content = JSON.stringify(data.rows);
  let known = drawn.get(root);
  const isNew = known?.content !== content;
  const started = performance.now();
  if (isNew) {
    known?.outline.observer.disconnect();
    known = { reveals: data.reveals, picks: data.picks, ...known, content, outline: new Outline(root, data.rows) };
    drawn.set(root, known);
  }
  const { outline } = known;
  root.classList.toggle("large", data.large);
  outline.observer.observe(outline.grid);
  outline.pick = (pair) => {
    known.picks += 1;
    setStateValue("picked", [...pair, known.picks]);
  };
  outline.layOut();
  const asked = known.reveals !== data.reveals;
  if (isNew || asked || data.picks === known.picks) outline.show(data.selected, asked ? "page" : isNew && "box");
  known.reveals = data.reveals;
  if (isNew) root.dataset.milliseconds = Math.round(performance.now() - started); // laid out, for the tests
  return () => outline.observer.disconnect();
}
