"""The setting of comparisons: buttons that show the options and open them, on Compare or in the sidebar."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from tted_core.arithmetic import Gap, check_gap, gap_text
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.foundations.registry import lookup
from tted_core.method import DEFAULT_PRESET, OPTIONS, PRESETS, Method
from ui.fields import Field, amount, choice
from ui.model_choice import (
    encoder_note,
    label_model,
    list_encoders,
    list_masked_models,
    model_note,
    name_model,
)
from ui.text import markdown_escaped

PRESET_NAMES = {"published": "As published", "proofreading": "Proofreading", "similarity": "Similarity"}

UNORDERED_SECONDS = 10.0

AT_THE_TOP = ("order", "context", "encoder", "distance", "masked_model")
"""The options at the top; the others follow in the order of ``OPTIONS``."""

SHOWN_AS = {"unordered": "unordered (exact)"}

READ_BY = {
    "encoder": "meaning of sentences",
    "word vectors": "meaning of words",
    "masked model": "expected words",
    "none": "letters",
}
"""Descriptions of what a distance compares, by what it reads."""

PRESET_TEXTS = {
    "published": "TTED as in the paper: all costs are added up. For maps that differ in many sentences, as "
    "generated maps do, and for scores to publish.",
    "proofreading": "For two versions of nearly the same map: emphasizes the largest differences, so that one "
    "wrong sentence shows beside many reworded ones. A metric.",
    "similarity": "For agreement with people's judgments of similarity: unrelated sentences are missing and extra "
    "instead of replaced. A metric.",
}

LONGEST_SEARCH = (OPTIONS["time_limit"].bounds or (0.0, math.inf))[1]
"""The largest time limit of a search, in seconds."""

GAP_ADDED, GAP_SAME = "added to its distance to the empty text", "the same for every sentence"

ORDER_TEXTS = {
    "ordered": "Siblings keep their order: moving one past another has a cost.",
    "unordered": "The distance that the paper defines: the order of siblings doesn't count, only which sentence "
    "is below which. Exact; proven optimal if the time limit allows.",
    "constrained": "The order of siblings doesn't count, and separate branches stay separate: two branches can't "
    "be merged into one.",
}


IN_SIGHT: dict[str, Callable[[str], str]] = {
    "encoder": encoder_note,
    "distance": lambda name: DISTANCES[name].note,
    "context": lambda name: CONTEXTS[name].note,
    "order": ORDER_TEXTS.__getitem__,
}
"""Options with a button of their own, and the note of each value."""

_OFFERED: dict[str, Callable[[], list[str]]] = {
    "encoder": list_encoders,
    "masked_model": list_masked_models,
}
"""Options whose values the operator offers."""

SHOWN_IF: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "masked_model": lambda chosen: DISTANCES[chosen["distance"]].reads == "masked model",
    "time_limit": lambda chosen: chosen["order"] == "unordered",
}
"""Options that matter only with certain values of others."""

ENCODER_KEPT = "encoder_kept"
"""Session key: True once the user chose the encoder, which then no longer follows the maps' language."""

FIRST_VALUES: dict[str, Any] = {"time_limit": UNORDERED_SECONDS}
"""First values of inputs that differ from the option's default."""

HOW: dict[str, dict[str, Any]] = {
    "encoder": {
        "format_func": label_model,
        "on_change": lambda: st.session_state.update({ENCODER_KEPT: True}),
    },
    "masked_model": {"format_func": label_model},
    "distance": {"format_func": lambda name: f"{name} · {READ_BY[DISTANCES[name].reads]}"},
    "depth": {"placeholder": "all levels"},
}
"""Arguments of an option's input that differ from those of others."""


BELOW: dict[str, Callable[[Any], object]] = {
    "masked_model": model_note,
    "gap": lambda _amount: st.selectbox(
        "This is", (GAP_ADDED, GAP_SAME), key="gap_kind", on_change=_name_preset, label_visibility="collapsed"
    ),
}
"""Notes below an option's input, drawn for its value."""


