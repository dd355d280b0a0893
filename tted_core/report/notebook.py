"""A comparison in a notebook: its picture, which has no script and requests nothing, and its table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tted_core.compare import Comparison
from tted_core.explain.correspondence import Status
from tted_core.explain.mapping_view import MappingView
from tted_core.explain.receipt import receipt
from tted_core.foundations.extras import require
from tted_core.foundations.files import ending, write_file
from tted_core.foundations.registry import lookup
from tted_core.report.drawer import pdf, png
from tted_core.script import EditOp

if TYPE_CHECKING:
    import pandas as pd

_DRAWN: dict[str, Callable[[str], bytes]] = {"svg": str.encode, "png": png, "pdf": pdf}


@dataclass(frozen=True)
class Picture:
    """A drawing, which a notebook shows by itself; ``svg`` is its text."""

    svg: str

    def save(self, file: str | Path) -> None:
        """Write it as what the file's name ends in: .svg, .png or .pdf."""
        write_file(file, lookup(_DRAWN, ending(file), "picture format")(self.svg))

    def _repr_html_(self) -> str:
        # As HTML: what is wider than the cell would be cut off as a plain drawing.
        return self.svg.replace("<svg ", '<svg style="max-width: 100%; height: auto" ', 1)


def script_frame(comparison: Comparison) -> "pd.DataFrame":
    """The edit script, a row for each operation; nodes are numbered in preorder, and missing on the gap's side."""
    require("batch", "a table")
    import pandas as pd

    shares = {(line.op.source, line.op.target): line.share for line in receipt(comparison).lines}
    left, right = comparison.left.tree.labels, comparison.right.tree.labels
    ops = comparison.script.ops
    statuses = _listed_once(MappingView(comparison), ops)
    return pd.DataFrame(
        {
            "op": [op.op for op in ops],
            "source": pd.array([op.source for op in ops], dtype="Int64"),
            "target": pd.array([op.target for op in ops], dtype="Int64"),
            "source_label": [None if op.source is None else left[op.source] for op in ops],
            "target_label": [None if op.target is None else right[op.target] for op in ops],
            "cost": [op.cost for op in ops],
            "share": [shares[op.source, op.target] for op in ops],
            "source_status": statuses[0],
            "target_status": statuses[1],
            "notes": ["; ".join(op.notes) for op in ops],
        }
    )


def _listed_once(view: MappingView, ops: Sequence[EditOp]) -> tuple[list[Status | None], ...]:
    """The status of each operation's source and target; None where a sentence's is listed at its other end."""
    listed: set[int] = set()
    sides: tuple[list[Status | None], ...] = ([], [])
    for op in ops:
        for statuses, numbers, node in zip(sides, view.at, (op.source, op.target), strict=True):
            number = None if node is None else numbers[node]
            statuses.append(None if number is None or number in listed else view.outcomes[number].status)
            listed.update(() if number is None else (number,))
    return sides
