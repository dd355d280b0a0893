"""The Annotate page without a browser: findings, agreement, reviews that stay, disputes settled."""

import dataclasses
import io
import re
import zipfile

import pytest
import streamlit as st
from helpers.encoders import counting, sentence_encoder
from helpers.trees import SAMPLES
from streamlit.testing.v1 import AppTest

from tted_core import Interrupted, compare, read_map
from tted_core.agreement import measure_agreement, read_collection
from tted_core.reviews import Judgement, export_json, open_store
from tted_core.tree import TextTree
from ui import cache
from ui.annotate import agreement, collection
from ui.annotate.pairs import next_open, ops_in_order

ROOT = SAMPLES.parent
HOSTILE = "<img src=x onerror=alert(1)> :red[x] **b** $a$"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    """Put a quick encoder in place of every model."""
    encode, _ = counting()
    monkeypatch.setattr(cache, "load_encoder", lambda name: sentence_encoder(encode=encode, name=name))
    monkeypatch.setattr(collection, "TOPICS", ("photosynthesis", "urban-heat"))
    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


def opened(tab: str | None = None, **state) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).switch_page("pages/Annotate.py")
    app.session_state["annotate"] = tab or "Check a map"
    for key, value in state.items():
        app.session_state[key.replace("_", "-")] = value
    app.run()
    assert not app.exception
    return app


def button(app: AppTest, label: str):
    return next(each for each in app.button if label in each.label)


def texts(app: AppTest) -> str:
    """What is on screen; the backslashes that keep Markdown from being read are left out."""
    shown = (*app.markdown, *app.caption, *app.info, *app.success)
    written = "\n".join(each.value for each in shown).replace("\\", "")
    return "\n".join((written, *(each.proto.body for each in app.html)))


def test_findings_are_shown_with_their_nodes():
    app = opened()
    app.session_state["check-source"] = "Paste"
    app.run()
    app.text_area(key="check-text").set_value(f"One\n  a\n    b\n      {HOSTILE}\nTwo\n").run()
    assert not app.exception
    labels = [each.label for each in app.expander]
    assert "**Several roots** · 1" in labels
    assert "**Chain of single children** · 1" in labels
    assert "<img" not in texts(app)
    assert "&lt;img" in texts(app)
    app.number_input(key="check-chain_nodes").set_value(4).run()
    assert "**Chain of single children** · 1" not in [each.label for each in app.expander]


def test_a_clean_map_is_told_so():
    app = opened()
    app.session_state["check-source"] = "Paste"
    app.run()
    app.text_area(key="check-text").set_value("One\n  two\n").run()
    assert "Nothing found: 9 checks looked at 2 nodes." in app.success[0].value


def test_the_agreement_on_screen_is_that_of_the_library():
    app = opened("Compare annotators")
    expected = measure_agreement(
        collection._sample(), encoder=sentence_encoder(encode=counting()[0], name="minilm")
    )
    assert next(each.value for each in app.metric).startswith(f"{expected.alpha.value:.3f}")
    tables = [each.value for each in app.dataframe]
    documents = next(each for each in tables if "Medoid" in each.columns)
    assert list(documents["Mean distance"]) == [each.mean_distance for each in expected.documents]
    disputed = next(each for each in tables if "Missing in" in each.columns)
    assert len(disputed) == len(expected.documents[0].disputed)
    app.button_group(key="agreement-of").set_value("the draft reference").run()
    shown = next(each.value for each in app.dataframe if "Missing in" in each.value.columns)
    assert len(shown) == len(expected.documents[0].maps[expected.documents[0].medoids[0]].tree)


def test_a_zip_of_folders_is_read_and_what_cannot_be_is_named():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in ("anna", "ben"):
            archive.writestr(f"tides/{name}.txt", f"Tides\n  {name}\n  {HOSTILE}\n")
        archive.writestr("tides/bad.json", '{"a": ')
    app = opened("Compare annotators", collection_source=collection.SOURCES[1])
    app.file_uploader(key="collection-files").set_value(
        [("maps.zip", data.getvalue(), "application/zip")]
    ).run()
    assert not app.exception
    assert "1 document, 2 maps (uploaded)" in app.expander[-1].label or any(
        "1 document, 2 maps (uploaded)" in each.label for each in app.expander
    )
    assert "bad\\.json" in app.warning[0].value
    assert "needs at least two documents" in app.info[0].value
    assert next(each.value for each in app.dataframe if "Medoid" in each.value.columns)["Maps"][0] == 2


