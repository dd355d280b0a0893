"""Lone surrogates, which a label may hold and no tokenizer takes: read as U+FFFD, the label itself unchanged."""

import json
from dataclasses import replace

import numpy as np

from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders.embedding import embed
from tted_core.encoders.masked_model import Gap
from tted_core.notices import encoder_notices

LONE, READ_AS = "rain \ud800", "rain \ufffd"


def test_an_encoder_reads_them(minilm):
    vectors = embed(minilm, [LONE, READ_AS])
    assert np.array_equal(vectors[LONE], vectors[READ_AS])
    assert minilm.word_pieces([LONE]) == minilm.word_pieces([READ_AS])
    assert minilm.count_tokens(["\ud83c\udf31"]) == minilm.count_tokens(["\N{SEEDLING}"])
    pieces = replace(minilm, max_tokens=12, count_tokens=lambda texts: [3 * len(text) + 2 for text in texts])
    (notice,) = encoder_notices(pieces, ["\ud800" * 4], "none")  # a letter may have three pieces, one a byte
    assert notice.startswith("1 of 1 texts are longer")


def test_bertscore_reads_them():
    scorer = load_bertscorer("minilm", device="cpu")
    lone, read_as = (
        scorer.scores([text], ["a reef"], idf=scorer.idf_weights([text])) for text in (LONE, READ_AS)
    )
    assert np.array_equal(lone.f1, read_as.f1)
    assert scorer.count_pieces(LONE) == scorer.count_pieces(READ_AS)


def test_a_masked_model_reads_them(masked_model):
    assert masked_model.perplexity(LONE) == masked_model.perplexity(READ_AS)
    assert masked_model.first_pieces(LONE) == masked_model.first_pieces(READ_AS)
    (lone,), (read_as,) = ([*masked_model.distributions([Gap(text, 0, 4)])] for text in (LONE, READ_AS))
    assert np.array_equal(lone, read_as)


def test_the_command_line_takes_and_prints_them(tted):
    """A byte of an argument that is no UTF-8 is a lone surrogate in Python."""
    status, out, _ = tted("text", "rain \udcff", "rain", "--measures", "cosine,bertscore", "--json")
    assert (status, json.loads(out)["first"]) == (0, "rain \udcff")
