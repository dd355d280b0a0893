"""The step player: from the left map to the right one, one change at a time."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from tted_core import Comparison
from tted_core.explain.steps import StepSequence
from tted_core.explanation import Change, Sentence
from tted_core.matching.records import PARTS
from tted_core.report.palette import STYLES
from tted_core.report.words import change_in_words
from tted_core.words.languages import language
from tted_core.words.splitting import word_diff
from ui.component import acknowledge, component, new_state, read_acknowledged
from ui.errors import show_errors
from ui.mapping.view import explain_comparison

_steps = component(Path(__file__).parent, ("steps.js",), shared=("present.js", "player.js"))

ROWS_SENT = 1000
"""About so many rows are sent to the browser at once."""

NOTES: Mapping[str, str] = {
    "same": "kept",
    "reworded": "reworded",
    "moved": "moved",
    "merged": "merged",
    "split": "split off",
    "missing": "deleted",
    "extra": "inserted",
}
"""Labels of the sentences that a step changes, by status."""


@st.fragment
def step_player(comparison: Comparison) -> None:
    """Draw the player at its last step; at the beginning for another script."""
    with show_errors():  # a fragment may run without its page
        state = st.session_state
        if state.get("steps-of") != comparison.script:
            state["steps-of"], state["step"] = comparison.script, 0
        wanted = new_state("steps", "wanted")
        if wanted:
            state["step"] = wanted[0]
            acknowledge("steps", wanted)
        way = StepSequence(explain_comparison(comparison))
        step = min(state["step"], len(way.steps))
        _steps(
            data={
                "steps": step_names(way),
                "step": step,
                "frames": frames_around(way, step),
                "glyphs": {kind: style.glyph for kind, style in STYLES.items()},
                "picks": read_acknowledged("steps"),
            },
            key="steps",
            on_wanted_change=lambda: None,
        )


def step_names(way: StepSequence) -> list[str]:
    """The options of the box "Go to": the left map, then each step with its sign and in words."""
    return ["Left map", *(f"{STYLES[each.kind].glyph} {change_in_words(each)}" for each in way.steps)]


def frames_around(way: StepSequence, step: int) -> dict[int, dict[str, Any]]:
    """The frames at this step and some around it, by number, so that the player need not wait for each step."""
    nodes = sum(map(len, way.explanation.trees))
    reach = max(1, ROWS_SENT // (2 * nodes))
    left, right = (language(" ".join(tree.labels)) for tree in way.explanation.trees)
    return {
        count: {**frame(way, count), "lang": left if left == right else None}
        for count in range(max(0, step - reach), min(step + reach, len(way.steps)) + 1)
    }


def frame(way: StepSequence, count: int) -> dict[str, Any]:
    """The tree after ``count`` steps, the last one in words, and the costs.

    ``rows`` are its sentences in preorder; those that the last step deleted are there too, marked ``gone``.
    """
    step = way.steps[count - 1] if count else None
    rows = _rows(way, count)
    if step:
        _mark(way, step, count, rows)
    unit = way.explanation.comparison.script.unit
    so_far, total = way.amount(count), way.amount(len(way.steps))
    return {
        "kind": step.kind if step else "",
        "words": change_in_words(step) if step else "The left map, before the first step",
        "cost": _cost(way, step) if step else "",
        "costs": f"{unit.name} so far {unit.text(so_far, 3)} of {unit.text(total, 3)}",
        "so_far": so_far,
        "total": total,
        "finished": count == len(way.steps),
        "rows": list(rows.values()),
    }


def _cost(way: StepSequence, step: Change) -> str:
    """The amount of a step; a cost with its share of the distance, as in the list of changes."""
    unit = way.explanation.comparison.script.unit
    amount = f"{unit.name} {unit.text(unit.amount(step.cost))}"
    return f"{amount} · {step.share:.1%}" if unit.power == 1 else amount


def _rows(way: StepSequence, count: int) -> dict[Sentence, dict[str, Any]]:
    """The rows of the tree after ``count`` steps by their sentences."""
    return {
        each.sentence: {
            "id": each.sentence.number,
            "level": each.level,
            "kind": each.sentence.status if way.is_done(each.sentence, count) else "",
            "parts": [[each.label, False]],
        }
        for each in way.state(count)
    }


def _mark(way: StepSequence, step: Change, count: int, rows: dict[Sentence, dict[str, Any]]) -> None:
    """Mark the rows that the step changes, and restore those that it deletes."""
    own = step.sentences or [step.top]  # of a new context: the sentence itself
    if gone := set(own) - rows.keys():
        before = _rows(way, count - 1)
        now = dict(rows)
        rows.clear()
        kept = iter(now.items())
        for sentence, row in before.items():
            if sentence in gone:
                rows[sentence] = {**row, "kind": step.kind, "gone": True}
            else:
                rows.update([next(kept)])
        rows.update(kept)
    for sentence in own:
        rows[sentence] |= {"current": True, "note": NOTES[sentence.status]}
        left, right = sentence.nodes
        if left and right and sentence.status not in PARTS and not sentence.is_verbatim:
            rows[sentence]["parts"] = [list(part) for part in word_diff(left.label, right.label)[1]]
