"""Exercises on distances, scripts, mappings and orders, with costs of 0 and 1."""

from random import Random
from string import ascii_uppercase

from tted_core.learn.exercises.exercise import Exercise
from tted_core.learn.exercises.random_maps import random_mapping, random_pair, random_separating_pair
from tted_core.learn.mappings import pairs_of, violation, with_gaps
from tted_core.learn.unit_costs import unit_costs
from tted_core.solvers import SOLVERS, Mapping, mapping_cost
from tted_core.solvers.structure import Pair
from tted_core.solvers.wording import entry_in_words, obstacle_in_words
from tted_core.tree import TextTree

CHOICES = 4
"""Scripts or mappings to choose from."""


def distance(rng: Random) -> Exercise:
    """Calculate an ordered distance."""
    left, right = random_pair(rng, rng.randint(4, 5))
    solution = SOLVERS["ordered"](left, right, unit_costs(left, right))
    return Exercise(
        "Deleting, inserting and replacing a node cost 1 each. What is the **ordered** tree edit distance?",
        solution.upper,
        f"A cheapest script: {script_in_words(left, right, solution.mapping)}.",
        trees=(left, right),
    )


def cheapest_script(rng: Random) -> Exercise:
    """Pick the cheapest script."""
    left, right = random_pair(rng, rng.randint(4, 5))
    costs = unit_costs(left, right)
    best = SOLVERS["ordered"](left, right, costs)
    found = {script_in_words(left, right, best.mapping): best.upper}
    while len(found) < CHOICES:
        mapping = with_gaps(left, right, _nearly(rng, left, right, pairs_of(best.mapping)))
        cost = mapping_cost(costs, mapping)
        if cost > best.upper:
            found[script_in_words(left, right, mapping)] = cost
    options = sorted(found)
    rng.shuffle(options)
    right_one = min(range(CHOICES), key=lambda place: found[options[place]])
    values = ", ".join(f"{place}: {found[option]:g}" for place, option in enumerate(options, start=1))
    return Exercise(
        "Deleting, inserting and replacing a node cost 1 each. Each of these scripts turns the left tree into the "
        "right one. Which is the **cheapest**?",
        frozenset({right_one}),
        f"What they cost: {values}.",
        tuple(options),
        trees=(left, right),
    )


def _nearly(rng: Random, left: TextTree, right: TextTree, pairs: list[Pair]) -> list[Pair]:
    """A mapping not far from this one: one or two pairs less, and others in their place if there is room."""
    kept = rng.sample(pairs, max(0, len(pairs) - rng.randint(1, 2)))
    others = [(v, w) for v in range(len(left)) for w in range(len(right)) if (v, w) not in pairs]
    for pair in rng.sample(others, min(3, len(others))):
        if violation("ordered", left, right, [*kept, pair]) is None:
            kept.append(pair)
    return kept


def which_order(rng: Random) -> Exercise:
    """Tell an order from a distance."""
    pair = random_separating_pair(rng)
    letters = rng.sample(ascii_uppercase, len(pair.left))
    renamed = dict(zip(pair.left.labels, letters, strict=True))
    left, right = (
        TextTree(tuple(renamed[label] for label in tree.labels), tree.parents)
        for tree in (pair.left, pair.right)
    )
    orders = tuple(SOLVERS)
    asked = rng.choice(orders)
    values = ", ".join(f"{order} {value:g}" for order, value in pair.distances.items())
    return Exercise(
        "Deleting and inserting cost 1, and only equal letters are paired. The distance is "
        f"**{pair.distances[asked]:g}**: which **order** was used?",
        frozenset({orders.index(asked)}),
        f"The three distances: {values}.",
        orders,
        trees=(left, right),
    )


def invalid_mapping(rng: Random) -> Exercise:
    """Spot the mapping that isn't one."""
    left, right = random_pair(rng, rng.randint(4, 5))
    valid: list[list[Pair]] = []
    while len(valid) < CHOICES - 1:
        pairs = random_mapping(rng, left, right, "ordered")
        if len(pairs) >= 2 and pairs not in valid:
            valid.append(pairs)
    wrong = _broken(rng, left, right)
    mappings = [*valid, wrong]
    rng.shuffle(mappings)
    found = violation("ordered", left, right, wrong)
    assert found, "a broken mapping breaks a rule"
    why = obstacle_in_words(found.obstacle, found.pair, left, right, postorder=True)
    return Exercise(
        "One of these is **no mapping** of the order *ordered*. Which?",
        frozenset({mappings.index(wrong)}),
        f"There is no room for {entry_in_words(found.pair, left, right, postorder=True)}: {why}.",
        tuple(str(place) for place in range(1, CHOICES + 1)),
        trees=(left, right),
        mappings=tuple(with_gaps(left, right, pairs) for pairs in mappings),
        numbered=True,
    )


def _broken(rng: Random, left: TextTree, right: TextTree) -> list[Pair]:
    """Pairs that use no node twice, and yet are no ordered mapping."""
    while True:
        pairs = random_mapping(rng, left, right, "ordered")
        sources = [pair[0] for pair in pairs]
        targets = [pair[1] for pair in pairs]
        if len(pairs) < 2:
            continue
        first, second = rng.sample(range(len(pairs)), 2)
        targets[first], targets[second] = targets[second], targets[first]
        swapped = sorted(zip(sources, targets, strict=True))
        if violation("ordered", left, right, swapped):
            return swapped


def script_in_words(left: TextTree, right: TextTree, mapping: Mapping) -> str:
    """The operations that cost something, say "replace B by F, delete C"; "nothing" if there are none."""
    replaced = [
        f"replace {left.labels[source]} by {right.labels[target]}"
        for source, target in pairs_of(mapping)
        if left.labels[source] != right.labels[target]
    ]
    deleted = [f"delete {left.labels[node]}" for node, other in mapping if node is not None and other is None]
    inserted = [
        f"insert {right.labels[node]}" for other, node in mapping if node is not None and other is None
    ]
    return ", ".join(sorted(replaced) + sorted(deleted) + sorted(inserted)) or "nothing"
