"""Results that are uploaded to the Evaluate page: of the command, or of an earlier session."""

import io
import zipfile
from pathlib import Path

import pytest
from helpers.batch import batch_options, write_pairs
from helpers.encoders import sentence_encoder
from helpers.pages import click, opened, option, shown, uploaded, zip_of_pairs

from tted_core.batch.job import run_batch
from tted_core.batch.pairs import open_source
from ui.evaluate.rows import zip_batch

pytestmark = pytest.mark.usefixtures("hashed_models")


@pytest.fixture
def of_command(tmp_path) -> Path:
    """A folder with a table of pairs, its maps, and results of the command."""
    (tmp_path / "maps").mkdir()
    pairs = write_pairs(tmp_path / "pairs.csv", topics=("bread",))
    lines = pairs.read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        for path in line.split(",")[1:3]:
            (tmp_path / "maps" / Path(path).name).write_bytes(Path(path).read_bytes())
    here = [lines[0], *(line.replace(str(Path(lines[1].split(",")[1]).parent), "maps") for line in lines[1:])]
    pairs.write_text("\n".join(here), encoding="utf-8")
    options = batch_options(orders=("constrained", "ordered"))
    run_batch(
        open_source({"pairs": pairs}),
        options,
        tmp_path / "results",
        workers=1,
        load=lambda name: sentence_encoder(name=name),
    )
    return tmp_path


def zipped(folder: Path, *, without: str = "none") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for file in folder.rglob("*"):
            if not file.relative_to(folder).as_posix().startswith(without):
                archive.write(file, file.relative_to(folder))
    return out.getvalue()


def results(content: bytes):
    return click(uploaded(opened("Evaluate"), ("tuesday.zip", content)), "Open the results")


def test_results_of_the_command_are_opened(of_command):
    app = results(zipped(of_command))
    assert "3 pairs · 2 settings" in shown(app)
    app.selectbox(key="evaluate-view-setting").set_value(1).run()
    assert len(app.dataframe[0].value) == 3
    tted = app.dataframe[0].value["tted"].iloc[0]
    click(app, "Open in Compare")
    assert f"{tted:.4f}" in {each.value for each in app.metric}
    assert option(app, "order").value == "ordered"


@pytest.mark.thorough
def test_results_without_their_maps_are_shown_all_the_same(of_command):
    app = results(zipped(of_command / "results"))
    assert len(app.dataframe[0].value) == 3
    click(app, "Open in Compare")
    assert "the maps of these results aren't here" in shown(app)


@pytest.mark.thorough
def test_unfinished_results_are_gone_on_with_where_their_options_are_offered(of_command):
    app = results(zipped(of_command, without="results/summary.json"))
    assert "Not finished: 3 pairs are done" in shown(app)
    click(app, "Go on")
    assert not app.error
    assert "Not finished" not in shown(app)
    job = of_command / "results" / "job.json"
    job.write_text(
        job.read_text(encoding="utf-8").replace('"minilm"', '"a/model-that-nobody-offers"'), encoding="utf-8"
    )
    app = results(zipped(of_command, without="results/summary.json"))
    assert "The command `tted batch` can" in shown(app)
    assert not [each for each in app.button if each.label == "Go on"]


@pytest.mark.thorough
def test_results_saved_on_the_page_can_be_opened_there():
    app = click(uploaded(opened("Evaluate"), ("pairs.zip", zip_of_pairs(4))), "Compare 4 pairs")
    (batch,) = app.session_state["batches"].values()
    again = results(zip_batch(batch))
    assert again.dataframe[0].value.equals(app.dataframe[0].value)
    click(again, "Open in Compare")
    assert again.metric
