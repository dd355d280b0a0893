// The outline: both maps on common rows. It is built once per comparison; when the page runs again with the same
// one, only the selection moves, and what is folded and focused stays.

const ONE_COLUMN = { screen: 720, room: 560 }; // pixels below which the maps don't stand side by side
const BESIDE = 1000; // pixels from which on the table stands beside the maps
const MANY = 60; // nodes of a map from which on unchanged stretches are folded at first

class Outline extends Controlled {
  // `view` is what its user has set: the kinds that are off, whether only flagged sentences are shown, the stretches that are open, the table's order.
  constructor(root, rows, view, data) {
    super();
    Object.assign(this, { root, view, data });
    this.selected = null;
    this.here = null; // the node where n and p go on from
    this.pick = () => {};
    this.presentation = new Presentation(root, {
      settled: () => this.layOut(), ease: 1.27, scrolled: () => this.box,
    });
    this.build(rows);
    this.listen();
    this.observer = new ResizeObserver(() => this.layOut());
  }

  build(rows) {
    this.root.classList.remove("graph");
    this.draw(rows);
    this.box = element("div", "box", this.grid);
    this.heads = this.firstOfChanges();
    this.drawer?.release();
    this.drawer = new Drawer(this);
    this.shown = this.makeShown();
    this.ruler = new Ruler(this.box);
    this.panes = element("div", "panes", element("div", "frame", this.box, this.ruler.element));
    this.root.classList.toggle("many", isMany(rows));
    this.foot = new Foot(this, this.data.foot, rows.unit);
    if (rows.table) this.addTable(rows);
    this.words = new Map(rows.changes.map(({ op, words }) => [this.ops[op].change, words]));
    this.said = element("p", { class: "said", role: "status" });
    const list = this.table ? [this.table.element] : [];
    this.root.replaceChildren(this.tools(rows), this.panes, this.foot.element, this.said, this.hint(rows), ...list);
    this.fold();
  }

  makeShown() {
    return new Shown(this, this.view);
  }

  tools(rows, ...more) {
    this.changes = new Changes(this, this.heads.length);
    this.search = new Search(this);
    const chips = chipElements(rows.styles, this.view, () => this.fold());
    chips.push(...flagChips(rows.ops.filter(({ flagged }) => flagged).length, this.view, () => this.fold()));
    const readings = { script: "Edit script", sentences: "Sentences" };
    const switches = element("span", "group");
    if (rows.table) switches.append(segments("Reading", readings, rows.reading, (name) => this.open(name, this.data.view)));
    switches.append(segments("View", { outline: "Outline", graph: "Graph" }, this.data.view, (name) => this.open(rows.reading, name)));
    const bar = element("div", `bar ${chips.length > 4 ? "crowded" : ""}`, switches, toolbar(...chips, this.changes.element, ...more, this.presentation.button));
    bar.append(this.search.element);
    return bar;
  }

  hint(rows) {
    const keys = rows.reordered ? ["Siblings on the right are reordered for display"] : [];
    keys.push("↑ ↓ walk", "← → cross to the other map, or to a move's other end", "Enter explains, again goes there", "Space folds");
    keys.push("n p next and previous change", "/ searches", "f presents");
    if (this.table) keys.push("t list of changes and back");
    return element("p", "hint", keys.join(" · "));
  }

  addTable(rows) {
    const lines = rows.changes.map((change) => ({ ...change, number: change.op, change: this.ops[change.op].change }));
    this.table = new Table(lines, rows.styles, rows.unit, this.view.sort, (number) => {
      this.choose(number);
      this.visit(this.endOf(number), true);
    });
  }

  // From the table back to the node where one was, from a node to its row.
  overToTable() {
    if (this.table.element.contains(this.root.getRootNode().activeElement)) return this.focus(this.current());
    const item = this.current();
    if (this.root.matches(".explained.beside")) { // the panel stands in place of the table
      this.choose(null);
      this.drawer.makeRoom();
    }
    this.table.mark(this.ops[this.entry(item).op].change);
    this.table.focus();
    this.table.mark(this.selected === null ? null : this.ops[this.selected].change);
  }

  // The node that one is at, or was before one left the maps.
  current() {
    return this.here && isShown(this.here) ? this.here : this.sides.left[0].item;
  }

  row() {
    return this.here ? this.entry(this.here).row : -1;
  }

  openOrClose(bar) {
    this.shown.toggle(bar);
    this.fold();
    bar.focus({ preventScroll: true });
  }

  // The other end of a move or a part, or the partner on the other side.
  otherEnd(item) {
    const { left, right } = this.ends[this.entry(item).op];
    return item === left ? right : left;
  }

  // Shows a node wherever it is, as the current position; the page stays where it is if the maps scroll.
  visit(item, focus = false) {
    const { side, index } = this.positions.get(item);
    this.shown.reveal(side, index);
    this.afterFolding();
    if (this.box.scrollHeight > this.box.clientHeight + 1) {
      this.scrollTo(item);
      if (focus) this.focus(item);
      else this.stand(item);
    } else {
      this.stand(item);
      if (focus) item.focus({ preventScroll: true });
      item.scrollIntoView({ block: "nearest" });
    }
  }

