"""tted people: the team behind the reviews in the database (see TTED_DATABASE), and their personal links."""

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tted_core.cli.shared import add_json, dump
from tted_core.foundations.extras import require

if TYPE_CHECKING:
    from tted_core.annotate.reviews.people import People, Person

ROLES = ("reviewer", "lead", "reader")
HERE = "http://localhost:8501"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command's parts."""
    parts = parser.add_subparsers(dest="part", required=True, metavar="|".join(PARTS))
    adding = parts.add_parser("add", help="add a person; without a log-in they get a personal link")
    adding.add_argument("name")
    adding.add_argument("--role", choices=ROLES, default=ROLES[0], help=f"default: {ROLES[0]}")
    adding.add_argument("--email", metavar="E", help="of their log-in, where the server has a provider")
    adding.add_argument("--subject", metavar="S", help='what the provider calls them (the claim "sub")')
    listing = parts.add_parser("list", help="show everybody")
    role = parts.add_parser("role", help="give a person another role")
    role.add_argument("name")
    role.add_argument("role", choices=ROLES)
    link = parts.add_parser("link", help="make a new personal link, which revokes the previous one")
    link.add_argument("name")
    remove = parts.add_parser("remove", help="take a person out of the team; their judgements stay")
    remove.add_argument("name")
    for part in (adding, link):
        part.add_argument(
            "--url",
            default=os.environ.get("TTED_URL", HERE),
            metavar="ADDRESS",
            help=f"what people type for this server (default: TTED_URL, or {HERE})",
        )
    for part in (adding, listing, role, link, remove):
        add_json(part)


def run(options: argparse.Namespace) -> str:
    """Do the part and return what to print."""
    require("reviews")
    from tted_core.annotate.reviews import open_store
    from tted_core.annotate.reviews.people import People

    return PARTS[options.part](People(open_store().engine), options)


def link_of(address: str, token: str) -> str:
    """The personal link of a token on a server of this address."""
    return f"{address.rstrip('/')}/Annotate?{urlencode({'tab': 'review', 'person': token})}"


def _add(people: "People", options: argparse.Namespace) -> str:
    person = people.add(options.name, options.role, email=options.email, subject=options.subject)
    if person.email or person.subject:
        return _told(
            options, person, f"{person.name} ({person.role}) logs in as {person.email or person.subject}"
        )
    return _link(people, options)


def _list(people: "People", options: argparse.Namespace) -> str:
    everybody = people.all()
    if options.json:
        return dump({"people": [vars(each) for each in everybody]})
    lines = [f"{each.name}  {each.role}  {_way_in(each)}" for each in everybody]
    return "\n".join([*lines, f"{len(everybody):,} people"])


def _way_in(person: "Person") -> str:
    ways = [each for each in (person.email, person.subject) if each] + ["personal link"] * person.linked
    return ", ".join(ways) or "no access: known from judgements only"


def _role(people: "People", options: argparse.Namespace) -> str:
    person = people.change_role(options.name, options.role)
    return _told(options, person, f"{person.name} is {person.role} now")


def _link(people: "People", options: argparse.Namespace) -> str:
    address = link_of(options.url, people.new_link(options.name))
    person = people.named(options.name)
    said = (
        f"{person.name} ({person.role}) comes in by this link; it is shown once, and lets in whoever has it:"
    )
    return _told(options, person, f"{said}\n{address}", link=address)


def _remove(people: "People", options: argparse.Namespace) -> str:
    person = people.remove(options.name)
    return _told(options, person, f"{person.name} has been removed from the team; the judgements stay")


def _told(options: argparse.Namespace, person: "Person", said: str, **more: str) -> str:
    return dump({**vars(person), **more}) if options.json else said


PARTS: dict[str, Callable[["People", argparse.Namespace], str]] = {
    "add": _add,
    "list": _list,
    "role": _role,
    "link": _link,
    "remove": _remove,
}
