"""Results of a comparison of systems: JSON, CSV, the lines of the terminal, and a table for a paper.

The JSON's shape is kept stable. The LaTeX table for a paper holds few measures: the mean of each with the marks of
its tests, and the interval of the first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from textwrap import wrap
from typing import Any, NamedTuple

from tted_core.baselines import MEASURES, measure_title
from tted_core.batch.table import COSTS
from tted_core.foundations.tables import csv_text, latex_escaped, latex_float, latex_table, text_table
from tted_core.matching.records import CLAIMS, SHARES, STATUSES
from tted_core.systems.measuring import DepthMean
from tted_core.systems.scores import OF_TTED, SystemScores
from tted_core.systems.statistics import LEVEL, STARS, Compared, PairRow, SystemRow
from tted_core.systems.verdicts import beaten, disagreement, verdict
from tted_core.version import VERSION

OF_A_PAPER = 3  # measures of a table in a paper

_LINE = 118  # characters of a line of the terminal


def systems_json(
    compared: Compared,
    drivers: Mapping[str, Mapping[str, float]],
    signature: str,
    by_depth: Sequence[DepthMean] = (),
) -> dict[str, Any]:
    """Everything as a JSON object; ``by_depth`` is left out where it is empty."""
    return {
        "systems": [{**asdict(row), "control": row.is_control} for row in compared.systems],
        "pairs": [
            {**asdict(row), "largest": [{"item": item, "difference": by} for item, by in row.largest]}
            for row in compared.pairs
        ],
        "operations": {
            system: {
                **{status: {"count": each[status]} for status in STATUSES},
                **{name.removeprefix("cost_"): {"cost": each[name]} for name in COSTS},
                **{name: each[name] for name in (*SHARES, CLAIMS)},
            }
            for system, each in drivers.items()
        },
        **({"by_depth": [row._asdict() for row in by_depth]} if by_depth else {}),
        "lower_is_better": sorted(compared.lower),
        "baseline": compared.baseline,
        "signature": signature,
        "notices": list(compared.notices),
        "version": VERSION,
    }


def rows_csv(kind: type[SystemRow | PairRow], rows: Iterable[SystemRow | PairRow]) -> str:
    """Rows of systems or of pairs, one for each measure; an interval has the columns low and high."""
    names = [each.name for each in fields(kind) if each.name != "largest"]
    columns = [column for name in names for column in (("low", "high") if name == "ci95" else (name,))]
    records = ({**asdict(row), **dict(zip(("low", "high"), row.ci95 or (), strict=False))} for row in rows)
    return csv_text(columns, ([record.get(column) for column in columns] for record in records))


def items_csv(scores: SystemScores) -> str:
    """A row for each document and system, as ``tted systems --scores`` reads it."""
    return csv_text(
        ("item", "system", *scores.measures),
        (
            (
                name,
                system,
                *(float(values[row, item]) for values in scores.measures.values()),
            )
            for item, name in enumerate(scores.items)
            for row, system in enumerate(scores.systems)
        ),
    )


def pick_measures(compared: Compared) -> tuple[str, ...]:
    """The measures that a table shows: no other scale of TTED than the main one, unless it has nothing else."""
    return tuple(name for name in compared.measures if name not in OF_TTED[1:]) or compared.measures


def paper_measures(compared: Compared) -> tuple[str, ...]:
    """Three measures of different kinds for a table in a paper: TTED, coverage, and one of others."""
    first, *others = pick_measures(compared)
    liked = [first, *({"coverage"} & {*others}), *(name for name in others if name in MEASURES)]
    return tuple(dict.fromkeys([*liked[:OF_A_PAPER], *others]))[:OF_A_PAPER]


class _Cell(NamedTuple):
    """A mean as a table prints it, its mark and interval, and whether it is the best system's."""

    mean: str
    mark: str
    interval: str
    is_best: bool