def test_a_stopped_comparison_can_be_run_again(monkeypatch):
    class Stopped(agreement.Job):
        def result(self):
            raise Interrupted("stopped before all maps were compared; run it again")

    with monkeypatch.context() as patch:
        patch.setattr(agreement, "Job", Stopped)
        app = opened("Compare annotators")
    assert "stopped" in app.info[0].value
    button(app, "Run again").click().run()
    assert app.metric


def reviewing(person: str = "Anna") -> AppTest:
    return opened("Review a mapping", annotator=person)


def test_each_click_is_in_the_database_and_goes_to_the_next_pair():
    app = reviewing()
    assert "**Pair 1 of" in texts(app)
    button(app, "Accept").click().run()
    assert "Saved pair 1: accept" in texts(app)
    assert "**Pair 2 of" in texts(app)
    button(app, "Reject").click().run()
    store = open_store()
    (summary,) = [each for each in store.tasks() if each.decided]
    assert summary.decided == {"Anna": 2}
    said = store.judgements(store.task(summary.number))
    result = compare(
        *(read_map(SAMPLES / "photosynthesis" / f"{name}.json") for name in ("base", "paraphrase_1")),
        encoder=sentence_encoder(encode=counting()[0]),
    )
    first, second = ops_in_order(result)[:2]
    assert [(each.pair, each.decision) for each in said] == [
        ((first.source, first.target), "accept"),
        ((second.source, second.target), "reject"),
    ]


def test_one_goes_on_where_one_left_off():
    app = reviewing()
    for _ in range(3):
        button(app, "Accept").click().run()
    again = reviewing()
    assert "**Pair 4 of" in texts(again)
    assert "You have: 3 pairs judged" in texts(again)
    button(again, "Previous").click().run()
    assert "In the database: **✓ accept** (revision 1" in texts(again)
    button(again, "Undecided").click().run()
    button(again, "Good").click().run()
    assert "1 of 6 have your verdict" in " ".join(each.label for each in again.selectbox)
    button(again, "Next mapping").click().run()
    assert "You have: not begun" in texts(again)
    assert "1 of 6 have your verdict" in " ".join(each.label for each in reviewing().selectbox)
    assert "0 of 6 have your verdict" in " ".join(each.label for each in reviewing("Ben").selectbox)


def test_a_pair_is_re_paired_and_commented():
    app = reviewing()
    partner = next(each for each in app.selectbox if "right partner" in each.label)
    partner.set_value(3).run()
    button(app, "Re-pair").click().run()
    button(app, "Previous").click().run()
    next(each for each in app.text_area if each.label == "Comment on this pair").set_value(HOSTILE).run()
    assert "Saved pair 1: re" in texts(app)
    store = open_store()
    (summary,) = [each for each in store.tasks() if each.decided]
    (judgement,) = store.judgements(store.task(summary.number))
    assert (judgement.decision, judgement.partner, judgement.comment) == ("re-pair", 3, HOSTILE)
    assert judgement.revision == 2
    button(app, "Next open").click().run()
    next(each for each in app.text_area if each.label == "Comment on this pair").set_value(" ").run()
    assert len(store.judgements(store.task(summary.number))) == 1  # nothing was said


@pytest.mark.parametrize("next_click", ["Accept", "Previous", None])
def test_a_comment_is_saved_though_its_own_callback_was_interrupted(next_click):
    app = reviewing()
    key = next(each.key for each in app.text_area if each.label == "Comment on this pair")
    app.session_state[key] = "why"  # in the field, and no callback was called
    (button(app, next_click).click() if next_click else app).run()
    store = open_store()
    (task,) = [each for each in store.tasks() if store.judgements(store.task(each.number))]
    (judgement,) = store.judgements(store.task(task.number))
    assert (judgement.decision, judgement.comment) == (
        "accept" if next_click == "Accept" else "undecided",
        "why",
    )


def test_a_write_from_another_window_is_not_overwritten_silently():
    first, second = reviewing(), reviewing()
    button(first, "Accept").click().run()
    button(second, "Reject").click().run()
    assert "not saved: your judgement of this pair was changed in another window" in second.error[
        0
    ].value.replace("\\", "")
    assert "In the database: **✓ accept**" in texts(second)
    button(second, "Reject").click().run()
    assert "Saved pair 1: reject" in texts(second)


