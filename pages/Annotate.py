"""The Annotate page: check maps, compare annotators, and merge two maps into one."""

from ui.annotate import PARTS
from ui.options import options_link, sidebar
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import keep_values, permalink

link = (*tabs_link("annotate", PARTS), *options_link())
with (
    page("Annotate"),
    permalink("Annotate", link),
):
    keep_values(link)
    draw_tabs("annotate", PARTS, sidebar)
