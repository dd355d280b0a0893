"""Agreement of annotators: distances between their maps, the medoid, and Krippendorff's alpha.

Alpha = 1 - D_o / D_e for any distance between values (Krippendorff 2018, chapter 12; for complex annotations
Braylan, Alonso and Lease, WWW 2022). D_o, the observed disagreement, is the mean distance between two annotators'
maps of one document; D_e, the expected one, the mean distance between any two maps. Alpha is 1 where annotators
always agree, 0 where two maps of one document are no more alike than any two maps, and can be negative.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.compare import comparison_of, prepare_exactly
from tted_core.comparison import Comparison
from tted_core.distances import Models
from tted_core.errors import MapFormatError, check_limit
from tted_core.formats import MindMap
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.stats import percentile_interval, resample_means
from tted_core.method import Method, Signature
from tted_core.notices import group_notices
from tted_core.pipeline import solve
from tted_core.version import VERSION

DRAWS = 10_000  # number of bootstrap samples; the interval's ends move by about 1 % of its width from seed to seed

# Maps of all documents that are compared with each other for Krippendorff's alpha; 19,900 comparisons.
MAX_MAPS_COMPARED = 200

# The default method: alpha is a ratio of mean distances (docs/annotation.md).
ADDED_UP = Method.of("published")

SAME_SUM = 1e-12


class Alpha(NamedTuple):
    """Krippendorff's alpha with its parts.

    Attributes:
        value: 1 - observed / expected; None where it is undefined: fewer than two units with two values each, or
            all values are equal.
        low: lower end of the 95 % bootstrap interval; None without a value.
        high: upper end.
        observed: D_o.
        expected: D_e.
        documents: number of units with two values or more; the others don't count.
        maps: number of values in those.
    """

    value: float | None
    low: float | None
    high: float | None
    observed: float
    expected: float
    documents: int
    maps: int


@dataclass(frozen=True)
class DocumentAgreement:
    """The m maps of one document, each compared with every other.

    Attributes:
        name: name of the document.
        maps: annotator -> map.
        distances: (m, m) normalized distances, symmetric, 0 on the diagonal.
        comparisons: the comparison of map i with map j for each i < j.
    """

    name: str
    maps: dict[str, MindMap]
    distances: NDArray[np.float64] = field(repr=False)
    comparisons: dict[tuple[int, int], Comparison] = field(repr=False)

    @property
    def mean_distance(self) -> float:
        """The mean over all pairs of maps."""
        return _mean(self.distances)

    @property
    def medoids(self) -> list[str]:
        """The annotators whose maps are nearest to all others; the first one's is the draft of a reference."""
        return [list(self.maps)[each] for each in medoids(self.distances)]


@dataclass(frozen=True)
class Agreement:
    """The agreement over all documents, with warnings about it and the signature by which it can be repeated."""

    documents: tuple[DocumentAgreement, ...]
    alpha: Alpha
    notices: tuple[str, ...]
    signature: str


def krippendorff_alpha(distances: NDArray[np.float64], units: Sequence[int]) -> Alpha:
    """Alpha of values from their distances alone; of numbers and squared distances it is that for interval data.

    The interval is a percentile bootstrap over units: two distances of one unit share a map, so they are not
    resampled apart. D_e is taken as known, as in Krippendorff's own bootstrap (Hayes and Krippendorff 2007). With
    fewer than about ten units it is rough.

    Args:
        distances: (n, n), symmetric, 0 on the diagonal.
        units: for each value the number of its unit (document).
    """
    belongs = np.asarray(units, dtype=int)
    counts = np.bincount(belongs)
    paired = np.flatnonzero(counts > 1)
    used = np.isin(belongs, paired)
    sizes = counts[paired].astype(float)
    if not len(paired):
        return Alpha(None, None, None, math.nan, math.nan, 0, 0)
    means = np.array([_mean(distances[np.ix_(belongs == unit, belongs == unit)]) for unit in paired])
    observed, expected = float(np.average(means, weights=sizes)), _mean(distances[np.ix_(used, used)])
    resampled = resample_means(np.array([means * sizes, sizes]), DRAWS, seed=0)
    if resampled is None or not expected > 0:
        return Alpha(None, None, None, observed, expected, len(paired), int(used.sum()))
    low, high = percentile_interval(1 - resampled[0] / resampled[1] / expected)
    return Alpha(1 - observed / expected, low, high, observed, expected, len(paired), int(used.sum()))


