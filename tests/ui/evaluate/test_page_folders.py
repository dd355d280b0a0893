"""Folders of the server on the Evaluate page: which are offered, what is opened there, and what never is."""

import json
import os
from functools import partial
from pathlib import Path

import pytest
from helpers.batch import batch_options, write_pairs
from helpers.encoders import sentence_encoder
from helpers.evaluate_page import address, click, evaluate_page, shown, uploaded, zip_of_pairs
from streamlit import config

from tted_core.batch.inputs import pairs_of_table
from tted_core.batch.running import run_batch
from ui.many.kept_batches import alone, batch_at
from ui.many.server_folders import folders_below, may_be_opened, offered_folders

pytestmark = pytest.mark.usefixtures("hashed_models")


@pytest.fixture
def offered(tmp_path, monkeypatch) -> Path:
    """A folder that is offered, with results of the command in it, whose maps lie beside them."""
    folder = tmp_path / "offered"
    (folder / "maps").mkdir(parents=True)
    monkeypatch.setenv("TTED_BATCH_FOLDERS", str(folder))
    pairs = write_pairs(folder / "pairs.csv", topics=("bread",))
    lines = pairs.read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        for path in line.split(",")[1:3]:
            (folder / "maps" / Path(path).name).write_bytes(Path(path).read_bytes())
    here = [lines[0], *(line.replace(str(Path(lines[1].split(",")[1]).parent), "maps") for line in lines[1:])]
    pairs.write_text("\n".join(here), encoding="utf-8")
    options = batch_options(orders=("constrained", "ordered"))
    load = partial(sentence_encoder)
    run_batch(
        pairs_of_table(pairs), options, folder / "results", workers=1, load=lambda name: load(name=name)
    )
    return folder


def test_results_of_the_command_are_opened_and_walked_through(offered):
    app = evaluate_page()
    assert f"{offered / 'results'} (results)" in app.selectbox(key="evaluate-folder").options
    app.selectbox(key="evaluate-folder").set_value(str(offered / "results")).run()
    assert "6 rows · 2 settings" in shown(app)
    app.selectbox(key="evaluate-setting").set_value(2).run()
    assert len(app.dataframe[0].value) == 3
    tted = app.dataframe[0].value["tted"].iloc[0]
    click(app, "Open in Compare")
    assert "Pair 1 of 3" in shown(app)
    assert f"{tted:.4f}" in {each.value for each in app.metric}
    assert app.selectbox(key="order").value == "ordered"
    assert app.radio(key="preset").value in {None, "published"}


@pytest.mark.thorough
def test_pairs_in_a_folder_are_compared_and_nothing_is_written_there(offered):
    before = set(offered.rglob("*"))
    (offered / "results").rename(offered.parent / "elsewhere")
    app = evaluate_page(folder=str(offered))
    click(app, "Compare 3 pairs")
    assert "3 rows" in shown(app)
    assert set(offered.rglob("*")) <= before


@pytest.mark.thorough
def test_results_whose_maps_may_not_be_read_are_shown_all_the_same(offered, monkeypatch):
    monkeypatch.setenv("TTED_BATCH_FOLDERS", str(offered / "results"))
    app = evaluate_page(tab="pairs", batch=str(offered / "results"))
    click(app, "Open in Compare")
    assert "may not be opened on this server" in shown(app)


@pytest.mark.thorough
def test_unfinished_results_of_the_command_are_gone_on_with(offered):
    results = offered / "results"
    (results / "summary.json").unlink()
    before = {file.name: file.read_bytes() for file in results.glob("part-*")}
    app = evaluate_page(tab="pairs", batch=str(results))
    assert "Not finished: 3 pairs are done" in shown(app)
    click(app, "Go on")
    assert [each.value for each in app.error] == []
    assert "Not finished" not in shown(app)
    assert {file.name: file.read_bytes() for file in results.glob("part-*")} == before

    (results / "summary.json").unlink()
    for file in results.glob("part-*"):
        file.unlink()
    app = click(evaluate_page(tab="pairs", batch=str(results)), "Start")
    assert "6 rows · 2 settings" in shown(app)

    (results / "summary.json").unlink()
    job = json.loads((results / "job.json").read_text(encoding="utf-8"))
    job["options"]["encoders"] = ["a/model-that-nobody-offers"]
    (results / "job.json").write_text(json.dumps(job), encoding="utf-8")
    app = evaluate_page(tab="pairs", batch=str(results))
    assert "by the command `tted batch`" in shown(app)
    assert not [each for each in app.button if each.label == "Go on"]


@pytest.mark.thorough
def test_what_is_offered(tmp_path, monkeypatch):
    monkeypatch.delenv("TTED_BATCH_FOLDERS", raising=False)
    assert offered_folders() == (Path.cwd(),)
    for option, value in (
        ("server.address", "0.0.0.0"),
        ("server.allowedHosts", ["localhost", "tted.example"]),
    ):
        before = config.get_option(option)
        config.set_option(option, value)
        try:
            assert offered_folders() == ()
        finally:
            config.set_option(option, before)
    monkeypatch.setenv("TTED_BATCH_FOLDERS", "off")
    assert offered_folders() == ()
    monkeypatch.setenv("TTED_BATCH_FOLDERS", os.pathsep.join(map(str, (tmp_path, "/nowhere"))))
    assert offered_folders() == (tmp_path.resolve(), Path("/nowhere"))
    app = evaluate_page()
    assert app.selectbox(key="evaluate-folder").options == [str(tmp_path)]
    monkeypatch.setenv("TTED_BATCH_FOLDERS", "off")
    assert not [each for each in evaluate_page().selectbox if each.key == "evaluate-folder"]


def test_what_may_be_opened(tmp_path, monkeypatch):
    roots = (tmp_path / "a",)
    for name in ("a/inside", "a/.hidden/inside", "b"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "a" / "link").symlink_to(tmp_path / "b")
    assert may_be_opened(roots, tmp_path / "a")
    assert may_be_opened(roots, tmp_path / "a" / "inside" / "not-there")
    for outside in ("b", "a/../b", "a/link", "a/.hidden/inside", ""):
        assert not may_be_opened(roots, tmp_path / outside)
    monkeypatch.setenv("TTED_CACHE", str(tmp_path / "a" / "cache"))
    (tmp_path / "a" / "cache" / "batches").mkdir(parents=True)
    assert not may_be_opened(roots, tmp_path / "a" / "cache" / "batches")
    assert [folder.name for folder, _ in folders_below(roots)] == ["a", "cache", "inside", "batches"]


def test_a_link_to_a_folder_outside_is_refused(offered):
    wrong = evaluate_page(folder="/etc")
    assert "offers no such folder" in wrong.warning[0].value


@pytest.mark.thorough
def test_where_none_is_kept_no_link_names_a_batch(monkeypatch):
    monkeypatch.setenv("TTED_KEPT_DAYS", "0")
    app = uploaded(evaluate_page(), ("pairs.zip", zip_of_pairs(4)))
    click(app, "Compare 4 pairs")
    assert "4 rows" in shown(app)
    assert "This server keeps no results" in shown(app)
    assert "batch" not in address(app)


@pytest.mark.thorough
def test_one_run_at_a_time(monkeypatch):
    app = uploaded(evaluate_page(), ("pairs.zip", zip_of_pairs(4)))
    click(app, "Compare 4 pairs")
    batch = batch_at(address(app)["batch"])
    for part in batch.folder.glob("part-*"):
        part.unlink()
    with alone(batch.folder.parent):
        app.run()
        click(app, "Start")
        assert "is being computed already" in shown(app)
    click(app, "Start")
    assert "4 rows" in shown(app)
