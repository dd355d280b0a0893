"""The results of a batch as a LaTeX table: a row for each setting, with rules of the package booktabs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.batch.results import SETTING, Results
from tted_core.report.latex import latex_escaped
from tted_core.version import VERSION

SCORES = {"tted": "TTED", "normalized": "normalized", "steinhaus": "Steinhaus"}


def latex_summary(results: Results) -> str:
    """Mean and standard deviation of the scores, baselines included, and how many pairs there are and fail."""
    settings = results.settings
    told = [name for name in SETTING if len({str(each[name]) for each in settings}) > 1]
    further = [name for name in results.baselines if name in results.scores]
    titles = [*told, "pairs", "failed", *SCORES.values(), *further]
    numbers = len(titles) - len(told)
    lines = [
        *_header(results),
        rf"\begin{{tabular}}{{{'l' * len(told)}{'r' * numbers}}}",
        r"\toprule",
        " & ".join(map(latex_escaped, titles)) + r" \\",
        r"\midrule",
    ]
    for number, setting in enumerate(settings):
        rows = results.of_setting == number
        failed = int(results.failed[rows].sum())
        cells = [
            *(latex_escaped(_cell(setting[name])) for name in told),
            f"{int(rows.sum()):,}",
            f"{failed:,}",
            *(_spread(results.scores.get(name), rows) for name in (*SCORES, *further)),
        ]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def _header(results: Results) -> list[str]:
    """Comments that say what the table is of."""
    lines = [
        f"% Mean and standard deviation over pairs of maps; tted {VERSION}.",
        r"% Needs \usepackage{booktabs}.",
    ]
    if not results.complete:
        lines.append("% The run was stopped before its end: these are the pairs done so far.")
    same = {
        name: _cell(results.settings[0][name])
        for name in SETTING
        if len({str(each[name]) for each in results.settings}) == 1
    }
    return [*lines, "% " + ", ".join(f"{name} {latex_escaped(value)}" for name, value in same.items())]


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
