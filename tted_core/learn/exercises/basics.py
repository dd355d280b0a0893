"""Exercises on TTED itself: mappings, costs of edits, orders, the distance, the normalized distance."""

from random import Random
from string import ascii_uppercase

import numpy as np

from tted_core.arithmetic import published, sizes_of
from tted_core.distances.vectors import cosine as cosine_distance
from tted_core.learn.exercises.exercise import (
    NOTHING,
    Exercise,
    random_mapping,
    random_pair,
    random_separating_pair,
)
from tted_core.learn.mappings import (
    clash_in_words,
    letter_solutions,
    pairs_of,
    unit_costs,
    violation,
    with_gaps,
)
from tted_core.solvers import SOLVERS, Mapping, mapping_cost
from tted_core.solvers.structure import Pair
from tted_core.tree import TextTree

# Number of scripts or mappings to choose from.
CHOICES = 4


def mapping_price(rng: Random) -> Exercise:
    """Compute the cost of a mapping: deletions, insertions and replacements."""
    left, right = random_pair(rng, rng.randint(4, 5))
    mapping = with_gaps(left, right, random_mapping(rng, left, right, "ordered"))
    return Exercise(
        "A **mapping** pairs nodes of the left tree with nodes of the right one: each node has one partner at "
        "most, and what is above stays above. Nodes without a partner are deleted (−) or inserted (+), pairs of "
        "different letters replaced (~); each of that costs 1. What does this mapping **cost**?",
        mapping_cost(unit_costs(left, right), mapping),
        f"The edits: {script_in_words(left, right, mapping)}.",
        trees=(left, right),
        mappings=(mapping,),
        numbered=True,
    )


def invalid_mapping(rng: Random) -> Exercise:
    """Identify the invalid mapping."""
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
    return Exercise(
        "One of these **isn't a valid mapping** of the order *ordered*. Which?",
        frozenset({mappings.index(wrong)}),
        clash_in_words("ordered", left, right, *found),
        tuple(str(number) for number in range(1, CHOICES + 1)),
        trees=(left, right),
        mappings=tuple(with_gaps(left, right, pairs) for pairs in mappings),
        numbered=True,
    )


def _broken(rng: Random, left: TextTree, right: TextTree) -> list[Pair]:
    """Pairs that use no node twice, but aren't an ordered mapping."""
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


def allowing_orders(rng: Random) -> Exercise:
    """Name the orders that allow a mapping."""
    all_orders = rng.random() < 0.25
    while True:
        left, right = random_pair(rng, rng.randint(4, 5))
        pairs = random_mapping(rng, left, right, "unordered")
        broken = {order: violation(order, left, right, pairs) for order in SOLVERS}
        if len(pairs) >= 3 and any(broken.values()) != all_orders:
            break
    reasons = [clash_in_words(order, left, right, *found) for order, found in broken.items() if found]
    return Exercise(
        "Which **orders** allow this mapping?",
        frozenset(index for index, found in enumerate(broken.values()) if found is None),
        " ".join(reasons) or "Ancestors stay ancestors, siblings keep their order, and no branch is split.",
        tuple(SOLVERS),
        many=True,
        trees=(left, right),
        mappings=(with_gaps(left, right, pairs),),
        numbered=True,
    )


def script_cost(rng: Random) -> Exercise:
    """Add up the costs of a script's edits, given the distances of all texts."""
    gaps = {name: rng.randint(60, 100) for name in "ABXY"}
    between = {
        left + right: rng.randint(max(10, abs(gaps[left] - gaps[right])), 95)
        for left in "AB"
        for right in "XY"
    }
    (kept, gone), (target, new) = rng.sample("AB", 2), rng.sample("XY", 2)
    amounts = (between[kept + target], gaps[gone], gaps[new])
    rows = {a: (between[a + "X"], between[a + "Y"], gaps[a]) for a in "AB"} | {
        NOTHING: (gaps["X"], gaps["Y"])
    }
    cells = [(name, *(f"{each / 100:.2f}" for each in values)) for name, values in rows.items()]
    terms = " + ".join(f"{each / 100:.2f}" for each in amounts)
    total = sum(amounts) / 100
    return Exercise(
        "The table has the distances between the sentences A and B of the left map and X and Y of the right one, "
        f"and between each and nothing ({NOTHING}). What do these edits **cost** together: replace {kept} by "
        f"{target}, delete {gone}, insert {new} (two decimals)?",
        total,
        f"r({kept}, {target}) + r({gone}, {NOTHING}) + r({NOTHING}, {new}) = {terms} = {total:.2f}.",
        grid=(("", "X", "Y", NOTHING), *cells[:-1], (*cells[-1], "")),
    )


