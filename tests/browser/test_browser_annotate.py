"""The Annotate page in a real browser: findings are dismissed and stay so, annotators are compared."""

import pytest
from helpers.accessibility import faults
from helpers.browser import IN_BROWSER, server_process
from playwright.sync_api import Page, expect

pytestmark = [*IN_BROWSER, pytest.mark.thorough]

MAP = "One\n  a\n    b\n  c\n    b\n"


def check(page: Page, server: str) -> None:
    """Paste the map into the part that checks one."""
    page.goto(f"{server}/Annotate")
    page.get_by_role("tab", name="Paste").click()
    field = page.get_by_role("textbox", name="Text of the map")
    field.fill(MAP)
    field.press("Control+Enter")


def test_a_dismissed_finding_survives_a_kill_of_the_server(page, monkeypatch, tmp_path):
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "decisions.sqlite"))
    with server_process() as (server, process):
        check(page, server)
        expect(page.get_by_text("Repeated text · 1")).to_be_visible()
        page.get_by_role("button", name="Dismiss").click()
        expect(page.get_by_text("Nothing found")).to_be_visible()
        process.kill()
        process.wait()
    with server_process() as (server, _):
        check(page, server)
        expect(page.get_by_text("Nothing found: 8 checks looked at 5 nodes")).to_be_visible()
        page.get_by_role("button", name="1 dismissed").click()
        page.get_by_role("button", name="Show them again").click()
        expect(page.get_by_text("Repeated text · 1")).to_be_visible()


def test_the_parts_of_the_page_are_accessible(page, server):
    page.goto(f"{server}/Annotate")
    expect(page.get_by_text("Nothing found")).to_be_visible()
    page.get_by_text("Checks and thresholds").click()
    page.get_by_role("button", name="Nearer to another branch").click()  # which is off by default
    expect(page.get_by_text("A finding is a hint")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("tab", name="Compare annotators").click()
    expect(page.get_by_role("button", name="Save it as JSON")).to_be_visible()
    assert faults(page) == []
