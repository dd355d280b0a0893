// What the outline is made of.

const LONG = 600; // characters; longer texts are cut until their node is selected
const QUOTED = 32; // characters of a parent's text where a move points at it
const QUIET = ["same"]; // what no one edited

function textOf(node) {
  return node.parts.map(([part]) => part).join("");
}

function counted(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// One node: glyph, sentence with its changed words, notes, and what a screen reader says besides. `goal` tells of
// a move where the other end is, `unit` what the operation's amount is.
function nodeElement(side, node, op, glyph, goal, unit) {
  const item = element("div", `node ${side}`);
  item.dataset.kind = op.kind;
  item.dataset.node = node.node;
  item.style.setProperty("--row", node.row + 1);
  item.style.setProperty("--depth", node.level - 1);
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-level", node.level);
  item.setAttribute("aria-selected", "false");
  if (node.size > 1) item.setAttribute("aria-expanded", "true");
  item.tabIndex = -1;
  const card = element("div", "card");
  const fold = element("span", "fold");
  const sign = element("span", "glyph", glyph);
  for (const silent of [fold, sign]) silent.setAttribute("aria-hidden", "true");
  const text = element("span", "text");
  text.dir = "auto";
  const changedTag = side === "left" ? "del" : "ins";
  if (node.parts.length === 1 && node.parts[0][1]) text.classList.add("whole");
  for (const [part, changed] of node.parts) text.append(changed ? element(changedTag, "", part) : part);
  if (textOf(node).length > LONG) text.classList.add("long");
  const body = element("div", "body");
  body.append(text, " ", element("span", "inside")); // the last one tells of what is folded
  if (goal !== undefined) body.append(" ", goElement(side, goal));
  if (side === "right" || op.target === null) {
    for (const note of op.notes) body.append(" ", element("span", "note", note));
  }
  body.append(element("span", "spoken", `: ${op.kind}, ${unit} ${op.amount}`));
  card.append(fold, sign, body);
  item.append(card);
  return item;
}

// Leads to the other end of a move; `goal` is the text above it there, empty for the root.
function goElement(side, goal) {
  const signs = Array.from(goal);
  const shown = signs.length > QUOTED ? `${signs.slice(0, QUOTED - 1).join("")}…` : goal;
  const words = side === "left" ? "moved to →" : "← moved from";
  const go = element("button", { type: "button", class: "note go", tabindex: -1 }, words);
  if (goal) go.append(" below ", element("bdi", "", `“${shown}”`));
  go.title = "Show the other end of the move (← or → key)";
  return go;
}

// The line from a parent down to its last child.
function guideElement(side, node, lastRow) {
  const guide = element("div", `guide ${side}`);
  for (const [name, value] of [["row", node.row + 1], ["last", lastRow + 1], ["depth", node.level - 1]]) {
    guide.style.setProperty(`--${name}`, value);
  }
  return guide;
}

// The status and amount in the gutter. A pair on two rows has one at each end, the cost only at the first.
function tagElement(op, row, end, glyph) {
  const tag = element("div", `tag ${end}`);
  tag.dataset.kind = op.kind;
  tag.style.setProperty("--row", row + 1);
  tag.setAttribute("aria-hidden", "true"); // the nodes say it
  tag.append(element("span", "glyph", glyph), element("span", "word", op.kind));
  if (end !== "second") tag.append(element("span", "cost", op.amount));
  return tag;
}

// In place of rows that are not shown.
function barElement(row) {
  const bar = element("button", { type: "button", class: "stretch", tabindex: -1, "aria-expanded": "false" });
  bar.style.setProperty("--row", row + 1);
  return bar;
}
