"""The Measures page: what other measures say of texts, and of maps as sets of sentences."""

from ui.measures import PARTS
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import permalink

with page("Other measures"), permalink("Measures", tabs_link("measures", PARTS)):
    draw_tabs("measures", PARTS)
