"""Agreement with people's scores, against values found by counting, and the table they come in."""

import math
from itertools import permutations

import numpy as np
import pytest

from tted_core.errors import LimitError, MapFormatError, UnknownNameError
from tted_core.lab.people import CORRELATIONS, correlate, correlation, difference, read_judged_pairs
from tted_core.lab.people import maps as judged_maps

SCORES = (1.0, 2.0, 2.0, 4.0, 5.0)
VALUES = (0.1, 0.4, 0.3, 0.3, 0.9)


@pytest.fixture
def few_resamples(monkeypatch):
    monkeypatch.setattr(correlation, "RESAMPLES", 200)


def tau_b(one, other):
    """Kendall 1945, by counting."""
    pairs = [(i, j) for i in range(len(one)) for j in range(i)]
    signs = [(np.sign(one[i] - one[j]), np.sign(other[i] - other[j])) for i, j in pairs]
    ties = [sum(sign[side] != 0 for sign in signs) for side in (0, 1)]
    return sum(a * b for a, b in signs) / math.sqrt(ties[0] * ties[1])


def ranks(values):
    return [1 + sum(v < each for v in values) + (values.count(each) - 1) / 2 for each in values]


def r(one, other):
    return np.corrcoef(one, other)[0, 1]


REFERENCES = {"pearson": r, "spearman": lambda a, b: r(ranks(a), ranks(b)), "kendall": tau_b}


@pytest.mark.parametrize("name", CORRELATIONS)
def test_value_and_p_by_counting(name):
    found = correlate(VALUES, SCORES, name)
    reference = REFERENCES[name]
    assert found.value == pytest.approx(reference(VALUES, SCORES))
    as_high = [reference(order, SCORES) >= found.value - 1e-12 for order in permutations(VALUES)]
    assert found.p == pytest.approx(min(1, 2 * np.mean(as_high)))
    assert found.low <= found.value <= found.high
    assert found == correlate(VALUES, SCORES, name)
    assert found.n == 5


@pytest.mark.parametrize("name", CORRELATIONS)
@pytest.mark.usefixtures("few_resamples")
def test_the_interval_narrows_with_more_pairs(name):
    rng = np.random.default_rng(1)
    scores = rng.normal(size=200)
    values = scores + rng.normal(size=200)
    few, many = (correlate(values[:n], scores[:n], name) for n in (15, 100))
    assert many.high - many.low < few.high - few.low
    assert many.p < 0.01


@pytest.mark.parametrize("name", CORRELATIONS)
@pytest.mark.usefixtures("few_resamples")
def test_the_better_of_two_measures(name):
    rng = np.random.default_rng(2)
    scores = rng.normal(size=40)
    good, poor = scores + rng.normal(size=40) / 5, rng.normal(size=40)
    found = difference(good, poor, scores, name)
    assert found.value == pytest.approx(
        correlate(good, scores, name).value - correlate(poor, scores, name).value
    )
    assert found.p < 0.01
    assert difference(good, good, scores, name).p == 1
    assert difference(poor, good, scores, name).value == pytest.approx(-found.value)


def test_another_scale_changes_no_test():
    """Exchanging raw values would compare the scales, not the measures."""
    first, second = np.array(VALUES), np.array([0.5, 0.1, 0.9, 0.3, 0.2])
    for name in CORRELATIONS:
        assert difference(first, 1000 * second, SCORES, name).p == difference(first, second, SCORES, name).p


def test_a_single_pair_gets_no_p_value_and_is_told_why():
    found = correlate([0.3], [4.0])
    assert (found.n, found.value, found.low, found.p) == (1, None, None, None)
    assert found.why_not.startswith("a single pair has no correlation and no p-value")
    assert "2 pairs have no correlation" in correlate([1, 2], [1, 2]).why_not
    assert difference([1], [2], [3]).p is None
    assert "the scores are all equal" in correlate(VALUES, [3] * 5).why_not
    assert "the second measure are all equal" in difference(VALUES, [3] * 5, SCORES).why_not


def test_an_unknown_correlation():
    with pytest.raises(UnknownNameError, match="unknown correlation 'tau'; choose one of: pearson"):
        correlate(VALUES, SCORES, "tau")


@pytest.mark.parametrize(
    "text",
    [
        "left,right,score,bleu\na.json,b.json,4.5,0.2\na.json,c.json,1,0.1\n",
        "\ufeffpair;score;bleu\r\na.json | b.json;4,5;0,2\r\n\r\na.json | c.json;1;0.1\r\n",
        "bleu\tscore\tpair\n0.2\t4.5\ta.json|b.json\n0.1\t1\ta.json|c.json",
    ],
    ids=["comma", "semicolon", "tab"],
)
def test_the_table_is_read(text):
    found = read_judged_pairs(text.encode())
    assert found.pairs == (("a.json", "b.json"), ("a.json", "c.json"))
    assert found.scores == (4.5, 1.0)
    assert found.columns == {"bleu": (0.2, 0.1)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the table has no rows"),
        ("left,right,score\n", "the table has no rows"),
        ("left,score\na,1", "line 1: the first row names left, score, but the table needs left and right"),
        ("left,right,score,score\na,b,1,2", 'line 1: the column "score" comes twice'),
        ("left,right,score,\na,b,1,2", "line 1: the table has a column without a name"),
        ("left,right,score\na,b", "line 2: 2 cells, but the first row names 3 columns"),
        ("left,right,score\na,b,1\na,c,high", 'line 3: "high" in the column "score" is no number'),
        ("left,right,score\na,b,nan", 'line 2: "nan" in the column "score" is no number'),
        (
            'left,right,score\na,b,"1,234"',
            'line 2: "1,234" in the column "score" may be 1.234 or 1234; write it without a comma',
        ),
        ('left,right,score\n"a,b,1', "the table can't be read as CSV"),
    ],
)
def test_a_table_that_cannot_be_used(text, message):
    with pytest.raises(MapFormatError, match=message):
        read_judged_pairs(text.encode())


def test_a_table_that_is_too_long(monkeypatch):
    monkeypatch.setattr(judged_maps, "MAX_JUDGED_PAIRS", 1)
    with pytest.raises(LimitError, match="2 judged pairs, but the limit is 1"):
        read_judged_pairs(b"left,right,score\na,b,1\na,c,2")
