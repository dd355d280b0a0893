"""``rouge_bag``: ``rouge_sim`` without the edges, for a map as a bag of sentences.

Sim(T, T') is the maximum over one-to-one matchings P of the nodes of T and T' of the sum of R over P, with the
same R as in :mod:`tted_core.baselines.sim`. It sees no structure at all: a map whose sentences were
regrouped scores as high as the map itself.
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.assignment import best_assignment
from tted_core.baselines.edges import distinct_texts
from tted_core.baselines.kernel import BaselineScore, kernel_score
from tted_core.baselines.sim import label_scores, split
from tted_core.tree import TextTree


def rouge_bag(left: TextTree, right: TextTree) -> BaselineScore:
    """Sim and rho_base by optimal matching of sentences, whatever stands above what.

    Raises:
        LimitError: the maps have too many words.
    """
    texts = distinct_texts(left, right, split)
    scores = label_scores(texts.values())
    place = {label: number for number, label in enumerate(texts)}

    def similarity(one: NDArray[np.intp], other: NDArray[np.intp]) -> float:
        gains = scores[np.ix_(one, other)]
        rows, columns = best_assignment(gains)
        return float(gains[rows, columns].sum())

    return kernel_score(
        similarity, *(np.array([place[label] for label in tree.labels]) for tree in (left, right))
    )
