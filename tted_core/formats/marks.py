"""Comparisons in map files: what stands at each node, and the two maps that it holds.

A file that ``compare --report`` wrote shows both maps in one: each text behind the sign of its operation, the old
text after a replaced one. A mark at each node, in words, says where it stands in either map (``Mark``). Readers of
formats that can hold marks put them into ``Forest.marks``; ``both_maps`` is where one map becomes two again.
"""

import json
import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from tted_core.errors import InvalidTreeError
from tted_core.formats.forest import Forest
from tted_core.formats.labels import LabelRepairs
from tted_core.tree import TextTree

NAME = "tted"
"""What a mark is called in a file: an attribute's name, or the word before it in a comment or note."""

SIDES = ("left", "right")
"""The titles of the two maps in the file, in order."""

SIGNS = {"match": "=", "replace": "~", "delete": "−", "insert": "+"}
"""Operation -> the sign before its text, which is a minus sign (U+2212), no dash, where a node is deleted."""

IN_COMMENT = re.compile(rf"{NAME}: ([a-z]+; .*)")
"""A mark in a comment or a note."""

_PLACE = re.compile(r"([0-9]{1,9})(?: below ([0-9]{1,9}))?")
_SPECIAL = re.compile(r"[-<>|%{}#&~`:*_\[\]/=+$@^;]")


class Place(NamedTuple):
    """Where a node stands in one map: its preorder index, and its parent's (-1: it is the root)."""

    node: int
    parent: int


@dataclass(frozen=True)
class Mark:
    """What a file says of a node.

    Attributes:
        op: the operation, a name in ``SIGNS``.
        left: its place in the left map, None for an inserted node.
        right: its place in the right map, None for a deleted one.
        cost: what the operation costs.
        was: the text in the left map, where it isn't that in the right one.
        notes: the operation's notes.
    """

    op: str
    left: Place | None
    right: Place | None
    cost: float
    was: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The mark as it stands in a file; free of what ends a comment or a text in quotes in any of the formats.

        >>> Mark("replace", Place(3, 1), Place(4, 1), 0.25, "an old text").text
        'replace; left 3 below 1; right 4 below 1; cost 0.25; was "an old text"'
        """
        words = [self.op]
        for side, place in zip(SIDES, (self.left, self.right), strict=True):
            if place:
                words.append(f"{side} {place.node}" + (f" below {place.parent}" if place.parent >= 0 else ""))
        words.append(f"cost {self.cost!r}")
        if self.was is not None:
            plain = json.dumps(self.was, ensure_ascii=False)
            words.append("was " + _SPECIAL.sub(lambda found: f"\\u{ord(found[0]):04x}", plain))
        return "; ".join((*words, *self.notes))


def shown(mark: Mark, text: str) -> str:
    """The text of a node as the file shows it; ``text`` is that of the right map, or of a deleted node."""
    return " ".join((SIGNS[mark.op], *text.split(), *_old(mark).split()))


def clean(label: str) -> str:
    """A label as reading would repair it, so that it is the same after writing and reading.

    Raises:
        LimitError: the label is too long.
    """
    return LabelRepairs().clean(label, lambda: "a node of the comparison")


def parse_mark(text: str) -> Mark | None:
    """Read a mark; None if it is none."""
    try:
        return _parsed(text)
    except ValueError:
        return None


def _parsed(text: str) -> Mark:
    """Read a mark.

    Raises:
        ValueError: no such thing.
    """
    op, *words = text.split("; ")
    places: dict[str, Place | None] = dict.fromkeys(SIDES)
    cost = math.nan
    was = None
    notes = []
    for word in words:
        name, _, value = word.partition(" ")
        place = _PLACE.fullmatch(value)
        if name in SIDES and place:
            places[name] = Place(int(place[1]), int(place[2] or -1))
        elif name == "cost":
            cost = float(value)
        elif name == "was" and value.startswith('"'):
            was = str(json.loads(value))
        else:
            notes.append(word)
    there = tuple(place is not None for place in places.values())
    if op not in SIGNS or not math.isfinite(cost) or there != (op != "insert", op != "delete"):
        raise ValueError
    return Mark(op, places["left"], places["right"], cost, was, tuple(notes))


def both_maps(forest: Forest) -> list[Forest]:
    """The left and the right map if the nodes are marked, else the map itself.

    If marks are missing or don't fit, since somebody has changed the file, it is one map as the file shows it, and
    a notice says so.
    """
    if not forest.marks:
        return [forest]
    try:
        marks = [_parsed(forest.marks.get(node, "")) for node in range(len(forest))]
        texts = [_text(mark, label) for mark, label in zip(marks, forest.labels, strict=True)]
        maps = [_side(forest, marks, texts, side) for side in SIDES]
    except (ValueError, InvalidTreeError):
        forest.notices.append(
            "the file is a comparison of two maps, but was changed after it was written, so that they can't be "
            "told apart; it was read as it is shown, signs and old texts included"
        )
        return [forest]
    for each in maps:
        told = (
            f"the file is a comparison of two maps; this is the {each.title} one, without the signs and old "
            f"texts that the file shows"
        )
        each.notices += [*forest.notices, told]
        each.operations = tuple(marks)
    return maps


def _text(mark: Mark, label: str) -> str:
    """The right map's text in what a file shows.

    Raises:
        ValueError: the label doesn't show what the mark says.
    """
    text = " ".join(label.split())
    sign, old = SIGNS[mark.op], _old(mark)
    if not (text.startswith(sign) and text.endswith(old)):
        raise ValueError
    return text[len(sign) : len(text) - len(old)].strip()


def _old(mark: Mark) -> str:
    return "" if mark.was is None else f"(was: {mark.was})"


def _side(forest: Forest, marks: list[Mark], texts: list[str], side: str) -> Forest:
    """One of the two maps.

    Raises:
        ValueError: two nodes at one place, or none.
        InvalidTreeError: no tree.
    """
    there: dict[int, tuple[int, int, str]] = {}
    for node, (mark, text) in enumerate(zip(marks, texts, strict=True)):
        place = mark.left if side == "left" else mark.right
        if place is not None:
            old = mark.was if side == "left" and mark.was is not None else text
            if place.node in there:
                raise ValueError
            there[place.node] = node, place.parent, old
    if sorted(there) != list(range(len(there))):
        raise ValueError
    rows = [there[node] for node in range(len(there))]
    TextTree(tuple(text for _, _, text in rows), tuple(parent for _, parent, _ in rows))
    found = Forest(side)
    for node, parent, text in rows:
        found.add(text, parent, line=forest.lines[node])
    return found
