// What the outline is made of.

const LONG = 600; // characters; longer texts are cut until their node is selected

// One node: glyph, sentence with its changed words, notes, and what a screen reader says besides.
function nodeElement(side, node, op, glyph) {
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
  let length = 0;
  for (const [part, changed] of node.parts) {
    text.append(changed ? element(changedTag, "", part) : part);
    length += part.length;
  }
  if (length > LONG) text.classList.add("long");
  const body = element("div", "body");
  body.append(text, " ", element("span", "inside")); // the last one tells of what is folded
  if (side === "right" || op.target === null) {
    for (const note of op.notes) body.append(" ", element("span", "note", note));
  }
  body.append(element("span", "spoken", `: ${op.kind}, cost ${op.cost}`));
  card.append(fold, sign, body);
  item.append(card);
  return item;
}

// The line from a parent down to its last child.
function guideElement(side, node, lastRow) {
  const guide = element("div", `guide ${side}`);
  for (const [name, value] of [["row", node.row + 1], ["last", lastRow + 1], ["depth", node.level - 1]]) {
    guide.style.setProperty(`--${name}`, value);
  }
  return guide;
}

// The operation's word and cost in the gutter. A pair on two rows has one at each end, the cost only at the first.
function tagElement(op, row, end, glyph) {
  const tag = element("div", `tag ${end}`);
  tag.dataset.kind = op.kind;
  tag.style.setProperty("--row", row + 1);
  tag.setAttribute("aria-hidden", "true"); // the nodes say it
  tag.append(element("span", "glyph", glyph), element("span", "word", op.kind));
  if (end !== "second") tag.append(element("span", "cost", op.cost));
  return tag;
}

function legendElement(styles, notes) {
  const bar = element("div", "bar");
  for (const [kind, style] of Object.entries(styles)) {
    const key = element("span", "key");
    key.title = style.meaning;
    const sign = element("span", "glyph", style.glyph);
    sign.dataset.kind = kind;
    sign.setAttribute("aria-hidden", "true");
    key.append(sign, `${kind} ${style.count}`);
    bar.append(key);
  }
  for (const note of notes) bar.append(element("span", "note", note));
  return bar;
}
