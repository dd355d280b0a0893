"""The worklist of findings: a row each with its status, the one on screen in its outline, and files of all."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import NamedTuple

import pandas as pd
import streamlit as st

from tted_core import MindMap, TTEDError
from tted_core.annotate.checks import CHECKS, Finding
from tted_core.annotate.decisions import Mark, marks
from ui.annotate.marking import set_marks, take_back
from ui.annotate.outline import LABEL, outline_html, scroll_to
from ui.errors import show_error
from ui.exports import table_exports
from ui.text import html_escaped, in_page_words, label_html, markdown_escaped, plural

STATUSES = {
    "open": ("Reopen", "0"),
    "confirmed": ("Confirm", "1"),
    "dismissed": ("Dismiss", "2"),
    "fixed": ("Fixed", "3"),
}
"""Status -> the button that gives it, and its key."""

HISTORY = "worklist-history"

SHOWN = 25
"""Nodes of one finding that are listed."""

ABOVE = 40
"""Characters of each of a node's ancestors in its path."""


PASTED = "pasted text"
"""The name of a map that comes from no file."""


class Row(NamedTuple):
    """A finding with the name of its map and its status."""

    map: str
    finding: Finding
    status: str

    @property
    def name(self) -> tuple[str, str]:
        """What its status is kept by; equal nodes in one place share it."""
        return self.finding.tree.digest, self.finding.key


def draw_worklist(found: Sequence[tuple[MindMap, Sequence[Finding]]], checks: int) -> None:
    """Draw the findings of these maps by so many checks: the list, the finding on screen, and the files."""
    rows = _rows(found)
    nodes = sum(len(each.tree) for each, _ in found)
    looked_at = f"{plural(nodes, 'node')} in {plural(len(found), 'map')}"
    if not rows:
        if found:
            st.success(
                f"Nothing found: {plural(checks, 'check')} looked at {looked_at}.",
                icon=":material/check_circle:",
            )
        return
    count = Counter(each.status for each in rows)
    counts = " · ".join(f"**{count[status]} {status}**" for status in STATUSES if count[status])
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{plural(len(rows), 'finding')} in {looked_at}: {counts}",
            help="A finding is a hint to look again, not a fault. The surest checks come first, and of each its "
            "clearest finding in each map.",
        )
        chosen = st.pills(
            "Show",
            list(STATUSES),
            selection_mode="multi",
            default="open",
            key="worklist-show",
            label_visibility="collapsed",
            persist_state="session",
        )
    shown = [number for number, each in enumerate(rows) if each.status in chosen]
    at = f"worklist-at-{sha256(repr([each.name for each in rows]).encode()).hexdigest()[:16]}"
    if shown:
        later = (number for number in shown if number >= st.session_state.get(at, 0))
        st.session_state[at] = next(later, shown[-1])
        _draw_list(rows, shown, at)
        left, right = st.columns([3, 2], gap="medium")
        with left:
            _draw_finding(rows, shown, at)
        finding = rows[st.session_state[at]].finding
        with right.container(height=420, key="check-map"):
            st.html(outline_html(finding.tree, finding.nodes))
            st.html(scroll_to(finding.tree, finding.nodes[-1]), unsafe_allow_javascript=True)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.success("Nothing is left in this list.", icon=":material/check_circle:")
            _draw_undo(rows, at)
    table_exports(table_of(rows), "tted-findings")
    st.caption(f"The files hold all {plural(len(rows), 'finding')} with their statuses.")


def _rows(found: Sequence[tuple[MindMap, Sequence[Finding]]]) -> list[Row]:
    """The findings, the surest checks first, and of each the clearest finding in each map, then the next ones."""
    ranked: list[tuple[int, int, int, Row]] = []
    order = list(CHECKS)
    for number, (mind_map, findings) in enumerate(found):
        kept: dict[str, Mark] = {}
        try:
            kept = marks(mind_map.tree.digest)
        except TTEDError as error:
            show_error(error)
        rank: Counter[str] = Counter()
        for each in findings:
            rank[each.check] += 1
            status = kept[each.key].value if each.key in kept else "open"
            row = Row(mind_map.name or PASTED, each, status)
            ranked.append((order.index(each.check), rank[each.check], number, row))
    return [each[-1] for each in sorted(ranked, key=lambda each: each[:3])]


