"""Intervals and p-values against plain numpy and scipy, without differences, and of tables made elsewhere."""

import numpy as np
import pytest
from scipy import stats

from tted_core.errors import MapFormatError, OptionsError, UnknownNameError
from tted_core.foundations.stats import holm, percentile_interval
from tted_core.systems import SystemScores, compare_systems, read_scores
from tted_core.systems.output import report_lines
from tted_core.systems.statistics import TOO_FEW

RESAMPLES = 1_999


def normal(seed, n):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=n)
    return np.stack([common + rng.normal(size=n), common + rng.normal(size=n) + 0.3])


DATA = {
    "normal": normal(1, 40),
    "ties": np.random.default_rng(2).integers(0, 4, (2, 30)) / 4,
    "five": np.array([[0.2, 0.5, 0.4, 0.9, 0.3], [0.3, 0.5, 0.6, 0.8, 0.7]]),
}


def of(values, names="ab", lower=()):
    items = tuple(f"d{number}" for number in range(values.shape[1]))
    return SystemScores(items, tuple(names), {"m": values}, frozenset(lower))


@pytest.mark.parametrize("name", DATA)
def test_intervals_and_p_values_are_those_of_scipy(name):
    values = DATA[name]
    compared = compare_systems(of(values), resamples=RESAMPLES, seed=7)
    (pair,) = compared.pairs

    def mean_difference(one, other, axis=-1):
        return np.mean(one, axis=axis) - np.mean(other, axis=axis)

    def drawn(*samples, statistic):
        how = {"paired": True, "n_resamples": RESAMPLES, "method": "percentile"}
        return stats.bootstrap(samples, statistic, rng=np.random.default_rng(7), **how)

    found = drawn(*values, statistic=mean_difference)
    assert pair.ci95 == pytest.approx(tuple(found.confidence_interval), abs=1e-12)
    observed = values[0].mean() - values[1].mean()
    far = abs(found.bootstrap_distribution - observed) >= abs(observed) - 1e-12
    p_bootstrap = (1 + far.sum()) / (RESAMPLES + 1) if values.shape[1] >= TOO_FEW else None
    assert pair.p_bootstrap == (p_bootstrap and pytest.approx(p_bootstrap, abs=1e-12))
    test = stats.permutation_test(
        (values[0] - values[1],),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        rng=np.random.default_rng(7),
    )
    assert pair.p_randomization == test.pvalue
    assert (pair.a, pair.b, pair.difference) == ("a", "b", pytest.approx(observed))
    signs = np.sign(values[0] - values[1]).tolist()
    assert (pair.wins, pair.ties, pair.losses) == tuple(map(signs.count, (1, 0, -1)))
    assert pair.effect == pytest.approx(observed / np.std(values[0] - values[1], ddof=1))
    for row, system in zip(values, "ab", strict=True):
        (shown,) = (row for row in compared.of("m") if row.system == system)
        assert (shown.mean, shown.median) == (pytest.approx(row.mean()), np.median(row))
        assert shown.ci95 == pytest.approx(
            tuple(drawn(row, statistic=np.mean).confidence_interval), abs=1e-12
        )


def test_the_interval_of_a_small_distribution_is_its_exact_percentiles():
    distribution = np.random.default_rng(3).permutation(np.arange(41.0))
    assert percentile_interval(distribution) == (1.0, 39.0)  # the 2nd and the 40th of 41 values


def test_many_null_tests_are_corrected():
    """Of five equal systems, some pair is called different in at most about 5 % of the trials."""
    rng = np.random.default_rng(21)
    wrong = 0
    for _ in range(100):
        compared = compare_systems(of(rng.normal(size=(5, 40)), "abcde"), resamples=399)
        wrong += any(pair.significant for pair in compared.pairs)
    assert wrong <= 9


