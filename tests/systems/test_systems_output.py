"""Outputs of a ranking: JSON, CSV, lines, and a LaTeX table that compiles."""

import csv
import io
import json
import re

import numpy as np
import pytest

from tted_core.foundations.tables import MAX_CAPTION
from tted_core.notices import group_notices
from tted_core.systems import PairRow, SystemRow, SystemScores, compare_systems, read_scores
from tted_core.systems.output import (
    items_csv,
    report_lines,
    rows_csv,
    systems_json,
    systems_latex,
)
from tted_core.systems.verdicts import disagreement, verdict

HOSTILE = (r"a_b & 100% \input{x}", "=1+1 #$~^", "<c>|\"'{")


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(6)
    values = rng.normal(size=(3, 24)) / 10 + np.array([[0.2], [0.9], [0.2]])
    items = tuple(f"d{number}" for number in range(24))
    measures = {"normalized": values, "rouge_bag": 100 * values[::-1].copy()}
    return SystemScores(items, HOSTILE, measures, frozenset(["normalized"]))


@pytest.fixture(scope="module")
def compared(scores):
    return compare_systems(scores, resamples=499)


def test_the_json_is_as_agreed(compared):
    content = json.loads(json.dumps(systems_json(compared, {}, "sig"), allow_nan=False))
    assert {"systems", "pairs", "notices", "signature", "version"} <= content.keys()
    assert {"system", "measure", "n", "mean", "ci95"} <= content["systems"][0].keys()
    agreed = {
        "a",
        "b",
        "measure",
        "difference",
        "ci95",
        "p_bootstrap",
        "p_randomization",
        "wins",
        "ties",
        "losses",
    }
    assert agreed <= content["pairs"][0].keys()
    assert content["pairs"][0]["largest"][0].keys() == {"item", "difference"}
    assert content["lower_is_better"] == ["normalized"]


def test_the_tables_read_back(scores, compared):
    rows = list(csv.DictReader(io.StringIO(rows_csv(SystemRow, compared.systems))))
    assert [float(row["mean"]) for row in rows] == [row.mean for row in compared.systems]
    assert (
        rows[0]["system"].startswith("'=")
        or rows[1]["system"].startswith("'=")
        or rows[2]["system"][1] == "="
    )
    pairs = list(csv.DictReader(io.StringIO(rows_csv(PairRow, compared.pairs))))
    assert [float(row["p_holm"]) for row in pairs] == [pair.p_holm for pair in compared.pairs]
    again = read_scores(items_csv(scores).encode())
    assert again.items == scores.items
    for name, values in scores.measures.items():
        np.testing.assert_array_equal(again.measures[name], values)


def test_the_lines_hold_every_number(compared):
    lines = "\n".join(report_lines(compared, {}, "sig", pairs=True, differences=True))
    assert lines.endswith("\nsig")
    assert "normalized ↓" in lines
    assert lines.count(" differ most on: ") == 3
    for pair in compared.pairs:
        assert f"{pair.p_holm:.4f}" in lines
        assert f"{pair.wins}/{pair.ties}/{pair.losses}" in lines


def test_by_default_one_sentence_and_one_table(compared):
    lines = report_lines(compared, {}, "sig")
    assert len(lines) <= 14
    assert verdict(compared, "normalized") in " ".join(lines)
    for word in ("wins/ties/losses", "differ most", "p rand"):
        assert word not in "\n".join(lines)


