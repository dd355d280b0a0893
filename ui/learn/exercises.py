"""Short exercises with checked answers; the command makes sheets and a question bank of them for a class."""

import pandas as pd
import streamlit as st

from tted_core import TextTree
from tted_core.learn.exercise import Exercise, ExerciseAnswer
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.handouts import VARIANTS
from tted_core.learn.tree_picture import tree_picture
from ui.fields import amount, choice
from ui.learn.lesson import draw_svg, draw_trees, is_dark, slide
from ui.page import PagePart

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


def _draw() -> None:
    with slide(1):
        _draw_exercise()
    st.caption(
        "For a class, the command `tted exercises` makes sheets with solutions, or a question bank for Moodle."
    )


def _draw_exercise() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-inputs"):
        name, seed = EXERCISE.draw(), int(VARIANT.draw())
        change, names = st.session_state.update, list(EXERCISES)
        st.button("Another like it", on_click=change, args=({VARIANT.name: (seed + 1) % VARIANTS},))
        following = names[(names.index(name) + 1) % len(names)]
        st.button("Next exercise", on_click=change, args=({EXERCISE.name: following},))
    posed, hint = exercise(name, seed), EXERCISES[name].hint
    _draw_question(posed)
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-answer"):
        with (
            st.form(f"answer-{name}-{seed}", border=False, width="content"),
            st.container(horizontal=True, vertical_alignment="bottom"),
        ):
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


def _draw_question(posed: Exercise) -> None:
    titles = ("Left tree", "Right tree") if len(posed.trees) > 1 else ("The tree",)
    spoken = [_in_words(title, tree) for title, tree in zip(titles, posed.trees, strict=False)]
    with st.container(horizontal=True, gap="small" if posed.mappings else "large"):
        for title, words, tree in zip(titles, spoken, () if posed.mappings else posed.trees, strict=False):
            with st.container(width="content"):
                draw_svg(tree_picture((tree,), dark=is_dark(), title=title, numbered=posed.numbered), words)
                if len(posed.trees) > 1:
                    st.caption(title)
        for index, pairs in enumerate(posed.mappings):
            with st.container(width="content"):
                if posed.is_choice_of_mappings:
                    st.markdown(f"**{posed.options[index]}**")
                title = f"Mapping {index + 1}: {posed.mapping_in_words(pairs)}"
                described = title if index else "; ".join((*spoken, title))
                draw_trees(posed.trees[0], posed.trees[1], pairs, described, numbered=True)
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


def _answer(posed: Exercise, key: str) -> ExerciseAnswer | None:
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


EXERCISE_PART = PagePart("Exercises", _draw, (EXERCISE, VARIANT))
