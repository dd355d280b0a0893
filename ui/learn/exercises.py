"""Short exercises with checked answers, and sheets and a question bank for a class."""

from collections.abc import Callable
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import TextTree
from tted_core.foundations.child import run_in_child
from tted_core.learn.banks import gift
from tted_core.learn.exercise import Answer, Exercise
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.sheets import MOST_STUDENTS, VARIANTS, class_variants, sheets_pdf
from tted_core.learn.tree_picture import tree_picture
from ui.fields import amount, choice
from ui.learn.shared import is_dark, mapping, picture
from ui.learn.slides import slide
from ui.part import Part

EXERCISE = choice(
    "exercise",
    "Exercise",
    list(EXERCISES),
    next(iter(EXERCISES)),
    format_func=lambda name: f"{list(EXERCISES).index(name) + 1}. {EXERCISES[name].title}",
    width=250,
)
VARIANT = amount(
    "exercise_seed",
    "Variant",
    (0, VARIANTS - 1, 1),
    default="0",
    width=110,
    help="Another number gives other trees and numbers. A link to this page contains it.",
)
STUDENTS = amount("students", "Students", (1, MOST_STUDENTS, 1), default="30", width=110)
CLASS = amount(
    "class_seed",
    "Class",
    (0, VARIANTS - 1, 1),
    default="0",
    width=110,
    help="Another number gives other variants. The same number gives the same variants; adding a student "
    "doesn't change the others'.",
)


_FEWER = "save fewer of them in one file"
SHEETS_BYTES = 2_000_000_000


def _draw() -> None:
    with slide(1):
        _one()
    with st.expander("For a class: a sheet for each student, or a question bank", key="exercise-class"):
        _class()


def _one() -> None:
    """Draw the chosen exercise, and check an answer."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-inputs"):
        name, seed = EXERCISE.draw(), int(VARIANT.draw())
        change, names = st.session_state.update, list(EXERCISES)
        st.button("Another like it", on_click=change, args=({VARIANT.name: (seed + 1) % VARIANTS},))
        following = names[(names.index(name) + 1) % len(names)]
        st.button("Next exercise", on_click=change, args=({EXERCISE.name: following},))
    posed, hint = exercise(name, seed), EXERCISES[name].hint
    _question(posed)
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-answer"):
        with st.form(f"answer-{name}-{seed}", border=False, width="content"):
            given = _answer(posed, f"given-{name}-{seed}")
            checked = st.form_submit_button("Check", type="primary")
        hinted = st.button("Hint")
        shown = st.button("Show the answer")
    if hinted:
        st.info(hint, icon=":material/lightbulb:")
    elif shown:
        st.info(f"The answer is **{posed.solution}**. {posed.explanation}")
    elif checked and not given and given != 0:
        st.info("Give an answer first.")
    elif checked and given is not None and posed.is_right(given):
        st.success(f"Right. {posed.explanation}", icon=":material/check_circle:")
    elif checked:
        st.error(f"Not quite. {hint}", icon=":material/close:")


def _class() -> None:
    """Draw the downloads for a class."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="class-inputs"):
        count, seed = int(STUDENTS.draw()), int(CLASS.draw())
        variants = class_variants(seed, count)
        for label, solutions, name in (("Sheets", False, ""), ("Solutions", True, "-solutions")):
            make = partial(sheets_pdf, variants, solutions=solutions)
            # The typesetter can abort its process.
            pdf = partial(run_in_child, make, "typesetting the sheets", _FEWER, most_bytes=SHEETS_BYTES)
            _download(f"{label} (PDF)", pdf, f"class-{seed}{name}.pdf")
        _download("Bank for Moodle (GIFT)", partial(gift, variants), f"bank-{seed}.gift.txt")
    st.caption(
        "Each sheet has a line for the name and the number of its variant. The bank has each exercise in as many "
        "variants."
    )


def _download(label: str, make: Callable[[], str | bytes], file: str) -> None:
    st.download_button(label, make, file_name=file, on_click="ignore", key=file)


def _question(posed: Exercise) -> None:
    """Draw the trees or their mappings, the table and the question."""
    titles = ("Left tree", "Right tree") if len(posed.trees) > 1 else ("The tree",)
    spoken = [_in_words(title, tree) for title, tree in zip(titles, posed.trees, strict=False)]
    with st.container(horizontal=True, gap="small" if posed.mappings else "large"):
        for title, words, tree in zip(titles, spoken, () if posed.mappings else posed.trees, strict=False):
            with st.container(width="content"):
                picture(tree_picture((tree,), dark=is_dark(), title=title, numbered=posed.numbered), words)
                if len(posed.trees) > 1:
                    st.caption(title)
        for index, pairs in enumerate(posed.mappings):
            with st.container(width="content"):
                if posed.is_choice_of_mappings:
                    st.markdown(f"**{posed.options[index]}**")
                title = f"Mapping {index + 1}: {posed.mapping_in_words(pairs)}"
                described = title if index else "; ".join((*spoken, title))
                mapping(posed.trees[0], posed.trees[1], pairs, described, numbered=True)
        if posed.grid:
            shown = [[f"**{text}**" if text == "?" else text for text in row] for row in posed.grid]
            table = pd.DataFrame(shown[1:], columns=shown[0])
            st.table(table.set_index(""), width="content")
    st.markdown(posed.question)


def _in_words(title: str, tree: TextTree) -> str:
    """Description of a tree for screen readers."""
    below = zip(tree.labels[1:], tree.parents[1:], strict=True)
    nodes = (f"{label} below {tree.labels[parent]}" for label, parent in below)
    return ", ".join((f"{title}: root {tree.labels[0]}", *nodes))


def _answer(posed: Exercise, key: str) -> Answer | None:
    indices, words = range(len(posed.options)), posed.options.__getitem__
    if posed.many:
        return frozenset(st.pills("Your answer", indices, selection_mode="multi", format_func=words, key=key))
    if posed.options:
        one = st.radio(
            "Your answer",
            indices,
            index=None,
            format_func=words,
            key=key,
            horizontal=posed.is_choice_of_mappings,
        )
        return None if one is None else frozenset({one})
    return st.number_input("Your answer", value=None, step=None, format="%.4g", key=key, width=200)


EXERCISE_PART = Part("Exercises", _draw, (EXERCISE, VARIANT, STUDENTS, CLASS))
