// The two tables, and the ways to the current cell with the numbers plugged in.
const SYMBOLS = {
  replace: { word: "pair", general: ["f(i−1, j−1)", "replace(i, j)"] },
  subtree: { word: "keep subtrees", general: ["f(l(i)−1, l(j)−1)", "D(i, j)"] },
  delete: { word: "delete", general: ["f(i−1, j)", "delete(i)"] },
  insert: { word: "insert", general: ["f(i, j−1)", "insert(j)"] },
};

function grid(caption, rows, columns, sides, cellOf) {
  const header = element("tr", {}, element("td", { style: "border:0" }), ...columns.map((j) =>
    element("th", { scope: "col", title: sides[1].labels[j] ?? "" }, heading(sides[1], j, columns[0]))));
  const body = rows.map((i) => element("tr", {},
    element("th", { scope: "row", title: sides[0].labels[i] ?? "" }, heading(sides[0], i, rows[0])),
    ...columns.map((j) => {
      const { text, names, go, says } = cellOf(i, j);
      const button = element("button", { type: "button", tabindex: "-1", "aria-label": says }, text);
      button.addEventListener("click", go);
      return element("td", { class: names.join(" ") }, button);
    })));
  return element("table", { class: "grid" }, element("caption", {}, caption), element("thead", {}, header),
    element("tbody", {}, ...body));
}

function heading(side, node, first) {
  if (node === first && side.emptyFirst) return "∅";
  return side.letters ? `${node} ${side.labels[node]}` : String(node);
}

function drawForestTable(box, data, view, go) {
  const table = data.tables[view.table];
  if (!table) {
    box.replaceChildren();
    return;
  }
  const sides = data.sides.map((side) => ({ ...side, emptyFirst: true }));
  const same = (cell, i, j) => cell && cell[0] === i && cell[1] === j;
  box.replaceChildren(grid(
    `f for keyroots ${table.left} and ${table.right}`, table.rows, table.columns, sides,
    (i, j) => {
      const cell = data.steps[table.first + (i - table.rows[0]) * table.columns.length + j - table.columns[0]];
      const filled = view.filled(cell.at);
      const names = [];
      if (filled && cell.tree) names.push("tree");
      if (view.origins.some((origin) => same(origin, i, j))) names.push("origin");
      if (same(view.winner, i, j)) names.push("winner");
      if (view.walked.some((walked) => same(walked, i, j))) names.push("walked");
      if (same(view.cell, i, j)) names.push("current");
      return {
        text: filled ? cell.value : "·", names, go: () => go(cell.at),
        says: filled ? `f(${i}, ${j}) = ${cell.value}` : `f(${i}, ${j}), not filled yet`,
      };
    }));
}

function drawTreeTable(box, data, view, go) {
  const numbers = data.sides.map((side) => side.labels.map((_, node) => node).slice(1));
  box.replaceChildren(grid("D, the distances of subtrees", ...numbers, data.sides, (i, j) => {
    const entry = data.trees[i][j];
    const filled = view.filled(entry.at);
    const names = [];
    if (view.used && view.used[0] === i && view.used[1] === j) names.push("winner");
    if (entry.at === view.step) names.push("current");
    return {
      text: filled ? entry.value : "·", names, go: () => go(entry.at),
      says: filled ? `D(${i}, ${j}) = ${entry.value}` : `D(${i}, ${j}), not known yet`,
    };
  }));
}

function drawWays(box, cell, glyphs) {
  if (!cell || !cell.ways.length) {
    box.replaceChildren();
    return;
  }
  const [i, j] = cell.cell;
  const classes = { "In general": "general", Cost: "cost" };
  const head = element("tr", {}, ...["Way", "In general", "Here", "Cost"].map((name) =>
    element("th", { scope: "col", class: classes[name] ?? "" }, name)));
  const rows = cell.ways.map((way, number) => {
    const { word, general } = SYMBOLS[way.move];
    const best = cell.best.includes(number);
    const here = [`f(${way.from[0]}, ${way.from[1]})`, added(way.move, i, j)];
    return element("tr", { class: best ? "best" : "" },
      element("th", { scope: "row" }, `${glyphs[way.move]} ${word}`),
      element("td", { class: "general" }, formula(sum(...general))),
      element("td", {}, formula([...sum(...here), element("math:mo", {}, "="), ...sum(way.start, way.added)])),
      element("td", "cost", `${way.value}${best ? " ✓" : ""}`));
  });
  const values = cell.ways.map((way) => way.value);
  const result = values.length > 1 ? `f(${i}, ${j}) = min(${values.join(", ")}) = ${cell.value}` : `f(${i}, ${j}) = ${cell.value}`;
  box.replaceChildren(
    element("table", {}, element("caption", {}, `Ways to f(${i}, ${j})`), element("thead", {}, head), element("tbody", {}, ...rows)),
    element("p", { class: "result" }, formula(tokens(result))));
}

function added(move, i, j) {
  return { replace: `replace(${i}, ${j})`, subtree: `D(${i}, ${j})`, delete: `delete(${i})`, insert: `insert(${j})` }[move];
}

const sum = (a, b) => [...tokens(a), element("math:mo", {}, "+"), ...tokens(b)];
const formula = (children) => element("math:math", {}, element("math:mrow", {}, ...children));

// "f(i−1, 2)" as MathML: names, numbers, and the rest as operators.
function tokens(text) {
  return (text.match(/[a-zA-Z]+|[\d.]+|[^\sa-zA-Z\d]/g) ?? []).map((token) =>
    element(/[a-zA-Z]/.test(token) ? "math:mi" : /\d/.test(token) ? "math:mn" : "math:mo",
      { stretchy: "false" }, token));
}
