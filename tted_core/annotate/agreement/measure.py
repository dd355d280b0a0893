"""From annotators' maps to their agreement: all comparisons, the matrices, and what is made of them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tted_core.annotate.agreement.alpha import DIFFERENCES, Alpha, krippendorff_alpha
from tted_core.annotate.agreement.collection import AnnotatedDocument
from tted_core.annotate.agreement.consensus import DisputedNode, disputed_nodes, medoids
from tted_core.comparing import compare_maps, loaded_distance
from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS
from tted_core.distances import LoadedDistance, Models
from tted_core.errors import MapFormatError
from tted_core.formats import MindMap
from tted_core.limits import MAX_ANNOTATORS, MAX_MAPS_COMPARED, check_limit
from tted_core.method import Method
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.registry import lookup
from tted_core.version import VERSION

ADDED_UP = Method.of("published")
"""The default where disagreement is averaged (docs/annotation.md says why)."""

SCORES: dict[str, Callable[[Comparison], float]] = {
    "normalized": lambda comparison: comparison.normalized,
    "steinhaus": lambda comparison: comparison.steinhaus,
    "avg_tted": lambda comparison: comparison.avg_tted,
    "tted": lambda comparison: comparison.tted,
}
"""The scores of a comparison that a matrix can hold. TTED itself grows with the maps; steinhaus is a metric."""


@dataclass(frozen=True)
class DocumentAgreement:
    """One document: m annotators' maps, each compared with every other.

    Attributes:
        name: the document's.
        annotators: their names.
        maps: their maps, in the same order.
        distances: (m, m) scores, symmetric, 0 on the diagonal.
        comparisons: the comparison of map i with map j for each i < j.
        medoids: the maps nearest to all others; the first is the draft of a reference.
        disputed: all nodes of all maps, the most disputed first.
        mean_distance: between two annotators' maps.
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
    """All documents, alpha over them, and what a reader of the numbers should know.

    ``signature`` is one line that lets a reader repeat alpha.
    """

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
    """Compare all annotators' maps, and measure how far they agree.

    Documents with a single map are left out, with a notice. Costs are added up unless the method says otherwise:
    alpha is made of mean distances. ``models`` are as for ``compare_maps``, ``score`` is a
    name of ``SCORES``, ``difference`` one of ``DIFFERENCES``, and ``seed`` that of alpha's bootstrap interval.

    Raises:
        MapFormatError: no document has two maps.
        LimitError: too many maps of one document or of all, or a map that is too large.
        UnknownNameError: a name that isn't known.
        EncoderError: the encoder can't be had or its vectors can't be used.
        Interrupted: stopped before all maps were compared.
    """
    chosen = lookup(SCORES, score, "score")
    lookup(DIFFERENCES, difference, "difference")
    every = list(documents)
    shared = [each for each in every if len(each.maps) > 1]
    _check(shared)
    single = [each.name for each in every if len(each.maps) == 1]
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
        _signature(shared, next(iter(kept.values())), (score, difference, seed)),
    )


def _signature(documents: Sequence[AnnotatedDocument], one: Comparison, counted: tuple[str, str, int]) -> str:
    """In the manner of a comparison's; ``one`` is any of those made, ``counted`` score, difference and seed."""
    score, difference, seed = counted
    digests = "".join(each.tree.digest for document in documents for each in document.maps.values())
    parts = [
        "ALPHA",
        f"score:{score}",
        f"of:{difference}",
        f"seed:{seed}",
        *(f"{key}:{text}" for key, text in one.method.signed(one.fingerprint).items()),
        f"docs:{','.join(str(len(document.maps)) for document in documents)}",
        f"in:{sha256(digests.encode('ascii')).hexdigest()[:8]}",
        f"v:{VERSION}",
    ]
    return "|".join(parts)


def _check(documents: Sequence[AnnotatedDocument]) -> None:
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
            disputed_nodes(_sizes(size, mine), mine),
            float(own.sum() / (size * (size - 1))),
            alpha.by_unit[number],
        )
        start += size


def _sizes(count: int, comparisons: dict[tuple[int, int], Comparison]) -> list[int]:
    """The maps' numbers of nodes as compared, which a depth may have trimmed."""
    last = [len(comparisons[0, other].right.tree) for other in range(1, count)]
    return [len(comparisons[0, 1].left.tree), *last]
