"""1 - F1 of BERTScore as a node distance, with equal weights and with IDF weights counted in both maps' texts."""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.bertscore import BERTScorer, load_bertscorer
from tted_core.distances.record import Counted, TextDistance, Texts
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.words.languages import english_only_notice


def bertscore(left: Texts, right: Texts, progress: Counted) -> NDArray[np.float64]:
    """1 - F1 of BERTScore (Zhang et al. 2020) by the bundled model; no metric.

    Raises:
        LimitError: more pairs of word pieces than ``MAX_BERTSCORE_CELLS``.
    """
    return load_bertscorer("minilm").distance(left, right, progress=progress)


def bertscore_idf(left: Texts, right: Texts, progress: Counted) -> NDArray[np.float64]:
    """The same, word pieces being weighted by how rare they are among the distinct texts of both sides.

    Raises:
        LimitError: more pairs of word pieces than ``MAX_BERTSCORE_CELLS``.
    """
    return load_bertscorer("minilm").distance(left, right, idf=True, progress=progress)


def _notices(scorer: BERTScorer, texts: Texts) -> tuple[str, ...]:
    """Texts in a script that the model was not trained on, and texts longer than it reads."""
    known = ENCODERS.get(scorer.name)
    foreign = english_only_notice(scorer.name, texts) if known and known.languages == "English" else ()
    distinct = set(texts)
    long = sum(scorer.count_pieces(text) > scorer.max_pieces for text in distinct)
    if not long:
        return foreign
    text = (
        f"{long} of {len(distinct)} texts are longer than the {scorer.max_pieces} word pieces that {scorer.name} "
        "reads for BERTScore; only their beginning counts"
    )
    return (*foreign, text)


def _by_encoder(distance: TextDistance, *, idf: bool) -> TextDistance:
    def load(encoder: str) -> TextDistance:
        scorer = load_bertscorer(encoder)

        def between(left: Texts, right: Texts, progress: Counted) -> NDArray[np.float64]:
            return scorer.distance(left, right, idf=idf, progress=progress)

        model = (scorer.name, f"{scorer.fingerprint}/layer{scorer.layer}")
        return replace(distance, between=between, model=model, notices=partial(_notices, scorer), load=None)

    return replace(distance, load=load)


BERTSCORE_DISTANCES = {
    "bertscore": _by_encoder(
        TextDistance(
            bertscore,
            metric=False,
            note="1 − F1 of BERTScore: each word is held against the most similar one of the other sentence, "
            "by the encoder's vectors of words.",
        ),
        idf=False,
    ),
    "bertscore-idf": _by_encoder(
        TextDistance(
            bertscore_idf,
            metric=False,
            note="BERTScore in which words that are rare in the two maps weigh more.",
        ),
        idf=True,
    ),
}
