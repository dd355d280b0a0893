"""Ten short exercises. Questions are drawn at random from a seed, and every answer is computed."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tted_core.learn.exercises import costs, numbering, scripts, tables
from tted_core.learn.exercises.exercise import Exercise, Grid
from tted_core.registry import lookup


@dataclass(frozen=True)
class Kind:
    """A kind of exercise: what it is called, and what makes one."""

    title: str
    make: Callable[[Random], Exercise]


EXERCISES: dict[str, Kind] = {
    "postorder": Kind("Number a node", numbering.postorder),
    "keyroots": Kind("Find the keyroots", numbering.keyroots),
    "cell": Kind("Fill a cell", tables.missing_cell),
    "winner": Kind("Which way wins?", tables.winner),
    "distance": Kind("Calculate a distance", scripts.distance),
    "script": Kind("Find the cheapest script", scripts.cheapest_script),
    "order": Kind("Which order was used?", scripts.which_order),
    "mapping": Kind("Spot the invalid mapping", scripts.invalid_mapping),
    "cost": Kind("From a cosine to a cost", costs.cosine_cost),
    "score": Kind("Normalize a distance", costs.normalized_score),
}


def exercise(name: str, seed: int) -> Exercise:
    """The exercise of this kind that the seed gives: the same one for everybody.

    Raises:
        UnknownNameError: no such kind.
    """
    kind = lookup(EXERCISES, name, "exercise")
    return kind.make(Random(f"{name} {seed}"))  # noqa: S311 - nothing secret


__all__ = ["EXERCISES", "Exercise", "Grid", "Kind", "exercise"]
