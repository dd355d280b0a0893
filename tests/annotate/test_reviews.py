"""Judgements in the database: SQLite and, where it is installed, a real PostgreSQL."""

import dataclasses
import os
from collections import Counter

import pytest
import sqlalchemy as sa
from helpers.trees import tree_of

from tted_core.annotate.reviews import (
    ADJUDICATOR,
    DECISIONS,
    VERDICTS,
    Judged,
    Judgement,
    TaskSummary,
    blind_votes,
    open_store,
    outcomes,
)
from tted_core.annotate.reviews.database import database_url
from tted_core.annotate.studies import agreement_of_study
from tted_core.errors import ConflictError, DatabaseError, LimitError, ReviewError
from tted_core.tree import TextTree

LEFT, RIGHT = tree_of("a(b c)"), tree_of("a(b d e)")
HOSTILE = "<img src=x onerror=alert(1)> '); DROP TABLE judgements;-- =1+1 :red[x] \u202e\x00\ud800"


@pytest.fixture
def store(address):
    return open_store(address)


@pytest.fixture
def task(store):
    return store.open_task("tides", LEFT, RIGHT, "anna", "ben")


def test_a_judgement_is_there_when_the_database_is_opened_again(address, store, task):
    saved = store.save(task, Judgement("Anna", 1, 1, "accept", comment="clear"))
    assert saved.revision == 1
    assert saved.saved
    again = open_store(address)
    (summary,) = again.tasks()
    assert (summary.document, summary.left_name, summary.right_name) == ("tides", "anna", "ben")
    assert again.task(summary.number) == task
    assert again.judgements(task) == (saved,)


def test_a_task_is_made_once(store, task):
    assert store.open_task("tides", LEFT, RIGHT, "other", "names") == task
    assert store.open_task("tides", RIGHT, LEFT).number != task.number
    assert store.open_task("tides 2", LEFT, RIGHT).number != task.number
    assert len(store.tasks()) == 3


def test_every_kind_of_pair_and_decision_is_kept(store, task):
    given = [
        Judgement("Anna", 0, 0, "accept"),
        Judgement("Anna", 1, 2, "re-pair", partner=1),
        Judgement("Anna", 2, None, "re-pair", partner=3),
        Judgement("Anna", None, 3, "re-pair", partner=2),
        Judgement("Anna", None, 1, "reject", comment="line one\nline two"),
        Judgement("Anna", 1, 1, "undecided", comment="?"),
        Judgement("Anna", None, None, "needs work"),
    ]
    saved = [store.save(task, each) for each in given]
    assert store.judgements(task) == tuple(saved)
    (summary,) = store.tasks()
    assert summary.decided == {"Anna": 5}
    assert summary.verdicts == {"Anna": "needs work"}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"source": 3}, "no node 3 in the left map"),
        ({"target": -1}, "no node -1 in the right map"),
        ({"decision": "maybe"}, "unknown decision 'maybe'"),
        ({"decision": "good"}, "unknown decision"),
        ({"decision": "re-pair"}, "needs a partner"),
        ({"decision": "re-pair", "partner": 4}, "no node 4 in the right map"),
        ({"decision": "re-pair", "partner": 1}, "same as before"),
        ({"partner": 1}, "takes no partner"),
        ({"person": " \u202e\n"}, "name is empty"),
        ({"role": "judge"}, "unknown role"),
        ({"source": None, "target": None}, "choose one of: good"),
    ],
)
def test_what_is_no_judgement_is_refused(store, task, wrong, message):
    judgement = dataclasses.replace(Judgement("Anna", 1, 1, "accept"), **wrong)
    with pytest.raises(ReviewError, match=message):
        store.save(task, judgement)
    assert store.judgements(task) == ()


def test_limits_of_texts(store, task):
    with pytest.raises(LimitError, match="10,001 characters in the comment"):
        store.save(task, Judgement("Anna", 1, 1, "accept", comment="x" * 10_001))
    with pytest.raises(LimitError, match="201 characters in the reviewer's name"):
        store.save(task, Judgement("x" * 201, 1, 1, "accept"))
    with pytest.raises(LimitError, match="document"):
        store.open_task("x" * 201, LEFT, RIGHT)


def test_hostile_texts_are_kept_as_texts(store):
    tree = TextTree(("\x00\ud800 root", HOSTILE), (-1, 0))
    task = store.open_task(HOSTILE, tree, RIGHT, HOSTILE, HOSTILE)
    saved = store.save(task, Judgement(HOSTILE, 1, 1, "accept", comment=HOSTILE))
    assert store.task(task.number).left == tree
    (kept,) = store.judgements(task)
    assert kept == saved
    assert kept.person == "<img src=x onerror=alert(1)> '); DROP TABLE judgements;-- =1+1 :red[x]"
    assert kept.comment.startswith("<img src=x onerror=alert(1)> ');")
    assert store.tasks()[0].decided == {kept.person: 1}


def test_names_that_look_the_same_are_the_same(store, task):
    store.save(task, Judgement("Zoë  Ng", 1, 1, "accept"))
    with pytest.raises(ConflictError):
        store.save(task, Judgement("Zoe\u0308 Ng ", 1, 1, "reject"))


def test_a_write_over_a_newer_one_is_refused_and_shows_it(store, task):
    first = store.save(task, Judgement("Anna", 1, 1, "accept"))
    second = store.save(task, dataclasses.replace(first, decision="reject"))
    assert second.revision == 2
    for stale in (first, Judgement("Anna", 1, 1, "accept")):
        with pytest.raises(ConflictError, match="another window") as caught:
            store.save(task, stale)
        assert caught.value.current == second
    assert store.judgements(task) == (second,)
    assert store.history(task) == (first, second)


