"""What the step player says of Zhang's recursion, step by step."""

from tted_core.formats.labels import counted
from tted_core.learn.cell import SAME
from tted_core.learn.constrained import Cell, Trace, WalkStep
from tted_core.learn.stepper.narration import number
from tted_core.learn.stepper.wording import at, listed, named

START = (
    "The nodes are numbered in postorder, children before their parent. Siblings may come in any order, but what "
    "lies below different nodes must stay below different nodes. T is the distance of two subtrees, F that of "
    "what lies below two nodes."
)


def borders(run: Trace) -> str:
    """What faces nothing."""
    n, m = len(run.left), len(run.right)
    return (
        "Against nothing, what is on the left can only be deleted; out of nothing, what is on the right can only "
        f"be inserted. {at('T', n, 0)} = {number(float(run.trees[n, 0]))} is the whole left tree, {at('T', 0, m)} "
        f"= {number(float(run.trees[0, m]))} the right one."
    )


def simple(run: Trace, cell: Cell) -> str:
    """F of a leaf."""
    i, j = cell.row, cell.column
    left, right = named(run.left, i), named(run.right, j)
    value = f"{at('F', i, j)} = {number(cell.value)}"
    if not run.children[0][i] and not run.children[1][j]:
        return f"Below {left} and {right} there is nothing: {value}."
    if not run.children[0][i]:
        return f"Below {left} there is nothing, so all below {right} is inserted: {value}."
    return f"Below {right} there is nothing, so all below {left} is deleted: {value}."


def told(run: Trace, cell: Cell) -> str:
    """An entry, and how its minimum comes about."""
    i, j, winner = cell.row, cell.column, cell.winner
    left, right = named(run.left, i), named(run.right, j)
    others = " (not the only cheapest way)" if len(cell.best) > 1 else ""
    if winner.line in {"left", "right"}:
        on_left = winner.line == "left"
        below = "below" if cell.table == "F" else "in the subtree of"
        child = named(run.left if on_left else run.right, winner.child)
        cheapest = (
            f"keeping only what lies {below} {child} and {'deleting' if on_left else 'inserting'} the rest"
        )
    elif winner.line == "pair":
        cheapest = f"{'matching' if run.left.labels[i] == run.right.labels[j] else 'pairing'} the roots"
    else:
        cheapest = "matching the children"
    what = "What lies below" if cell.table == "F" else "The subtrees of"
    found = f"{at(cell.table, i, j)} = {number(cell.value)}"
    return f"{what} {left} and {right}: cheapest is {cheapest}{others}: {found}.{_alternative(cell)}"


def _alternative(cell: Cell) -> str:
    if cell.matching is None or cell.runner_up is None:
        return ""
    best, other = cell.matching.value, cell.runner_up.value
    if other - best <= SAME:
        return f" Another matching, dashed, costs {number(best)} too."
    return f" The cheapest matching costs {number(best)}, the next best, dashed, {number(other)}."


def happens(run: Trace, back: WalkStep) -> str:
    """One step of the way back."""
    cell, winner = back.cell, back.cell.winner
    i, j = cell.row, cell.column
    here = f"The way back, at {at(cell.table, i, j)}"
    left, right = named(run.left, i), named(run.right, j)
    if winner.line == "pair":
        cost = number(float(run.costs[i, j]))
        if len(back.entries) > 1:
            return f"{here}: {left} and {right} are dearer to pair than to delete and insert, for {cost}."
        verb = "match" if run.left.labels[i] == run.right.labels[j] else "are paired"
        return f"{here}: {left} and {right} {verb}, which costs {cost}."
    if winner.line == "match" and cell.matching:
        parts = [f"{k} with {m}" for k, m in cell.matching.pairs]
        kept = [f"subtrees stay together, {listed(parts)}"] if parts else []
        gone = [f"all of {named(run.left, k)} is deleted" for k in cell.matching.deleted]
        come = [f"all of {named(run.right, m)} is inserted" for m in cell.matching.inserted]
        return f"{here}: {'; '.join((*kept, *gone, *come))}."
    on_left = winner.line == "left"
    side = run.left if on_left else run.right
    rest = [str(pair[0] if on_left else pair[1]) for pair in back.entries]
    where = "in the subtree of" if cell.table == "T" else "below"
    verb = f"{'is' if len(rest) == 1 else 'are'} {'deleted' if on_left else 'inserted'}"
    return f"{here}: what is kept lies {where} {named(side, winner.child)}; {listed(rest)} {verb}."


def end(run: Trace) -> str:
    """The mapping and its cost."""
    kept = sum(source is not None and target is not None for source, target in run.mapping)
    deleted = sum(target is None for _, target in run.mapping)
    inserted = len(run.mapping) - kept - deleted
    return (
        f"The mapping: {counted(kept, 'pair')}, {deleted} deleted, {inserted} inserted. Their costs add up to "
        f"{at('T', len(run.left), len(run.right))} = {number(run.distance)}, the constrained tree edit distance."
    )
