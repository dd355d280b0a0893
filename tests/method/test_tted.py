"""TTED, the method as an object: what it takes as an encoder, what it remembers, and that all ways agree."""

import pytest
from helpers.encoders import sentence_encoder
from helpers.trees import tree_of

from tted_core import TTED, Method
from tted_core.batch.table import combine
from tted_core.method import PRESETS, Signature
from tted_core.solvers import SOLVERS

LEFT, RIGHT = tree_of("a(b(c) d)"), tree_of("a(b e(f))")


def test_the_signature_is_that_of_the_results_without_the_maps():
    tted = TTED(sentence_encoder(), order="ordered")
    result = tted.compare(LEFT, RIGHT)
    assert tted.signature == f"TTED|{Signature.read(result.signature).setting}"
    assert "|enc:hashed@01234567|" in tted.signature


@pytest.mark.parametrize("name", PRESETS)
def test_signatures_and_options_are_read_as_they_were_written(name):
    for method in (
        *combine(distances=("cosine", "bertscore", "levenshtein"), orders=SOLVERS),
        Method.of(name, depth=3),
    ):
        written = str(Signature.of(method, "01234567").with_result(proven=True, digests=("a" * 64, "b" * 64)))
        assert str(Signature.read(written)) == written
        assert Method.of_described(method.described) == method
