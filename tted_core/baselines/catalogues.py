"""CEDS, catalogue edit distance similarity, as its authors' repository zhukun1020/HiCaD computes it.

Zhu et al., "Hierarchical Catalogue Generation for Literature Review: A Benchmark", Findings of EMNLP 2023.
CEDS = 1 - TED / max(n, m), of ordered trees; a missing node costs 1 and a replaced one min(1, 1.2 (1 - sim)). The
authors hang both catalogues under a node "root" that counts nothing, and take BERTScore's F1 by SciBERT for sim.
Here it is the encoder's cosine, so numbers are not theirs; ``ceds_by`` takes any other similarity.
"""

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.kernel import BaselineScore, share_score
from tted_core.baselines.vectors import node_cosines
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.solvers import EditProblem, solve
from tted_core.tree import TextTree

ALPHA = 1.2
"""How much a missing similarity weighs."""


def ceds(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """CEDS by the cosines of sentences. It can be below 0: more can be edited than the larger map has nodes.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
    """
    return ceds_by(left, right, node_cosines(encoder, left, right))


def ceds_by(left: TextTree, right: TextTree, similarity: NDArray[np.float64]) -> BaselineScore:
    """CEDS by (n, m) similarities of the nodes, up to 1."""
    costs = np.ones((len(left) + 1, len(right) + 1))
    costs[:-1, :-1] = np.minimum(1.0, ALPHA * (1.0 - similarity))
    costs[-1, -1] = 0.0
    distance = solve(EditProblem(left, right, np.maximum(costs, 0.0)), "ordered").upper
    return share_score(1.0 - distance / max(len(left), len(right)))