# The sentence, with # for a number -> the means, the number of documents, the noise and the baseline.
RANKINGS = {
    "GPT-4o has a mean m of 0.300 (12 documents). No other system was compared.": ((0.3,), 12, 0, None),
    "GPT-4o leads on one document, too few for a test: m 0.300 against 0.400.": ((0.3, 0.4), 1, 0, None),
    "GPT-4o, Qwen 2.5 7B and “our system” have the same mean m: 0.300 (5 documents).": (
        [0.3] * 3,
        5,
        0,
        None,
    ),
    "GPT-4o leads, but isn't significantly ahead of “our system”: mean m 0.300 against 0.900 (p = #; 5 "
    "documents). With 5 documents no difference can be significant; compare more.": (
        (0.3, 0.9),
        5,
        0.05,
        None,
    ),
    "GPT-4o leads, but isn't significantly ahead of “our system”: mean m 0.300 against 0.301 (p = #; "
    "24 documents).": ((0.3, 0.301), 24, 0.2, None),
    "GPT-4o is significantly better than “our system”: mean m 0.100 against 0.500 (p < #; 24 documents).": (
        *((0.1, 0.5), 24, 0.05, None),
    ),
    "GPT-4o is significantly better than all 3 others: mean m 0.100 against 0.300 for “our system” (p at most #; "
    "24 documents).": ((0.1, 0.3, 0.5, 0.9), 24, 0.05, None),
    "GPT-4o leads, significantly ahead of Qwen 2.5 7B (p < #) but not of “our system”: mean m 0.100 against 0.101 "
    "for “our system” (24 documents).": ((0.1, 0.101, 0.9), 24, 0.2, None),
    "GPT-4o and “our system” are significantly better than Qwen 2.5 7B: mean m 0.300 against 0.500 (p at most #; "
    "9 documents).": ((0.3, 0.3, 0.5), 9, 0, None),
    "By m, GPT-4o is significantly better than “our system”; Qwen 2.5 7B is not significantly different from "
    "“our system” (p < # after Holm's correction; 24 documents).": ((0.1, 0.5, 0.501), 24, 0.2, "our system"),
}


@pytest.mark.parametrize("expected", RANKINGS)
def test_the_sentence_says_which_differences_are_significant(expected):
    means, documents, noise, baseline = RANKINGS[expected]
    values = np.random.default_rng(1).normal(size=(len(means), documents)) * noise
    values += np.array(means)[:, None] - values.mean(axis=1, keepdims=True)
    systems = ("GPT-4o", "our system", "Qwen 2.5 7B", "Llama 3")[: len(means)]
    scores = SystemScores(tuple(map(str, range(documents))), systems, {"m": values}, frozenset("m"))
    sentence = verdict(compare_systems(scores, baseline=baseline, resamples=9999), "m")
    assert re.sub(r"(\(p [^.]+) \.\d+", r"\1 #", sentence) == expected


def test_with_few_resamples_many_tests_are_never_significant():
    values = np.repeat(np.arange(4.0), 24).reshape(4, 24)
    scores = SystemScores(tuple(map(str, range(24))), tuple("ABCD"), {"m": values}, frozenset("m"))
    reason = (
        "With 99 resamples and 6 tests at once no difference can be significant; test against one system."
    )
    assert reason in verdict(compare_systems(scores, resamples=99), "m")


def test_notices_about_maps_are_grouped_by_kind():
    notices = [(f"s/{n}", f"no node has the number above these: {n}.2 (line {n})") for n in range(27)]
    notices += [
        ("s/1", "white space was removed from 1 node: line 7"),
        ("s/2", "white space was removed from 3 nodes: line 9"),
    ]
    notices += [("s/3", "only headings are nodes")] * 2 + [("s/4", "only headings are nodes")]
    assert group_notices(notices) == [
        "27 maps: no node has the number above these, for example 0.2 (line 0) (s/0)",
        "2 maps, for example: white space was removed from 1 node: line 7 (s/1)",
        "2 maps: only headings are nodes",
    ]
    scores = SystemScores(
        ("d",), ("a",), {"m": np.ones((1, 1))}, frozenset(), remarks=("first",), of_maps=tuple(notices)
    )
    assert len(scores.notices) == 1 + len(notices)
    assert scores.notices[1] == "s/0: no node has the number above these: 0.2 (line 0)"
    assert scores.summary == ("first", *group_notices(notices))


def tabular(text):
    """The rows of the table's body, as cells."""
    body = re.search(r"\\midrule\n(.*)\n\\bottomrule", text, re.DOTALL)[1]
    assert all(line.endswith(r" \\") for line in body.split("\n"))
    return [re.split(r"(?<!\\)&", line[:-3]) for line in body.split("\n")]


