"""Which mapping to judge: one's own in one's own order, those of no study, or a sample to practise on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tted_core import read_map
from tted_core.annotate.reviews import (
    NEW,
    ReviewStore,
    Study,
    Task,
    TaskSummary,
    fixed_by,
    open_store,
)
from tted_core.annotate.studies import Studies, is_finished
from tted_core.errors import DatabaseError
from tted_core.method import DEFAULT_PRESET, Method
from ui import samples
from ui.annotate.people import keep_outcome
from ui.annotate.unsaved import identity, recalled
from ui.comparisons import compared
from ui.text import markdown_escaped, plural, told_apart

TASKS_A_PAGE = 100

PLACES = ("Assigned to me", "Of no study", "A sample, to practise")


@dataclass(frozen=True)
class Work:
    """A task to judge, the store that its judgements go into, the guidelines that stand beside it.

    ``standing`` is where to draw how far one is, if not with the list of all.
    """

    reviews: ReviewStore
    task: Task
    guidelines: str = ""
    standing: DeltaGenerator | None = None


def chosen_work(reviews: ReviewStore, person: str) -> Work | None:
    """Draw what is to be judged with its progress, and return it; None while there is nothing."""
    tasks = recalled(("assigned", person), lambda: reviews.tasks(assigned_to=person))
    if not tasks:
        place = _place_input(reviews)
    else:
        top = st.container(horizontal=True, vertical_alignment="center", key="review-top")
        said = top.container(width="stretch")
        with top.popover("Other mappings"):
            place = _place_input(reviews)
            if place == PLACES[0]:
                return _assigned(reviews, person, tasks, said, top)
    if place == PLACES[2]:
        return _practice()
    if place == PLACES[1]:
        return _of_no_study(reviews, person)
    st.info(
        f"Nothing is assigned to {markdown_escaped(person)} yet: a lead does that under *Study*. Meanwhile you "
        "can practise on a sample."
    )
    return None


def _place_input(reviews: ReviewStore) -> str:
    """Draw the choice of what to judge; mappings of no study are offered where there are any."""
    old = recalled(("count", "", False, ""), lambda: reviews.count_tasks(study=""))
    offered = [each for each in PLACES if each != PLACES[1] or old]
    if st.session_state.get("review-place") not in offered:
        st.session_state["review-place"] = PLACES[0]
    st.segmented_control("What to judge", offered, required=True, key="review-place", persist_state="session")
    return str(st.session_state["review-place"])


def _assigned(
    reviews: ReviewStore, person: str, tasks: Sequence[TaskSummary], said: DeltaGenerator, top: DeltaGenerator
) -> Work:
    """One's own mappings, study by study, in one's own order; the first is where one left off.

    The choice is drawn here, the progress into ``said``, and the way to the next one into ``top``.
    """
    studies = Studies(reviews.engine, reviews.visitor)
    done = [is_finished(each, person) for each in tasks]
    numbers = [each.number for each in tasks]
    key = f"review-assigned-{person}"
    if st.session_state.get(key) not in numbers:
        st.session_state[key] = next(
            (each for each, finished in zip(numbers, done, strict=True) if not finished), numbers[0]
        )
    several = len({each.study for each in tasks}) > 1
    titles = told_apart(
        {
            each.number: f"{'✓ ' * finished}{place}. {f'{each.study}, ' if several else ''}{task_title(each)}"
            for place, (each, finished) in enumerate(zip(tasks, done, strict=True), 1)
        },
        lambda number: f"review {number}",
    )
    number = st.selectbox(
        "Mapping",
        numbers,
        format_func=titles.__getitem__,
        key=key,
        persist_state="session",
    )
    at = numbers.index(number)
    order = [*range(at + 1, len(tasks)), *range(at)]
    following = next((numbers[each] for each in order if not done[each]), None)
    task = recalled(("task", number), lambda: reviews.task(number))
    _look_at(studies, task, person)
    study = next(
        (each for each in recalled(("studies",), studies.all) if each.name == task.study), Study(task.study)
    )
    due = f" · {deadline_in_words(study.deadline)}" if study.deadline else ""
    said.markdown(f"{markdown_escaped(titles[number])} ({sum(done)} of {len(tasks)} finished){due}")
    if all(done):
        said.success("All your mappings are finished. Thank you.")
    else:
        top.button(
            "Mapping finished: next" if done[at] else "Next unfinished mapping",
            shortcut="M",
            type="primary" if done[at] else "tertiary",
            key="review-next",
            disabled=following is None,
            on_click=st.session_state.__setitem__,
            args=(key, following),
        )
    return Work(reviews, task, study.guidelines)


def deadline_in_words(deadline: str) -> str:
    """How long there is still time."""
    days = (date.fromisoformat(deadline) - datetime.now(UTC).date()).days
    if days < 0:
        return f"The deadline was on {deadline}. What you judge is still saved."
    left = f"{plural(days, 'day')} left" if days else "today"
    return f"Due on {deadline}: {left}."


def _look_at(studies: Studies, task: Task, person: str) -> None:
    """Remember that it was opened: once in a session, and later if the database is away."""
    seen: set[tuple[int, str]] = st.session_state.setdefault("review-opened", set())
    if (task.number, person) in seen:
        return
    try:
        studies.look_at(task, person)
    except DatabaseError:
        return
    seen.add((task.number, person))


def _practice() -> Work:
    """A sample whose judgements are this session's alone: samples never enter the database."""
    state = st.session_state
    left, right = (read_map(samples.FOLDER / samples.OPENING_TOPIC / name) for name in samples.OPENING_PAIR)
    if "practice" not in state:
        state["practice"] = open_store("sqlite://")
    reviews: ReviewStore = state["practice"]
    name = samples.topic_title(samples.OPENING_TOPIC)
    task = reviews.find_task(name, left.tree, right.tree, "Yours", "A colleague's")
    if task.number == NEW:
        fixed = fixed_by(compared(left, right, Method.of(DEFAULT_PRESET)))
        task = reviews.open_task(name, left.tree, right.tree, "Yours", "A colleague's", fixed=fixed)
    st.caption("For practice: what you judge here stays in this window, and goes with it.")
    return Work(reviews, task)


