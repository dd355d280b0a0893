"""The setting of comparisons: buttons that show the options and open them, on Compare or in the sidebar."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from tted_core.arithmetic import check_gap, gap_text
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.errors import lookup
from tted_core.method import DEFAULT_PRESET, OPTIONS, PRESETS, Method
from ui.fields import Field, amount, choice
from ui.model_choice import encoder_note, label_model, list_encoders, name_model
from ui.text import markdown_escaped

PRESET_NAMES = {"published": "As published", "proofreading": "Proofreading", "similarity": "Similarity"}

UNORDERED_SECONDS = 10.0

# Descriptions of what a distance compares, by what it reads.
READ_BY = {
    "encoder": "meaning of sentences",
    "word vectors": "meaning of words",
    "none": "letters",
}

PRESET_TEXTS = {
    "published": "TTED as in the paper: all costs are added up. For maps that differ in many sentences, as "
    "generated maps do, and for scores to publish.",
    "proofreading": "For two versions of nearly the same map: emphasizes the largest differences, so that one "
    "wrong sentence shows beside many reworded ones. A metric.",
    "similarity": "For agreement with people's judgments of similarity: unrelated sentences are missing and extra "
    "instead of replaced. A metric.",
}

# The largest time limit of a search, in seconds.
LONGEST_SEARCH = (OPTIONS["time_limit"].bounds or (0.0, math.inf))[1]

# The costs of a missing sentence that are offered; others can be typed.
GAPS = list(dict.fromkeys(gap_text(preset["gap"]) for preset in PRESETS.values()))

ORDER_TEXTS = {
    "ordered": "Siblings keep their order: moving one past another has a cost.",
    "unordered": "The distance that the paper defines: the order of siblings doesn't count, only which sentence "
    "is below which. Exact; proven optimal if the time limit allows.",
    "constrained": "The order of siblings doesn't count, and separate branches stay separate: two branches can't "
    "be merged into one.",
}


# Options with a button of their own, and the note of each value.
IN_SIGHT: dict[str, Callable[[str], str]] = {
    "encoder": encoder_note,
    "distance": lambda name: DISTANCES[name].note,
    "context": lambda name: CONTEXTS[name].note,
    "order": ORDER_TEXTS.__getitem__,
}

# Session key: True once the user chose the encoder, which then no longer follows the maps' language.
ENCODER_KEPT = "encoder_kept"

# Arguments of an option's input that differ from those of others.
HOW: dict[str, dict[str, Any]] = {
    "encoder": {"format_func": label_model},
    "distance": {"format_func": lambda name: f"{name} · {READ_BY[DISTANCES[name].reads]}"},
    "depth": {"placeholder": "all levels"},
    "gap": {"options": GAPS, "accept_new_options": True},
}


def options_fields() -> dict[str, Field]:
    """The inputs of ``sidebar``, by the options' names."""
    fields: dict[str, Field] = {}
    for name, option in OPTIONS.items():
        default: Any = UNORDERED_SECONDS if name == "time_limit" else getattr(Method, name)
        how = {"help": option.help, **HOW.get(name, {})}
        if name == "gap":
            fields[name] = Field(
                name,
                gap_text(default),
                (name,),
                lambda text: {"gap": gap_text(check_gap(text))},
                lambda state: state.get("gap") or gap_text(Method.gap),
                option.label,
                "selectbox",
                how,
                kept=False,
            )
        elif option.bounds:
            text = "" if default is None else option.text(default)
            fields[name] = amount(name, option.label, option.bounds, default=text, kept=False, **how)
        else:
            names = list_encoders() if name == "encoder" else list(option.names or ())
            fields[name] = choice(name, option.label, names, default, kept=False, **how)
    return fields


def sidebar() -> Method:
    """Draw the options' buttons in the sidebar; return the method.

    Raises:
        TTEDError: no valid combination of options.
    """
    with st.sidebar, st.container(gap="xsmall", key="setting"):
        st.caption("Setting")
        return draw_option_buttons()


