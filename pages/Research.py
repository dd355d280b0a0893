"""The Research page: quality of settings, and other measures of texts and of generated maps."""

from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import permalink
from ui.research import PARTS

with page("Settings and measures"), permalink("Research", tabs_link("research", PARTS)):
    draw_tabs("research", PARTS)
