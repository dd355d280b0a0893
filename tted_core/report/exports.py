"""The files that a comparison can be saved as, by the ending of their names.

Among them the script as CSV, whose shape is kept stable, and a row of a LaTeX table.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tted_core.arithmetic import shares
from tted_core.explanation import Explanation, Sentence
from tted_core.foundations.extras import require
from tted_core.foundations.printable import ELLIPSIS, printable
from tted_core.foundations.registry import lookup
from tted_core.foundations.tables import csv_text, latex_escaped, latex_fonts, text_bytes
from tted_core.report.as_json import describe
from tted_core.report.drawer import pdf, png
from tted_core.report.html_report import html_report
from tted_core.report.outline_picture import outline_picture
from tted_core.report.text_width import wrap
from tted_core.report.words import names_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Export:
    """One kind of file: its title, media type, a sentence on what is in it, and what makes it.

    ``has_columns`` says that it is a picture as wide as one text column or two; ``drawn`` that its pixels or pages
    are drawn here, which needs the extra "figures"; ``has_baselines`` that the comparison's baselines stand in it.
    """

    title: str
    mime: str
    note: str
    write: Callable[..., str | bytes]
    has_columns: bool = False
    drawn: bool = False
    has_baselines: bool = False


CSV = (
    *("op", "source", "target", "cost", "source_label", "target_label", "notes"),
    *("source_map", "target_map"),
)
FRAME = (
    *("op", "source", "target", "source_label", "target_label", "cost", "share"),
    *("source_status", "target_status", "notes"),
)
"""Columns of the script's tables."""


def script_csv(explanation: Explanation) -> str:
    """The edit script as CSV with a header; each row after it is an operation, with the names of both maps."""
    rows = ([row.get(name, "") for name in CSV] for row in _script_rows(explanation))
    return csv_text(CSV, rows)


def script_frame(explanation: Explanation) -> "pd.DataFrame":
    """The edit script, a row for each operation; nodes are numbered in preorder, and missing on the gap's side.

    The status of a sentence stands once, at the first of its ends.
    """
    require("batch", "a table")
    import pandas as pd

    rows = list(_script_rows(explanation))
    return pd.DataFrame(rows, columns=FRAME).astype({"source": "Int64", "target": "Int64"})


def _script_rows(explanation: Explanation) -> Iterator[dict[str, Any]]:
    """What the tables have of each operation."""
    script, names = explanation.comparison.script, names_of(explanation.comparison)
    listed: set[Sentence] = set()
    every = shares([op.cost for op in script.ops], script.power)
    for each, share in zip(explanation.operations, every, strict=True):
        op = each.edit
        row: dict[str, Any] = {"op": op.op, "cost": op.cost, "share": share, "notes": "; ".join(op.notes)}
        for side, node, name in zip(("source", "target"), each.nodes, names, strict=True):
            row[f"{side}_map"] = name
            if node:
                row |= {side: node.index, f"{side}_label": node.label}
                if node.sentence not in listed:
                    row[f"{side}_status"] = node.status
                    listed.add(node.sentence)
        yield row


NAME_ROOM = 74
"""Points of a map's name in a row, in letters of 10: all columns fit into a page of LaTeX's class article."""

LATEX_COLUMNS = ("left map", "right map", "nodes", "TTED", "norm.", "Avg")


def latex_row(explanation: Explanation) -> str:
    """The row, to stand between others of a tabular; comments name columns, maps, fonts and signature."""
    comparison, names = explanation.comparison, names_of(explanation.comparison)
    row = " & ".join(
        [
            *(latex_escaped(_cut_name(name)) for name in names),
            f"{len(comparison.left.tree)}/{len(comparison.right.tree)}",
            f"{comparison.tted:.3f}" if comparison.proven else rf"$\leq$ {comparison.tted:.3f}",
            f"{comparison.normalized:.3f}",
            f"{comparison.avg_tted:.3f}",
        ]
    )
    lines = [
        f"% {' & '.join(LATEX_COLUMNS)}",
        f"{row} \\\\",
        f"% Columns: @{{}}llrrrr@{{}}; needs {latex_fonts(row)}",
        f"% {' and '.join(names)}: {printable(comparison.signature)}",
    ]
    return "\n".join(lines) + "\n"


def _cut_name(name: str) -> str:
    first, *others = wrap(name, NAME_ROOM, 10)
    return f"{first}{ELLIPSIS}" if others else first


def _json(explanation: Explanation) -> str:
    return json.dumps(describe(explanation), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


EXPORTS: dict[str, Export] = {
    "html": Export(
        "Report",
        "text/html",
        "Both views, the receipt, scores, options and signature in one file that opens without a network.",
        html_report,
        has_baselines=True,
    ),
    "svg": Export(
        "SVG",
        "image/svg+xml",
        "The mapping as a drawing of any size, with its font where matplotlib is installed.",
        outline_picture,
        has_columns=True,
    ),
    "png": Export(
        "PNG",
        "image/png",
        "The mapping as a picture, as wide as one text column or two; long ones are drawn smaller.",
        lambda explanation, columns=2: png(outline_picture(explanation, columns)),
        has_columns=True,
        drawn=True,
    ),
    "pdf": Export(
        "PDF",
        "application/pdf",
        "The mapping for a paper, as wide as one text column or two, with its font.",
        lambda explanation, columns=2: pdf(outline_picture(explanation, columns)),
        has_columns=True,
        drawn=True,
    ),
    "json": Export(
        "JSON",
        "application/json",
        "Everything: scores, script, both maps, options. The same as the command line prints.",
        _json,
        has_baselines=True,
    ),
    "csv": Export("CSV", "text/csv", "The edit script as a table, an operation in each row.", script_csv),
    "tex": Export(
        "LaTeX row",
        "text/x-tex",
        "A table row with the scores, for a page of one column; comments name columns, maps and signature.",
        latex_row,
    ),
}
"""Ending of the file's name -> what is in it."""


def write_export(explanation: Explanation, kind: str, *, excel: bool = False, columns: int = 2) -> bytes:
    """The file of a kind in ``EXPORTS``; texts are UTF-8, lone surrogates escaped; for Excel CSV has a mark.

    Pictures are as wide as so many ``columns`` of a paper, 1 or 2.
    """
    export = lookup(EXPORTS, kind, "kind of report")
    content = export.write(explanation, columns) if export.has_columns else export.write(explanation)
    return content if isinstance(content, bytes) else text_bytes(content, excel=excel and kind == "csv")
