"""The ROUGE columns of papers on mind-map generation: R-1, R-2, R-L and their mean, per reference pair.

Maps are compared as lists of pairs (parent, child), matched greedily, since EMGN (Hu et al., EMNLP 2021) and CMGN
(Zhang et al., AAAI 2024). This is the protocol by which the authors of TTED report such scores in 2026: every
reference pair but the root's, in the order of the document, takes the best generated pair that is left; each of
the four columns matches by its own F1. docs/method.md compares it with CMGN's own code and
``rouge_sim_published``.
"""

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.kernel import BaselineScore, kernel_score
from tted_core.baselines.sim import distinct_texts
from tted_core.baselines.sim_published import rouge_scores, split
from tted_core.tree import TextTree

Column: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""From (3, t, t) F1 by ROUGE-1, ROUGE-2 and ROUGE-L to the (t, t) by which pairs are matched."""


def _by_place(place: int, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(scores[place])


def _mean(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(scores.sum(axis=0) / 3)


def pair_rouge(column: Column, left: TextTree, right: TextTree) -> BaselineScore:
    """The mean F1 of the left map's pairs, the left map being the reference.

    The sum of (F1(parents) + F1(children)) / 2 over the matched pairs, divided by the number of reference pairs
    including the root's, which has no parent and is never matched: with n sentences a map has (n - 1) / n in
    common with itself.

    Raises:
        LimitError: the maps have too many words.
    """
    texts = distinct_texts(left, right, split)
    scores = column(rouge_scores(texts.values()))
    place = {text: number for number, text in enumerate(texts)}
    if "" in place:  # of two empty texts nothing differs
        scores[place[""], place[""]] = 1.0

    def similarity(reference: TextTree, generated: TextTree) -> float:
        wanted, given = (_pairs(tree, place) for tree in (reference, generated))
        # The package is asked for the score of the reference's text against the generated one.
        gains = (scores[np.ix_(given[0], wanted[0])] + scores[np.ix_(given[1], wanted[1])]).T / 2
        total = 0.0
        for gain in gains[: len(generated) - 1]:  # for each that still finds a pair
            best = int(gain.argmax())  # of equals the first
            total += float(gain[best])
            gains[:, best] = -1.0  # taken
        return total / len(reference)

    return kernel_score(similarity, left, right)


def _pairs(tree: TextTree, place: dict[str, int]) -> NDArray[np.intp]:
    """(2, n - 1) places of the texts of parents and children, in the order of the document."""
    pairs = [
        (place[tree.labels[parent]], place[label])
        for parent, label in zip(tree.parents, tree.labels, strict=True)
        if parent >= 0
    ]
    return np.array(pairs, dtype=np.intp).reshape(-1, 2).T


cmgn_rouge1 = partial(pair_rouge, partial(_by_place, 0))
cmgn_rouge2 = partial(pair_rouge, partial(_by_place, 1))
cmgn_rougel = partial(pair_rouge, partial(_by_place, 2))
cmgn_rouge = partial(pair_rouge, _mean)
