"""When two sentences are near, so that one may be the other reworded: within a bound, and clearly nearest.

The bounds are calibrated by ``python -m benchmarks.correspondence calibrate`` on texts that aren't our samples:
the published test trees, whose paraphrases say the same (Sobolevsky and Vorontsov 2025), and people's maps of
articles against generated ones (the same authors' later work), whose sentences with few words in common don't.
Sentences are read by themselves, whatever the context in which nodes are compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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

_BLOCK = 64  # rows whose rivals are found at once

HEADING = 32  # maximum characters of a heading, whose distance to another wording of it says little

# Times the bound in the same position: so far two headings may be that are clearly nearest to each other.
WIDER = 1.1

# Of the next best: so near a sentence in another or the same position must be.
CLEAR, CLEAR_IN_PLACE = 0.9, 0.95

Costs = NDArray[np.floating[Any]]


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


class _NextBest:
    """The least cost in each row but for one column and those with the same text, in memory linear in the rows.

    ``nearest`` holds the number of the text that costs least in each row.
    """

    def __init__(self, costs: Costs, numbers: NDArray[np.intp]) -> None:
        self._numbers = numbers
        self.nearest = np.empty(len(costs), np.intp)
        self._least, self._others = np.empty((2, len(costs)), costs.dtype)
        for start in range(0, len(costs), _BLOCK):  # copies of all rows would take most of the memory
            rows = slice(start, start + _BLOCK)
            block = np.ascontiguousarray(costs[rows])
            self.nearest[rows] = nearest = numbers[block.argmin(axis=1)]
            self._least[rows] = block.min(axis=1)
            self._others[rows] = np.where(numbers == nearest[:, None], np.inf, block).min(axis=1)

    def beside(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Costs:
        """The next best cost of each of these rows, beside each of these columns; infinite without any."""
        is_nearest = self._numbers[columns] == self.nearest[rows]
        return np.where(is_nearest, self._others[rows], self._least[rows])


class Rivals:
    """The least that either text of a pair costs against any other one; equal texts are no rivals.

    Args:
        costs: (s, t) costs.
        rows: a number for the text of each row, equal for equal texts.
        columns: the same for each column.
    """

    def __init__(self, costs: Costs, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> None:
        self.costs, self.numbers = costs, (rows, columns)
        self.sides = _NextBest(costs, columns), _NextBest(costs.T, rows)

    def find_clear(self, bound: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The rows and columns of all pairs of texts within a bound that are clearly each other's nearest."""
        row, column = np.nonzero(self.sides[0].nearest[:, None] == self.numbers[1])
        costs = self.costs[row, column]
        is_clear = (costs <= bound) & (costs < CLEAR * self.of(row, column))
        return row[is_clear], column[is_clear]

    def of(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Costs:
        """Those of pairs of rows and columns, in the shape of both together."""
        return np.minimum(self.sides[0].beside(rows, columns), self.sides[1].beside(columns, rows))
