"""The receipt of either reading: amounts that come to the distance, by kind and by level."""

import math

import pytest
from helpers.encoders import hashed
from helpers.trees import sample, trees
from hypothesis import given

from tted_core import compare
from tted_core.method import PRESETS
from tted_core.report.html_report import html_report
from tted_core.report.readings import read_script, read_sentences
from tted_core.script import GLYPHS, Unit


@pytest.mark.parametrize("preset", PRESETS)
@given(left=trees(), right=trees())
def test_both_readings_come_to_the_distance_in_the_unit_of_the_preset(preset, left, right):
    """Costs come to the distance, shares of d^p to 1; never the one under the name of the other."""
    result = compare(left, right, encoder=hashed, preset=preset)
    exact = PRESETS[preset]["power"] == 1
    whole = result.tted if exact else float(result.tted > 0)
    script, sentences = (read(result.explain()) for read in (read_script, read_sentences))
    assert [line.amount for line in script.lines] == [script.unit.amount(op.cost) for op in result.script.ops]
    for reading in (script, sentences):
        assert reading.unit.name == ("cost" if exact else "share of d^8")
        assert sorted(line.number for line, _ in reading.receipt) == list(range(len(reading.lines)))
        amounts = [line.amount for line, _ in reading.receipt]
        assert amounts == sorted(amounts, reverse=True)
        assert [running for _, running in reading.receipt] == [
            math.fsum(amounts[:count]) for count in range(1, len(amounts) + 1)
        ]
        assert reading.whole == pytest.approx(whole, rel=1e-9)
        levels = reading.subtotals(lambda line: next(node.level for node in line.nodes if node))
        for parts in (reading.by_kind, levels):
            assert math.fsum(part.amount for part in parts.values()) == pytest.approx(whole, rel=1e-9)
            assert sum(part.count for part in parts.values()) == len(reading.lines)
            assert math.fsum(part.share for part in parts.values()) == pytest.approx(float(whole > 0))
    if exact:
        assert script.receipt[-1][1] == result.tted
    assert {kind: part.count for kind, part in script.by_kind.items()} == {
        kind: result.script.count(kind) for kind in GLYPHS
    }


def test_a_unit_by_hand():
    costs, shares = Unit(1.0, 7.0), Unit(2.0, 5.0)
    assert (costs.amount(3.0), costs.amount(3.0, 4.0), costs.text(3.0), costs.text(3.0, 2)) == (
        3.0,
        7.0,
        "3.0000",
        "3.00",
    )
    assert (shares.amount(3.0), shares.amount(4.0)) == (pytest.approx(0.36), pytest.approx(0.64))
    assert shares.amount(3.0, 4.0) == 1.0
    assert (shares.text(0.36), shares.name, shares.total) == ("36.0 %", "share of d^2", "d^2")
    assert Unit(8.0, 0.0).amount() == 0.0


def test_maps_compared_by_shares_show_no_cost_in_a_report():
    result = compare(
        sample("coral-reefs/base"), sample("coral-reefs/demo"), encoder=hashed, preset="proofreading"
    )
    page = html_report(result.explain())
    table = page[page.index('<h2 id="receipt">') :]
    assert "the shares add up and the costs themselves don't" in table
    assert ">cost</th>" not in page
    assert "100.0 %" in table
    shares = [op["share"] for op in result.to_dict()["script"]]
    assert math.fsum(shares) == pytest.approx(1.0)
