"""The setting: one line in the sidebar, and behind its button the presets and the options, each explained."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from tted_core.arithmetic import Gap, checked_gap, gap_text
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.foundations.registry import lookup
from tted_core.method import DEFAULT_PRESET, OPTIONS, PRESETS, Method
from ui.executor import max_seconds
from ui.fields import Field, amount, choice, field_of
from ui.model_choice import (
    labelled_model,
    model_note,
    offered_encoders,
    offered_masked_models,
    shown_model,
)
from ui.permalink import Parameter
from ui.text import markdown_escaped, plural

PRESET_NAMES = {"published": "As published", "proofreading": "Proofreading", "similarity": "Similarity"}

UNORDERED_SECONDS = 10.0

FIRST = ("order", "context", "encoder", "distance", "masked_model")
"""The options at the top; others follow in their own order."""

SHOWN_AS = {"unordered": "unordered (exact)"}

READ_BY = {
    "encoder": "meaning of sentences",
    "word vectors": "meaning of words",
    "masked model": "expected words",
    "none": "letters",
}
"""By what a distance holds two sentences apart, by what it reads."""

PRESET_TEXTS = {
    "published": "TTED as in the paper: all costs are added up. For maps that differ in many places, as generated "
    "maps do, and for scores to publish.",
    "proofreading": "For two versions of nearly the same map: emphasizes the largest differences, so that one "
    "wrong sentence shows beside many reworded ones. A metric.",
    "similarity": "For how alike people find two maps: unrelated sentences are missing and extra instead of "
    "replaced. A metric.",
}

NAMED_BY_PRESETS = tuple(PRESETS[DEFAULT_PRESET])

NAMED_IN_WORDS = "order, context, distance, cost of a missing sentence and power"

LONGEST = (OPTIONS["time_limit"].bounds or (0.0, math.inf))[1]
"""The most seconds that a visitor may give to a search."""

GAP_ADDED, GAP_SAME = "added to its distance to the empty text", "the same for every sentence"

ORDER_TEXTS = {
    "ordered": "Siblings keep their order: moving one past another has a cost.",
    "unordered": "The distance that the paper defines: the order of siblings doesn't count, only which sentence "
    "stands below which. Exact; proven optimal if the time limit allows.",
    "constrained": "The order of siblings doesn't count, and separate branches stay separate: two branches can't "
    "be merged into one.",
}


OFFERED: dict[str, Callable[[], list[str]]] = {
    "encoder": offered_encoders,
    "masked_model": offered_masked_models,
}
"""Options of which a visitor may choose what the operator offers."""

SHOWN_IF: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "masked_model": lambda chosen: DISTANCES[chosen["distance"]].reads == "masked model",
    "time_limit": lambda chosen: chosen["order"] == "unordered",
}
"""Options that count under others only."""

ENCODER_KEPT = "encoder_kept"
"""In the session: whether a visitor chose the encoder, which then stays whatever language the maps are in."""

START: dict[str, Any] = {"time_limit": UNORDERED_SECONDS}
"""What an input says at first where that isn't the default of the option."""


def kind_of_gap(prefix: str = "", place: Any = st, **how: Any) -> str:
    """Draw the other input of ``gap_parameter``: how its amount counts."""
    return str(place.selectbox("This is", (GAP_ADDED, GAP_SAME), key=f"{prefix}gap_kind", **how))


def _most_seconds(_seconds: float) -> None:
    if max_seconds() < LONGEST:
        st.caption(f"This server gives {max_seconds():g} seconds at most to each computation.")


BELOW: dict[str, Callable[[Any], object]] = {
    "order": lambda name: _said(ORDER_TEXTS[name]),
    "context": lambda name: _said(CONTEXTS[name].note),
    "distance": lambda name: _said(DISTANCES[name].note),
    "encoder": model_note,
    "masked_model": model_note,
    "gap": lambda _amount: kind_of_gap(on_change=_name_preset, label_visibility="collapsed"),
    "time_limit": _most_seconds,
}
"""What stands below an input, by what it says."""


def _said(text: str) -> None:
    st.caption(text)


def _shown(name: str) -> str:
    return SHOWN_AS.get(name, shown_model(name))


def options_fields() -> dict[str, Field]:
    """The sidebar's inputs by the options' names; "gap" has another one beside it, of what its amount is."""
    fields: dict[str, Field] = {}
    for name in (*FIRST, *(name for name in OPTIONS if name not in FIRST)):
        option, default = OPTIONS[name], getattr(Method, name)
        how: dict[str, Any] = {"help": option.help, "kept": False, "on_change": _name_preset}
        if name == "encoder":
            how["on_change"] = _keep_encoder
        if name in OFFERED:
            how["format_func"] = labelled_model
        if name == "distance":
            how["format_func"] = lambda each: f"{each} · {READ_BY[DISTANCES[each].reads]}"
        if name == "depth":
            how["placeholder"] = "all levels"
        if name == "gap":
            how |= dict(zip(("min_value", "max_value", "step"), option.bounds or (), strict=True))
            fields[name] = field_of(gap_parameter(), option.label, "number_input", **how)
        elif option.bounds:
            shown = option.text(START.get(name, default)) if START.get(name, default) is not None else ""
            fields[name] = amount(name, option.label, option.bounds, default=shown, **how)
        else:
            names = OFFERED[name]() if name in OFFERED else list(option.names or ())
            first = names[0] if name in OFFERED else default
            fields[name] = choice(name, option.label, names, first, **{"format_func": _shown, **how})
    return fields


