"""What reviewers are given to judge: their own mappings, fixed and blind, and a sample that is never kept."""

from datetime import UTC, datetime, timedelta

import pytest
from helpers.annotate_page import button, fixed_sample, opened, quick_page, reviewing, studied, texts
from streamlit import config

from tted_core.annotate.reviews import ADJUDICATOR, Judgement, open_store
from tted_core.annotate.studies import Studies, Study
from ui.annotate import queue


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    yield from quick_page(monkeypatch)


def box(app):
    return next(each for each in app.selectbox if each.label.startswith("Mapping"))


def judge_all(person: str, decision: str = "accept", place: int = 0) -> None:
    """Somebody judges all pairs of the mapping at a place of theirs, and finds it good."""
    store = open_store()
    task = store.task(store.tasks(assigned_to=person)[place].number)
    for op in task.fixed.ops:
        store.save(task, Judgement(person, op.source, op.target, decision))
    store.save(task, Judgement(person, None, None, "good"))


@pytest.mark.thorough
def test_one_goes_through_ones_own_mappings_in_ones_own_order():
    studied("Anna", "Ben")
    judge_all("Anna")
    app = opened("Review a mapping", reviewer="anna")  # one person, however it is typed
    assert "(1 of 6 finished)" in texts(app)
    assert box(app).options[0].startswith("✓ 1. ")
    assert box(app).value == open_store().tasks(assigned_to="Anna")[1].number
    box(app).select_index(0).run()
    button(app, "Mapping finished: next").click().run()
    assert box(app).index == 1
    opened_by = {each.task for each in Studies(open_store().engine).assignments("Round 1") if each.opened}
    assert opened_by == {each.number for each in open_store().tasks(assigned_to="Anna")[:2]}
    assert "Nothing is assigned to Cleo" in texts(opened("Review a mapping", reviewer="Cleo"))


@pytest.mark.thorough
def test_the_sidebar_changes_no_mapping_that_is_opened():
    app = reviewing()
    pairs = len(open_store().task(box(app).value).fixed.ops)
    published = {"gap": "0", "power": "1", "order": "ordered", "depth": "1"}
    studied("Anna")
    other = opened("Review a mapping", published, reviewer="Anna")
    for each in (app, other):
        assert f"**Pair 1 of {pairs}**" in texts(each)
        assert "gap:=" not in texts(each)  # nothing sways the answer: no signature, no cost
        assert "cost" not in texts(each)


def test_what_others_say_is_hidden_until_all_of_ones_own_is_in():
    studied("Anna", "Ben")
    judge_all("Ben", "reject")
    app = opened("Review a mapping", reviewer="Anna")
    assert "What others say is shown here once you have judged all pairs." in texts(app)
    assert not any("reject" in str(each.value) for each in app.dataframe)
    settling = opened("Settle disputes", adjudicator="Anna")
    assert "1 mapping left out: you judge there too" in texts(settling)
    assert "reject" not in texts(settling)
    judge_all("Anna")
    store = open_store()
    task = store.task(store.tasks(assigned_to="Anna")[0].number)
    op = task.fixed.ops[0]
    store.save(task, Judgement("Cleo", op.source, op.target, "reject", comment="why", role=ADJUDICATOR))
    app = opened("Review a mapping", reviewer="Anna")
    box(app).select_index(0).run()
    label = "Your judgements beside the others': 1 ruling otherwise"
    assert label in [each.label for each in app.expander]
    table = next(each.value for each in app.dataframe if "Differs" in each.value.columns)
    assert list(table.iloc[0][["You", "Others", "Ruling", "Why", "Differs"]]) == [
        "✓ yes",
        "Ben: ✗ no",
        "✗ no",
        "why",
        True,
    ]
    assert list(table["Differs"])[1:] == [False] * len(task.fixed.ops)
    settling = opened("Settle disputes", adjudicator="Anna")
    assert "You have judged this pair yourself" in texts(settling)
    assert not any("yes" in each.label for each in settling.button)


