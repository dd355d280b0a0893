"""The Annotate page in a real browser: findings are dismissed for good, and annotators are compared."""

from collections.abc import Iterator

import pytest
from helpers.browser import IN_BROWSER, Chromium, opened_tab, paste, settle
from playwright.sync_api import Browser, Page, expect

from tools.server import served

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
    expect(page.get_by_text("Nothing found in the sample")).to_be_visible()  # the page draws nothing more
    settle(page)
    paste(page, "check", "One\n  a\n    b\n  c\n    b\n")


def test_a_dismissed_finding_survives_a_kill_of_the_server(visitor, monkeypatch, tmp_path):
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "decisions.sqlite"))
    with served() as (server, process):
        check(visitor, server)
        expect(visitor.get_by_text("Repeated text · 1")).to_be_visible()
        visitor.get_by_role("button", name="Dismiss").click()
        expect(visitor.get_by_text("Nothing found: 9 checks looked at 5 nodes")).to_be_visible()
        process.kill()
        process.wait()
    with served() as (server, _):
        check(visitor, server)
        expect(visitor.get_by_text("Nothing found: 9 checks looked at 5 nodes")).to_be_visible()
        visitor.get_by_role("button", name="1 dismissed").click()
        visitor.get_by_role("button", name="Show them again").click()
        expect(visitor.get_by_text("Repeated text · 1")).to_be_visible()