def options_link() -> Sequence[Parameter]:
    """The parameters of ``sidebar``."""
    return tuple(options_fields().values())


def sidebar() -> Method:
    """Draw the line that names the setting, with the options behind its button, and return what they say.

    Raises:
        TTEDError: options that don't go together.
    """
    for key, value in preset_state(DEFAULT_PRESET).items():
        st.session_state.setdefault(key, value)
    if "preset" not in st.session_state:
        _name_preset()
    with st.sidebar, st.container(horizontal=True, vertical_alignment="center", gap="small", key="setting"):
        line = st.empty()
        with st.popover(
            "Change…", type="tertiary", help="Order, context, encoder, distance, costs and depth"
        ):
            chosen = _options()
    amount_and_kind = {key: st.session_state[key] for key in ("gap_amount", "gap_kind")}
    unread = {name: OFFERED[name]()[0] for name in OFFERED if name not in chosen}
    line.markdown(f"Setting: **{markdown_escaped(_setting_name(chosen))}**", width="content")
    return Method(**{**unread, **chosen, "gap": chosen_gap(amount_and_kind)})


def _options() -> dict[str, Any]:
    """Draw the presets and the options; gives what the options say, without the gap's kind."""
    st.radio(
        "Preset",
        list(PRESETS),
        key="preset",
        captions=[PRESET_TEXTS[name] for name in PRESETS],
        format_func=PRESET_NAMES.__getitem__,
        on_change=_apply_preset,
    )
    about = st.empty()
    chosen: dict[str, Any] = {}
    for name, field in options_fields().items():
        if name in SHOWN_IF and not SHOWN_IF[name](chosen):
            continue
        chosen[name] = field.draw()
        if name in BELOW:
            BELOW[name](chosen[name])
    left = ", ".join(_said_of(name, value) for name, value in chosen.items() if name not in NAMED_BY_PRESETS)
    custom = "" if st.session_state.preset else "**Custom**: changed from the presets. "
    about.caption(f"{custom}A preset sets {NAMED_IN_WORDS}; it leaves {markdown_escaped(left)} as is.")
    return chosen


def _said_of(name: str, value: Any) -> str:
    shown = "all levels" if value is None else _shown(str(value)) if name in OFFERED else f"{value}"
    return f"the {OPTIONS[name].label.lower()} ({shown})"


def _setting_name(chosen: Mapping[str, Any]) -> str:
    """The setting in a line: "As published · minilm", and the levels if not all are compared."""
    model = DISTANCES[chosen["distance"]].model_of(
        encoder=chosen["encoder"], masked_model=chosen.get("masked_model")
    )
    parts = [
        PRESET_NAMES.get(st.session_state.preset, "Custom"),
        shown_model(model) if model else chosen["distance"],
    ]
    if chosen["depth"] is not None:
        parts.append(plural(chosen["depth"], "level"))
    return " · ".join(parts)


def gap_parameter(prefix: str = "", default: Gap = Method.gap) -> Parameter:
    """What a missing sentence costs, as a signature has it; ``prefix`` begins its name and its inputs' keys."""
    amount, kind = (f"{prefix}{key}" for key in ("gap_amount", "gap_kind"))

    def write(state: Mapping[str, Any]) -> str:
        if amount not in state:
            return gap_text(default)
        return gap_text(chosen_gap({"gap_amount": state[amount], "gap_kind": state[kind]}))

    return Parameter(
        f"{prefix}gap",
        gap_text(default),
        (amount, kind),
        lambda text: {f"{prefix}{key}": value for key, value in gap_state(checked_gap(text)).items()},
        write,
    )


def chosen_gap(state: Mapping[str, Any]) -> Gap:
    """The gap that the two inputs say; "=0" would let no sentence cost anything, and is taken for 0."""
    amount = float(state["gap_amount"] or 0.0)
    return checked_gap(f"={amount!r}") if state["gap_kind"] == GAP_SAME and amount else amount


def inputs_of(method: Method) -> dict[str, Any]:
    """What the sidebar's inputs say for a method.

    Raises:
        UnknownNameError: this page doesn't offer the model that it reads.
    """
    known = method.record.model_of(
        encoder=("encoder", offered_encoders()), masked_model=("masked model", offered_masked_models())
    )
    if known:
        lookup(dict.fromkeys(known[1]), method.model, f"{known[0]} on this page:")
    read = method.record.model_of(encoder="encoder", masked_model="masked_model")
    said = {name: getattr(method, name) for name in OPTIONS if name not in OFFERED or name == read}
    seconds = said.pop("time_limit")
    if seconds is not None:
        said["time_limit"] = min(max(seconds, 1.0), LONGEST)
    return said | gap_state(said.pop("gap"))


def gap_state(gap: Gap) -> dict[str, Any]:
    """What the two inputs are for this gap."""
    same = isinstance(gap, str)
    return {"gap_amount": float(str(gap).removeprefix("=")), "gap_kind": GAP_SAME if same else GAP_ADDED}


def preset_state(name: str) -> dict[str, Any]:
    """What the sidebar's inputs are for this preset."""
    options = dict(PRESETS[name])
    gap = options.pop("gap")
    return {**options, **gap_state(gap)}


def take_preset(name: str) -> None:
    """Set the sidebar's inputs to a preset; to be called before they are drawn, as in a callback."""
    st.session_state.update(preset_state(name))
    st.session_state.preset = name


def _keep_encoder() -> None:
    st.session_state[ENCODER_KEPT] = True


def _apply_preset() -> None:
    if st.session_state.preset in PRESETS:  # a visitor without a browser may send anything
        take_preset(st.session_state.preset)


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
