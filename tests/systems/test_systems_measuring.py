"""From maps to scores: those of compare(), several references, missing outputs, and what drives a difference."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from helpers.batch import batch_options
from helpers.encoders import hashed, sentence_encoder
from helpers.floats import by_arithmetic
from helpers.paths import SAMPLES
from helpers.trees import tree_of

from tted_core import MindMap, compare, read_map
from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES
from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.pairs import pairs_of_systems
from tted_core.batch.table import COSTS
from tted_core.errors import MapFormatError, OptionsError, UnknownNameError
from tted_core.matching.records import STATUSES
from tted_core.method import PRESETS
from tted_core.systems import compare_systems, depth_means, measure_systems
from tted_core.systems.output import report_lines, systems_json
from tted_core.systems.verdicts import beaten

TOPICS = ("bread", "baikal", "photosynthesis")
KINDS_OF_SAMPLES = ("paraphrase_1", "structure_2", "meaning_3")
load = partial(sentence_encoder, encode=hashed)


def collection(kind, topics=TOPICS):
    return [(topic, partial(read_map, SAMPLES / topic / f"{kind}.json")) for topic in topics]


def given(**maps):
    return [(name, partial(MindMap, tree_of(text), "tree")) for name, text in maps.items()]


def loaded(_name):
    return load()


def measure(
    references, systems, *, preset_name="proofreading", order=None, baselines=(), controls=(), **options
):
    chosen = {f"{name}s": (value,) for name, value in dict(PRESETS[preset_name]).items()}
    if order:
        chosen["orders"] = (order,)
    return measure_systems(
        pairs_of_systems(references, systems, controls),
        batch_options(**chosen, baselines=baselines),
        load=loaded,
        **options,
    )


@pytest.mark.parametrize("preset_name", ["proofreading", "published"])
def test_scores_are_those_of_compare(preset_name):
    systems = {kind: collection(kind) for kind in KINDS_OF_SAMPLES}
    found = measure([collection("base")], systems, preset_name=preset_name, baselines=("rouge_bag",))
    assert found.scores.items == tuple(sorted(TOPICS))
    assert found.scores.lower == {"tted", *NORMALISATIONS} - {"steinhaus"}
    for row, kind in enumerate(KINDS_OF_SAMPLES):
        for column, topic in enumerate(sorted(TOPICS)):
            maps = [read_map(SAMPLES / topic / f"{name}.json") for name in ("base", kind)]
            result = compare(*maps, encoder=hashed, preset=preset_name)
            values = {name: each[row, column] for name, each in found.scores.measures.items()}
            assert values["tted"] == pytest.approx(result.tted, rel=1e-9)
            assert values["normalized"] == pytest.approx(result.normalized, rel=1e-9)
            nodes, power = len(maps[0].tree), result.method.power
            assert values["tted_per_reference"] == pytest.approx(result.tted / nodes ** (1 / power), rel=1e-9)
            assert values["reference_normalized"] == pytest.approx(
                result.normalizations["reference_normalized"], rel=1e-9
            )
            assert values["rouge_bag"] == by_arithmetic(
                BASELINES["rouge_bag"](maps[0].tree, maps[1].tree).sim
            )
            check_operations(found.operations[topic, kind], result, values, preset_name)
    assert found.signature.startswith(
        "refs:1|missing:drop|docs:3|TTED|order:constrained|enc:hashed@01234567|"
    )
    assert "in:" not in found.signature


def check_operations(found, result, values, preset_name):
    """Against the correspondence and the script of compare().

    Where all gaps cost the same, as by the preset proofreading, several scripts may be cheapest, and pair other
    sentences that aren't near.
    """
    words = result.explain().matching
    if preset_name != "proofreading":
        assert {status: found[status] for status in STATUSES} == words.counts
        assert (values["coverage"], values["support"]) == pytest.approx(words.shares(result.costs))
        for name in COSTS:
            kind = name.removeprefix("cost_")
            assert found[name] == pytest.approx(sum(op.cost for op in result.script.ops if op.op == kind))
    assert sum(found[name] for name in COSTS) == pytest.approx(sum(op.cost for op in result.script.ops))


def test_operations_are_those_of_a_batch():
    base, output = given(d="a(b(c d) e)"), given(d="a(b(c) e(d) x)")
    found = measure([base], {"s": output}).drivers["s"]
    assert (found["extra"], found["moved"], found["missing"]) == (1, 1, 0)
    assert (found["coverage"], found["support"]) == (pytest.approx(1), pytest.approx(5 / 6))
    assert [found[name] for name in COSTS] == pytest.approx([0, 0.8, 1.6])


@pytest.mark.parametrize("preset_name", ["proofreading", "published"])
def test_a_heading_that_goes_moves_nothing_and_an_unrelated_sentence_covers_nothing(preset_name):
    base = given(d="r(h(x y) z)", e="r(x y)")
    found = measure([base], {"s": given(d="r(x y z)", e="r(x k)")}, preset_name=preset_name).operations
    counts = {item: {status: found[item, "s"][status] for status in STATUSES} for item in "de"}
    assert counts["d"] == dict.fromkeys(STATUSES, 0) | {"same": 4, "missing": 1}
    assert counts["e"] == dict.fromkeys(STATUSES, 0) | {"same": 2, "missing": 1, "extra": 1}
    assert 0.5 < found["e", "s"]["coverage"] < 0.8


def test_of_several_references_the_nearest_farthest_or_mean_counts():
    references = [given(d="a(b c)", e="a(b)"), given(d="a(b x)")]
    systems = {"s": given(d="a(b c)", e="a(b)")}
    by = {
        over: measure(references, systems, over=over, baselines=("rouge_bag",))
        for over in ("min", "mean", "max")
    }
    values = {over: each.scores.measures for over, each in by.items()}
    near, far = (values[over]["normalized"][0, 0] for over in ("min", "max"))
    assert near == 0 < far
    assert values["mean"]["normalized"][0, 0] == pytest.approx(far / 2)
    assert values["min"]["rouge_bag"][0, 0] > values["max"]["rouge_bag"][0, 0]
    assert values["max"]["normalized"][0, 1] == 0
    same = {over: each.operations["d", "s"]["same"] for over, each in by.items()}
    assert same["mean"] < same["min"] == 3
    assert "refs:1-2,max|" in by["max"].signature


def test_a_missing_document_is_left_out_for_all_or_counts_as_the_empty_map(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text('{"a": ', encoding="utf-8")
    references = [given(d="a(b)", e="a(b c)", f="a")]
    systems = {
        "whole": given(d="a(b)", e="a(b c)", f="a"),
        "part": [*given(d="a(b)", other="x"), ("e", partial(read_map, broken))],
    }
    dropped = measure(references, systems)
    compared = compare_systems(dropped.scores, resamples=99)
    assert {row.n for row in compared.systems} == {1}
    notices = compared.notices
    assert notices[0] == "1 map of part without a reference left out: other"
    assert notices[1].startswith("2 of 3 documents left out for all systems: e (part: ")
    assert notices[1].endswith("; f (part: no map of this name)")
    counted = measure(references, systems, missing="empty", baselines=("rouge_bag",))
    values = {name: each[1].tolist() for name, each in counted.scores.measures.items()}
    assert values["normalized"] == [0, 1, 1]
    assert values["tted"] == pytest.approx([0, 0.8 * 3 ** (1 / 8), 0.8])
    assert (values["coverage"], values["support"]) == ([1, 0, 0], [1, 0, 0])
    assert values["rouge_bag"][1:] == [0, 0]
    assert "2 documents of part counted as the empty map: e (" in counted.scores.notices[1]
    assert counted.operations["e", "part"]["missing"] == 3
    assert compare_systems(counted.scores, resamples=99).systems[0].n == 3


def test_with_its_own_gap_costs_the_empty_map_is_as_far_as_in_the_formulas():
    reference = tree_of("a(b c)")
    found = measure([given(d="a(b c)", e="a")], {"s": given(e="a")}, preset_name="published", missing="empty")
    prices = compare(reference, reference, encoder=hashed, preset="published").costs[:-1, -1]
    values = {name: each[0, 0] for name, each in found.scores.measures.items()}
    assert values["tted"] == pytest.approx(prices.sum())
    assert values["normalized"] == pytest.approx(2 * prices.sum() / (3 * prices.max() + prices.sum()))


def test_controls_are_made_of_the_references():
    references = given(d="a(b(c) e)", e="x(y)", f="u(v w)")
    controls = tuple(BATCH_CONTROLS)
    found = measure([references], {"s": references}, preset_name="published", controls=controls).scores
    assert found.systems == ("s", *BATCH_CONTROLS)
    assert found.contenders.systems == ("s",)
    expected = {
        "(root)": given(d="a", e="x", f="u"),
        "(flat)": given(d="a(b c e)", e="x(y)", f="u(v w)"),
        "(two levels)": given(d="a(b e)", e="x(y)", f="u(v w)"),
        "(another reference)": given(d="x(y)", e="u(v w)", f="a(b(c) e)"),
    }
    made = {name.strip("()"): maps for name, maps in expected.items()}
    by_hand = measure([references], made, preset_name="published")
    for measure_name, values in by_hand.scores.measures.items():
        np.testing.assert_array_equal(found.measures[measure_name][1:], values)


def test_a_control_that_beats_a_system_is_reported():
    references = given(d="a(b(c) e)", e="x(y(z))")
    systems = {"same": references, "other": given(d="k(l m n o p q)", e="k(l m n o p q r)")}
    measured = measure([references], systems, preset_name="published", controls=("(root)", "(flat)"))
    compared = compare_systems(measured.scores, resamples=99)
    assert compared.ranking == ("same", "other")
    assert compared.controls == ("(flat)", "(root)")
    assert "(flat)" in beaten(compared, ["tted"])
    assert beaten(compared, ["tted"]).endswith("beat “other”.")
    assert beaten(compare_systems(measured.scores.contenders, resamples=99), ["tted"]) == ""
    equal = [replace(row, mean=1.0 + 1e-15 * (row.system == "other")) for row in compared.systems]
    assert beaten(replace(compared, systems=tuple(equal)), ["tted"]) == ""
    with pytest.raises(OptionsError, match=r"\(root\) is the name of a control"):
        measure([references], {"(root)": references}, controls=("(root)",))


def test_one_document_has_no_other_reference():
    found = measure([given(d="a(b)")], {"s": given(d="a(b)")}, controls=tuple(BATCH_CONTROLS))
    assert found.scores.systems[1:] == ("(root)", "(flat)", "(two levels)")


def test_a_reference_that_cannot_be_read_is_reported(tmp_path):
    references = [[*given(d="a(b)"), ("e", partial(read_map, tmp_path / "none.json"))]]
    found = measure(references, {"s": given(d="a(b)", e="a")}).scores
    assert found.remarks[0].startswith("a reference of e can't be compared: ")
    assert np.isnan(found.measures["tted"]).tolist() == [[False, True]]
    assert "e (s: no reference that can be compared)" in found.notices[-1]


def test_trimmed_to_few_levels():
    references, systems = [collection("base")], {kind: collection(kind) for kind in KINDS_OF_SAMPLES}
    depths = measure_systems(
        pairs_of_systems(references, systems), batch_options(), by_depth=True, load=loaded
    ).depths
    assert len(depths) == max(read().tree.depth for _, read in references[0])
    bases = [read_map(SAMPLES / "baikal" / f"{name}.json") for name in ("base", "structure_2")]
    expected = compare(*bases, encoder=hashed).normalized_at[:3]
    assert [each.measures["normalized"][1, 0] for each in depths[:3]] == pytest.approx(expected)


def test_measures_of_the_suite_by_depth():
    """The means of what a comparison gives for each k."""
    names = ("structural_tted", "mean_relabel_distance")
    outputs = {"meaning_3": collection("meaning_3", TOPICS[:2])}
    options = replace(batch_options(), baselines=names, equivalence=0.9)
    inputs = pairs_of_systems([collection("base", TOPICS[:2])], outputs)
    depths = measure_systems(inputs, options, by_depth=True, load=loaded).depths
    means = {(row.measure, row.k): row.mean for row in depth_means(depths)}
    at = []
    for topic in TOPICS[:2]:
        maps = [read_map(SAMPLES / topic / f"{name}.json") for name in ("base", "meaning_3")]
        content = compare(*maps, encoder=hashed, baselines=names, equivalence=0.9).to_dict()
        at.append(content["structural_tted_at"])
    for k in range(1, 4):
        assert means["structural_tted", k] == pytest.approx(np.mean([each[k - 1] for each in at]))
    text = "\n".join(
        report_lines(compare_systems(depths[2], resamples=99), {}, "", by_depth=depth_means(depths))
    )
    assert "structural_tted by depth: means of maps trimmed to k levels" in text
    content = systems_json(compare_systems(depths[2], resamples=99), {}, "", depth_means(depths))
    assert {row["measure"] for row in content["by_depth"]} == {"normalized", *names}


def test_a_document_without_a_value_counts_for_the_other_measures():
    """The mean distance of replaced texts is undefined for e's output, which equals the reference."""
    chosen = batch_options(baselines=("mean_relabel_distance", "rouge_bag"))
    outputs = {"s": given(d="R(a)", e="R(A)"), "t": given(d="R(a)", e="R(a)")}
    inputs = pairs_of_systems([given(d="R(A)", e="R(A)")], outputs)
    found = measure_systems(inputs, chosen, load=lambda _name: sentence_encoder())
    compared = compare_systems(found.scores, resamples=99)
    counts = {row.measure: row.n for row in compared.systems if row.system == "s"}
    assert counts == {**dict.fromkeys(counts, 2), "mean_relabel_distance": 1}
    assert any("mean_relabel_distance ↓" in line for line in report_lines(compared, {}, ""))


def test_what_cannot_be_compared():
    references = [given(d="a")]
    with pytest.raises(OptionsError, match="name references and at least one system"):
        measure(references, {})
    with pytest.raises(MapFormatError, match=r"no map of s has the name of a reference \('?d'?\)"):
        measure(references, {"s": given(e="a")})
    with pytest.raises(OptionsError, match="under one setting, not 2"):
        measure_systems(
            pairs_of_systems(references, {"s": references[0]}),
            batch_options(orders=("ordered", "constrained")),
        )
    with pytest.raises(UnknownNameError, match="choose one of: min, mean, max"):
        measure(references, {"s": references[0]}, over="median")
