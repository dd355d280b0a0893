"""A student's answers, kept while the page is open and downloaded as a table."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from tted_core.foundations.tables import csv_text
from tted_core.learn.exercises import EXERCISES, Answer, Exercise, exercise
from ui.text import plural


@dataclass
class Attempt:
    """The answers to one exercise; those after the solution was ``shown`` don't count."""

    first: str
    first_right: bool
    tries: int = 0
    hint: bool = False
    solved: bool = False
    shown: bool = False


Which = tuple[str, int]  # a kind of exercise, and its variant


def posed_exercise(which: Which) -> Exercise:
    """The exercise of this kind that the variant's number gives."""
    return exercise(*which)


def attempts() -> dict[Which, Attempt]:
    """Attempts by exercise, in the order of the first answers; those whose solution was shown, too."""
    kept: dict[Which, Attempt] = st.session_state.setdefault("attempts", {})
    return kept


def hint_key(which: Which) -> str:
    """Session key that exists once a hint was requested."""
    return "hint-{}-{}".format(*which)


def take(which: Which, given: Answer) -> Attempt:
    """Record an answer."""
    posed = posed_exercise(which)
    right = posed.is_right(given)
    attempt = attempts().setdefault(which, Attempt(posed.written(given), right))
    attempt.tries += 1
    attempt.hint |= not right or hint_key(which) in st.session_state  # a wrong answer brings it
    attempt.solved |= right and not attempt.shown
    return attempt


def show(which: Which) -> None:
    """Record that the solution is shown; for a widget's callback."""
    attempt = attempts().setdefault(which, Attempt("", first_right=False))
    attempt.shown |= not attempt.solved


def progress(found: Mapping[Which, Attempt]) -> str:
    """The numbers of exercises that were solved, in a sentence."""
    solved, at_once = (
        sum(getattr(each, name) for each in found.values()) for name in ("solved", "first_right")
    )
    return f"{solved} of {plural(len(found), 'exercise')} solved, {at_once} with the first answer."


def table_of(found: Mapping[Which, Attempt], name: str) -> str:
    """Answers as CSV, with all that a lecturer needs to mark them.

    The solution is only given for finished exercises, as the file can be saved before the last try.
    """
    rows = []
    for (kind, variant), each in found.items():
        posed = exercise(kind, variant)
        rows.append(
            {
                "name": name,
                "variant": variant,
                "exercise": list(EXERCISES).index(kind) + 1,
                "kind": kind,
                "question": posed.question.replace("**", ""),
                "first answer": each.first,
                "first answer right": each.first_right,
                "answers": each.tries,
                "hint": each.hint,
                "solved": each.solved,
                "answer shown": each.shown,
                "right answer": posed.solution if each.solved or each.shown else "",
            }
        )
    return csv_text(rows[0] if rows else (), (row.values() for row in rows))
