"""A comparison as one HTML file that needs nothing besides: no network, no script, no other file.

Every text of a user goes through Jinja's escaping; should one ever slip through, the page's own content security
policy still forbids all scripts and requests.
"""

import base64
import functools
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, TypeAlias

from tted_core.baselines import BaselineScore
from tted_core.comparison import Comparison
from tted_core.explain.alignment import aligned_rows, display_order
from tted_core.explain.receipt import receipt
from tted_core.report.overview_picture import overview_picture
from tted_core.report.palette import STYLES, SURFACE
from tted_core.report.text import printable
from tted_core.report.words import dearest_change, how_sure, what_happened
from tted_core.script import GLYPHS, EditOp
from tted_core.version import VERSION
from tted_core.words.diff import Part, word_diff

if TYPE_CHECKING:
    import jinja2

Texts: TypeAlias = dict[int, tuple[Part, ...]]
"""Node -> its text in pieces."""


@dataclass(frozen=True)
class Cell:
    """A node in the table: its text in pieces (changed or not), and where its partner is if not beside it."""

    node: int
    level: int
    parts: tuple[Part, ...]
    op: EditOp
    partner: int | None


@dataclass(frozen=True)
class Row:
    """A row of the table; ``op`` is what happens in it: to the pair, or to the one node."""

    left: Cell | None
    right: Cell | None
    op: EditOp


def html_report(comparison: Comparison, replay: str | None = None) -> str:
    """The report: the answer, both maps side by side, the overview, the receipt, options and signature.

    Args:
        comparison: what to report.
        replay: the comparison's replay file, to be offered for download inside the report.
    """
    names = [
        printable(side.name or word)
        for side, word in ((comparison.left, "Left map"), (comparison.right, "Right map"))
    ]
    packed = None if replay is None else base64.b64encode(replay.encode()).decode("ascii")
    return _template().render(
        comparison=comparison,
        names=names,
        sentences=[
            each
            for each in (what_happened(comparison), dearest_change(comparison), how_sure(comparison))
            if each
        ],
        scores=_scores(comparison),
        rows=_rows(comparison),
        overview=overview_picture(comparison),
        receipt=receipt(comparison),
        styles=STYLES,
        surface=SURFACE,
        glyphs=GLYPHS,
        notices=_notices(comparison),
        replay=packed,
        version=VERSION,
    )


@functools.cache
def _template() -> "jinja2.Template":
    import jinja2

    folder = resources.files("tted_core.report")
    sources = {name: (folder / name).read_text(encoding="utf-8") for name in ("report.html", "report.css")}
    environment = jinja2.Environment(
        loader=jinja2.DictLoader(sources), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["printable"] = printable
    return environment.get_template("report.html")


def _scores(comparison: Comparison) -> list[tuple[str, str]]:
    scores = [
        ("TTED", f"{comparison.tted:.4f}"),
        ("normalized", f"{comparison.normalized:.4f}"),
        ("Steinhaus", f"{comparison.steinhaus:.4f}"),
        ("AvgTTED", f"{comparison.avg_tted:.4f}"),
        ("TTED@k", ", ".join(f"{value:.4f}" for value in comparison.tted_at)),
    ]
    for name, score in comparison.baselines.items():
        if isinstance(score, BaselineScore):
            rho = "undefined" if score.rho_base is None else f"{score.rho_base:.4f}"
            scores.append((name, f"{score.sim:.4f} (rho_base {rho})"))
        else:
            scores.append((name, f"not computed: {score}"))
    return scores


def _notices(comparison: Comparison) -> list[str]:
    sides = (("Left map", comparison.left), ("Right map", comparison.right))
    notices = [f"{word}: {notice}" for word, side in sides for notice in side.notices]
    if comparison.choices:
        forced, forbidden = len(comparison.choices.forced), len(comparison.choices.forbidden)
        notices.append(
            f"The script is bound by a person's choices ({forced} forced, {forbidden} forbidden): without them "
            "the distance may be smaller."
        )
    return [*notices, *comparison.notices]


def _rows(comparison: Comparison) -> list[Row]:
    ops = comparison.script.ops
    at = (
        {op.source: op for op in ops if op.source is not None},
        {op.target: op for op in ops if op.target is not None},
    )
    texts = _texts(comparison)
    rows = []
    for pair in aligned_rows(comparison, display_order(comparison)):
        together = None not in pair
        cells = [
            None if node is None else _cell(side, node, comparison, at[side][node], texts, together=together)
            for side, node in enumerate(pair)
        ]
        op = at[0][pair[0]] if pair[0] is not None else at[1][pair[1] or 0]
        rows.append(Row(cells[0], cells[1], op))
    return rows


def _texts(comparison: Comparison) -> tuple[Texts, Texts]:
    """The nodes' texts in pieces; of replaced pairs, with the words that differ."""
    left, right = comparison.left.tree, comparison.right.tree
    texts: list[Texts] = [
        {node: (Part(printable(label), changed=False),) for node, label in enumerate(tree.labels)}
        for tree in (left, right)
    ]
    for op in comparison.script.ops:
        if op.op == "replace" and op.source is not None and op.target is not None:
            parts = word_diff(printable(left.labels[op.source]), printable(right.labels[op.target]))
            if any(
                not part.changed for side in parts for part in side
            ):  # else all is new: nothing to point at
                texts[0][op.source], texts[1][op.target] = parts
    return texts[0], texts[1]


def _cell(
    side: int,
    node: int,
    comparison: Comparison,
    op: EditOp,
    texts: tuple[Texts, Texts],
    *,
    together: bool,
) -> Cell:
    tree = (comparison.left.tree, comparison.right.tree)[side]
    partner = None if together else (op.target, op.source)[side]
    return Cell(node, tree.depths[node], texts[side][node], op, partner)
