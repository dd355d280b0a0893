"""The Systems page: which generator is better, and how surely."""

from ui.cache import start_warming_up
from ui.kept_values import keep_values
from ui.options import options_link
from ui.page import page
from ui.part import draw_tabs, tabs_link
from ui.permalink import permalink
from ui.systems import PARTS

with page("Which generator is better?"):
    parameters = (*tabs_link("systems-part", PARTS), *options_link())
    with permalink("Systems", parameters):
        keep_values(parameters)
        draw_tabs("systems-part", PARTS)
    start_warming_up()
