"""Results of a comparison of systems: JSON, CSV, the lines of the terminal, and the LaTeX table of a paper.

The JSON's shape is kept stable. The LaTeX table has systems in rows, measures in columns, marks of significance,
and a caption that says how it was tested.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tted_core.batch.controls import CONTROLS
from tted_core.formats.labels import counted
from tted_core.foundations.tables import csv_text, latex_escaped, latex_float, latex_table
from tted_core.systems.drivers import KINDS, Operations
from tted_core.systems.measuring import DepthMean
from tted_core.systems.scores import SystemScores
from tted_core.systems.statistics import LEVEL, Compared, PairRow, SystemRow
from tted_core.systems.verdicts import beaten, verdict
from tted_core.version import VERSION

SYSTEM_COLUMNS = ("system", "measure", "n", "mean", "low", "high", "median", "micro", "cluster")
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
    return {**kinds, "coverage": operations.coverage, "support": operations.support}


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


def report_lines(
    compared: Compared,
    drivers: Mapping[str, Operations],
    signature: str,
    *,
    by_depth: Sequence[DepthMean] = (),
    pairs: bool = False,
    differences: bool = False,
) -> list[str]:
    """The report as lines of a terminal: a table for each measure, and what is better by it.

    Args:
        compared: the systems.
        drivers: each system's mean operations.
        signature: what repeats the numbers.
        by_depth: the means by the number of levels, a table for each measure.
        pairs: also print the test of every two systems.
        differences: also print the operations by level, and the documents on which two systems differ most.
    """
    lines: list[str] = []
    for measure in compared.measures:
        lines += [*_measure_lines(compared, measure), *(_pair_lines(compared, measure) if pairs else ()), ""]
    for measure in dict.fromkeys(row.measure for row in by_depth):
        lines += [*_depth_lines([row for row in by_depth if row.measure == measure]), ""]
    if differences and drivers:
        lines += [*_operation_lines(compared, drivers), ""]
    if differences:
        lines += [*_largest_lines(compared), ""]
    return [*lines, *_closing(compared, pairs=pairs), signature]


def _measure_lines(compared: Compared, measure: str) -> Iterator[str]:
    rows = compared.of(measure)
    width = max(20, *(len(row.system) + 2 for row in rows))
    better = "lower" if measure in compared.lower else "higher"
    yield f"{measure} ({better} is better), {counted(rows[0].n, 'document')}"
    yield f"  {'system':<{width}}{'mean':>10}{'95 %':>24}{'cluster':>9}"
    for row in rows:
        cluster = "" if row.cluster is None else str(row.cluster)
        yield f"  {row.system:<{width}}{_number(row.mean):>10}{_interval(row):>24}{cluster:>9}".rstrip()
    for sentence in filter(None, (verdict(compared, measure), beaten(compared, measure))):
        yield f"  {sentence}"


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


def _closing(compared: Compared, *, pairs: bool) -> Iterator[str]:
    if not compared.pairs:
        return
    if pairs:
        yield (
            "p: two-sided, by paired bootstrap and by paired randomization; p Holm: the latter, corrected for the "
            f"tests of a measure; significant below {LEVEL:g}"
        )
    if compared.baseline is None:
        yield "cluster: all systems of one differ significantly from all of another"
    yield ""


STARS = ((0.001, "***"), (0.01, "**"), (LEVEL, "*"))
"""A corrected p below it -> the mark of a difference from the baseline system."""


def systems_latex(
    compared: Compared, signature: str, *, settings: str = "", notices: tuple[str, ...] = ()
) -> str:
    """The table, to be put into a document with ``booktabs``.

    ``settings`` says in words how maps were scored, for the caption; ``notices`` are sentences for its end, as
    far as there is room.
    """
    measures = compared.measures
    heads = [rf"{latex_escaped(name)} ${_arrow(compared, name)}$" for name in measures]
    tabular = latex_table(
        "l" + "r" * len(measures),
        ("System", *heads),
        (_cells(compared, system) for system in (*compared.ranking, *compared.controls)),
        comments=(signature,),
    )
    scored = (f"Settings: {settings}",) if settings else ()
    sentences = (f"{latex_escaped(each)}." for each in (*scored, *notices))
    return latex_float(tabular, (*_caption(compared), *sentences), "tab:systems")


def _arrow(compared: Compared, measure: str) -> str:
    return r"\downarrow" if measure in compared.lower else r"\uparrow"


def _cells(compared: Compared, system: str) -> list[str]:
    name = latex_escaped(system) + (" (baseline)" if system == compared.baseline else "")
    return [name, *(_cell(compared, compared.row(system, measure)) for measure in compared.measures)]


def _cell(compared: Compared, row: SystemRow | None) -> str:
    if row is None:
        return ""
    places = _places(compared, row.measure)
    mean = f"{row.mean:.{places}f}"
    if row.cluster == 1 and _separates(compared, row.measure):
        mean = rf"\textbf{{{mean}}}"
    interval = (
        "" if row.ci95 is None else rf" {{\scriptsize [{row.ci95[0]:.{places}f}, {row.ci95[1]:.{places}f}]}}"
    )
    return f"{mean}{_mark(compared, row)}{interval}"


def _mark(compared: Compared, row: SystemRow) -> str:
    """The cluster's number, or the stars of a difference from the baseline."""
    if compared.baseline is None:
        return "" if row.cluster is None or not compared.pairs else f"$^{{{row.cluster}}}$"
    pair = (
        compared.pair(row.system, compared.baseline, row.measure) if row.system != compared.baseline else None
    )
    p = None if pair is None else pair.p_holm
    stars = next((mark for limit, mark in STARS if p is not None and p < limit), "")
    return f"$^{{{stars}}}$" if stars else ""


def _places(compared: Compared, measure: str) -> int:
    """Decimal places: three for numbers of up to 1, fewer for larger ones."""
    largest = max(abs(row.mean) for row in compared.systems if row.measure == measure)
    return 3 if largest < 2 else 2 if largest < 100 else 1


def _separates(compared: Compared, measure: str) -> bool:
    return any(row.cluster not in {1, None} for row in compared.systems if row.measure == measure)


def _caption(compared: Compared) -> list[str]:
    counts = {row.n for row in compared.systems}
    documents = f"{min(counts):,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}"
    means = (
        rf"Means over {documents} documents with 95\,\% percentile bootstrap intervals "
        rf"({compared.resamples:,} resamples); the arrow points to the better side."
    )
    if compared.controls:
        made = "; ".join(f"{latex_escaped(name)}: {CONTROLS[name].title}" for name in compared.controls)
        means += f" Rows in brackets are controls and no systems ({made})."
    if not compared.pairs:
        return [means]
    test = (
        rf"by paired approximate randomisation (two-sided, up to {compared.resamples:,} exchanges, seed "
        rf"{compared.seed}), corrected by Holm's method for the tests of a measure"
    )
    if compared.baseline is None:
        clusters = (
            "Superscripts are significance clusters: every system of one cluster differs from every system of "
            f"another {test} ($p < {LEVEL:g}$). Bold: the best cluster."
        )
        return [means, clusters]
    marks = ", ".join(f"{mark} $p < {limit:g}$" for limit, mark in reversed(STARS))
    return [means, f"Differences from {latex_escaped(compared.baseline)} were tested {test}: {marks}."]
