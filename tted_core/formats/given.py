"""Validation of maps given by callers of the library.

All functions that take maps call ``as_map`` or ``maps_of``.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tted_core.errors import MapFormatError
from tted_core.formats.document import MindMap
from tted_core.formats.labels import quoted
from tted_core.formats.reading import read_map
from tted_core.tree import TextTree

AnyMap: TypeAlias = (
    MindMap | TextTree | str | os.PathLike[str] | tuple[Sequence[str], Sequence[Sequence[int]]]
)
"""A map, a tree, the path of a file or folder, or a pair of node texts and lists of children (as in edist)."""

WANTED = (
    "give a MindMap, a TextTree, the path of a file, or a pair of node texts and lists of children; "
    "parse_map reads a text or a file's bytes"
)


def check_map(given: Any, subject: str = "the map") -> None:
    """Check by type that an argument may be a map; no file is opened.

    Raises:
        MapFormatError: it isn't an ``AnyMap``; the message begins with ``subject``.
    """
    if isinstance(given, str):
        if not os.path.exists(given):  # noqa: PTH110 - is False, not an error, for a text that no path can be
            raise MapFormatError(
                f"{subject} is the text {quoted(given)}, and there is no file of that name; check the path, or "
                "read a text by parse_map(text)"
            )
        return
    # A pair of texts and children is validated when its tree is made.
    is_pair = isinstance(given, (tuple, list)) and len(given) == 2
    if not isinstance(given, (MindMap, TextTree, os.PathLike)) and not (
        is_pair and all(isinstance(part, Sequence) and not isinstance(part, (str, bytes)) for part in given)
    ):
        raise MapFormatError(f"{subject} is {given!r:.60}; {WANTED}")


def as_map(given: AnyMap, subject: str = "the map") -> MindMap:
    """Convert a caller's map; a file is read by ``read_map`` without options.

    >>> as_map((["a", "b"], [[1], []])).tree
    TextTree(labels=('a', 'b'), parents=(-1, 0))

    Raises:
        MapFormatError: it isn't an ``AnyMap``, or the file can't be read as a map.
        InvalidTreeError: a pair of texts and children that isn't a tree.
        LimitError: the file or its map is too large.
    """
    check_map(given, subject)
    if isinstance(given, MindMap):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_map(given)
    return MindMap(given if isinstance(given, TextTree) else TextTree.from_children(*given), "tree")


def maps_of(given: Iterable[AnyMap], what: str = "maps") -> list[AnyMap]:
    """Check a list of maps by their types.

    Raises:
        MapFormatError: it isn't a list, or an item isn't an ``AnyMap``.
    """
    if isinstance(given, (str, bytes, Mapping, MindMap, TextTree)) or not isinstance(given, Iterable):
        raise MapFormatError(
            f"{what} is {given!r:.60}; give a list of maps (read_maps reads all of a file or folder)"
        )
    every = list(given)
    for number, each in enumerate(every):
        check_map(each, f"{what}[{number}]")
    return every


def pairs_of(given: Iterable[tuple[AnyMap, AnyMap]]) -> list[tuple[AnyMap, AnyMap]]:
    """Check a list of pairs of maps by their types.

    Raises:
        MapFormatError: it isn't a list of pairs, or a side isn't an ``AnyMap``.
    """
    every: list[Any] = (
        list(given) if isinstance(given, Iterable) and not isinstance(given, Mapping) else [given]
    )
    for number, pair in enumerate(every):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise MapFormatError(
                f"pairs[{number}] is {pair!r:.60}; give a list of pairs of maps, [(left, right), ...]"
            )
        check_map(pair[0], f"the left map of pairs[{number}]")
        check_map(pair[1], f"the right map of pairs[{number}]")
    return every
