"""The orders in one picture: the same two trees, and what each order can keep of them.

The mappings are computed by the solvers themselves. Deleting or inserting costs 1, and replacing so much that only
equal letters are matched.
"""

from typing import Literal, TypeAlias

import numpy as np

from tted_core import SOLVERS, Solution, TextTree
from tted_core.script import OpKind
from ui.palette import STYLES, SURFACE

Theme: TypeAlias = Literal["light", "dark"]

LEFT = TextTree(("A", "B", "C", "D", "E", "F"), (-1, 0, 1, 1, 0, 0))
RIGHT = TextTree(("A", "F", "E", "C", "D"), (-1, 0, 0, 0, 0))

STEP, LEVEL, RADIUS = 46, 56, 15
PANEL, HEIGHT = 480, 205


def solve(order: str) -> Solution:
    """The optimal mapping of the two trees."""
    changed = np.array([[a != b for b in RIGHT.labels] for a in LEFT.labels], dtype=float) * 3
    costs = np.ones((len(LEFT) + 1, len(RIGHT) + 1))
    costs[:-1, :-1] = changed
    costs[-1, -1] = 0.0
    return SOLVERS[order](LEFT, RIGHT, costs)


def orders_picture(*, dark: bool) -> str:
    """An SVG with one panel per order."""
    theme = "dark" if dark else "light"
    panels = []
    for number, order in enumerate(SOLVERS):
        solution = solve(order)
        sources = {source: target for source, target in solution.mapping if source is not None}
        targets = {target: source for source, target in solution.mapping if target is not None}
        panels.append(
            f'<g transform="translate(0 {number * HEIGHT})">'
            f'<text x="8" y="24" font-weight="700">{order}: distance {solution.upper:g}</text>'
            f"{_links(solution, theme)}"
            f"{_tree(LEFT, 0, sources, 'delete', theme)}{_tree(RIGHT, PANEL // 2, targets, 'insert', theme)}</g>"
        )
    height = HEIGHT * len(SOLVERS)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PANEL} {height}" width="{PANEL}" '
        f'height="{height}" font-family="sans-serif" font-size="15" fill="{SURFACE[theme]["text"]}">'
        f"{''.join(panels)}</svg>"
    )


def _place(tree: TextTree, offset: int) -> list[tuple[float, float]]:
    """Centre of each node: leaves side by side, parents above the middle of their children."""
    x = [0.0] * len(tree)
    leaves = 0
    for node in range(len(tree)):
        if not tree.children[node]:
            x[node] = leaves
            leaves += 1
    for node in reversed(range(len(tree))):
        if children := tree.children[node]:
            x[node] = (x[children[0]] + x[children[-1]]) / 2
    return [(offset + 34 + STEP * x[node], 52 + LEVEL * (tree.depths[node] - 1)) for node in range(len(tree))]


def _tree(
    tree: TextTree, offset: int, partner: dict[int, int | None], unmatched: OpKind, theme: Theme
) -> str:
    places = _place(tree, offset)
    edges = "".join(
        f'<line x1="{places[parent][0]}" y1="{places[parent][1]}" x2="{places[node][0]}" '
        f'y2="{places[node][1]}" stroke="{SURFACE[theme]["line"]}" stroke-width="1.5"/>'
        for node, parent in enumerate(tree.parents)
        if parent >= 0
    )
    nodes = []
    for node, (label, (x, y)) in enumerate(zip(tree.labels, places, strict=True)):
        style = STYLES["match" if partner[node] is not None else unmatched]
        fill, border = style.dark if theme == "dark" else style.light
        sign = f"{label}{style.glyph}" if partner[node] is None else label
        nodes.append(
            f'<circle cx="{x}" cy="{y}" r="{RADIUS}" fill="{fill}" stroke="{border}" stroke-width="1.5"/>'
            f'<text x="{x}" y="{y + 5}" text-anchor="middle">{sign}</text>'
        )
    return edges + "".join(nodes)


def _links(solution: Solution, theme: Theme) -> str:
    left, right = _place(LEFT, 0), _place(RIGHT, PANEL // 2)
    arcs = []
    for source, target in solution.mapping:
        if source is None or target is None:
            continue
        (x1, y1), (x2, y2) = left[source], right[target]
        middle = (x1 + x2) / 2
        arcs.append(
            f'<path d="M{x1} {y1} C{middle} {y1 + 46} {middle} {y2 + 46} {x2} {y2}" fill="none" '
            f'stroke="{SURFACE[theme]["link"]}" stroke-width="1.8" stroke-dasharray="5 4"/>'
        )
    return "".join(arcs)
