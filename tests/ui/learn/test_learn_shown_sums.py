"""Sums in a stepper add up with the digits shown: on the page's examples, with unit costs and with a model."""

import re
from decimal import Decimal

import pytest

from tted_core.formats import parse_map
from tted_core.learn.mappings import model_costs, unit_costs
from tted_core.learn.stepper import player_data
from ui.learn.steps import EXAMPLES, EXPLAINED

FIGURE = r"\d+(?:\.\d{3})?"
DIFFERENCE = re.compile(rf"({FIGURE}) − ({FIGURE}) = ({FIGURE})")
WHOLE_SUM = re.compile(rf"{FIGURE}(?: [+−] {FIGURE})*")


def total(shown):
    """A sum as it is shown, of nothing but the figures that tables have."""
    assert WHOLE_SUM.fullmatch(shown), shown
    return sum(Decimal(term) for term in shown.replace("− ", "-").replace("+ ", "").split(" "))


def check_ways(step):
    for way in step.get("ways", ()):
        if way["sum"]:
            assert total(way["sum"]) == Decimal(way["value"].split(" ")[-1]), way


def check_minimum(step):
    """Each way that shows the least is among the best, however its terms were added up."""
    [*_, value] = next(fill for fill in step["fills"] if tuple(fill[:3]) == step["cell"])[:4]
    for way in step["ways"]:
        assert Decimal(way["value"]) >= Decimal(value)
        assert bool(way.get("best")) == (way["value"] == value), (way, value)


@pytest.mark.parametrize("order", EXPLAINED)
def test_shown_terms_sum_to_the_shown_total(order, minilm):
    counted = 0
    for texts in EXAMPLES.values():
        left, right = (parse_map(text).tree for text in texts)
        for costs in (unit_costs(left, right), model_costs(minilm, left, right)):
            data, _ = player_data(order, left, right, costs)
            for step in data["steps"]:
                check_ways(step)
                if "fills" in step and "ways" in step:
                    check_minimum(step)
                for whole, part, rest in DIFFERENCE.findall(step["text"]):
                    assert Decimal(whole) - Decimal(part) == Decimal(rest), step["text"]
                    counted += 1
                counted += len(step.get("ways", ()))
    assert counted > 100, counted