def options_fields() -> dict[str, Field]:
    """The sidebar's inputs by the options' names; "gap" has a second one, of its kind."""
    fields: dict[str, Field] = {}
    for name in (*AT_THE_TOP, *(name for name in OPTIONS if name not in AT_THE_TOP)):
        option, default = OPTIONS[name], FIRST_VALUES.get(name, getattr(Method, name))
        how = {"help": option.help, "on_change": _name_preset, **HOW.get(name, {})}
        if name == "gap":
            how |= dict(zip(("min_value", "max_value", "step"), option.bounds or (), strict=True))
            fields[name] = Field(
                "gap",
                gap_text(default),
                ("gap_amount", "gap_kind"),
                lambda text: gap_state(check_gap(text)),
                lambda state: gap_text(choose_gap(state) if "gap_amount" in state else Method.gap),
                option.label,
                "number_input",
                how,
                kept=False,
            )
        elif option.bounds:
            text = "" if default is None else option.text(default)
            fields[name] = amount(name, option.label, option.bounds, default=text, kept=False, **how)
        else:
            names = _OFFERED[name]() if name in _OFFERED else list(option.names or ())
            default = names[0] if name in _OFFERED else default
            how = {"format_func": lambda name: SHOWN_AS.get(name, name_model(name)), **how}
            fields[name] = choice(name, option.label, names, default, kept=False, **how)
    return fields


def options_link() -> tuple[Field, ...]:
    """The fields of ``sidebar``."""
    return tuple(options_fields().values())


def sidebar() -> Method:
    """Draw the options' buttons in the sidebar; return the method.

    Raises:
        TTEDError: no valid combination of options.
    """
    with st.sidebar, st.container(gap="xsmall", key="setting"):
        st.caption("Setting")
        return option_buttons()


def option_buttons() -> Method:
    """Draw a button for each of the main options, with its value, and one for the others; return the method.

    Raises:
        TTEDError: no valid combination of options.
    """
    _begin()
    state, fields, chosen = st.session_state, options_fields(), dict[str, Any]()
    for name in IN_SIGHT:
        field = fields.pop(name)
        for key, value in field.read(field.default).items():
            state.setdefault(key, value)
    for name, notes in IN_SIGHT.items():
        field = options_fields()[name]
        with st.popover(f"{field.label}: **{markdown_escaped(name_model(state[name]))}**"):
            values = field.how["options"]
            captions = [notes(value) for value in values]
            chosen[name] = replace(field, widget="radio").draw(sent=True, captions=captions)
    with st.popover(f"Preset: **{markdown_escaped(_preset_name())}**"):
        _draw_presets()
    with st.popover("More", help="Costs, power, depth and limits"):
        for name, field in fields.items():
            _draw_option(name, field, chosen)
    return _method(chosen)


def _begin() -> None:
    """Set the options to the first preset if they have no values, and name the preset that they are."""
    state = st.session_state
    for key, value in preset_state(DEFAULT_PRESET).items():
        state.setdefault(key, value)
    if "preset" not in state:
        _name_preset()
    state.preset = state.preset  # sent in every run, as ``Field.draw`` explains


def _draw_presets() -> None:
    st.radio(
        "Preset",
        list(PRESETS),
        key="preset",
        captions=[PRESET_TEXTS[name] for name in PRESETS],
        format_func=PRESET_NAMES.__getitem__,
        on_change=_apply_preset,
    )
    custom = "" if st.session_state.preset else "**Custom**: differs from all presets. "
    st.caption(
        f"{custom}A preset sets order, context, distance, cost of a missing sentence and power; the other "
        "options stay."
    )


def _draw_option(name: str, field: Field, chosen: dict[str, Any]) -> None:
    """Draw an option's input if it matters beside those chosen, and add its value to them."""
    if name not in SHOWN_IF or SHOWN_IF[name](chosen):
        chosen[name] = field.draw(sent=True)
        BELOW.get(name, lambda _value: None)(chosen[name])


