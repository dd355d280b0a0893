"""Many maps in a real browser: a batch from a zip to its worst pair, and one reference against several maps."""

import csv
import io
import re
import zipfile

import pytest
from helpers.accessibility import violations_in_both_themes
from helpers.browser import IN_BROWSER, settle
from helpers.pages import zip_of_pairs
from helpers.trees import hard_map
from playwright.sync_api import expect

pytestmark = IN_BROWSER

NO_MODEL = "distance=levenshtein"


def give(page, content, name="pairs.zip"):
    files = [{"name": name, "mimeType": "application/zip", "buffer": content}]
    page.locator(".st-key-evaluate-upload input[type=file]").set_input_files(files)


def press(page, name):
    """Go to a button and press it, without a mouse."""
    button = page.get_by_role("button", name=name)
    expect(button).to_be_enabled()
    settle(page)
    button.focus()
    page.keyboard.press("Enter")


@pytest.mark.thorough
def test_from_a_zip_to_the_worst_pair_and_back(page, server, tmp_path):
    page.goto(f"{server}/Evaluate?{NO_MODEL}")
    settle(page)
    give(page, zip_of_pairs(12, broken=3))
    press(page, "Compare 12 pairs")
    expect(page.get_by_text("12 pairs · 1 with an error")).to_be_visible()
    settle(page)
    assert violations_in_both_themes(page) == []
    page.keyboard.press("o")
    expect(page.get_by_role("heading", name="Compare two mind maps")).to_be_visible()
    settle(page)
    page.get_by_role("link", name="Evaluate").click()
    expect(page.get_by_text("12 pairs · 1 with an error")).to_be_visible()
    settle(page)
    page.get_by_role("tab", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    download.value.save_as(tmp_path / "rows.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text(encoding="utf-8"))))
    assert len(rows) == 12
    assert sum(bool(row["error"]) for row in rows) == 1


def test_an_example_is_ranked_until_files_are_dropped(page, server):
    page.goto(f"{server}/Evaluate?{NO_MODEL}")
    settle(page)
    expect(page.get_by_text("Example · 3 systems, 8 documents")).to_be_visible()
    expect(page.get_by_text("significantly better than")).to_be_in_viewport()
    expect(page.get_by_text("Drop your maps here: loose files")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Upload", exact=True)).to_be_in_viewport()
    for tab, text in (
        ("Ranking", "significantly better than"),
        ("Pairs", "24 rows"),
        ("Edits", "Sentences by status"),
    ):
        page.get_by_role("tab", name=tab).click()
        settle(page)
        expect(page.get_by_text(text)).to_be_visible()
        expect(page.get_by_text("Files that you give under Maps replace this example.")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.get_by_role("tab", name="Maps").click()
    settle(page)
    give(page, zip_of_pairs(4))
    expect(page.get_by_role("button", name="Compare 4 pairs")).to_be_visible()
    expect(page.get_by_text("significantly better than")).to_have_count(0)
    page.get_by_role("tab", name="Ranking").click()
    expect(page.get_by_text("Results appear here once the files under Maps are compared.")).to_be_visible()


@pytest.mark.thorough
def test_a_stop_half_way_keeps_its_rows(page, server):
    """Of two parts the second takes hours."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(12):
            for seed, side in enumerate(("left", "right")):
                content = hard_map(5 if number < 10 else 400, 2 * number + seed)
                archive.writestr(f"{side}/{number:02d}.json", content)
    page.goto(f"{server}/Evaluate?{NO_MODEL}&order=unordered&gap=0&power=1&time_limit=3600")
    settle(page)
    give(page, out.getvalue())
    press(page, "Compare 12 pairs")
    expect(page.get_by_text("Comparing 12 pairs: 10 of 12")).to_be_visible()
    page.get_by_test_id("stTabs").get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Not finished: 10 of 12 pairs are done")).to_be_visible()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


def test_from_one_drop_to_the_table_and_along_the_row_by_arrow_keys(page, server, tmp_path):
    for number in range(8):
        (tmp_path / f"map {number}.txt").write_text("Root" + "\n  a leaf" * (2 + number), encoding="utf-8")
    (tmp_path / "map 5.txt").rename(tmp_path / "reference.txt")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    page.goto(server)
    settle(page)
    page.locator(".st-key-new-maps input[type=file]").set_input_files(sorted(tmp_path.iterdir()))
    expect(page.get_by_text("7 maps compared with reference.txt")).to_be_visible()
    settle(page)
    expect(page.locator(".st-key-left-card summary")).to_contain_text("reference.txt")
    row = page.locator(".st-key-several-map").get_by_role("radio")
    expect(row).to_have_count(7)
    expect(page.get_by_text("broken.json: line 1")).to_be_visible()
    assert violations_in_both_themes(page) == []
    page.locator(".st-key-several-map label").filter(has_text="map 6.txt").click()
    expect(page.locator(".st-key-right-card summary")).to_contain_text("map 6.txt")
    settle(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-right-card summary")).not_to_contain_text("map 6.txt")
    settle(page)
    shown = re.search(r"map \d", page.locator(".st-key-right-card summary").inner_text())[0]
    page.wait_for_url(re.compile("right=maps"))
    page.goto(page.url)
    expect(page.locator(".st-key-right-card summary")).to_contain_text(shown)
    expect(row).to_have_count(7)
