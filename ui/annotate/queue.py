"""Which mapping to review: the tasks of a batch with their progress, or those that are in the database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.agreement import AnnotatedDocument
from tted_core.annotate.reviews import ReviewStore, Task, TaskSummary, clean_name
from ui.annotate.collection import collection_input
from ui.annotate.unsaved import identity, recalled
from ui.exports import table_exports
from ui.text import plural, told_apart

TASKS_A_PAGE = 100
PROGRESS_ROWS = 500

PLACES = ("Maps of annotators", "Reviews in the database")


@dataclass(frozen=True)
class Waiting:
    """A task of a batch that may not be in the database yet: a document, its reference, and another map."""

    document: str
    left_digest: str
    right_digest: str
    left_name: str
    right_name: str


def chosen_task(reviews: ReviewStore, person: str) -> Task | None:
    """Draw the queue with its progress, and return the task that is picked; None while there is none."""
    place = st.session_state.get("review-place") or PLACES[0]
    return _of_database(reviews, person) if place == PLACES[1] else _of_batch(reviews, person)


def place_input() -> None:
    """Draw the choice between maps that are given here, and reviews that have begun."""
    st.radio("What to review", PLACES, horizontal=True, key="review-place", persist_state="session")


def _of_database(reviews: ReviewStore, person: str) -> Task | None:
    def label(total: int) -> str:
        done = recalled(("verdicts", person), lambda: reviews.count_tasks(verdict_of=person))
        return f"Mapping ({_done(done, total)})"

    chosen = task_input(reviews, "review", label)
    if chosen is None:
        st.info("There are no reviews yet. Begin one from the maps of annotators.")
        return None
    task = recalled(("task", chosen.number), lambda: reviews.task(chosen.number))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"You have: {_state(chosen, person)}.", width="content")
        _deletion(reviews, task, person)
    return task


def _deletion(reviews: ReviewStore, task: Task, person: str) -> None:
    """A review that is nobody else's can be deleted here; any other by whoever runs the server."""
    with st.popover("Delete"):
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
        st.button("Delete for good", on_click=_delete, args=(reviews, task, len(judgements)))


def _delete(reviews: ReviewStore, task: Task, seen: int) -> None:
    try:
        reviews.delete_task(task.number, seen=seen)
    except TTEDError as error:
        st.session_state["review-outcome"] = error
    else:
        st.session_state["review-outcome"] = "Deleted the review."


def task_input(
    reviews: ReviewStore, name: str, label: Callable[[int], str], *, judged: bool = False
) -> TaskSummary | None:
    """Draw a box with the tasks in the database, in pages if there are many; None if there is none.

    Args:
        reviews: where they are.
        name: begins the keys of the widgets.
        label: makes the box's label of the number of all tasks.
        judged: whether only those are offered that somebody has judged.
    """
    total = recalled(("count", judged, ""), lambda: reviews.count_tasks(judged=judged))
    if not total:
        return None
    search, page = "", 0
    if total > TASKS_A_PAGE:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            search = st.text_input(
                "Part of a document's or map's name", key=f"{name}-search", persist_state="session"
            )
            found = recalled(
                ("count", judged, search), lambda: reviews.count_tasks(search=search, judged=judged)
            )
            page = page_input(found, TASKS_A_PAGE, f"{name}-page")
        if not found:
            st.info("No document or map has this in its name; the first of all are offered.")
            search = ""
    tasks = recalled(
        ("tasks", judged, search, page),
        lambda: reviews.tasks(search=search, judged=judged, offset=page * TASKS_A_PAGE, limit=TASKS_A_PAGE),
    )
    if not tasks:  # deleted meanwhile
        return None
    titles = task_titles(tasks)
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


