"""tted ndd-table NAME FILE: the NDD paper's tables 2, 6 and 7 from data and a model of one's own."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from tted_core.cli.method import add_masked_model, add_weights
from tted_core.cli.shared import add_json, dump, fail, file_name, terminal_monitor
from tted_core.distances.ndd import Weights
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL, load_masked_model
from tted_core.errors import MapFormatError
from tted_core.measures.ndd_tables import NDD_TABLES, Asked
from tted_core.measures.ndd_tables.predicates import Row

Value = TypeVar("Value", int, float)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = " ".join(
        f"{name}: {table.paper}, read from {table.file}." for name, table in NDD_TABLES.items()
    )
    parser.add_argument("table", choices=NDD_TABLES, help="which of the paper's tables")
    parser.add_argument("file", type=file_name, help="the sentences")
    parser.add_argument("--sentences", type=int, metavar="N", help="only the first N (default: all)")
    parser.add_argument(
        "--max-span",
        type=_several(int),
        metavar="N[,N...]",
        help="the longest span tried, in words (default: 9; pruning: 3,5)",
    )
    parser.add_argument(
        "--max-ndd",
        type=_several(float),
        metavar="X[,X...]",
        help="the largest NDD at which a span is left out (default: 1; pruning: 1,2)",
    )
    parser.add_argument(
        "--rate",
        type=float,
        metavar="R",
        help="the largest share of words that compression leaves (default: 0.6)",
    )
    add_weights(parser)
    parser.add_argument(
        "--word", default="a", help="what a word is replaced by in the detection of predicates (default: a)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of all random choices (default: 0)"
    )
    add_masked_model(parser, default=DEFAULT_MASKED_MODEL)
    add_json(parser)


def run(options: argparse.Namespace) -> str:
    """Make the table and return what to print."""
    table = NDD_TABLES[options.table]
    if options.sentences is not None and options.sentences < 1:
        fail("--sentences takes 1 or more")
    Weights(options.mu, options.nu)
    asked = Asked(
        options.max_span or table.asked.max_spans,
        options.max_ndd or table.asked.limits,
        table.asked.rate if options.rate is None else options.rate,
        options.mu,
        options.nu,
        options.word,
        options.seed,
    )
    try:
        content = Path(options.file).read_bytes()
    except OSError as error:
        fail(f"{options.file} can't be read ({error.strerror}); name a file of {table.file}")
    try:
        sentences = table.read(content, options.sentences)
    except MapFormatError as error:
        fail(f"{options.file}: {error}")
    model = load_masked_model(options.masked_model)
    made = table.make(sentences, model, asked, terminal_monitor())
    if options.json:
        name = f"{model.name}@{model.fingerprint}"
        return dump({"rows": list(made.rows), "notes": list(made.notes), "masked_model": name})
    return "\n".join([*_lines(made.rows), "", f"{table.paper} of the paper. {table.reading}", *made.notes])


def _lines(rows: Sequence[Row]) -> list[str]:
    """The rows as a table with aligned columns."""
    cells = [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]


def _cell(value: str | float | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.4g}"


def _several(kind: type[Value]) -> Callable[[str], tuple[Value, ...]]:
    def values(given: str) -> tuple[Value, ...]:
        try:
            found = tuple(kind(each) for each in given.split(","))
        except ValueError as error:
            raise argparse.ArgumentTypeError(
                f"{given!r} is neither a number nor numbers with commas between them"
            ) from error
        if not all(value >= (1 if kind is int else 0) for value in found):  # NaN is refused, too
            raise argparse.ArgumentTypeError(f"{given!r} is too small")
        return found

    return values
