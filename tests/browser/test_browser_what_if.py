"""Reasons for a pair, what-if questions, and a search of an hour that is stopped, in a real browser."""

import re

import pytest
from helpers.browser import IN_BROWSER, paste, settle
from helpers.trees import hard_map
from playwright.sync_api import expect

from tted_core import compare, read_map
from tted_core.explain.what_if import price_of, under_choices
from tted_core.solvers import Choices
from ui.samples import FOLDER

pytestmark = IN_BROWSER

CORAL = FOLDER / "coral-reefs"


def expect_tted(page, value):
    """Wait until the score tile shows the value; an outdated tile may be beside it."""
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text("TTED ↓", exact=True))
    expect(box.filter(has_text=f"{value:.4f}")).to_have_count(1)


def price(button):
    return float(re.search(r": ([\d.e-]+) more", button.inner_text()).group(1))


def test_a_forced_pair_is_a_line_of_the_edit_script_until_undo(page, server, minilm):
    free = compare(read_map(CORAL / "base.json"), read_map(CORAL / "demo.json"), encoder=minilm)
    op = next(op for op in free.script.ops if op.op == "replace")
    page.goto(f"{server}/?reading=sentences")
    expect_tted(page, free.tted)
    settle(page)
    panel, outline = page.locator(".st-key-why"), page.locator(".outline")
    outline.locator(f".node.left[data-node='{op.source}']").click()
    expect(panel.get_by_text(f"costs {op.cost:.4f}")).to_be_visible()
    settle(page)
    forbid = panel.get_by_role("button", name="Don't pair these")
    fresh = price_of(free, free.choices.with_forbidden((op.source, op.target))).at_most
    assert price(forbid) == pytest.approx(fresh, abs=6e-5)
    force = panel.get_by_role("button", name="Pair with this").first
    css_class = panel.locator("[class*=st-key-why-force-0-]").first.get_attribute("class")
    pair = op.source, int(re.search(r"st-key-why-force-0-(\d+)", css_class).group(1))
    assert price(force) == pytest.approx(price_of(free, free.choices.with_forced(pair)).at_most, abs=6e-5)
    force.click()
    chosen = under_choices(free, Choices(forced=(pair,)))
    expect_tted(page, chosen.tted)
    settle(page)
    expect(outline.get_by_role("radio", name="Edit script")).to_have_attribute("aria-checked", "true")
    line = outline.locator(f".node.right[data-node='{pair[1]}']")
    expect(line).to_contain_text("forced by you")
    expect(line).to_have_attribute("aria-selected", "true")
    expect(line).to_be_in_viewport()
    expect(outline.locator(f".node.left[data-node='{pair[0]}']")).to_have_attribute("aria-selected", "true")
    gone = set(free.script.pairs) - set(chosen.script.pairs)
    expect(outline.locator("path.old")).to_have_count(len(gone))
    listed = page.locator(".st-key-choices-list")
    expect(listed).to_contain_text("With 1 of your choices")
    listed.get_by_role("button", name="Undo").click()
    expect_tted(page, free.tted)
    expect(listed).to_have_count(0)
    expect(outline.locator("path.old")).to_have_count(0)


@pytest.mark.thorough
def test_a_stopped_search_shows_its_best_script_and_is_made_again_on_request(page, server):
    page.goto(f"{server}/?order=unordered&distance=levenshtein&time_limit=3600&gap=0")
    settle(page)
    for seed, side in enumerate(("left", "right")):
        paste(page, side, hard_map(600, seed))
        expect(page.locator(f".st-key-{side}-card summary")).to_contain_text("600 nodes")
        settle(page)
    stop = page.get_by_test_id("stMain").get_by_role(
        "button", name="Stop", exact=True
    )  # not that of the header
    expect(stop).to_be_visible(timeout=120_000)
    settle(page)
    stop.click()
    expect(page.get_by_role("button", name="Search again")).to_be_visible()
    expect(stop).to_have_count(0)
    page.get_by_role("button", name="Search again").click()
    expect(stop).to_be_visible(timeout=60_000)
    stop.click()
    expect(page.get_by_role("button", name="Search again")).to_be_visible()
