"""Maps of several documents by several annotators: folders are documents and files annotators, or the reverse.

They come as a folder, as a zip archive of one, or as single files with their paths. Files outside of any folder
are maps of one document.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePosixPath

from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import MindMap
from tted_core.formats.document import Document
from tted_core.formats.folder import SIGNATURE, entry_readers, files_in, unpacked
from tted_core.formats.forest import listed
from tted_core.formats.map_collections import DEFAULT_READING, Reading
from tted_core.formats.programs import ARCHIVES
from tted_core.foundations.limits import MAX_MAPS, MAX_UNPACKED_BYTES, check_limit

FEWER = "give fewer documents at a time"


@dataclass(frozen=True)
class AnnotatedDocument:
    """A document with its maps by annotator, sorted by name, and why other files of it can't be read."""

    name: str
    maps: dict[str, MindMap]
    failures: Mapping[str, str] = field(default_factory=dict)

    @property
    def notices(self) -> tuple[str, ...]:
        """A sentence about the files that can't be read."""
        named = listed(f"{name} ({reason})" for name, reason in self.failures.items())
        return (f"can't be read: {named}",) if named else ()


def read_collection(
    files: Iterable[tuple[str, bytes]], *, name: str = "maps", reading: Reading = DEFAULT_READING
) -> tuple[AnnotatedDocument, ...]:
    """Read the documents of these files, sorted by name.

    Where most file names stand in several folders, either may be the annotators: folders are, if maps of one name
    have more words in common than maps of one folder.

    Args:
        files: path and content of each; "tides/anna.json" is Anna's map of the document tides, or the reverse.
        name: the document of files without a folder.
        reading: how maps are read.
    """
    contents: dict[PurePosixPath, bytes] = {}
    for number, (given, content) in enumerate(files, start=1):
        check_limit(number, MAX_MAPS, "files (or more) in the collection", FEWER)
        path = PurePosixPath(given)
        path = path if path.parent.parts else PurePosixPath(name) / path
        if path in contents:
            raise MapFormatError(f"two of the files are called {given!r}; rename one")
        contents[path] = content
    maps: dict[str, dict[str, MindMap]] = {}
    failures: dict[str, dict[str, str]] = {}
    first: TTEDError | None = None
    for path, content in sorted(contents.items()):
        document = path.parent.as_posix()
        annotators = maps.setdefault(document, {})
        try:
            mind_map = reading.file(content, path.name)
        except TTEDError as error:
            first = first or error
            failures.setdefault(document, {})[path.name] = str(error)
            continue
        # The whole name is free: only a longer one ("anna.md.txt") has it as its stem, and that one sorts behind.
        annotators[path.name if path.stem in annotators else path.stem] = mind_map
    if not any(maps.values()):
        raise first or MapFormatError("there are no files in the collection; give one map per annotator")
    documents = tuple(
        AnnotatedDocument(document, maps[document], failures.get(document, {})) for document in sorted(maps)
    )
    return swapped(documents) if _folders_are_annotators(documents) else documents


def swapped(documents: Sequence[AnnotatedDocument]) -> tuple[AnnotatedDocument, ...]:
    """Turn annotators into documents, and documents into annotators."""
    maps: dict[str, dict[str, MindMap]] = {}
    failures: dict[str, dict[str, str]] = {}
    for each in documents:
        for name, mind_map in each.maps.items():
            maps.setdefault(name, {})[each.name] = mind_map
        for file, reason in each.failures.items():
            failures.setdefault(PurePosixPath(file).stem, {})[each.name] = reason
    names = sorted(maps.keys() | failures.keys())
    return tuple(AnnotatedDocument(name, maps.get(name, {}), failures.get(name, {})) for name in names)


def annotators_of(documents: Iterable[AnnotatedDocument]) -> tuple[str, ...]:
    """The names of all annotators, sorted."""
    return tuple(sorted({name for each in documents for name in each.maps}))


def _folders_are_annotators(documents: Sequence[AnnotatedDocument]) -> bool:
    by_folder: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    by_file: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for document in documents:
        for name, mind_map in document.maps.items():
            words = frozenset(" ".join(mind_map.tree.labels).casefold().split())
            by_folder[document.name].append(words)
            by_file[name].append(words)
    shared = sum(len(each) > 1 for each in by_file.values())
    return 2 * shared > len(by_file) and _overlap(by_file.values()) > _overlap(by_folder.values())


def _overlap(groups: Iterable[Sequence[frozenset[str]]]) -> float:
    """The mean share of words that neighbours in these groups have in common."""
    shares = [len(one & other) / max(len(one | other), 1) for each in groups for one, other in pairwise(each)]
    return sum(shares) / max(len(shares), 1)


def read_collection_from(path: Path, *, reading: Reading = DEFAULT_READING) -> tuple[AnnotatedDocument, ...]:
    """Read the documents of a folder or a zip archive (``read_collection``)."""
    try:
        if path.is_dir():
            files = unpacked(files_in(path), "folder", FEWER)
            return read_collection(files, name=path.resolve().name, reading=reading)
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
    return read_collection(unpacked_collection(content), name=path.stem, reading=reading)


def is_collection(content: bytes) -> bool:
    """Return True for a zip archive of files; False for a map that is an archive itself, such as XMind's."""
    if not content.startswith(SIGNATURE):
        return False
    document = Document("", archive=content)
    return not any(entry.matches(document) for entry in ARCHIVES)


def unpacked_collection(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """Path and content of each file of a zip archive, without a folder around all folders."""
    readers = entry_readers(archive)
    paths = [PurePosixPath(name).parts for name in readers]
    around = 0
    if paths and len({path[0] for path in paths}) == 1 and all(len(path) > 2 for path in paths):
        around = len(paths[0][0]) + 1
    return ((name[around:], content) for name, content in unpacked(readers, "unpacked archive", FEWER))
