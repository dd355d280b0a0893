"""The files that a comparison can be saved as, by the ending of their names."""

import json
from pathlib import Path

from tted_core.comparison import Comparison
from tted_core.registry import lookup
from tted_core.report.data import script_csv
from tted_core.report.drawer import pdf, png
from tted_core.report.html_report import html_report
from tted_core.report.latex import latex_row
from tted_core.report.marked_maps import MARKED_MAPS, Export
from tted_core.report.outline_picture import outline_picture
from tted_core.tables import text_bytes


def _json(comparison: Comparison) -> str:
    return json.dumps(comparison.to_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


EXPORTS: dict[str, Export] = {
    "html": Export(
        "Report",
        "text/html",
        "Both views, the receipt, scores, options and signature in one file that opens without a network.",
        html_report,
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
    ),
    "csv": Export("CSV", "text/csv", "The edit script as a table, an operation in each row.", script_csv),
    "tex": Export(
        "LaTeX row", "text/x-tex", "A table row with the scores; a comment names its columns.", latex_row
    ),
    **MARKED_MAPS,
}
"""Ending of the file's name -> what is in it."""


def ending(file: str) -> str:
    """What a file's name ends in, as ``EXPORTS`` knows it."""
    return Path(file).suffix.removeprefix(".").lower()


def written(comparison: Comparison, kind: str, *, excel: bool = False) -> bytes:
    """The file of a kind in ``EXPORTS``; texts are UTF-8, lone surrogates escaped; for Excel CSV has a mark.

    Raises:
        UnknownNameError: no such kind.
    """
    content = lookup(EXPORTS, kind, "kind of report").write(comparison)
    return content if isinstance(content, bytes) else text_bytes(content, excel=excel and kind == "csv")
