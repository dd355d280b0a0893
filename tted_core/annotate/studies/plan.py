"""Who judges what of a study, each in an order of their own, and how far and how fast everybody is.

The tasks of a study are made here too: pairs of maps that are compared, and the mapping of each pair, which is
fixed from then on.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import PurePosixPath
from statistics import median
from typing import TypeVar

from tted_core.annotate.agreement import AnnotatedDocument
from tted_core.annotate.reviews import NEW, Assignment, Task, TaskSummary, fixed_by
from tted_core.batch.inputs import Inputs
from tted_core.comparing import compare_maps
from tted_core.distances import LoadedDistance, Models
from tted_core.errors import OptionsError, ReviewError, TTEDError
from tted_core.formats import MindMap
from tted_core.foundations.limits import MAX_STUDY_MAPPINGS, MAX_STUDY_PEOPLE, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method

Item = TypeVar("Item")


def assigned(
    tasks: Sequence[TaskSummary],
    people: Sequence[str],
    overlap: Mapping[str, int],
    *,
    seed: int = 0,
    kept: Sequence[Assignment] = (),
) -> tuple[Assignment, ...]:
    """Let each document, with all its mappings, be judged by as many reviewers as ``overlap`` says.

    Documents go, in an order drawn by the seed, to those who have the fewest pairs to judge so far. Each
    reviewer's tasks are shuffled, by the seed and the name, so that no two judge them in the same order.

    Args:
        tasks: of one study.
        people: the reviewers, each name once.
        overlap: by document, how many of them judge it.
        seed: of everything that is drawn.
        kept: assignments that stay, with their places: whoever has begun goes on. They count in the overlap.

    Raises:
        ReviewError: a document is to be judged by more reviewers than there are, or by none.
        LimitError: too many reviewers.
    """
    check_limit(len(people), MAX_STUDY_PEOPLE, "reviewers", "assign fewer of them")
    everybody = _shuffled(people, f"{seed}")
    of_document: dict[str, list[TaskSummary]] = {}
    for task in tasks:
        of_document.setdefault(task.document, []).append(task)
    documents = _shuffled(sorted(of_document), f"{seed}")
    numbers = [each.number for each in tasks]
    has = {number: {each.person for each in kept if each.task == number} for number in numbers}
    load = dict.fromkeys(everybody, 0)
    for each in tasks:
        for person in has[each.number] & load.keys():
            load[person] += each.pairs or 1
    given: dict[str, list[int]] = {person: [] for person in everybody}
    for document in documents:
        wanted = overlap[document]
        if not 1 <= wanted <= max(len(people), 1):
            raise ReviewError(
                f"{document!r} is to be judged by {wanted} reviewers, and there are {len(people)}; name more of "
                "them, or let fewer judge it"
            )
        mappings = of_document[document]
        begun = {person for task in mappings for person in has[task.number]}
        free = sorted((person for person in everybody if person not in begun), key=load.__getitem__)
        here = begun & load.keys()
        missing = max(wanted - len(begun), 0)
        for person in [*sorted(here), *free[:missing]]:
            for task in mappings:
                if person not in has[task.number]:
                    given[person].append(task.number)
                    load[person] += task.pairs or 1
    return (*kept, *_in_order(given, kept, seed))


def _in_order(given: Mapping[str, list[int]], kept: Sequence[Assignment], seed: int) -> list[Assignment]:
    found = []
    for person, numbers in given.items():
        start = 1 + max((each.place for each in kept if each.person == person), default=-1)
        shuffled = _shuffled(sorted(numbers), f"{seed} {person}")
        found += [Assignment(number, person, start + place) for place, number in enumerate(shuffled)]
    return found


def _shuffled(items: Sequence[Item], seed: str) -> list[Item]:
    return random.Random(seed).sample(items, len(items))  # noqa: S311 - nothing is kept secret by it


BREAK_SECONDS = 300.0
"""Whoever saves nothing for longer has done something else meanwhile."""


@dataclass(frozen=True)
class Pace:
    """How fast judgements come, breaks left out; None where two don't follow each other."""

    median_seconds: float | None
    per_hour: float | None


@dataclass(frozen=True)
class PersonProgress:
    """How far one reviewer is with what is assigned to them.

    Attributes:
        person: their name.
        mappings: how many are assigned.
        opened: how many of them they have looked at.
        finished: how many have all pairs judged, and a verdict.
        judged: pairs that are judged.
        pairs: pairs that there are.
        last: when they saved something last, in UTC; "" for never.
        pace: how fast they go.
    """

    person: str
    mappings: int
    opened: int
    finished: int
    judged: int
    pairs: int
    last: str
    pace: Pace


