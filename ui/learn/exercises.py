"""Short exercises with checked answers: one by one, or on a sheet for each student of a class."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from tted_core import TextTree
from tted_core.errors import ToolError
from tted_core.foundations.tables import csv_text
from tted_core.learn.banks import gift
from tted_core.learn.exercises import EXERCISES, Answer, Exercise
from tted_core.learn.sheets import MOST, VARIANTS, class_variants, sheets_pdf
from tted_core.learn.tree_picture import tree_picture
from ui.comparisons import compare_button
from ui.fields import amount, choice
from ui.learn.attempts import (
    Attempt,
    Which,
    attempts,
    hint_key,
    posed_exercise,
    progress,
    show,
    table_of,
    take,
)
from ui.learn.shared import LETTERS, mapping, picture
from ui.learn.slides import slide
from ui.part import Part

VIEWS = {"one": "One by one", "sheet": "All on a sheet"}
NUMBERS = {name: number for number, name in enumerate(EXERCISES, 1)}

VIEW = choice(
    "exercise_view",
    "View",
    list(VIEWS),
    "one",
    widget="segmented_control",
    format_func=VIEWS.__getitem__,
    required=True,
    label_visibility="collapsed",
)
EXERCISE = choice(
    "exercise",
    "Exercise",
    list(EXERCISES),
    next(iter(EXERCISES)),
    format_func=lambda name: f"{NUMBERS[name]}. {EXERCISES[name].full_title}",
    width=250,
)
SEED = amount(
    "exercise_seed",
    "Variant",
    (0, VARIANTS - 1, 1),
    default="0",
    width=110,
    help="Another number gives other trees and numbers. A link to this page contains it.",
)
STUDENTS = amount("students", "Students", (1, MOST, 1), default="30", width=110)
CLASS = amount(
    "class_seed",
    "Class",
    (0, VARIANTS - 1, 1),
    default="0",
    width=110,
    help="Another number gives other variants. The same number gives the same variants; adding a student "
    "doesn't change the others'.",
)


def _draw() -> None:
    if VIEW.draw() == "sheet":
        _sheet()
        return
    with slide(1):
        _one()
    if found := attempts():
        _hand_in(found)


def _one() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-inputs"):
        name, seed = which = EXERCISE.draw(), int(SEED.draw())
        change, names = st.session_state.update, list(EXERCISES)
        st.button("Another like it", on_click=change, args=({SEED.name: (seed + 1) % VARIANTS},))
        following = names[(names.index(name) + 1) % len(names)]
        st.button("Next exercise", on_click=change, args=({EXERCISE.name: following},))
    posed = posed_exercise(which)
    _question(posed)
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-answer"):
        with st.form(f"answer-{name}-{seed}", border=False, width="content"):
            given = _answer(posed, f"given-{name}-{seed}")
            checked = st.form_submit_button("Check", type="primary")
        st.button("Hint", on_click=change, args=({hint_key(which): True},))
        st.button(
            "Show the answer",
            on_click=show,
            args=(which,),
            help="This ends the exercise: the answer no longer counts.",
        )
    if checked:
        _judge(posed, given, which)
    if hint_key(which) in st.session_state:
        st.info(EXERCISES[name].hint, icon=":material/lightbulb:")
    attempt = attempts().get(which)
    if attempt and attempt.shown:
        st.info(f"The answer is **{posed.solution}**. {posed.explanation}")
    if attempt and (attempt.shown or attempt.solved) and name in {"script", "distance"}:
        left, right = posed.trees
        compare_button(left, right, replace(LETTERS, order="ordered"), "exercise")


def _hand_in(found: Mapping[Which, Attempt]) -> None:
    st.caption(f"{progress(found)} It is not stored: save it before you leave.")
    with st.container(horizontal=True, vertical_alignment="bottom", key="hand-in"):
        name = st.text_input("Name", key="student", persist_state="page", width=250)
        st.download_button(
            "Save my answers",
            partial(table_of, found, name),
            file_name="answers.csv",
            mime="text/csv",
            on_click="ignore",
            help="A table to hand in: the questions, the variant, your first answers and if you found the "
            "right ones.",
        )


def _sheet() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="sheet-inputs"):
        seed = int(SEED.draw())
        answers = st.toggle("With answers", key="answers", persist_state="page")
        _pdf("This sheet (PDF)", "sheet", partial(sheets_pdf, [seed]))
        _pdf("Its solutions (PDF)", "solutions", partial(sheets_pdf, [seed], solutions=True))
    with st.expander("A variant for each student, or a question bank", key="sheet-class"):
        _class_set()
    for name, number in NUMBERS.items():
        posed = posed_exercise((name, seed))
        with slide(number), st.container(key=f"sheet-{name}"):
            st.markdown(f"#### {number}. {EXERCISES[name].full_title}")
            _question(posed)
            if posed.options:
                st.markdown("  \n".join(f"☐ {option}" for option in posed.options))
            st.markdown(
                f"**Answer: {posed.solution}.** {posed.explanation}"
                if answers
                else "Answer: ____________________"
            )


def _class_set() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="class-inputs"):
        count, seed = int(STUDENTS.draw()), int(CLASS.draw())
        variants = class_variants(seed, count)
        page = st.context.url or ""  # unknown when the file is made
        _pdf(f"{count} sheets (PDF)", f"class-{seed}-sheets", partial(sheets_pdf, variants))
        _pdf(
            "Their solutions (PDF)", f"class-{seed}-solutions", partial(sheets_pdf, variants, solutions=True)
        )
        st.download_button(
            "Their links (CSV)",
            lambda: links_csv(variants, page),
            file_name=f"class-{seed}-links.csv",
            mime="text/csv",
            on_click="ignore",
        )
        st.download_button(
            "Bank for Moodle (GIFT)",
            partial(gift, variants),
            file_name=f"bank-{seed}.gift.txt",
            mime="text/plain",
            on_click="ignore",
        )
    st.caption(
        "Each sheet has a line for the name and the number of its variant. A link opens the same exercises on "
        "this page, where students can save their answers for you. The bank has each exercise in as many "
        "variants, for Moodle."
    )


def _pdf(label: str, name: str, make: Callable[[], bytes]) -> None:
    st.download_button(
        label,
        partial(_in_own_process, make),
        file_name=f"{name}.pdf",
        mime="application/pdf",
        on_click="ignore",
        key=name,
    )


def _in_own_process(make: Callable[[], bytes]) -> bytes:
    """Call a module's function in a process of its own, since the typesetter can abort the process.

    Raises:
        ToolError: the process died.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        try:
            return process.submit(make).result()
        except BrokenProcessPool as error:
            raise ToolError("the sheets can't be typeset; save fewer of them in one file") from error


