"""The tab Settings: presets, orders and what replaces a preset's options, on samples."""

import io
import zipfile

import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.pages import opened
from helpers.trees import SAMPLES

from tted_core.foundations.monitor import Monitor
from tted_core.lab.grid import CONTROLS, Grid
from tted_core.lab.quality import run_grid
from tted_core.lab.samples import read_samples
from tted_core.method import PRESETS
from ui import models, samples
from ui.research import settings

TOPICS = ("photosynthesis", "urban-heat")


def archive(names):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for name in names:
            target.writestr(f"data/{name}", (SAMPLES / name).read_bytes())
    return out.getvalue()


FILES = [
    f"{topic}/{name}.json"
    for topic in TOPICS
    for name in ("base", "paraphrase_1", "structure_1", "meaning_1")
]


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setattr(models, "encoder", lambda name: sentence_encoder(name=name))
    page = opened("Research")
    page.pills(key="quality-orders").set_value(["ordered"])
    return page.run()


def upload(page, content=None):
    page.segmented_control(key="quality-source").set_value("zip").run()
    content = archive(FILES) if content is None else content
    page.file_uploader(key="quality-zip").set_value(("samples.zip", content, "application/zip")).run()
    return page


def run(page):
    return page.button(key="quality-start").click().run()


def test_the_table_has_the_numbers_of_the_library(page):
    run(upload(page))
    assert not page.exception
    table = page.dataframe[0].value
    assert list(table["measure"]) == [
        "rouge_sim",
        "TTED minilm, cosine, none, ordered",
        "TTED minilm, cosine, none, ordered, gap =0.8, p = 8",
        "TTED minilm, cosine, none, ordered, gap =0.4",
        "minilm, control blind",
        "minilm, control dear-gap",
    ]
    samples = [each for each in read_samples(SAMPLES, variants=1) if each.name in TOPICS]
    grid = Grid(
        {"minilm": lambda: hashed},
        {"orders": ["ordered"]},
        ["rouge_sim"],
        controls=list(CONTROLS),
        settings=list(PRESETS.values()),
    )
    expected = run_grid(samples, grid)
    assert expected.complete
    for index, row in enumerate(expected.rows):
        assert table["R_S"][index] == pytest.approx(row.quality.r_s.mean)
        assert table["R_M"][index] == pytest.approx(row.quality.r_m.mean)
        assert table["A_X"][index] == pytest.approx(row.quality.a_x.mean)
        assert table["samples"][index] == 2
    assert len(page.get("vega_lite_chart")) == 1


@pytest.mark.thorough
def test_gaps_and_powers_are_chosen_or_typed_in(page):
    upload(page)
    page.pills(key="quality-contexts").set_value(["none"])
    page.pills(key="quality-baselines").set_value([])
    page.multiselect(key="quality-gaps").set_value(["0", "0.25"])
    page.multiselect(key="quality-powers").set_value(["1"])
    run(page)
    assert not page.exception
    assert list(page.dataframe[0].value["measure"])[:2] == [
        "TTED minilm, cosine, none, ordered",
        "TTED minilm, cosine, none, ordered, gap 0.25",
    ]
    page.multiselect(key="quality-powers").set_value(["much"]).run()
    assert not page.exception
    assert page.error[0].value.startswith("the power is much")


@pytest.mark.thorough
def test_a_figure_with_many_variants_left_out_is_marked(page):
    """A bag of sentences is at 0 from every restructured map."""
    upload(page)
    page.pills(key="quality-orders").set_value([])
    page.pills(key="quality-baselines").set_value(["rouge_bag"])
    run(page)
    (doubt,) = page.dataframe[0].value["doubt"]
    assert doubt.startswith("R_S: not comparable: 100 % left out")


@pytest.mark.thorough
def test_folders_that_are_no_samples_are_named(page):
    run(upload(page, archive([*FILES, "baikal/base.json", "baikal/meaning_1.json"])))
    (warning,) = page.warning
    assert warning.value == r"left out 1 folder\: data/baikal \(no paraphrases\)"
    assert set(page.dataframe[0].value["samples"]) == {2}


@pytest.mark.thorough
def test_a_grid_stopped_half_way_keeps_its_rows_and_marks_the_last(page, monkeypatch):
    stops = iter([False] * 8)
    monkeypatch.setattr(
        settings,
        "run_grid",
        lambda *given, monitor, **more: run_grid(
            *given, monitor=Monitor(should_stop=lambda: next(stops, True)), **more
        ),
    )
    run(upload(page))
    assert not page.exception
    assert page.warning[0].value.startswith("Stopped: ")
    table = page.dataframe[0].value
    assert 0 < len(table) < 5 or table["measure"].iloc[-1].endswith("(not finished)")


@pytest.mark.thorough
def test_an_archive_without_samples_is_refused(page):
    run(upload(page, archive(["photosynthesis/base.json"])))
    assert not page.exception
    assert "the zip holds no sample" in page.error[0].value
    run(upload(page, b"no zip"))
    assert not page.exception
    assert page.error


@pytest.mark.thorough
def test_our_samples_are_there_without_an_upload(page):
    page.pills(key="quality-orders").set_value([])
    run(page)
    assert list(page.dataframe[0].value["measure"]) == ["rouge_sim"]
    assert page.dataframe[0].value["samples"][0] == len(samples.topics())


@pytest.mark.thorough
def test_several_roots_are_read_as_chosen_and_reported(page):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for name in FILES[:4]:
            target.writestr(name, (SAMPLES / name).read_bytes())
        target.writestr("photosynthesis/structure_2.json", '{"a": {"b": {}}, "c": {}}')
    run(upload(page, out.getvalue()))
    assert "put above them, which costs" in page.warning[0].value
    page.selectbox(key="quality-roots").set_value("first").run()
    run(page)
    assert "only the first" in page.warning[0].value


@pytest.mark.thorough
def test_a_map_that_cannot_be_read_is_named_and_left_out(page):
    out = io.BytesIO(archive(FILES))
    with zipfile.ZipFile(out, "a") as zipped:
        zipped.writestr("data/photosynthesis/paraphrase_9.json", '{"Root": [}')
        zipped.writestr("data/broken/base.json", "[")
        for name in ("paraphrase_1", "structure_1"):
            zipped.writestr(f"data/broken/{name}.json", '{"Root": {}}')
    run(upload(page, out.getvalue()))
    warnings = " ".join(each.value for each in page.warning).replace("\\", "")
    assert "photosynthesis/paraphrase_9.json, which can't be read" in warnings
    assert "broken/base.json, which can't be read" in warnings
    assert "broken (too few of its maps can be read)" in warnings
    assert not page.error
    assert page.dataframe
