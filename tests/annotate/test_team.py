"""The people of a team: names, roles, links and log-ins, and who may write what."""

import pytest

from tted_core import TextTree
from tted_core.annotate.reviews import (
    ADJUDICATOR,
    ANYBODY,
    Judgement,
    Visitor,
    export_csv,
    export_json,
    open_store,
)
from tted_core.annotate.reviews.people import People, Person, hashed
from tted_core.annotate.reviews.records import NEW, FiledTask, Task, name_key
from tted_core.errors import NotAllowedError, PersonError, TTEDError, UnknownNameError

TREE = TextTree(("a", "b", "c"), (-1, 0, 0))
TASK = Task(NEW, "reefs", TREE, TREE, "left", "right")


@pytest.fixture
def store(tmp_path):
    return open_store(str(tmp_path / "reviews.sqlite"))


@pytest.fixture
def people(store):
    return People(store.engine)


def judgement(person, decision="accept", role="reviewer", source=1, **values):
    return Judgement(person, source, source, decision, role=role, **values)


def test_a_person_is_found_by_name_link_and_log_in_and_no_token_is_kept(store, people):
    assert people.add("Anna", email="Anna@Example.org") == Person("Anna", "reviewer", "anna@example.org")
    people.add("Ben", "lead", subject="s-1")
    assert not people.links()
    old, token = people.new_link("ANNA"), people.new_link("anna")
    assert people.links()
    assert people.of_token(hashed(old)) is None
    assert people.of_token(hashed(token)) == people.named("aNNa")
    assert people.of_login(None, "ANNA@example.org").name == "Anna"
    assert people.of_login("s-1", "anna@example.org").name == "Ben"
    assert people.of_login(None, None) is None
    assert people.of_login("", "") is None
    assert people.change_role("anna", "reader").role == "reader"
    assert [each.name for each in people.all()] == ["Anna", "Ben"]
    store.save(TASK, judgement("Anna"))
    people.remove("anna")
    assert people.of_token(hashed(token)) is None
    assert people.add("ANNA").name == "Anna", "her judgements are under the old spelling"
    with store.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM people").all()
    assert token not in str(rows)
    assert old not in str(rows)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda people: people.add("ben"), "Ben is there already, as lead"),
        (lambda people: people.add("Cem", email="BEN@example.org"), "is Ben's email already"),
        (lambda people: people.add("Cem", subject="s"), "is Ben's subject already"),
        (
            lambda people: people.add("Cem", "boss"),
            "unknown role 'boss'; choose one of: reviewer, lead, reader",
        ),
        (lambda people: people.add("\u200b \n"), "the person's name is empty"),
        (lambda people: people.change_role("Cem", "lead"), "there is nobody called 'Cem'"),
        (lambda people: people.new_link("Cem"), "there is nobody called 'Cem'"),
        (lambda people: people.remove("Cem"), "there is nobody called 'Cem'"),
    ],
)
def test_what_is_wrong_is_told_and_changes_nothing(people, wrong, message):
    people.add("Ben", "lead", email="ben@example.org", subject="s")
    with pytest.raises(TTEDError, match=message):
        wrong(people)
    assert len(people.all()) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna", "ANNA"),
        ("Zoë", "zoe\u0308"),
        ("Straße", "STRASSE"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("a\u200bnna", "Anna"),
    ],
)
def test_spellings_of_one_name_are_one_person_also_in_judgements(store, one, other):
    assert name_key(one) == name_key(other)
    first = store.save(TASK, judgement(one))
    assert store.spelled(other) == first.person
    again = store.save(TASK, judgement(other, "reject", revision=1))
    assert again.person == first.person
    filed = FiledTask(TASK, (judgement(other, "accept", source=2), judgement(one, "reject", source=2)))
    assert store.save_all([filed], replacing=False).added == 1
    assert {each.person for each in store.judgements(TASK)} == {first.person}


def test_who_may_write_what(store, people):
    for name, role in (("Anna", "reviewer"), ("Ben", "reviewer"), ("Lea", "lead"), ("Ria", "reader")):
        people.add(name, role)
    store.save(TASK, judgement("Anna"))
    task = store.find_task("reefs", TREE, TREE)
    before = store.history(task)
    anna, ben, lea, ria = (store.of(Visitor(each.name, each.role, checked=True)) for each in people.all())
    stranger = store.of(Visitor(None, "", checked=True))
    forged = store.of(Visitor("Ben", "lead", checked=True))  # a role that was taken away since
    ruling = judgement("Lea", role=ADJUDICATOR)
    filed = [FiledTask(TASK, (judgement("Ben"),))]
    for refused in (
        lambda: ben.save(TASK, judgement("Anna", "reject", revision=1)),
        lambda: ben.save(TASK, judgement("ANNA", "reject", revision=1)),
        lambda: ben.save(TASK, judgement("Ben", role=ADJUDICATOR)),
        lambda: ben.save(TASK, ruling),
        lambda: lea.save(TASK, judgement("Anna", "reject", revision=1)),
        lambda: lea.save(TASK, judgement("Ben", role=ADJUDICATOR)),
        # Files with everybody's votes, also from a page that was drawn for a lead.
        *(
            lambda write=write, other=other: write(other)
            for other in (anna, stranger, forged)
            for write in (export_json, export_csv)
        ),
        lambda: forged.save(TASK, judgement("Ben", role=ADJUDICATOR)),
        *(
            write
            for other in (ria, stranger)
            for write in (
                lambda other=other: other.save(TASK, judgement("Ria")),
                lambda other=other: other.open_task("new", TREE, TREE),
            )
        ),
        *(
            write
            for other in (anna, ben, ria, stranger, forged)
            for write in (
                lambda other=other: other.save_all(filed, replacing=False),
                lambda other=other: other.delete_task(task.number),
                lambda other=other: other.delete_empty(),
                lambda other=other: People(store.engine, other.visitor).add("Eve"),
                lambda other=other: People(store.engine, other.visitor).change_role("Ben", "lead"),
                lambda other=other: People(store.engine, other.visitor).new_link("Anna"),
                lambda other=other: People(store.engine, other.visitor).remove("Anna"),
            )
        ),
    ):
        with pytest.raises(NotAllowedError):
            refused()
    assert store.history(task) == before
    assert export_csv(ria) == export_csv(lea) == export_csv(store)
    assert len(people.all()) == 4
    ben.save(TASK, judgement("ben"))
    lea.save(TASK, ruling)
    with pytest.raises(NotAllowedError, match="you have settled this pair"):
        lea.save(TASK, judgement("Lea"))
    assert lea.save_all(filed, replacing=True).same == 1
    people.remove("Ben")
    with pytest.raises(NotAllowedError, match="in the team no longer"):
        ben.save(TASK, judgement("Ben", source=2))
    assert lea.delete_task(task.number).judgements == 3


def test_a_page_that_was_drawn_before_names_were_checked_writes_nothing_any_more(store, people):
    anybody = store.of(ANYBODY)
    anybody.save(TASK, judgement("anna"))
    people.new_link("Anna")
    for refused in (
        lambda: anybody.save(TASK, judgement("Anna", source=2)),
        anybody.delete_empty,
    ):
        with pytest.raises(NotAllowedError, match="personal link"):
            refused()


def test_nobody_of_an_unknown_name_is_found_and_no_role_of_one_is_given(store):
    people = People(store.engine)
    people.add("Ben")
    with pytest.raises(PersonError):
        people.named("Cem")
    with pytest.raises(UnknownNameError):
        people.change_role("Ben", "boss")
