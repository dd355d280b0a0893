"""The view of a comparison in a notebook."""

import re

import pytest
from helpers.encoders import hashed
from helpers.markup import Reader
from helpers.paths import SAMPLES
from helpers.payloads import ENCODABLE, HOSTILE

from tted_core import MindMap, TextTree, compare, read_map


@pytest.fixture(scope="module")
def result():
    folder = SAMPLES / "coral-reefs"
    return compare(read_map(folder / "base.json"), read_map(folder / "demo.json"), encoder=hashed)


def test_it_folds_and_its_report_has_no_script_and_requests_nothing(result):
    found = Reader(result._repr_html_())
    assert found.elements == {"details", "summary", "iframe"}
    (frame,) = (attributes for tag, attributes in found.tags if tag == "iframe")
    assert frame["sandbox"] is None, "an empty list of permissions"
    report = frame["srcdoc"]
    assert Reader(report).elements.isdisjoint({"script", "link", "img", "iframe", "object", "embed"})
    assert not re.search(r"url\(|@import|https?:", report)
    assert result.signature in report


def test_texts_are_data():
    tree = TextTree(("root", *ENCODABLE), (-1, *(0 for _ in ENCODABLE)))
    maps = [MindMap(each, "tree", name=HOSTILE["script"]) for each in (tree, TextTree(("root",), (-1,)))]
    assert Reader(compare(*maps, encoder=hashed)._repr_html_()).elements == {"details", "summary", "iframe"}


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
