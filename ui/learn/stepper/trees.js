// Both trees in one picture: postorder numbers, leftmost leaves, keyroots, and the mapping as it appears. Lengths are
// in em: a letter is as large as the texts around the picture.
const RADIUS = 1;
const LEVEL = { full: 3.6, lean: 3 };
const TOP = 1.6;
const BETWEEN = 1.4; // trees that stand one above the other
const LEAF = { widest: 5, full: 4.2, lean: 3.4 }; // from one leaf to the next; the lean ones leave l out
const BEND = { first: 2, next: .7, most: 4 }; // of links: in a row each is lower than the one before
const COLOURS = ["#2f7fc1", "#c06a00", "#1b8a5a", "#b0508f", "#7d6bd0", "#8a7500", "#c0504d"];
const NARROW = 37; // below this width the trees stand one above the other

// `view` says besides what is marked whether the picture is `lean`.
function drawTrees(box, data, view) {
  box.replaceChildren(); // so that the previous picture takes no space
  const em = parseFloat(getComputedStyle(box).fontSize);
  const given = Math.max(box.clientWidth / em, 18);
  const needed = data.sides.map((side) => side.leaves * (view.lean ? LEAF.lean : LEAF.full) + .8);
  const level = view.lean ? LEVEL.lean : LEVEL.full;
  const stacked = given < Math.max(NARROW, needed[0] + needed[1]);
  const width = Math.max(given, stacked ? Math.max(...needed) : needed[0] + needed[1]);
  const heights = data.sides.map((side) => TOP + level * (side.depth - 1) + RADIUS + .6);
  const most = Math.min(...data.sides.map((side) => side.leaves)) - 1;
  const space = .75 * (BEND.first + BEND.next * Math.min(most, BEND.most)) - RADIUS - .5; // below the lowest row
  const height = stacked ? heights[0] + heights[1] + BETWEEN : Math.max(...heights) + space;
  const half = stacked ? 0 : Math.min(Math.max(width / 2, needed[0]), width - needed[1]);
  const corners = stacked ? [[0, 0], [0, heights[0] + BETWEEN]] : [[0, 0], [half, 0]];
  const shares = stacked ? [width, width] : [half, width - half];
  const points = data.sides.map((side, number) => placed(side, corners[number], shares[number], level));
  const picture = element("svg:svg", {
    viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": view.description, "font-size": 1,
    style: `min-width: ${width * em}px; height: ${height * em}px`,
  });
  data.sides.forEach((side, number) => picture.append(...edges(side, points[number])));
  picture.append(...linksOf(view.links, points, stacked));
  data.sides.forEach((side, number) => {
    for (let node = 1; node < side.labels.length; node++) {
      picture.append(drawNode(side, node, points[number][node], view.sides[number], view.lean));
    }
  });
  box.replaceChildren(picture);
}

function placed(side, [x, y], width, level) {
  const step = Math.min(LEAF.widest, (width - .8) / side.leaves);
  const start = x + (width - step * side.leaves) / 2 + step / 2 - .7;
  return side.x.map((position, node) => ({
    x: start + step * position, y: y + TOP + level * (side.level[node] - 1),
  }));
}

function edges(side, points) {
  return side.parent.flatMap((parent, node) => (parent > 0
    ? [element("svg:line", { x1: points[parent].x, y1: points[parent].y, x2: points[node].x, y2: points[node].y })]
    : []));
}

// Curves between nodes and their partners, each with a bend and a colour of its own, so that none hides another: below
// the trees, the widest of a row lowest; between trees that stand one above the other, at the side.
function linksOf(pairs, points, stacked) {
  const ends = pairs.map(([i, j], number) => ({ from: points[0][i], to: points[1][j], number }));
  ends.sort((one, other) => Math.abs(one.to.x - one.from.x) - Math.abs(other.to.x - other.from.x));
  const hanging = {};
  return ends.map(({ from, to, number }) => {
    const row = stacked ? 0 : Math.max(from.y, to.y);
    hanging[row] = (hanging[row] ?? -1) + 1;
    const bend = BEND.first + BEND.next * Math.min(hanging[row], BEND.most);
    const [right, down] = stacked ? [number % 2 ? bend : -bend, 0] : [0, bend];
    const d = `M${from.x} ${from.y} C${from.x + right} ${from.y + down} ${to.x + right} ${to.y + down} ${to.x} ${to.y}`;
    return element("svg:path", { class: "link", d, style: `stroke: ${COLOURS[number % COLOURS.length]}` });
  });
}

function drawNode(side, node, point, view, lean) {
  const label = side.labels[node];
  const inside = side.letters ? label : String(node);
  const names = ["node"];
  if (view.inside && node >= view.inside[0] && node <= view.inside[1]) names.push("in-forest");
  if (node === view.current) names.push("current");
  if (view.kinds[node]) names.push(view.kinds[node].kind);
  const group = element("svg:g", { class: names.join(" "), transform: `translate(${point.x} ${point.y})` });
  group.append(element("svg:title", {}, `${node}: ${label}`));
  if (side.rings.includes(node)) group.append(element("svg:circle", { class: "ring", r: RADIUS + .27 }));
  const glyph = view.kinds[node]?.glyph ?? "";
  const beside = [side.letters ? String(node) : "", lean ? "" : side.beside[node]].filter(Boolean);
  group.append(
    element("svg:circle", { class: "body", r: RADIUS }),
    element("svg:text", { "text-anchor": "middle", y: .33 }, inside + (glyph === "−" || glyph === "+" ? glyph : "")),
    ...beside.map((text, line) => element("svg:text", {
      class: "small", x: RADIUS + .4, y: .3 + (2 * line - beside.length + 1) * .45,
      "font-weight": side.letters && !line ? 700 : 400,
    }, text)),
  );
  return group;
}
