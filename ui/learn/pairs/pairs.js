// Two outlines whose nodes are paired by clicks: one on each side. A click on a paired node takes its pair away.
export default function (component) {
  const root = component.parentElement.querySelector(".pairs");
  const board = (root.board ??= new Board(root));
  board.load(component.data, (pairs) => component.setStateValue("pairs", pairs));
}

const SIDES = ["left", "right"];

class Board {
  constructor(root) {
    this.root = root;
    this.id = null;
    this.waiting = null; // the node that waits for its partner: [side, node]
    root.querySelector(".clear").addEventListener("click", () => this.change([]));
    new ResizeObserver(() => this.data && this.drawLinks()).observe(root.querySelector(".board"));
  }

  load(data, send) {
    this.data = data;
    this.send = send;
    if (this.id !== data.id) {
      this.id = data.id;
      this.pairs = data.pairs;
      this.waiting = null;
    }
    this.draw();
  }

  click(side, node) {
    const index = this.pairs.findIndex((pair) => pair[side] === node);
    if (index >= 0) return this.change(this.pairs.filter((_, other) => other !== index));
    if (this.waiting && this.waiting[0] !== side) {
      const pair = [];
      pair[side] = node;
      pair[1 - side] = this.waiting[1];
      return this.change([...this.pairs, pair]);
    }
    const again = this.waiting && this.waiting[1] === node;
    this.waiting = again ? null : [side, node];
    return this.draw();
  }

  change(pairs) {
    this.pairs = pairs;
    this.waiting = null;
    this.draw();
    this.send(pairs);
  }

  draw() {
    const { data, pairs, waiting } = this;
    const focused = this.root.getRootNode().activeElement?.dataset?.place;
    SIDES.forEach((name, side) => {
      this.root.querySelector(`.${name}`).replaceChildren(...data[name].map(({ label, level, number }, node) => {
        const paired = pairs.find((pair) => pair[side] === node);
        const partner = paired ? data[SIDES[1 - side]][paired[1 - side]].number : null;
        const button = element("button", {
          type: "button", "data-place": `${side}-${node}`, class: paired ? "paired" : "",
          "aria-pressed": String(Boolean(waiting && waiting[0] === side && waiting[1] === node)),
          "aria-label": `${name} ${number} ${label}${paired ? `, paired with ${partner}` : ""}`,
        }, element("b", {}, String(number)), element("bdi", {}, label));
        button.disabled = Boolean(data.truth);
        button.addEventListener("click", () => this.click(side, node));
        return element("li", { style: `margin-left: ${(level - 1) * 14}px` }, button);
      }));
    });
    this.root.querySelector(".clear").hidden = Boolean(data.truth);
    this.root.querySelector(".hint").textContent = this.hint();
    if (focused) this.root.querySelector(`[data-place="${focused}"]`)?.focus();
    this.drawLinks();
  }

  hint() {
    const { data, pairs, waiting } = this;
    if (data.truth) return "Blue: your pairs that are right; red: yours that are not; green, dashed: those you missed.";
    if (waiting) return `Now click its partner on the ${SIDES[1 - waiting[0]]}.`;
    const count = `${pairs.length} ${pairs.length === 1 ? "pair" : "pairs"}.`;
    return `${count} Click a node on each side to pair them; click a paired one to part them.`;
  }

  drawLinks() {
    const box = this.root.querySelector(".board").getBoundingClientRect();
    const has = (list, pair) => list.some(([v, w]) => v === pair[0] && w === pair[1]);
    const truth = this.data.truth;
    const links = this.pairs.map((pair) => [pair, truth && !has(truth, pair) ? "wrong" : ""]);
    for (const pair of truth ?? []) if (!has(this.pairs, pair)) links.push([pair, "missed"]);
    this.root.querySelector(".links").replaceChildren(...links.map(([[v, w], kind]) => {
      const [from, to] = [`0-${v}`, `1-${w}`].map((place) =>
        this.root.querySelector(`[data-place="${place}"]`).getBoundingClientRect());
      const [x1, y1] = [from.right - box.left, from.top + from.height / 2 - box.top];
      const [x2, y2] = [to.left - box.left, to.top + to.height / 2 - box.top];
      const middle = (x1 + x2) / 2;
      return element("svg:path", { class: kind, d: `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` });
    }));
  }
}
