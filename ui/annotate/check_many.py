"""Check all maps of a folder or an archive: how many findings each has, and which one to look into."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import pandas as pd
import streamlit as st

from tted_core import MindMap, TextTree, TTEDError, parse_map
from tted_core.annotate.agreement import is_collection, unpacked_collection
from tted_core.annotate.checks import CHECKS, Finding, Thresholds, check_map
from tted_core.limits import MAX_MAPS, MAX_UNPACKED_BYTES, check_limit
from tted_core.monitor import Monitor
from ui import cache
from ui.errors import show_errors
from ui.exports import table_exports
from ui.running import watched

Files: TypeAlias = tuple[tuple[str, bytes], ...]
Checked: TypeAlias = dict[str, tuple[TextTree, tuple[Finding, ...]] | str]
"""Map -> the tree with its findings, or why it can't be checked."""


@dataclass(frozen=True)
class Asked:
    """What is looked for in each map."""

    encoder: str
    thresholds: Thresholds
    names: tuple[str, ...]

    def findings(self, mind_map: MindMap) -> tuple[Finding, ...]:
        """What these checks find."""
        return check_map(
            mind_map.tree,
            joined=mind_map.joined > 0,
            encoder=cache.encoder(self.encoder),
            thresholds=self.thresholds,
            checks=self.names,
        )


def many_maps() -> Files:
    """Draw the place for files; each file's name and content, those of archives one by one."""
    given = st.file_uploader("Maps, or a zip archive of them", accept_multiple_files=True, key="check-files")
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
    table = _table(checked, asked.names)
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
        if monitor.stopped:
            break
        monitor.stage(f"Looking at {name}", number / len(files))
        try:
            mind_map = parse_map(content, name=name.rpartition("/")[2])
            checked[name] = mind_map.tree, asked.findings(mind_map)
        except TTEDError as error:
            checked[name] = str(error)
    return checked


def _table(checked: Checked, names: Sequence[str]) -> pd.DataFrame:
    """A row a map, those that can't be checked first and then those with most findings."""
    rows: list[dict[str, object]] = []
    for name, one in checked.items():
        if isinstance(one, str):
            rows.append({"map": name, "error": one})
            continue
        tree, findings = one
        by_check = {CHECKS[check].title: sum(each.check == check for each in findings) for check in names}
        rows.append({"map": name, "nodes": len(tree), "findings": len(findings), **by_check})
    table = pd.DataFrame(rows).sort_values(
        "findings", ascending=False, na_position="first", ignore_index=True
    )
    return table.dropna(axis="columns", how="all")
