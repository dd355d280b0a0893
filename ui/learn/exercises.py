"""Short exercises with checked answers, one by one, or on a sheet for each student of a class."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from tted_core.foundations.tables import csv_text
from tted_core.learn.banks import gift
from tted_core.learn.exercises import EXERCISES, Answer, CellTable, Exercise
from tted_core.learn.sheets import MOST, VARIANTS, class_variants, sheets_pdf
from tted_core.learn.tree_picture import mapping_picture, tree_picture
from ui.fields import amount, choice
from ui.learn.attempts import Which, attempts, hints, posed_exercise, show, table_of, take, told
from ui.learn.shared import LETTERS, compare_button, picture
from ui.part import Part
from ui.running import maker

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
    help="Another number gives other variants. The same number gives the same ones, and one student more leaves "
    "the others' as they are.",
)
ORDER_ASKED = {"script": "ordered", "distance": "ordered"}
"""The order of exercises whose trees come to the same distance on the Compare page."""


def _draw() -> None:
    if VIEW.draw() == "sheet":
        _sheet()
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-inputs"):
        name, seed = EXERCISE.draw(), int(SEED.draw())
        st.button("Another like it", on_click=_turn)
        st.button("Next exercise", on_click=_next)
    posed = posed_exercise(name, seed)
    _question(posed)
    with st.form(f"answer-{name}-{seed}", border=False):
        given = _answer(posed, f"{name}-{seed}")
        if st.form_submit_button("Check", type="primary"):
            _tell(posed, given, (name, seed))
    _help(name, seed, posed)
    _hand_in()


def _help(name: str, seed: int, posed: Exercise) -> None:
    attempt = attempts().get((name, seed))
    with st.container(horizontal=True, key="exercise-help"):
        st.button("Hint", on_click=hints().add, args=((name, seed),))
        st.button(
            "Show the answer",
            on_click=show,
            args=((name, seed),),
            help="It ends the exercise: the answer that was shown doesn't count.",
        )
    if (name, seed) in hints():
        st.info(EXERCISES[name].hint, icon=":material/lightbulb:")
    if attempt and attempt.shown:
        st.info(f"The answer is **{posed.solution}**. {posed.explanation}")
    settled = attempt is not None and (attempt.shown or attempt.solved)
    order = ORDER_ASKED.get(name)
    if settled and order and len(posed.trees) > 1:
        left, right = posed.trees
        compare_button(left, right, replace(LETTERS, order=order), "exercise")


def _hand_in() -> None:
    given = attempts()  # now: once the file is asked for, there is no session to look them up in
    if not given:
        return
    st.caption(f"{told()} It is not stored: save it before you leave.")
    with st.container(horizontal=True, vertical_alignment="bottom", key="hand-in"):
        name = st.text_input("Name", key="student", persist_state="page", width=250)
        st.download_button(
            "Save my answers",
            maker(partial(table_of, given, name)),
            file_name="answers.csv",
            mime="text/csv",
            on_click="ignore",
            help="A table of the questions, their variant, your first answers and whether you found the right "
            "ones, to be handed in.",
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
        posed = posed_exercise(name, seed)
        with st.container(key=f"sheet-{name}"):
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
        page = st.context.url or ""  # unknown once the file is asked for
        _pdf(f"{count} sheets (PDF)", f"class-{seed}-sheets", partial(sheets_pdf, variants))
        solutions = partial(sheets_pdf, variants, solutions=True)
        _pdf("Their solutions (PDF)", f"class-{seed}-solutions", solutions)
        st.download_button(
            "Their links (CSV)",
            lambda: links_csv(variants, page),
            file_name=f"class-{seed}-links.csv",
            mime="text/csv",
            on_click="ignore",
        )
        st.download_button(
            "Bank for Moodle (GIFT)",
            maker(partial(gift, variants)),
            file_name=f"bank-{seed}.gift.txt",
            mime="text/plain",
            on_click="ignore",
        )
    st.caption(
        "Each sheet has a line for the name, and its variant's number. A link opens the same exercises on this "
        "page, where students can save their answers for you. The bank holds each exercise in as many "
        "variants, for Moodle."
    )


def _pdf(label: str, name: str, make: Callable[[], bytes]) -> None:
    st.download_button(
        label,
        maker(make),
        file_name=f"{name}.pdf",
        mime="application/pdf",
        on_click="ignore",
        key=name,
    )


def links_csv(variants: Sequence[int], page: str) -> str:
    """A CSV file with a row for each student: the variant, and its link to the page of this address."""
    addresses = (urlencode({"part": "exercises", "exercise_seed": variant}) for variant in variants)
    rows = ((place, *each) for place, each in enumerate(zip(variants, addresses, strict=True), 1))
    return csv_text(
        ("student", "variant", "link"), [(place, each, f"{page}?{query}") for place, each, query in rows]
    )


def _turn() -> None:
    st.session_state["exercise_seed"] = (st.session_state["exercise_seed"] + 1) % VARIANTS


def _next() -> None:
    names = list(EXERCISES)
    st.session_state["exercise"] = names[(names.index(st.session_state["exercise"]) + 1) % len(names)]


def _question(posed: Exercise) -> None:
    dark = st.context.theme.type == "dark"
    titles = ("Left tree", "Right tree") if len(posed.trees) > 1 else ("The tree",)
    with st.container(horizontal=True, gap="large"):
        for title, tree in zip(titles, posed.trees, strict=False):
            with st.container(width="content"):
                spoken = f"{title}: {_spoken(tree.labels, tree.parents)}"
                picture(tree_picture(tree, dark=dark, title=title, numbered=posed.numbered), spoken)
                if len(posed.trees) > 1:
                    st.caption(title)
        if posed.grid:
            st.html(_grid(posed.grid), width="content")
    if posed.mappings:
        with st.container(horizontal=True, gap="large"):
            for place, mapping in enumerate(posed.mappings):
                with st.container(width="content"):
                    left, right = posed.trees
                    title = f"Mapping {place + 1}"
                    if posed.is_choice_of_mappings:
                        st.markdown(f"**{posed.options[place]}**")
                    drawn = mapping_picture(left, right, mapping, dark=dark, title=title, numbered=True)
                    picture(drawn, f"{title}: {posed.mapping_in_words(mapping)}")
    st.markdown(posed.question)


def _spoken(labels: Sequence[str], parents: Sequence[int]) -> str:
    """A tree for those who don't see it."""
    below = (f"{label} below {labels[parent]}" for label, parent in zip(labels[1:], parents[1:], strict=True))
    return ", ".join((f"root {labels[0]}", *below))


