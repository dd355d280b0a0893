"""From annotators' maps to their agreement: all comparisons, the matrices, and what is made of them.

A collection has maps of several documents by several annotators: a folder per document, a file per annotator.
Files that lie in no folder of their own are maps of one document. A collection comes as a folder, as a zip archive
of one, or as single files with their paths.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from tted_core.annotate.agreement.consensus import (
    DIFFERENCES,
    Alpha,
    DisputedNode,
    disputed_nodes,
    krippendorff_alpha,
    medoids,
)
from tted_core.comparing import compare_maps, loaded_distance
from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS
from tted_core.distances import LoadedDistance, Models
from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import ROOTS, MindMap, parse_map
from tted_core.formats.document import Document
from tted_core.formats.folder import SIGNATURE, entry_names, is_hidden, read_entries
from tted_core.formats.forest import listed
from tted_core.formats.known import ARCHIVES
from tted_core.foundations.limits import (
    MAX_ANNOTATORS,
    MAX_BYTES,
    MAX_MAPS,
    MAX_MAPS_COMPARED,
    MAX_UNPACKED_BYTES,
    check_limit,
)
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.method import Method
from tted_core.version import VERSION

FEWER = "give fewer documents at a time"


@dataclass(frozen=True)
class AnnotatedDocument:
    """A document with its maps by annotator, in the order of their names; notices say what was not read."""

    name: str
    maps: dict[str, MindMap]
    notices: tuple[str, ...] = field(default=())


def read_collection(
    files: Iterable[tuple[str, bytes]], *, name: str = "maps", roots: str = ROOTS[0]
) -> tuple[AnnotatedDocument, ...]:
    """The documents of these files, by name; a file that can't be read is named in its document's notices.

    Args:
        files: path and content of each; "tides/anna.json" is Anna's map of the document tides.
        name: the document of files without a folder.
        roots: what to do with several roots, as in ``parse_map``.

    Raises:
        MapFormatError: two files have the same path, or none can be read as a map.
        LimitError: too many files.
    """
    maps: dict[str, dict[str, MindMap]] = {}
    failures: dict[str, list[str]] = {}
    first: TTEDError | None = None
    for place, content in sorted(_placed(files, name).items()):
        document = place.parent.as_posix()
        try:
            mind_map = parse_map(content, name=place.name, roots=roots)
        except TTEDError as error:
            first = first or error
            failures.setdefault(document, []).append(f"{place.name} ({error})")
            continue
        annotators = maps.setdefault(document, {})
        # The whole name is free: only a longer one ("anna.md.txt") has it as its stem, and that one sorts behind.
        annotators[place.name if place.stem in annotators else place.stem] = mind_map
    if not maps:
        raise first or MapFormatError("there are no files in the collection; give one map per annotator")
    unread = {document: f"can't be read: {listed(each)}" for document, each in failures.items()}
    return tuple(
        AnnotatedDocument(document, maps.get(document, {}), (unread[document],) if document in unread else ())
        for document in sorted({*maps, *unread})
    )


def read_collection_from(path: Path, *, roots: str = ROOTS[0]) -> tuple[AnnotatedDocument, ...]:
    """``read_collection`` of a folder or a zip archive.

    Raises:
        MapFormatError: there is no such folder or archive, or nothing in it can be read.
        LimitError: too many files or bytes.
    """
    try:
        if path.is_dir():
            return read_collection(_files(path), name=path.resolve().name, roots=roots)
        with path.open("rb") as file:
            content = file.read(MAX_UNPACKED_BYTES + 1)
    except FileNotFoundError as error:
        raise MapFormatError(f"there is no folder {str(path)!r}; check the name") from error
    except OSError as error:
        raise MapFormatError(f"{str(path)!r} can't be read: {error}") from error
    if not is_collection(content):
        raise MapFormatError(
            f"{str(path)!r} is neither a folder nor a zip archive of maps; give one file per annotator in a folder"
        )
    return read_collection(unpacked_collection(content), name=path.stem, roots=roots)


def is_collection(content: bytes) -> bool:
    """Whether this is a zip archive of files, and not a map that is one itself (XMind and its like)."""
    if not content.startswith(SIGNATURE):
        return False
    document = Document("", archive=content)
    return not any(entry.matches(document) for entry in ARCHIVES)


def unpacked_collection(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of a zip archive as ``unpacked_files`` gives them, without a folder around all folders.

    Raises:
        MapFormatError: a damaged archive.
        LimitError: too many files or bytes.
    """
    files = list(unpacked_files(archive))
    around = _folder_around([name for name, _ in files])
    return ((name[around:], content) for name, content in files)


def unpacked_files(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """The files of a zip archive, in memory, by their names in it; hidden ones stay out.

    Raises:
        MapFormatError: a damaged archive.
        LimitError: too many files or bytes.
    """
    names = [name for name in entry_names(archive) if not is_hidden(name)]
    check_limit(len(names), MAX_MAPS, "files in the archive", FEWER)
    unpacked = 0
    for name, content in zip(names, read_entries(archive, names), strict=True):
        unpacked += len(content)
        check_limit(unpacked, MAX_UNPACKED_BYTES, "bytes (or more) in the unpacked archive", FEWER)
        yield name, content


def _placed(files: Iterable[tuple[str, bytes]], name: str) -> dict[PurePosixPath, bytes]:
    """Each content by its path; files without a folder are put into the one of this name."""
    placed: dict[PurePosixPath, bytes] = {}
    for number, (path, content) in enumerate(files, start=1):
        check_limit(number, MAX_MAPS, "files (or more) in the collection", FEWER)
        place = PurePosixPath(path)
        place = place if place.parent.parts else PurePosixPath(name) / place
        if place in placed:
            raise MapFormatError(f"two of the files are called {path!r}; rename one")
        placed[place] = content
    return placed


def _folder_around(names: list[str]) -> int:
    """The length of the outermost folder's path if it holds nothing but folders."""
    paths = [PurePosixPath(name).parts for name in names]
    if paths and len({path[0] for path in paths}) == 1 and all(len(path) > 2 for path in paths):
        return len(paths[0][0]) + 1
    return 0


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    total = 0
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not is_hidden(relative.as_posix()):
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
            total += len(content)
            check_limit(total, MAX_UNPACKED_BYTES, "bytes (or more) in the folder", FEWER)
            yield relative.as_posix(), content


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
            disputed_nodes(mine),
            float(own.sum() / (size * (size - 1))),
            alpha.by_unit[number],
        )
        start += size
