"""TTED, the method as an object: what it takes as an encoder, what it remembers, and that all ways agree."""

import json
import pickle

import numpy as np
import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.trees import tree_of

from tted_core import TTED, Method, compare
from tted_core.batch.table import combined
from tted_core.errors import OptionsError, UnknownNameError
from tted_core.method import PRESETS, Signature
from tted_core.report.exports import EXPORTS
from tted_core.solvers import SOLVERS

LEFT, RIGHT = tree_of("a(b(c) d)"), tree_of("a(b e(f))")


class Model:
    """Like ``sentence_transformers.SentenceTransformer``: an object with ``encode``."""

    def encode(self, sentences, batch_size=32):
        assert isinstance(sentences, list)
        return hashed(sentences).astype(np.float32)


@pytest.mark.parametrize("encoder", [Model(), hashed, sentence_encoder()])
def test_any_encoder_is_taken(encoder):
    tted = TTED(encoder, preset="published")
    expected = compare(LEFT, RIGHT, encoder=hashed, preset="published")
    assert tted.compare(LEFT, RIGHT).tted == pytest.approx(expected.tted, rel=1e-6)
    (row,) = tted.compare_many([(LEFT, RIGHT)])
    assert row["tted"] == pytest.approx(expected.tted, rel=1e-6)
    assert row["signature"] == tted.compare(LEFT, RIGHT).signature


def test_parameters_make_the_same_object():
    tted = TTED(hashed, preset="published", order="ordered", gap=".5", depth=2)
    again = TTED(**tted.get_params())
    assert (
        again.method
        == tted.method
        == Method.of("published", encoder="custom", order="ordered", gap=0.5, depth=2)
    )
    assert tted.get_params()["encoder"] is hashed
    assert "order='ordered'" in repr(tted)


def test_the_signature_is_that_of_the_results_without_the_maps():
    tted = TTED(sentence_encoder(), order="ordered")
    result = tted.compare(LEFT, RIGHT)
    assert tted.signature == f"TTED|{Signature.read(result.signature).setting}"
    assert "|enc:hashed@01234567|" in tted.signature


def test_a_result_as_data_and_as_files(tmp_path):
    result = compare(LEFT, RIGHT, encoder=hashed)
    assert json.loads(json.dumps(result.to_dict()))["signature"] == result.signature
    assert list(result.to_frame()["op"]) == [op.op for op in result.script.ops]
    for ending in ("html", "json", "csv", "tex", "svg"):
        result.save(tmp_path / f"result.{ending}")
        assert (tmp_path / f"result.{ending}").read_bytes()
    with pytest.raises(UnknownNameError, match=f"choose one of: {next(iter(EXPORTS))}"):
        result.save(tmp_path / "result.docx")


@pytest.mark.parametrize("name", PRESETS)
def test_a_signature_describes_the_method(name):
    for method in (
        *combined(distances=("cosine", "ndd", "levenshtein"), orders=SOLVERS),
        Method.of(name, depth=3),
    ):
        written = str(Signature.of(method, "01234567").signing(proven=True, digests=("a" * 64, "b" * 64)))
        assert Signature.read(written).method == method
        assert str(Signature.read(written)) == written
        assert Method.of_described(method.described) == method


def test_a_used_object_can_be_pickled_and_gives_the_same_results():
    tted = TTED(hashed, order="ordered")
    result = tted.compare(LEFT, RIGHT, baselines="all")
    again = pickle.loads(pickle.dumps(tted))
    assert again.get_params() == tted.get_params()
    assert again.compare(LEFT, RIGHT).tted == result.tted


@pytest.mark.parametrize("name", ["order", "method", "encoder", "metric"])
def test_an_option_that_is_set_later_is_refused(name):
    with pytest.raises(OptionsError, match=f"{name} can't be set"):
        setattr(TTED(hashed), name, "ordered")


def test_comparisons_are_data():
    tted = TTED(hashed)
    one, other = tted.compare(LEFT, RIGHT), tted.compare(LEFT, RIGHT)
    assert one == other != tted.compare(RIGHT, LEFT)
    assert len({one, other}) == 1
    assert one.tted_at == other.tted_at
    copy = pickle.loads(pickle.dumps(one))
    assert (copy, copy.to_dict()) == (one, one.to_dict())
    assert len(repr(one).splitlines()) == 1
    assert len(repr(one)) < 300
