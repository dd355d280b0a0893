"""A comparison as one row of a LaTeX table; a comment above it names the columns."""

import unicodedata

from tted_core.baselines import BaselineScore
from tted_core.comparison import Comparison
from tted_core.report.text import printable, shortened

SPECIAL = {
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
NAME_CHARACTERS = 80


def latex_row(comparison: Comparison) -> str:
    """The row, ready to be put between others; needs no package beyond the T1 font encoding."""
    options = comparison.options
    columns = {
        "left map": latex_escaped(shortened(comparison.left.name or "left", NAME_CHARACTERS)),
        "right map": latex_escaped(shortened(comparison.right.name or "right", NAME_CHARACTERS)),
        "nodes": f"{len(comparison.left.tree)}",
        "nodes'": f"{len(comparison.right.tree)}",
        "encoder": latex_escaped(options.encoder),
        "distance": latex_escaped(options.distance),
        "order": latex_escaped(options.order),
        "context": latex_escaped(options.context),
        "k": str(options.depth or "all"),
        "TTED": f"{comparison.tted:.4f}" if comparison.proven else rf"$\leq$ {comparison.tted:.4f}",
        "normalized": f"{comparison.normalized:.3f}",
        "Steinhaus": f"{comparison.steinhaus:.3f}",
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


def latex_escaped(text: str) -> str:
    """A user's text as LaTeX shows it; invisible signs, which it can't typeset, are left out."""
    visible = (sign for sign in printable(text) if unicodedata.category(sign) != "Cf")
    return "".join(SPECIAL.get(sign, sign) for sign in visible)
