"""Records of baselines, and helpers shared by them: distances from similarities, and vectors."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.embedding import AnyEncoder, embed, encoder_of, load_cached_encoder, unit_vectors
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import EncoderError, LimitError, OptionsError, TTEDError
from tted_core.formats import AnyMap, as_map
from tted_core.tree import TextTree

# Distances from similarities of trees: equation (7) of Sobolevsky and Vorontsov 2025, or 1 minus a share.

Tree = TypeVar("Tree")  # in the similarity's own representation

ROUNDING = 1e-12  # relative tolerance: a similarity this close to the largest possible one gives distance 0


Vectors = NDArray[np.float64]

# Errors that leave a baseline without a score; they are reported, and the distance doesn't depend on it.
NOT_COMPUTED = (LimitError, EncoderError, OptionsError)


NO_VECTORS = (
    "it needs sentence vectors, which the node distance doesn't use; choose the distance cosine, euclidean or "
    "manhattan, or give an encoder"
)


@dataclass(frozen=True)
class BaselineScore:
    """A baseline's similarity of two trees, of each tree with itself, and the distance derived from them.

    ``rho_base`` is None if it is undefined: a greedy similarity can find more in common between two trees than
    between each and itself, and a measure of edges is undefined for maps without edges.
    """

    sim: float
    sim_left: float
    sim_right: float
    rho_base: float | None


@dataclass(frozen=True)
class F1Score(BaselineScore):
    """F1 as the similarity, with precision and recall; the left map is the reference."""

    precision: float
    recall: float


@dataclass(frozen=True)
class Baseline:
    """A baseline, callable as a function of two trees: an entry of ``BASELINES``.

    Attributes:
        function: computes it from two trees, and an encoder if it needs one; may raise ``LimitError``.
        note: description for users.
        reads: "encoder" if it uses sentence vectors, else "none".
        is_control: True if it ignores structure; a measure of maps should agree with people better than it.
        of_pairs: trees, (p, 2) numbers of pairs of them, encoder -> (p,) distances; None if ``function`` is called
            for each pair.
    """

    function: Callable[..., BaselineScore]
    note: str
    reads: Literal["encoder", "none"] = "none"
    is_control: bool = False
    of_pairs: Callable[..., Vectors] | None = None

    def __call__(self, left: AnyMap, right: AnyMap, encoder: str | AnyEncoder | None = None) -> BaselineScore:
        """The baseline of two maps; raises the errors of ``function``."""
        left, right = (
            as_map(each, f"the {side} map").tree for side, each in (("left", left), ("right", right))
        )
        if self.reads == "none":
            return self.function(left, right)
        if encoder is None:
            raise OptionsError(NO_VECTORS)
        encoder = load_cached_encoder(encoder) if isinstance(encoder, str) else encoder_of(encoder)
        return self.function(left, right, encoder)

    def scores(
        self, trees: Mapping[int, TextTree], pairs: Sequence[tuple[int, int]], encoder: Encoder | None
    ) -> "list[BaselineScore | TTEDError]":
        """The scores of pairs of trees, given by number, or the errors that prevented them."""
        found: list[BaselineScore | TTEDError] = []
        if self.of_pairs and encoder and pairs:
            with suppress(*NOT_COMPUTED):  # else pair by pair, so that each has its own error
                distances = self.of_pairs(trees, np.array(pairs), encoder)
                return [share_score(1.0 - distance) for distance in distances.tolist()]
        for left, right in pairs:
            try:
                found.append(self(trees[left], trees[right], encoder))
            except NOT_COMPUTED as error:
                found.append(error)
        return found


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
    """The score of a similarity that is 1 for a tree with itself; rho_base is 1 minus the similarity."""
    return BaselineScore(share, 1.0, 1.0, _missing(share))


def f1_score(found: float, predicted: int, wanted: int) -> F1Score:
    """F1 of ``found`` matches; the right map has ``predicted``, and the left one, the reference, ``wanted``."""
    if not predicted and not wanted:
        return F1Score(0.0, 0.0, 0.0, None, 0.0, 0.0)
    precision = found / predicted if predicted else 0.0
    recall = found / wanted if wanted else 0.0
    both = precision + recall
    f1 = 2 * precision * recall / both if both else 0.0
    return F1Score(f1, 1.0, 1.0, _missing(f1), precision, recall)


def _missing(share: float) -> float:
    missing = 1.0 - share
    return 0.0 if abs(missing) < ROUNDING else missing


# Helpers of baselines by meaning: vectors of a map's sentences, and their cosines.


def node_vectors(encoder: Encoder, *trees: TextTree) -> list[Vectors]:
    """(n, d) vectors of each tree's n nodes."""
    known = embed(encoder, [label for tree in trees for label in tree.labels])
    return [np.array([known[label] for label in tree.labels]) for tree in trees]


def node_cosines(encoder: Encoder, left: TextTree, right: TextTree) -> Vectors:
    """(n, m) cosines of the nodes' vectors; raises like ``node_vectors``."""
    return cosines(*node_vectors(encoder, left, right))


def cosines(rows: Vectors, columns: Vectors) -> Vectors:
    """(n, m) cosines of (n, d) and (m, d) vectors, from -1 to 1."""
    return np.clip(unit_vectors(rows) @ unit_vectors(columns).T, -1.0, 1.0)
