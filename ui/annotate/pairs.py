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
    ReviewStore,
    Subject,
    Task,
    ops_in_order,
    outcomes,
)
from tted_core.annotate.studies import Studies
from tted_core.formats.forest import joined_roots
from tted_core.method import DEFAULT_PRESET, Method
from ui.annotate.unsaved import recalled
from ui.comparisons import compared
from ui.exports import data_table
from ui.options import offered_method
from ui.text import html_escaped, label_html, plural, shortened


def comparison_of(task: Task) -> Comparison:
    """The comparison of a task's maps by the options that it fixes or, where it fixes none, by the default ones.

    Raises:
        TTEDError: it was made with a model that this page doesn't offer, or can't be made.
    """
    chosen = offered_method(task.fixed.method if task.fixed else Method.of(DEFAULT_PRESET))
    return compared(MindMap(task.left, "tree"), MindMap(task.right, "tree"), chosen)


def pairs_of(task: Task) -> tuple[Subject, ...]:
    """The pairs of a task's mapping that are judged, in their order."""
    if not task.fixed:
        st.caption(
            ":material/warning: This mapping was begun before mappings were fixed: it is computed by the default "
            "setting."
        )
    ops = task.fixed.ops if task.fixed else ops_in_order(comparison_of(task))
    return tuple((op.source, op.target) for op in ops)


SAME = "Do these two say the same thing?"
ALONE = "Is it right that nothing on the other side matches?"
WHOLE = "Is this mapping good as a whole?"

GUIDELINES = f"""- *{SAME}* **Yes** if a reader learns the same from both, in whatever words. **No** if one says \
more, less or something else that matters.
- *{ALONE}* **Yes** if no sentence of the other map says it. **No** if one does.
- If you see the right partner, choose it under **Re-pair**.
- **Not sure** is an answer too: the pair stays open, and you come back to it."""
"""What a study without guidelines of its own goes by."""

ANSWERS = {"accept": "✓ yes", "reject": "✗ no", "re-pair": "⇄ re-pair", UNDECIDED: "· not sure"}
"""Decisions as answers to the question that a pair asks."""

PATH_STEPS = 4
LABEL = 1500


def mine(judgements: Iterable[Judgement], person: str) -> dict[Subject, Judgement]:
    """One reviewer's judgements by pair."""
    return {each.pair: each for each in judgements if each.role == REVIEWER and each.person == person}


def next_open(pairs: Sequence[Subject], judged: dict[Subject, Judgement], start: int = 0) -> int | None:
    """The first pair from ``start`` on, and around, that is not decided; None if all are."""
    for step in range(len(pairs)):
        number = (start + step) % len(pairs)
        judgement = judged.get(pairs[number])
        if judgement is None or judgement.decision == UNDECIDED:
            return number
    return None


def question(pair: Subject) -> str:
    """What a reviewer is asked of a pair."""
    if pair == (None, None):
        return WHOLE
    return ALONE if None in pair else SAME


def said(judgement: Judgement, left: TextTree, right: TextTree) -> str:
    """A judgement in words, for a table or a button."""
    text = ANSWERS.get(judgement.decision, judgement.decision)
    if judgement.partner is None:
        return text
    tree = left if judgement.source is None else right
    return f"{text}: {tree.labels[judgement.partner]}"


def node_texts(pair: Subject, left: TextTree, right: TextTree) -> dict[str, str]:
    """A pair's texts, as columns of a table."""
    source, target = pair
    return {
        "Left node": "" if source is None else left.labels[source],
        "Right node": "" if target is None else right.labels[target],
    }


def pair_html(pair: Subject, left: TextTree, right: TextTree) -> str:
    """The two nodes side by side (one above the other on a phone), each below its path."""
    source, target = pair
    gap = '<i style="opacity:.75">no partner</i>'
    sides = "".join(
        f'<div style="flex:1 1 300px;min-width:0;border:1px solid #7a8494;border-left-width:6px;'
        f'border-radius:6px;padding:.6rem .9rem;overflow-wrap:anywhere">'
        f'<div style="font-size:.85rem;opacity:.8">{word}</div>'
        f"{gap if node is None else _node(tree, node)}</div>"
        for word, tree, node in (("Left map", left, source), ("Right map", right, target))
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:.8rem">{sides}</div>'


def _node(tree: TextTree, node: int) -> str:
    path: list[str] = []
    above, top = tree.parents[node], 0 if joined_roots(tree) else -1
    while above > top:
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
    pairs: Sequence[Subject],
    judged: Mapping[Subject, Judgement],
    judgements: Iterable[Judgement],
) -> None:
    """Draw how one's judgements compare with the others' and with the rulings, those first that differ."""
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
        data_table(
            pd.DataFrame(rows).sort_values("Differs", ascending=False, kind="stable"),
            "tted-others",
            column_config={
                "Differs": st.column_config.CheckboxColumn(help="The ruling is another than your judgement.")
            },
        )


def _row(task: Task, outcome: Outcome, own: Judgement) -> dict[str, object]:
    ruling = outcome.ruling
    others = [vote for vote in outcome.votes if vote.person != own.person]
    return {
        **node_texts(outcome.pair, task.left, task.right),
        "You": said(own, task.left, task.right),
        "Others": "; ".join(f"{vote.person}: {said(vote, task.left, task.right)}" for vote in others),
        "Ruling": said(ruling, task.left, task.right) if ruling else "",
        "Why": ruling.comment if ruling else "",
        "Differs": ruling is not None and ruling.content[:2] != own.content[:2],
    }


def overruled(reviews: ReviewStore, person: str) -> None:
    """Draw where a lead has decided otherwise, of all that somebody has finished."""
    found = recalled(("overruled", person), lambda: Studies(reviews.engine).overruled(person))
    if not found:
        return
    tasks = {
        number: recalled(("task", number), lambda: reviews.task(number))  # noqa: B023 - called at once
        for number in dict.fromkeys(each.task for each in found)
    }
    rows = [
        {
            "Mapping": task.document,
            **node_texts(each.vote.pair, task.left, task.right),
            "You": said(each.vote, task.left, task.right),
            "Ruling": said(each.ruling, task.left, task.right),
            "By": each.ruling.person,
            "Why": each.ruling.comment,
        }
        for each in found
        for task in [tasks[each.task]]
    ]
    with st.expander(f"Overruled: {plural(len(found), 'judgement')} of yours", key="review-overruled"):
        data_table(pd.DataFrame(rows), "tted-overruled")
