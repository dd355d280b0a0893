"""Exercises on the constrained and the unordered distance: matchings of children, prices, exact covers."""

import itertools
from random import Random

from tted_core.learn.constrained import trace, two_matchings
from tted_core.learn.exact_cover import ExactCover
from tted_core.learn.exercises.exercise import Exercise, Grid
from tted_core.learn.exercises.random_maps import random_pair
from tted_core.learn.stepper.wording import at, listed
from tted_core.learn.unit_costs import unit_costs

NOTHING = "∅"


def matching(rng: Random) -> Exercise:
    """Match the children of two nodes."""
    rows, columns = (range(1, rng.randint(2, 3) + 1) for _ in range(2))
    gaps = [{node: rng.randint(1, 4) for node in nodes} for nodes in (rows, columns)]
    costs = {(k, m): rng.randint(0, gaps[0][k] + gaps[1][m]) for k in rows for m in columns}
    costs |= {(k, 0): gap for k, gap in gaps[0].items()} | {(0, m): gap for m, gap in gaps[1].items()}
    best, _ = two_matchings(rows, columns, lambda k, m: costs[k, m])
    parts = [*best.pairs, *((k, 0) for k in best.deleted), *((0, m) for m in best.inserted)]
    terms = " + ".join(str(costs[part]) for part in parts)
    cells = tuple(tuple(str(costs.get((k, m), "")) for m in (*columns, 0)) for k in (*rows, 0))
    return Exercise(
        f"Children 1 to {len(rows)} of a node on the left are matched with children 1 to {len(columns)} of "
        "one on the right. The table has T(k, l) for each pair, and in the last column and row what deleting "
        "and inserting a child with all below it costs. What does the **cheapest matching** cost?",
        float(best.value),
        f"{listed([at('T', *part) for part in parts])}: {terms} = {best.value:g}.",
        grid=Grid((*map(str, rows), NOTHING), (*map(str, columns), NOTHING), cells),
    )


def constrained_distance(rng: Random) -> Exercise:
    """Calculate a constrained distance."""
    left, right = random_pair(rng, rng.randint(4, 5))
    run = trace(left, right, unit_costs(left, right))
    corner = run.cells[-1]
    ways = "; ".join(
        f"{'pairing the roots' if each.line == 'pair' else f'only below {each.line} child {each.child}'} "
        f"costs {each.value:g}"
        for each in corner.candidates
    )
    return Exercise(
        "Deleting, inserting and replacing a node cost 1 each. What is the **constrained** tree edit distance?",
        run.distance,
        f"The ways to {at('T', corner.row, corner.column)}: {ways}. The smallest is {run.distance:g}.",
        trees=(left, right),
        numbered=True,
    )


def price_bound(rng: Random) -> Exercise:
    """Calculate the bound that prices give."""
    rows, leaves = range(1, rng.randint(2, 3) + 1), (1, 2)
    prices = {1: rng.randint(0, 3), 2: rng.randint(0, 3)}
    prices[3] = prices[1] + prices[2]
    worth = {(k, m): rng.randint(0, 6) for k in rows for m in (1, 2, 3)}
    bests = {k: max(worth[k, m] - prices[m] for m in (1, 2, 3)) for k in rows}
    paid = sum(prices[leaf] for leaf in leaves)
    bound = paid + sum(max(0, best) for best in bests.values())
    terms = " + ".join(str(max(0, best)) for best in bests.values())
    return Exercise(
        f"Leaves 1 to {len(rows)} on the left may be paired with node 3 on the right or with the leaves 1 "
        "and 2 below it. The table has what each pair saves, W(k, l). The leaves' prices are p(1) = "
        f"{prices[1]} and p(2) = {prices[2]}. **More than which number** can no mapping save, by these prices?",
        float(bound),
        f"p(3) = {prices[1]} + {prices[2]} = {prices[3]}. All prices are paid, {paid}, and each left leaf "
        f"adds its largest W(k, l) − p(l), or 0: {paid} + {terms} = {bound}.",
        grid=Grid(
            tuple(map(str, rows)),
            ("1", "2", "3"),
            tuple(tuple(str(worth[k, m]) for m in (1, 2, 3)) for k in rows),
        ),
    )


def exact_cover(rng: Random) -> Exercise:
    """Choose sets so that the unordered mapping reaches its bound."""
    while True:
        triples = rng.sample(list(itertools.combinations(range(1, 7), 3)), 4)
        instance = ExactCover(2, tuple(triples))
        covers = [chosen for chosen in itertools.combinations(range(4), 2) if instance.is_cover(chosen)]
        if len(covers) == 1:
            break
    options = tuple(
        f"S{place} = {{{', '.join(map(str, each))}}}" for place, each in enumerate(triples, start=1)
    )
    return Exercise(
        f"The two trees of *Why it is NP-hard* are made of the sets {listed(options)}. Which sets' nodes does a "
        f"mapping **delete** that reaches the bound k + 3 (n − k) = {instance.bound}?",
        frozenset(covers[0]),
        f"{listed([options[each] for each in covers[0]])} hold each element once; no other two of the sets do.",
        options,
        many=True,
    )
