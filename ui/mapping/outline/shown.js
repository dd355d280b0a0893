// What is shown of the outline: kinds that are switched off, and long unchanged stretches, fold to bars; branches fold to
// their topmost node. A node above one that is shown stays, so that it can be seen where that is.

const LONG_STRETCH = 4; // rows

class Shown {
  // Of `view`, `off` are the kinds that are not shown, `whole` those whose long stretches are shown, too, `flagged` leaves
  // only what may claim something else, `opened` are the stretches (by their first row) that are shown all the same.
  constructor(outline, view) {
    Object.assign(this, { outline, view, opened: view.opened });
    this.rows = []; // each row's operation
    for (const side of ["left", "right"]) for (const { row, op } of outline.sides[side]) this.rows[row] = op;
    this.bars = new Map(); // the first row of a stretch -> its bar
    this.stretchOf = new Map(); // row -> the first row of its stretch
  }

  // Whether an outcome, or a change of the list, is one of those shown.
  has({ kind, flagged }) {
    return !this.view.off.has(kind) && (flagged || !this.view.flagged);
  }

  // Folds all branches and stretches as they should be.
  update() {
    const { sides, ops } = this.outline;
    const inBranch = this.foldBranches();
    const stretches = this.stretches(this.kept(), inBranch);
    const met = new Set(stretches.flat());
    for (const rows of this.longOnes(inBranch)) if (!rows.some((row) => met.has(row))) stretches.push(rows);
    this.stretchOf.clear();
    const hidden = new Set();
    const used = new Set();
    for (const rows of stretches) {
      const quiet = rows.every((row) => QUIET.includes(ops[this.rows[row]].kind));
      const open = this.opened.has(rows[0]);
      for (const row of rows) {
        this.stretchOf.set(row, rows[0]);
        if (!open) hidden.add(row);
      }
      const folded = [...new Set(rows.map((row) => this.rows[row]))];
      this.draw(rows[0], `${folded.length} ${quiet ? "unchanged" : "not shown"}`, open, quiet ? folded : []);
      used.add(rows[0]);
    }
    for (const [row, bar] of this.bars) bar.hidden = !used.has(row);
    for (const side of ["left", "right"]) {
      const last = new Map(); // node -> the row of its last child that is shown
      for (const entry of sides[side]) {
        if (hidden.has(entry.row)) entry.item.hidden = true;
        if (!entry.item.hidden) last.set(entry.above, entry.row);
      }
      sides[side].forEach(({ item, guide }, index) => {
        if (!guide) return;
        guide.hidden = item.hidden || !last.has(index);
        if (!guide.hidden) guide.style.setProperty("--last", last.get(index) + 1);
      });
    }
  }

  // Runs of rows of which nothing is kept.
  stretches(kept, inBranch) {
    const found = [];
    let run = null;
    this.rows.forEach((op, row) => {
      if (inBranch(row)) return;
      if (kept.has(op)) run = null;
      else if (run) run.push(row);
      else found.push((run = [row]));
    });
    return found;
  }

  // Long unchanged stretches, which fold even where what is unchanged is shown.
  longOnes(inBranch) {
    if (QUIET.some((kind) => this.view.whole.has(kind))) return [];
    return this.stretches(this.kept((op) => this.has(op) && !QUIET.includes(op.kind)), inBranch)
      .filter((rows) => rows.length >= LONG_STRETCH && rows.every((row) => QUIET.includes(this.outline.ops[this.rows[row]].kind)));
  }

  draw(row, words, open, folded) {
    if (!this.bars.has(row)) {
      const made = barElement(row);
      this.bars.set(row, made);
      this.outline.grid.append(made);
    }
    const bar = this.bars.get(row);
    const texts = folded.map((op) => this.outline.endOf(op).querySelector(".text").textContent);
    bar.replaceChildren(element("span", "count", words), ...(texts.length ? [element("span", "texts", texts.join(" · "))] : []));
    bar.setAttribute("aria-expanded", String(open));
  }

  // The lines of the nodes that are shown: the ends of those that are, and what is above them.
  kept(isShown = (op) => this.has(op)) {
    const { sides, ops, ends } = this.outline;
    const kept = new Set([sides.left[0].op, sides.right[0].op]);
    ops.forEach((op, number) => {
      for (const item of Object.values(ends[number]).filter((end) => end && isShown(op))) {
        const { side, index } = this.outline.positions.get(item);
        for (let at = index; at >= 0; at = sides[side][at].above) kept.add(sides[side][at].op);
      }
    });
    return kept;
  }

  // Hides what is below folded nodes; returns whether all of a row is.
  foldBranches() {
    const visible = new Set();
    for (const side of ["left", "right"]) {
      let end = 0; // of the folded branch that we are in
      this.outline.sides[side].forEach((entry, index) => {
        entry.item.hidden = index < end;
        if (!entry.item.hidden) visible.add(entry.row);
        if (entry.folded) end = Math.max(end, index + entry.size);
        if (entry.size === 1) return;
        entry.item.setAttribute("aria-expanded", String(!entry.folded));
        entry.item.querySelector(".inside").textContent = entry.folded ? this.inside(side, index) : "";
      });
    }
    return (row) => !visible.has(row);
  }

  // How many nodes are below this one in its map, and how many changes they are part of.
  inside(side, index) {
    const entries = this.outline.sides[side];
    const below = entries.slice(index + 1, index + entries[index].size);
    const changes = new Set(below.map(({ op }) => this.outline.ops[op].change));
    changes.delete(null);
    return `${counted(below.length, "node")}, ${changes.size ? counted(changes.size, "change") : "unchanged"}`;
  }

  toggle(bar) {
    const [row] = [...this.bars].find(([, each]) => each === bar);
    if (!this.opened.delete(row)) this.opened.add(row);
  }

  // Makes a node visible: nothing above it is folded, and its stretch is open.
  reveal(side, index) {
    const entries = this.outline.sides[side];
    for (let above = entries[index].above; above >= 0; above = entries[above].above) entries[above].folded = false;
    this.update();
    const stretch = this.stretchOf.get(entries[index].row);
    if (stretch !== undefined) this.opened.add(stretch);
    this.update();
  }
}
