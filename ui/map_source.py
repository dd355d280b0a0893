"""The source of a map, as a value: a sample, a pasted text, uploaded files, or maps that have been read."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from cachetools import LRUCache, cached
from cachetools.keys import hashkey

from tted_core import MindMap, TTEDError
from tted_core.annotate.annotations import unzip
from tted_core.errors import MAX_MAPS, MAX_NODES_READ, LimitError, MapFormatError, ToolError, check_limit
from tted_core.formats import ROOTS, parse_maps
from tted_core.foundations.child import MAX_CHILD_SECONDS, run_in_child
from tted_core.foundations.files import SIGNATURE
from tted_core.foundations.monitor import UNWATCHED, Monitor
from ui import samples
from ui.executor import MOST_BYTES, bytes_of
from ui.running import PAGE_RUNS

PASTED = "pasted text"  # the name of maps that were pasted
READ_AT_ONCE = 50_000  # characters that are read in milliseconds, so that a page waits for them
SECONDS_AT_ONCE = 5.0  # time limit where nobody can stop the reading

TASK, SPLIT_UPLOAD, FEWER = (
    "reading the map",
    "split it into smaller maps",
    "give fewer files, or smaller ones",
)


NamedFiles: TypeAlias = tuple[tuple[str, bytes], ...]  # files by name and content


@dataclass(frozen=True)
class ReadingOptions:
    """The import options of a source, as of ``parse_maps``, and the name of the map to show if it has several."""

    format: str | None = None
    roots: str = ROOTS[0]
    include_floating: bool = False
    field: str | None = None
    shown: str | None = None


@dataclass(frozen=True)
class SampleFile:
    """A file of sample_trees/, such as "coral-reefs/base.json"."""

    file: str
    options: ReadingOptions = field(default_factory=ReadingOptions)


@dataclass(frozen=True)
class Pasted:
    """A text; an empty one is a side that was left empty."""

    text: str
    options: ReadingOptions = field(default_factory=ReadingOptions)


@dataclass(frozen=True)
class Uploaded:
    """Files; an archive stands for the files in it."""

    files: NamedFiles
    options: ReadingOptions = field(default_factory=ReadingOptions)


@dataclass(frozen=True)
class Given:
    """Maps that have been read, at least one, and the name and problem of each file that can't be read."""

    maps: tuple[MindMap, ...]
    unread: tuple[tuple[str, str], ...] = ()
    options: ReadingOptions = field(default_factory=ReadingOptions)

    @property
    def shown(self) -> MindMap:
        """The chosen map; the first one if there is none of that name."""
        return next((each for each in self.maps if each.name == self.options.shown), self.maps[0])


UnreadSource: TypeAlias = SampleFile | Pasted | Uploaded
MapSource: TypeAlias = UnreadSource | Given


def read(source: MapSource) -> MindMap:
    """Read the map to show.

    Raises:
        TTEDError: as ``read_all``.
    """
    return read_all(source).shown


def read_all(source: MapSource, monitor: Monitor = UNWATCHED) -> Given:
    """Read all maps of a source, from the cache if possible; their names differ.

    Users' maps are read in a child process, which a ``monitor`` can stop, or which has a few seconds; other pages
    are drawn meanwhile.

    Raises:
        TTEDError: none of them can be read, there are too many, or it was stopped.
    """
    if isinstance(source, Given):
        return source
    whole = _drop_choice(source)
    # Outside also while another page reads the same, as in a class.
    with nullcontext() if hashkey(whole) in _read.cache else PAGE_RUNS.outside():
        return replace(_read(whole, monitor)[1], options=source.options)


def takes_long(source: MapSource) -> bool:
    """Return True if a page shouldn't wait until this source is read: it is large, and not in the cache."""
    if isinstance(source, Given | SampleFile) or hashkey(_drop_choice(source)) in _read.cache:
        return False
    contents = [content for _, content in source.files] if isinstance(source, Uploaded) else [source.text]
    is_archive = any(isinstance(each, bytes) and each.startswith(SIGNATURE) for each in contents)
    return is_archive or sum(map(len, contents)) > READ_AT_ONCE


def _drop_choice(source: UnreadSource) -> UnreadSource:
    return replace(source, options=replace(source.options, shown=None))


@cached(
    LRUCache(MOST_BYTES, getsizeof=bytes_of),
    key=lambda source, _monitor: hashkey(source),
    condition=threading.Condition(),
)
def _read(source: UnreadSource, monitor: Monitor) -> tuple[UnreadSource, Given]:
    options = source.options
    seconds = SECONDS_AT_ONCE if monitor is UNWATCHED else MAX_CHILD_SECONDS
    found: list[MindMap] = []
    unread: list[tuple[str, TTEDError]] = []
    files = list(_files_of(source))
    for name, content in files:
        call = partial(
            parse_maps,
            content,
            name=name,
            format=options.format,
            roots=options.roots,
            include_floating=options.include_floating,
            field=(options.field or "").strip() or None,
        )
        try:
            own = not isinstance(source, SampleFile)
            maps = run_in_child(call, TASK, SPLIT_UPLOAD, seconds=seconds, monitor=monitor) if own else call()
        except (MapFormatError, LimitError, ToolError) as error:
            unread.append((name, error))
            continue
        prefix = f"{name}: " if len(files) > 1 else ""
        for each, title in zip(maps, maps[0].maps, strict=True):
            found.append(replace(each, name=name if len(maps) == 1 else prefix + title, maps=(), sheet=1))
        check_limit(len(found), MAX_MAPS, "maps (or more) in the files", FEWER)
        check_limit(
            sum(len(each.tree) for each in found), MAX_NODES_READ, "nodes (or more) in the files", FEWER
        )
    if not found:
        raise unread[0][1]
    # The source is in the result so that it counts towards the limit of the cache.
    return source, Given(tell_apart(found), tuple((name, error.text) for name, error in unread))


def _files_of(source: UnreadSource) -> Iterator[tuple[str, bytes | str]]:
    match source:
        case SampleFile(file):
            yield file, (samples.FOLDER / file).read_bytes()
        case Pasted(text):
            yield PASTED, text
        case Uploaded(files):
            for name, content in files:
                try:
                    yield from list(unzip(name, content)) or [(name, content)]
                except TTEDError:
                    yield name, content  # its reader reports what is wrong with the archive


def tell_apart(maps: Iterable[MindMap]) -> tuple[MindMap, ...]:
    """The maps, with a number in names that came before: "map.txt", "map (2).txt"."""
    named, counts = dict[str, MindMap](), Counter[str]()
    for each in maps:
        name = new = each.name or "map"
        start, dot, ending = name.rpartition(".")
        while new in named:
            counts[name] += 1
            number = f" ({counts[name] + 1})"
            new = f"{start}{number}{dot}{ending}" if start else name + number
        named[new] = replace(each, name=new)
    return tuple(named.values())
