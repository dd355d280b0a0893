"""The view of a comparison in a notebook."""

import re

import pytest
from helpers.encoders import hashed
from helpers.markup import Reader
from helpers.paths import SAMPLES
from helpers.payloads import ENCODABLE

from tted_core import TextTree, compare, read_map


@pytest.fixture(scope="module")
def result():
    folder = SAMPLES / "coral-reefs"
    return compare(read_map(folder / "base.json"), read_map(folder / "demo.json"), encoder=hashed)


def test_it_has_no_script_and_requests_nothing(result):
    found = Reader(result._repr_html_())
    assert found.elements.isdisjoint({"script", "link", "img", "iframe", "object", "embed"})
    assert not re.search(r"url\(|@import|https?:(?!//www.w3.org/2000/svg)", result._repr_html_())


def test_texts_are_data():
    tree = TextTree(("root", *ENCODABLE), (-1, *(0 for _ in ENCODABLE)))
    page = compare(tree, TextTree(("root",), (-1,)), encoder=hashed)._repr_html_()
    assert Reader(page).elements <= {"svg", "title", "desc", "rect", "g", "path", "text"}


def test_the_frame_has_every_operation(result):
    frame = result.to_frame()
    ops = result.script.ops
    assert list(frame.op) == [op.op for op in ops]
    assert frame.cost.tolist() == [op.cost for op in ops]
    assert frame.share.sum() == pytest.approx(1)
    assert frame.source.isna().sum() == result.script.count("insert")
    assert frame.target.isna().sum() == result.script.count("delete")
    assert [text for text in frame.source_label if isinstance(text, str)] == [
        result.left.tree.labels[op.source] for op in ops if op.source is not None
    ]


def test_a_picture_shows_itself_no_wider_than_its_cell(result):
    assert result._repr_html_().startswith('<svg style="max-width: 100%; height: auto" ')
