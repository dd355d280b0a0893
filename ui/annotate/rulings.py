"""What others said of the pairs that an annotator has judged, once all of their own votes are in."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
import streamlit as st

from tted_core import EditOp
from tted_core.annotate.reviews import UNDECIDED, Judgement, Outcome, Subject, Task, is_blind, outcomes
from ui.annotate.pairs import said
from ui.exports import table_exports
from ui.text import plural


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
