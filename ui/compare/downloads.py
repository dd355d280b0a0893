"""Take the result away: report, pictures, tables, replay file, signature and link."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from tted_core import Comparison, MindMap
from tted_core.report.exports import EXPORTS, written
from tted_core.report.html_report import html_report
from tted_core.report.replay import replay_json
from ui.compare.compare_link import compare_link
from ui.inputs import LEFT, RIGHT, SOURCES
from ui.permalink import link


def downloads(left: MindMap, right: MindMap, result: Comparison) -> None:
    """Draw the buttons, the signature and the link; files are made when they are asked for.

    Args:
        left: the map as read, not trimmed to a depth.
        right: the other one, likewise.
        result: their comparison.
    """
    replay = partial(replay_json, left, right, result)
    makers = {kind: partial(written, result, kind) for kind in EXPORTS}
    makers["html"] = partial(_report, result, replay)
    with st.container(horizontal=True, gap="small"):
        for kind, export in EXPORTS.items():
            st.download_button(
                export.title,
                makers[kind],
                file_name=f"tted.{kind}",
                mime=export.mime,
                help=export.note,
                on_click="ignore",
                key=f"save-{kind}",
                type="primary" if kind == "html" else "secondary",
            )
        st.download_button(
            "Replay file",
            replay,
            file_name="tted.replay.json",
            mime="application/json",
            help="Both maps, options and result. Opened in the sidebar of this page, or by `tted replay`, it "
            "restores the comparison and checks that the same comes out.",
            on_click="ignore",
            key="save-replay",
        )
    st.markdown("**Signature**: quote it beside the number, so that others can repeat it.")
    st.code(result.signature, language=None, wrap_lines=True)
    st.markdown("**Link**: opens this comparison on the page, with the same maps and options.")
    st.code(link(compare_link()), language=None, wrap_lines=True)
    if result.choices:
        st.caption(
            "The link leaves out the pairs that you forced or forbade, and so opens another score; the replay "
            "file keeps them."
        )
    if any(st.session_state[side.state("source")] != SOURCES[0] for side in (LEFT, RIGHT)):
        st.caption("A link carries options and sample maps only; your own maps travel in a replay file.")


def _report(result: Comparison, replay: Callable[[], str]) -> bytes:
    return html_report(result, replay()).encode()
