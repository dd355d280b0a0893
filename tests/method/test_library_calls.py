"""The library as a stranger calls it, as a table: what each right call gives."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.library import FILE, LEFT, MAP, RESULT, RIGHT, TREE, compared, made
from helpers.trees import tree_of

import tted_core
from tted_core import (
    PRESETS,
    TTED,
    TextTree,
    compare,
    map_text,
    parse_map,
    read_map,
    read_maps,
    write_map,
)
from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES, DEFAULT_BASELINES, MEASURES
from tted_core.method import Method
from tted_core.report.exports import EXPORTS

ROWS = TREE.compare_many([(LEFT, RIGHT), (RIGHT, LEFT), (LEFT, LEFT)], baselines=["rouge_sim"])
ALL = compared(baselines="all")


def present(counts):
    """Those that aren't 0."""
    return {name: count for name, count in counts.items() if count}


RIGHT_CALLS = {
    # Trees and maps.
    "a tree's nodes": (lambda: len(LEFT), 4),
    "its levels": (lambda: LEFT.depth, 3),
    "its children": (lambda: LEFT.children, ((1, 3), (2,), (), ())),
    "its first two levels": (lambda: LEFT.trimmed(2).labels, ("a", "b", "d")),
    "a tree of lists": (lambda: TextTree(["a", "b"], np.array([-1, 0])), TextTree(("a", "b"), (-1, 0))),
    "a tree of children": (lambda: TextTree.from_children(["a", "b"], [[1], []]).parents, (-1, 0)),
    "a text": (lambda: parse_map("a\n  b").tree.labels, ("a", "b")),
    "bytes": (lambda: parse_map(b"# a\n- b").format, "markdown"),
    "a text with its format": (lambda: parse_map("a", format="indented").tree.labels, ("a",)),
    "the name of a map": (lambda: parse_map("a", name="mine").name, "mine"),
    "a file": (lambda: len(read_map(FILE).tree), 14),
    "the maps of a file": (lambda: len(read_maps(FILE)), 1),
    "the maps of a folder": (lambda: len(read_maps(Path(FILE).parent)), 15),
    "a map's text": (lambda: map_text(LEFT, "markdown"), ("# a\n- b\n  - c\n- d\n", ())),
    "a map's text by a path": (lambda: map_text(FILE, "json"), map_text(read_map(FILE), "json")),
    # One comparison.
    "by the function": (lambda: compared().tted, RESULT.tted),
    "by the same again": (lambda: TREE.compare(LEFT, RIGHT) == TREE.compare(LEFT, RIGHT), True),
    "of other maps": (lambda: TREE.compare(LEFT, LEFT) == RESULT, False),
    "by another order": (lambda: compared(order="ordered") == RESULT, False),
    "in a set": (lambda: len({RESULT, TREE.compare(LEFT, RIGHT)}), 1),
    "with itself": (lambda: TREE.compare(LEFT, LEFT).tted, 0.0),
    "of paths": (lambda: compared(FILE, Path(FILE)).tted, 0.0),
    "of texts and children": (lambda: compared((["a", "b"], [[1], []]), tree_of("a(b)")).tted, 0.0),
    "of maps": (lambda: compared(MAP, LEFT).tted, 0.0),
    "proven": (lambda: RESULT.proven, True),
    "its bound": (lambda: RESULT.lower_bound == RESULT.tted, True),
    "its excess": (lambda: RESULT.excess, 0.0),
    "in one line": (lambda: repr(RESULT).count("\n") == 0 and len(repr(RESULT)) < 300, True),
    "its statuses": (lambda: present(RESULT.statuses), {"same": 2, "missing": 2, "extra": 2}),
    "its script": (
        lambda: [op.op for op in RESULT.script.ops],
        ["match", "match", "replace", "delete", "insert"],
    ),
    "the sum of its script": (lambda: sum(op.cost for op in RESULT.script.ops), pytest.approx(RESULT.tted)),
    "its normalised distances": (lambda: list(RESULT.normalizations), list(NORMALISATIONS)),
    "its levels of depth": (lambda: len(RESULT.tted_at), 3),
    "its last level": (lambda: RESULT.tted_at[-1], RESULT.tted),
    "AvgTTED": (lambda: RESULT.avg_tted, pytest.approx(np.mean(RESULT.normalized_at))),
    "the usual baselines": (lambda: tuple(compared().baselines), DEFAULT_BASELINES),
    "no baselines": (lambda: compared(baselines=()).baselines, {}),
    "one baseline": (lambda: list(compared(baselines="rouge_sim").baselines), ["rouge_sim"]),
    "a measure of the suite": (
        lambda: RESULT.suite["cost_replace"][-1],
        pytest.approx(RESULT.script.ops[2].cost),
    ),
    "all baselines": (lambda: {*ALL.baselines, *ALL.suite}, {*MEASURES}),
    "baselines as a generator": (lambda: list(compared(baselines=(n for n in ["ceds"])).baselines), ["ceds"]),
    "without a context": (lambda: RESULT.costs.shape, (5, 5)),
    "its notices": (lambda: RESULT.notices, ()),
    "its JSON": (lambda: json.loads(json.dumps(RESULT.to_dict()))["tted"], RESULT.tted),
    "its table": (lambda: list(RESULT.to_frame().op), [op.op for op in RESULT.script.ops]),
    "the statuses of its table": (
        lambda: RESULT.to_frame()[["source_status", "target_status"]].stack().value_counts().to_dict(),
        present(RESULT.statuses),
    ),
    "in a notebook": (lambda: "<script" in RESULT._repr_html_(), False),
    "its depth": (lambda: compared(depth=1).left.tree.labels, ("a",)),
    "pickled": (lambda: pickle.loads(pickle.dumps(RESULT)) == RESULT, True),
    # The method as an object.
    "a TTED pickled after use": (
        lambda: pickle.loads(pickle.dumps(TREE)).compare(LEFT, RIGHT) == RESULT,
        True,
    ),
    "the code of a TTED": (lambda: repr(TTED(order="ordered")).startswith("TTED(encoder='minilm'"), True),
    "its options": (lambda: made(gap="=0.8").get_params()["gap"], "=0.8"),
    "a TTED of its options": (lambda: TTED(**TREE.get_params()).signature, TREE.signature),
    "its signature": (lambda: TREE.signature.startswith("TTED|order:constrained|enc:"), True),
    "a preset": (lambda: made(preset="proofreading").method.power, 8.0),
    "a preset with another option": (lambda: made(preset="proofreading", power=2).method.gap, "=0.8"),
    "the names of presets": (lambda: list(PRESETS), ["published", "proofreading", "similarity"]),
    "a depth as a text": (lambda: made(depth="2").method.depth, 2),
    "all levels": (lambda: made(depth="all").method.depth, None),
    "equal methods": (lambda: Method(order="ordered") == Method.of("published", order="ordered"), True),
    "a method in a set": (lambda: len({Method(), Method()}), 1),
    "a model with encode": (lambda: TTED(WithEncode()).compare(LEFT, RIGHT).tted, RESULT.tted),
    # Many.
    "so many rows": (lambda: len(ROWS), 3),
    "a row": (lambda: ROWS[0]["tted"], pytest.approx(RESULT.tted)),
    "the last row": (lambda: ROWS[-1]["tted"], 0.0),
    "some rows": (lambda: [row["normalized"] for row in ROWS[2:]], [0.0]),
    "the rows in one line": (lambda: repr(ROWS), "<3 pairs by cosine, constrained, rouge_sim>"),
    "the rows as a table": (lambda: ROWS.to_pandas().shape[0], 3),
    "a row's baseline": (lambda: ROWS[0]["rouge_sim"], pytest.approx(RESULT.baselines["rouge_sim"].sim)),
    "no rows": (lambda: list(TREE.compare_many([])), []),
    "rows with sentences": (lambda: TREE.compare_many([(LEFT, RIGHT)], sentences=True)[0]["missing"], 2),
    "a matrix": (lambda: list(TREE.pairwise([LEFT, RIGHT])[0]), [0.0, pytest.approx(RESULT.tted)]),
    "a matrix to others": (lambda: TREE.pairwise([LEFT], [RIGHT, LEFT]).shape, (1, 2)),
    "a matrix of a score": (
        lambda: TREE.pairwise([LEFT, RIGHT], score="steinhaus").max(),
        pytest.approx(RESULT.steinhaus),
    ),
    # Registries.
    "a baseline of a path": (lambda: BASELINES["rouge_sim"](FILE, Path(FILE)).rho_base, 0.0),
    "a baseline of a map": (lambda: BASELINES["edge_f1"](MAP, LEFT, hashed).sim, 1.0),
    "a baseline by itself": (lambda: BASELINES["rouge_sim"](LEFT, RIGHT), RESULT.baselines["rouge_sim"]),
    "the help": (lambda: len(tted_core.__doc__.splitlines()) < 40, True),
}


