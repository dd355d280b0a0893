"""Which rows of a batch are looked at, and in which order."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from tted_core.batch.controls import CONTROLS
from tted_core.batch.results import AS_GIVEN, SHOWN, Results, RowNumbers, View, worst_is_largest
from tted_core.method import Method
from ui.fields import Field, amount, choice, field_of, words
from ui.permalink import number

TABS = {"maps": "Maps", "ranking": "Ranking", "pairs": "Pairs", "edits": "Edits", "export": "Export"}
"""The tabs that are about one comparison, by their names in the address."""

TAB = "evaluate"
"""The session key of the open one."""

FIRST = ("worst", "best")
LARGEST = 1e12


def unlinked(field: Field) -> Field:
    """The same, of which no address tells: the results that it is about are in no link."""
    return replace(field, read=lambda _text: field.read(field.default), write=lambda _state: None)


BOUNDS = (-LARGEST, LARGEST, 0.01)
OF_SCORES: dict[str, Any] = {"width": 130, "placeholder": "any", "format": "%g"}
VIEW: dict[str, Field] = {
    field.name: unlinked(field)
    for field in (
        field_of(
            number("setting", int, 1, 100_000, default="1", key="evaluate-setting"),
            "Setting",
            "selectbox",
            width=320,
        ),
        choice("by", "Sort by", None, View().by, key="evaluate-by", width=180),
        choice(
            "first",
            "Begin with",
            FIRST,
            FIRST[0],
            key="evaluate-first",
            format_func=lambda first: f"the {first}",
            width=130,
        ),
        choice("show", "Show", SHOWN, View().shown, key="evaluate-show", width=170),
        amount("low", "From", BOUNDS, key="evaluate-low", **OF_SCORES),
        amount("high", "To", BOUNDS, key="evaluate-high", **OF_SCORES),
        words(
            "find",
            "Find",
            "",
            widget="text_input",
            key="evaluate-find",
            placeholder="id, map, notice, error",
            width=200,
        ),
    )
}
"""The inputs of a view."""


def chosen_view() -> View:
    """What the inputs say."""
    state, start = st.session_state, View()
    return View(
        (state.get("evaluate-setting") or 1) - 1,
        state.get("evaluate-by") or start.by,
        state.get("evaluate-first") == FIRST[1],
        state.get("evaluate-find") or "",
        state.get("evaluate-show") or start.shown,
        state.get("evaluate-low"),
        state.get("evaluate-high"),
    )


def listed_rows(results: Results, view: View) -> RowNumbers:
    """The rows that a view shows, without those of controls, which nobody has made.

    Raises:
        UnknownNameError: there is no such score or setting.
    """
    rows = results.rows(view)
    if "system" not in results.table.column_names:
        return rows
    systems = results.page(rows, ["system"])["system"]
    return rows[[system not in CONTROLS for system in systems]]


def setting_in_words(setting: Mapping[str, Any]) -> str:
    """The options of a batch's setting, and the preset that they amount to."""
    preset = Method.of_columns(setting).preset
    words = [f"preset {preset}"] if preset else []
    words += [str(setting[name]) for name in ("encoder", "distance", "order") if setting[name] != "none"]
    words += [f"context {setting['context']}"] if setting["context"] != "none" else []
    words += [f"gap {setting['gap']}", f"power {setting['power']:g}"]
    return ", ".join(words + ([f"k {setting['depth']}"] if setting["depth"] else []))


def order_in_words(view: View) -> str:
    """What comes first."""
    if view.by == AS_GIVEN:
        return "from the last to the first" if view.best_first else AS_GIVEN
    end = "largest" if worst_is_largest(view.by) != view.best_first else "smallest"
    return f"{FIRST[view.best_first]} first ({end} {view.by})"
