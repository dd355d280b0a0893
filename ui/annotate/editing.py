"""Marks of findings and changes, set with undo by widgets' callbacks; edits of a finding's nodes; edited maps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import streamlit as st

from tted_core import MindMap
from tted_core.annotate.checks import Finding
from tted_core.annotate.decisions import (
    Edit,
    EditKind,
    Mark,
    apply_edits,
    edits_scope,
    goals,
    map_file,
    mark,
    marks,
    next_edit,
    read_edits,
)
from tted_core.errors import DatabaseError
from tted_core.foundations.files import pack_files
from tted_core.foundations.messages import list_some
from ui.page import show_errors
from ui.text import counted, markdown_escaped, shorten

_LABEL = 60  # characters shown of a node's text in a box


def set_marks(history: str, scope: str, given: Mapping[str, Mark | None]) -> None:
    """Store these marks; ``history`` is the session key of the list in which those before are kept."""
    with show_errors():
        before = marks(scope)
        mark(scope, given)
        st.session_state.setdefault(history, []).append((scope, {key: before.get(key) for key in given}))


def take_back(history: str) -> dict[str, Mark | None]:
    """Undo the last step; return the marks that are there again."""
    before: dict[str, Mark | None]
    scope, before = st.session_state[history].pop()
    with show_errors():
        mark(scope, before)
    return before


def draw_undo(history: str, undo: Callable[..., None], *args: Any) -> None:
    """Draw the button that takes back the last step, by a callback that calls ``take_back``."""
    disabled = not st.session_state.get(history)
    st.button("Undo", shortcut="u", disabled=disabled, key=f"{history}-undo", on_click=undo, args=args)


def draw_neighbours(go: Callable[[Any], None], before: Any, after: Any) -> None:
    """Draw the buttons to the finding or change before and after the one on screen."""
    for label, key, goal in (("Previous", "k", before), ("Next", "j", after)):
        st.button(label, shortcut=key, type="tertiary", on_click=go, args=(goal,))


@dataclass(frozen=True)
class EditedMap:
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


def records(maps: Sequence[MindMap]) -> list[EditedMap]:
    """The maps with their edits and statuses."""
    found = []
    for each in maps:
        edits = read_edits(each.tree)
        tree, origins = apply_edits(each.tree, edits.values())
        found.append(EditedMap(each, replace(each, tree=tree), origins, edits, marks(each.tree.digest)))
    return found


def draw_editor(record: EditedMap, finding: Finding, history: str) -> None:
    """Draw the edits of a finding's nodes; each is kept at once. ``history`` is that of ``set_marks``."""
    tree = finding.tree

    def title(node: int) -> str:
        return f"{node}: {shorten(tree.labels[node], _LABEL)}"

    with st.popover("Edit"):
        node = finding.nodes[-1]
        if len(finding.nodes) > 1:
            key = f"edit-node-{tree.digest}-{finding.key}"
            node = st.selectbox("Node", finding.nodes[::-1], format_func=title, key=key)
        key = f"edit-{{}}-{tree.digest}-{node}"
        given = (record, history, node)
        text = key.format("text")
        st.text_area(
            "Text", tree.labels[node], height=100, key=text, on_change=_edit, args=(*given, "rename", text)
        )
        nearest = sorted(goals(tree, node), key=lambda each: each not in finding.nodes)
        if nearest:  # not of the root, which can be renamed alone
            for kind, label, note in (
                ("move", "Move below", "The branch becomes its last child."),
                ("merge", "Merge with", "The other node keeps its text and takes over the children."),
            ):
                box = key.format(kind)
                st.selectbox(
                    label,
                    nearest,
                    index=None,
                    format_func=title,
                    key=box,
                    on_change=_edit,
                    args=(*given, kind, box),
                    help=note,
                )
            branch = counted(tree.sizes[node], "node")
            st.button(f"Delete {branch}", key="edit-delete", on_click=_edit, args=(*given, "delete"))
        if record.edits:
            st.button(
                f"Undo last of {counted(len(record.edits), 'edit')}",
                key="edit-undo",
                on_click=set_marks,
                args=(history, edits_scope(record.original.tree), {max(record.edits): None}),
                help="Of this map, also after a reload.",
            )


def _edit(record: EditedMap, history: str, node: int, kind: EditKind, key: str | None = None) -> None:
    """Keep an edit, unless the map was edited in another tab since it was drawn; for a widget's callback."""
    given: Any = st.session_state[key] if key else 0
    if given is None:  # the box was emptied
        return
    edit = Edit(kind, node, text=given) if kind == "rename" else Edit(kind, node, given)
    with show_errors():
        kept = read_edits(record.original.tree)
        if kept != record.edits:
            raise DatabaseError("this map was edited in another tab; it is up to date now, so edit it again")
        apply_edits(record.mind_map.tree, [edit])
        set_marks(history, edits_scope(record.original.tree), next_edit(kept, edit))


def save_edited(found: Sequence[EditedMap]) -> None:
    """Draw the download of the edited maps: one as a file, several as a zip archive."""
    files: dict[str, bytes] = {}
    notices: list[str] = []
    for name, content, its in (map_file(each.mind_map) for each in found if each.edits):
        files[f"{len(files) + 1} {name}" if name in files else name] = content
        notices += its
    if not files:
        return
    one = len(files) == 1
    st.download_button(
        f"Save {counted(len(files), 'edited map')}",
        next(iter(files.values())) if one else lambda: pack_files(files.items()),
        file_name=PurePosixPath(next(iter(files))).name if one else "edited-maps.zip",
        on_click="ignore",
        key="worklist-edited",
    )
    if notices:
        st.caption(f":material/info: {markdown_escaped(list_some(notices))}")