def _of_batch(reviews: ReviewStore, person: str) -> Task | None:
    documents = [each for each in collection_input() if len(each.maps) > 1]
    if not documents:
        st.info("A mapping to review appears here once a document has two maps.")
        return None
    names = list(dict.fromkeys(name for each in documents for name in each.maps))
    left, right = st.columns([1, 3], gap="small")
    reference = left.selectbox(
        "Reference map",
        names,
        key="review-reference",
        persist_state="session",
        help="It is held against each other map of its document. Documents without a map of this name take their "
        "first one.",
    )
    waiting = [
        Waiting(each.name, each.maps[first].tree.digest, each.maps[second].tree.digest, first, second)
        for each in documents
        for first in [reference if reference in each.maps else next(iter(each.maps))]
        for second in each.maps
        if second != first
    ]
    names = sorted({_identity(each)[0] for each in waiting})
    known = {
        _identity(each): each for each in recalled(("batch", *names), lambda: reviews.tasks(documents=names))
    }
    there = [known.get(_identity(each)) for each in waiting]
    key = f"review-waiting-{hash((person, *waiting))}"
    if key not in st.session_state:  # where one left off
        unfinished = (number for number, task in enumerate(there) if not task or person not in task.verdicts)
        st.session_state[key] = next(unfinished, 0)
    titles = [_title(each) for each in waiting]
    number = right.selectbox(
        f"Mapping ({_done(sum(each is not None and person in each.verdicts for each in there), len(waiting))})",
        range(len(waiting)),
        format_func=titles.__getitem__,
        key=key,
        persist_state="session",
    )
    following = [
        (number + step) % len(waiting)
        for step in range(1, len(waiting))
        if not (task := there[(number + step) % len(waiting)]) or person not in task.verdicts
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"You have: {_state(there[number], person)}.", width="content")
        st.button(
            "Next mapping without your verdict",
            shortcut="M",
            disabled=not following,
            on_click=st.session_state.__setitem__,
            args=(key, following[0] if following else number),
        )
    return _opened(reviews, waiting[number], documents)


def _identity(task: Waiting | TaskSummary) -> tuple[str, str, str]:
    """What makes a task one in the database: a map that was changed makes another, whatever it is called."""
    try:
        document = clean_name(task.document, "the document's name")
    except TTEDError:  # not in the database; the reason is told when the task is opened
        document = task.document
    return document, task.left_digest, task.right_digest


def _opened(reviews: ReviewStore, chosen: Waiting, documents: list[AnnotatedDocument]) -> Task:
    maps = next(each.maps for each in documents if each.name == chosen.document)
    left, right = maps[chosen.left_name].tree, maps[chosen.right_name].tree
    names = chosen.document, chosen.left_name, chosen.right_name
    return recalled(
        ("found", *names, left.digest, right.digest),
        lambda: reviews.find_task(chosen.document, left, right, chosen.left_name, chosen.right_name),
    )


def _done(done: int, total: int) -> str:
    return f"{done} of {total:,} have your verdict"


def progress_table(reviews: ReviewStore) -> None:
    """Draw how far everybody is with every mapping in the database."""
    total = recalled(("count", True, ""), lambda: reviews.count_tasks(judged=True))
    with st.expander("Progress of everybody", key="review-progress"):
        page = page_input(total, PROGRESS_ROWS, "progress-page")
        tasks = recalled(
            ("progress", page),
            lambda: reviews.tasks(judged=True, offset=page * PROGRESS_ROWS, limit=PROGRESS_ROWS),
        )
        people = sorted({name for each in tasks for name in (*each.decided, *each.verdicts)})
        if not tasks:
            st.caption("Nobody has judged anything yet.")
            return
        table = pd.DataFrame(
            {
                "Document": each.document,
                "Left": each.left_name,
                "Right": each.right_name,
                **{name: _state(each, name) for name in people},
            }
            for each in tasks
        )
        st.dataframe(table, hide_index=True)
        table_exports(table, "tted-progress")


def _state(task: TaskSummary | None, person: str) -> str:
    if task is None:
        return "not begun"
    count = task.decided.get(person, 0)
    pairs = f"{plural(count, 'pair')} judged" if count else "not begun"
    verdict = task.verdicts.get(person)
    return f"✓ {verdict}, {pairs}" if verdict else pairs


def task_titles(tasks: Sequence[TaskSummary]) -> dict[int, str]:
    """The titles by the tasks' numbers; maps that were changed make another task of the same names."""
    return told_apart({each.number: _title(each) for each in tasks}, lambda number: f"review {number}")


def _title(task: Waiting | TaskSummary) -> str:
    return f"{task.document}: {task.left_name} → {task.right_name}"
