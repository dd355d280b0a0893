"""Maps of many nodes in a real browser: filters, folds, ways to a change, the table; clicks move nothing away."""

import re

import pytest
from helpers.accessibility import violations, violations_in_both_themes
from helpers.browser import IN_BROWSER, drawn, paste, settle
from playwright.sync_api import Page, expect

pytestmark = [*IN_BROWSER, pytest.mark.thorough]

TOPICS = ("oak", "birch", "river", "engine", "violin", "harbour", "glacier", "market")

LEAVES = tuple(f"Remark {number} on the {topic}" for topic in TOPICS for number in range(9))

LEFT = "Trees and more\n" + "".join(
    f"  About the {topic}\n" + "".join(f"    {leaf}\n" for leaf in LEAVES if leaf.endswith(topic))
    for topic in TOPICS
)

MOVED = "    Remark 3 on the birch\n"

RIGHT = (
    LEFT.replace(MOVED, "")
    .replace("Remark 2 on the market\n", "Remark 2 on the market\n" + MOVED)
    .replace("Remark 8 on the river", "Remark 8 on the river banks")
    .replace("    Remark 4 on the violin\n", "")
)

NODES = 1 + len(TOPICS) + len(LEAVES)


@pytest.fixture
def big(page: Page, server: str) -> Page:
    page.goto(f"{server}/?reading=sentences")
    expect(page.locator(".outline .node").first).to_be_visible()
    settle(page)
    for side, text in (("left", LEFT), ("right", RIGHT)):
        paste(page, side, text)
        summary = page.locator(f".st-key-{side}-card summary")
        expect(summary).to_contain_text(f"{NODES - (side == 'right')} nodes")
        settle(page)
    expect(page.locator(".outline .node.left")).to_have_count(NODES)
    return page


def node(page: Page, side: str, text: str):
    return page.locator(f".outline .node.{side}", has_text=text)


def texts(page: Page, selector: str) -> list[str]:
    return page.locator(f".outline {selector}:visible").all_inner_texts()


def test_unchanged_stretches_fold_and_keys_lead_from_change_to_change(big):
    """78 of 81 nodes are matches: what is left are four rows of change and what is above them."""
    chips = big.locator(".outline .key")
    expect(chips.filter(has_text="same")).to_have_attribute("aria-pressed", "false")
    bars = texts(big, ".stretch")
    assert bars
    assert all(" unchanged" in bar for bar in bars)
    assert len(texts(big, ".node.left .text")) < 10
    lengths = big.locator(".outline .guide:visible").evaluate_all("all => all.map(each => each.offsetHeight)")
    assert max(lengths) < big.locator(".outline .grid").evaluate("grid => grid.offsetHeight")
    assert len(lengths) < 10, "no guide line belongs to a row that is folded"
    scrolled = big.evaluate("window.scrollY")
    node(big, "left", "Trees and more").focus()
    came_to = []
    for _ in range(4):
        big.keyboard.press("n")
        came_to.append(big.locator(".outline .node:focus .text").inner_text())
    first = [
        "Remark 3 on the birch",
        "Remark 8 on the river",
        "Remark 4 on the violin",
    ]
    assert sorted(came_to[:3]) == sorted(first)
    assert came_to[3] == came_to[0], "after the last comes the first"
    big.keyboard.press("p")
    assert big.locator(".outline .node:focus .text").inner_text() == came_to[2]
    expect(big.locator(".outline .status").first).to_have_text("3 of 3")
    assert violations_in_both_themes(big) == []

    # A bar opens by keys, and says so; the filter shows everything.
    node(big, "left", "Trees and more").focus()
    big.keyboard.press("ArrowDown")
    big.keyboard.press("Enter")
    expect(big.locator(".outline .stretch:focus")).to_have_attribute("aria-expanded", "true")
    big.keyboard.press("ArrowDown")
    expect(big.locator(".outline .node:focus")).to_have_attribute("data-kind", "same")
    chips.filter(has_text="same").click()
    expect(big.locator(".outline .stretch:visible")).to_have_count(0)
    chips.filter(has_text="missing").click()
    expect(node(big, "left", "Remark 4 on the violin")).to_be_hidden()
    assert texts(big, ".stretch") == ["1 not shown"]
    assert big.evaluate("window.scrollY") == pytest.approx(scrolled, abs=400)


