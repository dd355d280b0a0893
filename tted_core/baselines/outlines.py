"""Soft heading recall of outlines (Shao et al., STORM, NAACL 2024), as repository stanford-oval/storm computes it.

The count of a set is soft (Fränti and Mariescu-Istodor 2023): a text counts the less, the more like it there are.
The authors' encoder is paraphrase-MiniLM-L6-v2, and headings are those of an article; here every sentence is one.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.kernel import BaselineScore, share_score
from tted_core.encoders.embedding import embed, unit_vectors
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import LimitError
from tted_core.tree import TextTree


def soft_heading_recall(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """How much of the left map's sentences the right map has, whatever stands above what.

    |G| + |P| - |G ∪ P| over |G|, with soft counts of the sets G of the left and P of the right map's sentences.
    It passes 1 where the right map's sentences are less alike than the left one's; ``rho_base`` is below 0 then.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
        LimitError: it is undefined for these sentences.
    """
    known = embed(encoder, (*left.labels, *right.labels))

    def count(labels: Iterable[str]) -> float:
        return soft_count(np.array([known[label] for label in dict.fromkeys(labels)]))

    wanted = count(left.labels)
    common = wanted + count(right.labels) - count((*left.labels, *right.labels))
    return share_score(common / wanted)


def soft_count(vectors: NDArray[np.float64]) -> float:
    """The sum of 1 / (sum of a vector's cosines with all, itself among them).

    Raises:
        EncoderError: a zero vector.
        LimitError: a text is so unlike the others that such a sum is not above 0.
    """
    units = unit_vectors(vectors)
    weights = units @ units.sum(axis=0)
    if not (weights > 0).all():
        raise LimitError(
            "soft heading recall is undefined for these maps: a sentence's cosines with the others sum to less "
            "than -1; leave it out, or choose another encoder"
        )
    return float((1 / weights).sum())
