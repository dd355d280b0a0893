"""Short exercises with checked answers: one by one, or on a sheet for each student of a class.

A student's answers are kept while the page is open and can be downloaded as a table.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from tted_core import TextTree
from tted_core.errors import ToolError
from tted_core.foundations.tables import csv_text
from tted_core.learn.banks import gift
from tted_core.learn.exercises import EXERCISES, Answer, Exercise, exercise
from tted_core.learn.sheets import MOST, VARIANTS, class_variants, sheets_pdf
from tted_core.learn.tree_picture import tree_picture
from ui.comparisons import compare_button
from ui.fields import amount, choice
from ui.learn.shared import LETTERS, is_dark, mapping, picture
from ui.learn.slides import slide
from ui.part import Part
from ui.text import plural

NUMBERS = {name: number for number, name in enumerate(EXERCISES, 1)}

VIEWS = {"one": "One by one", "sheet": "All on a sheet"}
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


@dataclass
class Attempt:
    """The answers to one exercise; those after the solution was ``shown`` don't count."""

    first: str = ""
    first_right: bool = False
    tries: int = 0
    hint: bool = False
    solved: bool = False
    shown: bool = False


Attempts = dict[tuple[str, int], Attempt]  # by kind of exercise and variant


def _draw() -> None:
    if VIEW.draw() == "sheet":
        _sheet()
        return
    kept: Attempts = st.session_state.setdefault("attempts", {})
    with slide(1):
        _one(kept)
    if kept:
        _hand_in(kept)


def _one(kept: Attempts) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-inputs"):
        name, seed = which = EXERCISE.draw(), int(SEED.draw())
        change, names = st.session_state.update, list(EXERCISES)
        st.button("Another like it", on_click=change, args=({SEED.name: (seed + 1) % VARIANTS},))
        following = names[(names.index(name) + 1) % len(names)]
        st.button("Next exercise", on_click=change, args=({EXERCISE.name: following},))
    posed = exercise(*which)
    _question(posed)
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-answer"):
        with st.form(f"answer-{name}-{seed}", border=False, width="content"):
            given = _answer(posed, f"given-{name}-{seed}")
            checked = st.form_submit_button("Check", type="primary")
        hinted = st.button("Hint")
        show_help = "This ends the exercise: the answer no longer counts."
        shown = st.button("Show the answer", help=show_help)
    if checked and not given and given != 0:
        st.info("Give an answer first.")
        checked = False
    attempt = kept.get(which, Attempt())
    if checked or hinted or shown:
        kept[which] = attempt
    attempt.hint |= hinted
    attempt.shown |= shown and not attempt.solved
    if checked and given is not None and not _is_right(posed, given, attempt):
        st.error(f"Not quite. {EXERCISES[name].hint}", icon=":material/close:")
    elif attempt.hint:
        st.info(EXERCISES[name].hint, icon=":material/lightbulb:")
    if attempt.shown:
        st.info(f"The answer is **{posed.solution}**. {posed.explanation}")
    if (attempt.shown or attempt.solved) and name in {"script", "distance"}:
        left, right = posed.trees
        compare_button(left, right, replace(LETTERS, order="ordered"), "exercise")


def _is_right(posed: Exercise, given: Answer, attempt: Attempt) -> bool:
    """Record an answer, and confirm a right one."""
    right = posed.is_right(given)
    if not attempt.tries:
        attempt.first, attempt.first_right = posed.written(given), right and not attempt.shown
    attempt.tries += 1
    attempt.hint |= not right  # a wrong answer brings it
    attempt.solved |= right and not attempt.shown
    if right and not attempt.shown:
        st.success(f"Right. {posed.explanation}", icon=":material/check_circle:")
    return right


