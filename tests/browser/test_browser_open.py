"""Maps on the Compare page in a real browser: by buttons, links, a reload, the Back button and a replay file."""

import io
import json
import re
import zipfile
from urllib.parse import unquote

import pytest
from helpers.browser import IN_BROWSER, ROOT, settle
from playwright.sync_api import Page, expect

from tted_core import MindMap, compare, parse_map, read_map

pytestmark = IN_BROWSER

# Two maps of two roots, with labels that an outline would read differently.
ANNA, BEN = (
    json.dumps({"# Spring tide": {"- low tide": {}, "1. The sun": {last: {}}}, "1. The moon": {}})
    for last in ("- pulls", "# pushes")
)


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
    expect(page).to_have_url(re.compile("^(?!.*left=)"))
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


PHOTOSYNTHESIS = ROOT / "sample_trees" / "photosynthesis"

LINK = "?left=photosynthesis/base.json&right=photosynthesis/structure_2.json&order=ordered&depth=2"


@pytest.mark.thorough
def test_a_link_opens_the_same_comparison_and_so_does_its_replay_file(page, server, minilm, tmp_path):
    """Run alone, this opens the first page of a new server."""
    page.goto(f"{server}/{LINK}")
    page.get_by_role("tab", name="Download and cite").click()
    left, right = (read_map(PHOTOSYNTHESIS / f"{name}.json") for name in ("base", "structure_2"))
    result = compare(left, right, encoder=minilm, order="ordered", depth=2)
    expect(page.get_by_test_id("stCode").filter(has_text="TTED|")).to_have_text(result.signature)
    expect(page.get_by_test_id("stMetricValue").filter(has_text=f"{result.tted:.4f}")).to_be_attached()
    copied = page.get_by_test_id("stCode").filter(has_text="left=").inner_text()
    assert copied.startswith(f"{server}/?left=photosynthesis/base.json&")
    assert "right=photosynthesis/structure_2.json&" in copied
    assert "order=ordered&" in copied

    settle(page)
    for group, name, ending in (
        ("", "Report", "html"),
        ("Figure", "PNG", "png"),
        ("More", "Replay file", "json"),
    ):
        if group:
            page.get_by_role("button", name=group, exact=True).last.click()
        if group == "Figure":
            page.get_by_text("One column").click()
            settle(page)
        with page.expect_download() as download:
            page.get_by_role("button", name=name).click()
        download.value.save_as(tmp_path / f"saved.{ending}")
    assert result.signature in (tmp_path / "saved.html").read_text(encoding="utf-8")
    picture = (tmp_path / "saved.png").read_bytes()
    assert (picture[:4], int.from_bytes(picture[16:20])) == (b"\x89PNG", 1016)  # 86 mm at 300 dpi
    page.goto(server)
    page.locator(".st-key-new-maps input[type=file]").set_input_files(tmp_path / "saved.json")
    expect(page.get_by_text("same signature, same score")).to_be_visible()
    page.get_by_role("tab", name="Download and cite").click()
    expect(page.get_by_test_id("stCode").filter(has_text="TTED|")).to_have_text(result.signature)


@pytest.mark.thorough
def test_the_address_follows_and_the_back_button_leads_back(page, server):
    page.goto(f"{server}/{LINK}")
    chosen = page.get_by_role("button", name="Order: ordered")
    expect(chosen).to_be_visible()
    page.get_by_role("button", name="Preset:").click()
    page.get_by_text("Proofreading", exact=True).click()
    page.wait_for_url(lambda url: "power=8" in url)
    page.go_back()  # at once
    expect(chosen).to_be_visible()
    settle(page)
    assert unquote(page.url) == f"{server}/{LINK}"
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Method").click()
    expect(page.get_by_role("heading", name="How the distance is computed")).to_be_visible()
    page.get_by_role("link", name="Compare").click()
    expect(page.locator(".st-key-left-card summary")).to_contain_text("photosynthesis")
    page.wait_for_url(lambda url: unquote(url) == f"{server}/{LINK}")


def choose(page: Page, option: str, value: str) -> None:
    """Choose a value in the popover of an option."""
    page.get_by_role("button", name=f"{option}:").click()
    page.get_by_test_id("stPopoverBody").get_by_text(value).first.click()
    settle(page)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)


def expect_at(page: Page, address: str, distance: str) -> None:
    """The page is at this address and compares by this distance."""
    expect(page.get_by_role("button", name=f"Distance: {distance}")).to_be_visible()
    page.wait_for_url(lambda url: unquote(url) == address)
    settle(page)
    assert unquote(page.url) == address


def test_what_a_preset_sets_stays_and_the_browsers_buttons_lead_through_what_there_was(page, server):
    """A browser keeps what was chosen in a closed popover, and sends it in every run."""
    page.goto(server)
    settle(page)
    choose(page, "Distance", "euclidean")
    choose(page, "Preset", "Proofreading")
    choose(page, "Order", "unordered")
    proofreading = "?gap==0.8&power=8"
    expect_at(page, f"{server}/?order=unordered&gap==0.8&power=8", "cosine")
    for query, distance in ((proofreading, "cosine"), ("?distance=euclidean", "euclidean")):
        page.go_back()
        expect_at(page, f"{server}/{query}", distance)
