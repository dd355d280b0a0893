"""The people of a team, in the database of the reviews; of a link it has the SHA-256 of its token only."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tted_core.annotate.reviews.database import reading, writing
from tted_core.annotate.reviews.records import REVIEWER, clean_name, name_key
from tted_core.annotate.reviews.rights import OPERATOR, ROLES, Visitor, check_lead, lock_team
from tted_core.annotate.reviews.rows import kept_person
from tted_core.annotate.reviews.schema import PEOPLE
from tted_core.errors import PersonError
from tted_core.registry import lookup

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
        with writing(self.engine) as connection:
            lock_team(connection)
            check_lead(connection, self.visitor, "adding people")
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
        with writing(self.engine) as connection:
            lock_team(connection)
            check_lead(connection, self.visitor, "giving roles")
            self._check_other(name)
            _update(connection, _row(connection, name), role=role)
            return _person(_row(connection, name))

    def remove(self, name: str) -> Person:
        """Take a person out of the team; their judgements stay.

        Raises:
            PersonError: there is none of this name, or it is the visitor's own.
        """
        with writing(self.engine) as connection:
            lock_team(connection)
            check_lead(connection, self.visitor, "removing people")
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
        with writing(self.engine) as connection:
            lock_team(connection)
            check_lead(connection, self.visitor, "making personal links")
            _update(connection, _row(connection, name), token_hash=hashed(token))
        return token

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
