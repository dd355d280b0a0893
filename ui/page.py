"""The frame of every page: menu, style, title and errors."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from tted_core import VERSION
from ui.errors import show_errors

MENU: dict[str, dict[str, str]] = {
    "Use": {
        "Compare": "compare_arrows",
        "Evaluate": "leaderboard",
        "Annotate": "rate_review",
    },
    "Understand": {"Learn": "school", "Method": "functions"},
    "Research": {"Research": "science"},
}
"""The menu: group -> page (a file in pages/) -> Material icon."""

SIDEBAR = 200
"""Width in pixels of the sidebar, the least that Streamlit allows; in another site's frame it begins folded."""

STYLE = """
<style>
.stMainBlockContainer { padding: 3.75rem 2.5rem 2rem; }
.stMainBlockContainer h1 { padding: 0 0 .4rem; }
.stMainBlockContainer h2 { padding: 1.2rem 0 .2rem; }
@media (max-width: 720px) { .stMainBlockContainer { padding-inline: 1rem; } }
.st-key-wide-figure { overflow-x: auto; }
[data-testid="stSidebarHeader"] { height: 2rem; margin-bottom: 0; }
.st-key-menu [data-testid="stElementContainer"] { margin: 0; }
.st-key-menu [data-testid="stPageLink"], .st-key-menu a { height: 28px; line-height: 28px; padding-block: 0; }
.st-key-menu [data-testid="stCaptionContainer"] { padding: .35rem 0 0 8px; }
.st-key-setting [data-testid="stCaptionContainer"] { padding-inline-start: 8px; }
.st-key-setting button { min-height: 28px; height: auto; padding-block: 2px; text-align: start; }
.st-key-setting button p { font-size: 13px; }
[data-testid="stMetricLabel"] { opacity: .85; }
[data-testid="stMetricValue"] { line-height: 1.1; }
.st-key-all-scores [data-testid="stMetricValue"] { font-size: 1.3rem; line-height: 1.3; }
.st-key-all-scores [data-testid="stMetricDelta"] { background: none; padding: 0; }
.stApp [data-testid="stCaptionContainer"] { opacity: .8; }
[data-testid="stBaseButton-segmented_controlActive"] p { color: light-dark(#1b4f82, #9ccaf5); }
[data-testid="stPopover"] button p { color: light-dark(#1b1a18, #edebe8); }
[data-testid^="stBaseButton-primary"]:enabled :is(p, kbd) { color: light-dark(#ffffff, #0e1117); }
.stApp [data-testid^="stBaseButton"] kbd { opacity: 1; }
.stApp [data-testid^="stBaseButton"]:disabled { border-style: dashed; }
.stApp [data-testid^="stBaseButton"]:disabled :is(p, kbd) { color: light-dark(#67645e, #a8a49d); }
[data-testid="stMultiSelectTagsContainer"] [data-tag] * { color: light-dark(#ffffff, #0e1117); }
@media (pointer: coarse) { [data-testid="InputInstructions"] { display: none; } }
.st-key-more-tabs { min-height: 100vh; }
.katex-display { padding: 2px 3px; }
.stTable { overflow-x: auto; }
@media (max-width: 720px) {
  .stTable td:last-child { min-width: 12rem; }
  .stMarkdown :not(.katex-display) > .katex {
    display: inline-block; max-width: 100%; overflow: auto hidden; vertical-align: bottom;
  }
}
@media print {
  [data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stToolbar"], [data-testid="stStatusWidget"],
  [data-testid="stButtonGroup"], .stButton, .stFormSubmitButton, .stDownloadButton,
  .st-key-exercise-inputs { display: none !important; }
  .stApp, [data-testid="stAppViewContainer"], [data-testid="stMain"], .stMainBlockContainer {
    position: static !important; overflow: visible !important; height: auto !important; display: block !important;
  }
  .stMainBlockContainer { padding: 0; max-width: none; }
  .st-key-more-tabs { min-height: 0; }
}
</style>
"""


@contextmanager
def page(title: str) -> Iterator[None]:
    """Set up the page, draw its title, and show errors that are raised inside."""
    st.set_page_config(
        page_title=f"{title} · TTED",
        page_icon="🌳",  # an emoji: an icon by name would fetch a font from the network
        menu_items={"About": f"TTED {VERSION}: text tree edit distance between mind maps. GPL-3.0-or-later."},
    )
    st.html(STYLE)
    with st.container(key="page-title"):
        st.title(title, anchor=False)
    with show_errors():
        yield
