"""Every page by axe-core, in light and dark, with its views open; and the report, from disk, without a network."""

import re
from pathlib import Path

import pytest
from helpers.accessibility import violations, violations_in_both_themes
from helpers.browser import IN_BROWSER, drawn, settle
from helpers.command import LEFT, RIGHT
from helpers.encoders import hashed
from helpers.payloads import COUNT_HITS, ENCODABLE, HOSTILE
from playwright.sync_api import expect

from tted_core import MindMap, TextTree, compare, read_map
from tted_core.report.html_report import html_report
from tted_core.report.outline_picture import outline_picture
from tted_core.report.replay import replay_json
from ui.page import MENU

pytestmark = IN_BROWSER


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for entries in MENU.values() for name in entries])
def test_no_page_has_a_serious_fault_in_either_theme(page, server, name):
    """The page fixture also asserts that there were no requests to other servers."""
    page.goto(server if name == "Compare" else f"{server}/{name}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settle(page)
    found = violations_in_both_themes(page)
    tabs = page.locator("[data-testid=stMain] [role=tab]:visible")
    seen: set[str] = set()
    while unseen := [text for text in tabs.all_inner_texts() if text not in seen]:  # a tab may hold others
        seen.add(unseen[0])
        tabs.filter(has_text=re.compile(f"^{re.escape(unseen[0])}$")).first.click()
        settle(page)
        found += violations(page)
    if name == "Compare":
        for text in ("Distance:", "Preset:", "More", "All scores", "Examples"):
            page.get_by_text(text).first.click()
            settle(page)
            found += violations(page)
            page.keyboard.press("Escape")  # what is unfolded may cover the next button
        page.get_by_role("radio", name="Graph").click()
        expect(page.locator(".graph .node").first).to_be_visible()
        found += violations_in_both_themes(page)
    assert found == []


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """A report and a drawing of hostile maps, and a report of a sample."""
    folder = tmp_path_factory.mktemp("reports")
    left = TextTree(ENCODABLE, (-1, *[0] * (len(ENCODABLE) - 1)))
    right = TextTree(tuple(f"{text} x" for text in ENCODABLE), (-1, *range(len(ENCODABLE) - 1)))
    maps = [MindMap(tree, "tree", notices=ENCODABLE, name=HOSTILE["script"]) for tree in (left, right)]
    hostile = compare(*maps, encoder=hashed)
    sample = [read_map(file) for file in (LEFT, RIGHT)]
    result = compare(*sample, encoder=hashed)
    (folder / "hostile.html").write_text(
        html_report(hostile.explain(), replay_json(*maps, hostile.explain())), encoding="utf-8"
    )
    (folder / "hostile.svg").write_bytes(outline_picture(hostile.explain()))
    (folder / "sample.html").write_text(
        html_report(result.explain(), replay_json(*sample, result.explain())), encoding="utf-8"
    )
    return folder


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["hostile.html", "hostile.svg", "sample.html"])
def test_a_report_opens_from_disk_without_a_network_and_runs_nothing(browser, files, name):
    context = browser.new_context(offline=True, bypass_csp=True, viewport={"width": 1024, "height": 800})
    page = context.new_page()
    page.add_init_script(COUNT_HITS)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"file://{files / name}")
    assert requests == [f"file://{files / name}"]
    shown = page.evaluate("document.documentElement.textContent")
    if name.startswith("hostile"):
        assert HOSTILE["script"] in shown
        assert HOSTILE["image"] in shown or name.endswith("svg")  # whose letters are outlines, but for names
    else:
        assert violations_in_both_themes(page) == []
        page.get_by_text("Sentences", exact=True).click()
        expect(page.locator("section.sentences .map")).to_be_visible()
        expect(page.locator("section.script .map")).to_be_hidden()
        assert violations_in_both_themes(page) == []
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    drawn(page)
    assert page.evaluate("window.hits") == 0
    assert page.locator("script, img, iframe").count() == 0
    context.close()
