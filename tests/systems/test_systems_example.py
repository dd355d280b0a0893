"""The example that ships: articles with references, and generators whose maps can be compared."""

import importlib.util

import pytest
from helpers.encoders import sentence_encoder
from helpers.paths import ROOT

from tted_core.batch.map_collections import collected
from tted_core.systems import compare_systems, measure_systems

FOLDER = ROOT / "examples" / "generators"


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("generate", FOLDER / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_article_has_a_reference_under_its_title(example):
    references = dict(collected(FOLDER / "references"))
    articles = {file.stem: file for file in example.ARTICLES.glob("*.txt")}
    assert len(articles) == 12
    assert references.keys() == articles.keys()
    for name, file in articles.items():
        tree = references[name]().tree
        assert tree.labels[0] == example.read(file)[0]
        assert tree.depth == 3
        assert 11 <= len(tree) <= 18


@pytest.mark.thorough
def test_the_generators_make_maps_that_are_compared(example, tmp_path, monkeypatch):
    monkeypatch.setattr(example, "load_encoder", lambda _name: sentence_encoder())
    example.main(tmp_path)
    systems = {name: collected(tmp_path / name) for name in example.GENERATORS}
    sizes = {name: [len(read().tree) for _, read in maps] for name, maps in systems.items()}
    assert all(abs(one - other) <= 3 for one, other in zip(sizes["textrank"], sizes["lead"], strict=True))
    assert sizes["random"] == sizes["textrank"]
    references = [collected(FOLDER / "references")]
    measured = measure_systems(references, systems, load=lambda _name: sentence_encoder())
    assert {row.n for row in compare_systems(measured.scores, resamples=99).systems} == {12}
    again = tmp_path / "again"
    example.main(again)
    files = sorted(path.relative_to(again) for path in again.rglob("*.md"))
    assert [(again / file).read_bytes() for file in files] == [
        (tmp_path / file).read_bytes() for file in files
    ]
