"""Processor time of the distances of sentences: ``python -m benchmarks.text_distances`` (2 minutes).

Processor time of filling a matrix of 32 by 32 sentences of ``sample_trees``, per 1,000 pairs; models are loaded
and warm. Where a model reads each sentence once, that part grows with the sentences and not with the pairs, and
is given separately. NDD is run with a BERT (base, cased) of random weights, made here: its time doesn't depend on
them.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.generated import SAMPLES
from tted_core import load_encoder, read_map
from tted_core.distances import DISTANCES
from tted_core.distances.bertscore import load_bertscorer
from tted_core.distances.ndd import ndd_distances, word_gaps
from tted_core.encoders.embedding import embed
from tted_core.encoders.masked_model import Gap, MaskedModel
from tted_core.foundations.monitor import UNWATCHED
from tted_core.words.splitting import Sentence, split_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDE = 32
NDD_SIDE = 4
"""Of NDD, 4 by 4 sentences are measured, and scaled: predictions by sentences, comparisons by pairs."""

BERT_VOCABULARY = 28_996
ENGLISH = ("coral-reefs", "photosynthesis", "urban-heat", "human-body", "solar-system")


def sentences() -> list[str]:
    """Distinct labels of the samples, 32 for each side."""
    found: dict[str, None] = {}
    for topic in ENGLISH:
        found |= dict.fromkeys(read_map(SAMPLES / topic / "base.json").tree.labels)
    texts = [text for text in found if len(text.split()) > 2]
    return texts[: 2 * SIDE]


def bert_of_random_weights(folder: str, texts: Sequence[str]) -> MaskedModel:
    """BERT (base, cased) as it is, but for what it learned; its vocabulary knows the words of the texts."""
    from transformers import BertConfig, BertForMaskedLM, BertTokenizer

    words = list(dict.fromkeys(word.text for text in texts for word in split_words(text)))
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    filling = [f"[unused{number}]" for number in range(BERT_VOCABULARY - len(words) - len(special))]
    vocabulary = Path(folder) / "vocab.txt"
    vocabulary.write_text("\n".join([*special, *words, *filling]), encoding="utf-8")
    model = BertForMaskedLM(BertConfig(vocab_size=BERT_VOCABULARY)).eval()
    return MaskedModel("random", "0" * 8, model, BertTokenizer(str(vocabulary), do_lower_case=False))


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def least(work: Callable[[], object]) -> float:
    """Of three runs."""
    return min(seconds(work) for _ in range(3))


def main() -> None:
    texts = sentences()
    left, right = texts[:SIDE], texts[SIDE:]
    pairs = len(left) * len(right)
    words = sum(len(split_words(text)) for text in texts) / len(texts)
    print(
        f"{len(left)} x {len(right)} sentences of {words:.1f} words; seconds of one processor per 1,000 pairs\n"
    )
    print(f"{'distance':<20} {'all':>8} {'of which reading the sentences':>32}")

    def row(name: str, whole: float, reading: float | None) -> None:
        part = "" if reading is None else f"{1000 * reading / pairs:.4f}"
        print(f"{name:<20} {1000 * whole / pairs:>8.4f} {part:>32}", flush=True)

    encoder = load_encoder("minilm", device="cpu")
    scorer = load_bertscorer("minilm", device="cpu")
    embed(encoder, texts)
    scorer.embed(texts)
    reading = least(lambda: embed(encoder, texts))
    vectors = embed(encoder, texts)
    pieces = least(lambda: scorer.embed(texts))
    known = scorer.embed(texts)
    for name, distance in DISTANCES.items():
        if distance.reads == "encoder":
            sides = [np.array([vectors[text] for text in side]) for side in (left, right)]
            row(name, reading + least(lambda call=distance.function, sides=sides: call(*sides)), reading)
        elif distance.reads == "word vectors":
            idf = texts if name.endswith("idf") else None
            matching = least(lambda idf=idf: scorer.scores(left, right, idf=idf, embedded=known))
            row(name, pieces + matching, pieces)
        elif distance.reads == "none":
            row(name, least(lambda call=distance.function: call(left, right, UNWATCHED)), None)
    with tempfile.TemporaryDirectory() as folder:
        model = bert_of_random_weights(folder, texts)
    some = [left[:NDD_SIDE], right[:NDD_SIDE]]
    gaps = [gap for side in some for text in side for gap in gaps_of(text)]
    predicted: dict[Gap, NDArray[np.float64]] = {}
    predicting = seconds(lambda: predicted.update(zip(gaps, model.distributions(gaps), strict=True)))
    model.distributions = lambda gaps: [predicted[gap] for gap in gaps]  # type: ignore[method-assign]
    comparing = least(lambda: ndd_distances(*some, model))
    scale = SIDE / NDD_SIDE
    row("ndd, ndd-directed", predicting * scale + comparing * scale**2, predicting * scale)


def gaps_of(text: str) -> list[Gap]:
    sentence = Sentence.of(text)
    return word_gaps(sentence, range(len(sentence.words)))


if __name__ == "__main__":
    main()
