"""Counts of the first screen: controls, words, whole rows, and the top of the mapping."""

from dataclasses import dataclass

from playwright.sync_api import Page

COUNT = """() => {
  const roots = [document];
  const all = [];
  for (const root of roots) {
    for (const each of root.querySelectorAll("*")) {
      all.push(each);
      if (each.shadowRoot) roots.push(each.shadowRoot);
    }
  }
  const inView = ({ top, bottom, left, right, width, height }) =>
    width > 1 && height > 1 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
  const isSeen = (each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
  const controls = all.filter((each) => each.matches(focusable) && each.tabIndex >= 0 && !each.disabled
    && isSeen(each) && inView(each.getBoundingClientRect()));
  let words = 0;
  for (const root of roots) {
    const texts = document.createTreeWalker(root === document ? document.body : root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement, data } = texts.currentNode;
      if (!parentElement || !isSeen(parentElement)) continue;
      // Icons are texts of an icon font; the maps' own sentences, and what quotes them, are none of the page.
      if (parentElement.closest("script, style, [data-testid=stIconMaterial], td.text, .tree, .spoken")) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      if (![...range.getClientRects()].some(inView)) continue;
      words += (data.match(/[\\p{L}\\p{N}][\\p{L}\\p{N}.,'’-]*/gu) ?? []).length;
    }
  }
  const maps = all.find((each) => each.matches(".panes"));
  const rows = all.filter((each) => each.matches(".node.left") && each.offsetParent
    && each.getBoundingClientRect().bottom <= innerHeight);
  return [controls.length, words, Math.round(maps.getBoundingClientRect().top), rows.length];
}"""


@dataclass(frozen=True)
class FirstScreen:
    """Controls for Tab, words besides the maps' own, the top of the maps in pixels, whole rows of the left one."""

    controls: int
    words: int
    mapping: int
    rows: int


def first_screen(page: Page) -> FirstScreen:
    """Count the elements in view."""
    return FirstScreen(*page.evaluate(COUNT))
