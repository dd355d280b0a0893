"""The people of a team: names, roles and personal links, so that a lead needs no shell."""

import os
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from tted_core.annotate.reviews import LEAD, ROLES, clean_name
from tted_core.annotate.reviews.people import People, Person
from tted_core.cli.app import opened
from tted_core.cli.people import link_of
from tted_core.errors import PersonError
from ui.annotate.people import REVIEWER_NAME, keep_outcome, shown_outcome, sign_in, signed_in, store
from ui.annotate.unsaved import kept_until_saved, recalled
from ui.log_in import has_provider
from ui.server import serves_beyond
from ui.text import markdown_escaped

OUTCOME = "team-outcome"

ROLE_TEXTS = {
    "reviewer": "judges, under their own name only",
    "lead": "that too, and makes studies, settles, imports, exports, and changes the team",
    "reader": "reads and exports",
}
BEGIN = (
    "Names are not checked. To give everybody a personal link instead, begin with your own: you become "
    "the lead, and from then on nobody comes in without a link."
)
BY_COMMAND = (
    "Names are not checked. Other machines reach this server, so whoever runs it makes the first lead: "
    "`tted people add NAME --role lead`."
)
ONCE = "Copy it now: a link is shown once, and lets in whoever has it. Send it as you would a password."


def show_team(_sidebar: object) -> None:
    """Draw who is in the team, with what a lead may change."""
    with kept_until_saved(store):
        if not signed_in():
            return
        reviews = store()
        if not reviews.visitor.leads:
            st.info("Only a lead can change the team.")
            return
        shown_outcome(OUTCOME)
        _show_links()
        people = People(reviews.engine, reviews.visitor)
        everybody = recalled(("people",), people.all)
        if reviews.visitor.checked:
            _add(people)
        elif serves_beyond() or opened():
            st.caption(BY_COMMAND)
        else:
            _begin(people)
        if everybody:
            _table(everybody)
        if everybody and reviews.visitor.checked:
            _change(people, everybody)


def _show_links() -> None:
    """Draw the links that the last click made; they stay until the next one."""
    links: dict[str, str] = st.session_state.pop("team-links", {})
    if links:
        st.caption(ONCE)
    for name, address in links.items():
        st.markdown(f"**{markdown_escaped(name)}**")
        st.code(address, language=None, wrap_lines=True)


def _begin(people: People) -> None:
    with st.form("team-begin", border=False):
        st.markdown(BEGIN)
        name = st.text_input("Your name", key="team-first", max_chars=100, width=260)
        if st.form_submit_button("Check names from now on"):
            keep_outcome(OUTCOME, lambda: _first_lead(people, name))
            st.rerun()


def _first_lead(people: People, typed: str) -> None:
    name = clean_name(typed, "your name")
    try:
        people.add(name, LEAD)
    except PersonError:  # known from judgements
        people.change_role(name, LEAD)
    token = people.new_link(name)
    sign_in(token)
    _tell(f"{name} leads the team now.", {name: link_of(_address(), token)})


def _add(people: People) -> None:
    if st.session_state.pop("team-added", False):
        st.session_state["team-names"] = ""
    with st.form("team-add", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        if has_provider():
            names = st.text_input("Name", key="team-names", max_chars=200, width=260)
            email = st.text_input("E-mail of their log-in", key="team-email", max_chars=320, width=260)
        else:
            names = st.text_area("Add people: names, one a line", key="team-names", height=90, width=380)
            email = ""
        role = st.selectbox("Role", ROLES, key="team-role", width=160)
        if st.form_submit_button("Add", type="primary"):
            keep_outcome(OUTCOME, lambda: _added(people, names, role, email))
            st.rerun()
    st.caption(" · ".join(f"**{name}** {what}" for name, what in ROLE_TEXTS.items()))


def _added(people: People, names: str, role: str, email: str) -> None:
    links: dict[str, str] = {}
    wanted = [each for each in names.splitlines() if each.strip()]
    try:
        for name in wanted or [names]:
            person = people.add(name, role, email=email or None)
            if not email:
                links[person.name] = link_of(_address(), people.new_link(person.name))
        st.session_state["team-added"] = True
    finally:
        _tell(f"Added {len(links) or len(wanted)} to the team.", links)


def _table(everybody: tuple[Person, ...]) -> None:
    checked = store().visitor.checked
    table = pd.DataFrame(
        {
            "Name": each.name,
            "Role": each.role,
            **({"Comes in by": _way_in(each)} if checked else {"Link": _by_name(each.name)}),
        }
        for each in everybody
    )
    columns = {"Link": st.column_config.TextColumn(help="Opens the reviewer's page under this name.")}
    st.dataframe(table, hide_index=True, column_config=columns)


def _change(people: People, everybody: tuple[Person, ...]) -> None:
    roles = {each.name: each.role for each in everybody}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Person", list(roles), key="team-person", width=260)
        role = st.selectbox("Role", ROLES, ROLES.index(roles[name]), key=f"team-role-{name}", width=160)
        st.button(
            "Change the role",
            disabled=role == roles[name],
            on_click=keep_outcome,
            args=(
                OUTCOME,
                lambda: _tell(f"{name} is {people.change_role(name, role).role} now."),
            ),
        )
        st.button(
            "New link",
            help="Revokes the previous one.",
            on_click=keep_outcome,
            args=(
                OUTCOME,
                lambda: _tell("", {name: link_of(_address(), people.new_link(name))}),
            ),
        )
        with st.popover("Remove"):
            st.markdown("The judgements stay.")
            st.button(
                "Remove from the team",
                on_click=keep_outcome,
                args=(
                    OUTCOME,
                    lambda: _tell(f"{people.remove(name).name} has been removed from the team."),
                ),
            )


def _tell(said: str, links: dict[str, str] | None = None) -> None:
    st.session_state[OUTCOME] = said
    st.session_state["team-links"] = links or {}


def _way_in(person: Person) -> str:
    ways = [each for each in (person.email, person.subject) if each] + ["personal link"] * person.linked
    return ", ".join(ways) or "no access yet"


def _by_name(name: str) -> str:
    return f"{_address()}/Annotate?{urlencode({'tab': 'review', REVIEWER_NAME: name})}"


def _address() -> str:
    """What people type for this server."""
    page = st.context.url or ""
    return os.environ.get("TTED_URL") or page.removesuffix("/").removesuffix("/Annotate")
