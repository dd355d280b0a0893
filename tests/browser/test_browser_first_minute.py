"""The first minute in a real browser: how many actions two maps take, by mouse and by keyboard alone."""

from dataclasses import dataclass

import pytest
from helpers.accessibility import violations_in_both_themes
from helpers.browser import IN_BROWSER, paste, settle
from playwright.sync_api import Page, expect

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


pytestmark = IN_BROWSER

ONE, TWO = "Root\n  one leaf", "Root\n  another leaf\n  and one more"


def opened(page: Page, server: str) -> None:
    page.goto(server)
    expect(page.get_by_text("Drop two maps")).to_be_visible()
    expect(page.get_by_text("Normalized distance ↓", exact=True)).to_be_visible()  # of the sample
    settle(page)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720)])
def test_the_first_screen_has_few_controls_and_shows_the_mapping(page, server, width, height):
    page.set_viewport_size({"width": width, "height": height})
    opened(page, server)
    shown = first_screen(page)
    assert shown.controls <= 30
    assert shown.words <= 200
    assert shown.mapping <= 260
    assert shown.rows >= 8


def expect_compared(page: Page, left: str, right: str) -> None:
    """Both cards are folded to these lines, and the score is there."""
    for side, start in (("left", left), ("right", right)):
        card = page.locator(f".st-key-{side}-card")
        expect(card.locator("summary")).to_contain_text(start)
        expect(card.locator("details[open]")).to_have_count(0)
    expect(page.get_by_text("Normalized distance ↓", exact=True)).to_be_visible()
    settle(page)


@pytest.mark.thorough
def test_a_card_that_was_opened_stays_open_while_its_map_is_corrected(page, server):
    opened(page, server)
    for side, text in (("left", ONE), ("right", TWO)):
        paste(page, side, text)
        expect(page.locator(f".st-key-{side}-card summary")).to_contain_text("pasted text")
        settle(page)
    expect_compared(page, "pasted text · Indented text · 2 nodes", "pasted text · Indented text · 3 nodes")
    left, right = (page.locator(f".st-key-{side}-card") for side in ("left", "right"))
    left.locator("summary").click()
    for nodes in (4, 5):
        paste(page, "left", "Root" + "\n  a leaf" * (nodes - 1))
        expect(left.locator("summary")).to_contain_text(f"{nodes} nodes")
        settle(page)
        expect(left.locator("details[open]")).to_have_count(1)
        expect(right.locator("details[open]")).to_have_count(0)


@pytest.mark.thorough
def test_two_files_take_one_click_and_the_dialog(page, server, tmp_path):
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    for file in files:
        file.write_text(f"Root\n  leaf of {file.name}", encoding="utf-8")
    opened(page, server)
    zone = page.get_by_test_id("stFileUploader").filter(has_text="Drop two maps")
    with page.expect_file_chooser() as chooser:
        zone.get_by_role("button", name="Upload", exact=True).click()
    chooser.value.set_files(files)
    expect_compared(page, "a.txt", "b.txt")
    page.get_by_role("button", name="Swap").click()
    expect_compared(page, "b.txt", "a.txt")


@pytest.mark.thorough
def test_two_maps_are_pasted_swapped_and_exchanged_by_keyboard_alone(page, server):
    opened(page, server)
    page.get_by_role("button", name="Paste two maps").focus()
    page.keyboard.press("Enter")
    settle(page)
    for label, text in (("left", ONE), ("right", TWO)):
        box = page.locator(f".st-key-{label}-text textarea")
        for _ in range(60):
            page.keyboard.press("Tab")
            if box.evaluate("box => box === document.activeElement"):
                break
        page.keyboard.insert_text(text)
    page.keyboard.press("Control+Enter")
    expect_compared(page, "2 nodes", "3 nodes")
    assert violations_in_both_themes(page) == []
    for name, start in (("Swap", "3 nodes"), ("New comparison", "Example")):
        button = page.get_by_role("button", name=name)
        button.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-left-card summary")).to_contain_text(start)
        settle(page)
    expect(page.get_by_text("Drop two maps")).to_be_visible()