def test_a_key_pressed_twice_judges_one_pair():
    app = reviewing()
    accept = button(app, "Accept")
    accept.click().run()
    store = open_store()
    (summary,) = [each for each in store.tasks() if each.decided]
    task = store.task(summary.number)
    ops = ops_in_order(compare(task.left, task.right, encoder=sentence_encoder(encode=counting()[0])))
    judged = {each.pair: each for each in store.judgements(task)}
    assert next_open(ops, judged) == 1
    assert next_open(ops, judged, 5) == 5
    everything = {(op.source, op.target): Judgement("A", op.source, op.target, "accept") for op in ops}
    assert next_open(ops, everything) is None
    first = (ops[0].source, ops[0].target)
    everything[first] = dataclasses.replace(everything[first], decision="undecided")
    assert next_open(ops, everything, 5) == 0


def test_a_map_that_was_changed_makes_another_review_of_the_same_name():
    left, first, second = (TextTree(("root", leaf), (-1, 0)) for leaf in "abc")
    for right in (first, second):
        open_store().open_task("heat", left, right, "Anna", "Ben")
    app = opened("Review a mapping", annotator="Anna", review_place="Reviews in the database")
    for number, leaf in ((1, "c"), (0, "b")):
        box = next(each for each in app.selectbox if each.label.startswith("Mapping"))
        assert box.options == ["heat: Anna → Ben (review 1)", "heat: Anna → Ben (review 2)"]
        box.select_index(number).run()
        button(app, "Next").click().run()
        assert f"<bdi>{leaf}</bdi>" in texts(app)


def test_a_third_settles_what_two_dispute():
    for person, label in (("Anna", "Accept"), (HOSTILE, "Reject")):
        app = reviewing(person)
        button(app, label).click().run()
        button(app, "Accept").click().run()
    app = opened("Settle disputes", adjudicator="Cleo")
    assert "**2 pairs** judged (the verdict counts as one), **1** disputed, **0** of these settled" in texts(
        app
    )
    assert "&lt;img" in texts(app)
    assert "<img" not in texts(app)
    button(app, "reject").click().run()
    assert "Saved: reject" in texts(app)
    assert "Nothing here is waiting" in texts(app)
    table = next(each.value for each in app.dataframe if "Holds" in each.value.columns)
    assert list(table["Holds"]) == ["✗ reject", "✓ accept"]
    assert list(table["Decided by"]) == ["Cleo", "all"]


def test_reviews_go_out_and_come_back(tmp_path, monkeypatch):
    app = reviewing()
    button(app, "Accept").click().run()
    text = export_json(open_store())
    monkeypatch.setenv("TTED_DATABASE", str(tmp_path / "other.sqlite"))
    app = reviewing("Ben")
    app.file_uploader(key="reviews-file").set_value(
        [("reviews.json", text.encode(), "application/json")]
    ).run()
    button(app, "Import").click().run()
    assert "1 judgements added, 0 were here already, 0 differed" in app.success[0].value
    app.file_uploader(key="reviews-file").set_value([("reviews.json", b"{", "application/json")]).run()
    button(app, "Import").click().run()
    assert "no JSON" in app.error[0].value
    names = [table.value for table in app.dataframe if "Anna" in table.value.columns]
    assert names[0]["Anna"][0] == "1 pair judged"


def test_reviews_in_the_database_open_without_their_files():
    app = reviewing()
    button(app, "Accept").click().run()
    app = opened("Review a mapping", annotator="Anna", review_place="Reviews in the database")
    assert "**Pair 2 of" in texts(app)


def test_a_database_that_cannot_be_opened_is_an_error(monkeypatch, tmp_path):
    (tmp_path / "x").write_text("text " * 200, encoding="utf-8")
    monkeypatch.setenv("TTED_DATABASE", str(tmp_path / "x"))
    app = opened("Review a mapping")
    assert re.search(r"can't be used .*not a database", app.error[0].value.replace("\\", ""))


def test_the_sample_is_what_its_caption_says():
    documents = collection._sample()
    assert [each.name for each in documents] == ["photosynthesis", "urban-heat"]
    assert documents == read_collection(
        (f"{topic}/{name}.json", (SAMPLES / topic / f"{name}.json").read_bytes())
        for topic in collection.TOPICS
        for name in collection.STAND_INS
    )
