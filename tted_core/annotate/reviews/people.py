"""The people of a team, and who of them may write what.

Rights are asked within the transaction that writes, by every method of the store that does. People are in the
database of the reviews; of a link it has the SHA-256 of its token only.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tted_core.annotate.reviews.database import lock, reading, writing
from tted_core.annotate.reviews.records import (
    ADJUDICATOR,
    REVIEWER,
    UNDECIDED,
    Judgement,
    Task,
    clean_name,
    name_key,
)
from tted_core.annotate.reviews.rows import kept_person, of_pair
from tted_core.annotate.reviews.schema import JUDGEMENTS, PEOPLE
from tted_core.errors import NotAllowedError, PersonError
from tted_core.foundations.registry import lookup

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


TOKEN_BYTES = 32


@dataclass(frozen=True)
class Person:
    """One of the team.

    Attributes:
        name: unique whatever its capitals.
        role: one of ``ROLES``.
        email: of their log-in, in small letters, if they log in.
        subject: what their provider calls them (the claim "sub"), where that is sure and an e-mail isn't.
        linked: whether there is a personal link.
    """

    name: str
    role: str
    email: str | None = None
    subject: str | None = None
    linked: bool = False


@dataclass(frozen=True)
class People:
    """All people in one database, for one visitor. Every method may raise ``DatabaseError``.

    Every method that writes raises ``NotAllowedError`` where the visitor is no lead.
    """

    engine: sa.Engine
    visitor: Visitor = OPERATOR

    def all(self) -> tuple[Person, ...]:
        """Everybody, by name: who was added, and who has judged under a typed name."""
        with reading(self.engine) as connection:
            rows = connection.execute(sa.select(PEOPLE).order_by(PEOPLE.c.name_key)).all()
        return tuple(map(_person, rows))

    def named(self, name: str) -> Person:
        """One of them, however capitals are typed.

        Raises:
            PersonError: there is none of this name.
        """
        with reading(self.engine) as connection:
            return _person(_row(connection, name))

    def add(
        self, name: str, role: str = REVIEWER, *, email: str | None = None, subject: str | None = None
    ) -> Person:
        """Add a person, or one who is there for having judged under a typed name only.

        Raises:
            PersonError: there is one of this name, e-mail or subject.
            ReviewError: the name is empty.
            LimitError: a text is too long.
            UnknownNameError: no such role.
        """
        name = clean_name(name, "the person's name")
        lookup(dict.fromkeys(ROLES), role, "role")
        values = {
            "role": role,
            "email": None if email is None else clean_name(email, "the e-mail").casefold(),
            "subject": None if subject is None else clean_name(subject, "the subject"),
        }
        with self._changing("adding people") as connection:
            for column in ("email", "subject"):
                _check_free(connection, column, values[column])
            name = kept_person(connection, name)
            row = _row(connection, name)
            if row.role != REVIEWER or row.email or row.subject or row.token_hash:
                raise PersonError(
                    f"{row.name} is there already, as {row.role}; change the role, or make a link"
                )
            _update(connection, row, **values)
            return _person(_row(connection, name))

    def change_role(self, name: str, role: str) -> Person:
        """Give a person another role.

        Raises:
            PersonError: there is none of this name, or it is the visitor's own.
            UnknownNameError: no such role.
        """
        lookup(dict.fromkeys(ROLES), role, "role")
        with self._changing("giving roles") as connection:
            self._check_other(name)
            _update(connection, _row(connection, name), role=role)
            return _person(_row(connection, name))

    def remove(self, name: str) -> Person:
        """Take a person out of the team; their judgements stay.

        Raises:
            PersonError: there is none of this name, or it is the visitor's own.
        """
        with self._changing("removing people") as connection:
            self._check_other(name)
            row = _row(connection, name)
            connection.execute(sa.delete(PEOPLE).where(PEOPLE.c.id == row.id))
        return _person(row)

    def new_link(self, name: str) -> str:
        """Make a new token for a person's link, shown once; it revokes the previous link.

        Raises:
            PersonError: there is none of this name.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._changing("making personal links") as connection:
            _update(connection, _row(connection, name), token_hash=hashed(token))
        return token

    @contextmanager
    def _changing(self, what: str) -> Iterator[sa.Connection]:
        """A transaction in which the team is changed: until it ends nobody else can ask for a role."""
        with writing(self.engine) as connection:
            lock(connection, "team")
            check_lead(connection, self.visitor, what)
            yield connection

    def _check_other(self, name: str) -> None:
        """Let no lead give up the lead by mistake: there may be no other."""
        if name_key(name) == name_key(self.visitor.name or ""):
            raise PersonError("your own role is changed by another lead, so that there is always one")

    def links(self) -> bool:
        """Whether anybody has a personal link: then names are checked."""
        with reading(self.engine) as connection:
            known = sa.select(PEOPLE.c.id).where(PEOPLE.c.token_hash.is_not(None)).limit(1)
            return connection.execute(known).first() is not None

    def of_token(self, digest: str) -> Person | None:
        """Whose link has the token of this ``hashed`` digest; all are compared, each in constant time."""
        with reading(self.engine) as connection:
            rows = connection.execute(sa.select(PEOPLE).where(PEOPLE.c.token_hash.is_not(None))).all()
        found = [row for row in rows if hmac.compare_digest(row.token_hash, digest)]
        return _person(found[0]) if found else None

    def of_login(self, subject: str | None, email: str | None) -> Person | None:
        """Who logs in under a provider's subject or, where nobody does, under an e-mail that it has verified."""
        with reading(self.engine) as connection:
            for column, value in (("subject", subject), ("email", email and email.casefold())):
                row = value and connection.execute(sa.select(PEOPLE).where(PEOPLE.c[column] == value)).first()
                if row:
                    return _person(row)
        return None


def hashed(token: str) -> str:
    """What is kept of a token, in hexadecimal digits; 256 random bits need no salt."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _check_free(connection: sa.Connection, column: str, value: str | None) -> None:
    other = value and connection.execute(sa.select(PEOPLE.c.name).where(PEOPLE.c[column] == value)).scalar()
    if other:
        raise PersonError(f"{value} is {other}'s {column} already; give another, or remove {other} first")


def _row(connection: sa.Connection, name: str) -> Any:
    row = connection.execute(sa.select(PEOPLE).filter_by(name_key=name_key(name))).first()
    if row is None:
        raise PersonError(f"there is nobody called {name[:80]!r} in the team; add them first")
    return row


def _update(connection: sa.Connection, row: Any, **values: str | None) -> None:
    connection.execute(sa.update(PEOPLE).where(PEOPLE.c.id == row.id).values(**values))


def _person(row: Any) -> Person:
    return Person(row.name, row.role, row.email, row.subject, row.token_hash is not None)
