"""Names and texts of others that would load a picture from elsewhere if they were drawn as Markdown."""

import io
import json
import zipfile

import pytest
from helpers.browser import IN_BROWSER, opened_card, settle
from helpers.payloads import OUTSIDE
from playwright.sync_api import FilePayload, Page, expect

pytestmark = [*IN_BROWSER, pytest.mark.thorough]

IMAGE = f"![x](https://{OUTSIDE}/x.png)"


def archive(*names: str) -> FilePayload:
    """A zip of maps with these names and hostile texts; the last one can't be read."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name in names:
            file.writestr(name, json.dumps({IMAGE: {f"{IMAGE} {name}": {}, "A leaf": {}}}))
        file.writestr(f"broken{IMAGE}.json", "{")
    return {"name": f"{IMAGE}.zip", "mimeType": "application/zip", "buffer": stream.getvalue()}


def upload(page: Page, key: str, *files: FilePayload) -> None:
    page.locator(f".st-key-{key} input[type=file]").set_input_files(files)
    settle(page)


def compare(page: Page) -> None:
    card = opened_card(page, "left")
    card.get_by_role("tab", name="Upload").click()
    settle(page)
    upload(page, "left-upload-0", archive(f"{IMAGE}.json", "b.json"))


def check(page: Page) -> None:
    upload(page, "check-upload-0", archive(f"{IMAGE}.json", f"b/{IMAGE}.json"))


def annotators(page: Page) -> None:
    page.get_by_role("tab", name="Compare annotators").click()
    settle(page)
    upload(page, "collection-kept-files", archive(*(f"doc{IMAGE[:5]}/{name}.json" for name in (IMAGE, "b"))))


def decide(page: Page) -> None:
    page.get_by_role("tab", name="Decide").click()
    settle(page)
    texts = (json.dumps({IMAGE: {f"{IMAGE} {name}": {}, "A leaf": {}}}).encode() for name in "ab")
    files = (
        FilePayload(name=f"{name}{IMAGE}.json", mimeType="text/plain", buffer=text)
        for name, text in zip("ab", texts, strict=True)
    )
    upload(page, "decide-kept-files", *files)


def evaluate(page: Page) -> None:
    names = (f"{folder}/{IMAGE[:4]}.json" for folder in ("reference", f"s{IMAGE[:4]}"))
    upload(page, "evaluate-upload", archive(*names))


VISITS = {
    "": compare,
    "Annotate": check,
    "Annotate#annotators": annotators,
    "Annotate#decide": decide,
    "Evaluate": evaluate,
}


@pytest.mark.parametrize("address", VISITS)
def test_names_and_texts_of_others_load_nothing_from_elsewhere(page, server, address):
    """The page fixture asserts that nothing outside the server was requested."""
    page.goto(f"{server}/{address}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    settle(page)
    VISITS[address](page)
    settle(page)
    expect(page.locator("[data-testid=stMain]").get_by_text(IMAGE[:4]).first).to_be_attached()
    assert page.locator(f"img[src*='{OUTSIDE}'], a[href*='{OUTSIDE}']").count() == 0