  scrollTo(item) {
    this.box.scrollTop = item.offsetTop - this.box.clientHeight / 3;
  }

  // Makes a node the one that the next Tab leads to.
  stand(item) {
    this.here?.classList.remove("here");
    this.here = item;
    item.classList.add("here");
    this.foot.update();
    for (const entry of this.sides[this.positions.get(item).side]) entry.item.tabIndex = -1;
    item.tabIndex = 0;
  }

  entry(item) {
    const { side, index } = this.positions.get(item);
    return this.sides[side][index];
  }

  focus(item) {
    if (!item) return;
    if (this.positions.has(item)) this.stand(item);
    item.focus();
  }

  light(item) {
    for (const part of this.lit ?? []) part.classList.remove("lit");
    const ops = item ? new Set([this.entry(item).op, ...(this.held.get(item) ?? [])]) : [];
    this.lit = [...ops].flatMap((op) => [...this.parts[op], ...Object.values(this.ends[op])]).filter(Boolean);
    for (const part of this.lit) part.classList.add("lit");
  }

  // Selects an outcome, or null for none, and tells the page: of one whose ends the script doesn't pair, the node
  // that was picked, since each has an operation of its own.
  choose(number, item = null) {
    if (number === this.selected && this.picked === item) return;
    this.picked = item;
    this.holding(this.here, () => this.mark(number));
    if (number === null) return this.pick([null, null]);
    const { source, target, aligned } = this.ops[number];
    const side = item && !aligned ? this.positions.get(item).side : null;
    this.pick([side === "right" ? null : source, side === "left" ? null : target]);
  }

  // Opens another reading or view; the selection stays.
  open(reading, view) {
    this.pick(this.data.selected, reading, view);
  }

  // Keeps a node where it is on screen while something above it changes its height, as a drawer that closes does.
  holding(item, change) {
    const before = item?.getBoundingClientRect().top;
    change();
    if (!item || !isShown(item)) return;
    const moved = () => item.getBoundingClientRect().top - before;
    this.box.scrollTop += moved();
    if (Math.abs(moved()) > 1) document.querySelector("[data-testid=stMain]")?.scrollBy(0, moved());
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
    this.said.textContent = number === null ? "" : this.words.get(this.ops[number].change) ?? "Unchanged."; // presented
    this.table?.mark(number === null ? null : this.ops[number].change);
    this.layOut(); // a long text opens when it is selected
  }

  // The selection as the page has it: lit up, and scrolled to where the page asks for it.
  show([source, target], reveal) {
    const number = this.ops.findIndex((op) => (source === null ? op.target === target && target !== null : op.source === source));
    const now = this.ops[this.selected];
    const shares = now && ((source !== null && now.source === source) || (target !== null && now.target === target));
    const found = shares ? this.selected : number < 0 ? null : number; // the script may pair what doesn't correspond
    if (found !== this.selected) this.mark(found);
    if (found === null || !reveal) return;
    const ends = this.parts[found].filter((part) => this.positions.has(part));
    for (const end of ends) this.shown.reveal(this.positions.get(end).side, this.positions.get(end).index);
    this.afterFolding();
    const item = ends.find(isShown);
    this.stand(item);
    this.scrollTo(item);
    // On a phone, the drawer covers the lower part of the screen.
    if (reveal === "page") item.scrollIntoView({ block: this.root.matches(".narrow") ? "start" : "center" });
  }

  // A pair is folded on both sides, so that what is left stays side by side.
  foldBranch(item) {
    const { op, folded } = this.entry(item);
    for (const part of this.parts[op]) if (this.positions.has(part)) this.entry(part).folded = !folded;
    this.fold();
  }

  // Shows and hides what is to be, and brings everything else in line with it.
  fold() {
    this.shown.update();
    this.afterFolding();
    this.foot.update();
    this.table?.filter(this.shown);
  }

  afterFolding() {
    for (const side of ["left", "right"]) {
      for (const { item, tags, op } of this.sides[side]) {
        const gone = this.parts[op].filter((part) => this.positions.has(part)).every((part) => part.hidden);
        for (const tag of tags ?? []) tag.hidden = tag.matches(".both") ? gone : item.hidden;
      }
    }
    this.layOut();
  }

  layOut() {
    const { on } = this.presentation;
    const narrow = !on && (window.innerWidth < ONE_COLUMN.screen || this.root.clientWidth < ONE_COLUMN.room);
    this.root.classList.toggle("narrow", narrow);
    this.root.classList.toggle("beside", !on && Boolean(this.table) && this.root.clientWidth >= BESIDE);
    this.drawer.makeRoom();
    if (!narrow) placeLinks(this.svg, [...this.links, ...this.old], this.grid, this.gutter);
    const changed = Object.values(this.sides).flat().map(({ item }) => item);
    this.ruler.place(changed.filter((item) => !QUIET.includes(item.dataset.kind)));
  }
}

function isShown(item) {
  return item.offsetParent !== null;
}

function isMany({ left, right }) {
  return Math.max(left.nodes.length, right.nodes.length) >= MANY;
}
