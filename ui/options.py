"""The sidebar: presets first, then the options with one plain sentence each."""

import os
from dataclasses import dataclass

import streamlit as st

from tted_core import CONTEXTS, DISTANCES, ENCODERS, SOLVERS
from tted_core.limits import MAX_DEPTH
from ui.masked_models import masked_model_input, offered_masked_models

PRESETS = {
    "Published reference": {"order": "constrained", "distance": "cosine", "context": "none"},
    "Recommended": {"order": "constrained", "distance": "euclidean", "context": "map"},
}

UNORDERED_SECONDS = 10.0
MAX_SECONDS = 3600.0

SHOWN_AS = {"unordered": "unordered (exact)"}

PRESET_TEXTS = {
    "Published reference": "What the authors' code computes by default.",
    "Recommended": "Each sentence counts with those above it and with the subject of the map: structure and "
    "meaning count more, wording less. The best score we found that is a metric; but one change moves every node "
    "a little, so to read an edit script take the published reference.",
}

ORDER_TEXTS = {
    "ordered": "Siblings keep their order: moving one past another costs something.",
    "unordered": "The distance that the paper defines: only what lies above what counts, not the order of "
    "siblings. Exact, with a proof if time allows.",
    "constrained": "The order of siblings is free, and separate branches stay separate: two of them can't "
    "become one.",
}


@dataclass(frozen=True)
class Options:
    """What the sidebar says."""

    encoder: str
    distance: str
    order: str
    context: str
    depth: int | None
    time_limit: float | None
    masked_model: str


def offered_encoders() -> list[str]:
    """The known encoders, and those that the operator lists in TTED_ENCODERS, separated by commas.

    A visitor chooses among these, never a free path or model id.
    """
    listed = (name.strip() for name in os.environ.get("TTED_ENCODERS", "").split(","))
    return list(dict.fromkeys([*ENCODERS, *(name for name in listed if name)]))


def sidebar() -> Options:
    """Draw the options and return what they say."""
    with st.sidebar:
        st.header("Options")
        for key, value in PRESETS["Published reference"].items():
            st.session_state.setdefault(key, value)
        if "preset" not in st.session_state:
            _name_preset()
        st.radio(
            "Preset",
            list(PRESETS),
            key="preset",
            captions=[PRESET_TEXTS[name] for name in PRESETS],
            on_change=_apply_preset,
        )
        order = _select("Order", {name: ORDER_TEXTS[name] for name in SOLVERS}, "order")
        context = _select("Context", {name: each.note for name, each in CONTEXTS.items()}, "context")
        encoder = st.selectbox(
            "Encoder",
            offered_encoders(),
            key="encoder",
            format_func=lambda name: ENCODERS[name].title if name in ENCODERS else name,
            help="The language model that turns a sentence into a vector. MiniLM is built in; the others are "
            "downloaded on first use.",
        )
        known = ENCODERS.get(encoder)
        if known:
            st.caption(f"{known.note[0].upper()}{known.note[1:]}. Trained on {known.languages}.")
        distance = _select("Distance", {name: each.note for name, each in DISTANCES.items()}, "distance")
        ask = DISTANCES[distance].model_of(encoder=None, masked_model=masked_model_input)
        masked_model = ask("masked_model") if ask else offered_masked_models()[0]
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
    return Options(encoder, distance, order, context, depth, time_limit, masked_model)


def _select(label: str, texts: dict[str, str], key: str) -> str:
    """The name that is chosen; below it stands its text."""
    choice: str = st.selectbox(
        label, list(texts), key=key, format_func=lambda name: SHOWN_AS.get(name, name), on_change=_name_preset
    )
    st.caption(texts[choice])
    return choice


def _apply_preset() -> None:
    st.session_state.update(PRESETS.get(st.session_state.preset, {}))


def _name_preset() -> None:
    """Show which preset the options amount to, if any."""
    st.session_state.preset = next(
        (
            name
            for name, options in PRESETS.items()
            if all(st.session_state[key] == value for key, value in options.items())
        ),
        None,
    )
