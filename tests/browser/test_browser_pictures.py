"""Pictures of documents show the pages as they are."""

import pytest
from helpers.browser import IN_BROWSER, settle
from helpers.paths import ROOT

from tools.pictures import PICTURES, fingerprint, open_page, read_fingerprints

pytestmark = [*IN_BROWSER, pytest.mark.thorough]


@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_is_older_than_its_page(page, server, name):
    assert (ROOT / "docs" / f"{name}.png").exists(), "run: make pictures"
    open_page(page, server, name)
    settle(page)
    assert fingerprint(page) == read_fingerprints().get(name), (
        f"docs/{name}.png shows an older page; run: make pictures"
    )
