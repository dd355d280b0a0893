"""What there is to judge: the operations of a script in reading order, and where one has got to."""

from collections.abc import Iterable, Sequence

from tted_core import EditOp, TextTree
from tted_core.annotate.reviews import ANNOTATOR, UNDECIDED, Judgement, Subject
from ui.palette import STYLES
from ui.text import html_escaped, label_html, shortened

GLYPHS = {"accept": "✓", "reject": "✗", "re-pair": "⇄", UNDECIDED: "·"}
PATH_STEPS = 4
LABEL = 1500


def mine(judgements: Iterable[Judgement], person: str) -> dict[Subject, Judgement]:
    """One annotator's judgements by pair."""
    return {each.pair: each for each in judgements if each.role == ANNOTATOR and each.person == person}


def next_open(ops: Sequence[EditOp], judged: dict[Subject, Judgement], start: int = 0) -> int | None:
    """The first pair from ``start`` on, and around, that is not decided; None if all are."""
    for step in range(len(ops)):
        number = (start + step) % len(ops)
        judgement = judged.get((ops[number].source, ops[number].target))
        if judgement is None or judgement.decision == UNDECIDED:
            return number
    return None


def said(judgement: Judgement, left: TextTree, right: TextTree) -> str:
    """A judgement in words, for a table or a button."""
    text = f"{GLYPHS.get(judgement.decision, '')} {judgement.decision}".strip()
    if judgement.partner is None:
        return text
    tree = left if judgement.source is None else right
    return f"{text}: {tree.labels[judgement.partner]}"


def pair_html(op: EditOp, left: TextTree, right: TextTree) -> str:
    """The two nodes side by side (one above the other on a phone), each below its path."""
    style = STYLES[op.op]
    gap = '<i style="opacity:.75">no partner</i>'
    sides = "".join(
        f'<div style="flex:1 1 300px;min-width:0;border:1px solid {style.light[1]};border-left-width:6px;'
        f'border-radius:6px;padding:.6rem .9rem;overflow-wrap:anywhere">'
        f'<div style="font-size:.85rem;opacity:.8">{word}</div>'
        f"{gap if node is None else _node(tree, node)}</div>"
        for word, tree, node in (("Left map", left, op.source), ("Right map", right, op.target))
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:.8rem">{sides}</div>'


def _node(tree: TextTree, node: int) -> str:
    path: list[str] = []
    above = tree.parents[node]
    while above >= 0:
        path.insert(0, shortened(tree.labels[above], 60))
        above = tree.parents[above]
    if len(path) > PATH_STEPS:
        path[1 : 1 - PATH_STEPS] = ["…"]
    trail = " › ".join(map(html_escaped, path))
    return (
        f'<div style="font-size:.8rem;opacity:.8">{trail or "root"}</div>'
        '<div style="font-size:1.15rem;line-height:1.4;padding-top:.2rem">'
        f"{label_html(tree.labels[node], LABEL)}</div>"
    )
