// The matching of two nodes' children: the cheapest one drawn, the next best dashed, all other pairs faint.
const ROW = 2; // em from child to child
const APART = 13;

function drawMatching(box, data, matching) {
  if (!matching) {
    box.replaceChildren();
    return;
  }
  const [rows, columns] = matching.sides;
  const tall = Math.max(rows.length, columns.length) * ROW;
  const point = (nodes, node, x) => ({ x, y: (nodes.indexOf(node) + .5) * (tall / nodes.length) });
  const picture = element("svg:svg", {
    viewBox: `-7 0 ${APART + 14} ${tall}`, role: "img", "aria-label": spoken(matching),
    style: `width: ${APART + 14}em; height: ${tall}em`,
  });
  const drawn = matching.edges.map((edge) => ({ ...edge, name: edge.best ? "best" : edge.other ? "other" : "" }));
  const order = ["", "other", "best"];
  for (const edge of drawn.sort((one, two) => order.indexOf(one.name) - order.indexOf(two.name))) {
    const [k, m] = edge.ends;
    if (k && m) {
      const [from, to] = [point(rows, k, 1.4), point(columns, m, APART - 1.4)];
      picture.append(element("svg:line", { class: `edge ${edge.name}`, x1: from.x, y1: from.y, x2: to.x, y2: to.y }));
      const share = edge.best ? .3 : .7;
      if (edge.name) picture.append(cost(edge, from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share));
    } else if (edge.name) {
      const { x, y } = k ? point(rows, k, -1.7) : point(columns, m, APART + 1.7);
      const [shift, anchor] = [edge.best || !drawn.some((each) => each.best && each.ends[0] === k && each.ends[1] === m) ? 0 : .8, k ? "end" : "start"];
      picture.append(element("svg:text", { class: `gap ${edge.name}`, x, y: y + .35 + shift, "text-anchor": anchor },
        `${data.glyphs[k ? "delete" : "insert"]} ${edge.cost}`));
    }
  }
  [[rows, 0, 0], [columns, APART, 1]].forEach(([nodes, x, side]) => nodes.forEach((node) => {
    const { y } = point(nodes, node, x);
    const text = data.sides[side].letters ? `${node} ${data.sides[side].labels[node]}` : String(node);
    picture.append(element("svg:rect", { x: x - 1.4, y: y - .75, width: 2.8, height: 1.5, rx: .3 }),
      element("svg:text", { x, y: y + .35, "text-anchor": "middle" }, text));
  }));
  box.replaceChildren(picture, element("p", {},
    `Cheapest matching ${matching.value}`, ...(matching.other ? [`, next best (dashed) ${matching.other}`] : [])));
}

function cost(edge, x, y) {
  const group = element("svg:g", { class: `cost ${edge.name}`, transform: `translate(${x} ${y})` });
  const wide = .5 + .6 * edge.cost.length;
  group.append(element("svg:rect", { x: -wide / 2, y: -.65, width: wide, height: 1.3, rx: .3 }),
    element("svg:text", { y: .35, "text-anchor": "middle" }, edge.cost));
  return group;
}

function spoken({ edges, value }) {
  const pairs = edges.filter((edge) => edge.best).map(({ ends: [k, m], cost: price }) =>
    `${k && m ? `${k} with ${m}` : k ? `${k} deleted` : `${m} inserted`}: ${price}`);
  return `Cheapest matching of the children, ${value}: ${pairs.join(", ")}`;
}
