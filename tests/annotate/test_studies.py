"""Studies: who judges what, how far they are, and how far they agree."""

import krippendorff
import numpy as np
import pytest
import sqlalchemy as sa
from helpers.encoders import hashed
from helpers.trees import random_tree
from hypothesis import given
from hypothesis import strategies as st

from tted_core.annotate.agreement import AnnotatedDocument
from tted_core.annotate.reviews import (
    ADJUDICATOR,
    Judgement,
    TaskSummary,
    Visitor,
    blind_votes,
    open_store,
)
from tted_core.annotate.reviews.schema import MAPS
from tted_core.annotate.studies import (
    Assignment,
    Judged,
    Studies,
    Study,
    agreement_of_study,
    agreement_table,
    assigned,
    fixed_tasks,
    mappings_of,
    pace_of,
    progress_of,
    unopened,
)
from tted_core.distances import Models
from tted_core.errors import ConflictError, LimitError, NotAllowedError, ReviewError
from tted_core.formats import MindMap
from tted_core.method import Method

SIGNATURE = "TTED|order:constrained|proven:yes|enc:x@1|in:1,2|v:0"


def summary(number: int, document: str = "tides", pairs: int = 10, **progress) -> TaskSummary:
    return TaskSummary(
        number,
        document,
        "l",
        "r",
        "left",
        "right",
        progress.get("decided", {}),
        progress.get("verdicts", {}),
        "study",
        SIGNATURE,
        pairs,
    )


@st.composite
def plans(draw):
    documents = [f"document {number}" for number in range(draw(st.integers(1, 6)))]
    names = [each for each in documents for _ in range(draw(st.integers(1, 3)))]
    tasks = [summary(number, name, draw(st.integers(1, 40))) for number, name in enumerate(names)]
    people = [f"person {number}" for number in range(draw(st.integers(1, 5)))]
    overlap = {name: draw(st.integers(1, len(people))) for name in documents}
    return tasks, people, overlap, draw(st.integers(0, 9))


@given(plans())
def test_every_document_gets_its_reviewers_and_everybody_an_order(plan):
    tasks, people, overlap, seed = plan
    found = assigned(tasks, people, overlap, seed=seed)
    assert found == assigned(tasks, people, overlap, seed=seed)
    for document, count in overlap.items():
        mine = [
            {each.person for each in found if each.task == task.number}
            for task in tasks
            if task.document == document
        ]
        assert all(each == mine[0] and len(each) == count for each in mine)
    for person in people:
        places = sorted(each.place for each in found if each.person == person)
        assert places == list(range(len(places)))
    if {*overlap.values()} == {1}:  # nobody has two documents more than another has pairs
        sizes = {name: sum(task.pairs for task in tasks if task.document == name) for name in overlap}
        loads = [
            sum(
                task.pairs
                for task in tasks
                for each in found
                if (each.task, each.person) == (task.number, person)
            )
            for person in people
        ]
        assert max(loads) - min(loads) <= max(sizes.values())


@given(plans(), st.data())
def test_who_has_begun_goes_on_when_it_is_assigned_anew(plan, data):
    tasks, people, overlap, seed = plan
    first = assigned(tasks, people, overlap, seed=seed)
    kept = data.draw(st.lists(st.sampled_from(first), unique=True))
    again = assigned(tasks, [*people, "new"], overlap, seed=seed + 1, kept=kept)
    assert set(kept) <= set(again)
    assert len({(each.task, each.person) for each in again}) == len(again)
    assert len({(each.person, each.place) for each in again}) == len(again)


def test_orders_differ_between_reviewers_and_seeds():
    tasks = [summary(number) for number in range(12)]

    def order(person: str, seed: int) -> list[int]:
        found = assigned(tasks, ["Anna", "Ben"], {"tides": 2}, seed=seed)
        return [each.task for each in sorted(found, key=lambda each: each.place) if each.person == person]

    assert order("Anna", 0) != order("Ben", 0)
    assert order("Anna", 0) != order("Anna", 1)
    with pytest.raises(ReviewError, match="judged by 3 reviewers, and there are 2"):
        assigned(tasks, ["Anna", "Ben"], {"tides": 3})


def made(address: str) -> tuple[Studies, list[int]]:
    """A study of two documents with two mappings each."""
    import random

    rng = random.Random(3)
    documents = [
        AnnotatedDocument(
            name, {who: MindMap(random_tree(rng, 5), "tree") for who in ("anna", "ben", "cleo")}
        )
        for name in ("moon", "tides")
    ]
    mappings = mappings_of(documents, "ben")
    assert [(each.document, each.left_name, each.right_name) for each in mappings][:2] == [
        ("moon", "ben", "anna"),
        ("moon", "ben", "cleo"),
    ]
    studies = Studies(open_store(address).engine)
    studies.make(
        Study("Round 1", seed=5),
        fixed_tasks(mappings, Method.of("proofreading", encoder="custom"), Models(hashed)),
    )
    assert [each.name for each in studies.documents("Round 1")] == ["moon", "tides"]
    return studies, [each.task.number for each in studies.judged("Round 1")]