def test_reviewers_do_not_stand_in_each_others_way_and_adjudicators_do(store, task):
    store.save(task, Judgement("Anna", 1, 1, "accept"))
    store.save(task, Judgement("Ben", 1, 1, "reject"))
    ruling = store.save(task, Judgement("Cleo", 1, 1, "reject", role=ADJUDICATOR))
    with pytest.raises(ConflictError) as caught:
        store.save(task, Judgement("Dan", 1, 1, "accept", role=ADJUDICATOR))
    assert caught.value.current == ruling
    store.save(task, dataclasses.replace(ruling, person="Dan", decision="accept"))
    assert [(each.person, each.role) for each in store.judgements(task)][-1] == ("Dan", ADJUDICATOR)
    assert [each.person for each in store.history(task)] == ["Anna", "Ben", "Cleo", "Dan"]
    assert store.tasks()[0].decided == {"Anna": 1, "Ben": 1}


def test_an_unknown_task_is_an_error(store):
    with pytest.raises(ReviewError, match="no task 7"):
        store.task(7)


def test_outcomes_show_disputes_and_what_holds():
    said = [
        Judgement("Ben", 1, 1, "reject"),
        Judgement("Anna", 1, 1, "accept"),
        Judgement("Anna", 0, 0, "accept"),
        Judgement("Ben", 0, 0, "accept"),
        Judgement("Anna", 2, None, "re-pair", partner=1),
        Judgement("Ben", 2, None, "re-pair", partner=2),
        Judgement("Cleo", 2, None, "accept", role=ADJUDICATOR),
        Judgement("Anna", None, 3, "undecided"),
        Judgement("Anna", None, None, "good"),
    ]
    found = {each.pair: each for each in outcomes(said)}
    assert list(found) == [(0, 0), (1, 1), (2, None), (None, None)]
    assert [each.disputed for each in found.values()] == [False, True, True, False]
    assert [each.final and each.final.decision for each in found.values()] == [
        "accept",
        None,
        "accept",
        "good",
    ]
    assert [vote.person for vote in found[1, 1].votes] == ["Anna", "Ben"]


def alpha_of(said: list[Judgement]) -> float | None:
    """Alpha of the judgements of one task, which nobody has changed."""
    task = TaskSummary(1, "tides", "l", "r", "left", "right", {}, {})
    return agreement_of_study([Judged(task, tuple(said), blind_votes(said, None))]).alpha.value


def test_agreement_of_judgements_by_hand():
    """Two reviewers, four pairs, one disputed: D_o = 2 / 8; values 5 accept, 3 reject: D_e = 30 / 56."""
    said = [Judgement("Anna", n, n, d) for n, d in enumerate(["accept", "accept", "reject", "accept"])]
    said += [Judgement("Ben", n, n, d) for n, d in enumerate(["accept", "accept", "reject", "reject"])]
    assert alpha_of(said) == pytest.approx(1 - (2 / 8) / (30 / 56))
    assert alpha_of(said[:4]) is None


def test_every_decision_has_a_name_of_its_own():
    assert max(Counter((*DECISIONS, *VERDICTS)).values()) == 2  # undecided is in both


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        ("/some/folder/x.sqlite", "sqlite:////some/folder/x.sqlite"),
        ("postgresql://me@db/tted", "postgresql+psycopg://me@db/tted"),
        ("postgres://me@db/tted", "postgresql+psycopg://me@db/tted"),
        ("sqlite:///x.db", "sqlite:///x.db"),
    ],
)
def test_the_setting_is_an_address_or_a_path(setting, url, monkeypatch):
    assert str(database_url(setting)) == url
    monkeypatch.setenv("TTED_DATABASE", setting)
    assert str(database_url()) == url


def test_without_a_setting_it_is_a_file_of_the_user(monkeypatch, tmp_path):
    monkeypatch.delenv("TTED_DATABASE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert database_url().database.endswith("reviews.sqlite")


@pytest.mark.parametrize("setting", ["mysql://me@db/x", "://", "postgresql//me@db/x://"])
def test_other_databases_are_refused(setting):
    with pytest.raises(DatabaseError, match="TTED_DATABASE"):
        database_url(setting)


def test_a_database_that_cannot_be_used_is_an_error_without_its_password(tmp_path):
    (tmp_path / "text.sqlite").write_text("no database " * 100, encoding="utf-8")
    with pytest.raises(DatabaseError, match="not a database"):
        open_store(str(tmp_path / "text.sqlite"))
    with pytest.raises(DatabaseError, match=r"can't be (made|used)"):
        open_store(str(tmp_path / "text.sqlite" / "below"))
    with pytest.raises(DatabaseError) as caught:
        open_store(f"postgresql://me:secret@/x?host={tmp_path}")
    assert "secret" not in str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="other access rights")
def test_the_folder_is_for_its_user_alone(tmp_path):
    open_store(str(tmp_path / "new" / "reviews.sqlite"))
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


def test_sqlite_writes_to_the_disk_before_it_says_so(tmp_path):
    store = open_store(str(tmp_path / "x.sqlite"))
    with store.engine.connect() as connection:
        assert connection.execute(sa.text("PRAGMA synchronous")).scalar() == 3  # EXTRA
        assert connection.execute(sa.text("PRAGMA foreign_keys")).scalar() == 1