def draw_option_buttons(encoder: str | None = None) -> Method:
    """Draw a button for each of the main options, with its value, and one for the others; return the method.

    ``encoder`` is used in place of the one that the inputs have by default.

    Raises:
        TTEDError: no valid combination of options.
    """
    state, fields, chosen = st.session_state, options_fields(), dict[str, Any]()
    for key, value in default_inputs().items():
        state.setdefault(key, value)
    # The preset that has these options, if any.
    presets = {name: preset_inputs(name).items() for name in PRESETS}
    state.preset = next(
        (name for name in presets if all(state[key] == value for key, value in presets[name])), None
    )
    for name, notes in IN_SIGHT.items():
        field = fields.pop(name)
        value = encoder if encoder and name == "encoder" else state[name]
        with st.popover(f"{field.label}: **{markdown_escaped(name_model(value))}**"):
            chosen[name] = _draw_input(
                replace(field, widget="radio"), captions=[notes(value) for value in field.how["options"]]
            )
            if value != state[name]:
                st.caption(f"**{name_model(value)}** is used, for the maps' language.")
    with st.popover(f"Preset: **{markdown_escaped(_preset_title())}**"):
        _draw_input(
            choice("preset", "Preset", PRESETS, DEFAULT_PRESET, widget="radio", kept=False),
            captions=[PRESET_TEXTS[name] for name in PRESETS],
            format_func=PRESET_NAMES.__getitem__,
        )
        st.caption(
            f"{'' if state.preset else '**Custom**: differs from all presets. '}A preset sets order, context, "
            "distance, cost of a missing sentence and power; the other options stay."
        )
    with st.popover("More", help="Costs, power, depth and limits"):
        for name, field in fields.items():
            if name != "time_limit" or chosen["order"] == "unordered":
                chosen[name] = _draw_input(field)
    chosen["encoder"] = encoder or chosen["encoder"]
    return Method(**chosen)


def _draw_input(field: Field, **how: Any) -> Any:
    """Draw the input of an option and return its value.

    Its key is a new one once a preset, a link or another button has set the option: a browser would go on sending
    the value that it had before, as an input in a closed popover doesn't learn of the new one.
    """
    state, name = st.session_state, field.name
    number = state.get(f"{name}-number", 0)
    if state.get(f"{name}-{number}", state[name]) != state[name]:
        number += 1
    key = f"{name}-{number}"
    state.update({f"{name}-number": number, key: state[name]})
    return replace(field, keys=(key,)).draw(on_change=_apply_input, args=(name, key), **how)


def _apply_input(name: str, key: str) -> None:
    st.session_state[name] = st.session_state[key]
    if name == "encoder":
        st.session_state[ENCODER_KEPT] = True
    # A client that isn't a browser may send anything.
    if name == "preset" and st.session_state.preset in PRESETS:
        st.session_state.update(preset_inputs(st.session_state.preset))


def _preset_title() -> str:
    """The preset's title, or how the options differ from the paper's: "custom (gap =0.4)"."""
    state = st.session_state
    if state.preset:
        return PRESET_NAMES[state.preset]
    published = preset_inputs(DEFAULT_PRESET)
    other = (
        f"{name} {str(state[name]).removesuffix('.0')}"
        for name in published
        if state[name] != published[name]
    )
    return f"custom ({', '.join(other)})"


def is_reset() -> bool:
    """Return True if the options are those of the paper, with the encoder that the maps' language chooses."""
    return all(
        st.session_state.get(name, value) == value
        for name, value in default_inputs().items()
        if name != "encoder"
    )


def default_inputs() -> dict[str, Any]:
    """The values of the inputs at first: the paper's, with the encoder for the maps' language."""
    inputs: dict[str, Any] = {ENCODER_KEPT: False}
    for field in options_fields().values():
        inputs |= field.read(field.default)
    return inputs


def preset_inputs(name: str) -> dict[str, Any]:
    """The values of the inputs for a preset."""
    return {**PRESETS[name], "gap": gap_text(PRESETS[name]["gap"])}


def inputs_of(method: Method) -> dict[str, Any]:
    """The values of the inputs for a method.

    Raises:
        UnknownNameError: this page doesn't offer the method's encoder.
    """
    said = {name: getattr(method, name) for name in OPTIONS}
    if method.record.reads == "none":
        del said["encoder"]
    else:
        lookup(dict.fromkeys(list_encoders()), method.encoder, "encoder on this page:")
    seconds = said.pop("time_limit")
    if seconds is not None:
        said["time_limit"] = min(max(seconds, 1.0), LONGEST_SEARCH)
    return said | {"gap": gap_text(method.gap), ENCODER_KEPT: True}