def _draw_list(rows: Sequence[Row], shown: Sequence[int], at: str) -> None:
    now = st.session_state[at]
    # Another widget after each step: its selection can't be set otherwise.
    key = f"worklist-{hash((at, tuple(shown), st.session_state.get('worklist-step', 0)))}"
    st.dataframe(
        table_of([rows[number] for number in shown])[["map", "node", "finding", "why", "status"]],
        hide_index=True,
        height=min(250, 38 + 35 * len(shown)),
        key=key,
        on_select=partial(_pick, key, shown, at),
        selection_mode="single-row-required",
        selection_default={"selection": {"rows": [shown.index(now)]}},
        column_config={
            "map": st.column_config.TextColumn(width="small"),
            "node": st.column_config.TextColumn(width="medium"),
            "status": st.column_config.TextColumn(width="small"),
        },
    )


def _pick(key: str, shown: Sequence[int], at: str) -> None:
    if picked := st.session_state[key]["selection"]["rows"]:
        st.session_state[at] = shown[picked[0]]


def _draw_finding(rows: Sequence[Row], shown: Sequence[int], at: str) -> None:
    """Draw the finding on screen and the buttons that give it a status."""
    now = st.session_state[at]
    row = rows[now]
    check, place = CHECKS[row.finding.check], shown.index(now)
    with st.container(border=True):
        st.markdown(
            f"**{check.title}** · {markdown_escaped(row.map)} · {row.status} · {place + 1} of {len(shown)}"
        )
        st.caption(check.advice)
        st.html(_item(row.finding))
        others = [number for number in shown if rows[number].name != row.name]
        following = next((number for number in others if number > now), (others or [now])[-1])
        with st.container(horizontal=True, gap="small"):
            for status, (label, key) in STATUSES.items():
                if status != row.status:
                    st.button(
                        label,
                        shortcut=key,
                        key=f"worklist-{status}",
                        on_click=_give,
                        args=(row, status, at, following),
                    )
            _draw_undo(rows, at)
            for label, key, step in (("Previous", "k", -1), ("Next", "j", 1)):
                goal = shown[(place + step) % len(shown)]
                st.button(label, shortcut=key, type="tertiary", on_click=_go, args=(at, goal))


def _draw_undo(rows: Sequence[Row], at: str) -> None:
    st.button(
        "Undo",
        shortcut="u",
        disabled=not st.session_state.get(HISTORY),
        key="worklist-undo",
        on_click=_undo,
        args=(rows, at),
    )


def _give(row: Row, status: str, at: str, following: int) -> None:
    digest, key = row.name
    set_marks(HISTORY, digest, {key: None if status == "open" else Mark(status)})
    _go(at, following)


def _undo(rows: Sequence[Row], at: str) -> None:
    before = take_back(HISTORY)
    now = st.session_state.get(at, 0)
    _go(at, next((number for number, each in enumerate(rows) if each.finding.key in before), now))


def _go(at: str, number: int) -> None:
    st.session_state[at] = number
    st.session_state["worklist-step"] = st.session_state.get("worklist-step", 0) + 1


def _item(finding: Finding) -> str:
    """The HTML of a finding: its sentence, and the paths of its nodes as links into the outline."""
    nodes = "".join(
        f'<li style="margin:.15rem 0"><a href="#tted-node-{node}" style="color:inherit">{_path(path)}</a></li>'
        for node, path in zip(finding.nodes[:SHOWN], finding.paths, strict=False)
    )
    more = len(finding.nodes) - SHOWN
    rest = f"<li>and {more:,} more</li>" if more > 0 else ""
    text = html_escaped(in_page_words(finding.text))
    return f'{text}<ul style="margin:.1rem 0 0;padding-left:1.1rem">{nodes}{rest}</ul>'


def _path(path: Sequence[str]) -> str:
    above = "".join(f"{label_html(text, ABOVE)} › " for text in path[1:-1])
    return f'<span style="opacity:.75">{above}</span>{label_html(path[-1], LABEL)}'


def table_of(rows: Sequence[Row]) -> pd.DataFrame:
    """One row a finding, as it is saved."""
    return pd.DataFrame(
        {
            "map": each.map,
            "node": each.finding.tree.labels[each.finding.nodes[-1]],
            "finding": CHECKS[each.finding.check].title,
            "why": in_page_words(each.finding.text),
            "status": each.status,
            "value": each.finding.value,
            "nodes": " ".join(map(str, each.finding.nodes)),
            "paths": " | ".join(" > ".join(path) for path in each.finding.paths),
        }
        for each in rows
    )
