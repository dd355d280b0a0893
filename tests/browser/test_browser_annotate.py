"""The Annotate page in a real browser: findings are dismissed for good, and annotators are compared."""

from collections.abc import Iterator

import pytest
from helpers.accessibility import faults
from helpers.browser import IN_BROWSER, Chromium, opened_tab, paste, server_process, settle
from playwright.sync_api import Browser, Page, expect

pytestmark = [*IN_BROWSER, pytest.mark.thorough]


@pytest.fixture
def visitor(browser: Browser, chromium: Chromium) -> Iterator[Page]:
    """A page for servers of the test's own."""
    page = opened_tab(chromium.context)
    yield page
    page.close()


def check(page: Page, server: str) -> None:
    """Paste a map with one finding."""
    page.goto(f"{server}/Annotate")
    settle(page)
    paste(page, "check", "One\n  a\n    b\n  c\n    b\n")


def test_a_dismissed_finding_survives_a_kill_of_the_server(visitor, monkeypatch, tmp_path):
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "decisions.sqlite"))
    with server_process() as (server, process):
        check(visitor, server)
        expect(visitor.get_by_text("Repeated text · 1")).to_be_visible()
        visitor.get_by_role("button", name="Dismiss").click()
        expect(visitor.get_by_text("Nothing found: 8 checks looked at 5 nodes")).to_be_visible()
        process.kill()
        process.wait()
    with server_process() as (server, _):
        check(visitor, server)
        expect(visitor.get_by_text("Nothing found: 8 checks looked at 5 nodes")).to_be_visible()
        visitor.get_by_role("button", name="1 dismissed").click()
        visitor.get_by_role("button", name="Show them again").click()
        expect(visitor.get_by_text("Repeated text · 1")).to_be_visible()


def test_the_parts_of_the_page_are_accessible(page, server):
    page.goto(f"{server}/Annotate")
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_text("Checks and thresholds").click()
    page.get_by_role("button", name="Nearer to another branch").click()  # which is off by default
    expect(page.get_by_text("A finding is a hint")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("tab", name="Compare annotators").click()
    expect(page.get_by_text("95 % interval")).to_be_visible()
    expect(page.get_by_role("button", name="Save it as JSON")).to_be_visible()
    assert faults(page) == []
