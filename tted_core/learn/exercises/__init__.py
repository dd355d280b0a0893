"""Short exercises. Questions are drawn at random from a seed, and every answer is computed."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tted_core.foundations.registry import lookup
from tted_core.learn.exercises import algorithms, basics
from tted_core.learn.exercises.exercise import Answer, Exercise


@dataclass(frozen=True)
class Kind:
    """A kind of exercise: title, function, hint, and whether it is about details of an algorithm."""

    title: str
    make: Callable[[Random], Exercise]
    hint: str
    advanced: bool = False

    @property
    def full_title(self) -> str:
        """The title, marked where the kind is advanced."""
        return f"{self.title} (advanced)" if self.advanced else self.title


EXERCISES: dict[str, Kind] = {
    "postorder": Kind(
        "Number a node",
        algorithms.postorder,
        "Walk around the tree from the left. A node gets its number once all its children have theirs.",
    ),
    "reading": Kind(
        "What does a mapping cost?",
        basics.mapping_price,
        "Count the nodes without a partner on both sides, and the pairs of different letters.",
    ),
    "mapping": Kind(
        "Spot the invalid mapping",
        basics.invalid_mapping,
        "Take the links two by two: what is above, and what is to the left, must be the same on both sides.",
    ),
    "orders": Kind(
        "Which orders allow it?",
        basics.allowing_orders,
        "In all, what is above stays above. Ordered: siblings keep their order. Constrained: branches stay "
        "separate.",
    ),
    "edits": Kind(
        "What do these edits cost?",
        basics.script_cost,
        "Replacing costs the distance of the two sentences; deleting and inserting, the distance to nothing.",
    ),
    "cost": Kind("Convert a cosine to a cost", basics.cosine_cost, "The distance is √(1 − cos)."),
    "script": Kind(
        "Find the cheapest script",
        basics.cheapest_script,
        "Count the operations of each script: each costs 1.",
    ),
    "distance": Kind(
        "Calculate a distance",
        basics.distance,
        "Look for the largest part that can stay as it is. What is left over is replaced, deleted or inserted.",
    ),
    "order": Kind(
        "Which order was used?",
        basics.which_order,
        "Find the cheapest mapping of each order. Which may swap siblings, and which may split a branch?",
    ),
    "score": Kind(
        "Normalize a distance",
        basics.normalized_score,
        "The normalized distance is 2d / (w_max (n + m) + d); w_max is the costliest deletion or insertion.",
    ),
    "keyroots": Kind(
        "Find the keyroots",
        algorithms.keyroots,
        "The root is one. Which other nodes have a sibling to their left?",
        advanced=True,
    ),
    "cell": Kind(
        "Fill a cell",
        algorithms.missing_cell,
        "Three ways lead there: to delete, to insert, to keep a pair. Add to the cell of each what the way costs.",
        advanced=True,
    ),
    "matching": Kind(
        "Match the children",
        algorithms.matching,
        "Try every way to pair them. A child without a partner costs what stands in the last column or row.",
        advanced=True,
    ),
}
"""First exercises on TTED itself, then advanced ones on the algorithms."""


def exercise(name: str, seed: int) -> Exercise:
    """The exercise of this kind for a seed."""
    kind = lookup(EXERCISES, name, "exercise")
    return kind.make(Random(f"{name} {seed}"))  # noqa: S311 - nothing secret


__all__ = ["EXERCISES", "Answer", "Exercise", "Kind", "exercise"]
