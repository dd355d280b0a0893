"""The Lab page: which settings to trust, and the evidence."""

from ui.lab import PARTS
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import permalink

with page("Metric laboratory"), permalink("Lab", tabs_link("lab", PARTS)):
    draw_tabs("lab", PARTS)
