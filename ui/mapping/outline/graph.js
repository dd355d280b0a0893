// The graph: the outline's nodes as two trees with their roots at the edges, growing towards each other, so that
// the whole mapping is seen at once. Large maps open with their branches folded; a line to a folded node ends at the
// node that it is folded into.

const BOX = { least: 132, most: 230, gap: 22, gutter: 84, space: 8 }; // CSS pixels
const ROOM = 28; // nodes of a map that large maps show at first, about
const SMALLEST = .7; // a map is fitted to the window down to this size; then it scrolls

// Folded to nodes without bars: what is not shown is counted at the node above it.
class Branches extends Shown {
  constructor(outline, view) {
    super(outline, view);
    this.revealed = new Set();
    const kept = this.kept();
    for (const entries of Object.values(outline.sides)) if (entries.length >= MANY) this.foldDeep(entries, kept);
  }

  // Opens branches with changes level by level until there is no more room.
  foldDeep(entries, kept) {
    const below = entries.map(() => []);
    for (const entry of entries) if (entry.above >= 0 && kept.has(entry.op)) below[entry.above].push(entry);
    for (const entry of entries) entry.folded = entry.size > 1;
    let count = 1;
    let level = entries.slice(0, 1);
    while (level.length) {
      const open = level.filter((entry) => {
        const children = below[entries.indexOf(entry)].length;
        if (!children || (count > 1 && count + children > ROOM)) return false;
        count += children;
        entry.folded = false;
        return true;
      });
      level = open.flatMap((entry) => below[entries.indexOf(entry)]);
    }
  }

  update() {
    this.foldBranches();
    const kept = this.kept();
    for (const [side, entries] of Object.entries(this.outline.sides)) {
      const gone = new Map();
      entries.forEach((entry, index) => {
        if (!kept.has(entry.op) && !this.revealed.has(entry.item)) entry.item.hidden = true;
        const top = this.topmost(side, index);
        if (top !== entry && !top.folded) gone.set(top, (gone.get(top) ?? 0) + 1);
      });
      for (const [top, count] of gone) top.item.querySelector(".inside").textContent = `${count} not shown`;
    }
  }

  // The node, or the nearest one above it that is shown.
  topmost(side, index) {
    const entries = this.outline.sides[side];
    while (entries[index].item.hidden && index) index = entries[index].above;
    return entries[index];
  }

  reveal(side, index) {
    const entries = this.outline.sides[side];
    for (let at = index; at >= 0; at = entries[at].above) {
      this.revealed.add(entries[at].item);
      if (at !== index) entries[at].folded = false;
    }
    this.update();
  }
}

// The heights at which links pass the boxes between their nodes and the other map: the node's own, or that of the
// nearest gap between two rows of boxes that none of them reaches into. Links in one gap run beside each other.
class Lanes {
  constructor(sides, gaps) {
    this.boxes = Object.fromEntries(Object.entries(sides).map(([side, all]) => [side, all.filter(({ item }) => !item.hidden)]));
    this.gaps = gaps;
    this.used = new Map();
  }

  past(side, entry) {
    const nearer = this.boxes[side].filter(({ level }) => level > entry.level);
    const isFree = (y) => nearer.every((box) => Math.abs(box.y - y) > box.height / 2 + 1);
    if (isFree(entry.y)) return entry.y;
    const gap = this.gaps.filter(isFree).sort((one, other) => Math.abs(one - entry.y) - Math.abs(other - entry.y))[0];
    if (gap === undefined) return entry.y;
    const name = `${side} ${gap}`;
    const count = this.used.get(name) ?? 0;
    this.used.set(name, count + 1);
    return gap + [0, -2.5, 2.5][count % 3];
  }
}