def cells_of(compared: Compared, measure: str) -> dict[str, _Cell]:
    """System or control -> its cell: means of up to 2 with three decimals, larger ones with fewer."""
    rows = compared.of(measure)
    largest = max(abs(row.mean) for row in rows)
    form = f"z.{3 if largest < 2 else 2 if largest < 100 else 1}f"
    return {
        row.system: _Cell(
            f"{row.mean:{form}}",
            row.mark,
            f"[{row.ci95[0]:{form}}, {row.ci95[1]:{form}}]" if row.ci95 else "",
            row.mean == rows[0].mean and not row.is_control,
        )
        for row in rows
    }


def arrow(compared: Compared, measure: str) -> str:
    """The side on which a measure is better."""
    return "↓" if measure in compared.lower else "↑"


def legend(compared: Compared) -> str:
    """The meaning of the signs in a table of means."""
    tests = "paired randomization tests, Holm's correction"
    if not any(row.mark for row in compared.systems):
        marks = ""
    elif compared.baseline is None:
        marks = f" Systems without a common letter differ significantly ({tests}, p < {LEVEL:g})."
    else:
        stars = ", ".join(f"{mark} p < {limit:g}" for limit, mark in reversed(STARS))
        marks = f" Difference from {compared.baseline}: {stars} ({tests})."
    intervals = "95 % bootstrap intervals. " if any(row.ci95 for row in compared.systems) else ""
    return f"{intervals}Lower is better where the arrow points down.{marks}"


def report_lines(
    compared: Compared,
    drivers: Mapping[str, Mapping[str, float]],
    signature: str,
    *,
    measures: Sequence[str] = (),
    by_depth: Sequence[DepthMean] = (),
    pairs: bool = False,
    differences: bool = False,
) -> list[str]:
    """The report as lines of a terminal: the verdict by the first measure, and a table of all measures.

    Args:
        compared: the systems.
        drivers: each system's mean operations.
        signature: what repeats the numbers.
        measures: the columns of the table; by default ``pick_measures``.
        by_depth: the means by the number of levels, a table for each measure.
        pairs: also print the test of every two systems.
        differences: also print the operations, and the documents on which two systems differ most.
    """
    measures = tuple(measures) or pick_measures(compared)
    main = measures[0]
    found = (verdict(compared, main), disagreement(compared, main), beaten(compared, measures))
    lines = [line for paragraph in found for line in wrap(paragraph, _LINE, break_on_hyphens=False)]
    lines += [
        "",
        *_mean_lines(compared, measures),
        *wrap(legend(compared), _LINE, break_on_hyphens=False),
        "",
    ]
    for measure in measures if pairs and compared.pairs else ():
        lines += [measure, *_pair_lines(compared, measure), ""]
    for measure in dict.fromkeys(row.measure for row in by_depth):
        lines += [*_depth_lines([row for row in by_depth if row.measure == measure]), ""]
    if differences:
        largest = (
            (pair, ", ".join(f"{item} ({by:+.3g})" for item, by in pair.largest if by))
            for pair in compared.pairs
            if pair.measure == compared.measures[0]
        )
        lines += [
            *(_operation_lines(drivers) if drivers else ()),
            *(f"{pair.a} and {pair.b} differ most on: {items}" for pair, items in largest if items),
            "",
        ]
    return [*lines, signature]


def _mean_lines(compared: Compared, measures: Sequence[str]) -> Iterator[str]:
    """Systems in rows and measures in columns, as many as a line holds; the first with its interval."""
    systems = (*compared.ranking, *compared.controls)
    names = ["system", *systems]
    blocks: list[list[list[str]]] = []
    room = 0
    for measure in measures:
        cells = cells_of(compared, measure)
        widest = max(len(cell.mark) for cell in cells.values())
        column = [f"{measure} {arrow(compared, measure)}"]
        for system in systems:
            mean, mark, interval, _ = cells.get(system, _Cell("", "", "", is_best=False))
            column.append(f"{mean} {mark:<{widest}}" + (f" {interval}" if measure == measures[0] else ""))
        width = 2 + max(map(len, column))
        if width > room:
            blocks.append([names])
            room = _LINE - max(map(len, names))
        blocks[-1].append(column)
        room -= width
    for columns in blocks:
        yield from text_table(zip(*columns, strict=True))
        yield ""


