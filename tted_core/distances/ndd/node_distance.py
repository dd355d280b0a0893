"""NDD as a distance between nodes, so that TTED can run on it. No metric: the triangle inequality can break.

The paper sums over unedited words only, so an edit that leaves no word alone would cost nothing, and deleting
a whole sentence neither. For tree edit distance an edited word has to cost something as well: its surprisal
-log P(word | its neighbours), by the same prediction, in the sentence that has it; of a word of several word
pieces, that of the first. A word that its neighbours give away costs little, one that they don't costs much.
Two sentences without a common word then cost as much as deleting one and inserting the other, and deleting a
sentence costs about minus its pseudo-log-likelihood (Salazar et al. 2020).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.ndd.divergence import word_gaps
from tted_core.distances.ndd.weights import Weights, align
from tted_core.encoders.masked_model import MaskedModel
from tted_core.limits import MAX_PREDICTED_VALUES, check_limit
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.words.splitting import Sentence


def ndd_distances(
    left: Sequence[str],
    right: Sequence[str],
    model: MaskedModel,
    *,
    directed: bool = False,
    weights: Weights | None = None,
    monitor: Monitor = UNWATCHED,
) -> NDArray[np.float64]:
    """(n, m) distances of n texts to m texts: 0 for equal ones, in nats.

    Args:
        left: the texts before.
        right: the texts after.
        model: predicts the words.
        directed: NDD from left to right; by default the mean of both directions, which is symmetric.
        weights: of the unedited words, by default mu = 0.9.
        monitor: watches the texts predicted, and may stop before each.

    Raises:
        LimitError: a text longer than the model reads, or more words than memory is meant to hold.
        Interrupted: stopped before all texts were predicted.
    """
    weights = weights or Weights()
    sentences = {text: Sentence.of(text) for text in (*left, *right)}
    words = sum(len(sentence.words) for sentence in sentences.values())
    check_limit(
        words * model.vocabulary_size,
        MAX_PREDICTED_VALUES,
        f"numbers to hold for the predictions of {words:,} words",
        "compare smaller maps, or choose another distance for them",
    )
    predicted: dict[str, NDArray[np.float64]] = {}
    for text, sentence in sentences.items():
        monitor.check("stopped before there was a result")
        gaps = word_gaps(sentence, range(len(sentence.words)))
        predicted[text] = np.array([*model.distributions(gaps)]).reshape(-1, model.vocabulary_size)
        monitor.advance(len(predicted), len(sentences))
    surprisals = {text: _surprisals(sentence, predicted[text], model) for text, sentence in sentences.items()}

    def directed_cost(before: str, after: str) -> float:
        alignment = align(*([word.text for word in sentences[text].words] for text in (before, after)))
        here, there = (np.array([pair[side] for pair in alignment.kept], dtype=int) for side in (0, 1))
        cost = 0.0
        if alignment.spans and alignment.kept:
            divergences = _paired(predicted[after][there], predicted[before][here])
            cost = float(np.array(weights.of(alignment)) @ divergences)
        for span in alignment.spans:
            cost += (
                surprisals[before][slice(*span.before)].sum() + surprisals[after][slice(*span.after)].sum()
            )
        return float(cost)

    distances = np.array([[directed_cost(before, after) for after in right] for before in left])
    if not directed:
        distances += np.array([[directed_cost(after, before) for after in right] for before in left])
        distances /= 2
    return distances.reshape(len(left), len(right))


def _paired(p: NDArray[np.float64], q: NDArray[np.float64]) -> NDArray[np.float64]:
    """KL of the rows of two (n, c) log-probabilities, in pairs: (n,)."""
    divergences: NDArray[np.float64] = np.maximum((np.exp(p) * (p - q)).sum(axis=1), 0.0)
    return divergences


def _surprisals(
    sentence: Sentence, predicted: NDArray[np.float64], model: MaskedModel
) -> NDArray[np.float64]:
    """-log P of each word where it stands: (n,). It is above 0, unless the model can't read the word at all."""
    surprisals = np.zeros(len(sentence.words))
    for at, word in enumerate(sentence.words):
        pieces = model.first_pieces(word.text)
        if pieces:
            surprisals[at] = -predicted[at, list(pieces)].max()
    return surprisals
