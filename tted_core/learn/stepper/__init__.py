"""The step player: how each of the three orders is computed, one step after the other.

What it is given is a whole run at once, which it plays in the browser without arithmetic of its own. Whatever the
order, a run has tables ("grids") that are filled entry by entry, lines of a recurrence of which some apply to an
entry, and a mapping that is read off in the end.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.learn import constrained as zhang
from tted_core.learn import unordered as closing
from tted_core.learn import zhang_shasha
from tted_core.learn.stepper import constrained, ordered, unordered
from tted_core.learn.tree_picture import places
from tted_core.learn.zhang_shasha import Numbering
from tted_core.registry import lookup
from tted_core.script import GLYPHS
from tted_core.tree import TextTree

LETTERS = 3
"""Labels up to this length stand inside their nodes; longer ones in a list below."""

FOLDER = Path(__file__).parent
SCRIPTS = ("trees.js", "tables.js", "matching.js", "bounds.js", "stepper.js")
SHARED_SCRIPTS = ("present.js", "player.js")


@dataclass(frozen=True)
class Order:
    """How an order is shown: what writes its run down, and what makes grids, lines and steps of that."""

    trace: Callable[[TextTree, TextTree, NDArray[np.float64]], Any]
    content: Callable[[Any], dict[str, Any]]


ORDERS: dict[str, Order] = {
    "ordered": Order(zhang_shasha.trace, ordered.content),
    "constrained": Order(zhang.trace, constrained.content),
    "unordered": Order(closing.trace, unordered.content),
}


def player_data(
    order: str, left: TextTree, right: TextTree, costs: NDArray[np.float64]
) -> tuple[dict[str, Any], float]:
    """Everything the player shows, as JSON, and the distance that it ends with.

    Args:
        order: a name of ``ORDERS``.
        left: n nodes.
        right: m nodes.
        costs: (n+1, m+1), the last row and column being the gap.

    Raises:
        UnknownNameError: no such order.
        LimitError: more than ``MAX_NODES_TRACED`` nodes in a tree.
    """
    shown = lookup(ORDERS, order, "order")
    run = shown.trace(left, right, costs)
    with_keyroots = order == "ordered"
    data = {
        "sides": [
            _side("left", left, run.left, with_keyroots=with_keyroots),
            _side("right", right, run.right, with_keyroots=with_keyroots),
        ],
        "glyphs": dict(GLYPHS),
        **shown.content(run),
    }
    data["longest"] = max((step["text"] for step in data["steps"]), key=len)
    data["id"] = hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]
    return data, run.distance


def _side(name: str, tree: TextTree, numbers: Numbering, *, with_keyroots: bool) -> dict[str, Any]:
    """A tree as the player draws it; lists have an entry 0 for no node."""
    where = places(tree)
    in_postorder = [where[node] for node in numbers.preorder[1:]]
    position = {node: place for place, node in enumerate(numbers.preorder)}
    return {
        "name": name,
        "labels": numbers.labels,
        "letters": all(len(label) <= LETTERS for label in tree.labels),
        "beside": [f"l={first}" if with_keyroots else "" for first in numbers.leftmost],
        "rings": numbers.keyroots if with_keyroots else (),
        "parent": [0, *(position.get(tree.parents[node], 0) for node in numbers.preorder[1:])],
        "x": [0, *(x for x, _ in in_postorder)],
        "level": [0, *(level for _, level in in_postorder)],
        "leaves": sum(not below for below in tree.children),
        "depth": tree.depth,
    }