def _pair_lines(compared: Compared, measure: str) -> list[str]:
    rows: list[tuple[str, ...]] = [
        ("  a - b", "difference", "95 %", "p boot", "p rand", "p Holm", "d_z", "wins/ties/losses")
    ]
    rows += [
        (
            f"  {pair.a} - {pair.b}",
            f"{pair.difference:.4g}",
            f"{pair.ci95[0]:.4g} to {pair.ci95[1]:.4g}" if pair.ci95 else "",
            *("" if p is None else f"{p:.4f}" for p in (pair.p_bootstrap, pair.p_randomization, pair.p_holm)),
            "" if pair.effect is None else f"{pair.effect:.2f}",
            f"{pair.wins}/{pair.ties}/{pair.losses}",
        )
        for pair in compared.pairs
        if pair.measure == measure
    ]
    return text_table(rows)


def _depth_lines(rows: Sequence[DepthMean]) -> list[str]:
    levels = range(1, max(row.k for row in rows) + 1)
    means = {(row.system, row.k): f"{row.mean:.4g}" for row in rows}
    counts = {row.k: f"{row.n:,}" for row in rows}
    systems = dict.fromkeys(row.system for row in rows)
    table = [
        ("  k", *map(str, levels)),
        *((f"  {system}", *(means.get((system, k), "-") for k in levels)) for system in systems),
        ("  documents", *(counts.get(k, "0") for k in levels)),
    ]
    return [f"{rows[0].measure} by depth: means of maps trimmed to k levels", *text_table(table)]


def _operation_lines(drivers: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """Tables of sentences by status and of costs by operation."""
    for title, names, form in (
        ("the sentences by status: their number per document", tuple(STATUSES), ".2f"),
        ("what the script's operations cost per document", COSTS, ".3g"),
    ):
        rows = [("  system", *(name.removeprefix("cost_") for name in names))]
        rows += [(f"  {name}", *(f"{each[of]:{form}}" for of in names)) for name, each in drivers.items()]
        yield from (title, *text_table(rows), "")


def systems_latex(
    compared: Compared,
    signature: str,
    *,
    measures: Sequence[str] = (),
    settings: str = "",
    notices: Sequence[str] = (),
) -> str:
    """The table of the systems, without controls, to be put into a document with ``booktabs``.

    Args:
        compared: the systems.
        signature: stands in a comment.
        measures: the columns; by default ``paper_measures``.
        settings: how maps were scored, in words, for the caption.
        notices: stand in comments.
    """
    measures = tuple(measures) or paper_measures(compared)
    sides = ["down" if name in compared.lower else "up" for name in measures]
    heads = [
        rf"\multicolumn{{2}}{{c}}{{{latex_escaped(measure_title(name))} $\{side}arrow$}}"
        for name, side in zip(measures, sides, strict=True)
    ]
    columns = [cells_of(compared, measure) for measure in measures]
    rows = []
    for system in compared.ranking:
        name = system + " (baseline)" * (system == compared.baseline)
        first, *others = (column[system] for column in columns)
        row = [latex_escaped(name), *_latex_cell(first), first.interval]
        rows.append([*row, *(part for cell in others for part in _latex_cell(cell))])
    tabular = latex_table(
        "l" + "r@{}lc" + "r@{}l" * (len(measures) - 1),
        ("System", heads[0], r"95\,\%", *heads[1:]),
        rows,
        comments=(signature, *notices),
    )
    counts = {row.n for row in compared.systems if not row.is_control}
    documents = f"{min(counts):,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}"
    sentences = [f"Means over {documents} documents, the best in bold.", legend(compared)]
    sentences += [verdict(compared, measures[0]), *([f"Settings: {settings}."] if settings else [])]
    return latex_float(tabular, list(map(latex_escaped, sentences)), "tab:systems")


def _latex_cell(cell: _Cell) -> tuple[str, str]:
    mean = rf"\textbf{{{cell.mean}}}" if cell.is_best else cell.mean
    return mean, f"$^{{{cell.mark}}}$" if cell.mark else ""
