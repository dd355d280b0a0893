"""Which rows of a batch are looked at, and in which order, on the Evaluate page and in a walk through pairs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from tted_core.batch.functions import CONTROLS
from tted_core.batch.results import AS_GIVEN, SHOWN, Results, RowNumbers, View, worst_is_largest
from tted_core.method import Method
from ui.fields import Field, amount, choice, field_of, words
from ui.many.kept_batches import OWN, Batch, batch_at, is_kept, results_of
from ui.permalink import Parameter, number

TABS = {"maps": "Maps", "ranking": "Ranking", "pairs": "Pairs", "edits": "Edits", "export": "Export"}
"""The tabs of the Evaluate page that are about one comparison, by their names in its address."""

TAB = "evaluate"
"""The session key of the open one."""

FIRST = ("worst", "best")
LARGEST = 1e12

VIEW_KEYS = ("setting", "by", "first", "show", "find", "low", "high")


def place_parameter(prefix: str) -> Parameter:
    """Which batch it is: its token, or a folder that the server offers."""
    key = f"{prefix}-place"

    def read(text: str) -> dict[str, Any]:
        return {key: batch_at(text).place if text else ""}

    def write(state: Mapping[str, Any]) -> str | None:
        place = str(state.get(key) or "")
        return None if place.startswith(OWN) and not is_kept() else place

    return Parameter("batch", "", (key,), read, write, loss="it isn't opened")


def view_fields(prefix: str) -> dict[str, Field]:
    """The inputs of a view; the keys of its widgets begin with the prefix."""
    start, keys = View(), {name: f"{prefix}-{name}" for name in VIEW_KEYS}
    bounds = (-LARGEST, LARGEST, 0.01)
    of_scores: Any = {"width": 130, "placeholder": "any", "format": "%g"}
    fields = (
        field_of(
            number("setting", int, 1, 100_000, default="1", key=keys["setting"]),
            "Setting",
            "selectbox",
            width=320,
        ),
        choice("by", "Sort by", None, start.by, key=keys["by"], width=180),
        choice(
            "first",
            "Begin with",
            FIRST,
            FIRST[0],
            key=keys["first"],
            format_func=lambda first: f"the {first}",
            width=130,
        ),
        choice("show", "Show", SHOWN, start.shown, key=keys["show"], width=170),
        amount("low", "From", bounds, key=keys["low"], **of_scores),
        amount("high", "To", bounds, key=keys["high"], **of_scores),
        words(
            "find",
            "Find",
            "",
            widget="text_input",
            key=keys["find"],
            placeholder="id, map, notice, error",
            width=200,
        ),
    )
    return {field.name: _unsaid(field) for field in fields}


def view_in(prefix: str) -> View:
    """What the widgets with these keys say."""
    state, start = st.session_state, View()
    return View(
        (state.get(f"{prefix}-setting") or 1) - 1,
        state.get(f"{prefix}-by") or start.by,
        state.get(f"{prefix}-first") == FIRST[1],
        state.get(f"{prefix}-find") or "",
        state.get(f"{prefix}-show") or start.shown,
        state.get(f"{prefix}-low"),
        state.get(f"{prefix}-high"),
    )


def copied_view(source: str, target: str) -> dict[str, Any]:
    """The values of one page's widgets of a view for those of another."""
    return {f"{target}-{name}": st.session_state.get(f"{source}-{name}") for name in VIEW_KEYS}


def rows_of(batch: Batch, view: View) -> tuple[Results, RowNumbers]:
    """The results of a batch, and the rows that a view shows.

    Raises:
        TTEDError: there are none, or no such score or setting.
    """
    results = results_of(batch)
    return results, listed_rows(results, view)


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


def _unsaid(field: Field) -> Field:
    """The same, unsaid where it is as at the beginning: on the Compare page there is seldom a batch to view."""

    def write(state: Mapping[str, Any]) -> str:
        text = field.write(state) or ""
        return "" if text == field.default else text

    def read(text: str) -> dict[str, Any]:
        return field.read(text or field.default)

    return replace(field, default="", read=read, write=write)
