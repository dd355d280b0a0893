"""The pairs that are judged: the mapping that a task fixes, its nodes, and what others said of them."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
import streamlit as st

from tted_core import Comparison, MindMap, TextTree
from tted_core.annotate.reviews import (
    REVIEWER,
    UNDECIDED,
    Judgement,
    Outcome,
    Subject,
    Task,
    is_blind,
    ops_in_order,
    outcomes,
)
from tted_core.annotate.studies import setting_of
from tted_core.method import Method
from tted_core.script import EditOp
from ui.comparisons import compared
from ui.exports import table_exports
from ui.options import offered_method
from ui.palette import OP_STYLES
from ui.text import html_escaped, label_html, markdown_escaped, plural, shortened


def comparison_of(task: Task, options: Method) -> Comparison:
    """The comparison of a task's maps by the options that it fixes or, where it fixes none, by the sidebar's.

    Raises:
        TTEDError: it was made with a model that this page doesn't offer, or can't be made.
    """
    chosen = offered_method(task.fixed.method) if task.fixed else options
    return compared(MindMap(task.left, "tree"), MindMap(task.right, "tree"), chosen)


def ops_of(task: Task, options: Method) -> tuple[EditOp, ...]:
    """What there is to judge; above it stands by which setting that was computed."""
    if task.fixed:
        setting = markdown_escaped(setting_of(task.fixed.signature))
        st.caption(f"🔒 Fixed for everybody, whatever the sidebar says: {setting}")
        return task.fixed.ops
    comparison = comparison_of(task, options)
    setting = markdown_escaped(setting_of(comparison.signature))
    st.caption(
        f"⚠️ This mapping was begun before mappings were fixed: it is computed as the sidebar says now, {setting}"
    )
    return tuple(ops_in_order(comparison))


GLYPHS = {"accept": "✓", "reject": "✗", "re-pair": "⇄", UNDECIDED: "·"}
PATH_STEPS = 4
LABEL = 1500


def mine(judgements: Iterable[Judgement], person: str) -> dict[Subject, Judgement]:
    """One reviewer's judgements by pair."""
    return {each.pair: each for each in judgements if each.role == REVIEWER and each.person == person}


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
    style = OP_STYLES[op.op]
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


def said_of_mine(
    task: Task,
    ops: Sequence[EditOp],
    judged: Mapping[Subject, Judgement],
    judgements: Iterable[Judgement],
) -> None:
    """Draw how one's judgements compare with the others' and with the rulings, those first that differ."""
    pairs = [(op.source, op.target) for op in ops]
    if is_blind(pairs, judged.values()):
        st.caption("What others say is shown here once you have judged all pairs.")
        return
    found = {each.pair: each for each in outcomes(judgements)}
    decided = [pair for pair, each in judged.items() if each.decision != UNDECIDED]
    rows = [
        _row(task, found[pair], judged[pair])
        for pair in (*pairs, (None, None))
        if pair in found and pair in decided
    ]
    differing = sum(bool(row["Differs"]) for row in rows)
    with st.expander(
        f"Your judgements beside the others': {plural(differing, 'ruling')} otherwise", key="review-others"
    ):
        if not rows:
            st.caption("Nobody else has judged this mapping yet.")
            return
        table = pd.DataFrame(rows).sort_values("Differs", ascending=False, kind="stable")
        st.dataframe(
            table,
            hide_index=True,
            column_config={
                "Differs": st.column_config.CheckboxColumn(help="The ruling is another than your judgement.")
            },
        )
        table_exports(table, "tted-others")


def _row(task: Task, outcome: Outcome, own: Judgement) -> dict[str, object]:
    source, target = outcome.pair
    ruling = outcome.ruling
    others = [vote for vote in outcome.votes if vote.person != own.person]
    return {
        "Left node": "" if source is None else task.left.labels[source],
        "Right node": "" if target is None else task.right.labels[target],
        "You": said(own, task.left, task.right),
        "Others": "; ".join(f"{vote.person}: {said(vote, task.left, task.right)}" for vote in others),
        "Ruling": said(ruling, task.left, task.right) if ruling else "",
        "Why": ruling.comment if ruling else "",
        "Differs": ruling is not None and ruling.content[:2] != own.content[:2],
    }