def cosine_cost(rng: Random) -> Exercise:
    """Convert a cosine to the cost of replacing."""
    cosine = rng.choice([0.19, 0.36, 0.51, 0.64, 0.75, 0.84, 0.91, 0.96])
    angle = np.arccos(cosine)
    vectors = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
    cost = float(cosine_distance(vectors[:1], vectors[1:])[0, 0])
    return Exercise(
        f"The cosine of two sentences' vectors is **{cosine}**. What does replacing one by the other **cost** "
        "(distance *cosine*, two decimals)?",
        round(cost, 10),
        f"√(1 − cos) = √(1 − {cosine}) = √{1 - cosine:.2f} = {cost:.2f}.",
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
    right_one = min(range(CHOICES), key=lambda index: found[options[index]])
    values = ", ".join(f"{number}: {found[option]:g}" for number, option in enumerate(options, start=1))
    return Exercise(
        "Deleting, inserting and replacing a node cost 1 each. Each of these scripts turns the left tree into the "
        "right one. Which is the **cheapest**?",
        frozenset({right_one}),
        f"What they cost: {values}.",
        tuple(options),
        trees=(left, right),
    )


def _nearly(rng: Random, left: TextTree, right: TextTree, pairs: list[Pair]) -> list[Pair]:
    """A mapping similar to this one: one or two pairs less, and others added if possible."""
    kept = rng.sample(pairs, max(0, len(pairs) - rng.randint(1, 2)))
    others = [(v, w) for v in range(len(left)) for w in range(len(right)) if (v, w) not in pairs]
    for pair in rng.sample(others, min(3, len(others))):
        if violation("ordered", left, right, [*kept, pair]) is None:
            kept.append(pair)
    return kept


def script_in_words(left: TextTree, right: TextTree, mapping: Mapping) -> str:
    """The operations with a cost, such as "replace B by F, delete C"; "nothing" if there are none."""
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


def which_order(rng: Random) -> Exercise:
    """Infer the order from a distance."""
    pair = random_separating_pair(rng)
    letters = rng.sample(ascii_uppercase, len(pair[0]))
    renamed = dict(zip(pair[0].labels, letters, strict=True))
    left, right = (TextTree(tuple(renamed[label] for label in tree.labels), tree.parents) for tree in pair)
    distances = {order: solution.upper for order, solution in letter_solutions(left, right).items()}
    orders = tuple(SOLVERS)
    used = rng.choice(orders)
    values = ", ".join(f"{order} {value:g}" for order, value in distances.items())
    return Exercise(
        "Deleting and inserting cost 1, and only equal letters are paired. The distance is "
        f"**{distances[used]:g}**: which **order** was used?",
        frozenset({orders.index(used)}),
        f"The three distances: {values}.",
        orders,
        trees=(left, right),
    )


def normalized_score(rng: Random) -> Exercise:
    """Convert a distance to the published normalisation."""
    n, m = rng.randint(3, 9), rng.randint(3, 9)
    distance = rng.randint(1, n + m)
    score = float(published(float(distance), sizes_of(np.ones((n + 1, m + 1)), power=1.0)))
    shown = f"= {score:g}" if round(score, 3) == score else f"≈ {score:.2f}"
    return Exercise(
        f"Two maps have **{n}** and **{m}** nodes, every deletion and insertion costs 1, and their distance is "
        f"**{distance}**. What is the **normalized** distance (two decimals)?",
        score,
        f"2d / (w_max (n + m) + d) = 2·{distance} / (1·({n} + {m}) + {distance}) = "
        f"{2 * distance}/{n + m + distance} {shown}.",
    )
