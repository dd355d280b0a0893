"""The files that a comparison can be saved as, by the ending of their names.

Among them the script as CSV, whose shape is kept stable. LaTeX has a comparison as one row of a table, and a batch
as a table with a row for each setting.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BaselineScore
from tted_core.batch.results import Results
from tted_core.compare import Comparison
from tted_core.foundations.printable import printable, shortened
from tted_core.foundations.registry import lookup
from tted_core.foundations.tables import csv_text, latex_escaped, latex_table, text_bytes
from tted_core.method import SETTING_COLUMNS
from tted_core.report.drawer import pdf, png
from tted_core.report.html_report import html_report
from tted_core.report.outline_picture import outline_picture
from tted_core.version import VERSION


@dataclass(frozen=True)
class Export:
    """One kind of file: its title, media type, a sentence on what is in it, and what makes it.

    ``drawn`` says that its pixels or pages are drawn here, which needs the extra "figures"; ``has_baselines`` that
    the comparison's baselines stand in it.
    """

    title: str
    mime: str
    note: str
    write: Callable[[Comparison], str | bytes]
    drawn: bool = False
    has_baselines: bool = False


def script_csv(comparison: Comparison) -> str:
    """The edit script as CSV with a header; each row after it is an operation."""
    left, right = comparison.left.tree.labels, comparison.right.tree.labels
    return csv_text(
        ("op", "source", "target", "cost", "source_label", "target_label", "notes"),
        (
            (
                op.op,
                op.source,
                op.target,
                op.cost,
                None if op.source is None else left[op.source],
                None if op.target is None else right[op.target],
                "; ".join(op.notes),
            )
            for op in comparison.script.ops
        ),
    )


NAME_CHARACTERS = 80
COLUMN_TITLES = {"tted": "TTED", **{name: each.title for name, each in NORMALISATIONS.items()}}


def latex_row(comparison: Comparison) -> str:
    """The row, ready to be put between others; needs no package beyond the T1 font encoding."""
    rouge = comparison.baselines.get("rouge_sim")
    columns = {
        "left map": latex_escaped(shortened(comparison.left.name or "left", NAME_CHARACTERS)),
        "right map": latex_escaped(shortened(comparison.right.name or "right", NAME_CHARACTERS)),
        "nodes": f"{len(comparison.left.tree)}",
        "nodes'": f"{len(comparison.right.tree)}",
        "TTED": f"{comparison.tted:.4f}" if comparison.proven else rf"$\leq$ {comparison.tted:.4f}",
        **{each.title: f"{comparison.normalised[name]:.3f}" for name, each in NORMALISATIONS.items()},
        "AvgTTED": f"{comparison.avg_tted:.3f}",
        "ROUGE Sim": f"{rouge.sim:.1f}" if isinstance(rouge, BaselineScore) else "",
    }
    lines = [
        f"% {' & '.join(columns)}",
        f"{' & '.join(columns.values())} \\\\",
        f"% {printable(comparison.signature)}",
    ]
    return "\n".join(lines) + "\n"


def batch_latex(results: Results) -> str:
    """A LaTeX table with a row for each setting: numbers of pairs and failures, mean and deviation of scores."""
    settings = results.settings
    varying = [name for name in SETTING_COLUMNS if len({str(each[name]) for each in settings}) > 1]
    scores = {**COLUMN_TITLES, **{name: name for name in results.baselines if name in results.scores}}
    titles = [*varying, "pairs", "failed", *scores.values()]
    return latex_table(
        "l" * len(varying) + "r" * (len(titles) - len(varying)),
        map(latex_escaped, titles),
        (
            [
                *(latex_escaped(_cell(setting[name])) for name in varying),
                f"{int(rows.sum()):,}",
                f"{int(results.failed[rows].sum()):,}",
                *(_spread(results.scores.get(name), rows) for name in scores),
            ]
            for number, setting in enumerate(settings)
            for rows in [results.of_setting == number]
        ),
        comments=_comments(results, varying),
    )


def _comments(results: Results, varying: list[str]) -> list[str]:
    stopped = "The run was stopped before its end: these are the pairs done so far."
    same = (f"{name} {_cell(results.settings[0][name])}" for name in SETTING_COLUMNS if name not in varying)
    return [
        f"Mean and standard deviation over pairs of maps; tted {VERSION}.",
        *(() if results.complete else (stopped,)),
        ", ".join(same),
    ]


def _cell(value: Any) -> str:
    if value is None:
        return "all"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _spread(values: NDArray[np.float64] | None, rows: NDArray[np.bool_]) -> str:
    found = np.zeros(0) if values is None else values[rows]
    found = found[np.isfinite(found)]
    if not len(found):
        return "--"
    return rf"${found.mean():.3f} \pm {found.std(ddof=1) if len(found) > 1 else 0.0:.3f}$"


def _json(comparison: Comparison) -> str:
    return json.dumps(comparison.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


EXPORTS: dict[str, Export] = {
    "html": Export(
        "Report",
        "text/html",
        "Both views, the receipt, scores, options and signature in one file that opens without a network.",
        html_report,
        has_baselines=True,
    ),
    "svg": Export("SVG", "image/svg+xml", "The mapping as a drawing of any size.", outline_picture),
    "png": Export(
        "PNG",
        "image/png",
        "The mapping as a picture, with the fonts of the machine that draws it; long ones are drawn smaller.",
        lambda comparison: png(outline_picture(comparison)),
        drawn=True,
    ),
    "pdf": Export(
        "PDF",
        "application/pdf",
        "The mapping on one page, with the fonts of the machine that draws it.",
        lambda comparison: pdf(outline_picture(comparison)),
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


def written(comparison: Comparison, kind: str, *, excel: bool = False) -> bytes:
    """The file of a kind in ``EXPORTS``; texts are UTF-8, lone surrogates escaped; for Excel CSV has a mark."""
    content = lookup(EXPORTS, kind, "kind of report").write(comparison)
    return content if isinstance(content, bytes) else text_bytes(content, excel=excel and kind == "csv")
