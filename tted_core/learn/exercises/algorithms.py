"""Exercises on the algorithms: numbers and tables of Zhang and Shasha, and matchings of children."""

from random import Random

from tted_core.learn.exercises.exercise import NOTHING, Exercise, random_pair, random_tree
from tted_core.learn.mappings import unit_costs
from tted_core.learn.stepper.constrained import two_matchings
from tted_core.learn.stepper.ordered import trace
from tted_core.learn.stepper.recording import listed, numbered

WAYS = {
    "replace": "pairing the two nodes",
    "subtree": "keeping the two subtrees",
    "delete": "deleting the left node",
    "insert": "inserting the right node",
}


def postorder(rng: Random) -> Exercise:
    """Number a tree in postorder."""
    tree = random_tree(rng, rng.randint(5, 7))
    numbers = numbered(tree)
    node = rng.randint(1, len(tree) - 1)
    return Exercise(
        f"Which number has node **{numbers.labels[node]}** in postorder, the first node being 1?",
        float(node),
        f"Children come before their parent, from left to right: {', '.join(numbers.labels[1:])}.",
        trees=(tree,),
    )


def keyroots(rng: Random) -> Exercise:
    """Find the keyroots."""
    tree = random_tree(rng, rng.randint(5, 7))
    numbers = numbered(tree)
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
        f"All costs are 0 or 1. Which number belongs at the question mark, **f({entry})**?"
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


def matching(rng: Random) -> Exercise:
    """Match the children of two nodes."""
    rows, columns = (range(1, rng.randint(2, 3) + 1) for _ in range(2))
    gaps = [{node: rng.randint(1, 4) for node in nodes} for nodes in (rows, columns)]
    costs = {(k, m): rng.randint(0, gaps[0][k] + gaps[1][m]) for k in rows for m in columns}
    costs |= {(k, 0): gap for k, gap in gaps[0].items()} | {(0, m): gap for m, gap in gaps[1].items()}
    best, *_ = two_matchings(rows, columns, lambda k, m: costs[k, m])
    terms = " + ".join(str(costs[part]) for part in best.entries)
    names = [f"T({k or 'nothing'}, {m or 'nothing'})" for k, m in best.entries]
    return Exercise(
        f"Children 1 to {len(rows)} of a node on the left are matched with children 1 to {len(columns)} of "
        "one on the right. The table has T(k, ℓ) for each pair, and in the last column and row what deleting "
        "and inserting a child with all below it costs. What does the **cheapest matching** cost?",
        float(best.value),
        f"{listed(names)}: {terms} = {best.value:g}.",
        grid=(
            ("", *map(str, columns), NOTHING),
            *((str(k or NOTHING), *(str(costs.get((k, m), "")) for m in (*columns, 0))) for k in (*rows, 0)),
        ),
    )
