"""Reading CSV row by row with line numbers, also as tables of numbers, and writing CSV and LaTeX.

CSV uses Python's own ``csv``: pandas takes half a second to import, is missing from a bare installation, and can't
report the line of an error.

Source: LaTeX tables follow the package booktabs.
"""

import csv
import io
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, TypeAlias

from tted_core.errors import MAX_BYTES, MapFormatError
from tted_core.foundations.output import printable

# A cell that begins with one of these, wide signs too, runs as a formula if a spreadsheet opens the file.
FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", ";")

# In many countries a spreadsheet also splits at semicolons, and what follows one starts a cell.
_AFTER_SEMICOLON = re.compile("(?<=;)(?=['=+@＝＋－＠\t\r-])")

# The byte-order mark, by which Excel recognises UTF-8; others read it as part of the first column's name.
EXCEL_MARK = "\ufeff"

# Maximum characters of a LaTeX caption; the remaining sentences become comments above the table.
MAX_CAPTION = 600
LATEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
}

PDFLATEX_SIGNS = frozenset("–—‘’“”„…€™")  # signs beyond Latin-1 that pdfLaTeX typesets with the T1 fonts


def delimiter_of(text: str, delimiters: str = ",;\t") -> str:
    """The most frequent delimiter of the first filled line; the first of ``delimiters`` if there is none."""
    first = text.lstrip("\r\n").partition("\n")[0]
    return max(delimiters, key=first.count)