class Graph extends Outline {
  draw(rows) {
    super.draw(rows);
    this.zoom = null; // as large as fits
    this.root.classList.add("graph");
    for (const entry of Object.values(this.sides).flat()) {
      const { kind, amount, notes } = this.ops[entry.op];
      entry.item.title = [[kind, amount && `${rows.unit} ${amount}`].filter(Boolean).join(" · "), ...notes, "", textOf(entry)].join("\n");
      entry.line = element("svg:path", "branch");
      entry.line.style.opacity = .5;
      this.svg.prepend(entry.line);
      entry.item.addEventListener("mouseenter", () => this.dim(entry));
      entry.item.addEventListener("mouseleave", () => this.dim(null));
    }
    const costs = this.links.map(({ op }) => parseFloat(op.amount) || 0);
    const most = Math.max(...costs, 0) || 1;
    this.links.forEach(({ line, op }, index) => {
      line.style.strokeWidth = 1 + 4 * costs[index] / most;
      if (QUIET.includes(op.kind)) line.style.strokeOpacity = .35;
    });
    this.grid.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      this.enlarge(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    }, { passive: false });
  }

  // All but a node, what it corresponds to, and the lines between them; nothing without a node.
  dim(kept) {
    const near = new Set(kept && [kept.item, ...this.parts[kept.op], ...Object.values(this.ends[kept.op])]);
    for (const { item } of Object.values(this.sides).flat()) item.style.opacity = kept && !near.has(item) ? .3 : "";
    for (const { line } of this.links) line.style.opacity = kept && !near.has(line) ? .15 : "";
  }

  makeShown() {
    return new Branches(this, this.view);
  }

  tools(rows) {
    const out = button("−", "Zoom out (Ctrl + wheel)", { "aria-label": "Zoom out" });
    const larger = button("+", "Zoom in (Ctrl + wheel)", { "aria-label": "Zoom in" });
    const fit = button("Fit", "Fit the trees to the width");
    out.addEventListener("click", () => this.enlarge(.8));
    larger.addEventListener("click", () => this.enlarge(1.25));
    fit.addEventListener("click", () => this.enlarge(null));
    return super.tools(rows, element("span", "group", out, larger, fit));
  }

  enlarge(factor) {
    this.zoom = factor && Math.min(2.5, Math.max(.2, this.scale * factor));
    this.layOut();
  }

  layOut() {
    if (!this.box.clientWidth) return;
    this.root.classList.remove("narrow", "beside");
    const room = this.box.clientWidth - 20;
    const shown = Object.values(this.sides).map((entries) => entries.filter(({ item }) => !item.hidden));
    const columns = shown.map((entries) => Math.max(...entries.map(({ level }) => level)));
    const count = columns[0] + columns[1];
    const free = (room - BOX.gutter) / count - BOX.gap;
    const width = Math.min(BOX.most, Math.max(BOX.least, free));
    const total = count * (width + BOX.gap) - 2 * BOX.gap + BOX.gutter;
    this.scale = this.zoom ?? Math.min(1, Math.max(SMALLEST, room / total));
    Object.assign(this.grid.style, { zoom: this.scale, width: `${total}px` });
    this.grid.style.setProperty("--box", `${width}px`);
    for (const entry of shown.flat()) entry.height = entry.item.offsetHeight;
    const pitch = Math.max(...shown.flat().map(({ height }) => height)) + BOX.space;
    const slots = this.slots(shown.flat());
    this.drawer.makeRoom();
    this.grid.style.height = `${slots * pitch}px`;
    for (const [side, entries] of Object.entries(this.sides)) {
      for (const entry of entries) {
        const step = (entry.level - 1) * (width + BOX.gap);
        entry.x = side === "left" ? step : total - width - step;
        entry.y = (entry.slot + .5) * pitch;
        Object.assign(entry.item.style, { left: `${entry.x}px`, top: `${entry.y}px` });
      }
    }
    const gaps = Array.from({ length: slots + 1 }, (_, slot) => slot * pitch);
    this.drawLines(width, new Lanes(this.sides, gaps));
  }

  // Leaves stand below each other in the order of their rows, partners level; a parent in the middle of its children.
  slots(shown) {
    const rows = new Map();
    const span = new Map();
    const parent = (entry) => this.sides[this.positions.get(entry.item).side][entry.above];
    const parents = new Set(shown.map(parent));
    const inOrder = shown.toSorted((one, other) => one.row - other.row);
    for (const entry of inOrder) {
      if (parents.has(entry)) continue;
      if (!rows.has(entry.row)) rows.set(entry.row, rows.size);
      entry.slot = rows.get(entry.row);
    }
    for (const entry of inOrder.toReversed()) { // children come after their parents, so they are drawn before them
      if (parents.has(entry)) entry.slot = (span.get(entry)[0] + span.get(entry)[1]) / 2;
      const [first, last] = span.get(parent(entry)) ?? [entry.slot, entry.slot];
      span.set(parent(entry), [Math.min(first, entry.slot), Math.max(last, entry.slot)]);
    }
    return rows.size;
  }

  // Between partners: out of the column, past the boxes nearer to the other map, across, and the same there.
  drawLines(width, lanes) {
    const bend = (x, y, z, w) => `C${(x + z) / 2},${y} ${(x + z) / 2},${w} ${z},${w}`;
    const curve = (x, y, z, w) => `M${x},${y}${bend(x, y, z, w)}`;
    const ends = ["left", "right"].map((side) => Math.max(...this.sides[side].filter(({ item }) => !item.hidden).map(({ level }) => level)));
    const inner = [ends[0] * (width + BOX.gap) - BOX.gap, parseFloat(this.grid.style.width) - ends[1] * (width + BOX.gap) + BOX.gap];
    const link = (left, right) => {
      const [y, z] = [lanes.past("left", left), lanes.past("right", right)];
      const [x, w] = [left.x + width, right.x];
      const out = y === left.y ? `M${x},${y}H${inner[0]}` : `${curve(x, left.y, x + BOX.gap, y)}H${inner[0]}`;
      return `${out}${bend(inner[0], y, inner[1], z)}${z === right.y ? `H${w}` : `H${w - BOX.gap}${bend(w - BOX.gap, z, w, right.y)}`}`;
    };
    for (const [side, entries] of Object.entries(this.sides)) {
      for (const entry of entries) {
        const above = entries[entry.above];
        const [from, to] = side === "left" ? [above?.x + width, entry.x] : [above?.x, entry.x + width];
        entry.line.setAttribute("d", !above || entry.item.hidden ? "" : curve(from, above.y, to, entry.y));
      }
    }
    const met = new Set();
    for (const { line, op, from, to } of this.links) {
      const [left, right] = [from, to].map((item) => {
        const { side, index } = this.positions.get(item);
        return this.shown.topmost(side, index);
      });
      const name = `${left.node} ${right.node} ${line.dataset.kind}`;
      line.setAttribute("d", met.has(name) ? "" : link(left, right));
      line.classList.toggle("folded", left.item !== from || right.item !== to);
      line.toggleAttribute("hidden", !this.shown.has(op));
      met.add(name);
    }
    this.svg.setAttribute("width", this.grid.offsetWidth);
    this.svg.setAttribute("height", this.grid.offsetHeight);
  }

  // Scrolls to a node in both directions.
  scrollTo(item) {
    const { x, y } = this.entry(item);
    this.box.scrollTo({ left: x * this.scale - this.box.clientWidth / 3, top: y * this.scale - this.box.clientHeight / 3 });
  }
}
