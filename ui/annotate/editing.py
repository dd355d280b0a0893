"""Edit a node of a finding, and save the edited maps."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import streamlit as st

from tted_core import MindMap, TTEDError
from tted_core.annotate.checks import Finding
from tted_core.annotate.decisions import Mark, marks
from tted_core.annotate.editing import Edit, Kind, edited, edits_scope, goals, kept_edits, map_file, next_edit
from tted_core.errors import DatabaseError
from tted_core.formats.folder import packed
from ui.annotate.marking import set_marks
from ui.errors import show_error, show_errors
from ui.text import markdown_escaped, plural, shortened

LABEL = 60
"""Characters shown of a node's text in a box."""

NOTICES = 3
"""Notices of writing that are shown."""


class Record(NamedTuple):
    """A map with what is kept about it.

    Attributes:
        original: the map as it came.
        mind_map: the map after its edits.
        origins: for each node of the edited map the one in the original.
        edits: its edits, by their keys among the marks.
        statuses: the statuses of its findings, by ``key``.
    """

    original: MindMap
    mind_map: MindMap
    origins: Sequence[int]
    edits: Mapping[str, Edit]
    statuses: Mapping[str, Mark]

    def key(self, finding: Finding) -> str:
        """The key of a finding of the edited map, which stays through the edits."""
        nodes = tuple(self.origins[node] for node in finding.nodes)
        return replace(finding, nodes=nodes, tree=self.original.tree).key


def records(maps: Sequence[MindMap]) -> list[Record]:
    """The maps with their edits and statuses; without, below an error, where those can't be read."""
    try:
        return [_record(each, kept_edits(each.tree), marks(each.tree.digest)) for each in maps]
    except TTEDError as error:
        show_error(error)
        return [_record(each, {}, {}) for each in maps]


def _record(mind_map: MindMap, edits: Mapping[str, Edit], statuses: Mapping[str, Mark]) -> Record:
    tree, origins = edited(mind_map.tree, edits.values())
    return Record(mind_map, replace(mind_map, tree=tree), origins, edits, statuses)


def draw_editor(record: Record, finding: Finding, history: str) -> None:
    """Draw the edits of a finding's nodes; each is kept at once. ``history`` is that of ``set_marks``."""
    tree = finding.tree
    with st.popover("Edit"):
        node = finding.nodes[-1]
        if len(finding.nodes) > 1:
            node = st.selectbox(
                "Node",
                finding.nodes[::-1],
                format_func=lambda each: f"{each}: {shortened(tree.labels[each], LABEL)}",
                key=f"edit-node-{tree.digest}-{finding.key}",
            )
        key = f"edit-{{}}-{tree.digest}-{node}".format
        st.text_area(
            "Text",
            tree.labels[node],
            height=100,
            key=key("text"),
            on_change=_edit,
            args=(record, history, "rename", node, key("text")),
        )
        nearest = sorted(goals(tree, node), key=lambda each: each not in finding.nodes)
        for kind, label in (("move", "Move below"), ("merge", "Merge with")):
            st.selectbox(
                label,
                nearest,
                index=None,
                format_func=lambda each: f"{each}: {shortened(tree.labels[each], LABEL)}",
                key=key(kind),
                on_change=_edit,
                args=(record, history, kind, node, key(kind)),
                disabled=not nearest,
                help="The other node keeps its text and takes over the children."
                if kind == "merge"
                else None,
            )
        with st.container(horizontal=True):
            st.button(
                f"Delete {plural(tree.sizes[node], 'node')}",
                key="edit-delete",
                on_click=_edit,
                args=(record, history, "delete", node),
                disabled=not nearest,
            )
            st.button(
                f"Undo last of {plural(len(record.edits), 'edit')}",
                key="edit-undo",
                on_click=_drop_last,
                args=(record, history),
                disabled=not record.edits,
                help="Of this map, also after a reload.",
            )


def _edit(record: Record, history: str, kind: Kind, node: int, key: str | None = None) -> None:
    """Keep an edit, unless the map was edited in another tab since it was drawn; for a widget's callback."""
    given: Any = st.session_state[key] if key else None
    if given is None and kind != "delete":  # the box was emptied
        return
    edit = Edit(kind, node, text=given) if kind == "rename" else Edit(kind, node, given or 0)
    with show_errors():
        kept = kept_edits(record.original.tree)
        if kept != record.edits:
            raise DatabaseError("this map was edited in another tab; it is up to date now, so edit it again")
        edited(record.mind_map.tree, [edit])
        set_marks(history, edits_scope(record.original.tree), next_edit(kept, edit))


def _drop_last(record: Record, history: str) -> None:
    set_marks(history, edits_scope(record.original.tree), {max(record.edits): None})


def save_edited(found: Sequence[Record]) -> None:
    """Draw the download of the edited maps: one as a file, several as a zip archive."""
    changed = [each.mind_map for each in found if each.edits]
    if not changed:
        return
    files: dict[str, bytes] = {}
    notices: list[str] = []
    for name, content, its in map(map_file, changed):
        files[f"{len(files) + 1} {name}" if name in files else name] = content
        notices += its
    name, content = next(iter(files.items()))
    st.download_button(
        f"Save {plural(len(files), 'edited map')}",
        content if len(files) == 1 else lambda: packed(files.items()),
        file_name=PurePosixPath(name).name if len(files) == 1 else "edited-maps.zip",
        on_click="ignore",
        key="worklist-edited",
    )
    for notice in notices[:NOTICES]:
        st.caption(f":material/info: {markdown_escaped(notice)}")
    if len(notices) > NOTICES:
        st.caption(f"and {plural(len(notices) - NOTICES, 'other notice')}")
