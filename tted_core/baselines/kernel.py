"""Baselines as records: from a similarity of trees to a distance, and the vectors that some read."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.embedding import embed, unit_vectors
from tted_core.encoders.remembered import AnyEncoder, ready_encoder
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import EncoderError, LimitError, OptionsError
from tted_core.formats import AnyMap, as_map
from tted_core.tree import TextTree

# From a similarity of trees to a distance: equation (7) of Sobolevsky and Vorontsov 2025, or 1 minus a share.

Tree = TypeVar("Tree")  # in whatever form the similarity takes it

ROUNDING = 1e-12
"""What of a similarity near the highest possible is rounding: the distance is 0 then."""


NOT_COMPUTED = (LimitError, EncoderError, OptionsError)
"""Why a baseline may have no score for two maps; the distance stands without it, and the reader is told."""


@dataclass(frozen=True)
class BaselineScore:
    """A baseline's similarity of two trees, of each tree with itself, and the distance made of them.

    ``rho_base`` is None where it is undefined: a greedy similarity can find more in common between two trees than
    between each and itself, and a measure of edges finds nothing to compare in two maps without any.
    """

    sim: float
    sim_left: float
    sim_right: float
    rho_base: float | None

    @property
    def dissimilarity(self) -> float | None:
        """What grows as maps become less alike, to put pairs in an order: the distance, where there is one."""
        return self.rho_base


@dataclass(frozen=True)
class F1Score(BaselineScore):
    """F1 as the similarity, with what it is the harmonic mean of; the left map is the reference."""

    precision: float
    recall: float


@dataclass(frozen=True)
class Baseline:
    """A baseline, callable as a function of two trees: an entry of ``BASELINES``.

    Attributes:
        function: what computes it, of two trees, and of an encoder if it reads one; may raise ``LimitError``.
        note: what it counts, and how to read it, for people.
        reads: whether it reads vectors of sentences.
        is_control: whether it sees no structure: what a measure of maps should agree with people better than.
    """

    function: Callable[..., BaselineScore]
    note: str
    reads: Literal["encoder", "none"] = "none"
    is_control: bool = False

    def __call__(self, left: AnyMap, right: AnyMap, encoder: str | AnyEncoder | None = None) -> BaselineScore:
        """The baseline of two maps; raises what ``function`` raises."""
        left, right = (
            as_map(each, f"the {side} map").tree for side, each in (("left", left), ("right", right))
        )
        if self.reads == "none":
            return self.function(left, right)
        if encoder is None:
            raise OptionsError(
                "it reads vectors of sentences, which the distance of nodes doesn't; choose the distance cosine, "
                "euclidean or manhattan, or give an encoder"
            )
        return self.function(left, right, ready_encoder(encoder))


def kernel_score(similarity: Callable[[Tree, Tree], float], left: Tree, right: Tree) -> BaselineScore:
    """rho_base = sqrt(k(T, T) + k(T', T') - k(T, T') - k(T', T)) with k = ``similarity``."""
    sim = similarity(left, right)
    sim_left = similarity(left, left)
    sim_right = similarity(right, right)
    radicand = (sim_left + sim_right) - (sim + similarity(right, left))
    rounding = ROUNDING * (sim_left + sim_right)
    rho = None if radicand < -rounding else math.sqrt(max(radicand, 0.0))
    return BaselineScore(sim, sim_left, sim_right, rho)


def share_score(share: float) -> BaselineScore:
    """Of a similarity that is 1 for a tree with itself; rho_base is what is missing to 1."""
    return BaselineScore(share, 1.0, 1.0, _missing(share))


def f1_score(found: float, predicted: int, wanted: int, *, found_wanted: float | None = None) -> F1Score:
    """F1 of what was found, of so many things of the right map and so many of the left one, the reference.

    Args:
        found: how much of the right map is in the left one.
        predicted: how much there is in the right map.
        wanted: how much there is in the left map.
        found_wanted: how much of the left map is in the right one, if that is not the same.
    """
    if not predicted and not wanted:
        return F1Score(0.0, 0.0, 0.0, None, 0.0, 0.0)
    precision = found / predicted if predicted else 0.0
    recall = (found if found_wanted is None else found_wanted) / wanted if wanted else 0.0
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    return F1Score(f1, 1.0, 1.0, _missing(f1), precision, recall)


def _missing(share: float) -> float:
    missing = 1.0 - share
    return 0.0 if abs(missing) < ROUNDING else missing


# What the baselines of meaning share: vectors of a map's sentences, and their cosines.

Vectors = NDArray[np.float64]


def node_vectors(encoder: Encoder, *trees: TextTree) -> list[Vectors]:
    """(n, d) vectors of each tree's n nodes."""
    known = embed(encoder, [label for tree in trees for label in tree.labels])
    return [np.array([known[label] for label in tree.labels]) for tree in trees]


def node_cosines(encoder: Encoder, left: TextTree, right: TextTree) -> Vectors:
    """(n, m) cosines of the nodes' vectors; raises as ``node_vectors``."""
    return cosines(*node_vectors(encoder, left, right))


def cosines(rows: Vectors, columns: Vectors) -> Vectors:
    """(n, m) cosines of (n, d) and (m, d) vectors, from -1 to 1."""
    return np.clip(unit_vectors(rows) @ unit_vectors(columns).T, -1.0, 1.0)
