// Between which bounds the distance lies, on a line from 0 to the cost of deleting and inserting everything.
function drawBounds(box, bounds) {
  box.hidden = !bounds;
  if (!bounds) return;
  const percent = (share) => `${(100 * share).toFixed(2)}%`;
  const text = bounds.closed ? `The distance is ${bounds.upper}` : `The distance lies between ${bounds.lower} and ${bounds.upper}`;
  box.replaceChildren(
    element("span", {}, text),
    element("div", { class: "line", role: "img", "aria-label": `${text}, of ${bounds.most}` },
      element("div", { class: bounds.closed ? "gap closed" : "gap",
        style: `left: ${percent(bounds.from)}; right: ${percent(1 - bounds.to)}` })),
    element("span", {}, `of ${bounds.most}`));
}
