"""Nothing that a person clicks moves the page away under them."""

import pytest
from helpers.browser import IN_BROWSER, drawn, settle
from playwright.sync_api import expect

pytestmark = [*IN_BROWSER, pytest.mark.thorough]

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
