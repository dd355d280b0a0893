"""The agreement of annotators: all comparisons of their maps, distance matrices, medoids, disputes and alpha."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tted_core.annotate.agreement.collection import AnnotatedDocument
from tted_core.annotate.agreement.consensus import (
    DIFFERENCES,
    Alpha,
    DisputedNode,
    disputed_nodes,
    krippendorff_alpha,
    medoids,
)
from tted_core.compare import Comparison, compare_maps, loaded_distance
from tted_core.contexts import CONTEXTS
from tted_core.distances import LoadedDistance, Models
from tted_core.errors import MapFormatError
from tted_core.formats import MindMap
from tted_core.foundations.limits import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.method import Method
from tted_core.version import VERSION

MAX_MAPS_COMPARED = 200
"""Maps of all documents that are compared with each other for Krippendorff's alpha; 19,900 comparisons."""

MAX_ANNOTATORS = 20
"""Annotators' maps of one document whose agreement is measured."""

ADDED_UP = Method.of("published")
"""The default method: alpha is a ratio of mean distances (docs/annotation.md)."""

SCORES: dict[str, Callable[[Comparison], float]] = {
    "normalized": lambda comparison: comparison.normalized,
    "steinhaus": lambda comparison: comparison.steinhaus,
    "avg_tted": lambda comparison: comparison.avg_tted,
    "tted": lambda comparison: comparison.tted,
}
"""Scores that a distance matrix can hold. TTED itself grows with the maps; steinhaus is a metric."""


@dataclass(frozen=True)
class DocumentAgreement:
    """The m maps of one document, each compared with every other.

    Attributes:
        name: name of the document.
        annotators: names of the m annotators.
        maps: their maps, in the same order.
        distances: (m, m) scores, symmetric, 0 on the diagonal.
        comparisons: the comparison of map i with map j for each i < j.
        medoids: the maps nearest to all others; the first is the draft of a reference.
        disputed: all nodes of all maps, the most disputed first.
        mean_distance: mean over all pairs of maps.
        alpha: the document's part of alpha; None where alpha is undefined.
    """

    name: str
    annotators: tuple[str, ...]
    maps: tuple[MindMap, ...]
    distances: NDArray[np.float64] = field(repr=False)
    comparisons: dict[tuple[int, int], Comparison] = field(repr=False)
    medoids: tuple[int, ...]
    disputed: tuple[DisputedNode, ...] = field(repr=False)
    mean_distance: float
    alpha: float | None


@dataclass(frozen=True)
class Agreement:
    """The agreement over all documents, with warnings about it and the signature by which it can be repeated."""

    documents: tuple[DocumentAgreement, ...]
    alpha: Alpha
    notices: tuple[str, ...]
    signature: str


def measure_agreement(
    documents: Iterable[AnnotatedDocument],
    method: Method = ADDED_UP,
    models: Models | LoadedDistance | None = None,
    *,
    score: str = "normalized",
    difference: str = "plain",
    seed: int = 0,
    monitor: Monitor = UNWATCHED,
) -> Agreement:
    """Compare all annotators' maps, and measure their agreement.

    Documents with a single map are left out, with a notice.

    Args:
        documents: as read by ``read_collection``.
        method: options of each comparison; costs are added up by default.
        models: as in ``compare_maps``.
        score: a name of ``SCORES``.
        difference: a name of ``DIFFERENCES``.
        seed: seed of alpha's bootstrap interval.
        monitor: watches the encoding and the comparisons.
    """
    chosen = lookup(SCORES, score, "score")
    lookup(DIFFERENCES, difference, "difference")
    documents = list(documents)
    shared = [each for each in documents if len(each.maps) > 1]
    _check_sizes(shared)
    single = [each.name for each in documents if len(each.maps) == 1]
    notices = [f"only one map, left out: {', '.join(single)}"] if single else []

    maps = [each for document in shared for each in document.maps.values()]
    units = [number for number, document in enumerate(shared) for _ in document.maps]
    texts = {text for each in maps for text in CONTEXTS[method.context].texts(each.tree)}
    distance = models if isinstance(models, LoadedDistance) else loaded_distance(method, models, monitor)

    monitor.stage(f"Encoding {len(texts):,} texts")
    distance = distance.read([*texts, ""], monitor)
    distances = np.zeros((len(maps), len(maps)))
    kept: dict[tuple[int, int], Comparison] = {}
    pairs = list(combinations(range(len(maps)), 2))
    for first, second in monitor.over(pairs, f"Comparing {len(pairs):,} pairs of maps"):
        quiet = Monitor(should_stop=monitor.should_stop)
        result = compare_maps(maps[first], maps[second], method, distance, monitor=quiet)
        distances[first, second] = distances[second, first] = chosen(result)
        notices += result.notices
        if units[first] == units[second]:
            kept[first, second] = result
    alpha = krippendorff_alpha(distances, units, difference=difference, seed=seed)
    return Agreement(
        tuple(_documents(shared, distances, kept, alpha)),
        alpha,
        tuple(dict.fromkeys(notices)),
        _signature(shared, next(iter(kept.values())), f"score:{score}|of:{difference}|seed:{seed}"),
    )


def _signature(documents: Sequence[AnnotatedDocument], one: Comparison, counted: str) -> str:
    """The signature of alpha, in the form of a comparison's, with the method of any one of the comparisons."""
    digests = "".join(each.tree.digest for document in documents for each in document.maps.values())
    parts = [
        "ALPHA",
        counted,
        *(f"{key}:{text}" for key, text in one.method.signed(one.fingerprint).items()),
        f"docs:{','.join(str(len(document.maps)) for document in documents)}",
        f"in:{sha256(digests.encode('ascii')).hexdigest()[:8]}",
        f"v:{VERSION}",
    ]
    return "|".join(parts)


def _check_sizes(documents: Sequence[AnnotatedDocument]) -> None:
    if not documents:
        raise MapFormatError(
            "agreement needs two maps or more of a document; put them in one folder, one file per annotator"
        )
    for each in documents:
        way_out = "leave some of them out"
        check_limit(len(each.maps), MAX_ANNOTATORS, f"annotators' maps of {each.name!r}", way_out)
    total = sum(len(each.maps) for each in documents)
    check_limit(total, MAX_MAPS_COMPARED, "maps to compare with each other", "measure fewer documents")


def _documents(
    documents: Sequence[AnnotatedDocument],
    distances: NDArray[np.float64],
    comparisons: dict[tuple[int, int], Comparison],
    alpha: Alpha,
) -> Iterator[DocumentAgreement]:
    start = 0
    for number, document in enumerate(documents):
        size = len(document.maps)
        own = distances[start : start + size, start : start + size]
        mine = {
            (first, second): comparisons[start + first, start + second]
            for first, second in combinations(range(size), 2)
        }
        yield DocumentAgreement(
            document.name,
            tuple(document.maps),
            tuple(document.maps.values()),
            own,
            mine,
            medoids(own),
            disputed_nodes(mine),
            float(own.sum() / (size * (size - 1))),
            alpha.by_unit[number],
        )
        start += size