def _of_no_study(reviews: ReviewStore, person: str) -> Work | None:
    def label(total: int) -> str:
        done = recalled(("verdicts", person), lambda: reviews.count_tasks(study="", verdict_of=person))
        return f"Mapping ({done} of {total:,} have your verdict)"

    chosen = task_input(reviews, "review", label)
    if chosen is None:
        return None
    task = recalled(("task", chosen.number), lambda: reviews.task(chosen.number))
    with st.container(horizontal=True, vertical_alignment="center"):
        standing = st.container(width="content")
        if reviews.visitor.leads:
            _deletion(reviews, task, person)
    return Work(reviews, task, standing=standing)


def _deletion(reviews: ReviewStore, task: Task, person: str) -> None:
    """A review that is nobody else's can be deleted here; any other by whoever runs the server."""
    with st.popover("Delete", key="review-delete", on_change="rerun") as asked:
        if not asked.open:
            return
        judgements = recalled(("judgements", identity(task)), lambda: reviews.judgements(task))
        if {each.person for each in judgements} - {person}:
            st.markdown(
                "Others have judged this mapping too. Whoever runs this server can delete it, by the command "
                f"`tted reviews delete {task.number}`."
            )
            return
        st.markdown(
            f"Your {plural(len(judgements), 'judgement')} of this mapping, and all that they were before, will be "
            "gone. Export them first if you may want them back."
        )
        st.button(
            "Delete for good",
            on_click=keep_outcome,
            args=("review-outcome", partial(_delete, reviews, task, len(judgements))),
        )


def _delete(reviews: ReviewStore, task: Task, seen: int) -> str:
    reviews.delete_task(task.number, seen=seen)
    return "Deleted the review."


def task_input(
    reviews: ReviewStore, name: str, label: Callable[[int], str], *, judged: bool = False
) -> TaskSummary | None:
    """Draw a box with the tasks of no study, in pages if there are many; None if there is none.

    Args:
        reviews: where they are.
        name: begins the keys of the widgets.
        label: makes the box's label of the number of all tasks.
        judged: whether only those are offered that somebody has judged.
    """
    total = recalled(("count", "", judged, ""), lambda: reviews.count_tasks(study="", judged=judged))
    if not total:
        return None
    search, page = "", 0
    if total > TASKS_A_PAGE:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            search = st.text_input(
                "Part of a document's or map's name", key=f"{name}-search", persist_state="session"
            )
            found = recalled(
                ("count", "", judged, search),
                lambda: reviews.count_tasks(study="", search=search, judged=judged),
            )
            page = page_input(found, TASKS_A_PAGE, f"{name}-page")
        if not found:
            st.info("No document or map has this in its name; the first of all are offered.")
            search = ""
    tasks = recalled(
        ("tasks", judged, search, page),
        lambda: reviews.tasks(
            study="", search=search, judged=judged, offset=page * TASKS_A_PAGE, limit=TASKS_A_PAGE
        ),
    )
    if not tasks:  # deleted meanwhile
        return None
    # Maps that were changed make another task of the same names.
    titles = told_apart({each.number: task_title(each) for each in tasks}, lambda number: f"review {number}")
    if st.session_state.get(f"{name}-number") not in titles:  # on another page, or deleted
        st.session_state.pop(f"{name}-number", None)
    number = st.selectbox(
        label(total),
        list(titles),
        format_func=titles.__getitem__,
        key=f"{name}-number",
        persist_state="session",
    )
    return next(each for each in tasks if each.number == number)


def page_input(total: int, size: int, key: str) -> int:
    """Draw a field for the page of a list, unless there is only one; pages count from 0."""
    pages = max(1, -(-total // size))
    if pages == 1:
        return 0
    if st.session_state.get(key, 1) > pages:
        st.session_state[key] = pages
    page: int = st.number_input(f"Page (of {pages:,})", 1, pages, key=key, persist_state="session", width=140)
    return page - 1


def task_title(task: Task | TaskSummary) -> str:
    """What a task is called."""
    return f"{task.document}: {task.left_name} → {task.right_name}"
