"""Compression by NDD: the spans tried, which of them go, and maps of key phrases."""

from itertools import pairwise

import pytest
from helpers.ndd_reference import SlowModel, slow_ndd

from tted_core.distances.compression import Compressor, ScoredSpan, choose_spans, count_words
from tted_core.distances.ndd import TokenizedText
from tted_core.errors import LimitError
from tted_core.tree import TextTree

TEXT = "I am walking in the cold rain ."


@pytest.fixture(scope="module")
def compressor(masked_model):
    return Compressor(masked_model, max_span=3)


@pytest.mark.thorough
def test_every_short_span_is_tried_and_scored_as_by_the_slow_reference(compressor, tiny_masked_folder):
    slow = SlowModel(tiny_masked_folder)
    words = TEXT.split()
    spans = compressor.spans(TokenizedText.of(TEXT))
    expected = {(start, start + length) for length in (1, 2, 3) for start in range(len(words) - length + 1)}
    assert {(span.start, span.stop) for span in spans} == expected
    for span in spans[::2]:
        pieces = [*words[: span.start], (words[span.start : span.stop], []), *words[span.stop :]]
        exact = slow_ndd(slow, pieces, mu=0.9, nu=0.9, balanced=True)
        assert span.score == pytest.approx(exact, abs=1e-6)


THREE = ((0, 2, 0.5), (1, 3, 0.7), (4, 5, 0.1))


@pytest.mark.parametrize(
    ("text", "limit", "spans", "chosen"),
    [
        # of overlapping spans the one with the higher score goes
        ("a b c d e f", 1.0, THREE, [(1, 3), (4, 5)]),
        ("a b c d e f", 0.6, THREE, [(0, 2), (4, 5)]),
        ("a b c d e f", 0.05, THREE, []),
        # in a chain the highest goes first and frees the last
        ("a b c d e f", 1.0, ((0, 2, 0.9), (1, 4, 0.5), (3, 5, 0.2)), [(0, 2), (3, 5)]),
        # equal scores prefer the longer and the earlier span
        ("a b c d e f", 1.0, ((1, 2, 0.5), (1, 3, 0.5), (2, 4, 0.5)), [(1, 3)]),
        # a limit is within it
        ("a b c d e f", 0.5, ((0, 1, 0.5),), [(0, 1)]),
        # a word always stays
        ("rain sea .", 9.0, ((0, 1, 0.2), (1, 2, 0.3)), [(1, 2)]),
        (", sea .", 9.0, ((1, 2, 0.3),), []),
    ],
)
def test_deleted_spans(text, limit, spans, chosen):
    found = choose_spans(TokenizedText.of(text), [ScoredSpan(*span) for span in spans], limit)
    assert [(span.start, span.stop) for span in found] == chosen


def test_no_span_takes_all_words(compressor):
    assert (
        compressor.spans(TokenizedText.of("rain"))
        == compressor.spans(TokenizedText.of(""))
        == compressor.spans(TokenizedText.of("rain ."))[:0]
        == ()
    )
    assert {(span.start, span.stop) for span in compressor.spans(TokenizedText.of("rain ."))} == {(1, 2)}
    assert compressor.compress("rain", 1e9, rounds=5) == "rain"


def test_rounds_continue_with_the_remaining_text(compressor):
    texts = [TEXT, *(compressor.compress(TEXT, 3.0, rounds=rounds) for rounds in range(1, 11))]
    assert 3 <= len(set(texts)) < 10
    for longer, shorter in pairwise(texts):
        assert compressor.compress(longer, 3.0) == shorter


def test_a_higher_limit_makes_a_shorter_map_of_the_same_shape(compressor):
    tree = TextTree((TEXT, "plants drink water", "", "rain and snow"), (-1, 0, 1, 0))
    sizes = []
    for limit in (0.0, 2.0, 1e9):
        result = compressor.compress_map(tree, limit)
        assert result.parents == tree.parents
        assert result.labels[2] == ""
        sizes.append(count_words(result))
    assert sizes[0] == 13
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[2] < 8


def test_too_many_spans_are_refused_before_the_work(masked_model, monkeypatch):
    """A text of 3 words and spans of 1 or 2: 3 predictions before, 3 x 2 and 2 x 1 after."""
    tree = TextTree(("rain and snow",), (-1,))
    monkeypatch.setattr("tted_core.distances.compression.MAX_MASKED_PREDICTIONS", 11)
    Compressor(masked_model, max_span=2).compress_map(tree)
    monkeypatch.setattr("tted_core.distances.compression.MAX_MASKED_PREDICTIONS", 10)
    with pytest.raises(LimitError, match="11 predictions of masked words, but the limit is 10"):
        Compressor(masked_model, max_span=2).compress_map(tree)