@pytest.mark.thorough
def test_guidelines_and_the_deadline_stand_beside_the_work():
    studied("Anna")
    today = datetime.now(UTC).date()
    for days, words in ((3, "3 days left"), (1, "1 day left"), (0, "today"), (-1, "The deadline was on")):
        deadline = (today + timedelta(days=days)).isoformat()
        Studies(open_store().engine).change(Study("Round 1", "*Look* twice.", deadline))
        shown = texts(opened("Review a mapping", reviewer="Anna"))
        assert words in shown
        assert deadline in shown
        assert "**Guidelines**\n\n*Look* twice." in shown


@pytest.mark.thorough
def test_a_sample_is_for_practice_and_never_enters_the_database():
    app = opened("Review a mapping", reviewer="Anna", review_place=queue.PLACES[2])
    assert "goes with it" in texts(app)
    button(app, "Yes").click().run()
    button(app, "No").click().run()
    assert "**Pair 3 of" in texts(app)
    assert "2 of 17 pairs judged" in " ".join(str(each.proto.text) for each in app.get("progress"))
    assert open_store().tasks() == ()
    other = opened("Review a mapping", reviewer="Anna", review_place=queue.PLACES[2])
    assert "**Pair 1 of" in texts(other)


@pytest.mark.thorough
def test_mappings_of_no_study_are_offered_where_there_are_any():
    places = opened("Review a mapping", reviewer="Anna").button_group
    assert all(queue.PLACES[1] not in each.options for each in places)
    task = fixed_sample()[0]
    open_store().open_task("old", task.left, task.right)
    assert any(
        queue.PLACES[1] in each.options for each in opened("Review a mapping", reviewer="Anna").button_group
    )


@pytest.mark.thorough
def test_a_server_with_a_name_of_its_own_lets_nobody_write_unchecked(monkeypatch):
    """Behind a proxy it listens on loopback, and still serves other machines."""
    monkeypatch.delenv("TTED_OPEN", raising=False)
    before = config.get_option("server.allowedHosts")
    config.set_option("server.allowedHosts", ["localhost", "tted.example"])
    try:
        app = opened("Review a mapping")
        assert app.error
        for each in app.error:
            assert "the address tted.example serves other machines" in each.value.replace("\\", "")
        assert not app.text_input
        monkeypatch.setenv("TTED_OPEN", "1")
        assert not app.run().error
        monkeypatch.setenv("TTED_OPEN", "read")
        assert not app.run().error
        assert "Your name" not in [each.label for each in app.text_input]
        assert any("reviews can be read only" in each.value for each in app.caption)
    finally:
        config.set_option("server.allowedHosts", before)


def test_a_finished_mapping_says_so_and_leads_to_the_next():
    studied("Anna")
    app = opened("Review a mapping", reviewer="Anna")
    first = box(app).value
    assert "Guidelines" in texts(app)  # a study without any goes by those of the program
    judge_all("Anna")
    app.run()
    button(app, "Mapping finished: next").click().run()
    assert box(app).value != first
    assert not any("Mapping finished" in each.label for each in app.button)


def test_a_reviewer_sees_where_a_ruling_was_another():
    studied("Anna")
    judge_all("Anna")
    store = open_store()
    task = store.task(store.tasks(assigned_to="Anna")[0].number)
    op = task.fixed.ops[0]
    store.save(task, Judgement("Lea", op.source, op.target, "reject", comment="why", role=ADJUDICATOR))
    app = opened("Review a mapping", reviewer="Anna")
    assert "Overruled: 1 judgement of yours" in [each.label for each in app.expander]
    table = next(each.value for each in app.dataframe if "Ruling" in each.value.columns)
    assert list(table.iloc[0][["You", "Ruling", "By", "Why"]]) == ["✓ yes", "✗ no", "Lea", "why"]


@pytest.mark.thorough
def test_a_lead_marks_a_settled_pair_and_sees_who_had_it_right():
    studied("Anna", "Ben")
    judge_all("Anna")
    judge_all("Ben", "reject")
    settling = opened("Settle disputes", adjudicator="Cleo")
    button(settling, "yes").click().run()
    settling.segmented_control(key="settle-which").set_value("All disputes").run()
    next(each for each in settling.checkbox if each.label == "Hidden check").check().run()
    (gold,) = Studies(open_store().engine).gold("Round 1")
    assert gold.decision == "accept"
    table = next(each.value for each in opened("Study").dataframe if "Pairs judged" in each.value.columns)
    assert list(table["Checks right"][:2]) == ["1 of 1 (100%)", "0 of 1 (0%)"]
