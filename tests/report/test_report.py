"""JSON objects and CSV of a comparison, whose shapes are kept stable."""

import csv
import io
import json

import pytest
from helpers.encoders import hashed
from helpers.trees import tree_of

from tted_core import compare
from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES
from tted_core.foundations.tables import FORMULA_STARTS, spreadsheet_cell
from tted_core.report.exports import script_csv
from tted_core.tree import TextTree
from tted_core.version import VERSION

COMPARISON_KEYS = [
    "tted",
    "lower_bound",
    "proven",
    *NORMALISATIONS,
    "tted_at",
    "avg_tted",
    "script",
    "sentences",
    "baselines",
    "left",
    "right",
    "options",
    "notices",
    "signature",
    "version",
]


@pytest.fixture(scope="module")
def comparison():
    return compare(
        tree_of("a(b(c) d)"), tree_of("a(d e)"), encoder=hashed, distance="euclidean", baselines=BASELINES
    )


def test_a_comparison_has_exactly_these_keys(comparison):
    content = comparison.to_dict()
    assert list(content) == COMPARISON_KEYS
    assert list(content["options"]) == [
        "encoder",
        "distance",
        "order",
        "context",
        "gap",
        "power",
        "depth",
        "time_limit",
    ]
    assert list(content["sentences"]) == ["bounds", "counts", "coverage", "support", "flags", "outcomes"]
    assert content["sentences"]["counts"]["same"] == 2
    assert list(content["left"]) == ["format", "nodes", "depth", "labels", "parents", "notices"]
    assert content["version"] == VERSION
    assert content["baselines"].keys() == BASELINES.keys()
    keys = ["sim", "sim_left", "sim_right", "rho_base"]
    assert list(content["baselines"]["rouge_sim"]) == keys
    assert list(content["baselines"]["edge_f1"]) == [*keys, "precision", "recall"]


def test_a_comparison_survives_strict_json(comparison):
    content = comparison.to_dict()
    assert json.loads(json.dumps(content, allow_nan=False)) == content


def test_the_script_refers_to_the_maps_beside_it(comparison):
    content = comparison.to_dict()
    for op, entry in zip(comparison.script.ops, content["script"], strict=True):
        assert (entry["op"], entry["source"], entry["target"], entry["cost"]) == (
            op.op,
            op.source,
            op.target,
            op.cost,
        )
        assert entry.get("notes", []) == list(op.notes)
    moved = [entry for entry in content["script"] if "notes" in entry]
    assert len(moved) < len(content["script"])
    assert sum(entry["cost"] for entry in content["script"]) == pytest.approx(content["tted"], abs=1e-9)


def rows(comparison):
    return list(csv.reader(io.StringIO(script_csv(comparison.explain()))))


def test_the_csv_lists_the_script_and_nothing_else(comparison):
    header, *ops = rows(comparison)
    labels = ["source_label", "target_label", "notes", "source_map", "target_map"]
    assert header == ["op", "source", "target", "cost", *labels]
    assert len(ops) == len(comparison.script.ops)
    for row, op in zip(ops, comparison.script.ops, strict=True):
        assert row[:3] == [op.op, *("" if node is None else str(node) for node in (op.source, op.target))]
        assert float(row[3]) == op.cost
        assert row[4] == ("" if op.source is None else comparison.left.tree.labels[op.source])
        assert row[5] == ("" if op.target is None else comparison.right.tree.labels[op.target])
        assert row[6] == "; ".join(op.notes)
        assert row[7:] == ["Left map", "Right map"]


@pytest.mark.parametrize("start", [*FORMULA_STARTS, "\n="])
def test_no_label_becomes_a_formula(start):
    label = f'{start}HYPERLINK("http://x";"a, b")'
    tree = TextTree((label,), (-1,))
    ((row),) = rows(compare(tree, tree, encoder=hashed))[1:]
    for cell in row[4:6]:
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert cell.endswith(label)


@pytest.mark.parametrize(
    "text", ["a;=1", "a;'=1", ";=1", "=1;;+2", "a;b", "a; = b", "it's;'s", ";'", "a;\t-1", "@;@;@", ""]
)
def test_a_cell_holds_no_formula_wherever_a_spreadsheet_splits_it(text):
    cell = spreadsheet_cell(text)
    for part in (cell, *cell.split(";")):
        assert not part.startswith(("=", "+", "-", "@", "\t", "\r"))


def test_labels_with_quotes_commas_and_line_breaks_stay_one_cell():
    label = 'say "a, b"\nand; c'
    tree = TextTree((label,), (-1,))
    assert rows(compare(tree, tree, encoder=hashed))[1][4:6] == [label, label]
