"""Exercises on the algorithms: numbers and tables of Zhang and Shasha, matchings of children, and prices."""

from random import Random

from tted_core.learn.constrained import two_matchings
from tted_core.learn.exercises.exercise import NOTHING, CellTable, Exercise, random_pair, random_tree
from tted_core.learn.mappings import at, listed, unit_costs
from tted_core.learn.zhang_shasha import Cell, Move, Trace, number, trace

WAYS: dict[Move, str] = {
    "replace": "pairing the two nodes",
    "subtree": "keeping the two subtrees",
    "delete": "deleting the left node",
    "insert": "inserting the right node",
}


def postorder(rng: Random) -> Exercise:
    """Number a tree in postorder."""
    tree = random_tree(rng, rng.randint(5, 7))
    numbers = number(tree)
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
    numbers = number(tree)
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
    table = run.tables[-1]
    inner = [cell for cell in table.cells if cell.row > table.rows[1] and cell.column > table.columns[1]]
    cell = rng.choice(inner)
    entry = f"{cell.row}, {cell.column}"
    known = f" It is known from an earlier table that D({entry}) = {cell.candidates[0].added:g}."
    ways = "; ".join(
        f"{WAYS[each.move]}: {table.named(*each.origin)} + {each.added:g} = {each.start:g} + {each.added:g} = "
        f"{each.value:g}"
        for each in cell.candidates
    )
    return Exercise(
        f"All costs are 0 or 1. Which number belongs at the question mark, **f({entry})**?"
        f"{'' if cell.is_tree else known}",
        cell.value,
        f"{ways[0].upper()}{ways[1:]}. The smallest is {cell.value:g}.",
        trees=(left, right),
        grid=_until(run, cell),
        numbered=True,
    )


def _until(run: Trace, cell: Cell) -> CellTable:
    """The last table just before the cell is filled."""
    table = run.tables[-1]
    position = table.cells.index(cell)
    texts = [
        "?" if index == position else f"{each.value:g}" if index < position else ""
        for index, each in enumerate(table.cells)
    ]
    width = len(table.columns)
    rows, columns = (
        (NOTHING, *(f"{number} {side.labels[number]}" for number in numbers[1:]))
        for side, numbers in ((run.left, table.rows), (run.right, table.columns))
    )
    return CellTable(
        rows, columns, tuple(tuple(texts[i * width : (i + 1) * width]) for i in range(len(rows)))
    )


def matching(rng: Random) -> Exercise:
    """Match the children of two nodes."""
    rows, columns = (range(1, rng.randint(2, 3) + 1) for _ in range(2))
    gaps = [{node: rng.randint(1, 4) for node in nodes} for nodes in (rows, columns)]
    costs = {(k, m): rng.randint(0, gaps[0][k] + gaps[1][m]) for k in rows for m in columns}
    costs |= {(k, 0): gap for k, gap in gaps[0].items()} | {(0, m): gap for m, gap in gaps[1].items()}
    best, _ = two_matchings(rows, columns, lambda k, m: costs[k, m])
    terms = " + ".join(str(costs[part]) for part in best.entries)
    cells = tuple(tuple(str(costs.get((k, m), "")) for m in (*columns, 0)) for k in (*rows, 0))
    return Exercise(
        f"Children 1 to {len(rows)} of a node on the left are matched with children 1 to {len(columns)} of "
        "one on the right. The table has T(k, ℓ) for each pair, and in the last column and row what deleting "
        "and inserting a child with all below it costs. What does the **cheapest matching** cost?",
        float(best.value),
        f"{listed([at('T', *part) for part in best.entries])}: {terms} = {best.value:g}.",
        grid=CellTable((*map(str, rows), NOTHING), (*map(str, columns), NOTHING), cells),
    )


def price_bound(rng: Random) -> Exercise:
    """Calculate the upper bound given by prices."""
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
        "and 2 below it. The table has what each pair saves, W(k, ℓ). The leaves' prices are p(1) = "
        f"{prices[1]} and p(2) = {prices[2]}. **More than which number** can no mapping save, by these prices?",
        float(bound),
        f"p(3) = {prices[1]} + {prices[2]} = {prices[3]}. All prices are paid, {paid}, and each left leaf "
        f"adds its largest W(k, ℓ) − p(ℓ), or 0: {paid} + {terms} = {bound}.",
        grid=CellTable(
            tuple(map(str, rows)),
            ("1", "2", "3"),
            tuple(tuple(str(worth[k, m]) for m in (1, 2, 3)) for k in rows),
        ),
    )
