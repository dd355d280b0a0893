"""The Research page: quality of settings, and other measures of texts and of generated maps."""

from ui.page import draw_tabs, page, tabs_link
from ui.permalink import permalink
from ui.research import RESEARCH_TABS

with page("Settings and measures"), permalink("Research", tabs_link("research", RESEARCH_TABS)):
    draw_tabs("research", RESEARCH_TABS)
