"""Buttons inside a fragment that change something outside of it, which AppTest, running all, can't test.

A fragment runs alone: what else shows the new state stays as it was, unless the button's callback runs the page.
Around the mapping, the reading and the view change the address, and force, forbid, keep and clear
change the answer (``test_browser_what_if.py``). In the tabs, the check of what is in doubt changes the mapping.
"""

import re

from helpers.browser import IN_BROWSER, settle
from playwright.sync_api import expect

pytestmark = IN_BROWSER


def opened(page, address):
    page.goto(address)
    expect(page.locator(".outline .node").first).to_be_visible()
    settle(page)


def test_the_view_is_in_the_address(page, server):
    opened(page, server)
    page.get_by_role("radio", name="Graph").click()
    page.wait_for_url(re.compile("view=graph"))


def test_doubtful_pairs_are_checked_on_request(page, server):
    opened(page, f"{server}/?order=unordered")
    check = page.get_by_role("button", name="Check which matches have alternatives")
    check.click()
    expect(check).to_have_count(0)
    expect(
        page.get_by_text(re.compile("No other script comes close|have close alternatives"))
    ).to_be_visible()
