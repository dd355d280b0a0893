// What the outline is made of.

const LONG = 600; // characters; longer texts are cut until their node is selected
const QUIET = ["same", "match"]; // what no one edited
const PARTS = ["merged", "split"]; // one end is a part of the other

function textOf(node) {
  return node.parts.map(([piece]) => piece).join("");
}

function counted(count, word) {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// One node: glyph, sentence with its changed words or the parts that it holds, notes, and what a screen reader says
// besides; `unit` is what the operation's amount is.
function nodeElement(side, node, op, glyph, unit) {
  const item = element("div", `node ${side}`);
  item.dataset.kind = op.kind;
  item.dataset.node = node.node;
  item.classList.toggle("quiet", QUIET.includes(op.kind));
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
  for (const [piece, changed, part, flagged] of node.parts) {
    const isPart = typeof part === "number";
    const mark = element(changed ? changedTag : "span", isPart ? "piece" : "", piece);
    if (isPart) mark.dataset.part = part;
    mark.classList.toggle("flagged", flagged);
    text.append(isPart || changed || flagged ? mark : piece);
  }
  if (textOf(node).length > LONG) text.classList.add("long");
  const body = element("div", "body");
  body.append(text, " ", element("span", "inside")); // the last one tells of what is folded
  if (node.end) body.append(" ", goElement(side, ...node.end));
  if (node.last) {
    for (const note of op.notes) body.append(" ", element("span", "note", note));
  }
  body.append(element("span", "spoken", `: ${[op.kind, op.amount && `${unit} ${op.amount}`].filter(Boolean).join(", ")}`));
  card.append(fold, sign, ...(op.flagged ? [flagElement()] : []), body);
  item.append(card);
  return item;
}

// The sign of a sentence that may claim something else; a note says what.
function flagElement() {
  return element("span", { class: "flag", "aria-hidden": "true", title: "may claim something else" }, "!");
}

// Leads to the other end of a move or a part, by words such as "moved to", "below" and a text there.
function goElement(side, verb, joint, label) {
  const words = side === "left" ? `${verb} →` : `← ${verb}`;
  const go = element("button", { type: "button", class: "note go", tabindex: -1 }, `${words} ${joint ? `${joint} ` : ""}`);
  if (label) go.append(element("bdi", "", `“${label}”`));
  go.title = "Show the other end (← or → key)";
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

// The status in the gutter, with the amount where the script does just that. A pair on two rows has one at each end,
// the amount only at the first.
function tagElement(op, row, end, glyph) {
  const tag = element("div", `tag ${end}`);
  tag.dataset.kind = op.kind;
  tag.classList.toggle("quiet", QUIET.includes(op.kind));
  tag.style.setProperty("--row", row + 1);
  tag.setAttribute("aria-hidden", "true"); // the nodes say it
  tag.title = [op.kind, ...op.notes].join(" · ");
  tag.append(element("span", "glyph", glyph), element("span", "word", op.kind));
  if (!op.aligned && !PARTS.includes(op.kind) && op.kind !== "moved") tag.classList.add("apart");
  if (end !== "second" && op.amount) tag.append(element("span", "cost", op.amount));
  return tag;
}

// Instead of rows that are not shown.
function barElement(row) {
  const bar = element("button", { type: "button", class: "stretch", tabindex: -1, "aria-expanded": "false" });
  bar.style.setProperty("--row", row + 1);
  return bar;
}
