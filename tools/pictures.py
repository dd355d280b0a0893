"""Take the pictures of README and documents from the running application: python -m tools.pictures [NAME ...].

docs/pictures.json has a fingerprint of what is on each picture: a test finds those older than their pages.
"""

import hashlib
import json
import re
import shutil
import sys
from typing import NamedTuple

from playwright.sync_api import Page, expect, sync_playwright

from tools.server import ROOT, served

FOLDER = ROOT / "docs"
FINGERPRINTS = FOLDER / "pictures.json"
WIDE, HIGH = 1366, 768
DRAWING_MILLISECONDS = 60_000
"""Milliseconds until a page has drawn itself."""


class Picture(NamedTuple):
    """A page's address, and what is on it once it is drawn."""

    address: str
    drawn: str


PICTURES = {
    "compare": Picture("", ".outline .node"),
    "evaluate": Picture("Evaluate", "[data-testid=stDataFrame], [data-testid=stVegaLiteChart]"),
    "stepper": Picture("Learn?part=steps&step=12", ".stepper .sentence"),
}
"""The pictures in docs/, by name."""


def open_page(page: Page, server: str, name: str) -> None:
    """Open the page of a picture, and wait until it is drawn."""
    picture = PICTURES[name]
    page.set_viewport_size({"width": WIDE, "height": HIGH})
    page.goto(f"{server}/{picture.address}")
    expect(page.locator(picture.drawn).first).to_be_visible(timeout=DRAWING_MILLISECONDS)
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached(timeout=DRAWING_MILLISECONDS)
    expect(page.locator("[data-stale=true], [data-testid=stSkeleton]")).to_have_count(
        0, timeout=DRAWING_MILLISECONDS
    )


def fingerprint(page: Page) -> str:
    """A hash of the roles and texts on a page, but for the version and digits, which depend on the processor."""
    shown = re.sub(r"\+[0-9a-f]{8}\b|\d+", "0", page.locator("body").aria_snapshot())
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def read_fingerprints() -> dict[str, str]:
    """The fingerprints of the pictures in docs/."""
    found: dict[str, str] = json.loads(FINGERPRINTS.read_text(encoding="utf-8"))
    return found


def main(names: list[str]) -> None:
    """Take these pictures, or all."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    taken = read_fingerprints() if FINGERPRINTS.exists() else {}
    with served() as (server, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name in names or PICTURES:
            page = browser.new_page(color_scheme="light", device_scale_factor=1.5)
            open_page(page, server, name)
            taken[name] = fingerprint(page)
            page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")
            page.close()
            print(f"docs/{name}.png")
        browser.close()
    FINGERPRINTS.write_text(json.dumps(taken, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
