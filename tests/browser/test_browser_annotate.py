"""The Annotate page in a real browser: findings are settled, maps edited, and two maps are merged into one."""

import csv
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.browser import IN_BROWSER, Chromium, opened_tab, settle
from helpers.paths import ROOT
from playwright.sync_api import Browser, Page, expect

from tools.server import served
from tted_core import read_map

pytestmark = [*IN_BROWSER, pytest.mark.thorough]


@pytest.fixture
def user(browser: Browser, chromium: Chromium) -> Iterator[Page]:
    """A page for servers of the test's own."""
    page = opened_tab(chromium.context)
    yield page
    page.close()


MAPS = 6
FOUND = MAPS  # findings in them: a text twice
EDITED = 2  # maps that are edited


@pytest.fixture
def maps(tmp_path) -> list[str]:
    """Maps of which each says a sentence twice."""
    files = [tmp_path / f"map {number:02}.md" for number in range(MAPS)]
    for number, file in enumerate(files):
        file.write_text(f"# One {number}\n- a\n  - b\n- c\n  - b\n", encoding="utf-8")
    return [str(file) for file in files]


def drop(page: Page, server: str, files: list[str]) -> None:
    """Open the page and drop files: one action from there to the first finding."""
    page.goto(f"{server}/Annotate")
    expect(page.get_by_text("Showing an example until there is a map of your own.")).to_be_visible()
    settle(page)
    page.locator(".st-key-check-upload-0 input[type=file]").set_input_files(files)


def saved(page: Page, key: str) -> Path:
    """The file that a download button saves."""
    settle(page)
    with page.expect_download() as download:
        page.locator(f".st-key-{key} button").first.click()
    return download.value.path()


SENTENCES = 12  # changes of a pair of maps


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
    page.locator(".st-key-decide-kept-files input[type=file]").set_input_files([str(file) for file in files])
    expect(page.get_by_text(re.compile(rf"\d+ of {SENTENCES} decided and saved"))).to_be_visible(
        timeout=60_000
    )
    settle(page)
    said = page.get_by_text(re.compile(r"\d+ of \d+ decided and saved")).inner_text()
    return int(said.split()[0])


ANNA = """# Tides
- The Moon pulls the water
  - Two tides a day
- The Sun pulls too
- Harbours wait for high water
"""
BEN = """# Tides
- The Moon pulls the sea
  - Three tides a day
- The Sun pulls too
  - Spring tides are higher
"""


def test_two_annotators_maps_are_decided_into_one_and_the_command_repeats_it(user, server, tmp_path):
    files = [tmp_path / "anna.md", tmp_path / "ben.md"]
    for file, text in zip(files, (ANNA, BEN), strict=True):
        file.write_text(text, encoding="utf-8")
    user.goto(f"{server}/Annotate?tab=decide")
    user.locator(".st-key-decide-kept-files input[type=file]").set_input_files([str(file) for file in files])
    for number, key in enumerate("2314"):
        expect(user.get_by_text(f"{number} of 4 decided and saved")).to_be_visible()
        settle(user)
        user.keyboard.press(key)
    expect(user.get_by_text("4 of 4 decided and saved")).to_be_visible()
    user.locator(".st-key-decide-save-format").get_by_role("combobox").fill("FreeMind, Freeplane")
    user.keyboard.press("Enter")
    merged, log = saved(user, "decide-save").read_bytes(), saved(user, "decide-log")
    again = tmp_path / "again"
    options = ["--decisions", log, "--out", again, "--to", "freemind"]
    subprocess.run([sys.executable, "-m", "tted_core", "merge", *files, *options], cwd=ROOT, check=True)
    assert again.read_bytes() == merged
    labels = read_map(again, format="freemind").tree.labels
    assert len(labels) == len(set(labels)) > 3


def test_an_hour_of_an_annotator_survives_a_kill_of_the_server_and_is_exported(
    user, monkeypatch, tmp_path, maps, pair
):
    monkeypatch.setenv("TTED_DECISIONS", str(tmp_path / "decisions.sqlite"))
    with served() as (server, process):
        drop(user, server, maps)
        expect(
            user.get_by_text(f"{FOUND} findings in {5 * MAPS} nodes in {MAPS} maps: {FOUND} open")
        ).to_be_visible()
        expect(user.get_by_text(re.compile(rf"· 1 of {FOUND}$"))).to_be_visible()
        settle(user)  # until keys are heard
        for number, key in enumerate("2213", start=1):
            user.keyboard.press(key)
            expect(user.get_by_text(re.compile(rf"· 1 of {FOUND - number}$"))).to_be_visible()
        user.keyboard.press("u")
        expect(user.get_by_text(f"{FOUND - 3} open · 1 confirmed · 2 dismissed")).to_be_visible()
        for number in range(1, EDITED + 1):
            settle(user)
            user.get_by_role("button", name="Edit", exact=True).click()
            user.get_by_role("button", name="Delete 1 node").click()
            expect(user.get_by_text(f"in {5 * MAPS - number} nodes in {MAPS} maps")).to_be_visible()
            user.keyboard.press("Escape")
        said = user.get_by_text(re.compile(r"\d+ open · .* fixed")).inner_text().strip()
        assert take_in(user, server, pair) == 0
        for number, key in enumerate("1234", start=1):
            user.keyboard.press(key)
            expect(user.get_by_text(f"{number} of {SENTENCES} decided and saved")).to_be_visible()
        settle(user)
        user.keyboard.press("u")
        expect(user.get_by_text(f"3 of {SENTENCES} decided and saved")).to_be_visible()
        process.kill()
        process.wait()
    with served() as (server, _):
        drop(user, server, maps)
        expect(user.get_by_text(said)).to_be_visible()
        rows = list(csv.DictReader(saved(user, "tted-findings-csv").read_text("utf-8-sig").splitlines()))
        count = Counter(row["status"] for row in rows)
        assert (count["confirmed"], count["dismissed"]) == (1, 2)
        assert f"{count['fixed']} fixed" in said
        assert count["fixed"] >= EDITED
        assert {row["map"] for row in rows} == {Path(each).name for each in maps}
        with zipfile.ZipFile(saved(user, "worklist-edited")) as archive:
            assert len(archive.namelist()) == EDITED
            for name in archive.namelist():
                assert archive.read(name).decode().endswith("- a\n  - b\n- c\n")
                assert name in {Path(each).name for each in maps}
        assert take_in(user, server, pair) == 3
        user.get_by_role("button", name="All of a kind").click()
        user.get_by_test_id("stPopoverBody").get_by_role("button", name="Take right").click()
        expect(user.get_by_text(f"{SENTENCES} of {SENTENCES} decided and saved")).to_be_visible()
