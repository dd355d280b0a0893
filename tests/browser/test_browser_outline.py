"""The outline in a real browser: what they show, and that mouse and keyboard do the same."""

import json
import re

import pytest
from helpers.accessibility import violations
from helpers.browser import IN_BROWSER, paste, settle
from helpers.payloads import ALL, COUNT_HITS
from helpers.trees import SAMPLES
from playwright.sync_api import Locator, Page, expect

from tted_core import compare, parse_map, read_map
from tted_core.explain.build import explain
from tted_core.explanation import Sentence

pytestmark = IN_BROWSER

READ_OPS = """nodes => nodes.map(node => ({
  kind: node.dataset.kind, number: Number(node.dataset.op), node: Number(node.dataset.node),
  side: node.classList.contains("left") ? "source" : "target",
  spoken: node.querySelector(".spoken").textContent, text: node.querySelector(".text").textContent }))"""


def outline(page: Page) -> Locator:
    shown = page.locator(".outline")
    expect(shown.locator(".node").first).to_be_visible()
    settle(page)
    return shown


def node(page: Page, side: str, index: int) -> Locator:
    return page.locator(f".outline .node.{side}[data-node='{index}']")


def charged(sentence: Sentence) -> str:
    """What the outline shows as the cost of a sentence."""
    cost = sum(each.edit.cost for each in sentence.operations)
    return f"{cost:.3f}" if cost else "" if sentence.status == "same" else "–"


def focused(page: Page) -> tuple[str, int]:
    found = page.locator(".outline .node:focus")
    expect(found).to_have_count(1)
    return found.evaluate("node => [node.classList[1], Number(node.dataset.node)]")


def selected(page: Page) -> list[list]:
    return page.locator(".outline .node[aria-selected=true]").evaluate_all(
        "nodes => nodes.map(node => [node.classList[1], Number(node.dataset.node)])"
    )


@pytest.mark.thorough
def test_the_outline_has_the_sentences_and_mouse_and_keyboard_walk_it(page, server, minilm):
    page.goto(f"{server}/?reading=sentences")
    shown = outline(page)
    base, demo = (read_map(SAMPLES / "coral-reefs" / name) for name in ("base.json", "demo.json"))
    result = compare(base, demo, encoder=minilm)
    view = explain(result)
    outcomes: dict[int, dict] = {}
    for item in shown.locator(".node").evaluate_all(READ_OPS):
        nodes = outcomes.setdefault(item["number"], {"source": None, "target": None})
        assert (item["kind"], nodes[item["side"]]) == (view.sentences[item["number"]].status, None)
        nodes[item["side"]] = item["node"]
        assert item["text"] == (base if item["side"] == "source" else demo).tree.labels[item["node"]]
        amount = charged(view.sentences[item["number"]])
        assert item["spoken"] == f": {item['kind']}{f', cost {amount}' if amount else ''}"
    assert [outcomes[number] for number in range(len(outcomes))] == [
        {"source": each.source, "target": each.target} for each in view.matching.records
    ]
    tags = shown.locator(".tag .cost").all_inner_texts()
    amounts = map(charged, view.sentences)
    assert sorted(tags) == sorted(amount for amount in amounts if amount)
    for kind, count in view.matching.counts.items():
        expect(shown.locator(".key", has_text=f"{kind} {count}")).to_have_count(int(count > 0))

    # Keyboard: down the left map, across, and back; Enter selects, Escape ends it.
    pairs = {each.source: each.target for each in view.matching.records if each.source is not None}
    node(page, "left", 0).focus()
    for expected in (1, 2):
        page.keyboard.press("ArrowDown")
        assert focused(page) == ["left", expected]
    expect(node(page, "right", pairs[2])).to_have_class(re.compile(r"\blit\b"))
    page.keyboard.press("ArrowRight")
    assert focused(page) == ["right", pairs[2]]
    page.keyboard.press("Enter")
    assert selected(page) == [["left", 2], ["right", pairs[2]]]
    page.keyboard.press("Escape")
    assert selected(page) == []
    page.keyboard.press("End")
    page.keyboard.press("Home")
    assert focused(page) == ["right", 0]

    # Space folds a branch on both sides.
    node(page, "left", 1).focus()
    page.keyboard.press("Space")
    size = base.tree.sizes[1]
    expect(node(page, "left", 1)).to_have_attribute("aria-expanded", "false")
    expect(node(page, "right", pairs[1])).to_have_attribute("aria-expanded", "false")
    expect(node(page, "left", 2)).to_be_hidden()
    page.keyboard.press("ArrowDown")
    assert focused(page) == ["left", 1 + size]

    # A click selects; the page knows, and a view drawn again shows it with its branch unfolded.
    node(page, "left", 1).locator(".fold").click()
    expect(node(page, "left", 2)).to_be_visible()
    node(page, "right", pairs[2]).click()
    page.get_by_text("Graph", exact=True).click()
    expect(page.locator(".graph .node").first).to_be_visible()
    expect(page).to_have_url(re.compile("view=graph"))
    page.get_by_text("Outline", exact=True).click()
    outline(page)
    expect(page.locator(".outline .node[aria-selected=true]")).to_have_count(2)
    assert selected(page) == [["left", 2], ["right", pairs[2]]]
    assert violations(page, ".st-key-outline") == []


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_the_panel_of_a_row_opens_beside_the_maps_or_below_by_keys_alone(page, server, width, height):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(server)
    shown = outline(page)
    row, why = node(page, "left", 3), page.locator(".st-key-why")
    before = row.bounding_box()
    row.focus()
    page.keyboard.press("Enter")
    expect(why).to_contain_text("Why this pair?")
    expect(why).to_be_visible()
    settle(page)
    drawer = why.bounding_box()
    if width > 1000:
        assert row.bounding_box() == before, "no row moves"
        assert (
            drawer["x"]
            >= shown.locator(".panes").bounding_box()["x"] + shown.locator(".panes").bounding_box()["width"]
        )
    else:
        assert drawer["y"] + drawer["height"] == pytest.approx(height, abs=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page, ".st-key-why") == []
    page.keyboard.press("Enter")
    assert why.evaluate("panel => panel.contains(document.activeElement)")
    page.keyboard.press("Escape")
    assert focused(page) == ["left", 3]
    expect(row).to_have_attribute("aria-selected", "false")
    expect(why).to_be_hidden()


