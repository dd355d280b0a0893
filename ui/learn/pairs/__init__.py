"""Pairs of nodes, picked by clicks."""

from pathlib import Path
from typing import Any

import streamlit as st

from tted_core import TextTree
from tted_core.solvers.structure import Pair
from tted_core.solvers.wording import node_number
from ui.component import component

_component = component(Path(__file__).parent, ("pairs.js",))


def picked_pairs(
    puzzle: str, left: TextTree, right: TextTree, *, truth: list[Pair] | None = None
) -> list[Pair]:
    """Draw two outlines and return the pairs of nodes that were clicked together.

    Args:
        puzzle: names this pair of maps; another puzzle begins without pairs.
        left: the left outline.
        right: the right outline.
        truth: the right pairs, once they are to be seen; nothing can be changed then.
    """
    key = f"pairs-{puzzle}"
    before = (st.session_state.get(key) or {}).get("pairs") or []
    result: Any = _component(
        key=key,
        data={
            "id": puzzle,
            "left": _outline(left),
            "right": _outline(right),
            "pairs": before,
            "truth": truth,
        },
        default={"pairs": []},
        on_pairs_change=lambda: None,
    )
    return [(v, w) for v, w in result.pairs or [] if v in range(len(left)) and w in range(len(right))]


def _outline(tree: TextTree) -> list[dict[str, Any]]:
    return [
        {"label": label, "level": tree.depths[node], "number": node_number(tree, node)}
        for node, label in enumerate(tree.labels)
    ]
