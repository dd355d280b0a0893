"""Short exercises. Questions are drawn at random from a seed, and every answer is computed."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np

from tted_core.arithmetic import normalize_as_published, sizes_of
from tted_core.distances.formulas import cosine as cosine_distance
from tted_core.errors import lookup
from tted_core.learn.exercise import NOTHING, Exercise, random_mapping, random_pair, random_tree
from tted_core.learn.mappings import clash_in_words, list_pairs, unit_costs, violation, with_gaps
from tted_core.learn.stepper.ordered import trace
from tted_core.learn.stepper.recording import number_nodes
from tted_core.solvers import SOLVERS, Mapping, mapping_cost
from tted_core.solvers.structure import Pair
from tted_core.tree import TextTree

# Mappings to choose from.
MAPPING_CHOICES = 4


def mapping_price(rng: Random) -> Exercise:
    """Compute the cost of a mapping: deletions, insertions and replacements."""
    left, right = random_pair(rng, rng.randint(4, 5))
    mapping = with_gaps(left, right, random_mapping(rng, left, right, "ordered"))
    return Exercise(
        "A **mapping** pairs nodes of the left tree with nodes of the right one: each node has one partner at "
        "most, and what is above stays above. Nodes without a partner are deleted (−) or inserted (+), pairs of "
        "different letters are replaced (~). Each of these edits costs 1. What does this mapping **cost**?",
        mapping_cost(unit_costs(left, right), mapping),
        f"The edits: {_script_in_words(left, right, mapping)}.",
        trees=(left, right),
        mappings=(mapping,),
        numbered=True,
    )


def invalid_mapping(rng: Random) -> Exercise:
    """Identify the invalid mapping."""
    left, right = random_pair(rng, rng.randint(4, 5))
    valid: list[list[Pair]] = []
    while len(valid) < MAPPING_CHOICES - 1:
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
        tuple(str(number) for number in range(1, MAPPING_CHOICES + 1)),
        trees=(left, right),
        mappings=tuple(with_gaps(left, right, pairs) for pairs in mappings),
        numbered=True,
    )


def _broken(rng: Random, left: TextTree, right: TextTree) -> list[Pair]:
    """Pairs that use no node twice, but aren't an ordered mapping."""
    while True:
        pairs = random_mapping(rng, left, right, "ordered")
        if len(pairs) < 2:
            continue
        sources, targets = map(list, zip(*pairs, strict=True))
        first, second = rng.sample(range(len(pairs)), 2)
        targets[first], targets[second] = targets[second], targets[first]
        swapped = sorted(zip(sources, targets, strict=True))
        if violation("ordered", left, right, swapped):
            return swapped


def valid_orders(rng: Random) -> Exercise:
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
        f"and between each and nothing ({NOTHING}). What do these edits **cost** in total: replace {kept} "
        f"with {target}, delete {gone}, insert {new} (two decimals)?",
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
        f"The cosine of two sentences' vectors is **{cosine}**. What does replacing one with the other "
        "**cost** (distance *cosine*, two decimals)?",
        round(cost, 10),
        f"√(1 − cos) = √(1 − {cosine}) = √{1 - cosine:.2f} = {cost:.2f}.",
    )


def _script_in_words(left: TextTree, right: TextTree, mapping: Mapping) -> str:
    """The operations with a cost, such as "replace B with F, delete C"; "nothing" if there are none."""
    replaced = [
        f"replace {left.labels[source]} with {right.labels[target]}"
        for source, target in list_pairs(mapping)
        if left.labels[source] != right.labels[target]
    ]
    deleted = [f"delete {left.labels[node]}" for node, other in mapping if node is not None and other is None]
    inserted = [
        f"insert {right.labels[node]}" for other, node in mapping if node is not None and other is None
    ]
    return ", ".join(sorted(replaced) + sorted(deleted) + sorted(inserted)) or "nothing"


def distance_exercise(rng: Random) -> Exercise:
    """Calculate an ordered distance."""
    left, right = random_pair(rng, rng.randint(4, 5))
    solution = SOLVERS["ordered"](left, right, unit_costs(left, right))
    return Exercise(
        "Deleting, inserting and replacing a node cost 1 each. What is the **ordered** tree edit distance?",
        solution.upper,
        f"A cheapest script: {_script_in_words(left, right, solution.mapping)}.",
        trees=(left, right),
    )


def normalize_distance(rng: Random) -> Exercise:
    """Convert a distance to the published normalisation."""
    n, m = rng.randint(3, 9), rng.randint(3, 9)
    distance = rng.randint(1, n + m)
    score = float(normalize_as_published(float(distance), sizes_of(np.ones((n + 1, m + 1)), power=1.0)))
    shown = f"= {score:g}" if round(score, 3) == score else f"≈ {score:.2f}"
    return Exercise(
        f"Two maps have **{n}** and **{m}** nodes, every deletion and insertion costs 1, and their distance is "
        f"**{distance}**. What is the **normalized** distance (two decimals)?",
        score,
        f"2d / (w_max (n + m) + d) = 2·{distance} / (1·({n} + {m}) + {distance}) = "
        f"{2 * distance}/{n + m + distance} {shown}.",
    )


