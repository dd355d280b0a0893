// What mouse and keys do in the outline.

class Controlled extends Drawing {
  listen() {
    const nodeAt = (event) => event.target.closest?.(".node");
    this.grid.addEventListener("focusin", (event) => this.light(nodeAt(event)));
    this.grid.addEventListener("mousemove", (event) => { // not mouseover, which keys cause too: they scroll rows under the mouse
      if (event.movementX || event.movementY) this.light(nodeAt(event));
    });
    for (const name of ["mouseleave", "focusout"]) this.grid.addEventListener(name, () => this.light(null));
    this.grid.addEventListener("click", (event) => {
      const item = nodeAt(event);
      const bar = event.target.closest?.(".stretch");
      if (bar) return this.openOrClose(bar);
      if (!item) return this.choose(null);
      this.focus(item);
      if (event.target.closest(".fold")) this.foldBranch(item);
      else if (event.target.closest(".go")) this.visit(this.otherEnd(item), true);
      else this.choose(this.entry(item).op, item);
    });
  }

  // Listens to the keys in the outline, and to the page's while it is presented, where arrows and remote controls lead
  // from change to change. Returns what ends it, since the root stays when other maps come; a second call, after a
  // selection, ends the first, lest a key counts twice.
  attend() {
    this.leave?.();
    const onKey = (event) => this.pressed(event);
    this.root.addEventListener("keydown", onKey);
    const [back, next] = [() => this.changes.go(-1), () => this.changes.go(1)];
    const keys = { ArrowLeft: back, ArrowUp: back, PageUp: back, ArrowRight: next, ArrowDown: next, PageDown: next };
    const stop = this.presentation.listen({ ...keys, p: back, n: next });
    this.leave = () => {
      stop();
      this.root.removeEventListener("keydown", onKey);
    };
    return this.leave;
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input")) return;
    const item = event.target.closest(".node, .stretch");
    if (!this.command(event.key) && !(item && this.key(event.key, item))) return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Keys that mean the same anywhere in the outline. Returns whether this one did.
  command(name) {
    if (name === "n" || name === "p") this.changes.go(name === "n" ? 1 : -1, true);
    else if (name === "/") this.search.input.select();
    else if (name === "t" && this.table) this.overToTable();
    else return false;
    return true;
  }

  // Returns whether the key meant something.
  key(name, item) {
    const { side } = this.positions.get(item) ?? this.positions.get(this.current());
    const way = this.way(side);
    const here = way.indexOf(item);
    const goals = { ArrowDown: way[here + 1], ArrowUp: way[here - 1], Home: way[0], End: way.at(-1) };
    if (name in goals) this.focus(goals[name]);
    else if (name === "Escape" && this.presentation.on) return false; // leaves
    else if (name === "Escape") this.choose(null);
    else if (!this.positions.has(item)) return false; // Enter and the space key open a bar, as they click any button
    else if (name === "ArrowRight" || name === "ArrowLeft") this.cross(name === "ArrowRight" ? "right" : "left", item);
    else if (name === "Enter" && this.entry(item).op === this.selected && !this.presentation.on) this.drawer.enter();
    else if (name === "Enter") {
      this.stand(item);
      this.choose(this.entry(item).op, item);
    } else if (name === " ") this.foldBranch(item);
    else return false;
    return true;
  }

  // What the arrow keys walk over on one side, from the top down.
  way(side) {
    const bars = [...this.shown.bars].filter(([, bar]) => !bar.hidden).map(([row, item]) => ({ row: row - 0.5, item }));
    const nodes = this.sides[side].filter(({ item }) => isShown(item));
    return [...nodes, ...bars].sort((one, other) => one.row - other.row).map(({ item }) => item);
  }

  // To the partner or a move's other end, or to the nearest row of the other map.
  cross(side, item) {
    const { side: own } = this.positions.get(item);
    if (side === own) return;
    const { row, op } = this.entry(item);
    if (["moved", ...PARTS].includes(this.ops[op].kind)) return this.visit(this.otherEnd(item), true);
    const shown = this.sides[side].filter((entry) => isShown(entry.item));
    const distance = (entry) => (entry.op === op ? -1 : Math.abs(entry.row - row));
    shown.sort((one, other) => distance(one) - distance(other));
    this.focus(shown[0]?.item);
  }
}
