"""Agreement with people's scores, against values found by counting, and the table they come in."""

import math
from itertools import permutations

import numpy as np
import pytest

from tted_core.errors import LimitError, MapFormatError
from tted_core.foundations.stats import CORRELATIONS
from tted_core.lab import people
from tted_core.lab.people import agreements, read_judged_pairs

SCORES = (1.0, 2.0, 2.0, 4.0, 5.0)
VALUES = (0.1, 0.4, 0.3, 0.3, 0.9)


@pytest.fixture
def few_resamples(monkeypatch):
    monkeypatch.setattr(people, "RESAMPLES", 200)


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


def agreement(values, scores, name="spearman"):
    rows, _ = agreements(scores, {"m": values})
    return next(row for row in rows if row.coefficient == name)


def contest(first, second, scores, name):
    _, contests = agreements(scores, {"a": first, "b": second})
    return next(each for each in contests if each.coefficient == name)


@pytest.mark.parametrize("name", CORRELATIONS)
def test_value_and_p_by_counting(name):
    found = agreement(VALUES, SCORES, name)
    reference = REFERENCES[name]
    assert found.value == pytest.approx(reference(VALUES, SCORES))
    as_high = [reference(order, SCORES) >= found.value - 1e-12 for order in permutations(VALUES)]
    assert found.p == pytest.approx(min(1, 2 * np.mean(as_high)))
    assert found.ci95[0] <= found.value <= found.ci95[1]
    assert found == agreement(VALUES, SCORES, name)
    assert found.n == 5


@pytest.mark.usefixtures("few_resamples")
def test_the_interval_narrows_with_more_pairs():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=200)
    values = scores + rng.normal(size=200)
    few, many = (agreements(scores[:n], {"m": values[:n]})[0] for n in (15, 100))
    for less, more in zip(few, many, strict=True):
        assert np.ptp(more.ci95) < np.ptp(less.ci95)
        assert more.p < 0.01


@pytest.mark.parametrize("name", CORRELATIONS)
@pytest.mark.usefixtures("few_resamples")
def test_the_better_of_two_measures(name):
    rng = np.random.default_rng(2)
    scores = rng.normal(size=40)
    good, poor = scores + rng.normal(size=40) / 5, rng.normal(size=40)
    found = contest(good, poor, scores, name)
    assert found.difference == pytest.approx(
        agreement(good, scores, name).value - agreement(poor, scores, name).value
    )
    assert found.p < 0.01
    assert contest(good, good, scores, name).p == 1
    assert contest(poor, good, scores, name).difference == pytest.approx(-found.difference)


def test_another_scale_changes_no_test():
    """Exchanging raw values would compare the scales, not the measures."""
    first, second = np.array(VALUES), np.array([0.5, 0.1, 0.9, 0.3, 0.2])
    for name in CORRELATIONS:
        assert contest(first, 1000 * second, SCORES, name).p == contest(first, second, SCORES, name).p


def test_what_is_lower_for_better_maps_is_turned():
    one, other = (agreements(SCORES, {"m": VALUES}, lower=lower)[0] for lower in ((), ("m",)))
    assert [row.value for row in one] == pytest.approx([-row.value for row in other])


def test_a_single_pair_gets_no_p_value_and_is_told_why():
    found = agreement([0.3], [4.0])
    assert (found.n, found.value, found.ci95, found.p) == (1, None, None, None)
    assert found.why_not.startswith("a single pair has no correlation and no p-value")
    assert "2 pairs have no correlation" in agreement([1, 2], [1, 2]).why_not
    assert agreements([3], {"a": [1], "b": [2]})[1] == []
    assert "the scores are all equal" in agreement(VALUES, [3] * 5).why_not
    assert "the measure's values are all equal" in agreement([3] * 5, SCORES).why_not


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
    monkeypatch.setattr(people, "MAX_JUDGED_PAIRS", 1)
    with pytest.raises(LimitError, match="2 judged pairs, but the limit is 1"):
        read_judged_pairs(b"left,right,score\na,b,1\na,c,2")
