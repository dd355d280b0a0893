"""One reference against several maps in a real browser: from the drop to the table, and along the row by keys."""

import re

from helpers.accessibility import violations_in_both_themes
from helpers.browser import IN_BROWSER, settle
from playwright.sync_api import expect

pytestmark = IN_BROWSER


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
