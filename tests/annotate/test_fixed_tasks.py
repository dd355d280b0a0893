"""What a task fixes: its mapping, its options and its signature, in the database and in files."""

import csv
import io
import json
from dataclasses import replace

import pytest
from helpers.encoders import hashed
from helpers.reviewing import version_1
from helpers.trees import random_tree, tree_of
from hypothesis import given
from hypothesis import strategies as st

from tted_core import compare
from tted_core.annotate.reviews import (
    ADJUDICATOR,
    Judgement,
    Study,
    export_csv,
    export_json,
    fixed_by,
    import_csv,
    import_json,
    is_blind,
    open_store,
    ops_in_order,
    outcomes,
    restore_json,
)
from tted_core.annotate.reviews.plain import fixed_of, plain_fixed
from tted_core.annotate.studies import Studies
from tted_core.errors import NotAllowedError, ReviewError

LEFT, RIGHT = tree_of("a(b c)"), tree_of("a(b d e)")


def fixed(name: str = "proofreading", left=LEFT, right=RIGHT):
    return fixed_by(compare(left, right, encoder=hashed, preset=name))


@pytest.fixture
def store(address):
    return open_store(address)


def made(store, name: str = "proofreading", study: str = ""):
    return store.open_task("tides", LEFT, RIGHT, "anna", "ben", study=study, fixed=fixed(name))


def test_what_is_fixed_stays_whoever_opens_the_task_with_what(store):
    task = made(store)
    assert task.fixed == fixed()
    assert "gap:=0.8|p:8" in task.fixed.signature
    again = store.open_task("tides", LEFT, RIGHT, fixed=fixed("published"))
    assert (again.number, again.fixed) == (task.number, fixed())
    (summary,) = store.tasks()
    assert (summary.signature, summary.pairs) == (task.fixed.signature, len(task.fixed.ops))
    Studies(store.engine).make(Study("second round"), [replace(task, fixed=fixed("published"))])
    other = made(store, study="second round")
    assert other.fixed == fixed("published")
    assert other.number != task.number
    store.save(task, Judgement("Anna", 0, 0, "accept"))
    assert store.judgements(other) == ()
    assert [each.number for each in store.tasks(study="")] == [task.number]


def test_a_pair_that_the_mapping_does_not_have_is_refused(store):
    task = made(store)
    pairs = {(op.source, op.target) for op in task.fixed.ops}
    wrong = next((s, t) for s in range(3) for t in range(4) if (s, t) not in pairs)
    for given_task in (task, replace(task, fixed=None)):
        with pytest.raises(ReviewError, match=r"has no pair of node \d and node \d; it is fixed as TTED"):
            store.save(given_task, Judgement("Anna", *wrong, "accept"))
    store.save(task, Judgement("Anna", None, None, "good"))
    store.save(task, Judgement("Anna", *next(iter(pairs)), "accept"))


@given(st.randoms(use_true_random=False), st.sampled_from(["proofreading", "published"]))
def test_what_is_fixed_is_written_and_read_again(rng, name):
    left, right = random_tree(rng, rng.randint(1, 9)), random_tree(rng, rng.randint(1, 9))
    result = compare(left, right, encoder=hashed, preset=name)
    before = fixed_by(result)
    assert fixed_of(json.loads(json.dumps(plain_fixed(before))), left, right, "here") == before
    assert sorted(before.ops, key=repr) == sorted(result.script.ops, key=repr)
    assert list(before.ops) == ops_in_order(result)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("signature"),
        lambda data: data["ops"].append(["match", 0, 0, 0.0, []]),
        lambda data: data["ops"].append(["match", 99, 0, 0.0, []]),
        lambda data: data["ops"].append(["delete", 0, 0, 0.0, []]),
        lambda data: data["ops"].append(["move", 0, 0, 0.0, []]),
        lambda data: data["ops"].append("match"),
        lambda data: data["options"].update(gap="much"),
        lambda data: data["options"].pop("order"),
        lambda data: data.update(ops=3),
    ],
)
def test_what_is_no_mapping_of_these_maps_is_refused(change):
    data = plain_fixed(fixed())
    change(data)
    with pytest.raises(ReviewError, match="task 1: the fixed mapping"):
        fixed_of(data, LEFT, RIGHT, "task 1")


