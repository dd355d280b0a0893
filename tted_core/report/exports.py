"""The files that a comparison can be saved as, by the ending of their names.

Among them JSON with all that is known, the script as CSV, whose shape is kept stable, and a row of a LaTeX table.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

from tted_core.arithmetic import shares
from tted_core.baselines import BaselineScore
from tted_core.comparison import Comparison
from tted_core.errors import TTEDError, lookup, require
from tted_core.explanation import Explanation, Sentence
from tted_core.foundations.output import ELLIPSIS, printable
from tted_core.foundations.tables import csv_text, latex_escaped, latex_fonts, text_bytes
from tted_core.report.html_report import FILE_ENDING, html_report
from tted_core.report.outline_picture import outline_picture
from tted_core.report.wording import names_of
from tted_core.version import VERSION

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Export:
    """One kind of file: its title, media type, a sentence on what is in it, and what makes it.

    ``is_picture`` says that it is drawn as wide as one text column or two, which needs the extra "figures";
    ``has_baselines`` that the comparison's baselines stand in it.
    """

    title: str
    mime: str
    note: str
    write: Callable[..., str | bytes]
    is_picture: bool = False
    has_baselines: bool = False


# Columns of the script's tables.
CSV = (
    *("op", "source", "target", "cost", "source_label", "target_label", "notes"),
    *("source_map", "target_map"),
)
FRAME = (
    *("op", "source", "target", "source_label", "target_label", "cost", "share"),
    *("source_status", "target_status", "notes"),
)


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
    """The row of each operation in the tables."""
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


# Letters of a map's name, capitals and wide signs being two: it fits into a page of the class article.
NAME_ROOM = 12

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
    whole = FILE_ENDING.sub("", name) or name
    ends = accumulate(1 + (sign.isupper() or east_asian_width(sign) in "WF") for sign in whole)
    shown = sum(end <= NAME_ROOM for end in ends)
    return whole if shown == len(whole) else f"{whole[:shown]}{ELLIPSIS}"


def describe(explanation: Explanation) -> dict[str, Any]:
    """All that is known of two maps; ``source`` and ``target`` index the labels of ``left`` and ``right``.

    The status of each sentence stands beside the bounds up to which sentences are near; of a sentence that only
    moved along ``with`` is the left node of the branch that moved.
    With a power other than 1 each operation has its ``share`` of d^p besides its cost: shares add up, costs don't.
    """
    comparison, matching = explanation.comparison, explanation.matching
    unit = comparison.script.unit
    coverage, support = matching.shares(comparison.costs)
    return {
        "tted": comparison.tted,
        "lower_bound": comparison.lower_bound,
        "proven": comparison.proven,
        **comparison.normalizations,
        "tted_at": list(comparison.tted_at),
        "avg_tted": comparison.avg_tted,
        **_suite(comparison),
        "script": [
            {
                "op": op.op,
                "source": op.source,
                "target": op.target,
                "cost": op.cost,
                **({} if unit.power == 1 else {"share": unit.amount(op.cost)}),
                **({"notes": list(op.notes)} if op.notes else {}),
            }
            for op in comparison.script.ops
        ],
        "sentences": {
            "bounds": asdict(explanation.bounds),
            "counts": matching.counts,
            "coverage": coverage,
            "support": support,
            "flags": matching.claim_counts,
            "outcomes": [
                {
                    "status": each.status,
                    "source": each.record.source,
                    "target": each.record.target,
                    **({"with": each.record.head} if each.moves_along else {}),
                    **({"flags": [flag.kind for flag in each.flags]} if each.flags else {}),
                }
                for each in explanation.sentences
            ],
        },
        "baselines": {
            name: asdict(score) if isinstance(score, BaselineScore) else {"error": str(score)}
            for name, score in comparison.baselines.items()
        },
        "left": comparison.left.to_dict(),
        "right": comparison.right.to_dict(),
        "options": comparison.method.described,
        **({"choices": asdict(comparison.choices)} if comparison.choices else {}),
        "notices": [*comparison.notices, *comparison.hints],
        "signature": comparison.signature,
        "version": VERSION,
    }


def _suite(comparison: Comparison) -> dict[str, Any]:
    """The threshold, and each measure of the suite by its name, with ``_at`` for each k; None if undefined."""
    found: dict[str, Any] = {"equivalence": comparison.equivalence} if comparison.suite else {}
    for name, values in comparison.suite.items():
        at = [] if isinstance(values, TTEDError) else list(values)
        found |= {name: at[-1] if at else None, f"{name}_at": at}
    return found


# Ending of the file's name -> what is in it.
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
        "The mapping as a drawing of any size, as wide as one text column or two.",
        partial(outline_picture, ending="svg"),
        is_picture=True,
    ),
    "png": Export(
        "PNG",
        "image/png",
        "The mapping as a picture of 300 dpi, as wide as one text column or two.",
        partial(outline_picture, ending="png"),
        is_picture=True,
    ),
    "pdf": Export(
        "PDF",
        "application/pdf",
        "The mapping for a paper, as wide as one text column or two, with its font.",
        partial(outline_picture, ending="pdf"),
        is_picture=True,
    ),
    "json": Export(
        "JSON",
        "application/json",
        "Everything: scores, script, both maps, options.",
        lambda each: json.dumps(describe(each), ensure_ascii=False, indent=2, allow_nan=False) + "\n",
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


def write_export(explanation: Explanation, kind: str, *, excel: bool = False, columns: int = 2) -> bytes:
    """The file of a kind in ``EXPORTS``; texts are UTF-8, lone surrogates escaped; for Excel CSV has a mark.

    Pictures are as wide as so many ``columns`` of a paper, 1 or 2.
    """
    export = lookup(EXPORTS, kind, "kind of report")
    content = export.write(explanation, columns) if export.is_picture else export.write(explanation)
    return content if isinstance(content, bytes) else text_bytes(content, excel=excel and kind == "csv")
