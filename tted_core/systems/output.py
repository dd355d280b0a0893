"""Results of a comparison of systems: JSON, CSV, the lines of the terminal, and tables for a paper.

The JSON's shape is kept stable. The tables for a paper, LaTeX and Markdown, hold few measures: the mean of each
with the marks of its tests, and the interval of the first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain
from textwrap import wrap
from typing import Any

from tted_core.baselines import MEASURES
from tted_core.explain.correspondence import CLAIMS, SHARES
from tted_core.foundations.tables import csv_text, latex_escaped, latex_float, latex_table
from tted_core.systems.drivers import KINDS, Operations
from tted_core.systems.measuring import DepthMean
from tted_core.systems.scores import OF_TTED, SystemScores
from tted_core.systems.statistics import LEVEL, STARS, Compared, PairRow, SystemRow
from tted_core.systems.verdicts import beaten, disagreement, is_won_by_control, verdict
from tted_core.version import VERSION

OF_A_PAPER = 3
"""Measures of a table in a paper."""

MOST_MEASURES = 6
"""Of more measures, a table leaves out the other scales of TTED."""

LINE = 118
"""Characters of a line of the terminal."""

SYSTEM_COLUMNS = ("system", "measure", "n", "mean", "low", "high", "median", "micro", "mark")
PAIR_COLUMNS = (
    *(
        "a",
        "b",
        "measure",
        "n",
        "difference",
        "low",
        "high",
        "p_bootstrap",
        "p_randomization",
        "p_holm",
        "effect",
    ),
    *("wins", "ties", "losses"),
)


def systems_json(
    compared: Compared,
    drivers: Mapping[str, Operations],
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
        "operations": {system: _operations_json(each) for system, each in drivers.items()},
        **({"by_depth": [asdict(row) for row in by_depth]} if by_depth else {}),
        "lower_is_better": sorted(compared.lower),
        "baseline": compared.baseline,
        "signature": signature,
        "notices": list(compared.notices),
        "version": VERSION,
    }


def _operations_json(operations: Operations) -> dict[str, Any]:
    kinds: dict[str, Any] = {
        kind: {
            "count": float(operations.counts[row].sum()),
            "cost": float(operations.costs[row].sum()),
            "count_by_depth": operations.counts[row].tolist(),
            "cost_by_depth": operations.costs[row].tolist(),
        }
        for row, kind in enumerate(KINDS)
    }
    return {**kinds, **{name: getattr(operations, name) for name in (*SHARES, CLAIMS)}}


def systems_csv(rows: Iterable[SystemRow]) -> str:
    """A row for each system and measure."""
    return _csv(SYSTEM_COLUMNS, rows)


def pairs_csv(rows: Iterable[PairRow]) -> str:
    """A row for each pair and measure."""
    return _csv(PAIR_COLUMNS, rows)


def items_csv(scores: SystemScores) -> str:
    """A row for each document and system, as ``tted systems --scores`` reads it."""
    nodes = scores.nodes
    return csv_text(
        ("item", "system", *(() if nodes is None else ("nodes",)), *scores.measures),
        (
            (
                name,
                system,
                *(() if nodes is None else (float(nodes[item]),)),
                *(float(values[row, item]) for values in scores.measures.values()),
            )
            for item, name in enumerate(scores.items)
            for row, system in enumerate(scores.systems)
        ),
    )


def _csv(columns: Sequence[str], rows: Iterable[SystemRow | PairRow]) -> str:
    records = ({**asdict(row), **dict(zip(("low", "high"), row.ci95 or (), strict=False))} for row in rows)
    return csv_text(columns, ([record.get(column) for column in columns] for record in records))


def shown_measures(compared: Compared) -> tuple[str, ...]:
    """The measures that a table shows: of many, no other scale of TTED than the main one."""
    main = tuple(name for name in compared.measures if name not in OF_TTED[1:])
    return main if main and len(compared.measures) > MOST_MEASURES else compared.measures


def paper_measures(compared: Compared) -> tuple[str, ...]:
    """Three measures of different kinds for a table in a paper: TTED, coverage, and one of others."""
    first, *others = shown_measures(compared)
    liked = [first, *({"coverage"} & {*others}), *(name for name in others if name in MEASURES)]
    return tuple(dict.fromkeys([*liked[:OF_A_PAPER], *others]))[:OF_A_PAPER]


def report_lines(
    compared: Compared,
    drivers: Mapping[str, Operations],
    signature: str,
    *,
    measures: Sequence[str] = (),
    by_depth: Sequence[DepthMean] = (),
    pairs: bool = False,
    differences: bool = False,
) -> list[str]:
    """The report as lines of a terminal: what is better by the first measure, and a table of all.

    Args:
        compared: the systems.
        drivers: each system's mean operations.
        signature: what repeats the numbers.
        measures: the columns of the table; by default ``shown_measures``.
        by_depth: the means by the number of levels, a table for each measure.
        pairs: also print the test of every two systems.
        differences: also print the operations by level, and the documents on which two systems differ most.
    """
    measures = tuple(measures) or shown_measures(compared)
    told = [sentence(compared, measures[0]) for sentence in (verdict, disagreement, beaten)]
    if others := [name for name in measures[1:] if is_won_by_control(compared, name)]:
        told.append(f"A trivial control has a better mean than every system by {', '.join(others)}.")
    wrapped = partial(wrap, width=LINE, break_on_hyphens=False)
    lines = [
        *chain(*map(wrapped, told)),
        "",
        *_mean_lines(compared, measures),
        *wrapped(legend(compared)),
        "",
    ]
    for measure in measures if pairs else ():
        lines += [measure, *_pair_lines(compared, measure), ""]
    for measure in dict.fromkeys(row.measure for row in by_depth):
        lines += [*_depth_lines([row for row in by_depth if row.measure == measure]), ""]
    if differences and drivers:
        lines += [*_operation_lines(compared, drivers), ""]
    if differences:
        lines += [*_largest_lines(compared), ""]
    return [*lines, signature]


def legend(compared: Compared) -> str:
    """What the signs in a table of means are."""
    tests = "paired randomization tests, Holm's correction"
    if not compared.pairs:
        marks = ""
    elif compared.baseline is None:
        marks = f" Systems without a common letter differ significantly ({tests}, p < {LEVEL:g})."
    else:
        stars = ", ".join(f"{mark} p < {limit:g}" for limit, mark in reversed(STARS))
        marks = f" Difference from {compared.baseline}: {stars} ({tests})."
    return f"95 % bootstrap intervals; lower is better where the arrow points down.{marks}"


def _mean_lines(compared: Compared, measures: Sequence[str]) -> Iterator[str]:
    """Systems in rows and measures in columns, as many as a line holds; the first with its interval."""
    systems = (*compared.ranking, *compared.controls)
    name_width = max(len("system"), *map(len, systems))
    blocks: list[list[list[str]]] = []
    width = LINE
    for measure in measures:
        rows = [compared.row(system, measure) for system in systems]
        means = [_number(row.mean) if row else "" for row in rows]
        marks = [row.mark if row else "" for row in rows]
        column = [
            f"{mean:>{max(map(len, means))}} {mark:<{max(map(len, marks))}}"
            for mean, mark in zip(means, marks, strict=True)
        ]
        if measure == measures[0]:
            column = [
                cell + (f" [{_interval(row)}]" if row and row.ci95 else "")
                for cell, row in zip(column, rows, strict=True)
            ]
        column = [f"{measure} {arrow(compared, measure)}", *column]
        longest = max(map(len, column))
        width += longest + 2
        if width > LINE:
            blocks.append([])
            width = name_width + longest + 2
        blocks[-1].append([f"{cell:<{longest}}" for cell in column])
    for block in blocks:
        for cells in zip([f"{name:<{name_width}}" for name in ("system", *systems)], *block, strict=True):
            yield "  ".join(cells).rstrip()
        yield ""


def arrow(compared: Compared, measure: str) -> str:
    """The side on which a measure is better."""
    return "↓" if measure in compared.lower else "↑"


def _depth_lines(rows: Sequence[DepthMean]) -> Iterator[str]:
    means = {(row.system, row.k): f"{row.mean:.4g}" for row in rows}
    width = max(20, *(len(row.system) + 2 for row in rows))
    levels = range(1, max(row.k for row in rows) + 1)
    yield f"{rows[0].measure} by depth: means of maps trimmed to k levels, up to those of the deepest reference"
    yield f"  {'k':<{width}}" + "".join(f"{k:>10}" for k in levels)
    for system in dict.fromkeys(row.system for row in rows):
        yield f"  {system:<{width}}" + "".join(f"{means.get((system, k), '-'):>10}" for k in levels)
    counts = {row.k: f"{row.n:,}" for row in rows}
    yield f"  {'documents':<{width}}" + "".join(f"{counts.get(k, '0'):>10}" for k in levels)


def _interval(row: SystemRow | PairRow) -> str:
    return "" if row.ci95 is None else " to ".join(map(_number, row.ci95))


def _number(value: float) -> str:
    """Four digits; what is 0 but for rounding is printed as 0."""
    return f"{0.0 if abs(value) < 1e-12 else value:.4g}"


def _pair_lines(compared: Compared, measure: str) -> Iterator[str]:
    pairs = [pair for pair in compared.pairs if pair.measure == measure]
    if not pairs:
        return
    width = max(20, *(len(_names(pair)) + 2 for pair in pairs))
    yield (
        f"  {'a - b':<{width}}{'difference':>10}{'95 %':>24}{'p boot':>10}{'p rand':>10}{'p Holm':>9}"
        f"{'d_z':>8}{'wins/ties/losses':>18}"
    )
    for pair in pairs:
        cells = [_p(p) for p in (pair.p_bootstrap, pair.p_randomization, pair.p_holm)]
        effect = "" if pair.effect is None else f"{pair.effect:.2f}"
        yield (
            f"  {_names(pair):<{width}}{pair.difference:>10.4g}{_interval(pair):>24}{cells[0]:>10}{cells[1]:>10}"
            f"{cells[2]:>9}{effect:>8}{f'{pair.wins}/{pair.ties}/{pair.losses}':>18}"
        )


def _names(pair: PairRow) -> str:
    return f"{pair.a} - {pair.b}"


def _p(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _operation_lines(compared: Compared, drivers: Mapping[str, Operations]) -> Iterator[str]:
    width = max(24, *(len(system) + 2 for system in drivers))
    yield "what the scripts hold: nodes (cost) a document, and their number by level, the root's first"
    yield f"  {'system':<{width}}" + "".join(f"{kind:>16}" for kind in KINDS)
    for system in compared.ranking:
        each = drivers[system]
        cells = (f"{each.counts[row].sum():.2f} ({each.costs[row].sum():.3g})" for row in range(len(KINDS)))
        yield f"  {system:<{width}}" + "".join(f"{cell:>16}" for cell in cells)
        for row, kind in enumerate(KINDS):
            if each.counts[row].any():
                yield f"    {kind:<{width - 2}}" + " ".join(f"{count:.2f}" for count in each.counts[row])


def _largest_lines(compared: Compared) -> Iterator[str]:
    for pair in compared.pairs:
        if pair.measure == compared.measures[0] and pair.largest[0][1]:
            items = ", ".join(f"{item} ({by:+.3g})" for item, by in pair.largest if by)
            yield f"{pair.a} and {pair.b} differ most on: {items}"


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
    heads = [
        rf"\multicolumn{{2}}{{c}}{{{latex_escaped(name)} $\{'down' if name in compared.lower else 'up'}arrow$}}"
        for name in measures
    ]
    rows = []
    for system in compared.ranking:
        cells = [latex_escaped(system) + (" (baseline)" if system == compared.baseline else "")]
        for measure, (mean, mark, is_best) in zip(measures, _cells(compared, system, measures), strict=True):
            cells += [rf"\textbf{{{mean}}}" if is_best else mean, f"$^{{{mark}}}$" if mark else ""]
            if measure == measures[0]:
                cells.append(_bracket(compared, system, measure))
        rows.append(cells)
    tabular = latex_table(
        "l" + "r@{}lc" + "r@{}l" * (len(measures) - 1),
        ("System", heads[0], r"95\,\%", *heads[1:]),
        rows,
        comments=(signature, *notices),
    )
    sentences = [*_caption(compared), *([f"Settings: {latex_escaped(settings)}."] if settings else [])]
    return latex_float(tabular, sentences, "tab:systems")


def systems_markdown(compared: Compared, *, measures: Sequence[str] = ()) -> str:
    """The same table in Markdown."""
    measures = tuple(measures) or paper_measures(compared)
    heads = [f"{name} {arrow(compared, name)}" for name in measures]
    lines = [["System", heads[0], "95 %", *heads[1:]], ["---", *["---:"] * (len(measures) + 1)]]
    for system in compared.ranking:
        found = _cells(compared, system, measures)
        cells = [f"{f'**{mean}**' if is_best else mean} {mark}".strip() for mean, mark, is_best in found]
        name = system.replace("|", r"\|") + (" (baseline)" if system == compared.baseline else "")
        lines.append([name, cells[0], _bracket(compared, system, measures[0]), *cells[1:]])
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"{table}\n{legend(compared)}\n"


def _cells(compared: Compared, system: str, measures: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    """The mean of each measure, its mark, and whether it is the best one."""
    for measure in measures:
        row = compared.row(system, measure)
        assert row is not None  # only controls lack values
        yield f"{row.mean:.{_places(compared, measure)}f}", row.mark, row.mean == compared.of(measure)[0].mean


def _bracket(compared: Compared, system: str, measure: str) -> str:
    row, places = compared.row(system, measure), _places(compared, measure)
    return f"[{row.ci95[0]:.{places}f}, {row.ci95[1]:.{places}f}]" if row and row.ci95 else ""


def _places(compared: Compared, measure: str) -> int:
    """Decimal places: three for numbers of up to 1, fewer for larger ones."""
    largest = max(abs(row.mean) for row in compared.of(measure))
    return 3 if largest < 2 else 2 if largest < 100 else 1


def _caption(compared: Compared) -> Iterator[str]:
    counts = {row.n for row in compared.systems if not row.is_control}
    documents = f"{min(counts):,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}"
    yield (
        rf"Means over {documents} documents, the best in bold; brackets: 95\,\% bootstrap intervals; arrows point "
        "to the better side."
    )
    tests = rf"paired randomization tests, Holm's correction, $p < {LEVEL:g}$"
    if compared.pairs and compared.baseline is None:
        yield f"Systems without a common letter differ significantly ({tests})."
    elif compared.pairs:
        marks = ", ".join(f"{mark} $p < {limit:g}$" for limit, mark in reversed(STARS))
        yield f"Differences from {latex_escaped(compared.baseline or '')}: {marks} (Holm's correction)."
