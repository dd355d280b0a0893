"""A search that would take an hour, in a real browser: its progress bar and a Stop button that works."""

import pytest
from helpers.browser import IN_BROWSER, paste, settle
from helpers.trees import hard_map
from playwright.sync_api import expect

pytestmark = [*IN_BROWSER, pytest.mark.thorough]


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
    expect(page.get_by_role("button", name="Search again")).to_be_visible(timeout=30_000)
    expect(stop).to_have_count(0)
    page.get_by_role("button", name="Search again").click()
    expect(stop).to_be_visible(timeout=60_000)
    stop.click()
    expect(page.get_by_role("button", name="Search again")).to_be_visible(timeout=30_000)
