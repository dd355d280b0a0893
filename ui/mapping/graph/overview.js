// The overview: both trees with their roots at the edges, growing towards each other, so that the whole mapping
// fits on a screen. Texts are cut; tooltips hold them.

const OVERVIEW = { fontSize: 14, boxWidth: 160, lines: 3, columnGap: 26, rowGap: 10, gutter: 140 };

function cutText(text, width, measure) {
  const lines = wrapText(text, width, measure);
  if (lines.length <= OVERVIEW.lines) return lines;
  let last = lines[OVERVIEW.lines - 1];
  while (last && measure(`${last}…`) > width) last = Array.from(last).slice(0, -1).join("");
  return [...lines.slice(0, OVERVIEW.lines - 1), `${last}…`];
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

// The same as place() gives for the rows.
function placeOverview(nodes, treeEdges) {
  const context = document.createElement("canvas").getContext("2d");
  context.font = `${OVERVIEW.fontSize}px sans-serif`;
  const measure = (text) => context.measureText(text).width;
  const { boxWidth, fontSize } = OVERVIEW;
  const lines = nodes.map((node) => cutText(node.label, boxWidth - 2 * MARGIN - 8, measure));
  const heights = lines.map((text) => Math.ceil(text.length * fontSize * LINE_HEIGHT) + 2 * MARGIN);
  const pitch = Math.max(...heights) + OVERVIEW.rowGap;
  const { slot, slots } = heightsOf(nodes, treeEdges);
  const deepest = (side) => Math.max(...nodes.filter((node) => node.side === side).map((node) => node.depth));
  const step = boxWidth + OVERVIEW.columnGap;
  const total = (deepest("left") + deepest("right")) * step - 2 * OVERVIEW.columnGap + OVERVIEW.gutter;
  const height = Math.max(slots.left, slots.right) * pitch;
  const placed = nodes.map((node, index) => {
    const left = node.side === "left" ? (node.depth - 1) * step : total - boxWidth - (node.depth - 1) * step;
    const top = (height - slots[node.side] * pitch) / 2;
    return { ...node, label: lines[index].join("\n"), left, height: heights[index],
      x: left + boxWidth / 2, y: top + (slot.get(node.id) + 0.5) * pitch };
  });
  return { nodes: placed, shape: { fontSize, boxWidth, total }, height };
}

function overviewLines(treeEdges, { surface }) {
  const smooth = { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.5 };
  const lines = treeEdges.map(({ from, to }) => ({ from, to, color: surface.line, width: 1.3, chosen: false, smooth }));
  return { bends: [], lines };
}
