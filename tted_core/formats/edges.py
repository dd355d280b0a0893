"""Tables of edges (parent, child) as CSV or TSV, and other maps that are lists of links.

Nodes and edges in any order become a ``Forest``. Errors that only links can have (an unknown end, two parents, a
cycle, a self-loop) name the nodes.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.labels import quoted
from tted_core.foundations.limits import MAX_LINES, MAX_NODES_READ, check_limit
from tted_core.foundations.tables import delimiter_of, read_rows
from tted_core.words.splitting import without_surrogates


class Node(NamedTuple):
    """A node of a list of links; ``aside`` as in ``Forest.add``."""

    key: str
    label: str
    line: int | None = None
    aside: str | None = None


Edge: TypeAlias = tuple[str, str, int | None]
"""The ids of parent and child, and the line."""


def linked(nodes: Iterable[Node], edges: Iterable[Edge]) -> Forest:
    """A forest of nodes in any order; siblings in the order of their edges, roots in that of the nodes.

    Raises:
        MapFormatError: a repeated or unknown id, a self-loop, a second parent, or a cycle.
        LimitError: too many nodes.
    """
    known = _by_key(nodes)
    shown = {key: _shown(node) for key, node in known.items()}
    repeated: list[str] = []
    parents = _parents(edges, known, shown, repeated)
    children: dict[str, list[str]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    forest = Forest()
    unplaced = dict.fromkeys(known)
    roots = [key for key in known if key not in parents]
    for key, above in forest.walk(roots, lambda key: children.get(key, [])):
        forest.add(known[key].label, above, line=known[key].line, aside=known[key].aside)
        del unplaced[key]
    if unplaced:
        path: dict[str, None] = {}
        key = next(iter(unplaced))
        while key not in path:
            path[key] = None
            key = parents[key]
        cycle = [key, *reversed([*path][[*path].index(key) :])]
        raise MapFormatError(
            f"the edges form a cycle: {' > '.join(shown[key] for key in cycle[:8])}"
            f"{' ...' if len(cycle) > 8 else ''}; a mind map has no cycles",
            line=known[cycle[0]].line,
        )
    forest.notice_if(repeated, f"edges that occur more than once count once: {listed(repeated)}")
    return forest


def _by_key(nodes: Iterable[Node]) -> dict[str, Node]:
    known: dict[str, Node] = {}
    for node in nodes:
        if node.key in known:
            raise MapFormatError(
                f"the id {_shown(known[node.key])} occurs twice; each node needs its own", line=node.line
            )
        known[node.key] = node
        check_limit(len(known), MAX_NODES_READ, "nodes (or more) in the map", "split it into smaller maps")
    return known


def _shown(node: Node) -> str:
    """A node for a message: its id, and its label if that is another text."""
    own = node.label in {"", node.key}
    return quoted(node.key) if own else f"{quoted(node.key)} ({quoted(node.label)})"


def _parents(
    edges: Iterable[Edge], known: Collection[str], shown: Mapping[str, str], repeated: list[str]
) -> dict[str, str]:
    """Each child's parent, in the order of the edges; repeated edges are added to ``repeated``."""
    parents: dict[str, str] = {}
    for parent, child, line in edges:
        for key in (parent, child):
            if key not in known:
                raise MapFormatError(f"no node has the id {quoted(key)}, which an edge names", line=line)
        if parent == child:
            raise MapFormatError(f"the node {shown[child]} is its own parent; remove that edge", line=line)
        if child in parents:
            repeated.append(f"{shown[parent]} > {shown[child]}")
        if parents.setdefault(child, parent) != parent:
            raise MapFormatError(
                f"the node {shown[child]} has two parents, {shown[parents[child]]} and {shown[parent]}; in a mind "
                f"map each node has one. If these are two nodes with the same text, give them different ids",
                line=line,
            )
    return parents


# Tables of numbers made elsewhere: CSV with a header, separated by comma, semicolon or tab.

Record: TypeAlias = dict[str, str]

GROUPED = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})+")