def test_a_study_is_kept_with_its_order_and_who_has_opened_what(address):
    studies, numbers = made(address)
    store = open_store(address)
    tasks = store.tasks(study="Round 1")
    plan = assigned(tasks, ["Anna", "Ben"], {"moon": 2, "tides": 1}, seed=5)
    studies.assign("Round 1", plan)
    assert studies.assignments("Round 1") == tuple(sorted(plan, key=lambda each: (each.person, each.place)))
    order = [each.task for each in sorted(plan, key=lambda each: each.place) if each.person == "Anna"]
    assert [each.number for each in store.tasks(assigned_to="Anna")] == order
    assert all(each.signature.startswith("TTED|") and each.pairs for each in tasks)
    task = store.task(order[0])
    studies.look_at(task, "Anna")
    first = studies.assignments("Round 1")
    studies.look_at(task, "Anna")
    assert studies.assignments("Round 1") == first
    assert len(unopened(tasks, first)) == len(numbers) - 1
    store.save(task, Judgement("Anna", None, None, "good"))
    (row, ben) = progress_of(tasks, first, studies.times("Round 1"))
    assert (row.person, row.opened, row.finished, row.judged, bool(row.last)) == ("Anna", 1, 0, 0, True)
    assert (ben.opened, ben.last, ben.pace.per_hour) == (0, "", None)
    assert store.delete_empty() == 0
    studies.change(Study("Round 1", "*Look twice.*", "2030-02-01"))
    (kept,) = studies.all()
    assert (kept.guidelines, kept.deadline, kept.seed) == ("*Look twice.*", "2030-02-01", 5)
    with pytest.raises(ConflictError, match="1 judgements by now, not 0"):
        studies.delete("Round 1", seen=0)
    studies.delete("Round 1", seen=1)
    assert studies.all() == store.tasks() == ()
    with store.engine.connect() as connection:
        assert connection.execute(sa.select(MAPS)).all() == []
    with pytest.raises(ReviewError, match="'Round 1' was deleted by its lead"):  # whose page still shows it
        store.save(task, Judgement("Ben", None, None, "good"))
    assert store.tasks() == ()


def test_what_is_no_study_is_refused(address, monkeypatch):
    studies, numbers = made(address)
    store = open_store(address)
    task = store.task(numbers[0])
    for name, message in (("Round 1", "already"), (" ", "empty")):
        with pytest.raises(ReviewError, match=message):
            studies.make(Study(name), [task])
    with pytest.raises(ReviewError, match="needs mappings"):
        studies.make(Study("Empty"), [])
    with pytest.raises(ReviewError, match="no day"):
        studies.change(Study("Round 1", deadline="soon"))
    with pytest.raises(ReviewError, match="no study called 'X'"):
        studies.change(Study("X"))
    with pytest.raises(LimitError, match="guidelines"):
        studies.change(Study("Round 1", "x" * 20_001))
    with pytest.raises(ReviewError, match="none of the study"):
        studies.assign("Round 1", [Assignment(999, "Anna", 0)])
    with pytest.raises(ReviewError, match="one person's"):
        studies.assign("Round 1", [Assignment(numbers[0], name, 0) for name in ("Anna", "anna")])
    monkeypatch.setattr("tted_core.annotate.reviews.studies.MAX_STUDY_MAPPINGS", 1)
    with pytest.raises(LimitError, match="2 mappings"):
        studies.make(Study("Large"), [task, task])
    assert [each.name for each in studies.all()] == ["Round 1"]
    for visitor in (Visitor("Anna", "reviewer", checked=True), Visitor(None, "", checked=True)):
        other = Studies(studies.engine, visitor)
        for refused in (
            lambda other=other: other.make(Study("Mine"), [task]),
            lambda other=other: other.change(Study("Round 1")),
            lambda other=other: other.assign("Round 1", []),
            lambda other=other: other.delete("Round 1", seen=0),
        ):
            with pytest.raises(NotAllowedError):
                refused()


def judged(task: TaskSummary, *judgements: Judgement) -> Judged:
    """A task whose judgements nobody has changed."""
    return Judged(task, judgements, blind_votes(judgements, task.pairs))


VOTES = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 8), st.sampled_from(["Anna", "Ben", "Cleo"]), st.sampled_from("ab")
    ),
    unique_by=lambda each: each[:3],
    max_size=60,
)


