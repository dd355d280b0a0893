"""Maps of several documents by several annotators: a folder, its zip archive, or files with their paths.

Folders are documents and files annotators, or the reverse; files outside of any folder are maps of one document,
or have both names ("tides_anna.json").
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePosixPath

from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import MindMap
from tted_core.formats.document import Document
from tted_core.formats.folder import SIGNATURE, entry_readers, files_in, unpacked
from tted_core.formats.map_collections import DEFAULT_READING, Reading
from tted_core.formats.programs import ARCHIVES
from tted_core.foundations.limits import MAX_MAPS, MAX_UNPACKED_BYTES, check_limit

FEWER = "give fewer documents at a time"


@dataclass(frozen=True)
class Annotations:
    """Maps by document and annotator, and why other files can't be read, by path."""

    maps: dict[tuple[str, str], MindMap]
    failures: dict[str, str]

    @property
    def documents(self) -> list[str]:
        """The names of the documents, sorted."""
        return sorted({document for document, _ in self.maps})

    @property
    def annotators(self) -> list[str]:
        """The names of the annotators, sorted."""
        return sorted({annotator for _, annotator in self.maps})

    def swapped(self) -> "Annotations":
        """Turn annotators into documents, and documents into annotators."""
        maps = {(annotator, document): each for (document, annotator), each in self.maps.items()}
        return replace(self, maps=dict(sorted(maps.items(), key=lambda each: each[0])))


def read_annotations(
    files: Iterable[tuple[str, bytes]], *, name: str = "maps", reading: Reading = DEFAULT_READING
) -> Annotations:
    """Read the maps in files, and find out who drew which.

    Where most file names stand in several folders, folders are taken for annotators if maps of one file name have
    more words in common than maps of one folder.

    Args:
        files: path and content of each; "tides/anna.json" is Anna's map of the document tides, or the reverse.
        name: the document of files without a folder.
        reading: options for reading a map.
    """
    contents: dict[PurePosixPath, bytes] = {}
    for number, (given, content) in enumerate(files, start=1):
        check_limit(number, MAX_MAPS, "files (or more) in the collection", FEWER)
        if PurePosixPath(given) in contents:
            raise MapFormatError(f"two of the files are called {given!r}; rename one")
        contents[PurePosixPath(given)] = content
    maps: dict[tuple[str, str], MindMap] = {}
    failures: dict[str, TTEDError] = {}
    for path, (document, annotator) in _named(sorted(contents), name).items():
        try:
            mind_map = reading.file(contents[path], path.name)
        except TTEDError as error:
            failures[path.as_posix()] = error
            continue
        # The whole name is free: only a longer one ("anna.md.txt") has it as its stem, and is sorted behind it.
        maps[document, path.name if (document, annotator) in maps else annotator] = mind_map
    if not maps:
        missing = MapFormatError("there are no files in the collection; give one map per annotator")
        raise next(iter(failures.values()), missing)
    found = Annotations(maps, {path: str(error) for path, error in failures.items()})
    return found.swapped() if _folders_are_annotators(found) else found


def _named(paths: Sequence[PurePosixPath], name: str) -> dict[PurePosixPath, tuple[str, str]]:
    """The folder and the file of each path, without a folder around all folders."""
    if all(len(path.parts) == 1 for path in paths):
        both = {path: re.split(r"[ _.-]+", path.stem, maxsplit=1) for path in paths}
        firsts, lasts = ({each[end] for each in both.values()} for end in (0, -1))
        if min(len(firsts), len(lasts)) > 1 and len(firsts) * len(lasts) == len(paths):
            return {path: (first, last) for path, (first, last) in both.items()}
    around = len({path.parts[0] for path in paths}) == 1 and all(len(path.parts) > 2 for path in paths)
    folders = {path: PurePosixPath(*path.parent.parts[around:]) for path in paths}
    return {
        path: (folder.as_posix() if folder.parts else name, path.stem) for path, folder in folders.items()
    }


def _folders_are_annotators(found: Annotations) -> bool:
    by_folder: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    by_file: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for (folder, file), mind_map in found.maps.items():
        words = frozenset(" ".join(mind_map.tree.labels).casefold().split())
        by_folder[folder].append(words)
        by_file[file].append(words)
    shared = sum(len(each) > 1 for each in by_file.values())
    return 2 * shared > len(by_file) and _overlap(by_file.values()) > _overlap(by_folder.values())


def _overlap(groups: Iterable[Sequence[frozenset[str]]]) -> float:
    """The mean share of words that neighbours in these groups have in common."""
    shares = [len(one & other) / max(len(one | other), 1) for each in groups for one, other in pairwise(each)]
    return sum(shares) / max(len(shares), 1)


def annotations_in(path: Path, *, reading: Reading = DEFAULT_READING) -> Annotations:
    """Read the maps in a folder or a zip archive (``read_annotations``)."""
    try:
        if path.is_dir():
            files = unpacked(files_in(path), "folder", FEWER)
        else:
            with path.open("rb") as file:
                files = unzipped(path.name, file.read(MAX_UNPACKED_BYTES + 1))
    except OSError as error:
        raise MapFormatError(f"{str(path)!r} can't be read ({error.strerror}); check the name") from error
    return read_annotations(files, name=path.resolve().stem, reading=reading)


def unzipped(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Path and content of each file of a zip archive; a map that is an archive itself, as XMind's, stays whole."""
    document = Document("", archive=content)
    if not content.startswith(SIGNATURE) or any(entry.matches(document) for entry in ARCHIVES):
        return iter([(name, content)])
    return unpacked(entry_readers(content), "unpacked archive", FEWER)
