"""Which tasks are asked for, and how far everybody is with them: parts of the store's statements."""

from typing import Any

import sqlalchemy as sa

from tted_core.annotate.reviews.records import ANNOTATOR, UNDECIDED
from tted_core.annotate.reviews.schema import JUDGEMENTS, NONE, TASKS


def wanted(search: str, *, judged: bool, study: str | None) -> list[Any]:
    """Conditions on tasks: part of a name, whether anybody has decided something, and their study."""
    names = (TASKS.c.document, TASKS.c.left_name, TASKS.c.right_name)
    found: list[Any] = (
        [sa.or_(*(name.icontains(search, autoescape=True) for name in names))] if search else []
    )
    if study is not None:
        found.append(TASKS.c.study == study)
    if judged:
        found.append(TASKS.c.id.in_(decided()))
    return found


def decided() -> sa.Select[tuple[int]]:
    """The numbers of tasks of which an annotator has decided something."""
    mine = JUDGEMENTS.c.role == ANNOTATOR, JUDGEMENTS.c.decision != UNDECIDED
    return sa.select(JUDGEMENTS.c.task_id).where(*mine)


def progress(
    connection: sa.Connection, mine: list[Any]
) -> tuple[dict[int, dict[str, int]], dict[int, dict[str, str]]]:
    """By task and person: how many pairs are decided, and the verdict."""
    pair = sa.or_(JUDGEMENTS.c.source != NONE, JUDGEMENTS.c.target != NONE)
    task, person = JUDGEMENTS.c.task_id, JUDGEMENTS.c.person
    counted: dict[int, dict[str, int]] = {}
    verdicts: dict[int, dict[str, str]] = {}
    counts = sa.select(task, person, sa.func.count()).where(pair, *mine).group_by(task, person)
    for number, name, count in connection.execute(counts):
        counted.setdefault(number, {})[name] = count
    for number, name, verdict in connection.execute(
        sa.select(task, person, JUDGEMENTS.c.decision).where(~pair, *mine)
    ):
        verdicts.setdefault(number, {})[name] = verdict
    return counted, verdicts
