"""The Annotate page: check maps, compare annotators, and merge two maps into one."""

from ui.annotate import ANNOTATE_TABS
from ui.options import options_fields
from ui.page import draw_tabs, page

with page("Annotate"):
    draw_tabs("Annotate", ANNOTATE_TABS, *options_fields().values())
