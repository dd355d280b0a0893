"""The worklist of findings: a row each with its status, the one on screen in its outline, and files of all."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

import pandas as pd
import streamlit as st

from tted_core import TextTree
from tted_core.annotate.checks import CHECKS, Finding
from tted_core.annotate.decisions import Mark
from ui.annotate.editing import (
    EditedMap,
    draw_editor,
    draw_neighbours,
    draw_undo,
    save_edited,
    set_marks,
    take_back,
)
from ui.map_source import PASTED
from ui.page import pick_row, table_exports
from ui.text import counted, html_escaped, in_page_words, label_html, markdown_escaped

# Status -> the button that gives it, and its key.
STATUS_BUTTONS = {
    "open": ("Reopen", "0"),
    "confirmed": ("Confirm", "1"),
    "dismissed": ("Dismiss", "2"),
    "fixed": ("Fixed", "3"),
}

# Session keys: the marks before each step, the number of the finding on screen, and from which one on the
# list shows its rows, with the number of steps.
MARKS_BEFORE, FINDING_AT, START = "worklist-history", "worklist-at", "worklist-start"

_LABEL = 240  # characters shown of a node's text

OUTLINE_STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-check-map) { position: sticky; top: 4.5rem; }
.tted-outline div {
  padding: .1rem .4rem; border-left: 3px solid transparent; scroll-margin: 6rem; overflow-wrap: anywhere;
}
.tted-outline div.marked { border-color: #d97706; }
.tted-outline div:target { background: #d9770640; }
</style>"""

MOST_NODES = 25  # nodes of one finding that are listed


# A map with its findings before and after its edits.
CheckedMap: TypeAlias = tuple[EditedMap, Sequence[Finding], Sequence[Finding]]


class WorklistRow(NamedTuple):
    """A finding with its map and status; ``key`` names it among those of the map, equal nodes share one."""

    record: EditedMap
    finding: Finding
    status: str
    key: str

    @property
    def map(self) -> str:
        """The name of the map."""
        return self.record.original.name or PASTED

    @property
    def name(self) -> tuple[str, str]:
        """The scope and key of the status among the marks."""
        return self.record.original.tree.digest, self.key

    @property
    def is_gone(self) -> bool:
        """True for a finding of the map before its edits."""
        return self.finding.tree != self.record.mind_map.tree


def draw_worklist(found: Sequence[CheckedMap], checks: int) -> None:
    """Draw the findings of these maps by so many checks: the list, the finding on screen, and the files."""
    rows = _rows(found)
    nodes = sum(len(record.mind_map.tree) for record, _, _ in found)
    looked_at = f"{counted(nodes, 'node')} in {counted(len(found), 'map')}"
    if not rows:
        st.success(
            f"Nothing found: {counted(checks, 'check')} looked at {looked_at}.",
            icon=":material/check_circle:",
        )
        return
    count = Counter(each.status for each in rows)
    counts = " · ".join(f"**{count[status]:,} {status}**" for status in STATUS_BUTTONS if count[status])
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{counted(len(rows), 'finding')} in {looked_at}: {counts}",
            help="A finding is a hint to look again, not a fault. The surest checks come first, and of each its "
            "clearest finding in each map. What a check no longer finds after an edit is fixed.",
        )
        chosen = st.pills(
            "Show",
            list(STATUS_BUTTONS),
            selection_mode="multi",
            default="open",
            key="worklist-show",
            label_visibility="collapsed",
            persist_state="session",
        )
    shown = [number for number, each in enumerate(rows) if each.status in chosen]
    if shown:
        at = st.session_state.get(FINDING_AT, 0)
        now = next((number for number in shown if number >= at), shown[-1])
        now = st.session_state[FINDING_AT] = _draw_list(rows, shown, now)
        left, right = st.columns([3, 2], gap="medium")
        with left.container(border=True):
            _draw_finding(rows, shown, now)
        finding = rows[now].finding
        with right.container(height=420, key="check-map"):
            st.html(outline_html(finding.tree, finding.nodes))
            st.html(scroll_to(finding.tree, finding.nodes[-1]), unsafe_allow_javascript=True)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.success("Nothing is left in this list.", icon=":material/check_circle:")
            draw_undo(MARKS_BEFORE, _undo, rows)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        table_exports(table_of(rows), "tted-findings")
        save_edited([record for record, _, _ in found])


def _rows(found: Sequence[CheckedMap]) -> list[WorklistRow]:
    """The findings, the surest checks first, and of each the clearest finding in each map, then the next ones."""
    order = list(CHECKS)
    ranked: list[tuple[tuple[int, int], WorklistRow]] = []
    for record, before, now in found:
        rows = []
        for each in now:
            key = record.key(each)
            rows.append(WorklistRow(record, each, record.statuses.get(key, Mark("open")).value, key))
        here = {row.key for row in rows}
        rows += [WorklistRow(record, each, "fixed", each.key) for each in before if each.key not in here]
        rank: Counter[str] = Counter()
        for row in rows:
            rank[row.finding.check] += 1
            ranked.append(((order.index(row.finding.check), rank[row.finding.check]), row))
    return [row for _, row in sorted(ranked, key=lambda each: each[0])]