def test_holm_by_hand():
    assert holm([0.01, None, 0.04, 0.03, 0.005]) == pytest.approx([0.03, None, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def far_apart(lower=()):
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(4, 30)) / 10
    return of(noise + np.array([[0.0], [3.0], [0.02], [1.5]]), "wxyz", lower)


def test_systems_share_a_letter_unless_they_differ():
    compared = compare_systems(far_apart(), resamples=999)
    assert compared.ranking[:2] == ("x", "z")
    assert {row.system: row.mark for row in compared.systems} == {"x": "a", "z": "b", "w": "c", "y": "c"}
    compared = compare_systems(far_apart(lower=["m"]), resamples=999)
    assert compared.ranking[2:] == ("z", "x")
    assert {row.system: row.mark for row in compared.systems} == {"w": "a", "y": "a", "z": "b", "x": "c"}
    pair = compared.pair("x", "w", "m")
    assert (pair.a, pair.wins, pair.difference < 0) == ("w", 30, True)


def test_against_a_baseline_there_are_fewer_tests():
    compared = compare_systems(far_apart(), baseline="y", resamples=999)
    assert [(pair.a, pair.b) for pair in compared.pairs] == [("w", "y"), ("x", "y"), ("z", "y")]
    assert {row.system: row.mark for row in compared.systems} == {"x": "**", "z": "**", "w": "", "y": ""}
    alone = {pair.a: pair.p_randomization for pair in compared.pairs}
    assert compared.pair("x", "y", "m").p_holm == pytest.approx(3 * alone["x"])
    assert "all pairs against y" in compared.signature
    with pytest.raises(UnknownNameError, match="unknown system 'v'; choose one of: w, x, y, z"):
        compare_systems(far_apart(), baseline="v")


def test_the_documents_of_largest_difference():
    values = np.zeros((2, 15))
    values[0] = np.arange(15) - 3
    (pair,) = compare_systems(of(values), resamples=99).pairs
    assert len(pair.largest) == 10
    assert pair.largest[:2] == (("d14", 11.0), ("d13", 10.0))


def test_a_document_that_one_system_lacks_is_left_out_for_all():
    values = DATA["normal"].copy()
    values[0, 3] = values[1, 5] = np.nan
    scores = SystemScores(
        tuple(f"d{number}" for number in range(40)),
        ("a", "b"),
        {"m": values, "k": DATA["normal"]},
        frozenset(),
        missing={("d3", "a"): "no map of this name"},
    )
    compared = compare_systems(scores, resamples=99)
    assert {(row.measure, row.n) for row in compared.systems} == {("m", 38), ("k", 40)}
    kept = np.delete(DATA["normal"], [3, 5], axis=1)
    assert {row.system: row.mean for row in compared.of("m")}["a"] == pytest.approx(kept[0].mean())
    assert compared.notices[0] == (
        "2 of 40 documents left out of m for all systems: d3 (a: no map of this name); d5 (b: no m)"
    )


def test_few_documents_are_reported():
    one = compare_systems(of(np.array([[1.0], [2.0]])))
    assert (one.pairs[0].p_bootstrap, one.systems[0].ci95, one.pairs[0].p_holm) == (None, None, None)
    assert "one document has neither interval nor p-value" in one.notices[0]
    five = compare_systems(of(DATA["five"])).notices[0]
    assert "with 5 documents bootstrap intervals are too narrow, and p_bootstrap isn't given below 6" in five


@pytest.mark.parametrize("documents", [2, 5, 6])
def test_so_few_documents_have_no_bootstrap_p(documents):
    """Of two documents that agree no resample is on the other side, where the exact test has a p of 1/2."""
    better = np.vstack([np.arange(documents) + 1.0, np.arange(documents)])
    better[0] += np.linspace(0.0, 0.5, documents)
    (pair,) = compare_systems(of(better), resamples=999).pairs
    assert pair.p_randomization == pytest.approx(2 / 2**documents)
    assert (pair.p_bootstrap is None) == (documents < TOO_FEW)


def test_equal_systems_have_no_difference():
    values = np.vstack([DATA["ties"][:1]] * 2)
    values[1, :5] += 1e-16  # equal but for rounding
    (pair,) = compare_systems(of(values), resamples=99).pairs
    assert (pair.p_bootstrap, pair.p_randomization, pair.effect, pair.ties) == (1.0, 1.0, None, 30)


def test_nothing_in_common():
    values = np.array([[1.0, np.nan], [np.nan, 2.0]])
    with pytest.raises(OptionsError, match=r"for each of a, b \(2 of 2 documents left out"):
        compare_systems(of(values))
    with pytest.raises(OptionsError, match="9 resamples; give at least 99"):
        compare_systems(of(DATA["five"]), resamples=9)
    scores = SystemScores(("d", "e"), ("a", "b"), {"m": values, "k": np.ones((2, 2))}, frozenset())
    compared = compare_systems(scores, resamples=99)
    assert compared.measures == ("k",)
    assert "m left out: no document has a value of it for every system" in compared.notices


def test_a_control_without_a_value_of_a_measure_has_no_row_of_it():
    values = {"m": np.array([[0.1, 0.2], [np.nan, np.nan]]), "k": np.array([[1.0, 2.0], [3.0, np.nan]])}
    scores = SystemScores(("d", "e"), ("a", "(root)"), values, frozenset("m"))
    compared = compare_systems(scores, resamples=99)
    counts = {(row.system, row.measure): row.n for row in compared.systems}
    assert ("(root)", "m") not in counts
    assert counts["(root)", "k"] == 1
    assert "(root)" in "\n".join(report_lines(compared, {}, "sig"))
    with pytest.raises(OptionsError, match="there are controls only"):
        compare_systems(SystemScores(("d",), ("(root)",), {"m": np.ones((1, 1))}, frozenset()))


TABLE = "item,system,nodes,ter,chrf\na,one,5,1,0.5\na,two,5,2,\nb,one,7,3,0.25\n"


def test_a_table_is_read():
    scores = read_scores(TABLE.encode(), lower=["ter"])
    assert (scores.items, scores.systems, scores.lower) == (("a", "b"), ("one", "two"), {"ter"})
    np.testing.assert_array_equal(scores.measures["ter"], [[1, 3], [2, np.nan]])
    np.testing.assert_array_equal(scores.measures["chrf"], [[0.5, 0.25], [np.nan, np.nan]])
    assert scores.missing == {("b", "two"): "not in the table"}
    assert scores.remarks == ()
    assert "1 of 2 documents left out of ter for all systems: b (two: not in the table)" in scores.notices


def test_unknown_directions_are_reported():
    scores = read_scores(b"item;system;bleu;normalized;rouge_bag\na;one;0,5;1;2\n")
    assert scores.lower == {"normalized"}
    assert scores.remarks[0].startswith("higher bleu is taken as better")
    assert scores.measures["bleu"].item() == 0.5


def test_columns_are_chosen():
    assert list(read_scores(TABLE.encode(), measures=["chrf"]).measures) == ["chrf"]
    with pytest.raises(OptionsError, match="the table has no column 'bleu'; it has item"):
        read_scores(TABLE.encode(), measures=["bleu"])
    with pytest.raises(OptionsError, match="'item' is no measure of the table; choose of ter, chrf"):
        read_scores(TABLE.encode(), lower=["item"])


BATCH = (
    "id,left,right,encoder,distance,order,context,gap,power,depth,tted,normalized,left_nodes,error,signature,system\n"
    "d1,r,a,minilm,cosine,{order},none,=0.8,8,,0.5,0.25,9,,TTED|...,lead\n"
    "d1,r,b,minilm,cosine,ordered,none,=0.8,8,,,,,right map: no,,tail\n"
)


def test_rows_of_a_batch():
    scores = read_scores(BATCH.format(order="ordered").encode())
    assert list(scores.measures) == ["normalized", "tted"]
    assert scores.missing == {("d1", "tail"): "right map: no"}
    with pytest.raises(MapFormatError, match=r"rows of several settings \(order: constrained, ordered\)"):
        read_scores(BATCH.format(order="constrained").encode())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the table has no rows"),
        ("item,m\na,1", "the table has no column system"),
        ("name,m\na,1", "the table has no column item and no column system"),
        ("item,system\na,b", "the table has no measures"),
        ("item,system,m\na,b,1\na,b,2", "line 3: 'a' of 'b' is there twice"),
        ("item,system,m\na,,1", "line 2: a row without item or system"),
        ("item,system,m\na,b,high", 'line 2: "high" in the column "m" is not a number'),
        ('item,system,m\na,b,"1,234"', "may be 1.234 or 1234"),
        ("item,system,m,m\na,b,1,2", 'the column name "m" is empty or repeated'),
    ],
)
def test_a_table_that_cannot_be_used(text, message):
    with pytest.raises(MapFormatError, match=message):
        read_scores(text.encode())
