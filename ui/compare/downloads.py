"""Take the result away: report, pictures, tables, replay file, signature and link."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import streamlit as st

from tted_core import Comparison, MindMap
from tted_core.foundations.monitor import UNWATCHED
from tted_core.report.exports import EXPORTS, written
from tted_core.report.html_report import file_stem, html_report
from tted_core.report.replay import replay_json
from ui.compare.compare_link import compare_link, too_large_for_link
from ui.comparisons import all_baselines
from ui.permalink import embed_popover, link
from ui.sides import RIGHT, SIDES, has_own


class Kind(NamedTuple):
    """A kind of file that this page alone makes, as ``Export`` describes others."""

    title: str
    mime: str
    note: str


MORE = {
    "replay.json": Kind(
        "Replay file",
        "application/json",
        "Both maps, options and result. Dropped on this page like a map, or by `tted replay`, it restores the "
        "comparison and checks the result.",
    ),
    "graph.html": Kind(
        "Interactive graph",
        "text/html",
        "Both maps and what corresponds, as a graph to move and zoom; it opens without a network.",
    ),
}

GROUPS = {
    "Report": ("html",),
    "Figure": ("svg", "png", "pdf"),
    "Data": ("json", "csv", "tex"),
    "More": tuple(MORE),
}
"""The buttons, each for one kind of file or for several."""


def downloads(left: MindMap, right: MindMap, result: Comparison) -> None:
    """Draw the buttons, the signature and the link; files are made when they are asked for.

    Args:
        left: the map as read, not trimmed to a depth.
        right: the other one, likewise.
        result: their comparison.
    """
    replay = partial(replay_json, left, right, result)
    stem = file_stem(result)
    with st.container(horizontal=True, gap="small"):
        for group, kinds in GROUPS.items():
            with st.popover(group) if len(kinds) > 1 else nullcontext():
                for kind in kinds:
                    export = MORE.get(kind) or EXPORTS[kind]
                    own: dict[str, Callable[[], str | bytes]] = {
                        "replay.json": replay,
                        "graph.html": partial(_graph, result),
                    }
                    st.download_button(
                        export.title,
                        own.get(kind) or partial(_file, result, kind, replay),
                        file_name=f"{stem}.{kind}",
                        mime=export.mime,
                        help=export.note,
                        on_click="ignore",
                        key=f"save-{kind.partition('.')[0]}",
                        type="primary" if kind == "html" else "secondary",
                    )
    st.markdown("**Signature**: quote it beside the number, so that others can repeat it.")
    st.code(result.signature, language=None, wrap_lines=True)
    several = bool(st.session_state.get(RIGHT.state("several")))
    if large := [side.title.lower() for side in SIDES if too_large_for_link(side)]:
        st.markdown(
            f"**Link**: the {' and the '.join(large)} {'is' if len(large) == 1 else 'are'} too large for a link. "
            "Share the replay file above: it restores maps, options and choices on any server of TTED."
            + several
            * " It holds this pair only; for the table of all, share the files and drop them again."
        )
        return
    st.markdown("**Link**: opens this comparison on the page, with the same maps, options and choices.")
    st.code(link(compare_link()), language=None, wrap_lines=True)
    embed_popover(compare_link())
    if any(map(has_own, SIDES)):
        st.caption(
            "Your own maps are in the link itself: whoever has it can read them, on any server of TTED."
        )


def _file(result: Comparison, kind: str, replay: Callable[[], str]) -> bytes:
    """A file of a kind in ``EXPORTS``, with all baselines where it has some; a report contains the replay file."""
    if EXPORTS[kind].has_baselines:
        result = replace(result, baselines=all_baselines(result, UNWATCHED))
    return html_report(result, replay()).encode() if kind == "html" else written(result, kind)


def _graph(result: Comparison) -> bytes:
    from ui.compare.graph_file import mapping_html  # pyvis takes its time

    return mapping_html(result).encode()
