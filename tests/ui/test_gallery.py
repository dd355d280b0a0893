"""The gallery: its links and texts, and that each link opens a finished comparison."""

from urllib.parse import parse_qsl

import pytest
from helpers.pages import opened, shown_operations
from helpers.paths import SAMPLES

from tted_core.formats import read_map
from tted_core.method import OPTIONS
from ui import samples
from ui.samples import examples

each_example = pytest.mark.parametrize("example", examples(), ids=lambda example: example["name"])


@each_example
def test_a_link_names_maps_and_options_that_there_are(example):
    said = dict(parse_qsl(example["link"].removeprefix("?")))
    for side in ("left", "right"):
        assert said.pop(side) in samples.list_all()
    assert said.keys() <= OPTIONS.keys()


def test_the_encyclopedias_have_about_300_nodes():
    sizes = [len(read_map(SAMPLES / "gallery" / f"encyclopedia{end}.json").tree) for end in ("", "_edited")]
    assert sizes == [315, 297]


@pytest.mark.thorough
@pytest.mark.parametrize("example", examples()[::5], ids=lambda example: example["name"])
def test_a_link_opens_a_finished_comparison(example):
    said = dict(parse_qsl(example["link"].removeprefix("?")))
    app = opened("Compare", {}, **said)
    assert not app.error
    nodes = len(read_map(SAMPLES / said["left"]).tree)
    assert sum(each.get("source") is not None for each in shown_operations(app)) == nodes


@pytest.mark.thorough
def test_the_gallery_is_on_the_opening_page():
    app = opened("Compare", {})
    assert sum(each.proto.body.count('href="?left=') for each in app.get("html")) == len(examples())