class WithEncode:
    """A model as sentence-transformers has them."""

    def encode(self, sentences):
        """Vectors."""
        return hashed(sentences)


@pytest.mark.parametrize("call", RIGHT_CALLS)
def test_a_call_gives(call):
    function, expected = RIGHT_CALLS[call]
    assert function() == expected


def test_written_files_create_their_folder_and_can_be_read(tmp_path):
    for ending in ("json", "md", "opml", "mm", "mmd"):
        file = tmp_path / ending / f"map.{ending}"
        assert write_map(LEFT, file) == ()
        assert read_map(file).tree == LEFT
    write_map(LEFT, tmp_path / "map.txt", "nested-json")
    assert read_map(tmp_path / "map.txt").tree == LEFT
    for ending in EXPORTS:
        RESULT.save(tmp_path / "results" / f"result.{ending}")
    assert {file.suffix.removeprefix(".") for file in (tmp_path / "results").iterdir()} == {*EXPORTS}


def test_a_gap_that_is_added_says_so():
    reported = compared(gap="0.8").notices
    assert any("the gap 0.8 is added to" in notice and "=0.8 would be all" in notice for notice in reported)
    assert not any("is added to" in notice for notice in compared(gap="=0.8").notices)
    (row,) = made(gap=0.8).compare_many([(LEFT, RIGHT)])
    assert "the gap 0.8 is added to" in row["notices"]


