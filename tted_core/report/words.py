"""The answer in sentences: what happened to the nodes, which change costs most, and whether it is proven."""

import math
from collections.abc import Callable
from typing import TypeAlias

from tted_core.arithmetic import share
from tted_core.comparison import Comparison
from tted_core.explain.changes import Change, causes
from tted_core.explain.looks import counted_looks, looks
from tted_core.formats.labels import counted
from tted_core.printable import printable, shortened
from tted_core.tree import TextTree

LABEL_CHARACTERS = 44
SMALLEST_SHARE = 0.01
"""Below it, a share is told as less than this: 0% of the distance would say nothing."""

ISOLATE, END_ISOLATE = "\u2068", "\u2069"

Marking: TypeAlias = Callable[[str], str]
"""Makes markup of a plain text: for emphasis, or to keep users' texts from being read as markup."""


def what_happened(comparison: Comparison, strong: Marking = str) -> str:
    """What became of the nodes: "9 of 14 nodes stay (2 reworded), 3 move, 2 are deleted and 1 is inserted."."""
    if not comparison.tted:
        return f"The two maps are {strong('the same')} under these options: every node matches."
    count = counted_looks(looks(comparison))
    all_nodes = counted(len(comparison.left.tree), "node")
    how = [(count["replace"], "reworded"), (count["context"], "in another context")]
    kept = count["match"] + count["context"] + count["replace"]
    parts = [f"{strong(f'{kept} of {all_nodes}')} stay"]
    if any(number for number, _ in how):
        parts[0] += f" ({', '.join(f'{number} {word}' for number, word in how if number)})"
    if count["move"]:
        parts.append(f"{strong(str(count['move']))} {'moves' if count['move'] == 1 else 'move'}")
    parts += [
        f"{strong(str(number))} {'is' if number == 1 else 'are'} {word}"
        for number, word in ((count["delete"], "deleted"), (count["insert"], "inserted"))
        if number
    ]
    return f"{_listed(parts)}."


def dearest_change(comparison: Comparison, strong: Marking = str, quoted: Marking = str) -> str:
    """Which change makes how much of the distance, and how many branches have moved; empty for equal maps."""
    if not comparison.tted:
        return ""
    found = causes(comparison)
    part = share(found[0].cost, comparison.tted, comparison.method.power)

    what = change_in_words(found[0], comparison, quoted)
    percent = f"{part:.0%}" if part >= SMALLEST_SHARE else "less than 1%"
    sentence = f"{what} makes {strong(percent)} of {comparison.script.unit.total}."
    moves = sum(change.kind == "move" for change in found)
    if moves > (found[0].kind == "move"):
        verb = "has" if moves == 1 else "have"
        sentence += f" {counted(moves, 'branch', 'branches')} {verb} moved in all."
    return sentence


def how_sure(comparison: Comparison) -> str:
    """Whether the script is optimal, and if that is open, by how much a better one could cost less."""
    order = comparison.method.order
    kept = f" that keeps the {counted(len(comparison.choices), 'choice')}" if comparison.choices else ""
    if comparison.proven:
        return f"No {order} edit script{kept} costs less: proven optimal."
    gap = (
        f" (within {percent_up(comparison.scores.gap)} of the optimum)" if comparison.lower_bound > 0 else ""
    )
    return (
        f"The best {order} script{kept} costs {comparison.lower_bound:.4f} or more: more time may find a cheaper "
        f"one{gap}."
    )


def percent_up(share: float) -> str:
    """A share in percent, rounded up, as a bound must be."""
    return f"{math.ceil(share * 1000) / 10:.1f} %"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def change_in_words(change: Change, comparison: Comparison, mark: Marking = str) -> str:
    """What a change does: "Moving the branch “a” (3 nodes) from below “b” to below “c”".

    ``mark`` is for labels.
    """

    def quoted(label: str) -> str:
        """Isolated, so that signs that turn the direction of writing end with the label (Unicode, annex 9)."""
        return f"{ISOLATE}{mark(shortened(printable(label), LABEL_CHARACTERS))}{END_ISOLATE}"

    left, right = comparison.left.tree, comparison.right.tree
    here = quoted(left.labels[change.source]) if change.source is not None else ""
    there = quoted(right.labels[change.target]) if change.target is not None else ""
    nodes = left.sizes[change.source or 0] if change.kind == "move" else change.nodes
    node = "the node" if nodes == 1 else "the branch"
    size = "" if nodes == 1 else f" ({counted(nodes, 'node')})"
    match change.kind:
        case "delete":
            return f"Deleting {node} “{here}”{size}"
        case "insert":
            return f"Inserting {node} “{there}”{size}"
        case "move":
            places = (_place(left, change.source, quoted), _place(right, change.target, quoted))
            if places[0] == places[1]:
                return f"Moving {node} “{here}”{size} to another place {places[0]}"
            return f"Moving {node} “{here}”{size} from {places[0]} to {places[1]}"
        case "context":
            return f"The new context of {node} “{here}”{size}"
        case _:
            related = any(
                (op.source, op.target) == (change.source, change.target) for op in comparison.script.ops
            )
            return f"Rewording “{here}” to “{there}”" if related else f"Replacing “{here}” by “{there}”"


def _place(tree: TextTree, node: int | None, quoted: Marking) -> str:
    parent = tree.parents[node or 0]
    return "the root" if parent < 0 else f"below “{quoted(tree.labels[parent])}”"
