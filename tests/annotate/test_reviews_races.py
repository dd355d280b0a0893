"""Rules that concern several rows hold when two sessions write at the same moment, in both databases."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest

from tted_core import TextTree
from tted_core.annotate.reviews import (
    ADJUDICATOR,
    ANYBODY,
    Assignment,
    Judgement,
    ReviewStore,
    Study,
    Visitor,
    export_json,
    import_json,
    open_store,
)
from tted_core.annotate.reviews.people import People
from tted_core.annotate.reviews.records import NEW, FiledTask, Task
from tted_core.annotate.studies import Studies
from tted_core.errors import ConflictError, NotAllowedError, ReviewError, TTEDError

ROUNDS = 25
TREE = TextTree(("a", "b", "c"), (-1, 0, 0))
TASK = Task(NEW, "tides", TREE, TREE, "left", "right")


def at_once(*calls: Callable[[], object]) -> list[object]:
    """What each call returns or raises, begun at the same moment, each in a thread of its own."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return call()
        except TTEDError as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.fixture
def stores(address) -> tuple[ReviewStore, ReviewStore]:
    """Two servers on one database."""
    return open_store(address), open_store(address)


def test_nobody_both_votes_on_a_pair_and_settles_it(stores):
    one, other = stores
    both = 0
    for number in range(ROUNDS):
        task = one.open_task(f"document {number}", TREE, TREE)
        found = at_once(
            lambda task=task: one.save(task, Judgement("Anna", 1, 1, "accept")),
            lambda task=task: other.save(task, Judgement("Anna", 1, 1, "reject", role=ADJUDICATOR)),
        )
        refused = [each for each in found if isinstance(each, TTEDError)]
        assert all(isinstance(each, NotAllowedError) for each in refused)
        both += not refused
    assert both == 0, f"{both} of {ROUNDS} rounds accepted a vote and a ruling of one person"


def test_nothing_outlives_a_study_that_is_deleted_meanwhile(stores):
    one, other = stores
    studies = Studies(other.engine)
    left = 0
    for number in range(ROUNDS):
        study = studies.make(Study(f"study {number}"), [TASK])
        (task,) = (one.task(each.number) for each in one.tasks(study=study.name))
        saved, deleted = at_once(
            lambda task=task: one.save(task, Judgement("Anna", None, None, "good")),
            lambda study=study: studies.delete(study.name, seen=0),
        )
        if isinstance(deleted, TTEDError):
            assert isinstance(deleted, ConflictError)  # the judgement came first
            assert isinstance(saved, Judgement)
            assert len(one.judgements(task)) == 1
        else:
            assert isinstance(saved, ReviewError)
            assert "was deleted by its lead" in str(saved)
            left += bool(one.tasks(study=study.name))
    assert left == 0, f"{left} of {ROUNDS} rounds left a task of a deleted study"


def test_two_leads_who_assign_at_once_leave_one_assignment(stores):
    for number in range(ROUNDS):
        studies = [Studies(each.engine) for each in stores]
        study = studies[0].make(Study(f"study {number}"), [TASK])
        (task,) = stores[0].tasks(study=study.name)
        found = at_once(
            *(
                lambda its=its, study=study, task=task: its.assign(
                    study.name, [Assignment(task.number, "Anna", 0)]
                )
                for its in studies
            )
        )
        assert found == [None, None]
        assert studies[0].assignments(study.name) == (Assignment(task.number, "Anna", 0),)


def test_a_typed_name_saves_nothing_after_the_first_personal_link(stores):
    """Either the judgement came before the link, or it is refused; nobody demotes two leads to none at once."""
    one, other = stores
    people = People(other.engine)
    people.add("Lea", "lead")
    people.add("Max", "lead")
    leads = [
        People(each.engine, Visitor(name, "lead", checked=True))
        for each, name in zip(stores, ("Lea", "Max"), strict=True)
    ]
    for _ in range(ROUNDS):
        found = at_once(
            lambda: leads[0].change_role("Max", "reviewer"), lambda: leads[1].change_role("Lea", "reviewer")
        )
        assert sum(isinstance(each, NotAllowedError) for each in found) == 1
        assert [each.role for each in people.all()].count("lead") == 1
        people.change_role("Lea", "lead")
        people.change_role("Max", "lead")
    task = one.open_task("tides", TREE, TREE)
    saved, token = at_once(
        lambda: one.of(ANYBODY).save(task, Judgement("Zoe", 1, 1, "accept")), lambda: people.new_link("Lea")
    )
    assert isinstance(token, str)
    assert isinstance(saved, Judgement | NotAllowedError)
    assert len(one.judgements(task)) == isinstance(saved, Judgement)


def test_an_import_stops_where_its_lead_has_become_none(stores, monkeypatch):
    monkeypatch.setattr("tted_core.annotate.reviews.bulk.CHUNK", 2)
    one, other = stores
    people = People(other.engine)
    people.add("Lea", "lead")
    lead = one.of(Visitor("Lea", "lead", checked=True))

    def tasks():
        for number in range(4):
            if number == 2:
                people.change_role("Lea", "reviewer")
            task = Task(NEW, f"document {number}", TREE, TREE, "left", "right")
            yield FiledTask(task, (Judgement("Ben", 1, 1, "accept"), Judgement("Ben", 2, 2, "accept")))

    with pytest.raises(NotAllowedError, match="importing is for the lead"):
        lead.save_all(tasks(), replacing=False)
    assert [each.document for each in one.tasks()] == ["document 0", "document 1"]


def test_deletion_asks_for_the_lead_in_the_transaction_that_deletes(stores, monkeypatch):
    """A lead who is demoted between the question and the deletion would delete all the same."""
    one, other = stores
    people = People(other.engine)
    people.add("Lea", "lead")
    lead = one.of(Visitor("Lea", "lead", checked=True))
    for whole in (False, True):
        task = one.open_task("tides", TREE, TREE)
        delete = lead.delete_empty if whole else partial(lead.delete_task, task.number)
        found = at_once(delete, lambda: people.change_role("Lea", "reviewer"))
        assert not isinstance(found[1], TTEDError)
        if isinstance(found[0], TTEDError):
            assert isinstance(found[0], NotAllowedError)
            assert len(one.tasks()) == 1
        people.change_role("Lea", "lead")


def test_an_import_that_was_killed_is_completed_with_its_study_and_assignments(stores, monkeypatch, tmp_path):
    monkeypatch.setattr("tted_core.annotate.reviews.bulk.CHUNK", 1)
    one, _ = stores
    studies = Studies(one.engine)
    tasks = [replace(TASK, document=name) for name in ("moon", "tides")]
    studies.make(Study("Round 1", "*Look twice.*", seed=3), tasks)
    plan = [Assignment(each.number, "Anna", place) for place, each in enumerate(one.tasks(study="Round 1"))]
    studies.assign("Round 1", plan)
    file = export_json(one)
    there = open_store(str(tmp_path / "other.sqlite"))
    original = ReviewStore.save_all

    def ends(self, filed, **options):
        original(self, list(filed)[:1], **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ReviewStore, "save_all", ends)
        with pytest.raises(KeyboardInterrupt):
            import_json(there, file)
    import_json(there, file)
    assert len(there.tasks(study="Round 1")) == 2
    assert [(each.person, each.place) for each in Studies(there.engine).assignments("Round 1")] == [
        ("Anna", 0),
        ("Anna", 1),
    ]
    (study,) = Studies(there.engine).all()
    assert (study.guidelines, study.seed) == ("*Look twice.*", 3)