def _hand_in(kept: Attempts) -> None:
    solved, at_once = (
        sum(getattr(each, name) for each in kept.values()) for name in ("solved", "first_right")
    )
    st.caption(
        f"{solved} of {plural(len(kept), 'exercise')} solved, {at_once} with the first answer. It is not stored: "
        "save it before you leave."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="hand-in"):
        name = st.text_input("Name", key="student", persist_state="page", width=250)
        st.download_button(
            "Save my answers",
            partial(table_of, kept, name),
            file_name="answers.csv",
            mime="text/csv",
            on_click="ignore",
            help="A table to hand in: the questions, the variant, your first answers and if you found the "
            "right ones.",
        )


def table_of(kept: Mapping[tuple[str, int], Attempt], name: str) -> str:
    """Answers as CSV, with all that a lecturer needs to mark them.

    The solution is only given for finished exercises, as the file can be saved before the last try.
    """
    rows = []
    for (kind, variant), each in kept.items():
        posed = exercise(kind, variant)
        rows.append(
            {
                "name": name,
                "variant": variant,
                "exercise": NUMBERS[kind],
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


def _sheet() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="sheet-inputs"):
        seed = int(SEED.draw())
        answers = st.toggle("With answers", key="answers", persist_state="page")
        _pdfs("This sheet (PDF)", "Its solutions (PDF)", "sheet", [seed])
    with st.expander("A variant for each student, or a question bank", key="sheet-class"):
        _class_set()
    for name, number in NUMBERS.items():
        posed = exercise(name, seed)
        with slide(number), st.container(key=f"sheet-{name}"):
            st.markdown(f"#### {number}. {EXERCISES[name].full_title}")
            _question(posed)
            if posed.options:
                st.markdown("  \n".join(f"☐ {option}" for option in posed.options))
            solution = f"**Answer: {posed.solution}.** {posed.explanation}"
            st.markdown(solution if answers else "Answer: ____________________")


def _class_set() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="class-inputs"):
        count, seed = int(STUDENTS.draw()), int(CLASS.draw())
        variants = class_variants(seed, count)
        page = st.context.url or ""  # unknown when the file is made
        _pdfs(f"{count} sheets (PDF)", "Their solutions (PDF)", f"class-{seed}", variants)
        _download("Their links (CSV)", lambda: links_csv(variants, page), f"class-{seed}-links.csv")
        _download("Bank for Moodle (GIFT)", partial(gift, variants), f"bank-{seed}.gift.txt")
    st.caption(
        "Each sheet has a line for the name and the number of its variant. A link opens the same exercises on "
        "this page, where students can save their answers for you. The bank has each exercise in as many "
        "variants, for Moodle."
    )


def _pdfs(sheets: str, solutions: str, name: str, variants: Sequence[int]) -> None:
    make = partial(sheets_pdf, variants)
    _download(sheets, partial(_in_own_process, make), f"{name}.pdf")
    _download(solutions, partial(_in_own_process, partial(make, solutions=True)), f"{name}-solutions.pdf")


def _download(label: str, make: Callable[[], str | bytes], file: str) -> None:
    st.download_button(label, make, file_name=file, on_click="ignore", key=file)


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
    queries = [urlencode({"part": "exercises", "exercise_seed": variant}) for variant in variants]
    rows = zip(range(1, len(variants) + 1), variants, (f"{page}?{query}" for query in queries), strict=True)
    return csv_text(("student", "variant", "link"), rows)


def _question(posed: Exercise) -> None:
    """Draw the trees or their mappings, the table and the question."""
    titles = ("Left tree", "Right tree") if len(posed.trees) > 1 else ("The tree",)
    spoken = [_in_words(title, tree) for title, tree in zip(titles, posed.trees, strict=False)]
    with st.container(horizontal=True, gap="small" if posed.mappings else "large"):
        for title, words, tree in zip(titles, spoken, () if posed.mappings else posed.trees, strict=False):
            with st.container(width="content"):
                picture(tree_picture(tree, dark=is_dark(), title=title, numbered=posed.numbered), words)
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


EXERCISE_PART = Part("Exercises", _draw, (VIEW, EXERCISE, SEED, STUDENTS, CLASS))