def _method(chosen: Mapping[str, Any]) -> Method:
    state = st.session_state
    unread = {name: _OFFERED[name]()[0] for name in _OFFERED if name not in chosen}
    return Method(
        **{**unread, **chosen, "gap": choose_gap({name: state[name] for name in ("gap_amount", "gap_kind")})}
    )


def is_reset() -> bool:
    """Return True if the options are those of the paper, with the encoder that the maps' language chooses."""
    state = st.session_state
    return not state.get(ENCODER_KEPT) and all(
        state.get(key, value) == value
        for name, field in options_fields().items()
        if name not in _OFFERED
        for key, value in field.read(field.default).items()
    )


def reset() -> None:
    """Set all options to those of the paper; for a widget's callback."""
    for field in options_fields().values():
        st.session_state.update(field.read(field.default))
    st.session_state[ENCODER_KEPT] = False
    _name_preset()


def put_method(method: Method) -> None:
    """Set the options to those of a method; for a widget's callback."""
    st.session_state.update(inputs_of(method))
    _name_preset()


def _preset_name() -> str:
    """The preset's title, or how the options differ from the paper's: "custom (gap =0.4)"."""
    state = st.session_state
    if state.preset:
        return PRESET_NAMES[state.preset]
    published = preset_state(DEFAULT_PRESET)
    other = [
        f"{name} {str(state[name]).removesuffix('.0')}"
        for name in ("order", "context", "distance", "power")
        if state[name] != published[name]
    ]
    if any(state[name] != published[name] for name in ("gap_amount", "gap_kind")):
        other.append(f"gap {gap_text(choose_gap(state.to_dict()))}")
    return f"custom ({', '.join(other)})"


def choose_gap(state: Mapping[str, Any]) -> Gap:
    """The gap of the two inputs; "=0" would make all sentences free, and is read as 0."""
    amount = float(state["gap_amount"] or 0.0)
    return check_gap(f"={amount!r}") if state["gap_kind"] == GAP_SAME and amount else amount


def inputs_of(method: Method) -> dict[str, Any]:
    """The values of the sidebar's inputs for a method.

    Raises:
        UnknownNameError: this page doesn't offer the method's model.
    """
    read = method.record.model_option
    if read:
        offered = list_encoders() if read == "encoder" else list_masked_models()
        lookup(dict.fromkeys(offered), method.model, f"{read.replace('_', ' ')} on this page:")
    said = {name: getattr(method, name) for name in OPTIONS if name not in _OFFERED or name == read}
    seconds = said.pop("time_limit")
    if seconds is not None:
        said["time_limit"] = min(max(seconds, 1.0), LONGEST_SEARCH)
    return said | gap_state(said.pop("gap"))


def gap_state(gap: Gap) -> dict[str, Any]:
    """The values of the two inputs for a gap."""
    same = isinstance(gap, str)
    return {"gap_amount": float(str(gap).removeprefix("=")), "gap_kind": GAP_SAME if same else GAP_ADDED}


def preset_state(name: str) -> dict[str, Any]:
    """The values of the sidebar's inputs for a preset."""
    options = dict(PRESETS[name])
    gap = options.pop("gap")
    return {**options, **gap_state(gap)}


def take_preset(name: str) -> None:
    """Set the sidebar's inputs to a preset; call it before they are drawn, as in a callback."""
    st.session_state.update(preset_state(name))
    st.session_state.preset = name


def _apply_preset() -> None:
    if st.session_state.preset in PRESETS:  # a client that isn't a browser may send anything
        take_preset(st.session_state.preset)


def _name_preset() -> None:
    """Select the preset that has these options, if any."""
    st.session_state.preset = next(
        (
            name
            for name in PRESETS
            if all(st.session_state.get(key) == value for key, value in preset_state(name).items())
        ),
        None,
    )
