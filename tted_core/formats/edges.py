"""Maps that are lists of links, such as tables of edges (parent, child) as CSV or TSV.

Nodes and edges in any order become a ``Forest``. Errors that only links can have (an unknown end, two parents, a
cycle, a self-loop) name the nodes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import chain

from tted_core.errors import MAX_LINES, MapFormatError, check_limit
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.foundations.messages import list_some, quoted
from tted_core.foundations.tables import delimiter_of, read_rows


def link_nodes(nodes: Iterable[tuple[str, str]], edges: Iterable[tuple[str, str]]) -> Forest:
    """A forest of nodes in any order; siblings in the order of their edges, roots in that of the nodes.

    Args:
        nodes: the key and label of each node.
        edges: the keys of parent and child; without a parent, the child is a root.

    Raises:
        MapFormatError: a repeated or unknown id, a self-loop, a second parent, or a cycle.
        LimitError: too many nodes.
    """
    known: dict[str, str] = {}
    for key, label in nodes:
        if key in known:
            raise MapFormatError(f"the id {_shown(key, known)} occurs twice; each node needs its own")
        known[key] = label
    numbers = Counter(edges)
    parents = _parents(numbers, known)
    children: dict[str, list[str]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    try:
        TopologicalSorter(children).prepare()
    except CycleError as error:
        names = " > ".join(_shown(key, known) for key in reversed(error.args[1][-8:]))
        raise MapFormatError(f"the edges form a cycle: {names}; a mind map has no cycles") from error
    forest = Forest()
    roots = [key for key in known if key not in parents]
    for key, above in forest.walk(roots, lambda key: children.get(key, [])):
        forest.add(known[key], above)
    repeated = [edge for edge, number in numbers.items() if number > 1]
    forest.notice_if(
        repeated,
        "edges that occur more than once count once: "
        + list_some(f"{_shown(parent, known)} > {_shown(child, known)}" for parent, child in repeated),
    )
    return forest


def _shown(key: str, known: Mapping[str, str]) -> str:
    """A node in a message: its id, and its label if that is another text."""
    label = known.get(key, "")
    return quoted(key) if label in {"", key} else f"{quoted(key)} ({quoted(label)})"


def _parents(edges: Iterable[tuple[str, str]], known: Mapping[str, str]) -> dict[str, str]:
    """Each child's parent, in the order of the edges."""
    parents: dict[str, str] = {}
    for named, child in edges:
        parent = "" if named.lower() in NO_PARENT and named not in known else named
        unknown = next((key for key in (parent, child) if key and key not in known), None)
        if unknown is not None:
            raise MapFormatError(f"no node has the id {quoted(unknown)}, which an edge names")
        if parent and parent == child:
            raise MapFormatError(f"the node {_shown(child, known)} is its own parent; remove that edge")
        if parent and parents.setdefault(child, parent) != parent:
            raise MapFormatError(
                f"the node {_shown(child, known)} has two parents, {_shown(parents[child], known)} and "
                f"{_shown(parent, known)}; in a mind map each node has one. If these are two nodes with the same "
                "text, give them different ids"
            )
    return parents


# CSV or TSV edge list: columns ``parent,child``, or ``id,parent,text``, in any order, with a header line.
#
# With two columns the text is the node's identity, so a map with equal sentences needs ids. An empty parent marks
# the root.

# Accepted names of each column; if a header has several of them, the first one here counts.
_NAMES = {
    "parent": ("parent", "parent_id", "parentid", "source", "from"),
    "child": ("child", "target", "to"),
    "id": ("id", "node", "node_id", "key"),
    "text": ("text", "label", "name", "title", "topic", "sentence"),
}

_DELIMITERS = ",\t;|"  # the last: of tables in Markdown
# Parents that mean that there is none, if no node has such an id.
NO_PARENT = frozenset({"-1", "0", "#", "null", "none", "-"})


def _header(text: str) -> dict[str, int] | None:
    """The indices of the columns, if the first filled line is such a header."""
    first = text.lstrip("\n").partition("\n")[0][:1000]
    names = [
        name.strip().strip("\"'").strip().lower() for name in first.split(delimiter_of(first, _DELIMITERS))
    ]
    columns = {
        column: names.index(name)
        for column, known in _NAMES.items()
        for name in reversed(known)
        if name in names
    }
    return columns if "parent" in columns and not columns.keys().isdisjoint({"child", "id"}) else None


def read_edges(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no header, a row with too few fields, or edges that don't form a tree.
        LimitError: too large.
    """
    columns = _header(document.text)
    if columns is None:
        raise MapFormatError(
            "an edge list begins with a header line: parent,child or id,parent,text", line=document.first_line
        )
    check_limit(document.text.count("\n"), MAX_LINES, "lines (or more) of text", "split it into smaller maps")
    rows: list[dict[str, str]] = []
    delimiter = delimiter_of(document.text, _DELIMITERS)
    for line, row in read_rows(document.text, delimiter, first_line=document.first_line):
        if not any(cell.strip(" :-") for cell in row):  # the line below a header in Markdown
            continue
        if max(columns.values()) >= len(row):
            raise MapFormatError(
                f"the row has {len(row)} fields, but {max(columns.values()) + 1} are needed", line=line
            )
        rows.append({name: row[index] for name, index in columns.items()})
        if "id" in columns and not rows[-1]["id"]:
            raise MapFormatError(f"the row has no id (text {quoted(rows[-1].get('text', ''))})", line=line)
    key = "id" if "id" in columns else "child"
    pairs = [(row["parent"], row[key]) for row in rows[1:]]
    nodes = (
        [(row["id"], row.get("text", row["id"])) for row in rows[1:]]
        if key == "id"
        else [(text, text) for text in dict.fromkeys(filter(None, chain(*pairs)))]
    )
    return [link_nodes(nodes, (pair for pair in pairs if pair[1]))]


EDGES = Format(
    "edges",
    "CSV or TSV edge list",
    (".csv", ".tsv"),
    lambda document: _header(document.text) is not None,
    read_edges,
)
