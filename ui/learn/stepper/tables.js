// The tables, and the lines of the recurrence with the numbers plugged in.

// What an entry says at a step: the last text it was given until then, as [step, text, name of its look].
function entryAt(grid, i, j, step) {
  return grid.entries.get(`${i} ${j}`)?.findLast(([at]) => at <= step);
}

// `now` is the step, `walked` are the cells of the way back so far.
function drawGrid(box, data, number, now, walked, go) {
  const grid = data.grids[number];
  box.setAttribute("aria-label", grid?.caption ?? "No table yet");
  if (!grid) {
    box.replaceChildren();
    return;
  }
  const is = (cells, i, j) => (cells ?? []).some(([g, row, column]) => g === number && row === i && column === j);
  const name = (node, side) => nameIn(grid, node, side);
  const header = element("tr", {}, element("td", { style: "border:0" }), ...grid.columns.map((j) =>
    element("th", { scope: "col" }, ...heading(data.sides[1], name(j, 1)))));
  const body = grid.rows.map((i) => element("tr", {},
    element("th", { scope: "row" }, ...heading(data.sides[0], name(i, 0))),
    ...grid.columns.map((j) => {
      const [, text, look] = entryAt(grid, i, j, now.at) ?? [];
      const names = text === undefined ? [] : [look ?? ""];
      if (is(now.origins, i, j)) names.push("origin");
      if (is(now.winners, i, j)) names.push("winner");
      if (is(walked, i, j)) names.push("walked");
      if (is(now.cell && [now.cell], i, j)) names.push("current");
      const says = entryName(data, [number, i, j]);
      const button = element("button", {
        type: "button", tabindex: "-1", "aria-label": text === undefined ? `${says}, not filled yet` : `${says} = ${text}`,
      }, text ?? "·");
      button.addEventListener("click", () => go(grid.entries.get(`${i} ${j}`)?.[0][0] ?? now.at));
      return element("td", { class: names.filter(Boolean).join(" ") }, button);
    })));
  box.replaceChildren(element("table", { class: "grid" }, element("caption", {}, grid.caption),
    element("thead", {}, header), element("tbody", {}, ...body)));
}

const nameIn = (grid, node, side) => (node === grid.nothing?.[side] ? "nothing" : node);

function entryName(data, [number, i, j]) {
  const grid = data.grids[number];
  return `${grid.name}(${nameIn(grid, i, 0)}, ${nameIn(grid, j, 1)})`;
}

function heading(side, node) {
  if (node === "nothing") return [element("abbr", { title: "nothing" }, "∅")];
  return side.letters ? [element("b", {}, String(node)), ` ${side.labels[node]}`] : [element("b", {}, String(node))];
}

// All lines of the recurrence; those that apply have numbers, and the cheapest is lit. Before a cell, only the lines.
function drawWays(box, data, now) {
  if (!now.ways?.length) {
    const rows = Object.values(data.lines).flat().map((line) =>
      element("tr", {}, element("th", { scope: "row" }, line.way), element("td", {}, formula(line.general))));
    box.replaceChildren(element("table", {}, element("caption", {}, "Ways to a cell, the cheapest of which counts"), element("tbody", {}, ...rows)));
    return;
  }
  const names = { "In general": "general", Cost: "cost" };
  const head = element("tr", {}, ...["Way", "In general", "Here", "Cost"].map((name) =>
    element("th", { scope: "col", class: names[name] ?? "" }, name)));
  const rows = data.lines[now.lines].map((line) => {
    const way = now.ways.find((each) => each.line === line.key);
    const here = way?.here ? [formula(`${way.here} = ${way.sum}`)] : [];
    return element("tr", { class: way ? (way.best && "best") || "" : "off" },
      element("th", { scope: "row" }, line.way),
      element("td", { class: "general" }, formula(line.general)),
      element("td", {}, ...here),
      element("td", "cost", way ? `${way.value}${way.best ? " ✓" : ""}` : "—"));
  });
  box.replaceChildren(
    element("table", {}, element("caption", {}, `Ways to ${entryName(data, now.cell)}`), element("thead", {}, head), element("tbody", {}, ...rows)),
    element("p", { class: "result" }, formula(now.result ?? minimum(data, now))));
}

function minimum(data, { cell, ways }) {
  const values = ways.map((way) => way.value);
  const least = values.length > 1 ? `min(${values.join(", ")}) = ` : "";
  return `${entryName(data, cell)} = ${least}${ways.find((way) => way.best).value}`;
}

// As MathML, in pieces between which a line may break: "f(i−1, 2) + delete(3)".
function formula(text) {
  return element("span", {}, ...text.split(/ (?=[+−=] )/).flatMap((piece) =>
    [element("math:math", {}, element("math:mrow", {}, ...tokens(piece))), " "]));
}

// Names, numbers, words, and the rest as operators; the first one stands between two pieces.
function tokens(text) {
  return (text.match(/ ?[a-zA-Z]{2,}(?: [a-zA-Z]{2,})* ?|[a-zA-Zℓ]|[\d.]+|[^\sa-zA-Zℓ\d]/g) ?? []).map((token) =>
    element(/[a-zA-Z]{2}/.test(token) ? "math:mtext" : /[a-zA-Zℓ]/.test(token) ? "math:mi" : /\d/.test(token) ? "math:mn" : "math:mo",
      { stretchy: "false", ...(/^[+−=]$/.test(token) && { form: "infix" }) }, token.replaceAll(" ", "\u00a0")));
}
