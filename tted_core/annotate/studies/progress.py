"""How far everybody is, how fast they go, and what nobody has looked at yet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median

from tted_core.annotate.reviews import Assignment, TaskSummary

BREAK_SECONDS = 300.0
"""Whoever saves nothing for longer has done something else meanwhile."""


@dataclass(frozen=True)
class Pace:
    """How fast judgements come, breaks left out; None where two don't follow each other."""

    median_seconds: float | None
    per_hour: float | None


@dataclass(frozen=True)
class PersonProgress:
    """How far one annotator is with what is assigned to them.

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
