"""A judgement draws its pair alone, and the whole page where what is around it has changed."""

import os
from collections.abc import Iterator

import pytest
from helpers.annotate_page import fixed_sample, quick_page, studied
from helpers.paths import ROOT

from benchmarks.faults import said_of
from benchmarks.server import served
from benchmarks.session import Session
from tted_core.annotate.reviews import Judgement, ReviewStore, open_store
from tted_core.annotate.reviews.people import People
from tted_core.annotate.studies import Studies

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    yield from quick_page(monkeypatch)


@pytest.fixture
def anna(quick: None) -> Iterator[Session]:
    studied("Anna", "Ben")
    kept = {"TTED_DATABASE": os.environ["TTED_DATABASE"]}
    with served(ROOT, environment=kept) as (address, _), Session(address) as session:
        session.run(page="Annotate", query="tab=review&reviewer=Anna")
        session.run()
        yield session


def title(session: Session) -> object:
    """What the whole page draws anew."""
    return next(session.shown("heading"))


def said(session: Session) -> str:
    """The texts on the page, without the backslashes that keep Markdown from being read."""
    return said_of(session).replace("\\", "")


def progress(session: Session) -> str:
    return next(each.progress.text for each in session.shown("progress"))


def accept(store: ReviewStore, person: str, which: slice) -> None:
    task = store.task(store.tasks(assigned_to="Anna")[0].number)
    for op in task.fixed.ops[which]:
        store.save(task, Judgement(person, op.source, op.target, "accept"))


def test_the_page_around_is_drawn_once_a_mapping_is_finished_and_not_before(anna):
    store, pairs = open_store(), len(fixed_sample()[0].fixed.ops)
    accept(store, "Anna", slice(1, pairs - 1))
    accept(store, "Ben", slice(pairs))
    before = title(anna)
    anna.run(of="decide-accept")
    assert f"{pairs - 2} of {pairs} pairs judged" in progress(anna)  # in another window
    anna.click("decide-accept")
    assert "Saved pair 1" in said(anna)
    assert f"**Pair {pairs} of {pairs}**" in said(anna)
    assert "What others say is shown here once" in said(anna)
    assert title(anna) is before
    anna.click("decide-reject")
    assert f"Saved pair {pairs}" in said(anna)
    assert "What others say" not in said(anna)
    assert "(0 of 6 finished)" in said(anna)
    anna.click("verdict-good")
    assert "Saved the verdict" in said(anna)
    assert "(1 of 6 finished)" in said(anna)
    anna.click("review-next")
    assert "Not judged yet." in said(anna)
    assert not anna.failures
    (first, *_) = store.tasks(assigned_to="Anna")
    assert (first.decided, first.verdicts) == ({"Anna": pairs, "Ben": pairs}, {"Anna": "good"})


def test_the_next_click_after_names_are_checked_is_refused_and_leaves_the_pair(anna):
    store = open_store()
    People(store.engine).new_link("Ben")
    anna.click("decide-accept")
    assert "**Pair" not in said(anna)
    assert any("Names are checked here" in each.alert.body for each in anna.shown("alert"))
    assert not [each for each in store.tasks() if each.decided]


def test_a_study_that_was_deleted_meanwhile_goes_with_the_next_click(anna):
    store = open_store()
    Studies(store.engine).delete("Round 1", seen=0)
    anna.click("decide-accept")
    assert "Nothing is assigned to Anna yet" in said(anna)
    assert not store.tasks()
