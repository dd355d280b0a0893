// Where everything goes: two outlines, matched nodes on one row, boxes as tall as their wrapped texts.
// Sizes are in canvas units, 1 unit = 1 CSS pixel at scale 1.

const MARGIN = 6;
const ROW_GAP = 10;
const LINE_HEIGHT = 1.22;

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

// The measures for a canvas of this width: a phone gets smaller type and a narrower gutter.
function geometry(canvasWidth, depth) {
  const wide = canvasWidth >= 720;
  const fontSize = wide ? 15 : 11;
  const total = Math.max(canvasWidth - 24, 330);
  const gutter = wide ? Math.min(110, total * 0.1) : 22;
  const column = (total - gutter) / 2;
  const indent = Math.min(wide ? 24 : 8, (column * 0.4) / Math.max(depth - 1, 1));
  return { fontSize, total, gutter, column, indent, boxWidth: column - indent * (depth - 1) };
}

// Returns the nodes with x, y, label and size, the anchors of the tree lines, and the extent.
function place(nodes, canvasWidth) {
  const context = document.createElement("canvas").getContext("2d");
  const depth = Math.max(...nodes.map((node) => node.depth));
  const shape = geometry(canvasWidth, depth);
  context.font = `${shape.fontSize}px sans-serif`;
  const measure = (text) => context.measureText(text).width;
  const textWidth = shape.boxWidth - 2 * MARGIN - 8;
  const lines = nodes.map((node) => wrapText(node.label, textWidth, measure));
  const heights = lines.map((text) => Math.ceil(text.length * shape.fontSize * LINE_HEIGHT) + 2 * MARGIN);
  const rowHeight = [];
  nodes.forEach((node, index) => {
    rowHeight[node.row] = Math.max(rowHeight[node.row] || 0, heights[index]);
  });
  const rowTop = [];
  let y = 0;
  for (const height of rowHeight) { rowTop.push(y); y += height + ROW_GAP; }
  const placed = nodes.map((node, index) => {
    const column = node.side === "left" ? 0 : shape.column + shape.gutter;
    const left = column + (node.depth - 1) * shape.indent;
    return { ...node, label: lines[index].join("\n"), left, height: rowHeight[node.row],
      x: left + shape.boxWidth / 2, y: rowTop[node.row] + rowHeight[node.row] / 2 };
  });
  return { nodes: placed, shape, height: y };
}
