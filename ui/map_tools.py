"""A map's preview, its text to edit, and its downloads."""

import pandas as pd
import streamlit as st

from tted_core import MindMap, TextTree, TTEDError, parse_map
from tted_core.formats import WRITERS, map_text
from tted_core.words.splitting import without_surrogates
from ui.text import markdown_escaped

INDENT = "\u2003"  # an em space: a table cell drops ordinary ones


def map_tools(side: str, mind_map: MindMap) -> None:
    """Draw the preview, the editor's button and the downloads; ``side`` begins the widgets' keys."""
    popover = st.popover("Preview, edit or save", width="stretch", key=f"{side}-tools", on_change="rerun")
    if not popover.open:
        return
    with popover:
        _preview(mind_map)
        st.button(
            "Edit as text",
            key=f"{side}-edit",
            on_click=put_text,
            args=(side, mind_map.tree),
            help="Puts the map into the Paste tab as an outline: rename, add, remove, indent and outdent lines "
            "there. Ctrl+Z undoes.",
        )
        save_map(side, mind_map.tree)


def _preview(mind_map: MindMap) -> None:
    tree = mind_map.tree
    labels = [f"{INDENT * (depth - 1)}{label}" for label, depth in zip(tree.labels, tree.depths, strict=True)]
    st.dataframe(
        pd.DataFrame({"No.": range(len(tree)), "Level": tree.depths, "Node": labels}),
        hide_index=True,
        height=260,
        width="stretch",
        column_config={
            "No.": st.column_config.NumberColumn(width="small"),
            "Level": st.column_config.NumberColumn(width="small"),
            "Node": st.column_config.TextColumn(width="large"),
        },
    )


def editable_text(tree: TextTree) -> tuple[str, str | None]:
    """The map as a text to edit, and the format to read it in, None if it is recognised.

    An indented outline, or JSON if a label would be read differently in an outline (a bullet at its start, say).
    """
    lines = (f"{'  ' * (depth - 1)}{label}" for label, depth in zip(tree.labels, tree.depths, strict=True))
    outline = "\n".join(lines)
    for chosen in (None, "indented"):
        try:
            if parse_map(outline, format=chosen).tree == tree:
                return outline, chosen
        except TTEDError:
            pass
    return map_text(tree, "json")[0], "json"  # no outline reads back as this map


def put_text(side: str, tree: TextTree) -> None:
    """Put a map into the Paste tab; ``side`` begins the widgets' keys."""
    text, chosen = editable_text(tree)
    values = {
        "source": "Paste",
        "text": without_surrogates(text),
        "format": chosen,
        "sheet": 1,
        "origin": None,
    }
    st.session_state.update({f"{side}-{name}": value for name, value in values.items()})


def save_map(side: str, tree: TextTree) -> None:
    """Draw the choice of a format and the download; ``side`` begins the widgets' keys."""
    chosen = st.selectbox(
        "Save as", list(WRITERS), format_func=lambda name: WRITERS[name].title, key=f"{side}-save-format"
    )
    text, notices = map_text(tree, chosen)
    for notice in notices:
        st.caption(f":material/info: {markdown_escaped(notice)}")
    st.download_button(
        "Download",
        text,
        file_name=f"map{WRITERS[chosen].extension}",
        mime="text/plain",
        key=f"{side}-save",
        on_click="ignore",
    )
