"""The tabs below the mapping: cost receipt, and downloads with signature and link.

They are a fragment: a click in a tab runs it alone. Whatever changes the comparison or the page's address runs the
whole page.
"""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st

from tted_core import Comparison
from tted_core.explain.what_if import NOT_UNIQUE, Doubts
from tted_core.foundations.monitor import UNWATCHED
from tted_core.report.exports import EXPORTS, write_export
from tted_core.report.html_report import file_stem, html_report, report_part
from tted_core.report.replay import replay_json
from ui.compare.answer import Answer, find_doubts
from ui.compare.link import compare_link, too_large_for_link
from ui.compare.what_if import price_text
from ui.comparisons import all_baselines
from ui.map_card import BOTH_SIDES, own_source
from ui.mapping.view import explain_comparison, open_reading
from ui.page import show_errors
from ui.permalink import link
from ui.text import counted

# Kinds of file that this page alone makes: title, media type and note of each, as ``EXPORTS`` has of others.
PAGE_FILES = {
    "replay.json": (
        "Replay file",
        "application/json",
        "Maps, options and result. Dropped here, or by `tted replay`, it restores and checks the comparison.",
    ),
    "graph.html": (
        "Interactive graph",
        "text/html",
        "Both maps and what corresponds, as a graph to move and zoom; it opens without a network.",
    ),
}

# The buttons, each for one kind of file or for several.
FILE_GROUPS = {
    "Report": ("html",),
    "Figure": ("svg", "png", "pdf"),
    "Data": ("json", "csv", "tex"),
    "More": tuple(PAGE_FILES),
}

WIDTHS = {2: "Two columns", 1: "One column"}  # of a figure, by the text columns of a paper


@st.fragment
def draw_below(answer: Answer) -> None:
    """Draw the tabs, and the content of the open one."""
    drawn: dict[str, Callable[[], None]] = {
        "Cost receipt": partial(draw_receipt, answer.shown),
        "Download and cite": partial(draw_downloads, answer),
    }
    with st.container(key="more-tabs"):  # as high as a screen, so that a low tab doesn't scroll the page
        tabs = st.tabs(list(drawn), key="more", on_change="rerun")
    for tab, draw in zip(tabs, drawn.values(), strict=True):
        if tab.open:
            with tab, show_errors():
                draw()


def draw_receipt(result: Comparison) -> None:
    """Draw how many operations have alternatives, and the receipt of the open reading, as in the report."""
    if found := find_doubts(result):
        _draw_alternatives(found)
    else:
        st.caption("Alternatives are looked for in smaller maps only, and not in the order unordered.")
    st.html(report_part("receipt", explain_comparison(result), reading=open_reading(result)))


def _draw_alternatives(found: Doubts) -> None:
    if doubtful := found.not_unique():
        words = (
            f"≈ **{counted(len(doubtful), 'operation')} of {found.operations}** have close alternatives "
            f"({NOT_UNIQUE}): another script costs at most {price_text(found.close)} more."
        )
    else:
        words = "✓ No other script comes close"
        words += f": each costs over {price_text(found.close)} more." if found.close else "."
    st.markdown(
        words if found.complete else f"{words} Only {len(found.prices)} operations were checked.",
        help="Close means within 1 % of the total, and no more than a tenth of what a node costs to delete.",
    )


def draw_downloads(answer: Answer) -> None:
    """Draw the download buttons, the signature and the link; a file is made when its button is clicked."""
    result = answer.result
    replay = partial(replay_json, answer.left, answer.right, explain_comparison(result))
    stem = file_stem(result)
    with st.container(horizontal=True, gap="small"):
        for group, kinds in FILE_GROUPS.items():
            with st.popover(group) if len(kinds) > 1 else nullcontext():
                columns = 2
                if group == "Figure":
                    columns = st.segmented_control(
                        "Width in a paper",
                        list(WIDTHS),
                        default=2,
                        required=True,
                        format_func=WIDTHS.__getitem__,
                        key="figure-columns",
                    )
                for kind in kinds:
                    export = EXPORTS.get(kind)
                    title, mime, note = (
                        (export.title, export.mime, export.note) if export else PAGE_FILES[kind]
                    )
                    st.download_button(
                        title,
                        partial(_file, result, kind, replay, columns),
                        file_name=f"{stem}.{kind}",
                        mime=mime,
                        help=note,
                        on_click="ignore",
                        key=f"save-{kind.partition('.')[0]}",
                        type="primary" if kind == "html" else "secondary",
                    )
    st.markdown("**Signature**: quote it beside the number, so that others can repeat it.")
    st.code(result.signature, language=None, wrap_lines=True)
    if large := [f"{side} map" for side in BOTH_SIDES if too_large_for_link(side)]:
        st.markdown(
            f"**Link**: the {' and the '.join(large)} {'is' if len(large) == 1 else 'are'} too large for a link. "
            "Share the replay file above: it restores this pair, its options and choices on any server of TTED; "
            "for a table of several maps, share the files."
        )
        return
    st.markdown("**Link**: opens this comparison on the page, with the same maps, options and choices.")
    st.code(link(compare_link()), language=None, wrap_lines=True)
    if any(map(own_source, BOTH_SIDES)):
        st.caption(
            "Your own maps are in the link itself: whoever has it can read them, on any server of TTED."
        )


def _file(result: Comparison, kind: str, replay: Callable[[], str], columns: int = 2) -> bytes:
    """A file of a kind, with all baselines where it has some; a report contains the replay file.

    Figures are as wide as so many ``columns`` of a paper.
    """
    match kind:
        case "replay.json":
            return replay().encode()
        case "graph.html":
            from ui.compare.graph_file import mapping_html  # pyvis takes a second to import

            return mapping_html(explain_comparison(result)).encode()
    explanation = explain_comparison(result)
    if EXPORTS[kind].has_baselines:
        with_all = replace(result, baselines=all_baselines(result, UNWATCHED))
        explanation = replace(explanation, comparison=with_all)
    if kind == "html":
        return html_report(explanation, replay()).encode()
    return write_export(explanation, kind, columns=columns)
