"""Up to which cost two sentences are near: one may be the other reworded.

The bounds are calibrated on the samples by ``python -m benchmarks.correspondence calibrate``: nodes of a map and
of its paraphrases that say the same, against all other pairs of nodes of these maps, which have one topic.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.compare import Comparison

UNRELATED = 0.005
"""The share of unrelated pairs that may lie within the bound for sentences that stand elsewhere."""

CALIBRATED: dict[str, dict[tuple[str, str], tuple[float, float]]] = {
    "minilm": {
        ("cosine", "none"): (0.6823, 0.6179),  # 98.8% and 2.0%, 94.7% and 0.5%
        ("euclidean", "none"): (0.9649, 0.8739),  # 98.8% and 2.0%, 94.7% and 0.5%
        ("manhattan", "none"): (14.97, 13.56),  # 98.6% and 2.0%, 94.7% and 0.5%
        ("cosine", "ancestors"): (0.4419, 0.2959),  # 84.8% and 6.2%, 53.8% and 0.5%
        ("euclidean", "ancestors"): (0.625, 0.4185),  # 84.8% and 6.2%, 53.8% and 0.5%
        ("manhattan", "ancestors"): (10.14, 6.492),  # 86.7% and 7.9%, 52.8% and 0.5%
        ("cosine", "parent"): (0.6106, 0.4178),  # 98.5% and 8.1%, 79.7% and 0.5%
        ("euclidean", "parent"): (0.8636, 0.5909),  # 98.5% and 8.1%, 79.7% and 0.5%
        ("manhattan", "parent"): (13.4, 9.161),  # 98.5% and 8.0%, 79.7% and 0.5%
        ("cosine", "path"): (0.52, 0.3923),  # 97.1% and 7.0%, 81.9% and 0.5%
        ("euclidean", "path"): (0.5618, 0.464),  # 95.0% and 4.1%, 83.4% and 0.5%
        ("manhattan", "path"): (8.825, 7.155),  # 95.4% and 4.5%, 82.6% and 0.5%
        ("cosine", "children"): (0.6392, 0.4463),  # 97.6% and 4.6%, 83.9% and 0.5%
        ("euclidean", "children"): (0.7017, 0.564),  # 91.3% and 2.8%, 84.6% and 0.5%
        ("manhattan", "children"): (10.97, 8.696),  # 91.5% and 2.9%, 84.3% and 0.5%
        ("cosine", "subtree"): (0.6483, 0.5236),  # 97.8% and 4.2%, 90.8% and 0.5%
        ("euclidean", "subtree"): (0.7709, 0.6156),  # 93.5% and 3.7%, 86.5% and 0.5%
        ("manhattan", "subtree"): (11.95, 9.536),  # 93.5% and 3.8%, 86.2% and 0.5%
    },
    "use-multilingual": {
        ("cosine", "none"): (0.7297, 0.6414),  # 92.6% and 3.7%, 86.8% and 0.5%
        ("euclidean", "none"): (1.032, 0.9071),  # 92.6% and 3.7%, 86.8% and 0.5%
        ("manhattan", "none"): (18.21, 15.75),  # 92.0% and 3.6%, 86.3% and 0.5%
        ("cosine", "ancestors"): (0.455, 0.301),  # 81.7% and 6.6%, 56.9% and 0.5%
        ("euclidean", "ancestors"): (0.6435, 0.4257),  # 81.7% and 6.6%, 56.9% and 0.5%
        ("manhattan", "ancestors"): (10.91, 7.148),  # 81.2% and 6.4%, 55.2% and 0.5%
        ("cosine", "parent"): (0.5811, 0.4422),  # 88.0% and 5.6%, 76.6% and 0.5%
        ("euclidean", "parent"): (0.8218, 0.6253),  # 88.0% and 5.6%, 76.6% and 0.5%
        ("manhattan", "parent"): (14.4, 10.73),  # 88.1% and 5.8%, 76.3% and 0.5%
        ("cosine", "path"): (0.5147, 0.4009),  # 85.4% and 4.9%, 73.8% and 0.5%
        ("euclidean", "path"): (0.5688, 0.4735),  # 85.7% and 3.9%, 77.6% and 0.5%
        ("manhattan", "path"): (10.36, 8.359),  # 86.7% and 4.6%, 77.8% and 0.5%
        ("cosine", "children"): (0.6317, 0.4748),  # 89.6% and 4.0%, 79.2% and 0.5%
        ("euclidean", "children"): (0.7319, 0.5857),  # 86.5% and 4.0%, 77.5% and 0.5%
        ("manhattan", "children"): (13.21, 10.47),  # 87.3% and 4.1%, 79.5% and 0.5%
        ("cosine", "subtree"): (0.6712, 0.5519),  # 91.1% and 4.8%, 83.3% and 0.5%
        ("euclidean", "subtree"): (0.7915, 0.6343),  # 88.1% and 4.4%, 79.8% and 0.5%
        ("manhattan", "subtree"): (13.98, 11.25),  # 88.4% and 4.0%, 80.4% and 0.5%
    },
}
"""Model -> (distance, context) -> the bounds in place and elsewhere; behind each, the shares of the paraphrases
and of the unrelated pairs that lie within it."""

OF_MEDIAN: dict[str, tuple[float, float]] = {
    "none": (0.75, 0.65),
    "ancestors": (0.7, 0.45),
    "parent": (0.7, 0.5),
    "path": (0.7, 0.55),
    "children": (0.6, 0.5),
    "subtree": (0.65, 0.5),
}
"""Context -> for other models and distances, the bounds as shares of the median cost between different sentences
of the two maps: what the calibrated ones come to, rounded down."""


@dataclass(frozen=True)
class Bounds:
    """The largest costs at which two sentences are near.

    Attributes:
        in_place: of two that the script pairs, or whose parents are counterparts: where paraphrases and unrelated
            sentences are told apart best (Youden's index).
        elsewhere: of two others; only ``UNRELATED`` of the unrelated pairs lie within it.
        source: where the two come from, in words.
    """

    in_place: float
    elsewhere: float
    source: str


def bounds_of(comparison: Comparison) -> Bounds:
    """The bounds for a comparison's model, distance and context."""
    method = comparison.method
    labels = comparison.left.tree.labels, comparison.right.tree.labels
    other = np.array([[one != two for two in labels[1]] for one in labels[0]])
    return bounds_for(method.model, method.distance, method.context, comparison.costs[:-1, :-1][other])


def bounds_for(model: str, distance: str, context: str, costs: NDArray[np.float64]) -> Bounds:
    """The bounds for a setting.

    Args:
        model: the name of the model that the distance reads.
        distance: the distance between sentences.
        context: what of a node is read.
        costs: those between different sentences of the maps, which count where nothing is calibrated.
    """
    known = CALIBRATED.get(model, {}).get((distance, context))
    if known:
        return Bounds(*known, f"calibrated for {model}, distance {distance}, context {context}")
    median = float(np.median(costs)) if costs.size else 0.0
    shares = OF_MEDIAN.get(context, OF_MEDIAN["none"])
    told = " and ".join(f"{share:.0%}" for share in shares)
    return Bounds(
        shares[0] * median,
        shares[1] * median,
        f"{told} of the median cost between different sentences of these maps, as none are calibrated for "
        f"{model}, distance {distance}, context {context}",
    )
