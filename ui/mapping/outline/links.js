// The lines between paired nodes. Sizes are CSS pixels in the grid's own coordinates.

function linkElement(op) {
  const line = element("svg:path");
  line.dataset.kind = op.kind;
  if (!op.aligned) line.classList.add("apart");
  line.classList.toggle("quiet", QUIET.includes(op.kind));
  return line;
}

// Puts every line between its two nodes; a line with a hidden end is not drawn. All positions are read before the
// first line is written, so that the browser lays the page out once.
function placeLinks(svg, links, grid, gutter) {
  const start = gutter.offsetLeft;
  const end = start + gutter.offsetWidth;
  const paths = links.map(({ from, to }) => {
    const [left, right] = [from.firstChild, to.firstChild];
    if (!left.offsetParent || !right.offsetParent) return "";
    const y = left.offsetTop + left.offsetHeight / 2;
    const z = right.offsetTop + right.offsetHeight / 2;
    const x = left.offsetLeft + left.offsetWidth;
    if (Math.abs(y - z) < 1) return `M${x},${y}H${right.offsetLeft}`;
    const third = (end - start) / 3;
    return `M${x},${y}C${start + 2 * third},${y} ${start + third},${z} ${end},${z}H${right.offsetLeft}`;
  });
  svg.setAttribute("width", grid.offsetWidth);
  svg.setAttribute("height", grid.offsetHeight);
  links.forEach(({ line }, index) => line.setAttribute("d", paths[index]));
}
