"""Tables of edges (parent, child) as CSV or TSV, and maps that are lists of links.

Nodes and edges in any order become a ``Forest``. What links can do wrong and a nested form can't (an unknown
end, two parents, a cycle, a self-loop) is an error here that names the nodes.
"""

import math
import re
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_LINES, MAX_NODES_READ, check_limit
from tted_core.foundations.tables import Row, delimiter_of, read_rows


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

    def forest(self) -> Forest:
        """The nodes as a forest, siblings in the order of their edges, roots in that of the nodes.

        Raises:
            MapFormatError: a cycle.
        """
        forest = Forest()
        roots = [key for key in self._labels if key not in self._parents]
        for key, parent in forest.walk(roots, self._children.__getitem__):
            forest.add(self._labels[key], parent, line=self._lines[key], aside=self._asides.get(key))
        if len(forest) < len(self._labels):
            raise self._cycle()
        forest.tell(self._repeated, f"edges that occur more than once count once: {listed(self._repeated)}")
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


# Tables of numbers that people made elsewhere: CSV with a header, by comma, semicolon or tab.

Record: TypeAlias = dict[str, str]

GROUPED = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")


@dataclass(frozen=True)
class Cells:
    """The header's names, and each row with the line it ends in; every row has a cell for each name."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, Record], ...]
    delimiter: str


def read_cells(data: bytes, each: str) -> Cells:
    """Read a table; ``each`` says what a row is ("pair").

    Raises:
        MapFormatError: no rows, a column without a name or with the name of another, a row of another length.
    """
    text, _ = decode(data)
    delimiter = delimiter_of(text)
    numbered = list(read_rows(text, delimiter))
    if len(numbered) < 2:
        raise MapFormatError(f"the table has no rows; give a header and one row for each {each}")
    header = tuple(numbered[0][1])
    for name in header:
        if not name:
            raise MapFormatError("the table has a column without a name; name it in the first row", line=1)
        if header.count(name) > 1:
            raise MapFormatError(f'the column "{name}" comes twice; give each a name of its own', line=1)
    return Cells(header, tuple((line, _record(header, row, line)) for line, row in numbered[1:]), delimiter)


def check_commas(cells: Cells, texts: Collection[str]) -> None:
    """A decimal comma goes with another separator; between commas, "1,234" may be meant as a thousand.

    Raises:
        MapFormatError: there is such a number in a column that isn't one of ``texts``.
    """
    if cells.delimiter != ",":
        return
    for line, record in cells.rows:
        for name in cells.header:
            if name not in texts and GROUPED.fullmatch(record[name]):
                raise MapFormatError(
                    f'"{record[name]}" in the column "{name}" may be {record[name].replace(",", ".", 1)} or '
                    f"{record[name].replace(',', '')}; write it without a comma",
                    line=line,
                )


def number_of(record: Record, name: str, line: int) -> float:
    """The number in a cell.

    Raises:
        MapFormatError: there is none.
    """
    cell = record[name]
    try:
        value = float(cell.replace(",", "."))  # a decimal comma, as spreadsheets of half the world write it
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise MapFormatError(f'"{cell[:40]}" in the column "{name}" is no number; write one', line=line)
    return value


def _record(header: Sequence[str], row: list[str], line: int) -> Record:
    if len(row) != len(header):
        raise MapFormatError(
            f"{len(row)} cells, but the first row names {len(header)} columns; quote cells that hold a separator",
            line=line,
        )
    return dict(zip(header, row, strict=True))


# CSV or TSV edge list: columns ``parent,child``, or ``id,parent,text``, in any order, with a header line.
#
# With two columns the text is the node; equal sentences are then one node, so a map that has them needs
# ids. An empty parent marks the root.

_NAMES = {
    "parent": ("parent", "parent_id", "parentid", "parent id", "source", "from"),
    "child": ("child", "target", "to"),
    "id": ("id", "node", "node_id", "nodeid", "key"),
    "text": ("text", "label", "name", "title", "topic", "sentence"),
}
"""What each column may be called; where several of the names stand in a header, the first here counts."""

_DELIMITERS = ",\t;|"


def matches(document: Document) -> bool:
    """A header line with a parent column, and a child or an id column."""
    return _header(document) is not None


def _header(document: Document) -> tuple[str, dict[str, int]] | None:
    """The delimiter and the places of the columns, if the first filled line is such a header."""
    first = document.text.lstrip("\n").partition("\n")[0]
    if len(first) > 1000:
        return None
    for delimiter in _DELIMITERS:
        names = [name.strip().strip("\"'").strip().lower() for name in first.split(delimiter)]
        columns = {
            column: names.index(name)
            for column, known in _NAMES.items()
            for name in reversed(known)
            if name in names
        }
        if "parent" in columns and ("child" in columns or "id" in columns):
            return delimiter, columns
    return None


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no header, a row with too few fields, or edges that make no tree.
        LimitError: too large.
    """
    header = _header(document)
    if header is None:
        raise MapFormatError(
            "an edge list begins with a header line: parent,child or id,parent,text", line=document.first_line
        )
    delimiter, columns = header
    check_limit(document.text.count("\n"), MAX_LINES, "lines (or more) of text", "split it into smaller maps")
    rows = list(read_rows(document.text, delimiter, first_line=document.first_line))[1:]
    if "id" in columns:
        return [_read_nodes(rows, columns["id"], columns["parent"], columns.get("text", columns["id"]))]
    return [_read_pairs(rows, columns["parent"], columns["child"])]


def _field(row: list[str], column: int, line: int) -> str:
    if column >= len(row):
        raise MapFormatError(f"the row has {len(row)} fields, but column {column + 1} is needed", line=line)
    return row[column]


def _read_pairs(rows: list[Row], parent_column: int, child_column: int) -> Forest:
    graph = Graph()
    pairs = []
    for line, row in rows:
        parent, child = _field(row, parent_column, line), _field(row, child_column, line)
        for text in (parent, child):
            if text and text not in graph:
                graph.node(text, text, line=line)
        if parent and child:
            pairs.append((parent, child, line))
    for parent, child, line in pairs:
        graph.edge(parent, child, line=line)
    return graph.forest()


def _read_nodes(rows: list[Row], identifier: int, parent_column: int, text: int) -> Forest:
    graph = Graph()
    for line, row in rows:
        key = _field(row, identifier, line)
        if not key:
            raise MapFormatError(f"the row has no id (text {quoted(_field(row, text, line))})", line=line)
        graph.node(key, _field(row, text, line), line=line)
    for line, row in rows:
        parent = _field(row, parent_column, line)
        key = row[identifier]
        if parent and not (parent in {"-1", "null", "None", "NULL"} and parent not in graph):
            graph.edge(parent, key, line=line)
    return graph.forest()


EDGES = Format(
    name="edges", title="CSV or TSV edge list", extensions=(".csv", ".tsv"), matches=matches, read=read
)