@dataclass(frozen=True)
class Cells:
    """The column names, and each row with the number of its last line; every row has a cell for each name."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, Record], ...]
    delimiter: str


def read_cells(data: bytes, each: str) -> Cells:
    """Read a table; ``each`` names what a row stands for ("pair").

    Raises:
        MapFormatError: no rows, an unnamed or repeated column, or a row of another length.
    """
    text = without_surrogates(decode(data)[0])
    delimiter = delimiter_of(text)
    numbered = list(read_rows(text, delimiter))
    if len(numbered) < 2:
        raise MapFormatError(f"the table has no rows; give a header and one row for each {each}")
    header = tuple(numbered[0][1])
    for name, count in Counter(header).items():
        if not name:
            raise MapFormatError("the table has a column without a name; name it in the first row", line=1)
        if count > 1:
            raise MapFormatError(f'the column "{name}" is repeated; give each column its own name', line=1)
    for line, row in numbered[1:]:
        if len(row) != len(header):
            raise MapFormatError(
                f"{len(row)} cells, but the first row names {len(header)} columns; quote cells that contain a "
                "separator",
                line=line,
            )
    rows = tuple((line, dict(zip(header, row, strict=True))) for line, row in numbered[1:])
    return Cells(header, rows, delimiter)


def number_of(cells: Cells, record: Record, name: str, line: int) -> float:
    """The number in a cell; in a table separated by commas, "1,234" may be a thousand, so it is rejected.

    Raises:
        MapFormatError: the cell isn't a number, or ambiguous.
    """
    cell = record[name]
    if cells.delimiter == "," and GROUPED.fullmatch(cell):
        raise MapFormatError(
            f'"{cell}" in the column "{name}" may be {cell.replace(",", ".", 1)} or {cell.replace(",", "")}; '
            "write it without a comma",
            line=line,
        )
    try:
        value = float(cell.replace(",", "."))  # a decimal comma, as in many locales
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise MapFormatError(f'"{cell[:40]}" in the column "{name}" is not a number', line=line)
    return value


# CSV or TSV edge list: columns ``parent,child``, or ``id,parent,text``, in any order, with a header line.
#
# With two columns the text is the node's identity, so a map with equal sentences needs ids. An empty parent marks
# the root.

_NAMES = {
    "parent": ("parent", "parent_id", "parentid", "parent id", "source", "from"),
    "child": ("child", "target", "to"),
    "id": ("id", "node", "node_id", "nodeid", "key"),
    "text": ("text", "label", "name", "title", "topic", "sentence"),
}
"""Accepted names of each column; if a header has several of them, the first one here counts."""

_DELIMITERS = ",\t;|"
_NO_PARENT = frozenset({"-1", "null", "None", "NULL", "none", "-", "–", "—"})
_RULE = re.compile(r"[\s:-]*")


def _header(document: Document) -> tuple[str, dict[str, int]] | None:
    """The delimiter and the indices of the columns, if the first filled line is such a header."""
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
        if "parent" in columns and not columns.keys().isdisjoint({"child", "id"}):
            return delimiter, columns
    return None


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no header, a row with too few fields, or edges that don't form a tree.
        LimitError: too large.
    """
    header = _header(document)
    if header is None:
        raise MapFormatError(
            "an edge list begins with a header line: parent,child or id,parent,text", line=document.first_line
        )
    delimiter, indices = header
    check_limit(document.text.count("\n"), MAX_LINES, "lines (or more) of text", "split it into smaller maps")
    rows: list[tuple[int, Record]] = []
    for line, row in list(read_rows(document.text, delimiter, first_line=document.first_line))[1:]:
        if delimiter == "|" and all(map(_RULE.fullmatch, row)):
            continue
        if max(indices.values()) >= len(row):
            missing = next(index for index in indices.values() if index >= len(row)) + 1
            raise MapFormatError(f"the row has {len(row)} fields, but column {missing} is needed", line=line)
        rows.append((line, {name: row[index] for name, index in indices.items()}))
    return [_read_nodes(rows) if "id" in indices else _read_pairs(rows)]


def _read_pairs(rows: list[tuple[int, Record]]) -> Forest:
    nodes: dict[str, Node] = {}
    for line, row in rows:
        for text in filter(None, (row["parent"], row["child"])):
            nodes.setdefault(text, Node(text, text, line))
    pairs = ((row["parent"], row["child"], line) for line, row in rows)
    return linked(nodes.values(), (pair for pair in pairs if pair[0] and pair[1]))


def _read_nodes(rows: list[tuple[int, Record]]) -> Forest:
    for line, row in rows:
        if not row["id"]:
            raise MapFormatError(f"the row has no id (text {quoted(row.get('text', ''))})", line=line)
    roots = {"", *_NO_PARENT.difference(row["id"] for _, row in rows)}
    edges = ((row["parent"], row["id"], line) for line, row in rows if row["parent"] not in roots)
    return linked((Node(row["id"], row.get("text", row["id"]), line) for line, row in rows), edges)


EDGES = Format(
    "edges", "CSV or TSV edge list", (".csv", ".tsv"), lambda text: _header(text) is not None, read
)
