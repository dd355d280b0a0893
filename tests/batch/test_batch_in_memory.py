"""TTED.compare_many and pairwise, and the command of a matrix."""

import json

import numpy as np
import pytest
from helpers.encoders import counting, hashed, sentence_encoder, with_vectors
from helpers.trees import SAMPLES

from tted_core import TTED, TextTree, compare, read_map
from tted_core.errors import LimitError, OptionsError

FILES = [
    SAMPLES / topic / f"{name}.json"
    for topic in ("bread", "baikal")
    for name in ("base", "meaning_1", "structure_2")
]


@pytest.fixture(scope="module")
def maps():
    return [read_map(file) for file in FILES]


def test_many_pairs_as_rows_and_as_a_table(maps):
    encoder, requested = counting()
    pairs = [(maps[0], maps[1]), (maps[0].tree, maps[2]), (maps[1], maps[0])]
    results = TTED(encoder=encoder, order="ordered").compare_many(pairs, baselines=["rouge_bag"])
    rows = list(results)
    assert len(requested) == len(set(requested))
    for row, (left, right) in zip(rows, pairs, strict=True):
        assert row["tted"] == pytest.approx(
            compare(left, right, encoder=hashed, order="ordered").tted, rel=1e-9
        )
        assert row["rouge_bag"] > 0
    table = results.to_pandas()
    assert table["tted"].tolist() == [row["tted"] for row in rows]
    assert list(TTED(encoder=encoder).compare_many([])) == []


def test_rows_of_a_too_large_map_have_an_error(maps):
    large = TextTree(("",) * 2001, (-1,) + (0,) * 2000)
    rows = list(TTED(encoder=hashed).compare_many([(maps[0], large), (maps[0], maps[1])]))
    assert rows[0]["error"].startswith("right map: 2,001 nodes, but the limit is 2,000")
    assert rows[0]["tted"] is None
    assert rows[1]["error"] is None


@pytest.mark.parametrize("distance", ["cosine", "levenshtein"])
def test_a_matrix_equals_all_comparisons(maps, distance):
    matrix = TTED(encoder=hashed, distance=distance).pairwise(maps[:4], score="normalized")
    for i, left in enumerate(maps[:4]):
        for j, right in enumerate(maps[:4]):
            expected = compare(left, right, encoder=hashed, distance=distance).normalized
            assert matrix[i, j] == pytest.approx(expected, abs=1e-9)


def test_a_matrix_has_a_size_limit(maps, monkeypatch):
    encoder = with_vectors({"": (1.0, 0.0), "flat": (0.0, 0.0)})
    flat = TextTree(("flat",), (-1,))
    with pytest.raises(OptionsError, match="maps 0 and 1 can't be compared: the encoder gives a zero vector"):
        TTED(encoder=encoder).pairwise([flat, flat])
    monkeypatch.setattr("tted_core.batch.memory.MAX_MAPS_IN_MATRIX", 2)
    with pytest.raises(LimitError, match="3 maps, but the limit is 2"):
        TTED(encoder=hashed).pairwise(maps[:3])


@pytest.fixture
def folder(tmp_path):
    target = tmp_path / "maps"
    target.mkdir()
    for number, file in enumerate(FILES):
        (target / f"map-{number}.json").write_bytes(file.read_bytes())
    return target


def test_the_matrix_command(tted, folder, maps, tmp_path):
    out = tmp_path / "m.npy"
    figure = tmp_path / "heat.svg"
    common = ("matrix", str(folder), "--json")
    status, text, _ = tted(*common, "--out", str(out), "--figure", str(figure))
    assert status == 0
    expected = TTED(encoder=sentence_encoder()).pairwise(maps)
    assert np.load(out) == pytest.approx(expected, abs=1e-12)
    names = json.loads((tmp_path / "m.npy.names.json").read_text(encoding="utf-8"))
    assert names["names"] == [f"map-{number}" for number in range(6)]
    assert names["medoids"] == [f"map-{expected.sum(axis=1).argmin()}"]
    assert json.loads(text) == names
    assert figure.read_text(encoding="utf-8").startswith("<svg")
    assert tted(*common, "--out", str(out), "--score", "steinhaus")[0] == 0
    assert np.load(out).max() <= 1

    (folder / "broken.json").write_text("{", encoding="utf-8")
    status, _, err = tted(*common, "--out", str(tmp_path / "m.csv"))
    assert status == 0
    assert "left out: broken: " in err
    lines = (tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "map,map-0,map-1,map-2,map-3,map-4,map-5"
    assert len(lines) == 7
    assert "ends in none of" in tted(*common, "--out", str(tmp_path / "m.txt"))[2]
