"""The Research page: quality of settings, and measures of texts."""

from ui.page import draw_tabs, page
from ui.research import RESEARCH_TABS

with page("Settings and measures"):
    draw_tabs("Research", RESEARCH_TABS)
