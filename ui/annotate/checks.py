"""Check one map, or all maps of a folder or archive: findings by check, each with links into the map."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, TypeAlias

import pandas as pd
import streamlit as st

from tted_core import MindMap, TextTree, TTEDError, parse_map
from tted_core.annotate.agreement import is_collection, unpacked_collection
from tted_core.annotate.checks import BY_DEFAULT, CHECKS, Finding, Thresholds, check_map
from tted_core.annotate.decisions import Mark, mark, marks
from tted_core.errors import Interrupted
from tted_core.foundations.limits import MAX_MAPS, MAX_UNPACKED_BYTES, check_limit
from tted_core.foundations.monitor import Monitor
from ui import models, samples
from ui.annotate.outline import LABEL, outline_html
from ui.errors import show_error, show_errors
from ui.exports import table_exports
from ui.inputs import map_input
from ui.model_choice import encoder_field
from ui.running import watched
from ui.sides import Side, bring_own
from ui.text import html_escaped, label_html, markdown_escaped, plural

Files: TypeAlias = tuple[tuple[str, bytes], ...]
CheckedMap: TypeAlias = tuple[TextTree, tuple[Finding, ...]]

ENCODER = encoder_field("check-encoder")
MAP = Side("check", "Map", samples.OPENING_PAIR[1])
MANY = "A folder or zip of maps"

SHOWN = 25
"""Findings of one check on the page; the table for download has all of them."""

ABOVE = 40
"""Characters of each of a node's ancestors in its path."""


@dataclass(frozen=True)
class CheckOptions:
    """Which checks to run, and how."""

    encoder: str
    thresholds: Thresholds
    checks: tuple[str, ...]

    def findings(self, mind_map: MindMap, monitor: Monitor) -> tuple[Finding, ...]:
        """Run the checks on a map."""
        return check_map(
            mind_map.tree,
            notices=mind_map.notices,
            encoder=models.encoder(self.encoder),
            thresholds=self.thresholds,
            checks=self.checks,
            monitor=monitor,
        )


def check_a_map(_sidebar: object) -> None:
    """Draw the choice of a map or of many, the options, and the findings."""
    how = st.segmented_control(
        "What to check",
        ("One map", MANY),
        default="One map",
        required=True,
        key="check-what",
        label_visibility="collapsed",
        persist_state="session",
    )
    is_sample = how != MANY and bring_own(MAP)
    chosen = _many_maps() if how == MANY else map_input(MAP)
    options = _options()
    if not chosen:
        st.info("The findings appear here once there is a map: pick a sample, paste a text or upload a file.")
    elif isinstance(chosen, MindMap):
        findings = watched(
            "check-one",
            (chosen, options),
            partial(options.findings, chosen),
            stop_help="Ends without a result.",
            shared=True,
        )
        _draw_findings(chosen.tree, findings, len(options.checks), is_sample=is_sample)
    elif picked := _picked_map(chosen, options):
        _draw_findings(*picked, len(options.checks))


def _many_maps() -> Files:
    """Draw the upload of files; return the name and content of each, those of archives one by one."""
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


def _options() -> CheckOptions:
    """Draw the choice of checks and their thresholds."""
    with st.expander("Checks and thresholds", key="check-thresholds"):
        chosen = st.pills(
            "Checks",
            list(CHECKS),
            selection_mode="multi",
            default=BY_DEFAULT,
            format_func=lambda name: CHECKS[name].title,
            key="check-names",
        )
        encoder = ENCODER.draw()
        st.caption(
            "When something is worth a finding. Distances are cosine distances of two sentences: 0 for equal "
            "ones, about 1 for unrelated ones. The defaults were measured with MiniLM on the sample maps; other "
            "encoders need their own."
        )
        values: dict[str, Any] = {}
        with st.container(horizontal=True):
            for each in fields(Thresholds):
                default: Any = each.default
                step: Any = 0.01 if isinstance(default, float) else 1
                values[each.name] = st.number_input(
                    each.metadata["label"],
                    min_value=each.metadata["least"],
                    max_value=each.metadata["most"],
                    value=default,
                    step=step,
                    key=f"check-{each.name}",
                    width=240,
                )
        return CheckOptions(encoder, Thresholds(**values), tuple(name for name in CHECKS if name in chosen))


