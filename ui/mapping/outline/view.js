// What its user has set, which other options for the same maps leave as it is.
function viewOf({ left, right }, before) {
  const maps = JSON.stringify([left, right].map(({ nodes }) => nodes.map(textOf)));
  const sort = before?.sort ?? { column: "share", down: true };
  if (before?.maps === maps) return { ...before, opened: new Set() };
  const off = new Set(isMany({ left, right }) ? QUIET : []);
  return { maps, off, whole: new Set(), flagged: false, opened: new Set(), sort };
}

const DRAWINGS = { outline: Outline, graph: Graph };
const drawn = new WeakMap();

// `picks` counts what was selected here, `picked` is the last one: until the page has heard of it, its own is out of date.
// `reveals` counts what was selected elsewhere and should be scrolled to.
export default function ({ data: [data], parentElement, setStateValue }) {
  const root = parentElement.querySelector(".outline");
  const content = JSON.stringify([data.view, data.rows, data.foot]);
  let known = drawn.get(root);
  const isNew = known?.content !== content;
  const started = performance.now();
  if (isNew) {
    known?.outline.observer.disconnect();
    known?.outline.drawer.release();
    known?.outline.leave();
    const group = root.getRootNode().activeElement?.closest(".segments")?.getAttribute("aria-label");
    const view = viewOf(data.rows, known?.view);
    const drawing = window.innerWidth < ONE_COLUMN.screen ? "outline" : data.view; // a graph needs more room than a phone has
    const outline = new DRAWINGS[drawing](root, data.rows, view, data);
    known = { reveals: data.reveals, picks: data.picks, ...known, content, view, outline };
    drawn.set(root, known);
    if (group) root.querySelector(`.segments[aria-label="${group}"] [aria-checked="true"]`).focus();
  }
  const { outline } = known;
  outline.observer.observe(outline.grid);
  const requested = known.reveals !== data.reveals;
  const isHeard = requested || data.picks === known.picks;
  outline.data = isHeard ? data : { ...data, selected: known.picked };
  outline.pick = (pair, reading = data.rows.reading, view = data.view) => {
    known.picks += 1;
    known.picked = outline.data.selected = pair;
    setStateValue("picked", [...pair, reading, view, known.picks]);
  };
  outline.layOut();
  if (isNew || isHeard) outline.show(outline.data.selected, requested ? "page" : isNew && "box");
  known.reveals = data.reveals;
  if (isNew) root.dataset.milliseconds = Math.round(performance.now() - started); // laid out, for the tests
  const stop = outline.attend();
  return () => {
    stop();
    outline.observer.disconnect();
    outline.drawer.release();
  };
}
