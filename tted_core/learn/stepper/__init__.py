"""The step player, which shows the computation of the two polynomial orders step by step.

It is given a complete run, which it plays in the browser without arithmetic of its own. In either order, a run has
tables ("grids") that are filled entry by entry, lines of a recurrence of which some apply to an entry, and a
mapping that is read off at the end.

A run can also be a single HTML file, for slides or the page of a course, which loads nothing else.

Scripts and data are in the file, and a content security policy forbids every request. The step is in the address
as ``#step=12``.
"""

import hashlib
import json
from dataclasses import asdict
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.registry import lookup
from tted_core.learn.stepper import constrained, ordered
from tted_core.learn.stepper.recording import Numbering
from tted_core.learn.tree_picture import coordinates
from tted_core.report.palette import SURFACE, sources
from tted_core.script import GLYPHS
from tted_core.tree import TextTree
from tted_core.version import VERSION

# Labels up to this length are drawn inside their nodes, longer ones in a list below.
LETTERS = 3

FOLDER = Path(__file__).parent
SCRIPTS = ("trees.js", "tables.js", "matching.js", "stepper.js")
SHARED_SCRIPTS = ("present.js", "player.js")

ORDERS: dict[str, ModuleType] = {"ordered": ordered, "constrained": constrained}
"""Order -> module that records a run, and has the lines of its recurrence and its steps."""


def player_data(
    order: str, left: TextTree, right: TextTree, costs: NDArray[np.float64]
) -> tuple[dict[str, Any], float]:
    """All data of the player, as JSON, and the final distance.

    Args:
        order: a name of ``ORDERS``.
        left: n nodes.
        right: m nodes.
        costs: (n+1, m+1), the last row and column being the gap.
    """
    algorithm = lookup(ORDERS, order, "order")
    run = algorithm.trace(left, right, costs)
    with_keyroots = order == "ordered"
    steps = list(algorithm.steps(run))
    walk = next(index for index, step in enumerate(steps) if step["kind"] == "walk")
    jumps = [(index, step["jump"]) for index, step in enumerate(steps) if "jump" in step]
    jumps += [(walk, "the way back"), (len(steps) - 1, "the mapping")]
    data = {
        "title": algorithm.TITLE,
        "sides": [
            _side("left", left, run.left, with_keyroots=with_keyroots),
            _side("right", right, run.right, with_keyroots=with_keyroots),
        ],
        "glyphs": dict(GLYPHS),
        "grids": [asdict(grid) for grid in run.grids],
        "lines": {
            table: [{"key": key, "way": way, "general": general} for key, way, general in lines]
            for table, lines in algorithm.LINES.items()
        },
        "steps": steps,
        "walk": walk,
        "jumps": [{"at": index, "name": name} for index, name in jumps],
        "longest": max((step["text"] for step in steps), key=len),
    }
    data["id"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]
    return data, run.distance


def _side(name: str, tree: TextTree, numbers: Numbering, *, with_keyroots: bool) -> dict[str, Any]:
    """A tree as the player draws it; lists have an entry 0 for no node."""
    where = coordinates(tree)
    in_postorder = [where[node] for node in numbers.preorder[1:]]
    position = {node: index for index, node in enumerate(numbers.preorder)}
    return {
        "name": name,
        "labels": numbers.labels,
        "letters": all(len(label) <= LETTERS for label in tree.labels),
        "beside": [f"ℓ={first}" if with_keyroots else "" for first in numbers.leftmost],
        "rings": numbers.keyroots if with_keyroots else (),
        "parent": [0, *(position.get(tree.parents[node], 0) for node in numbers.preorder[1:])],
        "x": [0, *(x for x, _ in in_postorder)],
        "level": [0, *(level for _, level in in_postorder)],
        "leaves": sum(not below for below in tree.children),
        "depth": tree.depth,
    }


BY_HAND = "Deleting, inserting and replacing cost 1, equal texts 0."
BY_MODEL = "Costs are cosine distances of {encoder}, without context, rounded to three decimals."
KEYS = "Keys: ← and →, or Page Up and Page Down: a step; space: play; f: fill the screen."
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"


def stepper_page(data: dict[str, Any], costs: str) -> str:
    """The page of ``player_data``; ``costs`` is a sentence about the source of the costs."""
    light, dark = SURFACE["light"], SURFACE["dark"]
    # The theme's variables, which follow the reader's preference for light or dark.
    theme = f"""--st-text-color: light-dark({light["text"]}, {dark["text"]});
  --st-background-color: light-dark({light["background"]}, {dark["background"]});
  --st-secondary-background-color: light-dark(#f0f2f6, #262730);
  --st-primary-color: light-dark(#2f6fab, #6cb0ee); --st-font: system-ui, sans-serif;"""
    component = sources(FOLDER, SCRIPTS, SHARED_SCRIPTS)
    title = escape(data["title"])
    content = json.dumps({**data, "alone": True}).replace("<", "\\u003c")
    script = component.js.replace("export default function", "function mount")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; {theme} }}
body {{ margin: 0; padding: 12px 16px; background: var(--st-background-color); color: var(--st-text-color);
  font: 17px/1.4 var(--st-font); }}
h1 {{ font-size: 1.2em; margin: 0 0 .4em; }}
#stepper {{ --size: 17px; }}
footer {{ margin-top: 1em; font-size: .8em; opacity: .8; }}
</style>
</head>
<body>
<h1>{title}</h1>
<div id="stepper"></div>
<footer>{escape(costs)} {KEYS} TTED {VERSION}</footer>
<script type="application/json" id="run">{content}</script>
<template id="content"><style>{component.css}</style>{component.html}</template>
<script>
"use strict";
{script}
const shadow = document.getElementById("stepper").attachShadow({{ mode: "open" }});
shadow.append(document.getElementById("content").content);
mount({{ parentElement: shadow, data: JSON.parse(document.getElementById("run").textContent) }});
</script>
</body>
</html>
"""
