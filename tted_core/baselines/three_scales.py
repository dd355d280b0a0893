"""Similarity at three scales: two maps as trees, sentence by sentence with its neighbours, and as a whole.

Each scale is a distance from 0 to 1 with the triangle inequality, and so is their mean (docs/method.md has the
proofs). Every function takes many pairs of maps at once, and one pair is computed in the same way.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.kernel import BaselineScore, Vectors, node_vectors, share_score
from tted_core.encoders.embedding import unit_vectors
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.solvers.kernels.many import ASSIGNED, CONSTRAINED, EditProblems, solve_pairs
from tted_core.tree import TextTree

SIMILARITY_GAP = 0.4  # cost of a sentence without a partner, as in the preset ``similarity``
BLEND = 0.3  # share of the neighbours in a sentence's vector
COSINE_ROUNDING = 1e-13  # rounding of 1 - cos of equal vectors

_Integers = NDArray[np.int64]


class VectorForest(NamedTuple):
    """Several trees with N nodes in all; tree t has the nodes ``starts[t]`` to ``starts[t + 1] - 1``."""

    parents: _Integers  # (N,) as indices in their tree; -1 for a root
    starts: _Integers  # (trees + 1,)
    vectors: Vectors  # (N, d) of length 1

    @classmethod
    def of(cls, trees: Sequence[TextTree], encoder: Encoder) -> "VectorForest":
        """The forest of some trees; an ``EncoderError`` if a text has a zero vector."""
        parents = np.array([above for tree in trees for above in tree.parents], dtype=np.int64)
        vectors = unit_vectors(np.concatenate(node_vectors(encoder, *trees)))
        return cls(parents, np.cumsum([0, *map(len, trees)], dtype=np.int64), vectors)

    @property
    def sizes(self) -> _Integers:
        """(trees,) numbers of nodes."""
        return np.diff(self.starts)


# A forest and (p, 2) numbers of its trees -> (p,) distances.
ManyDistances = Callable[[VectorForest, _Integers], Vectors]


def tree(forest: VectorForest, pairs: _Integers) -> Vectors:
    """Steinhaus score of the preset ``similarity``: the maps as trees."""
    return map_nodes(CONSTRAINED, forest, pairs)


def neighbourhood(forest: VectorForest, pairs: _Integers) -> Vectors:
    """The best one-to-one pairs of sentences, each blended with its parent and its children.

    x(v) = (1 - b) e(v) + b mean(e(parent), mean of e(children)), b being ``BLEND``; a single node keeps e(v).
    """
    return map_nodes(ASSIGNED, forest._replace(vectors=blend_neighbours(forest)), pairs)


def mean_vector(forest: VectorForest, pairs: _Integers) -> Vectors:
    """min(1, sqrt(1 - cos)) of the means of both maps' sentence vectors: the maps as a whole."""
    sums = unit_vectors(np.add.reduceat(forest.vectors, forest.starts[:-1], axis=0))
    left, right = pairs.T
    return _distances(np.einsum("ij,ij->i", sums[left], sums[right])).clip(max=1.0)


def three_scales(forest: VectorForest, pairs: _Integers) -> Vectors:
    """The mean of the three."""
    parts = (tree(forest, pairs), neighbourhood(forest, pairs), mean_vector(forest, pairs))
    return np.asarray(np.mean(parts, axis=0))


def of_pairs(
    function: ManyDistances, trees: Mapping[int, TextTree], pairs: NDArray[np.integer], encoder: Encoder
) -> Vectors:
    """(p,) distances of pairs of trees, given by (p, 2) numbers.

    Raises:
        EncoderError: a text has a zero vector.
    """
    used, local = np.unique(pairs, return_inverse=True)
    return function(VectorForest.of([trees[number] for number in used], encoder), local.reshape(-1, 2))


def of_pair(function: ManyDistances, left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """The similarity of one pair: 1 minus the distance."""
    (distance,) = of_pairs(function, {0: left, 1: right}, np.array([[0, 1]]), encoder).tolist()
    return share_score(1.0 - distance)


def blend_neighbours(forest: VectorForest) -> Vectors:
    """(N, d) vectors of length 1 of all nodes, with the share ``BLEND`` of those around each."""
    own = forest.vectors
    inner = np.flatnonzero(forest.parents >= 0)
    above = forest.parents[inner] + np.repeat(forest.starts[:-1], forest.sizes)[inner]
    counts = np.bincount(above, minlength=len(own))[:, None]
    below = np.zeros_like(own)
    np.add.at(below, above, own[inner])
    around = below / np.maximum(counts, 1)
    around[inner] += own[above]
    sources = (counts > 0).astype(np.float64)
    sources[inner] += 1.0
    around = np.where(sources > 0, around / np.maximum(sources, 1.0), own)
    return unit_vectors((1.0 - BLEND) * own + BLEND * around)


def map_nodes(kind: int, forest: VectorForest, pairs: _Integers) -> Vectors:
    """2d / (W + W' + d), d being the least cost of a mapping of this kind, and W that of leaving out a map."""
    blocks = [forest.vectors[start:end] for start, end in pairwise(forest.starts.tolist())]
    sizes = forest.sizes[pairs]
    starts = np.cumsum([0, *(sizes + 1).prod(axis=1).tolist()], dtype=np.int64)
    costs = np.full(starts[-1], SIMILARITY_GAP)
    for (left, right), (n, m), start in zip(pairs.tolist(), sizes.tolist(), starts.tolist(), strict=False):
        view = costs[start : start + (n + 1) * (m + 1)].reshape(n + 1, m + 1)
        view[:-1, :-1] = _distances(blocks[left] @ blocks[right].T)
        view[-1, -1] = 0.0
    found = solve_pairs(kind, EditProblems(forest.parents, forest.starts, pairs, costs, starts))
    whole = SIMILARITY_GAP * sizes.sum(axis=1) + found.distances
    distances: Vectors = 2.0 * found.distances / whole
    return distances.clip(max=1.0)  # rounding


def _distances(cosines: Vectors) -> Vectors:
    """sqrt(1 - cos), 0 for equal vectors."""
    missing = 1.0 - cosines
    return np.asarray(np.sqrt(np.where(missing < COSINE_ROUNDING, 0.0, missing)))