def _answer(posed: Exercise, key: str) -> Answer | None:
    places = range(len(posed.options))
    if posed.many:
        chosen = st.pills(
            "Your answer",
            places,
            selection_mode="multi",
            format_func=posed.options.__getitem__,
            key=f"given-{key}",
        )
        return frozenset(chosen)
    if posed.options:
        one = st.radio(
            "Your answer", places, index=None, format_func=posed.options.__getitem__, key=f"given-{key}"
        )
        return None if one is None else frozenset({one})
    return st.number_input("Your answer", value=None, step=None, format="%.4g", key=f"given-{key}", width=200)


def _tell(posed: Exercise, given: Answer | None, which: Which) -> None:
    if given is None or given == frozenset():
        st.info("Give an answer first.")
        return
    attempt = take(which, given)
    if not posed.is_right(given):
        st.error(f"Not so. {EXERCISES[which[0]].hint}", icon=":material/close:")
    elif attempt.shown:
        st.info("That is the answer that was shown; it doesn't count.")
    else:
        st.success(f"Right. {posed.explanation}", icon=":material/check_circle:")


def _grid(grid: CellTable) -> str:
    """A table with headings; its texts are letters and numbers."""
    style = "border:1px solid color-mix(in srgb, currentColor 40%, transparent);padding:2px 10px;text-align:center"
    head = "".join(f'<th scope="col" style="padding:2px 8px">{name}</th>' for name in grid.columns)
    body = "".join(
        f'<tr><th scope="row" style="padding:2px 8px">{name}</th>'
        + "".join(
            f'<td style="{style};font-weight:{700 if text == "?" else 400}">{text}</td>' for text in cells
        )
        + "</tr>"
        for name, cells in zip(grid.rows, grid.cells, strict=True)
    )
    parts = f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<table style="border-collapse:collapse">{parts}</table>'


EXERCISE_PART = Part("Exercises", _draw, (VIEW, EXERCISE, SEED, STUDENTS, CLASS))
