"""Who is before the page: by the provider's log-in, by a personal link, or by a typed name that nobody checks.

With a section [auth] in the secrets Streamlit logs visitors in (OpenID Connect), and the table of people says who
they are. Without it, names are checked by personal links as soon as anybody has one. The table is asked in every
run, so that another role, a new link or a removal holds from the next click on.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.reviews import (
    ANYBODY,
    READER,
    REVIEWER,
    ReviewStore,
    Visitor,
    clean_name,
    open_store,
)
from tted_core.annotate.reviews.database import database_url
from tted_core.annotate.reviews.people import People, Person, hashed
from tted_core.cli.app import read_only
from tted_core.errors import DatabaseError
from ui.annotate.unsaved import recalled
from ui.log_in import forget_log_in, has_provider, remember_log_in
from ui.server import check_unchecked_names
from ui.text import markdown_escaped

LINK = "person"
"""The parameter of a personal link; it is taken out of the address at once."""

REVIEWER_NAME = "reviewer"
"""The parameter of a link for a person where names are typed, and the key of the field that it fills in."""

COOKIE = "tted_person"
"""It lets a reload in again: the token, for this server only, until one signs out or for 30 days."""

MAX_AGE_SECONDS = 30 * 24 * 3600

STRANGER = Visitor(None, "", checked=True)
"""Where names are checked, a visitor whose name isn't known."""

ONLOOKER = Visitor(None, READER, checked=False)
"""Anybody, on a server that is open to read only."""

READ_ONLY = "This server is open to everybody, so nothing is written here: reviews can be read only."
UNCHECKED = (
    "Names are not checked here: whoever opens this page can write under any name, and has all roles; "
    "docs/hosting.md tells how to set up a log-in."
)
REFUSED = "This link is no personal link of the team, or no longer one: ask your lead for a new one."
ASKED = "Names are checked here: open the personal link that your lead gave you."


@dataclass
class _Kept:
    """What a session keeps; an object, which no message of a browser can put in its place.

    Attributes:
        token: of a personal link, whether or not there is such a person; empty for none.
        cookie: the token that the browser keeps, as far as is known.
    """

    token: str
    cookie: str


def store() -> ReviewStore:
    """The visitor's store, in the operator's database (TTED_DATABASE) or in a file of the user's.

    Raises:
        DatabaseError: it can't be opened.
    """
    return _store().of(visitor())


def _store() -> ReviewStore:
    return _opened(database_url().render_as_string(hide_password=False))


@st.cache_resource(max_entries=4, show_spinner=False)
def _opened(address: str) -> ReviewStore:
    return open_store(address)


def visitor() -> Visitor:
    """Who is before the page; ``STRANGER`` where names are checked and this one isn't known.

    Raises:
        DatabaseError: it can't be asked, and hasn't been before.
    """
    people = People(_store().engine)
    if has_provider():
        person = _logged_in(people)
    elif recalled(("links",), people.links):
        digest = hashed(_kept().token)
        person = recalled(("token", digest), lambda: people.of_token(digest))
    else:
        check_unchecked_names()
        return ONLOOKER if read_only() else ANYBODY
    return STRANGER if person is None else Visitor(person.name, person.role, checked=True)


def take_link() -> None:
    """Take the token or the name that a person's link carries into the session, and out of the address."""
    if LINK in st.query_params:
        sign_in(st.query_params[LINK])
        del st.query_params[LINK]
    if REVIEWER_NAME in st.query_params:
        st.session_state[REVIEWER_NAME] = st.query_params[REVIEWER_NAME]
        del st.query_params[REVIEWER_NAME]


def sign_in(token: str) -> None:
    """Let the session be that of whoever has the link with this token."""
    _kept().token = token


def keep_outcome(key: str, work: Callable[[], str | None]) -> None:
    """Do what a click asks for; what that did, or why it didn't, is kept for ``shown_outcome``."""
    said: str | TTEDError | None
    try:
        said = work()
    except TTEDError as error:
        said = error
    if said:
        st.session_state[key] = said


