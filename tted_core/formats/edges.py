"""CSV or TSV edge list: columns ``parent,child``, or ``id,parent,text``, in any order, with a header line.

With two columns the text is the node; equal sentences are then one node, so a map that has them needs ids. An
empty parent marks the root.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.graph import Graph
from tted_core.formats.labels import quoted
from tted_core.limits import MAX_LINES, check_limit
from tted_core.tables import Row, read_rows

_PARENT = ("parent", "parent_id", "parentid", "parent id", "source", "from")
_CHILD = ("child", "target", "to")
_ID = ("id", "node", "node_id", "nodeid", "key")
_TEXT = ("text", "label", "name", "title", "topic", "sentence")
_DELIMITERS = ",\t;|"


def matches(document: Document) -> bool:
    """A header line with a parent column, and a child or an id column."""
    return _header(document) is not None


def _header(document: Document) -> tuple[str, list[str]] | None:
    """The delimiter and the column names, if the first filled line is such a header."""
    text = document.text.lstrip("\n")
    first = text[: text.find("\n")] if "\n" in text else text
    if len(first) > 1000:
        return None
    for delimiter in _DELIMITERS:
        names = [name.strip().strip("\"'").strip().lower() for name in first.split(delimiter)]
        if _column(names, _PARENT) is not None and (
            _column(names, _CHILD) is not None or _column(names, _ID) is not None
        ):
            return delimiter, names
    return None


def _column(names: list[str], known: tuple[str, ...]) -> int | None:
    return next((names.index(name) for name in known if name in names), None)


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
    delimiter, names = header
    check_limit(document.text.count("\n"), MAX_LINES, "lines (or more) of text", "split it into smaller maps")
    rows = list(read_rows(document.text, delimiter, first_line=document.first_line))[1:]
    identifier = _column(names, _ID)
    if identifier is None:
        return [_read_pairs(rows, _column(names, _PARENT) or 0, _column(names, _CHILD) or 0)]
    text = _column(names, _TEXT)
    return [_read_nodes(rows, identifier, _column(names, _PARENT) or 0, identifier if text is None else text)]


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
