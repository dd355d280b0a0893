"""What comes of reading a file: a map, and what had to be decided or repaired on the way."""

from dataclasses import dataclass
from typing import Any

from tted_core.tree import TextTree


@dataclass(frozen=True)
class MindMap:
    """A map as read.

    Args:
        tree: its nodes.
        format: the name in ``FORMATS`` that it was read as.
        notices: a sentence for every repair, omission and decision; empty if there was none.
        name: the file's name, if it has one.
        also: names of the formats that it could be read as too.
        maps: the titles of all maps in the file, in order; this one's number is ``sheet``.
        sheet: which of them this is, counted from 1.
        joined: how many roots were put under a node that the file doesn't have; 0 if its map has one root, or
            only the first was taken.
    """

    tree: TextTree
    format: str
    notices: tuple[str, ...] = ()
    name: str | None = None
    also: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    sheet: int = 1
    joined: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The map as JSON has it; labels and parents in preorder, -1 for the root's parent."""
        return {
            "format": self.format,
            "nodes": len(self.tree),
            "depth": self.tree.depth,
            "labels": list(self.tree.labels),
            "parents": list(self.tree.parents),
            "notices": list(self.notices),
        }
