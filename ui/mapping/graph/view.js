// Draws the placed graph with vis-network and lets one move about in it.

const container = document.getElementById("network");
let dark = DATA.theme.dark;
let network = null;
let extent = { width: 0, height: 0 };

// The page's own background tells its theme, also after a live switch; alone on disk, the theme given is kept.
function pageBackground() {
  try {
    return getComputedStyle(window.parent.document.querySelector(".stApp")).backgroundColor;
  } catch { return null; }
}

function pageIsDark() {
  const [r, g, b] = pageBackground()?.match(/\d+/g)?.map(Number) ?? [];
  return b === undefined ? DATA.theme.dark : r + g + b < 384;
}

function colours() {
  const mode = dark ? "dark" : "light";
  const surface = { ...DATA.theme.surface[mode] };
  surface.background = pageBackground() ?? surface.background;
  return { surface, op: (kind) => DATA.theme.ops[kind][mode] };
}

function paintPage({ surface, op }) {
  for (const [name, value] of Object.entries(surface)) {
    document.documentElement.style.setProperty(`--${name}`, value);
  }
  for (const glyph of document.querySelectorAll("[data-op]")) {
    const [fill, border] = op(glyph.dataset.op);
    Object.assign(glyph.style, { background: fill, borderColor: border });
  }
}

function box(node, shape, { surface, op }) {
  const [fill, border] = op(node.op);
  const marked = { background: fill, border: surface.text };
  return { id: node.id, label: node.label, title: node.title, x: node.x, y: node.y, margin: MARGIN,
    color: { background: fill, border, highlight: marked, hover: marked },
    borderWidth: node.op === "match" ? 1 : 2, shapeProperties: { borderRadius: 4 },
    widthConstraint: { minimum: shape.boxWidth - 2 * MARGIN }, // no maximum: the text is wrapped already
    heightConstraint: { minimum: node.height - 2 * MARGIN, valign: "middle" },
    font: { size: shape.fontSize, color: surface.text, align: "left", face: "sans-serif" } };
}

function mappingLink(edge, { surface, op }) {
  const colour = edge.op === "match" ? surface.link : op(edge.op)[1];
  return { from: edge.from, to: edge.to, dashes: edge.op !== "same", width: 0.8 + 2.4 * edge.strength,
    color: { color: colour, highlight: surface.text, hover: surface.text, opacity: 0.35 + 0.65 * edge.strength },
    smooth: { enabled: true, type: "cubicBezier", forceDirection: "horizontal", roundness: 0.4 } };
}

function draw() {
  dark = pageIsDark();
  const paint = colours();
  paintPage(paint);
  const treeEdges = DATA.edges.filter((edge) => edge.kind === "tree");
  const { nodes, shape, height } = placeNodes(DATA.nodes, treeEdges);
  const links = DATA.edges.filter((edge) => edge.kind !== "tree").map((edge) => mappingLink(edge, paint));
  extent = { width: shape.total, height };
  if (network) network.destroy();
  network = new vis.Network(container, {
    nodes: nodes.map((node) => box(node, shape, paint)),
    edges: [...treeLines(treeEdges, paint), ...links],
  }, DATA.options);
  const side = (id) => id.split("-")[0];
  network.on("selectNode", ({ nodes: chosen }) => {
    const partners = network.getConnectedNodes(chosen[0]).filter((id) => side(id) !== side(chosen[0]));
    network.setSelection({ nodes: [chosen[0], ...partners], edges: [] });
  });
  fit();
}

function move(scale, x, y) { network.moveTo({ scale, position: { x, y } }); }

function showTop() {
  move(1, container.clientWidth / 2 - 12, container.clientHeight / 2 - 12);
}

function fit() {
  const scale = Math.min(1, container.clientWidth / (extent.width + 24), container.clientHeight / (extent.height + 24));
  move(scale, extent.width / 2, extent.height / 2);
}

function zoom(factor) {
  const { x, y } = network.getViewPosition();
  move(Math.min(3, Math.max(0.05, network.getScale() * factor)), x, y);
}

// The wheel scrolls like a page, and hands over to the page at either end; with Ctrl it zooms.
container.addEventListener("wheel", (event) => {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    return;
  }
  const scale = network.getScale();
  const { x, y } = network.getViewPosition();
  const half = container.clientHeight / 2 / scale;
  const [top, bottom] = [half - 12 / scale, Math.max(half - 12 / scale, extent.height + 12 - half)];
  const target = Math.min(bottom, Math.max(top, y + event.deltaY / scale));
  if (Math.abs(target - y) < 0.5 && !event.deltaX) return;
  event.preventDefault();
  move(scale, x + event.deltaX / scale, target);
}, { passive: false, capture: true });

document.getElementById("in").addEventListener("click", () => zoom(1.25));
document.getElementById("out").addEventListener("click", () => zoom(0.8));
document.getElementById("fit").addEventListener("click", fit);
document.getElementById("top").addEventListener("click", showTop);

let drawnWidth = 0;
new ResizeObserver(() => {
  if (Math.abs(container.clientWidth - drawnWidth) < 2 || !container.clientWidth) return;
  drawnWidth = container.clientWidth;
  draw();
}).observe(container);

try {
  const page = window.parent.document.querySelector(".stApp");
  if (page && window.parent !== window) {
    new MutationObserver(() => { if (pageIsDark() !== dark) draw(); })
      .observe(page, { attributes: true, attributeFilter: ["class", "style"] });
  }
} catch { /* opened from disk: there is no page around */ }
