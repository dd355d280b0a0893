"""Hidden checks and overruled votes: what a lead marks, and what a reviewer is told in the end."""

from dataclasses import replace

import pytest
from helpers.encoders import hashed
from helpers.trees import tree_of

from tted_core import compare, parse_map
from tted_core.annotate.reviews import (
    ADJUDICATOR,
    Judgement,
    Visitor,
    export_json,
    fixed_by,
    import_json,
    open_store,
    ops_in_order,
)
from tted_core.annotate.studies import Accuracy, Assignment, Studies, Study, accuracy_of
from tted_core.errors import NotAllowedError, ReviewError

LEFT, RIGHT = tree_of("a(b c)"), tree_of("a(b d)")


@pytest.fixture
def store(address):
    """A study of one mapping, which Anna and Ben have judged and Lea has settled where they differ."""
    store = open_store(address)
    studies = Studies(store.engine)
    found = compare(LEFT, RIGHT, encoder=hashed)
    task = replace(store.find_task("tides", LEFT, RIGHT, "anna", "ben", study="one"), fixed=fixed_by(found))
    studies.make(Study("one"), [task])
    task = the_task(store)
    studies.assign("one", [Assignment(task.number, name, 0) for name in ("Anna", "Ben")])
    for person, first in (("Anna", "accept"), ("Ben", "reject")):
        for number, op in enumerate(task.fixed.ops):
            said = first if number == 0 else "accept"
            store.save(task, Judgement(person, op.source, op.target, said))
    store.save(task, Judgement("Lea", *pairs(task)[0], "reject", comment="look again", role=ADJUDICATOR))
    return store


def the_task(store):
    return store.task(store.tasks(study="one")[0].number)


def pairs(task):
    return [(op.source, op.target) for op in task.fixed.ops]


def test_a_lead_marks_settled_pairs_and_sees_everybodys_accuracy(store):
    studies, task = Studies(store.engine), the_task(store)
    first, second = pairs(task)[:2]
    assert accuracy_of(studies.judged("one"), studies.gold("one")) == ()
    studies.mark_gold(task, first)
    studies.mark_gold(task, first)  # once more changes nothing
    studies.mark_gold(task, second)
    assert [(each.pair, each.decision) for each in studies.gold("one")] == [
        (first, "reject"),
        (second, "accept"),
    ]
    assert accuracy_of(studies.judged("one"), studies.gold("one")) == (
        Accuracy("Anna", 2, 1),
        Accuracy("Ben", 2, 2),
    )
    studies.mark_gold(task, first, gold=False)
    assert [each.pair for each in studies.gold("one")] == [second]


def test_what_is_not_settled_is_no_check_and_only_a_lead_marks(store):
    studies, task = Studies(store.engine), the_task(store)
    with pytest.raises(ReviewError, match="whole mapping"):
        studies.mark_gold(task, (None, None))
    with pytest.raises(ReviewError, match="settle it"):
        studies.mark_gold(task, (0, None))
    anna = Studies(store.engine, Visitor("Anna", "reviewer", checked=True))
    with pytest.raises(NotAllowedError):
        anna.mark_gold(task, pairs(task)[0])
    assert studies.gold("one") == ()


def test_hidden_checks_travel_with_a_study_and_go_with_it(store, tmp_path):
    studies, task = Studies(store.engine), the_task(store)
    studies.mark_gold(task, pairs(task)[0])
    text = export_json(store)
    other = open_store(str(tmp_path / "other.sqlite"))
    import_json(other, text)
    assert Studies(other.engine).gold("one") == tuple(
        replace(each, task=the_task(other).number) for each in studies.gold("one")
    )
    assert export_json(other).count('"gold"') == 1
    with pytest.raises(ReviewError, match="hidden check"):
        import_json(other, text.replace('"gold": [{', '"gold": [3, {'))
    studies.delete("one", seen=len(store.judgements(task)))
    assert studies.gold("one") == ()


def test_a_reviewer_is_told_where_a_ruling_differs_once_all_votes_are_in(store):
    studies, task = Studies(store.engine), the_task(store)
    (only,) = studies.overruled("Anna")
    assert (only.task, only.vote.pair) == (task.number, pairs(task)[0])
    assert (only.vote.decision, only.ruling.decision, only.ruling.comment) == (
        "accept",
        "reject",
        "look again",
    )
    assert studies.overruled("Ben") == ()
    vote = next(
        each for each in store.judgements(task) if each.person == "Anna" and each.pair == pairs(task)[1]
    )
    store.save(task, replace(vote, decision="undecided"))
    assert studies.overruled("Anna") == ()


def test_nodes_that_a_reader_put_above_several_roots_are_not_judged():
    left, right = (parse_map(text, name="map.txt") for text in ("a\nb\n", "a\nc\n"))
    assert left.tree.labels[0] == "(2 roots)"
    found = compare(left, right, encoder=hashed)
    assert {(op.source, op.target) for op in found.script.ops} == {(0, 0), (1, 1), (2, 2)}
    assert [(op.source, op.target) for op in ops_in_order(found)] == [(1, 1), (2, 2)]
