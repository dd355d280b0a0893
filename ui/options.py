"""The sidebar: presets first, then the options with one plain sentence each."""

import os
from collections.abc import Mapping
from typing import Any

import streamlit as st

from tted_core.arithmetic import Gap, checked_gap
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.limits import MAX_DEPTH, MAX_GAP, MAX_POWER
from tted_core.method import DEFAULT_PRESET, PRESETS, Method
from tted_core.solvers import SOLVERS
from ui.masked_models import masked_model_input, offered_masked_models
from ui.running.job import max_seconds

PRESET_NAMES = {"recommended": "Recommended", "published": "As published"}

UNORDERED_SECONDS = 10.0
MAX_SECONDS = 3600.0

SHOWN_AS = {"unordered": "unordered (exact)"}

PRESET_TEXTS = {
    "recommended": "What differs most weighs most, so that one wrong sentence or one moved branch shows beside "
    "many reworded ones. A metric; chosen by how surely it finds such faults.",
    "published": "What the authors' code computes by default: all costs are simply added up.",
}

GAP_ADDED, GAP_SAME = "added to its distance to the empty text", "the same for every sentence"

ORDER_TEXTS = {
    "ordered": "Siblings keep their order: moving one past another costs something.",
    "unordered": "The distance that the paper defines: only what lies above what counts, not the order of "
    "siblings. Exact, with a proof if time allows.",
    "constrained": "The order of siblings is free, and separate branches stay separate: two of them can't "
    "become one.",
}


def offered_encoders() -> list[str]:
    """The known encoders, and those that the operator lists in TTED_ENCODERS, separated by commas.

    A visitor chooses among these, never a free path or model id.
    """
    listed = (name.strip() for name in os.environ.get("TTED_ENCODERS", "").split(","))
    return list(dict.fromkeys([*ENCODERS, *(name for name in listed if name)]))


def sidebar() -> Method:
    """Draw the options and return what they say."""
    with st.sidebar:
        st.header("Options")
        for key, value in preset_state(DEFAULT_PRESET).items():
            st.session_state.setdefault(key, value)
        if "preset" not in st.session_state:
            _name_preset()
        st.radio(
            "Preset",
            list(PRESETS),
            key="preset",
            captions=[PRESET_TEXTS[name] for name in PRESETS],
            format_func=PRESET_NAMES.__getitem__,
            on_change=_apply_preset,
        )
        order = _select("Order", {name: ORDER_TEXTS[name] for name in SOLVERS}, "order")
        context = _select("Context", {name: each.note for name, each in CONTEXTS.items()}, "context")
        encoder = st.selectbox(
            "Encoder",
            offered_encoders(),
            key="encoder",
            help="The language model that turns a sentence into a vector. minilm is built in; the others are "
            "downloaded on first use.",
        )
        known = ENCODERS.get(encoder)
        if known:
            st.caption(f"{known.title}: {known.note}. Trained on {known.languages}.")
        distance = _select("Distance", {name: each.note for name, each in DISTANCES.items()}, "distance")
        ask = DISTANCES[distance].model_of(encoder=None, masked_model=masked_model_input)
        masked_model = ask("masked_model") if ask else offered_masked_models()[0]
        gap, power = _weighing()
        depth = st.number_input(
            "Depth k",
            min_value=1,
            max_value=MAX_DEPTH,
            value=None,
            step=1,
            key="depth",
            placeholder="all levels",
            help="Compare only the first k levels of both maps (TTED@k). The root is level 1.",
        )
        time_limit = None
        if order == "unordered":
            st.session_state.setdefault("time_limit", UNORDERED_SECONDS)
            time_limit = st.number_input(
                "Time limit in seconds",
                min_value=1.0,
                max_value=MAX_SECONDS,
                step=5.0,
                key="time_limit",
                help="After this, the best edit script so far is shown, and how far from the optimum it may be.",
            )
            if max_seconds() < MAX_SECONDS:
                st.caption(f"This server gives {max_seconds():g} seconds at most to any work.")
    return Method(
        encoder=encoder,
        masked_model=masked_model,
        distance=distance,
        order=order,
        context=context,
        gap=gap,
        power=power,
        depth=depth,
        time_limit=time_limit,
    )


def _select(label: str, texts: dict[str, str], key: str) -> str:
    """The name that is chosen; below it stands its text."""
    choice: str = st.selectbox(
        label, list(texts), key=key, format_func=lambda name: SHOWN_AS.get(name, name), on_change=_name_preset
    )
    st.caption(texts[choice])
    return choice


def _weighing() -> tuple[Gap, float]:
    """The inputs of gap and power."""
    st.number_input(
        "How much a missing sentence weighs",
        min_value=0.0,
        max_value=MAX_GAP,
        step=0.1,
        key="gap_amount",
        on_change=_name_preset,
        help="What deleting or inserting a node costs. More makes missing and moved sentences weigh more, and "
        "ends in pairs of sentences that have nothing in common.",
    )
    st.selectbox(
        "This is",
        (GAP_ADDED, GAP_SAME),
        key="gap_kind",
        on_change=_name_preset,
        label_visibility="collapsed",
    )
    power = st.number_input(
        "How much the worst sentences weigh",
        min_value=1.0,
        max_value=MAX_POWER,
        step=1.0,
        key="power",
        on_change=_name_preset,
        help="Costs are raised to this power, added up, and the root is taken. At 1 all costs are added up as "
        "they are; the larger it is, the more the distance is that of the worst sentences.",
    )
    return chosen_gap({key: st.session_state[key] for key in ("gap_amount", "gap_kind")}), power


def chosen_gap(state: Mapping[str, Any]) -> Gap:
    """The gap that the two inputs say; "=0" would let no sentence cost anything, and is taken for 0."""
    amount = float(state["gap_amount"] or 0.0)
    return checked_gap(f"={amount!r}") if state["gap_kind"] == GAP_SAME and amount else amount


def gap_state(gap: Gap) -> dict[str, Any]:
    """What the two inputs are for this gap."""
    same = isinstance(gap, str)
    return {"gap_amount": float(str(gap).removeprefix("=")), "gap_kind": GAP_SAME if same else GAP_ADDED}


def preset_state(name: str) -> dict[str, Any]:
    """What the sidebar's inputs are for this preset."""
    options = dict(PRESETS[name])
    gap = options.pop("gap")
    return {**options, **gap_state(gap)}


def _apply_preset() -> None:
    if st.session_state.preset in PRESETS:  # a visitor without a browser may send anything
        st.session_state.update(preset_state(st.session_state.preset))


def _name_preset() -> None:
    """Show which preset the options amount to, if any."""
    st.session_state.preset = next(
        (
            name
            for name in PRESETS
            if all(st.session_state.get(key) == value for key, value in preset_state(name).items())
        ),
        None,
    )
