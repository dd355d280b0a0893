"""Maps arrive on the Compare page as they are: by each button that opens them, a reload and a replay file."""

import io
import json
import re
import zipfile

from helpers.browser import IN_BROWSER, settle
from playwright.sync_api import Page, expect

from tted_core import MindMap, compare, parse_map

pytestmark = IN_BROWSER

ANNA, BEN = (
    json.dumps({"# Spring tide": {"- low tide": {}, "1. The sun": {last: {}}}, "1. The moon": {}})
    for last in ("- pulls", "# pushes")
)
"""Two maps of two roots, with labels that an outline would read differently."""


def archive(*names: str) -> dict[str, object]:
    """A zip of Anna's map and Ben's."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as files:
        for name, text in zip(names, (ANNA, BEN), strict=True):
            files.writestr(name, text)
    return {"name": "maps.zip", "mimeType": "application/zip", "buffer": out.getvalue()}


def expect_compared(page: Page, left: MindMap, right: MindMap, **options: object) -> None:
    """Compare shows these trees and their distance."""
    expect(page.get_by_role("heading", name="Compare two mind maps")).to_be_visible()
    tted = compare(left, right, **(options or {"distance": "levenshtein"})).tted
    expect(page.get_by_test_id("stMetricValue").filter(has_text=f"{tted:.4f}")).to_be_attached()
    settle(page)
    for side, mind_map in (("left", left), ("right", right)):
        texts = page.locator(f".node.{side} .text")
        for label in mind_map.tree.labels:  # waits: right after Back, the page before is still on screen
            expect(texts.filter(has_text=re.compile(f"^{re.escape(label)}$"))).to_have_count(1)
        expect(texts).to_have_count(len(mind_map.tree))


def test_each_button_opens_the_same_maps_in_compare(page, server, tmp_path):
    anna, ben = parse_map(ANNA), parse_map(BEN)
    page.goto(f"{server}/Annotate?tab=compare&distance=levenshtein")
    settle(page)
    page.locator(".st-key-collection-kept-files input[type=file]").set_input_files(
        [archive("tides/anna.json", "tides/ben.json")]
    )
    expect(page.get_by_text("2 maps (uploaded), 1 document")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Open in Compare").click()
    expect_compared(page, anna, ben)
    expect(page.locator(".st-key-left-card summary")).to_contain_text("tides, anna · Nested-dict JSON")
    page.reload()
    expect_compared(page, anna, ben)
    expect(page.locator(".st-key-left-card summary")).to_contain_text("tides, anna · Nested-dict JSON")
    page.get_by_role("button", name="Swap").click()
    expect_compared(page, ben, anna)
    page.get_by_role("button", name="New comparison").click()
    expect(page.locator(".st-key-left-card summary")).to_contain_text("Example")
    page.go_back()  # at once
    expect_compared(page, ben, anna)
    page.get_by_role("tab", name="Download and cite").click()
    settle(page)
    page.get_by_role("button", name="More", exact=True).last.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Replay file").click()
    download.value.save_as(tmp_path / "replay.json")
    page.goto(server)
    settle(page)
    page.locator(".st-key-new-maps input[type=file]").set_input_files(tmp_path / "replay.json")
    expect_compared(page, ben, anna)

    page.goto(f"{server}/Evaluate?distance=levenshtein")
    settle(page)
    page.locator(".st-key-evaluate-upload input[type=file]").set_input_files(
        [archive("references/tides.json", "generated/tides.json")]
    )
    page.get_by_role("button", name="Compare 1 pair").click()
    page.get_by_role("button", name="Open in Compare").click()
    expect_compared(page, anna, ben)
