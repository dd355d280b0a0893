"""Several names at once, and the measures that the laboratory's parts have in common."""

from collections.abc import Iterable

import streamlit as st

from tted_core import BASELINES, CONTEXTS, SOLVERS


def several(
    label: str, names: Iterable[str], key: str, default: tuple[str, ...] | None = None
) -> tuple[str, ...]:
    """Let the visitor choose any of the names; without a default, the page's link knows it."""
    return tuple(
        st.pills(
            label,
            list(names),
            selection_mode="multi",
            wrap=True,
            default=default,
            key=key,
            persist_state="page",
        )
    )


def chosen_measures(key: str) -> dict[str, tuple[str, ...]]:
    """Orders and contexts of TTED, and baselines; ``key`` begins the widgets' keys."""
    return {
        name: several(name.capitalize(), registry, f"{key}-{name}", default)
        for name, registry, default in (
            ("orders", SOLVERS, ("ordered", "constrained")),
            ("contexts", CONTEXTS, ("none", "ancestors")),
            ("baselines", BASELINES, ("rouge_sim",)),
        )
    }
