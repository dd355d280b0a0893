"""Comparisons as map files: the merged map comes back as it is shown, whatever its texts are."""

import json
import random
import re
import zipfile
from io import BytesIO

import pytest
from helpers.command import LEFT, RIGHT
from helpers.encoders import hashed
from helpers.paths import SAMPLES
from helpers.payloads import ALL
from helpers.thorough import sampled
from helpers.trees import random_tree, tree_of

from tted_core import TextTree, compare, read_map
from tted_core.explain.correspondence import STATUSES
from tted_core.explain.merged import merged_map
from tted_core.formats import parse_map
from tted_core.formats.labels import LabelRepairs
from tted_core.formats.reading import SIGNS, list_maps
from tted_core.report.exports import EXPORTS, written
from tted_core.report.marked_maps import MARKED_MAPS
from tted_core.report.palette import STYLES

FOLDERS = sorted(folder.parent.name for folder in SAMPLES.glob("*/base.json"))
FORMAT = {"mm": "freemind", "xmind": "xmind", "opml": "opml", "md": "markdown", "mmd": "mermaid"}


def compared(left, right, order="constrained"):
    return compare(left, right, encoder=hashed, order=order, baselines=())


def assert_comes_back(result, kind):
    """The file holds the merged map: each text behind its sign, the old text after a replaced one."""
    merged = merged_map(result)
    mind_map = parse_map(written(result, kind))
    assert mind_map.format == FORMAT[kind]
    assert mind_map.tree.parents == merged.parents
    for label, status, text, old in zip(
        mind_map.tree.labels, merged.statuses, merged.texts, merged.old, strict=True
    ):
        was = "" if old is None else f" (was: {cleaned(old)})"
        assert label == f"{STATUSES[status]} {cleaned(text)}".rstrip() + was


def cleaned(text):
    return LabelRepairs().clean(text, str)


@pytest.mark.parametrize("kind", MARKED_MAPS)
@pytest.mark.parametrize("folder", sampled(FOLDERS, 2))
def test_the_merged_map_comes_back(folder, kind):
    base = read_map(SAMPLES / folder / "base.json")
    others = [file for file in sorted((SAMPLES / folder).glob("*.json")) if file.name != "base.json"]
    for file in others[:3]:
        assert_comes_back(compared(base, read_map(file)), kind)


@pytest.mark.parametrize("kind", MARKED_MAPS)
@pytest.mark.parametrize("order", ["ordered", "constrained"])
def test_they_come_back_whatever_has_moved(order, kind):
    for seed in range(8):
        rng = random.Random(seed)
        left, right = random_tree(rng, 9), random_tree(rng, 8)
        assert_comes_back(compared(left, right, order), kind)


@pytest.mark.parametrize("kind", MARKED_MAPS)
def test_they_come_back_whatever_the_texts_are(kind):
    texts = [text for text in ALL if len(text) < 4_000]  # a sign and an old text go into one label besides
    texts += ["", "= a", "(was: b)", "-- > ; was", "a\\"]
    tree = parse_map(json.dumps({"label": "r", "children": [{"label": text} for text in texts]})).tree
    turned = TextTree(tuple(reversed(tree.labels)), tree.parents)
    for pair in ((tree, turned), (turned, tree), (tree, tree)):
        assert_comes_back(compared(*pair, order="ordered"), kind)


def test_a_text_that_reads_like_an_old_one_is_kept():
    result = compared(tree_of("r(old)"), TextTree(("r", "new (was: old)"), (-1, 0)), order="ordered")
    for kind in MARKED_MAPS:
        assert_comes_back(result, kind)


@pytest.mark.thorough
def test_the_deepest_maps_come_back():
    chain = tuple(range(-1, 499))
    left = TextTree(tuple(f"l{node}" for node in chain), chain)
    right = TextTree(tuple(f"r{node}" for node in chain), chain)
    result = compared(left, right)
    for kind in MARKED_MAPS:
        assert_comes_back(result, kind)


def test_without_what_is_deleted_the_merged_map_is_the_right_one():
    for seed in range(20):
        rng = random.Random(seed)
        left, right = random_tree(rng, 12), random_tree(rng, 12)
        result = compared(left, right)
        merged = merged_map(result)
        assert sorted(map(repr, merged.ops)) == sorted(map(repr, result.script.ops))
        TextTree(merged.texts, merged.parents)  # in preorder, one root
        kept = [node for node, op in enumerate(merged.ops) if op.target is not None]
        assert [merged.ops[node].target for node in kept] == list(range(len(right)))
        above = [merged.ops[merged.parents[node]].target for node in kept[1:]]
        assert above == list(right.parents[1:])


def test_a_deleted_node_stays_behind_its_left_sibling():
    left, right = tree_of("r(a x b)"), tree_of("r(a b)")
    merged = merged_map(compared(left, right, order="ordered"))
    assert [(op.op, text) for op, text in zip(merged.ops, merged.texts, strict=True)] == [
        ("match", "r"),
        ("match", "a"),
        ("delete", "x"),
        ("match", "b"),
    ]


@pytest.fixture(scope="module")
def result():
    return compared(tree_of("r(same before(gone deeper carried))"), tree_of("r(same(carried) after new two)"))


def test_signs_are_those_of_the_statuses():
    assert {sign.strip() for sign in SIGNS} == set(STATUSES.values())


@pytest.mark.parametrize("kind", MARKED_MAPS)
def test_every_status_has_its_sign_and_where_there_are_colours_its_colour(result, kind):
    content = written(result, kind)
    if kind == "xmind":
        content = zipfile.ZipFile(BytesIO(content)).read("content.json")
    text = content.decode().replace("\\\\", "")
    found = set(merged_map(result).statuses)
    assert {"same", "moved"} <= found
    for status in found:
        assert re.search(rf"\\?{re.escape(STATUSES[status])} \w", text), status
        if kind in {"mm", "xmind", "mmd"}:
            assert STYLES[status].light[0] in text


def test_a_file_that_shows_a_comparison_says_so(result):
    for kind in MARKED_MAPS:
        content = written(result, kind)
        mind_map = parse_map(content)
        assert len(list_maps(content)) == 1
        assert sum("the signs of a comparison" in notice for notice in mind_map.notices) == 1
    assert not parse_map("+ a\n  - b\n").notices


def test_the_command_line_writes_them(tted, tmp_path):
    files = [tmp_path / f"out.{kind}" for kind in MARKED_MAPS]
    arguments = [part for file in files for part in ("--report", str(file))]
    status, _, _ = tted("compare", LEFT, RIGHT, "--baselines", "none", *arguments)
    assert status == 0
    for file in files:
        status, out, err = tted("read", str(file), "--json")
        assert status == 0
        shown = {label[2:].partition(" (was: ")[0] for label in json.loads(out)["labels"]}
        assert set(read_map(RIGHT).tree.labels) <= shown
        assert "the signs of a comparison" in err


def test_they_are_offered_as_reports():
    assert set(MARKED_MAPS) <= set(EXPORTS)