def shown_outcome(key: str) -> bool:
    """Draw what the last click did, or why it didn't, which the session keeps under a key; False for nothing."""
    outcome = st.session_state.pop(key, None)
    if isinstance(outcome, TTEDError):
        st.error(markdown_escaped(str(outcome)), icon=":material/warning:")
    elif outcome:
        st.caption(f":green[✓] {markdown_escaped(outcome)}")
    return bool(outcome)


def reviews_only() -> bool:
    """Whether the visitor is known to be a reviewer, who has nothing to do here but to judge."""
    with suppress(DatabaseError):
        who = visitor()
        return who.checked and who.role == REVIEWER
    return False


def signed_in() -> bool:
    """Draw who is before the page, and the way in or out; False while nobody is let in."""
    who = visitor()
    if not who.checked:
        st.caption(f":material/warning: {UNCHECKED if who == ANYBODY else READ_ONLY}")
        return True
    if has_provider():
        forget_log_in()
    else:
        _keep_cookie(_kept().token if who.name else "")
    if who.name is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Signed in as **{markdown_escaped(who.name)}**, {who.role}.", width="content")
            st.button("Sign out", on_click=_sign_out)
        return True
    if has_provider():
        _draw_log_in()
    elif _kept().token:
        st.error(REFUSED, icon=":material/warning:")
    else:
        st.info(ASKED)
    return False


def person_input(reviews: ReviewStore, label: str, key: str) -> str | None:
    """The visitor's name: the checked one or, where none is, that of a field; None while it is empty."""
    if reviews.visitor.checked:
        return reviews.visitor.name
    typed = st.text_input(
        label,
        key=key,
        max_chars=100,
        placeholder="Anna",
        width=260,
        persist_state="session",
        help="Judgements are kept under this name: come back with the same one to go on. It is no password: "
        "whoever can open this page can write under any name.",
    )
    if not typed or not typed.strip():
        return None
    name = clean_name(typed, "the name")
    return recalled(("spelled", name), lambda: reviews.spelled(name))


def _logged_in(people: People) -> Person | None:
    claims = st.user.to_dict()
    if not claims.get("is_logged_in"):
        return None
    subject, email = _claimed(claims)
    return recalled(("login", subject, email), lambda: people.of_login(subject, email))


def _claimed(claims: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """What the provider calls a visitor, and their e-mail if it says that it has verified it.

    Providers that don't say so let people write any e-mail into their own account (Entra ID), also another's.
    """
    subject, email = (str(claims[name]) if claims.get(name) else None for name in ("sub", "email"))
    return subject, email if claims.get("email_verified") in (True, "true") else None


def _draw_log_in() -> None:
    claims = st.user.to_dict()
    if not claims.get("is_logged_in"):
        remember_log_in()
        st.info("Names are checked here: log in to annotate.")
        st.button("Log in", type="primary", on_click=st.login)
        return
    subject, email = _claimed(claims)
    ways = [f"your e-mail ({email})"] if email else []
    ways += [f"what the provider calls you ({subject})"] if subject else []
    st.error(
        markdown_escaped(f"You are not in this team: ask its lead to add you, by {' or '.join(ways)}."),
        icon=":material/warning:",
    )
    st.button("Log out", on_click=st.logout)


def _sign_out() -> None:
    """Leave, with all that was chosen here."""
    cookie = _kept().cookie
    st.session_state.clear()
    if has_provider():
        st.logout()
    else:
        st.session_state["signed-in"] = _Kept("", cookie)


def _keep_cookie(token: str) -> None:
    """Let the browser keep a token that was found in the table, or forget what it has."""
    kept = _kept()
    if kept.cookie == token:
        return
    kept.cookie = token
    age = MAX_AGE_SECONDS if token else 0
    cookie = json.dumps(f"{COOKIE}={token}; path=/; SameSite=Strict; max-age={age}")
    secure = "(location.protocol === 'https:' ? '; Secure' : '')"
    st.html(f"<script>document.cookie = {cookie} + {secure}</script>", unsafe_allow_javascript=True)


def _kept() -> _Kept:
    kept = st.session_state.get("signed-in")
    if not isinstance(kept, _Kept):
        token = st.context.cookies.get(COOKIE, "")
        kept = st.session_state["signed-in"] = _Kept(token, token)
    return kept