def read_rows(
    source: str | TextIO, delimiter: str, *, name: str = "the table", first_line: int = 1, exact: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the filled rows of a CSV text or of a file opened with ``newline=""``.

    Each is the number of its last line, and its cells.

    Args:
        source: the table's text or file.
        delimiter: one character.
        name: the table's name in errors.
        first_line: the line number of the table's first line in its file.
        exact: keep the space around cells.
    """
    csv.field_size_limit(MAX_BYTES)  # by default a cell of more than 131,072 characters is an error
    lines = io.StringIO(source, newline="") if isinstance(source, str) else source
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=not exact, strict=True)
    try:
        for row in reader:
            cells = row if exact else [cell.strip() for cell in row]
            if any(cells):
                yield first_line - 1 + reader.line_num, cells
    except csv.Error as error:
        raise MapFormatError(
            f"{name} can't be read as CSV ({error}); check the quotes, or save it again",
            line=first_line - 1 + reader.line_num,
        ) from error


# Tables of numbers made elsewhere: CSV with a header, separated by comma, semicolon or tab.

_Record: TypeAlias = dict[str, str]

_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")


@dataclass(frozen=True)
class Cells:
    """The column names, and each row with the number of its last line; every row has a cell for each name."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, _Record], ...]
    delimiter: str


def read_cells(text: str, each: str) -> Cells:
    """Read a table; ``each`` names what a row stands for ("pair").

    Raises:
        MapFormatError: no rows, an unnamed or repeated column, or a row of another length.
    """
    delimiter = delimiter_of(text)
    numbered = list(read_rows(text, delimiter))
    if len(numbered) < 2:
        raise MapFormatError(f"the table has no rows; give a header and one row for each {each}")
    header = tuple(numbered[0][1])
    wrong = next((name for name, count in Counter(header).items() if not name or count > 1), None)
    if wrong is not None:
        raise MapFormatError(f'the column name "{wrong}" is empty or repeated; give each its own', line=1)
    for line, row in numbered[1:]:
        if len(row) != len(header):
            raise MapFormatError(
                f"{len(row)} cells, but the first row names {len(header)} columns; quote cells that contain a "
                "separator",
                line=line,
            )
    rows = tuple((line, dict(zip(header, row, strict=True))) for line, row in numbered[1:])
    return Cells(header, rows, delimiter)


def number_of(cells: Cells, record: _Record, name: str, line: int) -> float:
    """The number in a cell; in a table separated by commas, "1,234" may be a thousand, so it is rejected.

    Raises:
        MapFormatError: the cell isn't a number, or ambiguous.
    """
    cell = record[name]
    if cells.delimiter == "," and _GROUPED.fullmatch(cell):
        raise MapFormatError(
            f'"{cell}" in the column "{name}" may be {cell.replace(",", ".", 1)} or {cell.replace(",", "")}; '
            "write it without a comma",
            line=line,
        )
    try:
        value = float(cell.replace(",", "."))  # a decimal comma, as in many locales
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise MapFormatError(f'"{cell[:40]}" in the column "{name}" is not a number', line=line)
    return value


# Writing


def spreadsheet_cell(text: str) -> str:
    """The text as a cell or column name that no spreadsheet takes for a formula: with an apostrophe.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell("a;=1+1"), spreadsheet_cell("a - b = c; d")
    ("'=1+1", "a;'=1+1", 'a - b = c; d')
    """
    text = _AFTER_SEMICOLON.sub("'", text)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def text_table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows of cells as lines for a terminal; the first column is left-aligned, the others right-aligned.

    >>> text_table([("name", "mean"), ("a", "10.5")])
    ['name  mean', 'a     10.5']
    """
    every = list(rows)
    first, *others = (max(map(len, column)) for column in zip(*every, strict=True))
    return ["  ".join([f"{row[0]:<{first}}", *map(str.rjust, row[1:], others)]).rstrip() for row in every]


def csv_text(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A header and rows as CSV, guarded against formulas.

    None and NaN are empty cells; truth values are true and false.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_cell, columns))
    writer.writerows(map(_cell, row) for row in rows)
    return out.getvalue()


def text_bytes(text: str, *, excel: bool = False) -> bytes:
    """Encode a text as UTF-8 with lone surrogates escaped; for Excel with ``EXCEL_MARK``."""
    return f"{EXCEL_MARK if excel else ''}{text}".encode("utf-8", "backslashreplace")


def write_csv(parts: Iterable[Any], file: Path, *, excel: bool = False) -> None:
    """Write Arrow tables with the same columns to one CSV file, a table at a time."""
    encoding = "utf-8-sig" if excel else "utf-8"
    with file.open("w", encoding=encoding, errors="backslashreplace", newline="") as target:
        writer = csv.writer(target, lineterminator="\n")
        for number, part in enumerate(parts):
            if not number:
                writer.writerow(map(_cell, part.column_names))
            columns = (column.to_pylist() for column in part.columns)
            writer.writerows(map(_cell, row) for row in zip(*columns, strict=True))


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        return spreadsheet_cell(value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None or value != value else value  # noqa: PLR0124 - not a number


def latex_escaped(text: str) -> str:
    """Escape a user's text for LaTeX; invisible characters, which it can't typeset, are left out."""
    visible = (sign for sign in printable(text) if unicodedata.category(sign) != "Cf")
    return "".join(LATEX_SIGNS.get(sign, sign) for sign in visible)


def latex_fonts(latex: str) -> str:
    """The fonts that a LaTeX text needs, in words: pdfLaTeX's have the letters of Western Europe only."""
    if all(ord(sign) < 0x100 or sign in PDFLATEX_SIGNS for sign in latex):
        return r"\usepackage[T1]{fontenc}"
    return r"XeLaTeX or LuaLaTeX, with a font by \usepackage{fontspec} that has all these letters"


def latex_table(
    alignment: str, head: Iterable[str], rows: Iterable[Iterable[str]], *, comments: Iterable[str] = ()
) -> str:
    """A tabular with rules of the package booktabs.

    Args:
        alignment: a letter for each column: l, r or c.
        head: a title for each column, as LaTeX.
        rows: cells as LaTeX.
        comments: plain texts, each on a line above the table.
    """
    body = "\n".join(rf"{' & '.join(cells)} \\" for cells in rows)
    lines = [
        *(
            f"% {' '.join(printable(comment).split())}"
            for comment in (*comments, rf"Needs \usepackage{{booktabs}} and {latex_fonts(body)}.")
        ),
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        rf"{' & '.join(head)} \\",
        r"\midrule",
        body,
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def latex_float(tabular: str, sentences: Iterable[str], label: str) -> str:
    """A tabular of ``latex_table`` as a float, with a caption of at most ``MAX_CAPTION`` characters.

    Args:
        tabular: the tabular, with leading comments.
        sentences: sentences of the caption, as LaTeX; those that don't fit become comments.
        label: label for references.
    """
    caption, left = "", []
    for sentence in sentences:
        longer = f"{caption} {sentence}".strip()
        if len(longer) <= MAX_CAPTION:
            caption = longer
        else:
            left.append(f"% Not in the caption: {sentence}\n")
    comments, begin, body = tabular.partition(r"\begin{tabular}")
    lines = [
        rf"{comments}{''.join(left)}\begin{{table}}",
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        rf"{begin}{body}\end{{table}}",
    ]
    return "\n".join(lines) + "\n"
