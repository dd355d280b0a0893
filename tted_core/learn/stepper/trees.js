// Both trees in one picture: postorder numbers, leftmost leaves, keyroots, and the mapping as it appears.
const RADIUS = 15;
const LEVEL = 54;
const TOP = 26;
const NARROW = 560; // below this width the trees stand one above the other
const WIDEST = 900; // on a wide screen the trees keep together

function drawTrees(box, data, view) {
  const width = Math.min(Math.max(box.clientWidth, 280), WIDEST);
  const stacked = width < NARROW;
  const share = stacked ? width : width / 2;
  const heights = data.sides.map((side) => TOP + LEVEL * (side.depth - 1) + RADIUS + 12);
  const places = data.sides.map((side, number) =>
    placed(side, stacked ? 0 : number * share, stacked ? number * (heights[0] + 26) : 0, share));
  const height = stacked ? heights[0] + heights[1] + 26 : Math.max(...heights);
  const picture = element("svg:svg", {
    viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": view.description,
  });
  data.sides.forEach((side, number) => picture.append(...edges(side, places[number])));
  for (const [i, j] of view.pairs) picture.append(link(places[0][i], places[1][j], stacked));
  data.sides.forEach((side, number) => {
    for (let node = 1; node < side.labels.length; node++) {
      picture.append(drawNode(side, node, places[number][node], view.sides[number]));
    }
  });
  box.replaceChildren(picture);
}

function placed(side, x, y, width) {
  const step = Math.min(76, (width - 40) / side.leaves);
  const start = x + (width - step * side.leaves) / 2 + step / 2 - 8;
  return side.x.map((position, node) => ({
    x: start + step * position, y: y + TOP + LEVEL * (side.level[node] - 1),
  }));
}

function edges(side, places) {
  return side.parent.flatMap((parent, node) => (parent > 0
    ? [element("svg:line", { x1: places[parent].x, y1: places[parent].y, x2: places[node].x, y2: places[node].y })]
    : []));
}

function link(from, to, stacked) {
  const bend = stacked ? [from.x + 40, (from.y + to.y) / 2] : [(from.x + to.x) / 2, Math.max(from.y, to.y) + 34];
  return element("svg:path", { class: "link", d: `M${from.x} ${from.y} Q${bend[0]} ${bend[1]} ${to.x} ${to.y}` });
}

function drawNode(side, node, place, view) {
  const label = side.labels[node];
  const inside = side.letters ? label : String(node);
  const names = ["node"];
  if (view.forest && node >= view.forest[0] && node <= view.forest[1]) names.push("in-forest");
  if (node === view.current) names.push("current");
  if (view.kinds[node]) names.push(view.kinds[node].kind);
  const group = element("svg:g", { class: names.join(" "), transform: `translate(${place.x} ${place.y})` });
  group.append(element("svg:title", {}, `${node}: ${label}`));
  if (side.keyroots.includes(node)) group.append(element("svg:circle", { class: "ring", r: RADIUS + 4 }));
  const glyph = view.kinds[node]?.glyph ?? "";
  group.append(
    element("svg:circle", { class: "body", r: RADIUS }),
    element("svg:text", { "text-anchor": "middle", y: 5 }, inside + (glyph === "−" || glyph === "+" ? glyph : "")),
    element("svg:text", { class: "small", x: RADIUS + 6, y: side.letters ? -3 : 4, "font-weight": 700 },
      side.letters ? String(node) : ""),
    element("svg:text", { class: "small", x: RADIUS + 6, y: side.letters ? 10 : 4 }, `l=${side.leftmost[node]}`),
  );
  return group;
}
