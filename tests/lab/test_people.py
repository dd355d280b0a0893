"""Agreement with people's judgements, against values found by counting, and the table they come in."""

import math

import numpy as np
import pytest

from tted_core.baselines import BASELINES
from tted_core.errors import LimitError, MapFormatError, OptionsError
from tted_core.lab import people
from tted_core.lab.people import JudgedPairs, agreements, read_judged_pairs
from tted_core.tree import TextTree

HUMAN = (1.0, 2.0, 2.0, 4.0, 5.0)
VALUES = (0.1, 0.4, 0.3, 0.3, 0.9)


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    monkeypatch.setattr(people, "BOOTSTRAP_DRAWS", 200)


def tau_b(one, other):
    """Kendall 1945, by counting."""
    pairs = [(i, j) for i in range(len(one)) for j in range(i)]
    signs = [(np.sign(one[i] - one[j]), np.sign(other[i] - other[j])) for i, j in pairs]
    ties = [sum(sign[side] != 0 for sign in signs) for side in (0, 1)]
    return sum(a * b for a, b in signs) / math.sqrt(ties[0] * ties[1])


def rho(one, other):
    """Spearman 1904, by counting."""
    ranks = [
        [1 + sum(v < each for v in values) + (values.count(each) - 1) / 2 for each in values]
        for values in (one, other)
    ]
    return np.corrcoef(*ranks)[0, 1]


def judged(human, groups=None, clusters=None):
    names = tuple(map(str, range(len(human))))
    groups = groups or ("",) * len(human)
    return JudgedPairs(names, tuple((n, n) for n in names), tuple(human), groups, clusters or names, {})


def agreement(values, human, **more):
    return agreements(judged(human, **more), {"m": values})[0]


def test_ratings_agree_by_spearmans_rho():
    found = agreement(VALUES, HUMAN)
    assert found.value == pytest.approx(rho(VALUES, HUMAN))
    assert found.ci95[0] <= found.value <= found.ci95[1]
    assert found == agreement(VALUES, HUMAN)


def test_ranks_agree_by_the_mean_of_tau_b_over_groups():
    human, values = (*HUMAN, 1.0, 2.0, 3.0, 7.0, 7.0), (*VALUES, 0.5, 0.2, 0.4, 0.1, 0.9)
    groups = ("a",) * 5 + ("b",) * 3 + ("all alike",) * 2
    found = agreement(values, human, groups=groups)
    assert found.value == pytest.approx((tau_b(VALUES, HUMAN) + tau_b((0.5, 0.2, 0.4), (1, 2, 3))) / 2)


def test_a_measure_that_never_varies_agrees_by_0():
    assert agreement([3] * 5, HUMAN).value == 0
    assert agreement([3] * 5, HUMAN, groups=("a",) * 5).value == 0


def test_differences_are_to_the_best_control_and_paired():
    rng = np.random.default_rng(2)
    human = rng.normal(size=80)
    values = {
        "good": human + rng.normal(size=80) / 5,
        "control": human + rng.normal(size=80),
        "poor": rng.normal(size=80),
    }
    found = agreements(judged(human), values, controls=("poor", "control", "unknown"))
    assert [each.measure for each in found] == ["good", "control", "poor"]
    good, control, poor = found
    assert control.difference is None
    assert good.difference == pytest.approx(good.value - control.value)
    assert good.difference_ci95[0] > 0 > poor.difference_ci95[1]


@pytest.mark.parametrize(
    ("human", "groups", "message"),
    [
        ((1, 2), None, "2 rated pairs are too few; give 3 or more"),
        ((3, 3, 3), None, "all judgements are equal"),
        ((3, 3), ("a", "a"), "no group has two pairs that are ranked differently"),
    ],
)
def test_too_few_judgements_are_refused(human, groups, message):
    with pytest.raises(OptionsError, match=message):
        agreement(range(len(human)), human, groups=groups)


def test_controls_ignore_structure():
    words = ("Water moves in a cycle.", "The sun heats the sea.", "Vapour rises.", "Rain falls.")
    shapes = [TextTree(words, parents) for parents in ((-1, 0, 1, 2), (-1, 0, 0, 0))]
    other = TextTree(("Bread needs yeast.", "Knead the dough."), (-1, 0))

    def letters(texts):
        return np.array([[1 + text.count(letter) for letter in "aeiourst"] for text in texts], dtype=float)

    for name in people.WITHOUT_STRUCTURE:
        one, two = (BASELINES[name](shape, other, letters) for shape in shapes)
        assert one.sim == pytest.approx(two.sim, abs=1e-12), name
        assert BASELINES[name](*shapes, letters).rho_base == pytest.approx(0, abs=1e-7), name


@pytest.mark.parametrize(
    "text",
    [
        "left,right,human,bleu\na.json,b.json,4.5,0.2\na.json,c.json,1,0.1\n",
        "\ufeffleft;right;human;bleu\r\na.json;b.json;4,5;0,2\r\n\r\na.json;c.json;1;0.1\r\n",
        "bleu\thuman\tleft\tright\n0.2\t4.5\ta.json\tb.json\n0.1\t1\ta.json\tc.json",
    ],
    ids=["comma", "semicolon", "tab"],
)
def test_the_table_is_read(text):
    found = read_judged_pairs(text.encode())
    assert found.pairs == (("a.json", "b.json"), ("a.json", "c.json"))
    assert found.human == (4.5, 1.0)
    assert found.columns == {"bleu": (0.2, 0.1)}
    assert found.ids == found.clusters == ("1", "2")


def test_groups_are_clusters_unless_there_are_others():
    rows = b"id,left,right,human,group\nx,a,b,1,q\ny,a,c,2,q\n"
    found = read_judged_pairs(rows)
    assert (found.ids, found.groups, found.clusters) == (("x", "y"), ("q", "q"), ("q", "q"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the table has no rows"),
        ("left,right,human\n", "the table has no rows"),
        (
            "left,human\na,1",
            "line 1: the first row names left, human, but the table needs left, right and human",
        ),
        ("left,right,human,human\na,b,1,2", 'line 1: the column name "human" is empty or repeated'),
        ("left,right,human,\na,b,1,2", "line 1: the column name .. is empty"),
        ("left,right,human\na,b", "line 2: 2 cells, but the first row names 3 columns"),
        ("left,right,human\na,b,1\na,c,high", 'line 3: "high" in the column "human" is not a number'),
        ("left,right,human\na,b,nan", 'line 2: "nan" in the column "human" is not a number'),
        ('left,right,human\na,b,"1,234"', 'line 2: "1,234" in the column "human" may be 1.234 or 1234'),
        ('left,right,human\n"a,b,1', "the table can't be read as CSV"),
    ],
)
def test_a_table_that_cannot_be_used(text, message):
    with pytest.raises(MapFormatError, match=message):
        read_judged_pairs(text.encode())


def test_a_table_that_is_too_long(monkeypatch):
    monkeypatch.setattr(people, "MAX_JUDGED_PAIRS", 1)
    with pytest.raises(LimitError, match="2 judged pairs, but the limit is 1"):
        read_judged_pairs(b"left,right,human\na,b,1\na,c,2")
