"""Up to which distance two sentences are near: one may be the other reworded.

The bounds are calibrated by ``python -m benchmarks.correspondence calibrate`` on texts that aren't our samples:
the published test trees, whose paraphrases say the same (Sobolevsky and Vorontsov 2025), and people's maps of
articles against generated ones (the same authors' later work), whose sentences with few words in common don't.
Sentences are read by themselves, whatever the context in which nodes are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.method import Method
from tted_core.notices import language_notice

# Share of paraphrases within the bound for sentences in the same position; most of different sentences.
IN_PLACE = 0.98, 0.08

# The share of different sentences of an article that lie within the bound for sentences elsewhere.
UNRELATED = 0.005

# Model, distance -> the bounds for near sentences in the same position, and near ones elsewhere; behind each, the
# shares of paraphrases and of different sentences within it.
CALIBRATED: dict[tuple[str, str], tuple[float, float]] = {
    ("minilm", "cosine"): (0.7072, 0.5661),  # 97.9% and 7.7%, 82.1% and 0.5%
    ("minilm", "euclidean"): (1.0, 0.8006),  # likewise
    ("minilm", "manhattan"): (15.45, 12.43),  # 97.9% and 7.5%, 82.1% and 0.5%
    ("use-multilingual", "cosine"): (0.6953, 0.6179),  # 97.9% and 3.8%, 88.0% and 0.5%
    ("use-multilingual", "euclidean"): (0.9833, 0.8739),  # likewise
    ("use-multilingual", "manhattan"): (17.5, 15.13),  # 97.9% and 4.0%, 86.1% and 0.5%
}

# For other models, distances and languages, the bounds as shares of the median distance between different texts of
# the two maps: what the calibrated ones come to, rounded down.
OF_MEDIAN = (0.76, 0.64)


@dataclass(frozen=True)
class NearBounds:
    """The largest distances at which two sentences are near.

    Attributes:
        in_place: of two that are nearest to each other, if the script pairs them or their parents correspond.
        elsewhere: of two others, which must be clearly nearest to each other.
        source: where these come from, in words.
    """

    in_place: float
    elsewhere: float
    source: str


def bounds_for(
    method: Method, left: Sequence[str], right: Sequence[str], nodes: NDArray[np.float64]
) -> NearBounds:
    """The bounds for a method's model and distance.

    Args:
        method: the method, with the name of the model that was read.
        left: the n texts of a map.
        right: the m texts of the other one.
        nodes: (n, m) distances between them, which count where nothing is calibrated.
    """
    known = CALIBRATED.get((method.model, method.distance))
    is_unfit = bool(known and language_notice(method.model, (*left, *right)))
    if known and not is_unfit:
        return NearBounds(*known, f"calibrated for {method.model}, distance {method.distance}")
    numbers = {text: number for number, text in enumerate({*left, *right})}
    different = nodes[np.not_equal.outer([numbers[text] for text in left], [numbers[text] for text in right])]
    median = float(np.median(different)) if different.size else 0.0
    in_place, elsewhere = (share * median for share in OF_MEDIAN)
    shares = ", ".join(f"{share:.0%}" for share in OF_MEDIAN)
    reason = "the languages of these texts" if is_unfit else f"distance {method.distance}"
    return NearBounds(
        in_place,
        elsewhere,
        f"{shares} of the median distance between different texts of these maps, as none are calibrated for "
        f"{method.model}, {reason}",
    )