def test_changed_claims_have_a_sign_marked_words_and_a_switch(page, server, minilm):
    names = "coral-reefs/base.json", "coral-reefs/meaning_1.json"
    page.goto(f"{server}/?left={names[0]}&right={names[1]}&reading=sentences")
    shown = outline(page)
    view = explain(compare(*(read_map(SAMPLES / name) for name in names), encoder=minilm))
    flags = [flag for each in view.sentences for flag in each.flags]
    for side, words in (("left", [flag.left for flag in flags]), ("right", [flag.right for flag in flags])):
        marked = shown.locator(f".node.{side} .flagged").all_inner_texts()
        assert marked == [word.text for word in words if word]
    flagged = view.matching.claims
    expect(shown.locator(".node .flag")).to_have_count(2 * flagged)
    chip = shown.get_by_role("button", name=f"claims {flagged}")
    changed = shown.locator(".node.left:not([data-kind=same]):visible")
    expect(changed).to_have_count(len(view.changes))
    chip.click()
    expect(changed).to_have_count(flagged)
    expect(shown.locator(".list tbody tr:visible")).to_have_count(flagged)
    expect(shown.locator(".list")).to_contain_text(f"! {flags[0].words}")
    assert violations(page, ".st-key-outline") == []
    first = next(each for each in view.sentences if each.flags)
    page.get_by_role("button", name=f"! {first.flags[0].words}").click()  # in the headline
    expect(node(page, "left", first.left.index)).to_have_attribute("aria-selected", "true")
    expect(node(page, "left", first.left.index)).to_be_in_viewport()
    page.get_by_role("radio", name="Graph").or_(page.get_by_role("button", name="Graph")).first.click()
    expect(shown.locator(".node .flag:visible")).to_have_count(2 * flagged)


@pytest.mark.thorough
def test_hostile_texts_are_shown_as_they_are_in_one_column_too(page, server):
    page.add_init_script(COUNT_HITS)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{server}/?gap=%3D0.8&reading=sentences")
    outline(page)
    for side in ("left", "right"):
        below = [*ALL, "more"][: len(ALL) + (side == "right")]
        pasted = json.dumps({"Root": {text: {} for text in below}})
        paste(page, side, pasted)
        expect(page.locator(f".st-key-{side}-card summary")).to_contain_text(f"{1 + len(below)} nodes")
        settle(page)
    *labels, _more = parse_map(pasted).tree.labels
    expect(page.locator(".outline .node.right")).to_have_count(len(labels) + 1)
    assert page.locator(".outline .node.left .text").all_text_contents() == labels
    expect(page.locator(".outline")).to_have_class("outline many narrow")
    page.locator(".outline .key").filter(
        has_text="same"
    ).click()  # so many that what stayed the same is folded
    expect(page.locator(".outline .stretch:visible")).to_have_count(0)
    for index in range(1, len(labels), 10):
        left = node(page, "left", index).bounding_box()
        assert left["x"] + left["width"] <= 390
    expect(node(page, "right", 1)).to_be_hidden()  # a match is shown once
    node(page, "left", 1).click()
    expect(page.locator(".st-key-why")).to_contain_text(labels[1][:20])
    page.set_viewport_size({"width": 1000, "height": 800})  # a phone has no graph
    page.get_by_role("radio", name="Graph").click()
    expect(page.locator(".graph .node").first).to_be_visible()
    assert page.evaluate("window.hits") == 0
    assert page.locator(".outline :is(img, script, a)").count() == 0
    assert violations(page, ".st-key-outline") == []