def test_an_old_name_works_with_a_warning():
    with pytest.warns(DeprecationWarning, match="is now normalizations"):
        assert RESULT.normalised == RESULT.normalizations


def test_a_custom_encoder_has_a_name_and_a_fingerprint():
    def other(texts):
        return hashed([f"{text}." for text in texts])

    def named(**given):
        return re.search(r"\|enc:([^|]+)\|", TTED(**given).signature)[1]

    (name, print_of), (again, of_other) = (
        named(encoder=each, encoder_name="mine").split("@") for each in (hashed, other)
    )
    assert name == again == "mine"
    assert re.fullmatch("[0-9a-f]{8}", print_of)
    assert print_of != of_other
    assert named(encoder=lambda texts: hashed(texts) * (1 + 1e-9)) == f"custom@{print_of}"
    assert named(encoder=lambda texts: 2 * hashed(texts)) != f"custom@{print_of}"
    result = compared(encoder_name="mine")
    assert f"|enc:mine@{print_of}|" in result.signature
    assert json.loads(json.dumps(result.to_dict()))["options"]["encoder"] == "mine"


def test_an_encoder_of_some_texts_only_is_unknown():
    vectors = {"a": [1.0, 0.0], "b": [0.0, 1.0], "": [1.0, 1.0]}
    result = compare(tree_of("a"), tree_of("b"), encoder=lambda texts: [vectors[text] for text in texts])
    assert "|enc:custom@unknown|" in result.signature
