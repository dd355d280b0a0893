"""The Annotate page: check a map, hold annotators' maps against each other, and keep what was decided."""

from ui.annotate import PARTS
from ui.annotate.people import take_link
from ui.options import options_link, sidebar
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import permalink

with (
    page("Annotate: check, compare, review"),
    permalink("Annotate", (*tabs_link("annotate", PARTS), *options_link())),
):
    take_link()
    draw_tabs("annotate", PARTS, sidebar())
