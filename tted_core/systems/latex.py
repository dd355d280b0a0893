"""The table of a paper: systems in rows, measures in columns, marks, and a caption that says how it was tested."""

from tted_core.systems.statistics import LEVEL, Compared, SystemRow
from tted_core.tables import latex_escaped, latex_float, latex_table

STARS = ((0.001, "***"), (0.01, "**"), (LEVEL, "*"))
"""A corrected p below it -> the mark of a difference from the baseline system."""


def systems_latex(compared: Compared, signature: str, *, notices: tuple[str, ...] = ()) -> str:
    """The table, to be put into a document with ``booktabs``.

    ``notices`` are sentences for the end of its caption, as far as there is room for them.
    """
    measures = compared.measures
    heads = [rf"{latex_escaped(name)} ${_arrow(compared, name)}$" for name in measures]
    tabular = latex_table(
        "l" + "r" * len(measures),
        ("System", *heads),
        (_cells(compared, system) for system in compared.ranking),
        comments=(signature,),
    )
    return latex_float(tabular, (*_caption(compared), *map(latex_escaped, notices)), "tab:systems")


def _arrow(compared: Compared, measure: str) -> str:
    return r"\downarrow" if measure in compared.lower else r"\uparrow"


def _cells(compared: Compared, system: str) -> list[str]:
    name = latex_escaped(system) + (" (baseline)" if system == compared.baseline else "")
    return [name, *(_cell(compared, compared.row(system, measure)) for measure in compared.measures)]


def _cell(compared: Compared, row: SystemRow) -> str:
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
