"""LaTeX: a comparison as one row of a table, and a batch as a table with a row for each setting."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BaselineScore
from tted_core.batch.results import Results
from tted_core.comparison import Comparison
from tted_core.method import COLUMNS
from tted_core.printable import printable, shortened
from tted_core.tables import latex_escaped, latex_table
from tted_core.version import VERSION

NAME_CHARACTERS = 80
SCORES = {"tted": "TTED", **{name: each.title for name, each in NORMALISATIONS.items()}}


def latex_row(comparison: Comparison) -> str:
    """The row, ready to be put between others; needs no package beyond the T1 font encoding."""
    method = comparison.method
    columns = {
        "left map": latex_escaped(shortened(comparison.left.name or "left", NAME_CHARACTERS)),
        "right map": latex_escaped(shortened(comparison.right.name or "right", NAME_CHARACTERS)),
        "nodes": f"{len(comparison.left.tree)}",
        "nodes'": f"{len(comparison.right.tree)}",
        "encoder": latex_escaped(method.model),
        "distance": latex_escaped(method.distance),
        "order": latex_escaped(method.order),
        "context": latex_escaped(method.context),
        "k": str(method.depth or "all"),
        "TTED": f"{comparison.tted:.4f}" if comparison.proven else rf"$\leq$ {comparison.tted:.4f}",
        **{each.title: f"{comparison.scores.normalised[name]:.3f}" for name, each in NORMALISATIONS.items()},
        "AvgTTED": f"{comparison.avg_tted:.3f}",
        **{
            latex_escaped(name): f"{score.sim:.3f}"
            for name, score in comparison.baselines.items()
            if isinstance(score, BaselineScore)
        },
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
    varying = [name for name in COLUMNS if len({str(each[name]) for each in settings}) > 1]
    scores = {**SCORES, **{name: name for name in results.baselines if name in results.scores}}
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
    same = (f"{name} {_cell(results.settings[0][name])}" for name in COLUMNS if name not in varying)
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
