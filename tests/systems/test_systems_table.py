"""Tables of scores that were made elsewhere."""

import numpy as np
import pytest

from tted_core.errors import MapFormatError, OptionsError
from tted_core.systems import read_scores

TABLE = "item,system,nodes,ter,chrf\na,one,5,1,0.5\na,two,5,2,\nb,one,7,3,0.25\n"


def test_a_table_is_read():
    scores = read_scores(TABLE.encode(), lower=["ter"])
    assert (scores.items, scores.systems, scores.lower) == (("a", "b"), ("one", "two"), {"ter"})
    np.testing.assert_array_equal(scores.measures["ter"], [[1, 3], [2, np.nan]])
    np.testing.assert_array_equal(scores.measures["chrf"], [[0.5, 0.25], [np.nan, np.nan]])
    assert scores.nodes.tolist() == [5, 7]
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
    assert scores.nodes.tolist() == [9]
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
