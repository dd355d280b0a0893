"""Reviews on the Annotate page, without a browser: they stay, and disputes are settled."""

import dataclasses
import re

import pytest
from helpers.annotate_page import HOSTILE, button, fixed_sample, opened, quick_page, reviewing, texts

from tted_core.annotate.reviews import Judgement, export_json, open_store
from tted_core.tree import TextTree
from ui.annotate import queue
from ui.annotate.pairs import next_open


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    yield from quick_page(monkeypatch)


def test_each_click_is_in_the_database_and_goes_to_the_next_pair():
    app = reviewing()
    assert "**Pair 1 of" in texts(app)
    button(app, "Yes").click().run()
    assert "Saved pair 1: ✓ yes" in texts(app)
    assert "**Pair 2 of" in texts(app)
    button(app, "No").click().run()
    store = open_store()
    (summary,) = [each for each in store.tasks() if each.decided]
    assert summary.decided == {"Anna": 2}
    said = store.judgements(store.task(summary.number))
    first, second = fixed_sample()[0].fixed.ops[:2]
    assert [(each.pair, each.decision) for each in said] == [
        ((first.source, first.target), "accept"),
        ((second.source, second.target), "reject"),
    ]


def test_one_goes_on_where_one_left_off():
    app = reviewing()
    for _ in range(3):
        button(app, "Yes").click().run()
    again = reviewing()
    assert "**Pair 4 of" in texts(again)
    button(again, "Previous").click().run()
    assert "Saved: **✓ yes** (" in texts(again)
    button(again, "Not sure").click().run()
    button(again, "Good").click().run()
    button(again, "Next unfinished mapping").click().run()
    assert "**Pair 1 of" in texts(again)
    button(again, "Yes").click().run()
    assert sorted(each.decided["Anna"] for each in open_store().tasks() if each.decided) == [1, 2]


def test_a_pair_is_re_paired_and_commented():
    app = reviewing()
    partner = next(each for each in app.selectbox if "right partner" in each.label)
    partner.set_value(3).run()
    button(app, "Re-pair").click().run()
    button(app, "Previous").click().run()
    next(each for each in app.text_area if each.label == "Comment on this pair").set_value(HOSTILE).run()
    assert "Saved pair 1: ⇄ re" in texts(app)
    store = open_store()
    (summary,) = [each for each in store.tasks() if each.decided]
    (judgement,) = store.judgements(store.task(summary.number))
    assert (judgement.decision, judgement.partner, judgement.comment) == ("re-pair", 3, HOSTILE)
    assert judgement.revision == 2
    button(app, "Next open").click().run()
    next(each for each in app.text_area if each.label == "Comment on this pair").set_value(" ").run()
    assert len(store.judgements(store.task(summary.number))) == 1  # nothing was said


@pytest.mark.thorough
@pytest.mark.parametrize("next_click", ["Yes", "Previous", None])
def test_a_comment_is_saved_though_its_own_callback_was_interrupted(next_click):
    app = reviewing()
    key = next(each.key for each in app.text_area if each.label == "Comment on this pair")
    app.session_state[key] = "why"  # in the field, and no callback was called
    (button(app, next_click).click() if next_click else app).run()
    store = open_store()
    (task,) = [each for each in store.tasks() if store.judgements(store.task(each.number))]
    (judgement,) = store.judgements(store.task(task.number))
    assert (judgement.decision, judgement.comment) == (
        "accept" if next_click == "Yes" else "undecided",
        "why",
    )


@pytest.mark.thorough
def test_a_write_from_another_window_is_not_overwritten_silently():
    first, second = reviewing(), reviewing()
    button(first, "Yes").click().run()
    button(second, "No").click().run()
    assert "not saved: your judgement of this pair was changed in another window" in second.error[
        0
    ].value.replace("\\", "")
    assert "Saved: **✓ yes** (" in texts(second)
    button(second, "No").click().run()
    assert "Saved pair 1: ✗ no" in texts(second)