WAYS = {
    "replace": "pairing the two nodes",
    "subtree": "keeping the two subtrees",
    "delete": "deleting the left node",
    "insert": "inserting the right node",
}


def postorder(rng: Random) -> Exercise:
    """Number a tree in postorder."""
    tree = random_tree(rng, rng.randint(5, 7))
    numbers = number_nodes(tree)
    node = rng.randint(1, len(tree) - 1)
    return Exercise(
        f"What is the postorder number of node **{numbers.labels[node]}**? The first node is number 1.",
        float(node),
        f"Children come before their parent, from left to right: {', '.join(numbers.labels[1:])}.",
        trees=(tree,),
    )


def keyroots(rng: Random) -> Exercise:
    """Find the keyroots."""
    tree = random_tree(rng, rng.randint(5, 7))
    numbers = number_nodes(tree)
    roots = [numbers.labels[node] for node in numbers.keyroots]
    options = tuple(sorted(tree.labels))
    return Exercise(
        "Which nodes are **keyroots**?",
        frozenset(options.index(root) for root in roots),
        f"A keyroot has a left sibling, or is the root: {', '.join(sorted(roots))}. They are the highest nodes "
        "with their leftmost leaf.",
        options,
        many=True,
        trees=(tree,),
    )


def missing_cell(rng: Random) -> Exercise:
    """Fill a cell of the last forest table."""
    left, right = random_pair(rng, rng.randint(4, 5))
    run = trace(left, right, unit_costs(left, right))
    index = len(run.grids) - 2
    table = run.grids[index]
    cells = [cell for cell in run.cells if cell.position[0] == index]
    cell = rng.choice([each for each in cells if each.row > table.rows[1] and each.column > table.columns[1]])
    entry = f"{cell.row}, {cell.column}"
    known = f" It is known from an earlier table that D({entry}) = {cell.ways[0].terms[1].value:g}."
    ways = "; ".join(
        f"{WAYS[way.line]}: {start.name} + {added.value:g} = {start.value:g} + {added.value:g} = {way.value:g}"
        for way in cell.ways
        for start, added in [way.terms]
    )
    filled = {each.position[1:]: f"{each.value:g}" for each in cells[: cells.index(cell)]}
    filled[cell.row, cell.column] = "?"
    nodes = zip((run.left, run.right), (table.rows, table.columns), strict=True)
    rows, columns = (
        {node: f"{node} {side.labels[node]}" if node != numbers[0] else NOTHING for node in numbers}
        for side, numbers in nodes
    )
    return Exercise(
        f"All costs are 0 or 1. Which number belongs in the cell with the question mark, **f({entry})**?"
        f"{'' if cell.ways[0].line == 'replace' else known}",
        cell.value,
        f"{ways[0].upper()}{ways[1:]}. The smallest is {cell.value:g}.",
        trees=(left, right),
        grid=(
            ("", *columns.values()),
            *((name, *(filled.get((i, j), "") for j in columns)) for i, name in rows.items()),
        ),
        numbered=True,
    )


@dataclass(frozen=True)
class Kind:
    """A kind of exercise: its title, the function that makes one, and a hint."""

    title: str
    make: Callable[[Random], Exercise]
    hint: str


# Kinds of exercises by name: those on TTED itself, then advanced ones on the algorithm of Zhang and Shasha.
EXERCISES: dict[str, Kind] = {
    "postorder": Kind(
        "Number a node",
        postorder,
        "Walk around the tree from the left. A node gets its number once all its children have theirs.",
    ),
    "reading": Kind(
        "What does a mapping cost?",
        mapping_price,
        "Count the nodes without a partner on both sides, and the pairs of different letters.",
    ),
    "mapping": Kind(
        "Spot the invalid mapping",
        invalid_mapping,
        "Take the links two by two: what is above, and what is to the left, must be the same on both sides.",
    ),
    "orders": Kind(
        "Which orders allow it?",
        valid_orders,
        "In all, what is above stays above. Ordered: siblings keep their order. Constrained: branches stay "
        "separate.",
    ),
    "edits": Kind(
        "What do these edits cost?",
        script_cost,
        "Replacing costs the distance of the two sentences; deleting and inserting, the distance to nothing.",
    ),
    "cost": Kind("Convert a cosine to a cost", cosine_cost, "The distance is √(1 − cos)."),
    "distance": Kind(
        "Calculate a distance",
        distance_exercise,
        "Look for the largest part that can stay as it is. What is left over is replaced, deleted or inserted.",
    ),
    "score": Kind(
        "Normalize a distance",
        normalize_distance,
        "The normalized distance is 2d / (w_max (n + m) + d); w_max is the costliest deletion or insertion.",
    ),
    "keyroots": Kind(
        "Find the keyroots (advanced)",
        keyroots,
        "The root is one. Which other nodes have a sibling to their left?",
    ),
    "cell": Kind(
        "Fill a cell (advanced)",
        missing_cell,
        "Three ways lead there: to delete, to insert, to keep a pair. Add to the cell of each what the way costs.",
    ),
}


def exercise(name: str, seed: int) -> Exercise:
    """The exercise of this kind for a seed."""
    kind = lookup(EXERCISES, name, "exercise")
    return kind.make(Random(f"{name} {seed}"))  # noqa: S311 - nothing secret