def _draw_list(rows: Sequence[WorklistRow], shown: Sequence[int], now: int) -> int:
    """Draw the list from the row before the finding on screen, which may be another one now; return its number.

    The first ones follow the last.
    """
    start = st.session_state.get(START, (0, 0))
    first = max(sum(number < start[0] for number in shown) - 1, 0)
    listed = [*shown[first:], *shown[:first]]
    # Another widget after each step: its selection can't be set otherwise. A picked row stays where it is.
    key = f"worklist-{hash((tuple(rows[number].name for number in shown), start))}"
    at = pick_row(
        table_of([rows[number] for number in listed])[["map", "node", "finding", "why", "status"]],
        key,
        listed.index(now),
        height=min(215, 38 + 35 * len(shown)),
        column_config={
            "map": st.column_config.TextColumn(width=130),
            "node": st.column_config.TextColumn(width="medium"),
            "status": st.column_config.TextColumn(width="small"),
        },
    )
    return listed[at]


def _draw_finding(rows: Sequence[WorklistRow], shown: Sequence[int], now: int) -> None:
    """Draw the finding on screen, and the buttons that give it a status or edit its map."""
    row = rows[now]
    check, index = CHECKS[row.finding.check], shown.index(now)
    st.markdown(
        f"**{check.title}** · {markdown_escaped(row.map)} · {row.status} · {index + 1:,} of {len(shown):,}"
    )
    others = [number for number in shown if rows[number].name != row.name]
    following = next((number for number in others if number > now), (others or [now])[-1])
    with st.container(horizontal=True, gap="small"):
        for status, (label, key) in STATUS_BUTTONS.items():
            if status != row.status and not row.is_gone:
                st.button(
                    label,
                    shortcut=key,
                    key=f"worklist-{status}",
                    on_click=_give,
                    args=(row, status, following),
                )
        if not row.is_gone:
            draw_editor(row.record, row.finding, MARKS_BEFORE)
        draw_undo(MARKS_BEFORE, _undo, rows)
        draw_neighbours(_go, shown[index - 1], shown[(index + 1) % len(shown)])
    st.caption("Fixed by an edit; shown in the map as it came." if row.is_gone else check.advice)
    st.html(_item(row.finding))


def _give(row: WorklistRow, status: str, following: int) -> None:
    digest, key = row.name
    set_marks(MARKS_BEFORE, digest, {key: None if status == "open" else Mark(status)})
    _go(following)


def _undo(rows: Sequence[WorklistRow]) -> None:
    before = take_back(MARKS_BEFORE)
    number = next((number for number, each in enumerate(rows) if each.key in before), None)
    if number is not None:  # else it was an edit
        _go(number)


def _go(number: int) -> None:
    _, steps = st.session_state.get(START, (0, 0))
    st.session_state.update({FINDING_AT: number, START: (number, steps + 1)})


def _item(finding: Finding) -> str:
    """The HTML of a finding: its sentence, and its nodes as links into the outline."""
    lines = []
    for node in finding.nodes[:MOST_NODES]:
        text = label_html(finding.tree.labels[node], _LABEL)
        lines.append(f'<li><a href="#tted-node-{node}" style="color:inherit">{text}</a></li>')
    if len(finding.nodes) > MOST_NODES:
        lines.append(f"<li>and {len(finding.nodes) - MOST_NODES:,} more</li>")
    text = html_escaped(in_page_words(finding.text))
    return f'{text}<ul style="margin:.1rem 0 0;padding-left:1.1rem">{"".join(lines)}</ul>'


def table_of(rows: Sequence[WorklistRow]) -> pd.DataFrame:
    """One row a finding, as it is saved."""
    return pd.DataFrame(
        {
            "map": each.map,
            "node": each.finding.tree.labels[each.finding.nodes[-1]],
            "finding": CHECKS[each.finding.check].title,
            "why": in_page_words(each.finding.text),
            "status": each.status,
            "nodes": " ".join(map(str, each.finding.nodes)),
            "paths": " | ".join(" > ".join(path) for path in each.finding.paths),
        }
        for each in rows
    )


def outline_html(tree: TextTree, marked: Collection[int], name: str = "node") -> str:
    """The HTML of a map; ``name`` begins the nodes' anchors."""
    lines = "".join(
        f'<div id="tted-{name}-{node}"{" class=marked" if node in marked else ""} '
        f'style="margin-left:{1.1 * (depth - 1):g}rem">{label_html(label, _LABEL)}</div>'
        for node, (label, depth) in enumerate(zip(tree.labels, tree.depths, strict=True))
    )
    # The keyboard scrolls only what Tab reaches.
    return f'{OUTLINE_STYLE}<div class="tted-outline" tabindex="0" role="group" aria-label="The map">{lines}</div>'


def scroll_to(tree: TextTree, node: int) -> str:
    """The HTML that scrolls the box of a map's outline, not the page, to a node."""
    # Run once for each text of it, hence the map's digest.
    return f"""<script>/* {tree.digest} */ {{
const node = document.getElementById("tted-node-{node}");
let box = node?.parentElement;
while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
const top = each => each.getBoundingClientRect().top;
if (box) box.scrollTop += top(node) - top(box) - box.clientHeight / 3;
}}</script>"""
