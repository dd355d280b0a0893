"""How the operations look: as what a reader takes them for, which is more than the four kinds of operation.

TTED has no move: a node that moved is deleted and inserted. And with a context, every node near a change is
replaced by the same text. Both look as what they are: the two ends of a move are one, and nodes of the same text
are as quiet as matches. Looks change no cost.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tted_core.comparison import Comparison
from tted_core.explain.changes import grouped
from tted_core.explain.twins import twins
from tted_core.script import GLYPHS, SAME_TEXT, EditOp, OpKind

LookKind: TypeAlias = OpKind | Literal["context", "move"]

LOOK_GLYPHS: dict[LookKind, str] = {
    "match": GLYPHS["match"],
    "context": "≡",
    "replace": GLYPHS["replace"],
    "move": "→",
    "delete": GLYPHS["delete"],
    "insert": GLYPHS["insert"],
}
"""All looks, in the order in which they are listed."""

QUIET: frozenset[LookKind] = frozenset({"match", "context"})
"""What no one edited."""


@dataclass(frozen=True)
class Look:
    """How an operation looks.

    Attributes:
        kind: "context" is a replacement by the same text; "move" one end of a move (a deletion or an insertion),
            or the topmost pair of a branch that stayed paired and moved.
        twin: the number of the operation at the move's other end, None if there is none.
        change: the number of the change that it belongs to, the dearest being 0; None if it is quiet.
    """

    kind: LookKind
    twin: int | None
    change: int | None


def looks(comparison: Comparison) -> tuple[Look, ...]:
    """The look of each operation, in the order of the script."""
    ops = comparison.script.ops
    number = {(op.source, op.target): place for place, op in enumerate(ops)}
    found: list[Look | None] = [None] * len(ops)
    ends = _ends(comparison)
    groups = grouped(comparison)
    for count, (change, members) in enumerate(groups):
        for op in members:
            entry = op.source, op.target
            moved = entry in ends and (change.kind == "move" or _relocated(comparison, entry, ends))
            kind = "move" if moved else _kind(op)
            found[number[entry]] = Look(
                kind, number[ends[entry]] if moved else None, None if kind in QUIET else count
            )
    for count, (change, _) in enumerate(groups):  # a branch that stayed paired, while others gave way to it
        place = number.get((change.source, change.target))
        if change.kind == "move" and place is not None:
            look = found[place]
            if look and look.kind in QUIET:
                found[place] = Look("move", None, count)
    return tuple(look for look in found if look)


def counted_looks(found: tuple[Look, ...]) -> dict[LookKind, int]:
    """How many nodes have each look; a node that was deleted and inserted counts once."""
    count = Counter(look.kind for place, look in enumerate(found) if look.twin is None or look.twin > place)
    return {kind: count[kind] for kind in LOOK_GLYPHS}


Entry: TypeAlias = tuple[int | None, int | None]


def _ends(comparison: Comparison) -> dict[Entry, Entry]:
    """The deletion of each twin -> the insertion of the other, and back."""
    pairs = twins(comparison).items()
    there: dict[Entry, Entry] = {(source, None): (None, target) for source, target in pairs}
    return there | {other: one for one, other in there.items()}


def _relocated(comparison: Comparison, entry: Entry, ends: dict[Entry, Entry]) -> bool:
    """Whether the node was deleted here and inserted there with the same text."""
    if entry not in ends:
        return False
    source, target = (entry[0], ends[entry][1]) if entry[0] is not None else (ends[entry][0], entry[1])
    return comparison.left.tree.labels[source or 0] == comparison.right.tree.labels[target or 0]


def _kind(op: EditOp) -> LookKind:
    return "context" if op.op == "replace" and SAME_TEXT in op.notes else op.op