def test_files_carry_what_is_fixed_and_are_refused_where_it_is_something_else(store, tmp_path):
    task = made(store)
    pair = task.fixed.ops[0].source, task.fixed.ops[0].target
    store.save(task, Judgement("Anna", *pair, "accept"))
    text, table = export_json(store), export_csv(store)
    assert task.fixed.signature in table
    empty, other, old = (open_store(str(tmp_path / name)) for name in "abc")
    import_json(empty, text)
    (summary,) = empty.tasks()
    assert empty.task(summary.number).fixed == task.fixed
    assert import_csv(empty, table).same == 1
    made(other, "published")
    for read, content in ((import_json, text), (import_csv, table)):
        with pytest.raises(ReviewError, match=r"is fixed here as TTED.*and in the file as TTED"):
            read(other, content)
    assert other.count_tasks(judged=True) == 0
    before = version_1(text)
    del before["tasks"][0]["fixed"], before["studies"]  # as an older program wrote it
    import_json(old, json.dumps(before))
    assert old.task(old.tasks()[0].number).fixed is None
    written = io.StringIO()
    csv.writer(written).writerows(row[:-2] for row in csv.reader(io.StringIO(table)))
    assert import_csv(old, written.getvalue()).same == 1


def test_a_backup_holds_studies(store, tmp_path):
    from tted_core.annotate.studies import Assignment, Studies, Study

    task = replace(made(store), number=0)
    studies = Studies(store.engine)
    studies.make(Study("Tides", "# Read", "2030-01-31", 7), [task])
    (summary,) = store.tasks(study="Tides")
    studies.assign("Tides", [Assignment(summary.number, "Anna", 0, "2026-01-01")])
    file = tmp_path / "backup.json"
    file.write_text(export_json(store), encoding="utf-8")
    other = open_store(str(tmp_path / "other.sqlite"))
    for _ in range(2):
        assert restore_json(other, file).empty == 1
        assert Studies(other.engine).all() == studies.all()
        (there,) = other.tasks(study="Tides")
        (assignment,) = Studies(other.engine).assignments("Tides")
        assert (assignment.task, assignment.person, assignment.opened) == (there.number, "Anna", "2026-01-01")
    damaged = version_1(file.read_text(encoding="utf-8"))
    assert import_json(open_store(str(tmp_path / "third.sqlite")), json.dumps(damaged)).empty == 1
    damaged["studies"][0]["assignments"][0]["task"] = 1
    with pytest.raises(ReviewError, match="study 1: an assignment names no task of it"):
        import_json(other, json.dumps(damaged))


def test_nobody_settles_what_they_have_voted_on_nor_votes_on_what_they_have_settled(store):
    task = store.open_task("tides", LEFT, RIGHT)
    store.save(task, Judgement("Anna", 0, 0, "accept"))
    store.save(task, Judgement("Ben", 0, 0, "undecided", comment="hm"))
    with pytest.raises(NotAllowedError, match="you have judged this pair yourself"):
        store.save(task, Judgement("ANNA", 0, 0, "reject", role=ADJUDICATOR))
    store.save(task, Judgement("Anna", 1, 1, "reject", role=ADJUDICATOR))  # another pair
    store.save(task, Judgement("Ben", 0, 0, "reject", role=ADJUDICATOR))
    with pytest.raises(NotAllowedError, match="you have settled this pair"):
        store.save(task, Judgement("Ben", 0, 0, "accept", revision=1))
    assert [each.person for each in store.judgements(task)] == ["Anna", "Ben", "Anna", "Ben"]


def test_one_vote_is_not_called_all():
    said = [Judgement("Anna", n, n, "accept", saved="x") for n in range(3)]
    said += [Judgement("Ben", 1, 1, "accept"), Judgement("Ben", 2, 2, "reject")]
    assert [each.decided_by for each in outcomes(said)] == ["one vote", "all 2 votes", "open"]
    said.append(Judgement("Cleo", 2, 2, "reject", role=ADJUDICATOR))
    assert outcomes(said)[2].decided_by == "ruling by Cleo"


def test_one_is_blind_until_all_of_ones_own_is_in():
    pairs = [(0, 0), (1, None)]
    own = [Judgement("Anna", 0, 0, "accept"), Judgement("Anna", 1, None, "undecided")]
    assert is_blind(pairs, own)
    assert not is_blind(pairs, [own[0], replace(own[1], decision="reject")])