def _picked_map(files: Files, options: CheckOptions) -> CheckedMap | None:
    """Draw the number of findings in each map; return the map selected there, by default the first."""
    checked = watched(
        "check-many",
        (files, options),
        partial(_checked, files, options),
        stop_help="Ends without a result.",
        long=True,
    )
    table = _table_of_maps(checked, options.checks)
    chosen = st.dataframe(
        table,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row-required",
        key="check-many-table",
    )
    table_exports(table, "tted-findings-of-maps")
    name = str(table["map"][chosen.selection.rows[0] if chosen.selection.rows else 0])
    st.subheader(markdown_escaped(name), anchor=False)
    match checked[name]:
        case str(error):
            st.error(f"It can't be checked: {markdown_escaped(error)}")
            return None
        case found:
            return found


def _checked(files: Files, options: CheckOptions, monitor: Monitor) -> dict[str, CheckedMap | str]:
    """Return each map with its findings, or the error that prevents it from being checked."""
    checked: dict[str, CheckedMap | str] = {}
    for number, (name, content) in enumerate(files):
        monitor.check()
        monitor.stage(f"Checking {name}", number / len(files))
        try:
            mind_map = parse_map(content, name=name.rpartition("/")[2])
            checked[name] = mind_map.tree, options.findings(mind_map, monitor.part(number, len(files)))
        except Interrupted:
            raise
        except TTEDError as error:
            checked[name] = str(error)
    return checked


def _table_of_maps(checked: dict[str, CheckedMap | str], checks: Sequence[str]) -> pd.DataFrame:
    """One row a map: maps that can't be checked first, then those with most findings."""
    rows: list[dict[str, object]] = []
    columns = ["map", "error", "nodes", "findings", *(CHECKS[check].title for check in checks)]
    for name, one in checked.items():
        if isinstance(one, str):
            rows.append({"map": name, "error": one})
            continue
        tree, findings = one
        by_check = {CHECKS[check].title: sum(each.check == check for each in findings) for check in checks}
        rows.append({"map": name, "nodes": len(tree), "findings": len(findings), **by_check})
    table = pd.DataFrame(rows, columns=columns).sort_values(
        "findings", ascending=False, na_position="first", ignore_index=True
    )
    return table.dropna(axis="columns", how="all")


def _draw_findings(
    tree: TextTree, findings: Sequence[Finding], checks: int, *, is_sample: bool = False
) -> None:
    """Draw the findings of this number of checks beside the map; dismissed ones are folded away."""
    keys: frozenset[str] = frozenset()
    try:
        keys = frozenset(marks(tree.digest))
    except TTEDError as error:
        show_error(error)
    shown = [each for each in findings if each.key not in keys]
    _headline(tree, shown, checks, is_sample=is_sample)
    if hidden := [each for each in findings if each.key in keys]:
        with st.popover(f"{len(hidden)} dismissed"):
            st.html("".join(map(_item, hidden[:SHOWN])))
            st.button("Show them again", on_click=_restore, args=(tree.digest, {each.key for each in hidden}))
    if not shown:
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        for name in CHECKS:
            if mine := [each for each in shown if each.check == name]:
                _draw_check(name, mine)
        table_exports(_table(shown), "tted-findings")
    with right.container(height=640, key="check-map"):
        st.html(outline_html(tree, {node for each in shown for node in each.nodes}))


def _headline(tree: TextTree, shown: Sequence[Finding], checks: int, *, is_sample: bool) -> None:
    nodes = plural(len(tree), "node")
    nothing = f"{plural(checks, 'check')} looked at {nodes}."
    if is_sample:
        st.caption("This is a sample. Paste or upload a map of your own to check it.")
    if shown:
        kinds = plural(len({each.check for each in shown}), "kind")
        st.markdown(
            f"**{plural(len(shown), 'finding')}** of {kinds} in {nodes}. A finding is a hint to look again, not a "
            "fault; its nodes are links into the map."
        )
    elif is_sample:
        st.markdown(f"Nothing found in the sample: {nothing}")
    else:
        st.success(f"Nothing found: {nothing}", icon=":material/check_circle:")


def _draw_check(name: str, findings: Sequence[Finding]) -> None:
    check = CHECKS[name]
    with st.expander(f"**{check.title}** · {len(findings)}", expanded=True, key=f"check-found-{name}"):
        st.caption(check.advice)
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


def _dismiss(finding: Finding) -> None:
    with show_errors():
        mark(finding.tree.digest, {finding.key: Mark("dismissed")})


def _restore(digest: str, keys: set[str]) -> None:
    with show_errors():
        mark(digest, dict.fromkeys(keys))


def _item(finding: Finding) -> str:
    """The HTML of a finding: its sentence, and the paths of its nodes as links into the outline."""
    nodes = "".join(
        f'<li style="margin:.15rem 0"><a href="#tted-node-{node}" style="color:inherit">{_path(path)}</a></li>'
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
