"""The gallery: its links, thumbnails and texts, and that each link opens a finished comparison."""

import re
from urllib.parse import parse_qsl

import pytest
from helpers.pages import opened, shown_operations
from helpers.paths import SAMPLES
from streamlit.testing.v1 import AppTest

from tted_core.formats import read_map
from tted_core.method import OPTIONS
from ui import samples
from ui.gallery import EXAMPLES

THUMBNAIL_BYTES = 12_000
each_example = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)


@each_example
def test_a_link_names_maps_and_options_that_there_are(example):
    said = dict(parse_qsl(example.link.removeprefix("?")))
    assert said.pop("left") == example.left
    assert said.pop("right") == example.right
    assert said == dict(example.options)
    assert said.keys() <= OPTIONS.keys()
    for file in (example.left, example.right):
        folder, _, name = file.partition("/")
        assert name in samples.files(folder)
    assert example.thumbnail.stat().st_size < THUMBNAIL_BYTES


def test_the_encyclopedias_have_about_300_nodes():
    sizes = [len(read_map(SAMPLES / "gallery" / f"encyclopedia{end}.json").tree) for end in ("", "_edited")]
    assert sizes == [315, 297]


@pytest.mark.thorough
@each_example
def test_a_link_opens_a_finished_comparison(example):
    app = opened("Compare", {}, **dict(parse_qsl(example.link.removeprefix("?"))))
    assert not app.error
    nodes = len(read_map(SAMPLES / example.left).tree)
    assert sum(each.get("source") is not None for each in shown_operations(app)) == nodes
    assert not links(app)


def links(app: AppTest) -> list[str]:
    """The links of the gallery that is drawn."""
    return [
        link for each in app.get("html") for link in re.findall(r'href="(\?left=[^"]+)"', each.proto.body)
    ]


@pytest.mark.thorough
def test_the_gallery_is_on_the_opening_page():
    app = opened("Compare", {})
    assert len(links(app)) == len(EXAMPLES)
