"""Ten short exercises with checked answers, one by one or on one sheet to print. Nothing is stored."""

from collections.abc import Sequence

import streamlit as st

from tted_core import TextTree
from tted_core.learn.exercises import EXERCISES, Exercise, Grid, exercise
from tted_core.learn.mappings import pairs_of
from tted_core.solvers import Mapping
from ui.part import Part
from ui.permalink import number, one_of
from ui.picture import picture
from ui.tree_picture import mapping_picture, tree_picture

VIEWS = {"one": "One by one", "sheet": "All ten on a sheet"}
LARGEST = 9999


def _draw() -> None:
    view = st.segmented_control(
        "View",
        list(VIEWS),
        format_func=VIEWS.__getitem__,
        required=True,
        key="exercise_view",
        persist_state="page",
        label_visibility="collapsed",
    )
    if view == "sheet":
        _sheet()
    else:
        _one()


def _one() -> None:
    names = list(EXERCISES)
    with st.container(horizontal=True, vertical_alignment="bottom", key="exercise-inputs"):
        name = st.selectbox(
            "Exercise",
            names,
            format_func=lambda each: f"{names.index(each) + 1}. {EXERCISES[each].title}",
            key="exercise",
            persist_state="page",
            width=250,
        )
        seed = _seed()
        st.button("Another like it", on_click=_turn, args=("exercise_seed", 1))
        st.button("Next exercise", on_click=_next)
    asked = exercise(name, seed)
    _question(asked)
    with st.form(f"answer-{name}-{seed}", border=False):
        given = _answer(asked, f"{name}-{seed}")
        if st.form_submit_button("Check", type="primary"):
            _tell(asked, given, (name, seed))
    right = sum(st.session_state.get("solved", {}).values())
    tried = len(st.session_state.get("solved", {}))
    if tried:
        st.caption(f"{right} of {tried} answered rightly so far. This is not kept anywhere.")


def _sheet() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="sheet-inputs"):
        seed = _seed()
        answers = st.toggle("With answers", key="answers", persist_state="page")
        st.caption("Print it with the browser (Ctrl+P): what isn't needed on paper is left out.")
    for place, (name, kind) in enumerate(EXERCISES.items(), start=1):
        asked = exercise(name, seed)
        with st.container(key=f"sheet-{name}"):
            st.markdown(f"#### {place}. {kind.title}")
            _question(asked)
            if asked.options:
                st.markdown("  \n".join(f"☐ {option}" for option in asked.options))
            st.markdown(
                f"**Answer: {asked.solution}.** {asked.explanation}"
                if answers
                else "Answer: ____________________"
            )


def _seed() -> int:
    return int(
        st.number_input(
            "Variant",
            0,
            LARGEST,
            step=1,
            key="exercise_seed",
            persist_state="page",
            width=110,
            help="Another number gives other trees and numbers. A link to this page carries it.",
        )
    )


def _turn(key: str, by: int) -> None:
    st.session_state[key] = (st.session_state[key] + by) % (LARGEST + 1)


def _next() -> None:
    names = list(EXERCISES)
    st.session_state["exercise"] = names[(names.index(st.session_state["exercise"]) + 1) % len(names)]


def _question(asked: Exercise) -> None:
    dark = st.context.theme.type == "dark"
    titles = ("Left tree", "Right tree") if len(asked.trees) > 1 else ("The tree",)
    with st.container(horizontal=True, gap="large"):
        for title, tree in zip(titles, asked.trees, strict=False):
            with st.container(width="content"):
                spoken = f"{title}: {_spoken(tree.labels, tree.parents)}"
                picture(tree_picture(tree, dark=dark, title=title), spoken)
                if len(asked.trees) > 1:
                    st.caption(title)
        if asked.grid:
            st.html(_grid(asked.grid), width="content")
    if asked.mappings:
        with st.container(horizontal=True, gap="large"):
            for option, mapping in zip(asked.options, asked.mappings, strict=True):
                with st.container(width="content"):
                    st.markdown(f"**{option}**")
                    left, right = asked.trees
                    drawn = mapping_picture(left, right, mapping, dark=dark, title=f"Mapping {option}")
                    picture(drawn, f"Mapping {option}: {_paired(asked.trees, mapping)}")
    st.markdown(asked.question)


def _spoken(labels: Sequence[str], parents: Sequence[int]) -> str:
    """A tree for those who don't see it."""
    below = (f"{label} below {labels[parent]}" for label, parent in zip(labels[1:], parents[1:], strict=True))
    return ", ".join((f"root {labels[0]}", *below))


def _paired(trees: Sequence[TextTree], mapping: Mapping) -> str:
    """A mapping for those who don't see it."""
    left, right = trees
    return ", ".join(f"{left.labels[v]} with {right.labels[w]}" for v, w in pairs_of(mapping))


def _answer(asked: Exercise, key: str) -> float | frozenset[int] | None:
    places = range(len(asked.options))
    if asked.many:
        chosen = st.pills(
            "Your answer",
            places,
            selection_mode="multi",
            format_func=asked.options.__getitem__,
            key=f"given-{key}",
        )
        return frozenset(chosen)
    if asked.options:
        one = st.radio(
            "Your answer", places, index=None, format_func=asked.options.__getitem__, key=f"given-{key}"
        )
        return None if one is None else frozenset({one})
    return st.number_input("Your answer", value=None, step=None, format="%.4g", key=f"given-{key}", width=200)


def _tell(asked: Exercise, given: float | frozenset[int] | None, which: tuple[str, int]) -> None:
    if given is None or given == frozenset():
        st.info("Give an answer first.")
        return
    right = asked.is_right(given)
    st.session_state.setdefault("solved", {})[which] = right
    if right:
        st.success(f"Right. {asked.explanation}", icon="✅")
    else:
        st.error(f"Not so. The answer is **{asked.solution}**. {asked.explanation}", icon="❌")


def _grid(grid: Grid) -> str:
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


EXERCISE_PART = Part(
    "Exercises",
    _draw,
    (
        one_of("exercise_view", list(VIEWS), "one"),
        one_of("exercise", list(EXERCISES), next(iter(EXERCISES))),
        number("exercise_seed", int, 0, LARGEST, default="0"),
    ),
)
