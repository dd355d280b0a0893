"""The files that a comparison can be saved as, by the ending of their names.

Among them the script as CSV, whose shape is kept stable, and a row of a LaTeX table.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tted_core.arithmetic import shares
from tted_core.baselines import BaselineScore
from tted_core.comparison import Comparison
from tted_core.explanation import Explanation, Sentence
from tted_core.foundations.extras import require
from tted_core.foundations.printable import printable, shortened
from tted_core.foundations.registry import lookup
from tted_core.foundations.tables import csv_text, latex_escaped, latex_fonts, text_bytes
from tted_core.report.as_json import described
from tted_core.report.drawer import pdf, png
from tted_core.report.html_report import html_report
from tted_core.report.outline_picture import outline_picture

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


def script_csv(explanation: Explanation) -> str:
    """The edit script as CSV with a header; each row after it is an operation, with the names of both maps."""
    rows, names = [], _map_names(explanation.comparison)
    for each in explanation.operations:
        op, labels = each.edit, [node and node.label for node in each.nodes]
        rows.append((op.op, op.source, op.target, op.cost, *labels, "; ".join(op.notes), *names))
    head = (
        "op",
        "source",
        "target",
        "cost",
        "source_label",
        "target_label",
        "notes",
        "source_map",
        "target_map",
    )
    return csv_text(head, rows)


FRAME = (
    *("op", "source", "target", "source_label", "target_label", "cost", "share"),
    *("source_status", "target_status", "notes"),
)


def script_frame(explanation: Explanation) -> "pd.DataFrame":
    """The edit script, a row for each operation; nodes are numbered in preorder, and missing on the gap's side.

    The status of a sentence stands once, at the first of its ends.
    """
    require("batch", "a table")
    import pandas as pd

    script = explanation.comparison.script
    listed: set[Sentence] = set()
    rows = []
    for each, share in zip(
        explanation.operations, shares([op.cost for op in script.ops], script.power), strict=True
    ):
        op = each.edit
        row: dict[str, Any] = {"op": op.op, "cost": op.cost, "share": share, "notes": "; ".join(op.notes)}
        for name, node in zip(("source", "target"), each.nodes, strict=True):
            if node:
                row |= {name: node.index, f"{name}_label": node.label}
                if node.sentence not in listed:
                    row[f"{name}_status"] = node.status
                    listed.add(node.sentence)
        rows.append(row)
    return pd.DataFrame(rows, columns=FRAME).astype({"source": "Int64", "target": "Int64"})


NAME_CHARACTERS = 24
"""Of a map's name in a table of a paper."""


def latex_row(explanation: Explanation) -> str:
    """The row, ready to be put between others of a tabular; comments name its columns, fonts and signature."""
    comparison = explanation.comparison
    rouge = comparison.baselines.get("rouge_sim")
    columns = {
        **{
            f"{side} map": latex_escaped(shortened(name, NAME_CHARACTERS))
            for side, name in zip(("left", "right"), _map_names(comparison), strict=True)
        },
        "nodes": f"{len(comparison.left.tree)}",
        "nodes'": f"{len(comparison.right.tree)}",
        "TTED": f"{comparison.tted:.4f}" if comparison.proven else rf"$\leq$ {comparison.tted:.4f}",
        "normalized": f"{comparison.normalized:.3f}",
        "AvgTTED": f"{comparison.avg_tted:.3f}",
        "ROUGE Sim": f"{rouge.sim:.1f}" if isinstance(rouge, BaselineScore) else "",
    }
    row = f"{' & '.join(columns.values())} \\\\"
    lines = [
        f"% {' & '.join(columns)}",
        row,
        f"% Columns: ll{'r' * (len(columns) - 2)}; needs {latex_fonts(row)}",
        f"% {printable(comparison.signature)}",
    ]
    return "\n".join(lines) + "\n"


def _map_names(comparison: Comparison) -> tuple[str, str]:
    return comparison.left.name or "left", comparison.right.name or "right"


def _json(explanation: Explanation) -> str:
    return json.dumps(described(explanation), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


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
        "The mapping as a picture, as wide as two text columns of a paper; long ones are drawn smaller.",
        lambda explanation, columns=2: png(outline_picture(explanation, columns)),
        has_columns=True,
        drawn=True,
    ),
    "pdf": Export(
        "PDF",
        "application/pdf",
        "The mapping for a paper, as wide as two text columns, with its font.",
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
        "A table row with the scores; comments name its columns and the signature.",
        latex_row,
    ),
}
"""Ending of the file's name -> what is in it."""


def written(explanation: Explanation, kind: str, *, excel: bool = False, columns: int = 2) -> bytes:
    """The file of a kind in ``EXPORTS``; texts are UTF-8, lone surrogates escaped; for Excel CSV has a mark.

    Pictures are as wide as so many ``columns`` of a paper, 1 or 2.
    """
    export = lookup(EXPORTS, kind, "kind of report")
    content = export.write(explanation, columns) if export.has_columns else export.write(explanation)
    return content if isinstance(content, bytes) else text_bytes(content, excel=excel and kind == "csv")
