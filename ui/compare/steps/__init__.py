"""The step player: from the left map to the right one, one change at a time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from tted_core import Comparison
from tted_core.explain.mapping_view import MappingView
from tted_core.explain.steps import State, Step, Way
from tted_core.report.palette import STYLES
from tted_core.report.words import change_in_words
from tted_core.words.languages import language
from tted_core.words.splitting import word_diff
from ui.component import acknowledge, acknowledged, component, new_state
from ui.errors import show_errors

_steps = component(Path(__file__).parent, ("steps.js",), shared=("present.js", "player.js"))

ROWS_SENT = 3000
"""About so many rows are sent to the browser at once."""

NOTES: Mapping[str, str] = {
    "same": "kept",
    "reworded": "reworded",
    "moved": "moved",
    "merged": "merged",
    "split": "split off",
    "replaced": "replaced",
    "missing": "deleted",
    "extra": "inserted",
}
"""Labels of the sentences that a step changes, by status."""


@st.fragment
def step_player(comparison: Comparison) -> None:
    """Draw the player at its last step; at the beginning for another script."""
    with show_errors():  # a fragment may run without its page
        _draw(comparison)


def _draw(comparison: Comparison) -> None:
    state = st.session_state
    if state.get("steps-of") != comparison.script:
        state["steps-of"], state["step"] = comparison.script, 0
    wanted = new_state("steps", "wanted")
    if wanted:
        state["step"] = wanted[0]
        acknowledge("steps", wanted)
    way = Way(MappingView(comparison))
    step = min(state["step"], len(way.steps))
    _steps(
        data={
            "steps": step_names(way),
            "step": step,
            "frames": frames_around(way, step),
            "glyphs": {kind: style.glyph for kind, style in STYLES.items()},
            "picks": acknowledged("steps"),
        },
        key="steps",
        on_wanted_change=lambda: None,
    )


def step_names(way: Way) -> list[str]:
    """The options of the box "Go to": the left map, then each step with its sign and in words."""
    changes = [step.change for step in way.steps]
    words = (f"{STYLES[each.kind].glyph} {change_in_words(each, way.view.comparison)}" for each in changes)
    return ["Left map", *words]


def frames_around(way: Way, step: int) -> dict[int, dict[str, Any]]:
    """The frames at this step and some around it, by number: all, if the maps are small.

    So the player need not wait for each step.
    """
    nodes = sum(map(len, way.view.trees))
    reach = max(1, ROWS_SENT // (2 * nodes))
    left, right = (language(" ".join(tree.labels)) for tree in way.view.trees)
    return {
        count: {**frame(way, count), "lang": left if left == right else None}
        for count in range(max(0, step - reach), min(step + reach, len(way.steps)) + 1)
    }


def frame(way: Way, count: int) -> dict[str, Any]:
    """The tree after ``count`` steps, the last one in words, and the costs.

    ``rows`` are its sentences in preorder; those that the last step deleted are there too, marked ``gone``.
    """
    view, state = way.view, way.state(count)
    step = way.steps[count - 1] if count else None
    rows = _rows(way, state, count)
    if step:
        _mark(way, step, count, rows)
    unit = view.comparison.script.unit
    so_far, total = way.amount(count), way.amount(len(way.steps))
    return {
        "kind": step.change.kind if step else "",
        "words": change_in_words(step.change, view.comparison)
        if step
        else "The left map, before the first step",
        "cost": _cost(way, step) if step else "",
        "costs": f"{unit.name} so far {unit.text(so_far, 3)} of {unit.text(total, 3)}",
        "so_far": so_far,
        "total": total,
        "finished": count == len(way.steps),
        "rows": list(rows.values()),
    }


def _cost(way: Way, step: Step) -> str:
    """The amount of a step; a cost with its share of the distance, as in the list of changes."""
    unit = way.view.comparison.script.unit
    amount = f"{unit.name} {unit.text(unit.amount(step.change.cost))}"
    return f"{amount} · {step.share:.1%}" if unit.power == 1 else amount


def _rows(way: Way, state: State, count: int) -> dict[int, dict[str, Any]]:
    """The rows of a state by the numbers of their outcomes."""
    levels: list[int] = []
    for parent in state.parents:
        levels.append(1 if parent < 0 else levels[parent] + 1)
    return {
        number: {
            "id": number,
            "level": level,
            "kind": way.view.outcomes[number].status if way.done(number, count) else "",
            "parts": [[label, False]],
        }
        for number, level, label in zip(state.outcomes, levels, state.labels, strict=True)
    }


def _mark(way: Way, step: Step, count: int, rows: dict[int, dict[str, Any]]) -> None:
    """Mark the rows that the step changes, and restore those that it deletes."""
    left, right = (tree.labels for tree in way.view.trees)
    own = step.outcomes or (way.view.at[0][step.change.source or 0],)  # of a new context: the sentence itself
    gone = set(own) - rows.keys()
    if gone:
        before = _rows(way, way.state(count - 1), count - 1)
        now = dict(rows)
        rows.clear()
        kept = iter(now.items())
        for number, row in before.items():
            if number in gone:
                rows[number] = {**row, "kind": step.change.kind, "gone": True}
            else:
                rows.update([next(kept)])
        rows.update(kept)
    for number in own:
        each = way.view.outcomes[number]
        rows[number] |= {"current": True, "note": NOTES[each.status]}
        is_part = each.status in {"merged", "split"}
        if None in (each.source, each.target) or is_part:
            continue
        if left[each.source or 0] != right[each.target or 0]:
            parts = word_diff(left[each.source or 0], right[each.target or 0])[1]
            rows[number]["parts"] = [list(part) for part in parts]
