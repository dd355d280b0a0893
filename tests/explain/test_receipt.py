"""The cost receipt: sums that come to the distance, by operation and by level."""

import math

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import sample, trees
from hypothesis import given

from tted_core.explain.receipt import receipt
from tted_core.method import PRESETS
from tted_core.report.html_report import html_report
from tted_core.script import GLYPHS, Unit


@pytest.mark.parametrize("preset", PRESETS)
@given(left=trees(), right=trees())
def test_everything_comes_to_the_distance_in_the_unit_of_the_preset(preset, left, right):
    """Costs come to the distance, shares of d^p to 1; never the one under the name of the other."""
    result = compare(left, right, encoder=hashed, preset=preset)
    found = receipt(result)
    exact = PRESETS[preset]["power"] == 1
    assert found.unit.name == ("cost" if exact else "share of d^8")
    assert sorted(line.op.cost for line in found.lines) == sorted(op.cost for op in result.script.ops)
    amounts = [found.unit.amount(line.op.cost) for line in found.lines]
    running = [math.fsum(amounts[: number + 1]) for number in range(len(amounts))]
    assert [line.running for line in found.lines] == (running if exact else pytest.approx(running, rel=1e-12))
    whole = result.tted if found.unit.name == "cost" else float(result.tted > 0)
    assert found.lines[-1].running == (whole if exact else pytest.approx(whole, rel=1e-12))
    for parts in (found.by_kind, found.by_level):
        assert math.fsum(part.amount for part in parts.values()) == pytest.approx(whole, rel=1e-9, abs=1e-12)
        assert sum(part.operations for part in parts.values()) == len(result.script.ops)
        shares = math.fsum(part.share for part in parts.values())
        assert shares == pytest.approx(1.0 if result.tted else 0.0)


def test_the_dearest_comes_first_and_is_what_the_script_says():
    result = compare(sample("coral-reefs/base"), sample("coral-reefs/demo"), encoder=hashed)
    found = receipt(result)
    costs = [line.op.cost for line in found.lines]
    assert costs == sorted(costs, reverse=True)
    assert found.lines[0].share == costs[0] / result.tted
    assert list(found.by_kind) == list(GLYPHS)
    assert {kind: part.operations for kind, part in found.by_kind.items()} == {
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
