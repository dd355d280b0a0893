"""Maps of several documents by several annotators: a folder per document, a file per annotator.

Files that lie in no folder of their own are maps of one document. A collection comes as a folder, as a zip archive
of one, or as single files with their paths.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import ROOTS, MindMap, parse_map
from tted_core.formats.archive import SIGNATURE, entry_names, read_entries
from tted_core.formats.document import Document
from tted_core.formats.forest import listed
from tted_core.formats.known import ARCHIVES
from tted_core.limits import MAX_BYTES, MAX_MAPS, MAX_UNPACKED_BYTES, check_limit

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
    names = [name for name in entry_names(archive) if not _is_hidden(PurePosixPath(name))]
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
        if path.is_file() and not _is_hidden(PurePosixPath(relative.as_posix())):
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
            total += len(content)
            check_limit(total, MAX_UNPACKED_BYTES, "bytes (or more) in the folder", FEWER)
            yield relative.as_posix(), content


def _is_hidden(path: PurePosixPath) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in path.parts)
