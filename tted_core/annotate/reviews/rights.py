"""Who may write what: asked within the transaction that writes, by every method of the store that does."""

from dataclasses import dataclass

import sqlalchemy as sa

from tted_core.annotate.reviews.database import lock
from tted_core.annotate.reviews.records import (
    ADJUDICATOR,
    REVIEWER,
    UNDECIDED,
    Judgement,
    Task,
    name_key,
)
from tted_core.annotate.reviews.rows import of_pair
from tted_core.annotate.reviews.schema import JUDGEMENTS, PEOPLE
from tted_core.errors import NotAllowedError

LEAD, READER = "lead", "reader"

ROLES = (REVIEWER, LEAD, READER)
"""Of a person: a reviewer judges, a lead does all that there is to do, a reader reads."""


@dataclass(frozen=True)
class Visitor:
    """Who is before the page.

    Attributes:
        name: as it is in the table of people, or None where nobody is known: then names are typed.
        role: one of ``ROLES``; without checks everybody is a lead.
        checked: whether the name was made sure of, by a log-in or a personal link.
    """

    name: str | None
    role: str
    checked: bool

    @property
    def leads(self) -> bool:
        """Whether what is the lead's is theirs: importing, deleting, settling."""
        return self.role == LEAD


ANYBODY = Visitor(None, LEAD, checked=False)
"""A visitor where names are typed and not checked."""

OPERATOR = Visitor(None, LEAD, checked=True)
"""Whoever works on the server itself, by the command: can read and write the database anyway."""


def lock_team(connection: sa.Connection) -> None:
    """Let nobody else ask for a role until this transaction, which changes the team, has ended."""
    lock(connection, "team")


def check_lead(connection: sa.Connection, visitor: Visitor, what: str) -> None:
    """Refuse what is a lead's to do.

    Raises:
        NotAllowedError: the visitor is none (by now).
    """
    if _role(connection, visitor) != LEAD:
        raise NotAllowedError(f"{what} is for the lead; ask the lead of your team to do it")


def check_judging(connection: sa.Connection, visitor: Visitor, judgement: Judgement) -> None:
    """Refuse a judgement that isn't the visitor's own, or a ruling of who is no lead.

    Raises:
        NotAllowedError: it is another's, or the visitor's role doesn't go so far.
    """
    role = _role(connection, visitor)
    if role == READER:
        raise NotAllowedError(
            "you are a reader, who judges nothing; ask the lead of your team for another role"
        )
    if visitor.name is not None and name_key(judgement.person) != name_key(visitor.name):
        raise NotAllowedError(f"you are {visitor.name}, and judge under this name only")
    if judgement.role == ADJUDICATOR and role != LEAD:
        raise NotAllowedError("settling is for the lead; ask the lead of your team to do it")


def check_writing(connection: sa.Connection, visitor: Visitor) -> None:
    """Refuse a reader anything that is written.

    Raises:
        NotAllowedError: the visitor is one, or in the team no longer.
    """
    if _role(connection, visitor) == READER:
        raise NotAllowedError(
            "you are a reader, who changes nothing; ask the lead of your team for another role"
        )


def check_exporting(connection: sa.Connection, visitor: Visitor) -> None:
    """Refuse a reviewer files with everybody's votes: theirs may be still to come.

    Raises:
        NotAllowedError: the visitor is one (by now), or in the team no longer.
    """
    if _role(connection, visitor) == REVIEWER:
        raise NotAllowedError("exports hold everybody's votes, and are for leads and readers; ask your lead")


def check_impartial(connection: sa.Connection, task: Task, judgement: Judgement) -> None:
    """Refuse a ruling of who took part in the dispute, and a vote of who has ruled on it already.

    Until the transaction ends nobody else says anything of this pair under this name.

    Raises:
        NotAllowedError: the same person has said something of this pair in the other role.
    """
    if judgement.decision == UNDECIDED:
        return
    lock(connection, "pair", task.number, judgement.pair, judgement.person)
    other = REVIEWER if judgement.role == ADJUDICATOR else ADJUDICATOR
    mine = (*of_pair(task, judgement, other), JUDGEMENTS.c.person == judgement.person)
    said = sa.select(JUDGEMENTS.c.id).where(*mine, JUDGEMENTS.c.decision != UNDECIDED)
    if connection.execute(said).first() is None:
        return
    if other == REVIEWER:
        raise NotAllowedError("you have judged this pair yourself: somebody who hasn't settles it")
    raise NotAllowedError("you have settled this pair: your own vote on it would come too late")


def _role(connection: sa.Connection, visitor: Visitor) -> str:
    """The role at this moment, which may be another than when the page was drawn; it stays until the end."""
    if visitor == OPERATOR:
        return LEAD
    lock(connection, "team", shared=True)
    if not visitor.checked:
        if connection.execute(
            sa.select(PEOPLE.c.id).where(PEOPLE.c.token_hash.is_not(None)).limit(1)
        ).first():
            raise NotAllowedError(
                "names are checked here by now; open your personal link, which your lead has"
            )
        return visitor.role
    mine = PEOPLE.c.name_key == name_key(visitor.name or "")
    role = connection.execute(sa.select(PEOPLE.c.role).where(mine)).scalar()
    if role is None:
        raise NotAllowedError("you are in the team no longer; ask its lead")
    return str(role)
