"""A comparison as one HTML file that needs nothing besides: no network, no script, no other file.

Every text of a user goes through Jinja's escaping; should one ever slip through, the page's own content security
policy still forbids all scripts and requests.

The mapping is a table in pieces: the rows where something changed, and the unchanged stretches between them.
"""

import base64
import functools
import re
from dataclasses import dataclass
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BaselineScore
from tted_core.comparison import Comparison
from tted_core.explain.pieces import Piece, pieces_of
from tted_core.explain.receipt import receipt
from tted_core.explanation import Change, Explanation, Node, Row
from tted_core.foundations.printable import printable, shortened
from tted_core.matching.records import QUIET
from tted_core.report.palette import OP_STYLES, STYLES, SURFACE
from tted_core.report.words import change_in_words, how_sure, what_happened
from tted_core.version import VERSION

if TYPE_CHECKING:
    import jinja2


MANY = 60
"""Nodes of a map from which on unchanged stretches are folded."""


@dataclass(frozen=True)
class Block:
    """Rows that follow each other; ``unchanged`` counts them if they can be folded, and is 0 otherwise."""

    rows: tuple[Row, ...]
    unchanged: int


def mapping_blocks(explanation: Explanation) -> list[Block]:
    """The rows of both maps; from ``MANY`` nodes on, unchanged ones above nothing that changed can be folded."""
    if max(map(len, explanation.nodes)) < MANY:
        return [Block(tuple(explanation.rows), 0)]
    kept = {of[0].sentence for of in explanation.nodes}
    met: set[Node] = set()
    for node in (node for of in explanation.nodes for node in of if node.status not in QUIET):
        above: Node | None = node
        while above and above not in met:
            met.add(above)
            kept.add(above.sentence)
            above = above.parent
    blocks = []
    for keep, block in groupby(explanation.rows, lambda row: row.sentence in kept):
        found = tuple(block)
        blocks.append(Block(found, 0 if keep else len({row.sentence for row in found})))
    return blocks


def _pieces(node: Node) -> list[Piece]:
    """A node's text in pieces; one whose every word changed has nothing to point at, and is in one piece."""
    pieces = pieces_of(node)
    is_new = all(piece.changed and not piece.flagged for piece in pieces)
    return [Piece(node.label)] if is_new else pieces


BRANCH_CHARACTERS = 70
"""Of a branch's topmost text in the contents."""


def html_report(explanation: Explanation, replay: str | None = None) -> str:
    """The report: the answer, what changed, both maps, the receipt, options and signature.

    Args:
        explanation: of the comparison to report.
        replay: the comparison's replay file, to be offered for download inside the report.
    """
    comparison = explanation.comparison
    names = [
        printable(side.name or word)
        for side, word in ((comparison.left, "Left map"), (comparison.right, "Right map"))
    ]
    packed = None if replay is None else base64.b64encode(replay.encode()).decode("ascii")
    return _template().render(
        explanation=explanation,
        comparison=comparison,
        names=names,
        sentences=[what_happened(explanation), how_sure(comparison)],
        scores=_scores(comparison),
        blocks=mapping_blocks(explanation),
        changes=listed_changes(explanation),
        branches=_branches(explanation),
        receipt=receipt(comparison),
        styles=STYLES,
        surface=SURFACE,
        op_styles=OP_STYLES,
        counts=explanation.matching.counts,
        replay_name=f"{file_stem(comparison)}.replay.json",
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
    environment.filters |= {"printable": printable, "pieces": _pieces}
    return environment.get_template("report.html")


def _scores(comparison: Comparison) -> list[tuple[str, str]]:
    scores = [
        ("TTED", f"{comparison.tted:.4f}"),
        *((each.title, f"{comparison.normalised[name]:.4f}") for name, each in NORMALISATIONS.items()),
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


def listed_changes(explanation: Explanation) -> list[tuple[Change, str]]:
    """The changes, most costly first: each with its words and flags."""
    return [
        (change, " ".join([change_in_words(change), *(f"! {flag.words}" for flag in change.flags)]))
        for change in explanation.changes
    ]


def _branches(explanation: Explanation) -> list[tuple[str, str, int]]:
    """The branches below the roots that changes are in: (the position of its topmost node, its text, how many)."""
    found = []
    for side, of in enumerate(explanation.nodes):
        for node in of[0].children:
            within = {below.sentence.change for below in node.branch} - {None}
            if within and (side == 0 or node.status == "extra"):
                text = shortened(printable(node.label), BRANCH_CHARACTERS)
                found.append((f"{'lr'[side]}{node.index}", text, len(within)))
    return found


CHARACTERS = 40
"""Of each map's name."""


def file_stem(comparison: Comparison) -> str:
    """A name after both maps, without an ending, that every system takes: "coral-reefs-base--coral-reefs-demo".

    Letters and digits of all scripts stay; a map without a name is called by its side.
    """
    sides = ((comparison.left.name, "left"), (comparison.right.name, "right"))
    return "--".join(_clean(name or "") or side for name, side in sides)


def _clean(name: str) -> str:
    stem = re.sub(r"\.[A-Za-z]{1,9}$", "", name)
    return re.sub(r"[\W_]+", "-", stem).strip("-")[:CHARACTERS].strip("-")
