"""What the laboratory's parts have in common: several names at once, measures, and figures that are greyed."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from tted_core.arithmetic import checked_gap, checked_power, gap_text
from tted_core.baselines import BASELINES
from tted_core.contexts import CONTEXTS
from tted_core.method import PRESETS, Method
from tted_core.solvers import SOLVERS

GREY = "color: #7d828b"


def greyed(table: pd.DataFrame, doubtful: Sequence[Iterable[str]], digits: int) -> Styler:
    """The table with numbers of so many digits, and for each row the columns grey whose figures are doubtful."""
    styles = pd.DataFrame("", index=table.index, columns=table.columns)
    for row, columns in enumerate(doubtful):
        styles.loc[row, list(columns)] = GREY
    return table.style.format(precision=digits).apply(lambda _: styles, axis=None)


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


def chosen_weighing(key: str) -> dict[str, tuple[Any, ...]]:
    """Gaps and powers of TTED; ``key`` begins the widgets' keys.

    Raises:
        OptionsError: one that was typed in is no such number.
    """
    gaps = st.multiselect(
        "How much a missing sentence weighs",
        list(dict.fromkeys(gap_text(each["gap"]) for each in PRESETS.values())),
        default=gap_text(Method.gap),
        accept_new_options=True,
        key=f"{key}-gaps",
        persist_state="page",
        help="0.5 is added to the distance to the empty text; =0.8 is the same for every one. Type others in.",
    )
    powers = st.multiselect(
        "How much the worst sentences weigh",
        list(dict.fromkeys(f"{each['power']:g}" for each in PRESETS.values())),
        default=f"{Method.power:g}",
        accept_new_options=True,
        key=f"{key}-powers",
        persist_state="page",
        help="The power to which costs are raised before they are added up, 1 or more. Type others in.",
    )
    return {"gaps": tuple(map(checked_gap, gaps)), "powers": tuple(map(checked_power, powers))}
