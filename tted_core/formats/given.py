"""Validation of maps given by callers of the library.

All functions that take maps call ``as_map`` or ``maps_of``.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from tted_core.errors import MapFormatError
from tted_core.formats.document import MindMap
from tted_core.formats.labels import quoted
from tted_core.formats.reading import read_map
from tted_core.tree import TextTree

AnyMap: TypeAlias = (
    MindMap | TextTree | str | os.PathLike[str] | tuple[Sequence[str], Sequence[Sequence[int]]]
)
"""A map, a tree, the path of a file or folder, or a pair of node texts and lists of children (as in edist)."""

Item = TypeVar("Item")

WANTED = (
    "give a MindMap, a TextTree, the path of a file, or a pair of node texts and lists of children; "
    "parse_map(text) reads a text"
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
    is_adjacency = is_pair and all(
        isinstance(part, Sequence) and not isinstance(part, (str, bytes)) for part in given
    )
    if not is_adjacency and not isinstance(given, (MindMap, TextTree, os.PathLike)):
        raise MapFormatError(f"{subject} is {_shown(given)}; {WANTED}")


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
    if isinstance(given, TextTree):
        return MindMap(given, "tree")
    if isinstance(given, (str, os.PathLike)):
        return read_map(given)
    return MindMap(TextTree.from_children(*given), "tree")


def maps_of(given: Iterable[AnyMap], what: str = "maps") -> list[AnyMap]:
    """Check a list of maps by their types.

    Raises:
        MapFormatError: it isn't a list, or an item isn't an ``AnyMap``.
    """
    every = _listed(given, what, "give a list of maps (read_maps reads all of a file or folder)")
    for number, each in enumerate(every):
        check_map(each, f"{what}[{number}]")
    return every


def pairs_of(given: Iterable[tuple[AnyMap, AnyMap]]) -> list[tuple[AnyMap, AnyMap]]:
    """Check a list of pairs of maps by their types.

    Raises:
        MapFormatError: it isn't a list of pairs, or a side isn't an ``AnyMap``.
    """
    wanted = "give a list of pairs of maps, [(left, right), ...]"
    every = _listed(given, "pairs", wanted)
    for number, pair in enumerate(every):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise MapFormatError(f"pairs[{number}] is {_shown(pair)}; {wanted}")
        for side, each in zip(("left", "right"), pair, strict=True):
            check_map(each, f"the {side} map of pairs[{number}]")
    return every


def _listed(given: Iterable[Item], what: str, wanted: str) -> list[Item]:
    """The items of a list; a single map isn't one, though some are iterable."""
    if isinstance(given, (str, bytes, Mapping, MindMap, TextTree, os.PathLike)) or not isinstance(
        given, Iterable
    ):
        raise MapFormatError(f"{what} is {_shown(given)}; {wanted}")
    return list(given)


def _shown(given: object) -> str:
    if isinstance(given, (tuple, list)):
        return f"a {type(given).__name__} of {len(given)}"
    if isinstance(given, (bytes, bytearray)):
        return "the content of a file (bytes), which parse_map reads"
    if isinstance(given, Mapping):
        return "a dict, which parse_map reads as JSON (json.dumps)"
    return "None" if given is None else f"of the type {type(given).__name__}"
