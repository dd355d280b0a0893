"""Nodes placed by numbers such as 1.2.3: shared by numbered outlines and CMGN stories."""

from tted_core.errors import MapFormatError
from tted_core.formats.forest import LISTED, Forest, listed
from tted_core.limits import MAX_DEPTH, check_limit

_MOST_SKIPPED = 50


class NumberedNodes:
    """Puts each node below the one whose number it extends; irregular numbers are kept, and noticed."""

    def __init__(self) -> None:
        """Start empty."""
        self.forest = Forest()
        self.title = -1
        self._nodes: dict[tuple[int, ...], int] = {}
        self._repeated: list[str] = []
        self._orphans: list[str] = []

    def add(self, number: str, label: str, line: int) -> None:
        """Add the node with that number; an unnumbered ``title`` node is above all numbers.

        Raises:
            MapFormatError: the number skips more levels than an outline can.
            LimitError: too many nodes or levels.
        """
        parts = number.split(".")
        check_limit(len(parts), MAX_DEPTH, f"levels in the number in line {line}", "flatten the map")
        key = tuple(map(int, parts))
        above = key[:-1]
        while above and above not in self._nodes:
            above = above[:-1]
            if len(key) - len(above) > _MOST_SKIPPED:
                raise MapFormatError("the number skips too many levels; give the nodes above it", line=line)
        if key in self._nodes:
            self._repeated.append(f"{number} (line {line})")
        if len(above) < len(key) - 1:
            self._orphans.append(f"{number} (line {line})")
        self._nodes[key] = self.forest.add(label, self._nodes.get(above, self.title), line=line)

    def note(self) -> None:
        """Put what was irregular into the forest's notices."""
        if self._repeated:
            self.forest.notices.append(
                f"numbers that occur more than once, kept as siblings: {listed(self._repeated, LISTED)}"
            )
        if self._orphans:
            self.forest.notices.append(
                f"no node has the number above these, so they went below the nearest one there is: "
                f"{listed(self._orphans, LISTED)}"
            )