def progress_of(
    tasks: Iterable[TaskSummary], assignments: Iterable[Assignment], times: Mapping[str, Sequence[str]]
) -> tuple[PersonProgress, ...]:
    """Of everybody to whom something is assigned, by name; ``times`` are those of ``Studies.times``."""
    known = {each.number: each for each in tasks}
    mine: dict[str, list[Assignment]] = {}
    for each in assignments:
        mine.setdefault(each.person, []).append(each)
    return tuple(
        PersonProgress(
            person,
            len(theirs),
            sum(bool(each.opened) for each in theirs),
            sum(is_finished(known[each.task], person) for each in theirs),
            sum(known[each.task].decided.get(person, 0) for each in theirs),
            sum(known[each.task].pairs or 0 for each in theirs),
            times[person][-1] if times.get(person) else "",
            pace_of(times.get(person, ())),
        )
        for person, theirs in sorted(mine.items())
    )


def is_finished(task: TaskSummary, person: str) -> bool:
    """Whether somebody has judged all pairs of a task, and the mapping as a whole."""
    return person in task.verdicts and task.decided.get(person, 0) >= (task.pairs or 0)


def unopened(tasks: Iterable[TaskSummary], assignments: Iterable[Assignment]) -> tuple[TaskSummary, ...]:
    """The tasks that nobody has looked at, assigned or not."""
    seen = {each.task for each in assignments if each.opened}
    return tuple(each for each in tasks if each.number not in seen)


def pace_of(times: Sequence[str]) -> Pace:
    """The pace of one who saved at these times, in order (ISO 8601)."""
    moments = [datetime.fromisoformat(each) for each in times if each]
    gaps = [(after - before).total_seconds() for before, after in pairwise(moments)]
    working = [gap for gap in gaps if 0 < gap <= BREAK_SECONDS]
    if not working:
        return Pace(None, None)
    return Pace(median(working), 3600 * len(working) / sum(working))


@dataclass(frozen=True)
class MapPair:
    """Two maps of a document whose mapping is to be judged."""

    document: str
    left_name: str
    right_name: str
    left: MindMap
    right: MindMap


def mappings_of(documents: Iterable[AnnotatedDocument], reference: str) -> tuple[MapPair, ...]:
    """Each document's reference map with every other of its maps.

    ``reference`` is the annotator whose maps are the references; a document without one takes its first map.
    """
    return tuple(
        MapPair(each.name, first, second, each.maps[first], each.maps[second])
        for each in documents
        for first in [reference if reference in each.maps else next(iter(each.maps))]
        for second in each.maps
        if second != first
    )


def mappings_of_pairs(inputs: Inputs, chosen: Sequence[tuple[str, str, str]]) -> tuple[MapPair, ...]:
    """Pairs of a batch, by id and the maps' names; each is a document of its own.

    Raises:
        OptionsError: a pair isn't there any more, or a map of it can't be read.
    """
    names = [name for name, _ in inputs.maps]
    known = {
        (pair, names[left], names[right]): (left, right)
        for pair, (left, right) in zip(inputs.ids, inputs.pairs.tolist(), strict=True)
    }
    found = []
    for each in chosen:
        if each not in known:
            raise OptionsError(f"the maps of the pair {each[0][:80]!r} aren't where the batch found them")
        try:
            left, right = (inputs.maps[number][1]() for number in known[each])
        except TTEDError as error:
            raise OptionsError(f"the pair {each[0][:80]!r}: {error}") from error
        found.append(MapPair(each[0], PurePosixPath(each[1]).name, PurePosixPath(each[2]).name, left, right))
    return tuple(found)


def fixed_tasks(
    mappings: Sequence[MapPair],
    method: Method,
    models: Models | LoadedDistance | None = None,
    *,
    monitor: Monitor = UNWATCHED,
) -> tuple[Task, ...]:
    """Compare all of them by the method, and fix what comes out as tasks.

    Raises:
        LimitError: too many.
        Interrupted: stopped before all maps were compared.
        TTEDError: whatever ``compare`` says of a map.
    """
    check_limit(len(mappings), MAX_STUDY_MAPPINGS, "mappings in the study", "make two studies of them")
    tasks = []
    for each in monitor.over(mappings, f"Comparing {len(mappings):,} pairs of maps"):
        quiet = Monitor(should_stop=monitor.should_stop)
        found = compare_maps(each.left, each.right, method, models, monitor=quiet)
        tasks.append(
            Task(
                NEW,
                each.document,
                each.left.tree,
                each.right.tree,
                each.left_name,
                each.right_name,
                fixed=fixed_by(found),
            )
        )
    return tuple(tasks)
