"""The Annotate page in a real browser: findings are dismissed for good, and two maps are merged into one."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.browser import IN_BROWSER, Chromium, opened_tab, settle
from playwright.sync_api import Browser, Page, expect

from tools.server import served

pytestmark = [*IN_BROWSER, pytest.mark.thorough]


@pytest.fixture
def user(browser: Browser, chromium: Chromium) -> Iterator[Page]:
    """A page for servers of the test's own."""
    page = opened_tab(chromium.context)
    yield page
    page.close()


MAPS = 20
FOUND = 40
"""Findings in them, two in each: a text twice, which is nearer to another branch."""


@pytest.fixture
def maps(tmp_path) -> list[str]:
    """Maps of which each says a sentence twice."""
    files = [tmp_path / f"map {number:02}.txt" for number in range(MAPS)]
    for number, file in enumerate(files):
        file.write_text(f"One {number}\n  a\n    b\n  c\n    b\n", encoding="utf-8")
    return [str(file) for file in files]


def drop(page: Page, server: str, files: list[str]) -> None:
    """Open the page and drop files: one action from there to the first finding."""
    page.goto(f"{server}/Annotate")
    expect(page.get_by_text("Showing an example until there is a map of your own.")).to_be_visible()
    settle(page)
    page.locator(".st-key-check-upload input[type=file]").set_input_files(files)


def test_findings_of_many_maps_are_settled_and_survive_a_kill_of_the_server(
    user, monkeypatch, tmp_path, maps
):
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "decisions.sqlite"))
    with served() as (server, process):
        drop(user, server, maps)
        expect(
            user.get_by_text(f"{FOUND} findings in {5 * MAPS} nodes in {MAPS} maps: {FOUND} open")
        ).to_be_visible()
        for number, key in enumerate("2213", start=1):
            user.keyboard.press(key)
            expect(user.get_by_text(re.compile(rf"· 1 of {FOUND - number}$"))).to_be_visible()
        user.keyboard.press("u")
        said = f"{FOUND - 3} open · 1 confirmed · 2 dismissed"
        expect(user.get_by_text(said)).to_be_visible()
        process.kill()
        process.wait()
    with served() as (server, _):
        drop(user, server, maps)
        expect(user.get_by_text(said)).to_be_visible()
        with user.expect_download() as saved:
            user.locator(".st-key-tted-findings-csv button").click()
        rows = list(csv.DictReader(saved.value.path().read_text(encoding="utf-8-sig").splitlines()))
        assert Counter(row["status"] for row in rows) == {"open": FOUND - 3, "confirmed": 1, "dismissed": 2}
        assert {row["map"] for row in rows} == {Path(each).name for each in maps}


SENTENCES = 200
"""Changes of a pair of maps."""


@pytest.fixture
def pair(tmp_path) -> list[Path]:
    """Two maps that differ in each of their sentences but the root."""
    files = []
    for side, word in (("left", "slowly"), ("right", "quickly")):
        file = tmp_path / f"{side}.md"
        lines = (f"- Plant number {number} grows {word} near a river" for number in range(SENTENCES))
        file.write_text("\n".join(["# Plants", *lines, ""]), encoding="utf-8")
        files.append(file)
    return files


def take_in(page: Page, server: str, files: list[Path]) -> int:
    """Upload two maps to decide; return how many changes are decided."""
    page.goto(f"{server}/Annotate?tab=decide")
    expect(page.get_by_text("Showing an example until two maps are in.")).to_be_visible(timeout=60_000)
    page.locator(".st-key-decide-files input[type=file]").set_input_files([str(file) for file in files])
    expect(page.get_by_text(re.compile(rf"\d+ of {SENTENCES} decided and saved"))).to_be_visible(
        timeout=60_000
    )
    settle(page)
    return decided(page)


def decided(page: Page) -> int:
    said = page.get_by_text(re.compile(r"\d+ of \d+ decided and saved")).inner_text()
    return int(said.split()[0])


def test_decisions_survive_a_kill_of_the_server(user, monkeypatch, tmp_path, pair):
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "decisions.sqlite"))
    with served() as (server, process):
        assert take_in(user, server, pair) == 0
        for number, key in enumerate("12341212", start=1):
            user.keyboard.press(key)
            expect(user.get_by_text(f"{number} of {SENTENCES} decided and saved")).to_be_visible()
        settle(user)
        user.keyboard.press("u")
        expect(user.get_by_text(f"7 of {SENTENCES} decided and saved")).to_be_visible()
        for _ in range(30):
            user.keyboard.press("2")
        shown = decided(user)
        process.kill()
        process.wait()
    with served() as (server, _):
        assert take_in(user, server, pair) >= shown >= 7
        user.get_by_role("button", name="All of a kind").click()
        user.get_by_test_id("stPopoverBody").get_by_role("button", name="Take right").click()
        expect(user.get_by_text(f"{SENTENCES} of {SENTENCES} decided and saved")).to_be_visible()
