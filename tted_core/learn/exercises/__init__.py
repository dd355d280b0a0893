"""Fourteen short exercises. Questions are drawn at random from a seed, and every answer is computed."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tted_core.learn.exercises import costs, numbering, scripts, tables, unordered
from tted_core.learn.exercises.exercise import Answer, Exercise, Grid
from tted_core.registry import lookup


@dataclass(frozen=True)
class Kind:
    """A kind of exercise: what it is called, what makes one, and a hint for those who don't find the answer."""

    title: str
    make: Callable[[Random], Exercise]
    hint: str


EXERCISES: dict[str, Kind] = {
    "postorder": Kind(
        "Number a node",
        numbering.postorder,
        "Walk around the tree from the left. A node gets its number once all its children have theirs.",
    ),
    "keyroots": Kind(
        "Find the keyroots",
        numbering.keyroots,
        "The root is one. Which other nodes have a sibling to their left?",
    ),
    "cell": Kind(
        "Fill a cell",
        tables.missing_cell,
        "Three ways lead there: to delete, to insert, to keep a pair. Add to the cell of each what the way costs.",
    ),
    "winner": Kind(
        "Which way wins?",
        tables.winner,
        "Add to the cell that each way comes from what the way costs, and compare the three sums.",
    ),
    "distance": Kind(
        "Calculate a distance",
        scripts.distance,
        "Look for the largest part that can stay as it is. What is left over is replaced, deleted or inserted.",
    ),
    "script": Kind(
        "Find the cheapest script",
        scripts.cheapest_script,
        "Count the operations of each script: each costs 1.",
    ),
    "order": Kind(
        "Which order was used?",
        scripts.which_order,
        "Find the cheapest mapping of each order. Which may swap siblings, and which may split a branch?",
    ),
    "mapping": Kind(
        "Spot the invalid mapping",
        scripts.invalid_mapping,
        "Take the links two by two: what is above, and what is to the left, must be the same on both sides.",
    ),
    "matching": Kind(
        "Match the children",
        unordered.matching,
        "Try every way to pair them. A child without a partner costs what stands in the last column or row.",
    ),
    "constrained": Kind(
        "Calculate a constrained distance",
        unordered.constrained_distance,
        "Siblings may change places. But what two nodes have below them may not be mixed: look at each branch.",
    ),
    "prices": Kind(
        "Bound by prices",
        unordered.price_bound,
        "First p(3). Then for each left leaf the largest W less its partner's price. All prices are paid, too.",
    ),
    "cover": Kind(
        "Find the exact cover",
        unordered.exact_cover,
        "Two sets of three hold six elements once each only if they have none in common.",
    ),
    "cost": Kind("From a cosine to a cost", costs.cosine_cost, "The distance is √(1 − cos)."),
    "score": Kind(
        "Normalize a distance",
        costs.normalized_score,
        "The normalized distance is 2d / (w (n + m) + d), w being the dearest deletion or insertion.",
    ),
}


def exercise(name: str, seed: int) -> Exercise:
    """The exercise of this kind that the seed gives: the same one for everybody.

    Raises:
        UnknownNameError: no such kind.
    """
    kind = lookup(EXERCISES, name, "exercise")
    return kind.make(Random(f"{name} {seed}"))  # noqa: S311 - nothing secret


__all__ = ["EXERCISES", "Answer", "Exercise", "Grid", "Kind", "exercise"]
