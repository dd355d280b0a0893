"""The report of large maps: unchanged stretches fold, changes and what is above them don't; and files' names."""

import re

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import tree_of

from tted_core import MindMap
from tted_core.report.html_report import MANY, file_stem, html_report, mapping_blocks

NAMES = [f"x{number}" for number in range(MANY)]
LEFT = f"r(a({' '.join(NAMES)}) b(c(d)))"
RIGHT = f"r(a({' '.join(NAMES)} d) b(c))"


def test_unchanged_stretches_fold_between_changes_and_what_is_above_them():
    result = compare(tree_of(LEFT), tree_of(RIGHT), encoder=hashed)
    blocks = mapping_blocks(result.explain())
    assert [block.unchanged for block in blocks] == [0, MANY, 0]
    first, stretch, last = blocks
    assert [row.left.index for row in first.rows] == [0, 1]
    assert len(stretch.rows) == MANY
    (end,) = [row.right for row in last.rows if row.left is None]
    (start,) = [row.left for row in last.rows if row.right is None]
    assert (start.sentence.right, end.sentence.left) == (end, start)
    content = html_report(result.explain())
    assert f"<details><summary>{MANY} unchanged</summary>" in content
    assert f'href="#r{end.index}">moved to → (no. {end.index})' in content
    assert f'href="#l{start.index}">← moved from (no. {start.index})' in content
    assert len(set(re.findall(r' id="([lr]\d+)"', content))) == len(result.left.tree) + len(result.right.tree)
    nowhere = set(re.findall(r'href="#([^"]+)"', content)) - set(re.findall(r' id="([^"]+)"', content))
    assert not nowhere, "every position that the contents, changes and moves lead to is there"
    assert content.index('id="changes"') < content.index('id="mapping"')
    assert "Moving the sentence" in content


def test_small_maps_are_shown_whole():
    result = compare(tree_of("r(a b)"), tree_of("r(a c)"), encoder=hashed)
    assert [block.unchanged for block in mapping_blocks(result.explain())] == [0]
    assert "<details>" not in html_report(result.explain())


@pytest.mark.parametrize(
    ("left", "right", "stem"),
    [
        ("coral-reefs/base.json", "коралл v2.mm", "coral-reefs-base--коралл-v2"),
        (None, "../..", "left--right"),
        ("a" * 90, 'con: <"b">|?*', f"{'a' * 40}--con-b"),
    ],
)
def test_files_are_named_after_both_maps(left, right, stem):
    maps = (MindMap(tree_of("r"), "tree", name=name) for name in (left, right))
    assert file_stem(compare(*maps, encoder=hashed)) == stem
