"""Nodes and edges in any order -> ``Forest``: for formats that hold a map as a list of links.

What links can do wrong and a nested form can't (an unknown end, two parents, a cycle, a self-loop) is an error
here that names the nodes.
"""

from collections.abc import Hashable

from tted_core.errors import MapFormatError
from tted_core.formats.forest import Forest, listed
from tted_core.formats.labels import quoted
from tted_core.limits import MAX_NODES_READ, check_limit


class Graph:
    """Collects nodes and edges; ``forest`` judges them."""

    def __init__(self) -> None:
        """Start empty."""
        self._labels: dict[Hashable, str] = {}
        self._lines: dict[Hashable, int | None] = {}
        self._children: dict[Hashable, list[Hashable]] = {}
        self._parents: dict[Hashable, Hashable] = {}
        self._repeated: list[str] = []
        self._asides: dict[Hashable, str] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._labels

    def name(self, key: Hashable) -> str:
        """A node for a message: its id, and its label if that is another text."""
        label = self._labels.get(key, "")
        shown = quoted(str(key))
        return shown if label in {"", str(key)} else f"{shown} ({quoted(label)})"

    def node(self, key: Hashable, label: str, *, line: int | None = None, aside: str | None = None) -> None:
        """Add a node; ``aside`` as in ``Forest.add``.

        Raises:
            MapFormatError: the id is taken.
            LimitError: too many nodes.
        """
        if key in self._labels:
            raise MapFormatError(f"the id {self.name(key)} occurs twice; each node needs its own", line=line)
        count = len(self._labels) + 1
        check_limit(count, MAX_NODES_READ, "nodes (or more) in the map", "split it into smaller maps")
        self._labels[key] = label
        self._lines[key] = line
        self._children[key] = []
        if aside is not None:
            self._asides[key] = aside

    def edge(self, parent: Hashable, child: Hashable, *, line: int | None = None) -> None:
        """Add an edge between nodes that are there.

        Raises:
            MapFormatError: an unknown id, a self-loop, or a second parent.
        """
        for key in (parent, child):
            if key not in self._labels:
                raise MapFormatError(f"no node has the id {quoted(str(key))}, which an edge names", line=line)
        if parent == child:
            raise MapFormatError(
                f"the node {self.name(child)} is its own parent; remove that edge", line=line
            )
        if child in self._parents:
            if self._parents[child] != parent:
                raise MapFormatError(
                    f"the node {self.name(child)} has two parents, {self.name(self._parents[child])} and "
                    f"{self.name(parent)}; in a mind map each node has one. If these are two nodes with the same "
                    f"text, give them different ids",
                    line=line,
                )
            self._repeated.append(f"{self.name(parent)} > {self.name(child)}")
            return
        self._parents[child] = parent
        self._children[parent].append(child)

    def forest(self, title: str | None = None) -> Forest:
        """The nodes as a forest, siblings in the order of their edges, roots in that of the nodes.

        Raises:
            MapFormatError: a cycle.
        """
        forest = Forest(title)
        stack = [(key, -1) for key in reversed(self._labels) if key not in self._parents]
        while stack:
            key, parent = stack.pop()
            node = forest.add(self._labels[key], parent, line=self._lines[key], aside=self._asides.get(key))
            stack.extend((child, node) for child in reversed(self._children[key]))
        if len(forest) < len(self._labels):
            raise self._cycle()
        if self._repeated:
            forest.notices.append(f"edges that occur more than once count once: {listed(self._repeated)}")
        return forest

    def _cycle(self) -> MapFormatError:
        """Name a cycle: nodes that no root reaches all hang below one."""
        for start in self._labels:
            path: dict[Hashable, None] = {}
            key = start
            while key in self._parents and key not in path:
                path[key] = None
                key = self._parents[key]
            if key in path:
                nodes = list(path)
                cycle = [*nodes[nodes.index(key) :], key][::-1]
                return MapFormatError(
                    f"the edges run in a circle: {' > '.join(map(self.name, cycle[:8]))}"
                    f"{' ...' if len(cycle) > 8 else ''}; a mind map has none",
                    line=self._lines[key],
                )
        raise AssertionError("a node out of reach without a cycle")
