"""The Annotate page: check maps, compare annotators, and merge two maps into one."""

from ui.annotate import ANNOTATE_TABS
from ui.options import options_link, sidebar
from ui.page import draw_tabs, page, tabs_link
from ui.permalink import keep_values, permalink

link = (*tabs_link("annotate", ANNOTATE_TABS), *options_link())
with (
    page("Annotate"),
    permalink("Annotate", link),
):
    keep_values(link)
    draw_tabs("annotate", ANNOTATE_TABS, sidebar)
