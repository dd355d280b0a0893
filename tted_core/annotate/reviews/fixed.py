"""The mapping that a task fixes: taken from a comparison, and written as text and read again."""

import json
from collections.abc import Iterable
from typing import Any, get_args

from tted_core.annotate.reviews.records import Fixed
from tted_core.comparison import Comparison
from tted_core.errors import ReviewError, TTEDError
from tted_core.explain.alignment import aligned_rows, display_order, paired
from tted_core.formats.forest import joined_roots
from tted_core.method import Method
from tted_core.script import EditOp, OpKind
from tted_core.tree import TextTree

KINDS = get_args(OpKind)
WAY_OUT = "export it again"


def fixed_by(comparison: Comparison) -> Fixed:
    """What a comparison says, to be judged as it is from now on."""
    return Fixed(comparison.method, comparison.signature, tuple(ops_in_order(comparison)))


def ops_in_order(comparison: Comparison) -> list[EditOp]:
    """The operations as both maps are read, from the top, matched nodes side by side.

    Those of a node that a reader put above several roots ("(6 roots)") are left out: there is nothing to judge.
    """
    made_up = [0 if joined_roots(each.tree) else -1 for each in (comparison.left, comparison.right)]
    pairs = paired(comparison)
    rows = aligned_rows(comparison, display_order(comparison, pairs), pairs)
    place: dict[tuple[str, int | None], int] = {}
    for number, (source, target) in enumerate(rows):
        if source is not None:
            place["left", source] = number
        if target is not None:
            place["right", target] = number

    def key(op: EditOp) -> int:
        return place["right", op.target] if op.source is None else place["left", op.source]

    judged = (op for op in comparison.script.ops if op.source != made_up[0] and op.target != made_up[1])
    return sorted(judged, key=key)


def plain_fixed(fixed: Fixed) -> dict[str, Any]:
    """As JSON has it; ``fixed_of`` reads it."""
    return {
        "signature": fixed.signature,
        "options": fixed.method.described,
        "ops": [[op.op, op.source, op.target, op.cost, list(op.notes)] for op in fixed.ops],
    }


def text_of_fixed(fixed: Fixed) -> str:
    """The same as text, as the database keeps it."""
    return json.dumps(plain_fixed(fixed), ensure_ascii=True)


def fixed_of(data: object, left: TextTree, right: TextTree, place: str) -> Fixed:
    """What ``plain_fixed`` wrote; ``place`` says in a message where it stands.

    Raises:
        ReviewError: it is something else, or no mapping of these two maps.
    """
    try:
        signature, options, rows = (data[name] for name in ("signature", "options", "ops"))  # type: ignore[index]
        ops = tuple(_op(*row) for row in rows)
        fixed = Fixed(Method.of_described(options), str(signature), ops)
    except (KeyError, TypeError, ValueError, TTEDError) as error:
        raise ReviewError(f"{place}: the fixed mapping can't be read; {WAY_OUT}") from error
    for tree, nodes in ((left, [op.source for op in ops]), (right, [op.target for op in ops])):
        _check_nodes(tree, nodes, place)
    return fixed


def _op(op: str, source: int | None, target: int | None, cost: float, notes: Iterable[str]) -> EditOp:
    there = (source is not None, target is not None)
    wanted = {"delete": (True, False), "insert": (False, True)}.get(op, (True, True))
    if (
        op not in KINDS
        or there != wanted
        or not all(type(each) is int for each in (source, target) if each is not None)
    ):
        raise ValueError(op)
    return EditOp(op, source, target, float(cost), tuple(map(str, notes)))  # type: ignore[arg-type]


def _check_nodes(tree: TextTree, nodes: list[int | None], place: str) -> None:
    """Each node once; of a map that a depth has trimmed, its first levels."""
    named = [node for node in nodes if node is not None]
    if len({*named}) != len(named) or not all(0 <= node < len(tree) for node in named):
        raise ReviewError(f"{place}: the fixed mapping is none of its two maps; {WAY_OUT}")
