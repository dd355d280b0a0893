"""A study of pairs of a batch: drawn by the seed, and judged as the batch computed them."""

import os

import pytest
from helpers.annotate_page import button, opened, quick_page, texts
from helpers.batch import VARIANTS, batch_options, write_pairs
from helpers.encoders import sentence_encoder
from helpers.trees import SAMPLES

from tted_core.annotate.reviews import open_store
from tted_core.annotate.studies import setting_of
from tted_core.batch.inputs import pairs_of_table
from tted_core.batch.running import run_batch

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch):
    yield from quick_page(monkeypatch)


def test_pairs_of_a_batch_are_judged_as_the_batch_computed_them(tmp_path, monkeypatch):
    monkeypatch.setenv("TTED_BATCH_FOLDERS", os.pathsep.join((str(tmp_path), str(SAMPLES))))
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    pairs = write_pairs(tmp_path / "pairs.csv", topics=("bread",), further=[(broken, broken)])
    options = batch_options(orders=("constrained", "ordered"), gaps=("=0.8",), powers=(8.0,))
    run_batch(
        pairs_of_table(pairs),
        options,
        tmp_path / "results",
        workers=1,
        load=lambda name: sentence_encoder(name=name),
    )
    app = opened("Study", {"order": "unordered", "gap": "0", "power": "1"}, study_name="Of a batch")
    app.segmented_control(key="study-source").set_value("Pairs of a batch").run()
    assert app.selectbox(key="study-batch").options == [str(tmp_path / "results")]
    app.selectbox(key="study-setting").select_index(1).run()
    assert app.number_input(key="study-count").max == 3  # the broken pair is none to judge
    app.number_input(key="study-count").set_value(2).run()
    button(app, "Make the study of 2 mappings").click().run()
    assert not app.exception
    assert [each.value for each in app.error] == []
    assert "Made “Of a batch” of 2 mappings" in texts(app)
    tasks = open_store().tasks(study="Of a batch")
    assert len(tasks) == 2
    assert {each.document for each in tasks} < {f"bread-{kind}" for kind in VARIANTS}
    assert all(each.left_name == "base.json" for each in tasks)
    (setting,) = {setting_of(each.signature) for each in tasks}
    assert "order:ordered" in setting
    assert "gap:=0.8|p:8" in setting
    # Maps that this server doesn't let its visitors read are refused in a sentence, and no study is made.
    monkeypatch.setenv("TTED_BATCH_FOLDERS", str(tmp_path))
    again = {"study": None, "study_name": "Again", "study_source": "Pairs of a batch"}
    app = opened("Study", **again)
    button(app, "Make the study of").click().run()
    (error,) = (each.value for each in app.error)
    assert error.startswith("the pair ")
    assert "may not be opened here" in error
    assert not open_store().tasks(study="Again")