def links_csv(variants: Sequence[int], page: str) -> str:
    """A CSV file with a row for each student: the variant, and its link to the page of this address."""
    addresses = (urlencode({"part": "exercises", "exercise_seed": variant}) for variant in variants)
    rows = enumerate(zip(variants, addresses, strict=True), 1)
    header = ("student", "variant", "link")
    return csv_text(header, ((student, each, f"{page}?{query}") for student, (each, query) in rows))


def _question(posed: Exercise) -> None:
    """Draw the trees or their mappings, the table and the question."""
    dark = st.context.theme.type == "dark"
    titles = ("Left tree", "Right tree") if len(posed.trees) > 1 else ("The tree",)
    spoken = [_in_words(title, tree) for title, tree in zip(titles, posed.trees, strict=False)]
    with st.container(horizontal=True, gap="small" if posed.mappings else "large"):
        for title, words, tree in zip(titles, spoken, () if posed.mappings else posed.trees, strict=False):
            with st.container(width="content"):
                picture(tree_picture(tree, dark=dark, title=title, numbered=posed.numbered), words)
                if len(posed.trees) > 1:
                    st.caption(title)
        for index, pairs in enumerate(posed.mappings):
            with st.container(width="content"):
                if posed.is_choice_of_mappings:
                    st.markdown(f"**{posed.options[index]}**")
                title = f"Mapping {index + 1}: {posed.mapping_in_words(pairs)}"
                described = title if index else "; ".join((*spoken, title))
                mapping(posed.trees[0], posed.trees[1], pairs, described, numbered=True)
        if grid := posed.grid:
            (_, *columns), *rows = [[f"**{text}**" if text == "?" else text for text in row] for row in grid]
            st.table(
                pd.DataFrame([row[1:] for row in rows], [row[0] for row in rows], columns), width="content"
            )
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


def _judge(posed: Exercise, given: Answer | None, which: Which) -> None:
    if given is None or given == frozenset():
        st.info("Give an answer first.")
        return
    attempt = take(which, given)
    if not posed.is_right(given):
        st.error(f"Not quite. {EXERCISES[which[0]].hint}", icon=":material/close:")
    elif attempt.shown:
        st.info("This is the answer that was shown; it doesn't count.")
    else:
        st.success(f"Right. {posed.explanation}", icon=":material/check_circle:")


EXERCISE_PART = Part("Exercises", _draw, (VIEW, EXERCISE, SEED, STUDENTS, CLASS))