def test_the_latex_table_has_the_structure_of_booktabs(compared):
    text = systems_latex(compared, "one|two", notices=("1 of 3_4 left out",))
    for rule in (
        r"\toprule",
        r"\midrule",
        r"\bottomrule",
        r"\begin{tabular}{lr@{}lcr@{}l}",
        r"\end{tabular}",
        r"\end{table}",
    ):
        assert text.count(rule) == 1
    rows = tabular(text)
    assert [len(cells) for cells in rows] == [6, 6, 6]
    assert [r"\textbf{0." in cells[1] for cells in rows] == [True, False, False]
    assert {re.search(r"\^\{(\w)\}", cells[2])[1] for cells in rows} == {"a", "b"}
    caption = re.search(r"\\caption\{(.*)\}\n", text)[1]
    assert "Systems without a common letter differ significantly" in caption
    assert "% 1 of 3_4 left out" in text
    assert r"{Normalized distance $\downarrow$} & 95" in text
    without = re.sub(r"\\[{}&%$#_\\]", "", text)
    assert without.count("{") == without.count("}")
    assert "%" not in without.split("\n", 3)[3]


def test_notices_are_comments_and_no_part_of_the_caption(compared):
    notices = tuple(f"map {number}: {'a % of its nodes, ' * 9}" for number in range(60))
    text = systems_latex(compared, "sig", notices=("the short one fits.", *notices))
    caption = re.search(r"\\caption\{(.*)\}\n", text)[1]
    assert len(caption) <= MAX_CAPTION
    assert len([line for line in text.splitlines() if line.startswith(("% map ", "% the short one"))]) == 61
    assert tabular(text) == tabular(systems_latex(compared, "sig"))


def test_marks_of_differences_from_a_baseline(scores):
    text = systems_latex(compare_systems(scores, baseline=HOSTILE[0], resamples=1999), "sig")
    rows = tabular(text)
    assert sum("$^{***}$" in cells[2] or "$^{**}$" in cells[2] for cells in rows) == 1
    assert sum(" (baseline)" in cells[0] for cells in rows) == 1
    assert r"*** p \textless{} 0.001" in text


def test_marks_in_every_output_agree_with_the_tests():
    rng = np.random.default_rng(4)
    for _ in range(30):
        values = rng.normal(size=(4, 8)) + rng.normal(0, 1.5, (4, 1))
        scores = SystemScores(tuple("abcdefgh"), ("s0", "s1", "s2", "s3"), {"m": values}, frozenset())
        compared = compare_systems(scores, resamples=299)
        marks = {row.system: set(row.mark) for row in compared.systems}
        for pair in compared.pairs:
            assert pair.significant == marks[pair.a].isdisjoint(marks[pair.b])
        for row in csv.DictReader(io.StringIO(rows_csv(SystemRow, compared.systems))):
            assert set(row["mark"]) == marks[row["system"]]
        for cells in tabular(systems_latex(compared, "sig")):
            assert set(re.fullmatch(r"\$\^\{(\w+)\}\$", cells[2].strip())[1]) == marks[cells[0].strip()]


def test_measures_by_which_the_order_is_different_are_named():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(3, 30)) / 10 + np.array([[1.0], [2.0], [3.0]])
    measures = {"ter": values, "chrf": values, "bleu": values[[1, 0, 2]]}
    scores = SystemScores(tuple(map(str, range(30))), tuple("abc"), measures, frozenset(["ter"]))
    compared = compare_systems(scores, resamples=999)
    assert disagreement(compared, "ter") == ("By chrf and bleu the order is different: “c” leads.")
    assert disagreement(compared, "chrf") == (
        "By ter the order is different: “a” leads. By bleu the order is different."
    )


def test_no_leader_is_named_where_the_table_shows_equal_means():
    rng = np.random.default_rng(6)
    noise = rng.normal(size=(3, 30)) / 1_000
    ter = noise + np.array([[1.0], [2.0], [3.0]])
    chrf = np.array([[0.9999], [0.5], [1.0]]) + np.zeros((3, 30))
    scores = SystemScores(
        tuple(map(str, range(30))), tuple("abc"), {"ter": ter, "chrf": chrf}, frozenset(["ter"])
    )
    assert disagreement(compare_systems(scores, resamples=999), "ter") == "By chrf the order is different."
