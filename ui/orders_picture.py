"""The orders in one picture: the same two trees, and what each order can keep of them.

The mappings are computed by the solvers themselves. Deleting or inserting costs 1, and replacing so much that only
equal letters are matched.
"""

from tted_core import TextTree
from tted_core.learn.mappings import letters_solution
from tted_core.learn.tree_picture import mapping_panel, mapping_size, svg, theme_of
from tted_core.report.svg import element
from tted_core.solvers import SOLVERS

LEFT = TextTree(("A", "B", "C", "D", "E", "F"), (-1, 0, 1, 1, 0, 0))
RIGHT = TextTree(("A", "F", "E", "C", "D"), (-1, 0, 0, 0, 0))

HEADING = 34


def orders_picture(*, dark: bool) -> str:
    """An SVG with one panel per order."""
    theme = theme_of(dark=dark)
    wide, high = mapping_size(LEFT, RIGHT)
    high += HEADING
    panels = []
    for number, order in enumerate(SOLVERS):
        solution = letters_solution(order, LEFT, RIGHT)
        panels.append(
            element(
                "text", f"{order}: distance {solution.upper:g}", x=8, y=number * high + 24, font_weight=700
            )
            + element(
                "g",
                mapping_panel(LEFT, RIGHT, solution.mapping, theme),
                transform=f"translate(0 {number * high + HEADING:g})",
            )
        )
    return svg(wide, high * len(SOLVERS), "The mappings of the three orders", "".join(panels), theme)
