"""Maps of several documents by several annotators: a folder, its zip archive, or files with their paths.

Folders are documents and files annotators; files outside of any folder are maps of one document, or have both
names ("tides_anna.json"). ``swap`` reads them the other way round.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from tted_core.errors import MAX_MAPS, MAX_UNPACKED_BYTES, MapFormatError, Message, TTEDError, check_limit
from tted_core.formats import MindMap
from tted_core.formats.document import Document
from tted_core.formats.map_collections import DEFAULT_READING, Reading
from tted_core.formats.programs import ARCHIVES
from tted_core.foundations.files import ANYWHERE, SIGNATURE, entry_readers, files_in, unpack
from tted_core.foundations.messages import quoted
from tted_core.tree import TextTree

_FEWER = "give fewer documents at a time"


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

    @property
    def can_be_swapped(self) -> bool:
        """Return True if annotators could as well be documents: most of their names come in several documents."""
        documents = len(self.documents)
        return documents > 1 and 2 * len(self.maps) > documents * len(self.annotators) > documents

    def swap(self) -> "Annotations":
        """Turn annotators into documents, and documents into annotators."""
        maps = {(annotator, document): each for (document, annotator), each in self.maps.items()}
        return replace(self, maps=dict(sorted(maps.items(), key=lambda each: each[0])))

    def with_roots(self) -> "Annotations":
        """Name the roots put above several by the document, in which annotators don't differ, not by the file."""
        return replace(self, maps={key: _with_root(each, key[0]) for key, each in self.maps.items()})


def _with_root(mind_map: MindMap, document: str) -> MindMap:
    own = PurePosixPath(mind_map.name or "").stem
    if not mind_map.joined or mind_map.tree.labels[0] != own:
        return mind_map
    tree = TextTree((document, *mind_map.tree.labels[1:]), mind_map.tree.parents)
    name = f"the node {quoted(own)}, the title of the file,"
    new = f"the node {quoted(document)}, the document,"
    return replace(mind_map, tree=tree, notices=tuple(_rename(each, name, new) for each in mind_map.notices))


def _rename(notice: str, old: str, new: str) -> Message:
    """The notice with another name; options that it names stay settings."""
    parts = Message(notice).parts
    return Message(*(part.replace(old, new) if isinstance(part, str) else part for part in parts))


def read_annotations(
    files: Iterable[tuple[str, bytes]], *, name: str = "maps", reading: Reading = DEFAULT_READING
) -> Annotations:
    """Read the maps in files: folders are documents, files annotators.

    Args:
        files: path and content of each; "tides/anna.json" is Anna's map of the document tides.
        name: the document of files without a folder.
        reading: options for reading a map.
    """
    contents: dict[PurePosixPath, bytes] = {}
    for number, (given, content) in enumerate(files, start=1):
        check_limit(number, MAX_MAPS, "files (or more) in the collection", _FEWER)
        if PurePosixPath(given) in contents:
            raise MapFormatError(f"two of the files are called {given!r}; rename one")
        contents[PurePosixPath(given)] = content
    maps: dict[tuple[str, str], MindMap] = {}
    failures: dict[str, TTEDError] = {}
    for path, (document, annotator) in _name_paths(sorted(contents), name).items():
        try:
            mind_map = reading.file(contents[path], path.name)
        except TTEDError as error:
            failures[path.as_posix()] = error
            continue
        # The whole name is free: only a longer one ("anna.md.txt") has it as its stem, and is sorted behind it.
        maps[document, path.name if (document, annotator) in maps else annotator] = mind_map
    if not maps:
        missing = MapFormatError("there are no files in the collection; give one map per annotator")
        named = (MapFormatError(Message(f"{path}: ", error.text)) for path, error in failures.items())
        raise next(named, missing)
    return Annotations(maps, {path: error.text for path, error in failures.items()})


def _name_paths(paths: Sequence[PurePosixPath], name: str) -> dict[PurePosixPath, tuple[str, str]]:
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


def annotations_in(path: Path, *, reading: Reading = DEFAULT_READING) -> Annotations:
    """Read the maps in a folder or a zip archive (``read_annotations``)."""
    if path.is_dir():
        files = unpack(files_in(path), "folder", _FEWER)
    else:
        with ANYWHERE.open(path) as file:
            files = unzip(path.name, file.read(MAX_UNPACKED_BYTES + 1))
    return read_annotations(files, name=path.resolve().stem, reading=reading)


def unzip(name: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Path and content of each file of a zip archive; a map that is an archive itself, as XMind's, stays whole."""
    document = Document("", archive=content)
    if not content.startswith(SIGNATURE) or any(entry.matches(document) for entry in ARCHIVES):
        return iter([(name, content)])
    return unpack(entry_readers(content), "unpacked archive", _FEWER)
