// The overview: both trees with their roots at the edges, growing towards each other, so that the whole mapping
// fits on a screen. Texts are cut; tooltips hold them. Sizes are in canvas units, 1 unit = 1 CSS pixel at scale 1.

const MARGIN = 6;
const LINE_HEIGHT = 1.22;
const LAYOUT = { fontSize: 14, boxWidth: 160, lines: 3, columnGap: 26, rowGap: 10, gutter: 140 };

function wrapText(text, width, measure) {
  const lines = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word;
    if (measure(longer) <= width) { line = longer; continue; }
    if (line) lines.push(line);
    line = word;
    while (measure(line) > width && line.length > 1) { // a word wider than the box, or a script without spaces
      const signs = Array.from(line);
      let fits = signs.length - 1;
      while (fits > 1 && measure(signs.slice(0, fits).join("")) > width) fits -= 1;
      lines.push(signs.slice(0, fits).join(""));
      line = signs.slice(fits).join("");
    }
  }
  lines.push(line);
  return lines;
}

function cutText(text, width, measure) {
  const lines = wrapText(text, width, measure);
  if (lines.length <= LAYOUT.lines) return lines;
  let last = lines[LAYOUT.lines - 1];
  while (last && measure(`${last}…`) > width) last = Array.from(last).slice(0, -1).join("");
  return [...lines.slice(0, LAYOUT.lines - 1), `${last}…`];
}

// Leaves stand below each other in the order of their rows, a parent in the middle of its children.
function heightsOf(nodes, treeEdges) {
  const children = new Map(nodes.map((node) => [node.id, []]));
  const parent = new Map();
  for (const { from, to } of treeEdges) { children.get(from).push(to); parent.set(to, from); }
  const slot = new Map();
  const span = new Map(); // first and last slot of a node's children
  let next = { left: 0, right: 0 };
  const inOrder = nodes.toSorted((one, other) => one.row - other.row);
  for (const node of inOrder) if (!children.get(node.id).length) slot.set(node.id, next[node.side]++);
  for (const node of inOrder.toReversed()) { // children come after their parents, so they are placed before them
    if (!slot.has(node.id)) { const [first, last] = span.get(node.id); slot.set(node.id, (first + last) / 2); }
    const above = parent.get(node.id);
    const own = slot.get(node.id);
    const [first, last] = span.get(above) ?? [own, own];
    span.set(above, [Math.min(first, own), Math.max(last, own)]);
  }
  return { slot, slots: next };
}

// Returns the nodes with x, y, label and size, and the extent.
function placeNodes(nodes, treeEdges) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${LAYOUT.fontSize}px sans-serif`;
  const measure = (text) => context.measureText(text).width;
  const { boxWidth, fontSize } = LAYOUT;
  const lines = nodes.map((node) => cutText(node.label, boxWidth - 2 * MARGIN - 8, measure));
  const heights = lines.map((text) => Math.ceil(text.length * fontSize * LINE_HEIGHT) + 2 * MARGIN);
  const pitch = Math.max(...heights) + LAYOUT.rowGap;
  const { slot, slots } = heightsOf(nodes, treeEdges);
  const deepest = (side) => Math.max(...nodes.filter((node) => node.side === side).map((node) => node.depth));
  const step = boxWidth + LAYOUT.columnGap;
  const total = (deepest("left") + deepest("right")) * step - 2 * LAYOUT.columnGap + LAYOUT.gutter;
  const height = Math.max(slots.left, slots.right) * pitch;
  const placed = nodes.map((node, index) => {
    const left = node.side === "left" ? (node.depth - 1) * step : total - boxWidth - (node.depth - 1) * step;
    const top = (height - slots[node.side] * pitch) / 2;
    return { ...node, label: lines[index].join("\n"), left, height: heights[index],
      x: left + boxWidth / 2, y: top + (slot.get(node.id) + 0.5) * pitch };
  });
  return { nodes: placed, shape: { fontSize, boxWidth, total }, height };
}

function treeLines(treeEdges, { surface }) {
  const smooth = { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 };
  const lines = treeEdges.map(({ from, to }) => ({ from, to, color: surface.line, width: 1.3, chosen: false, smooth }));
  return lines;
}
