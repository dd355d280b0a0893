// Both maps on a grid: nodes, the lines from parents to children and between partners, tags in the gutter.

class Drawing {
  // Draws the rows into `grid`, which has its heads and its `svg`.
  draw(rows) {
    this.ops = rows.ops;
    this.parts = rows.ops.map(() => []); // each outcome's elements: nodes that it stands for, tags, line, piece
    this.ends = rows.ops.map(() => ({})); // each outcome's nodes, by side
    this.held = new Map(); // element of a node that holds parts -> their outcomes
    this.links = [];
    this.sides = {};
    this.positions = new Map(); // element of a node -> { side, index }
    this.grid = element("div", "grid");
    this.gutter = element("div", "head gutter", rows.unit);
    const deepest = Math.max(...["left", "right"].flatMap((side) => rows[side].nodes.map((node) => node.level)));
    this.grid.style.setProperty("--steps", Math.max(1, deepest - 1));
    this.svg = element("svg:svg", { "aria-hidden": "true" });
    this.grid.append(this.head("left", rows), this.gutter, this.head("right", rows), this.svg);
    for (const side of ["left", "right"]) this.grid.append(this.tree(side, rows));
    this.addTagsAndLinks(rows);
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
      const item = nodeElement(side, node, op, rows.styles[op.kind].glyph, rows.unit);
      item.dataset.op = node.op;
      this.parts[node.op].push(item);
      this.positions.set(item, { side, index });
      for (const piece of item.querySelectorAll(".piece")) this.parts[piece.dataset.part].push(piece);
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

  // Whether an outcome only moved along with the node above it.
  along(op) {
    return op.head !== null && op.head !== op.source;
  }

  addTagsAndLinks(rows) {
    const entry = { left: new Map(), right: new Map() };
    for (const side of ["left", "right"]) for (const each of this.sides[side]) entry[side].set(each.node, each);
    this.ops.forEach((op, number) => {
      const ends = [entry.left.get(op.source), entry.right.get(op.target)];
      this.ends[number] = { left: ends[0]?.item, right: ends[1]?.item };
      const holder = PARTS.includes(op.kind) ? ends[Number(op.kind === "merged")] : undefined;
      if (holder) this.held.set(holder.item, [...(this.held.get(holder.item) ?? []), number]);
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
        if (op.amount) tag(ends[0], "both");
        if (QUIET.includes(op.kind)) ends[1].item.classList.add("twin");
      } else {
        if (ends[0] !== holder || ends[0].op === number) tag(ends[0], holder === ends[0] ? "second left" : "first");
        if (ends[1] !== holder || ends[1].op === number) tag(ends[1], holder === ends[0] ? "last" : "second");
      }
      if (ends[0] && ends[1] && !this.along(op)) {
        const line = linkElement(op);
        this.parts[number].push(line);
        this.links.push({ line, op, from: ends[0].item, to: ends[1].item });
        this.svg.append(line);
      }
    });
    this.old = rows.old.map(([source, target]) => {
      const line = element("svg:path", "old");
      this.svg.append(line);
      return { line, from: entry.left.get(source).item, to: entry.right.get(target).item };
    });
  }

  // The topmost node of each change, by its number.
  firstOfChanges() {
    const heads = [];
    for (const side of ["left", "right"]) {
      for (const entry of this.sides[side]) {
        const { change } = this.ops[entry.op];
        if (change !== null && !(heads[change]?.row <= entry.row)) heads[change] = { ...entry, change };
      }
    }
    return heads;
  }

  // The node of an operation that is shown; the left one first.
  endOf(number) {
    return this.parts[number].find((part) => this.positions.has(part));
  }
}