@pytest.mark.thorough
def test_a_key_pressed_twice_judges_one_pair():
    app = reviewing()
    accept = button(app, "Yes")
    accept.click().run()
    store = open_store()
    (summary,) = [each for each in store.tasks() if each.decided]
    task = store.task(summary.number)
    pairs = [(op.source, op.target) for op in task.fixed.ops]
    judged = {each.pair: each for each in store.judgements(task)}
    assert next_open(pairs, judged) == 1
    assert next_open(pairs, judged, 5) == 5
    everything = {pair: Judgement("A", *pair, "accept") for pair in pairs}
    assert next_open(pairs, everything) is None
    everything[pairs[0]] = dataclasses.replace(everything[pairs[0]], decision="undecided")
    assert next_open(pairs, everything, 5) == 0


@pytest.mark.thorough
def test_a_map_that_was_changed_makes_another_review_of_the_same_name():
    left, first, second = (TextTree(("root", leaf), (-1, 0)) for leaf in "abc")
    for right in (first, second):
        open_store().open_task("heat", left, right, "Anna", "Ben")
    published = {"gap": "0", "power": "1"}
    app = opened("Review a mapping", published, reviewer="Anna", review_place=queue.PLACES[1])
    for number, leaf in ((1, "c"), (0, "b")):
        box = next(each for each in app.selectbox if each.label.startswith("Mapping"))
        assert box.options == ["heat: Anna → Ben (review 1)", "heat: Anna → Ben (review 2)"]
        box.select_index(number).run()
        button(app, "Next").click().run()
        assert f"<bdi>{leaf}</bdi>" in texts(app)
        assert "This mapping was begun before mappings were fixed" in texts(app)
        assert "order:constrained" not in texts(app)  # how it was computed is told once all pairs are judged


@pytest.mark.thorough
def test_a_third_settles_what_two_dispute():
    for person, label in (("Anna", "Yes"), (HOSTILE, "No")):
        app = reviewing(person)
        button(app, label).click().run()
        button(app, "Yes").click().run()
    app = opened("Settle disputes", adjudicator="Cleo")
    assert "**2 pairs** judged (the verdict counts as one), **1** disputed, **0** of these settled" in texts(
        app
    )
    assert "&lt;img" in texts(app)
    assert "<img" not in texts(app)
    assert "<b>Holds</b>: open" in texts(app)
    next(each for each in app.text_area if each.label == "Why (optional)").set_value("because").run()
    button(app, "no").click().run()
    assert "Saved: ✗ no" in texts(app)
    app.segmented_control(key="settle-which").set_value("All pairs").run()
    table = next(each.value for each in app.dataframe if "Holds" in each.value.columns)
    assert list(table["Holds"]) == ["✗ no", "✓ yes"]
    assert list(table["Decided by"]) == ["ruling by Cleo", "all 2 votes"]
    assert list(table["Why"]) == ["because", ""]


@pytest.mark.thorough
def test_reviews_go_out_and_come_back(tmp_path, monkeypatch):
    app = reviewing()
    button(app, "Yes").click().run()
    text = export_json(open_store())
    monkeypatch.setenv("TTED_DATABASE", str(tmp_path / "other.sqlite"))
    app = opened("Study")
    app.file_uploader(key="reviews-file").set_value(
        [("reviews.json", text.encode(), "application/json")]
    ).run()
    button(app, "Import").click().run()
    assert "1 judgements added, 0 were here already, 0 differed" in texts(app)
    app.file_uploader(key="reviews-file").set_value([("reviews.json", b"{", "application/json")]).run()
    button(app, "Import").click().run()
    assert "no JSON" in app.error[0].value
    (summary,) = [each for each in open_store().tasks() if each.decided]
    assert (summary.study, summary.decided) == ("Round 1", {"Anna": 1})


@pytest.mark.thorough
def test_a_database_that_cannot_be_opened_is_an_error(monkeypatch, tmp_path):
    (tmp_path / "x").write_text("text " * 200, encoding="utf-8")
    monkeypatch.setenv("TTED_DATABASE", str(tmp_path / "x"))
    app = opened("Review a mapping")
    assert re.search(r"can't be used .*not a database", app.error[0].value.replace("\\", ""))