def test_a_move_has_two_ends_and_the_list_of_changes_leads_to_its_nodes_and_back(big):
    ends = [node(big, side, "Remark 3 on the birch") for side in ("left", "right")]
    for end in ends:
        expect(end).to_have_attribute("data-kind", "moved")
    expect(ends[0].locator(".go")).to_have_text("moved to → below “About the market”")
    expect(ends[1].locator(".go")).to_have_text("← moved from below “About the birch”")
    ends[0].locator(".go").click()
    expect(ends[1]).to_be_focused()
    big.keyboard.press("ArrowLeft")
    expect(ends[0]).to_be_focused()
    big.keyboard.press("Enter")
    for end in ends:
        expect(end).to_have_class(re.compile(r"\bselected\b"))

    # t leads to the row of the node's change; Enter back to a node; nothing scrolls the page.
    settle(big)
    big.keyboard.press("t")
    row = big.locator(".outline .list tr:focus")
    expect(row.locator(".word")).to_have_text("moved")
    big.keyboard.press("Home")
    expect(row).to_contain_text(" %")
    big.keyboard.press("ArrowDown")
    wanted = row.locator("td.text").inner_text()
    big.keyboard.press("Enter")
    assert big.locator(".outline .node:focus .text").inner_text() in wanted
    settle(big)
    expect(big.locator(".st-key-why")).to_be_visible()
    big.keyboard.press("t")
    expect(row.locator("td.text")).to_have_text(wanted)
    assert len(texts(big, ".list tbody tr")) == 3, "a move is one change"
    big.locator(".outline .list").get_by_role("button", name="kind").click()
    kinds = big.locator(".outline .list td.kind .word").all_text_contents()
    assert kinds == sorted(kinds)

    # The search finds what is folded, and shows it.
    node(big, "left", "Trees and more").focus()
    big.keyboard.press("/")
    big.keyboard.type("on the harbour")
    expect(big.locator(".outline .status").nth(1)).to_have_text("1 of 18")
    big.keyboard.press("Enter")
    expect(big.locator(".outline .status").nth(1)).to_have_text("2 of 18")
    big.keyboard.press("Escape")
    expect(big.locator(".outline .node:focus .text")).to_contain_text("on the harbour")
    assert violations(big, ".st-key-outline") == []


WATCH = """() => {
  const main = document.querySelector("[data-testid=stMain]");
  window.jumps = [];
  main.addEventListener("scroll", () => window.jumps.push(main.scrollTop));
}"""


@pytest.fixture
def compared(page, server):
    page.goto(server)
    expect(page.locator(".outline .node").first).to_be_visible()
    settle(page)
    return page


def test_no_tab_moves_the_page(compared):
    """The tabs stay at the top of the screen, for any height of the tab that was open before."""
    tabs = compared.locator(".st-key-more").get_by_role("tab")
    tabs.first.evaluate(
        "tab => document.querySelector('[data-testid=stMain]').scrollBy(0, tab.getBoundingClientRect().top - 90)"
    )
    drawn(compared)
    assert 80 < tabs.first.bounding_box()["y"] < 100
    compared.evaluate(WATCH)
    for number in [*range(tabs.count()), 0]:
        tabs.nth(number).click()
        settle(compared)
        assert compared.evaluate("window.jumps") == []


def test_no_click_on_a_node_moves_it_away(compared):
    for number in (1, 2, 1):
        node = compared.locator(f".outline .node.left[data-node='{number}']")
        node.evaluate("node => node.scrollIntoView({ block: 'center' })")
        drawn(compared)
        before = node.bounding_box()["y"]
        node.click()
        expect(node).to_have_attribute("aria-selected", "true")
        settle(compared)
        assert abs(node.bounding_box()["y"] - before) < 2