def _mean(distances: NDArray[np.float64]) -> float:
    """The mean over all pairs of two of these n >= 2 values, of their (n, n) distances."""
    return float(distances.sum() / (len(distances) * (len(distances) - 1)))


def medoids(distances: NDArray[np.float64]) -> tuple[int, ...]:
    """The maps with the smallest sum of distances to all others; several if they tie."""
    sums = distances.sum(axis=1)
    return tuple(np.flatnonzero(sums <= sums.min() + SAME_SUM * (1 + abs(sums.min()))).tolist())


def measure_annotators(
    maps: Mapping[tuple[str, str], MindMap],
    method: Method = ADDED_UP,
    models: Models | None = None,
    *,
    monitor: Monitor = UNWATCHED,
) -> Agreement:
    """Compare all annotators' maps by their normalized distances, and measure their agreement.

    Documents with a single map are left out, with a notice.

    Args:
        maps: maps by document and annotator, as in ``Annotations``.
        method: options of each comparison; costs are added up by default.
        models: as in ``compare_maps``.
        monitor: watches the encoding and the comparisons.
    """
    by_document: dict[str, dict[str, MindMap]] = {}
    for document, annotator in sorted(maps):
        by_document.setdefault(document, {})[annotator] = maps[document, annotator]
    single = [name for name, its in by_document.items() if len(its) == 1]
    notices = [f"documents with one map only are left out: {', '.join(single)}"] if single else []
    shared = {name: its for name, its in by_document.items() if len(its) > 1}
    if not shared:
        raise MapFormatError(
            "agreement needs two maps or more of a document; put them in one folder, one file per annotator"
        )
    named = [
        (f"{annotator}'s map of {document}", each)
        for document, its in shared.items()
        for annotator, each in its.items()
    ]
    every = [each for _, each in named]
    check_limit(len(every), MAX_MAPS_COMPARED, "maps to compare with each other", "measure fewer documents")
    units = [number for number, its in enumerate(shared.values()) for _ in its]

    prepared, compared = prepare_exactly(named, method, models, monitor)
    of_texts = [
        (name, notice)
        for (name, _), each in zip(named, prepared.maps, strict=True)
        for notice in prepared.distance(method).texts_notices(
            (*each.texts[method.context], ""), method.context
        )
    ]
    notices += (*method.notices, *group_notices(of_texts))
    distances = np.zeros((len(every), len(every)))
    kept: dict[tuple[int, int], Comparison] = {}
    pairs = np.array(list(combinations(range(len(every)), 2)), dtype=np.int32)
    done, quiet = 0, Monitor(should_stop=monitor.should_stop)
    for solved in solve(prepared, pairs, method, monitor=quiet):
        for error in solved.errors.values():
            raise error
        for row, (first, second) in enumerate(solved.pairs.tolist()):
            monitor.check()
            monitor.stage(f"Comparing {len(pairs):,} pairs of maps", done / len(pairs))
            done += 1
            distances[first, second] = distances[second, first] = solved.scores["normalized"][row]
            if units[first] == units[second]:
                kept[first, second] = comparison_of(solved, row, (compared[first], compared[second]))

    documents = []
    for number, (name, its) in enumerate(shared.items()):
        start, size = units.index(number), len(its)
        own = distances[start : start + size, start : start + size]
        mine = {pair: kept[pair[0] + start, pair[1] + start] for pair in combinations(range(size), 2)}
        documents.append(DocumentAgreement(name, its, own, mine))
    one = next(iter(kept.values()))
    signature = [
        "ALPHA|score:normalized|of:plain|seed:0",
        *(
            f"{key}:{text}"
            for key, text in Signature.of(one.method, one.fingerprint).parts.items()
            if key not in {"proven", "in", "v"}
        ),
        f"docs:{','.join(str(len(its)) for its in shared.values())}",
        f"in:{sha256(''.join(each.tree.digest for each in every).encode('ascii')).hexdigest()[:8]}",
        f"v:{VERSION}",
    ]
    alpha = krippendorff_alpha(distances, units)
    return Agreement(tuple(documents), alpha, tuple(notices), "|".join(signature))
