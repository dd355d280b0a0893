"""Check maps: findings by kind, each with links into the map, and checks and thresholds to choose.

All maps of a folder or an archive can be checked: how many findings each has, and which one to look into.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, TypeAlias

import pandas as pd
import streamlit as st

from tted_core import MindMap, TextTree, TTEDError, parse_map
from tted_core.annotate.agreement import is_collection, unpacked_collection
from tted_core.annotate.checks import BY_DEFAULT, CHECKS, Finding, Thresholds, check_map
from tted_core.annotate.decisions import dismiss, dismissed, restore
from tted_core.errors import Interrupted
from tted_core.foundations.limits import MAX_MAPS, MAX_UNPACKED_BYTES, check_limit
from tted_core.foundations.monitor import Monitor
from ui import samples
from ui.errors import show_error, show_errors
from ui.exports import table_exports
from ui.inputs import map_input
from ui.options import encoder_field
from ui.processes import loading
from ui.running import watched
from ui.sides import Side, bring_own
from ui.text import html_escaped, label_html, plural

Files: TypeAlias = tuple[tuple[str, bytes], ...]
Checked: TypeAlias = dict[str, tuple[TextTree, tuple[Finding, ...]] | str]
"""Map -> the tree with its findings, or why it can't be checked."""


@dataclass(frozen=True)
class Asked:
    """What is looked for in each map."""

    encoder: str
    thresholds: Thresholds
    names: tuple[str, ...]

    def findings(self, mind_map: MindMap, monitor: Monitor) -> tuple[Finding, ...]:
        """What these checks find."""
        return check_map(
            mind_map.tree,
            joined=mind_map.joined > 0,
            encoder=loading.encoder(self.encoder),
            thresholds=self.thresholds,
            checks=self.names,
            monitor=monitor,
        )


def many_maps() -> Files:
    """Draw the place for files; each file's name and content, those of archives one by one."""
    given = st.file_uploader(
        "Maps, or a zip archive of them", accept_multiple_files=True, key="check-collection"
    )
    with show_errors():
        total = sum(file.size for file in given)
        check_limit(total, MAX_UNPACKED_BYTES, "bytes in the files", "give fewer of them")
        found: list[tuple[str, bytes]] = []
        for file in given:
            content = file.getvalue()
            found += unpacked_collection(content) if is_collection(content) else [(file.name, content)]
        check_limit(len(found), MAX_MAPS, "maps", "give fewer of them")
        return tuple(sorted(found))
    return ()


def picked_map(files: Files, asked: Asked) -> tuple[TextTree, tuple[Finding, ...]] | None:
    """Draw how many findings each map has; the map that is picked there, at first the one with most."""
    checked = watched(
        "check-many",
        (files, asked),
        partial(_checked, files, asked),
        stop_help="Ends without a result.",
        long=True,
    )
    table = _table_of_maps(checked, asked.names)
    chosen = st.dataframe(
        table,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row-required",
        key="check-many-table",
    )
    table_exports(table, "tted-findings-of-maps")
    row = chosen.selection.rows[0] if chosen.selection.rows else 0
    name = str(table["map"][row])
    one = checked[name]
    st.subheader(name, anchor=False)
    if isinstance(one, str):
        st.error(f"It can't be checked: {one}")
        return None
    return one


def _checked(files: Files, asked: Asked, monitor: Monitor) -> Checked:
    checked: Checked = {}
    for number, (name, content) in enumerate(files):
        monitor.check()
        monitor.stage(f"Looking at {name}", number / len(files))
        try:
            mind_map = parse_map(content, name=name.rpartition("/")[2])
            checked[name] = mind_map.tree, asked.findings(mind_map, monitor.part(number, len(files)))
        except Interrupted:
            raise
        except TTEDError as error:
            checked[name] = str(error)
    return checked


def _table_of_maps(checked: Checked, names: Sequence[str]) -> pd.DataFrame:
    """A row a map, those that can't be checked first and then those with most findings."""
    rows: list[dict[str, object]] = []
    columns = ["map", "error", "nodes", "findings", *(CHECKS[check].title for check in names)]
    for name, one in checked.items():
        if isinstance(one, str):
            rows.append({"map": name, "error": one})
            continue
        tree, findings = one
        by_check = {CHECKS[check].title: sum(each.check == check for each in findings) for check in names}
        rows.append({"map": name, "nodes": len(tree), "findings": len(findings), **by_check})
    table = pd.DataFrame(rows, columns=columns).sort_values(
        "findings", ascending=False, na_position="first", ignore_index=True
    )
    return table.dropna(axis="columns", how="all")


STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-check-map) { position: sticky; top: 4.5rem; }
.tted-outline div {
  padding: .1rem .4rem; border-left: 3px solid transparent; scroll-margin: 6rem; overflow-wrap: anywhere;
}
.tted-outline div.marked { border-color: #d97706; }
.tted-outline div:target { background: #d9770640; }
</style>"""


def anchor(node: int) -> str:
    """What a link to a node names."""
    return f"tted-node-{node}"


def outline(tree: TextTree, marked: Collection[int]) -> str:
    """The HTML of a map; some nodes are marked."""
    lines = "".join(
        f'<div id="{anchor(node)}"{" class=marked" if node in marked else ""} '
        f'style="margin-left:{1.1 * (depth - 1):g}rem">{label_html(label, LABEL)}</div>'
        for node, (label, depth) in enumerate(zip(tree.labels, tree.depths, strict=True))
    )
    # Reached by Tab, so that the keyboard scrolls what holds it.
    return f'{STYLE}<div class="tted-outline" tabindex="0" role="group" aria-label="The map">{lines}</div>'


ENCODER = encoder_field("check-encoder")
MAP = Side("check", "Map", samples.OPENING_PAIR[1])
MANY = "A folder or zip of maps"
KEPT = 4
"""Maps with their findings, per visitor: one looks at a map, changes a threshold, and goes back."""

SHOWN = 25
"""Findings of one check on screen; the table for download has them all."""

LABEL, ABOVE = 240, 40
"""Characters of a node's text, and of each of its ancestors' in its path."""


def check_a_map(_sidebar: object) -> None:
    """Draw what to check, by which checks, and the findings."""
    how = st.segmented_control(
        "What to check",
        ("One map", MANY),
        default="One map",
        required=True,
        key="check-what",
        label_visibility="collapsed",
        persist_state="session",
    )
    sample = how != MANY and bring_own(MAP)
    chosen = many_maps() if how == MANY else map_input(MAP)
    asked = _asked()
    if not chosen:
        st.info("The findings appear here once there is a map: pick a sample, paste a text or upload a file.")
    elif isinstance(chosen, MindMap):
        _draw_findings(chosen.tree, _found(chosen, asked), len(asked.names), sample=sample)
    elif picked := picked_map(chosen, asked):
        _draw_findings(*picked, len(asked.names))


def _draw_findings(tree: TextTree, findings: Sequence[Finding], looked: int, *, sample: bool = False) -> None:
    """Draw the findings of so many checks, but for those that were dismissed, beside the map that they lead to.

    ``sample`` says that it is none of the visitor's maps.
    """
    let_be = _dismissed(tree.digest)
    shown = [each for each in findings if each.key not in let_be]
    _tell(tree, shown, looked, sample=sample)
    _dismissed_ones(tree, [each for each in findings if each.key in let_be])
    if not shown:
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        for name in CHECKS:
            if mine := [each for each in shown if each.check == name]:
                _draw(name, mine)
        table_exports(_table(shown), "tted-findings")
    with right.container(height=640, key="check-map"):
        st.html(outline(tree, {node for each in shown for node in each.nodes}))


def _tell(tree: TextTree, shown: Sequence[Finding], looked: int, *, sample: bool) -> None:
    nodes = plural(len(tree), "node")
    if sample:
        st.caption("This is a sample. Paste or upload a map of your own to check it.")
    if not shown and sample:
        st.markdown(f"Nothing found in the sample: {plural(looked, 'check')} looked at {nodes}.")
        return
    if not shown:
        st.success(
            f"Nothing found: {plural(looked, 'check')} looked at {nodes}.", icon=":material/check_circle:"
        )
        return
    kinds = plural(len({each.check for each in shown}), "kind")
    st.markdown(
        f"**{plural(len(shown), 'finding')}** of {kinds} in {nodes}. A finding is a hint to look again, not a "
        "fault; its nodes are links into the map."
    )


def _found(mind_map: MindMap, asked: Asked) -> tuple[Finding, ...]:
    return watched(
        "check-one",
        (mind_map, asked),
        partial(asked.findings, mind_map),
        stop_help="Ends without a result.",
        kept=KEPT,
    )


def _asked() -> Asked:
    """Draw the choice of checks and their thresholds."""
    with st.expander("Checks and thresholds", key="check-thresholds"):
        chosen = st.pills(
            "Checks",
            list(CHECKS),
            selection_mode="multi",
            default=BY_DEFAULT,
            format_func=lambda name: CHECKS[name].title,
            key="check-names",
            help="Those that were hardly of use on real maps are off until you choose them.",
        )
        return Asked(ENCODER.draw(), _thresholds(), tuple(name for name in CHECKS if name in chosen))


def _thresholds() -> Thresholds:
    st.caption(
        "When something is worth a finding. Distances are cosine distances of two sentences: 0 for the same, "
        "about 1 for unrelated ones. The defaults were measured with MiniLM on the sample maps; other "
        "encoders need their own."
    )
    values: dict[str, Any] = {}
    with st.container(horizontal=True):
        for each in fields(Thresholds):
            limits = each.metadata
            default: Any = each.default
            step: Any = 0.01 if isinstance(default, float) else 1
            values[each.name] = st.number_input(
                limits["label"],
                min_value=limits["least"],
                max_value=limits["most"],
                value=default,
                step=step,
                key=f"check-{each.name}",
                width=240,
            )
    return Thresholds(**values)


def _draw(name: str, findings: Sequence[Finding]) -> None:
    check = CHECKS[name]
    of_use, judged = check.useful
    with st.expander(f"**{check.title}** · {len(findings)}", expanded=True, key=f"check-found-{name}"):
        rate = f" Of use in {of_use} of {judged} findings on real maps." if judged else ""
        st.caption(check.advice + rate)
        for number, each in enumerate(findings[:SHOWN]):
            with st.container(horizontal=True, vertical_alignment="top", gap="small"):
                st.html(_item(each))
                st.button(
                    "Dismiss",
                    key=f"check-dismiss-{each.key}-{number}",  # equal nodes in one place have one key
                    type="tertiary",
                    on_click=_dismiss,
                    args=(each,),
                    help="Don't show this finding again for this map.",
                )
        if len(findings) > SHOWN:
            st.caption(f"The first {SHOWN} are shown; the table below has all {len(findings):,}.")


def _item(finding: Finding) -> str:
    nodes = "".join(
        f'<li style="margin:.15rem 0"><a href="#{anchor(node)}" style="color:inherit">{_path(path)}</a></li>'
        for node, path in zip(finding.nodes[:SHOWN], finding.paths, strict=False)
    )
    more = len(finding.nodes) - SHOWN
    rest = f"<li>and {more:,} more</li>" if more > 0 else ""
    return f'{html_escaped(finding.text)}<ul style="margin:.1rem 0 0;padding-left:1.1rem">{nodes}{rest}</ul>'


def _path(path: Sequence[str]) -> str:
    above = "".join(f"{label_html(text, ABOVE)} › " for text in path[1:-1])
    return f'<span style="opacity:.75">{above}</span>{label_html(path[-1], LABEL)}'


def _table(findings: Sequence[Finding]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "check": each.check,
            "finding": each.text,
            "value": each.value,
            "nodes": " ".join(map(str, each.nodes)),
            "paths": " | ".join(" > ".join(path) for path in each.paths),
        }
        for each in findings
    )


def _dismissed(digest: str) -> frozenset[str]:
    try:
        return dismissed(digest)
    except TTEDError as error:
        show_error(error)
        return frozenset()


def _dismissed_ones(tree: TextTree, findings: Sequence[Finding]) -> None:
    if not findings:
        return
    with st.popover(f"{len(findings)} dismissed"):
        st.html("".join(_item(each) for each in findings[:SHOWN]))
        st.button(
            "Show them again", on_click=_restore, args=(tree.digest, frozenset(each.key for each in findings))
        )


def _dismiss(finding: Finding) -> None:
    with show_errors():
        dismiss(finding.tree.digest, finding.key)


def _restore(digest: str, keys: frozenset[str]) -> None:
    with show_errors():
        restore(digest, keys)