def test_verdicts_on_whole_mappings_have_an_ordinal_alpha():
    said = {0: ("good", "good"), 1: ("needs work", "unusable"), 2: ("good", "needs work")}
    every = [
        judged(
            summary(task), *(Judgement(who, None, None, each) for who, each in zip("ab", both, strict=True))
        )
        for task, both in said.items()
    ]
    found = agreement_of_study(every)
    assert (found.of_maps.value, found.items) == (pytest.approx(1 - 17 / 36), 0)


@given(VOTES)
def test_alpha_is_the_packages_over_all_tasks_and_of_every_two(votes):
    decisions = {"a": "accept", "b": "reject"}
    all_judged = [
        judged(
            summary(task),
            *(Judgement(who, n, n, decisions[what]) for its, n, who, what in votes if its == task),
        )
        for task in range(4)
    ]
    found = agreement_of_study(all_judged)

    def expected(names: list[str]) -> float | None:
        items = sorted({(task, n) for task, n, *_ in votes})
        values = {(task, n, who): "ab".index(what) for task, n, who, what in votes}
        table = np.array([[values.get((*item, who), np.nan) for item in items] for who in names], dtype=float)
        shared = table[:, (~np.isnan(table)).sum(axis=0) > 1]
        if len(np.unique(shared[~np.isnan(shared)])) < 2:
            return None
        return krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")

    for alpha, names in [
        (found.alpha, ["Anna", "Ben", "Cleo"]),
        *((each.alpha, [found.people[place] for place in places]) for places, each in found.two.items()),
    ]:
        value = expected(names)
        assert alpha.value is None if value is None else alpha.value == pytest.approx(value)
    assert found.items == len({(task, n) for task, n, *_ in votes})
    assert found.of_maps.values == 0
    table = agreement_table(found)
    assert list(table.columns) == ["Reviewer", *found.people]
    for (first, second), two in found.two.items():
        assert table.iloc[second, first + 1] == f"{two.same}/{two.both}"


def test_re_pairings_agree_by_task_and_node_and_rulings_and_verdicts_do_not_count():
    said = [Judgement(who, 0, 0, "re-pair", partner=1) for who in ("Anna", "Ben")]
    said.append(Judgement("Ben", None, None, "good"))
    said.append(Judgement("Cleo", 0, 0, "reject", role=ADJUDICATOR))
    other = [Judgement("Anna", 0, 0, "re-pair", partner=1), Judgement("Ben", 0, 0, "re-pair", partner=2)]
    found = agreement_of_study([judged(summary(1), *said), judged(summary(2), *other)])
    assert (found.people, found.shared, found.disputed) == (("Anna", "Ben"), 2, 1)
    assert found.alpha.value == pytest.approx(1 - (2 / 4) / (10 / 12))  # of four verdicts two are the same
    assert found.signature == (
        "ALPHA|of:judgements|level:nominal|people:2|tasks:2|pairs:2|seed:0|order:constrained|enc:x@1|v:0|in:2c6a4884"
    )


def test_a_vote_that_is_changed_after_the_others_were_shown_counts_as_it_was_first(address):
    studies, numbers = made(address)
    store = open_store(address)
    task = store.task(numbers[0])
    pairs = [(op.source, op.target) for op in task.fixed.ops]
    for person in ("Anna", "Ben"):
        for pair in pairs:
            what = "reject" if (person, pair) == ("Ben", pairs[0]) else "accept"
            first = store.save(task, Judgement(person, *pair, "undecided", comment="later"))
            store.save(task, Judgement(person, *pair, what, revision=first.revision))
    (before, *_) = studies.judged("Round 1")
    assert (before.changed, len(before.counted)) == ({}, 2 * len(pairs))
    alpha = agreement_of_study([before]).alpha.value
    assert alpha < 1
    for decision in ("undecided", "accept"):  # Ben sees that Anna accepts it
        (his,) = (each for each in store.judgements(task) if (each.person, each.pair) == ("Ben", pairs[0]))
        store.save(task, Judgement("Ben", *pairs[0], decision, revision=his.revision))
        (after, *_) = studies.judged("Round 1")
        assert after.counted == before.counted
        assert {key: vote.decision for key, vote in after.changed.items()} == {("Ben", pairs[0]): "reject"}
        found = agreement_of_study([after])
        assert (found.alpha.value, found.changed, found.disputed) == (alpha, 1, 1)
    last = store.save(task, Judgement("Ben", *pairs[0], "reject", revision=his.revision + 1))
    (again, *_) = studies.judged("Round 1")
    assert (last.decision, again.changed) == ("reject", {})


def test_pace_leaves_breaks_out():
    times = [
        f"2026-01-01T10:{minute:02}:{second:02}.000+00:00"
        for minute, second in ((0, 0), (0, 10), (0, 40), (20, 0), (20, 20))
    ]
    pace = pace_of(times)
    assert (pace.median_seconds, pace.per_hour) == (20.0, 3600 * 3 / 60)
    assert pace_of(times[:1]).median_seconds is None
