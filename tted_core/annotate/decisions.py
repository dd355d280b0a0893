"""People's decisions, in one SQLite file: statuses of findings, choices of changes, and edits of maps."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Literal, NamedTuple, TypeAlias

import platformdirs

from tted_core.errors import DatabaseError, InvalidTreeError
from tted_core.formats import FORMATS, WRITERS, MindMap, map_text
from tted_core.foundations.output import private_database
from tted_core.tree import TextTree

TABLE = (
    "CREATE TABLE IF NOT EXISTS marks (scope TEXT, key TEXT, value TEXT NOT NULL, note TEXT NOT NULL, "
    "PRIMARY KEY (scope, key)) WITHOUT ROWID"
)


class Mark(NamedTuple):
    """A status of a finding, or a choice for a change, with a note."""

    value: str
    note: str = ""


def marks(scope: str) -> dict[str, Mark]:
    """Return the marks of a map (``TextTree.digest``) or of a pair of maps, by the keys of findings or changes."""
    if not _file().exists():  # made by the first mark
        return {}
    with _transaction() as connection:
        rows = connection.execute("SELECT key, value, note FROM marks WHERE scope = ?", (scope,))
        return {key: Mark(value, note) for key, value, note in rows}


def mark(scope: str, given: Mapping[str, Mark | None]) -> None:
    """Set these marks and leave the others, all or none; None removes one."""
    with _transaction() as connection:
        for key, each in given.items():
            if each is None:
                connection.execute("DELETE FROM marks WHERE scope = ? AND key = ?", (scope, key))
            else:
                connection.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)", (scope, key, *each))


def _file() -> Path:
    chosen = os.environ.get("TTED_DECISIONS")
    return (
        Path(chosen) if chosen else platformdirs.user_data_path("tted", appauthor=False) / "decisions.sqlite"
    )


@contextmanager
def _transaction() -> Iterator[sqlite3.Connection]:
    file = _file()
    try:
        with private_database(file, "IMMEDIATE", TABLE, wait_seconds=60) as connection:
            yield connection
    except (OSError, sqlite3.Error) as error:
        raise DatabaseError(
            f"the file of decisions {str(file)!r} can't be used ({error}); let TTED_DECISIONS name another"
        ) from error


EditKind: TypeAlias = Literal["rename", "move", "delete", "merge"]


class Edit(NamedTuple):
    """One step; nodes are preorder indices in the map before it.

    Attributes:
        kind: *rename* a node, *move* its branch below another node as the last child, *delete* its branch, or
            *merge* it with another node, which keeps its own text and takes over the children.
        node: the node.
        goal: the other node of a move or a merge.
        text: the text of a rename.
    """

    kind: EditKind
    node: int
    goal: int = 0
    text: str = ""


def apply_edits(tree: TextTree, edits: Iterable[Edit]) -> tuple[TextTree, list[int]]:
    """Apply edits one after the other; also return for each node of the new map the one in the map before.

    Raises:
        InvalidTreeError: a node doesn't exist, or the root or a node's own branch is in the way.
    """
    origins = list(range(len(tree)))
    for edit in edits:
        tree, kept = _after(tree, edit)
        origins = [origins[node] for node in kept]
    return tree, origins


def goals(tree: TextTree, node: int) -> tuple[int, ...]:
    """The nodes that a node can be moved below or merged with: all outside its branch; none for the root."""
    branch = range(node, node + tree.sizes[node])
    return tuple(each for each in range(len(tree)) if node and each not in branch)


def _after(tree: TextTree, edit: Edit) -> tuple[TextTree, list[int]]:
    """The map after one edit, and the nodes that stay in it, in its order."""
    kind, node, goal, text = edit
    if not 0 <= node < len(tree):
        raise InvalidTreeError(f"there is no node {node} to {kind}; the map has {len(tree)}")
    if kind == "rename":
        labels = [*tree.labels[:node], text, *tree.labels[node + 1 :]]
        return replace(tree, labels=tuple(labels)), list(range(len(tree)))
    if node == 0:
        raise InvalidTreeError(f"the root is where the map begins; {kind} another node, or rename it")
    if kind != "delete" and goal not in goals(tree, node):
        raise InvalidTreeError(f"node {node} can't {kind} with node {goal}; choose one outside its branch")
    branch = range(node, node + tree.sizes[node])
    heads = {"move": (node,), "merge": tree.children[node], "delete": ()}[kind]
    taken = [each for each in branch[kind == "merge" :] if heads]
    end = goal + tree.sizes[goal]
    kept = [each for each in range(end) if each not in branch] + taken
    kept += [each for each in range(end, len(tree)) if each not in branch]
    number = {each: new for new, each in enumerate(kept)}
    parents = (number.get(goal if each in heads else tree.parents[each], -1) for each in kept)
    return TextTree(tuple(tree.labels[each] for each in kept), tuple(parents)), kept


def edits_scope(tree: TextTree) -> str:
    """The scope of a map's edits among the marks; ``tree`` is the map before all of them."""
    return f"edits {tree.digest}"


def read_edits(tree: TextTree) -> dict[str, Edit]:
    """The edits of a map that are kept, in their order, by their keys among the marks."""
    kept = marks(edits_scope(tree))
    return {key: Edit(*json.loads(kept[key].value)) for key in sorted(kept)}


def next_edit(kept: Iterable[str], edit: Edit) -> dict[str, Mark]:
    """The mark of an edit that comes after those with these keys."""
    return {f"{int(max(kept, default='0')) + 1:06}": Mark(json.dumps(edit))}


def map_file(mind_map: MindMap) -> tuple[str, bytes, tuple[str, ...]]:
    """Return the name and content of a map's file in the format in which the map came, and notices.

    Where that format isn't written, it is Markdown, and a notice says so.
    """
    path, notices = PurePosixPath(mind_map.name or "map"), []
    chosen = mind_map.format if mind_map.format in WRITERS else "markdown"
    if chosen != mind_map.format or not path.suffix:
        path = path.with_suffix(WRITERS[chosen].extension)
    if chosen != mind_map.format:
        notices = [f"{FORMATS[mind_map.format].title} can be read but not written; it is saved as Markdown"]
    text, more = map_text(mind_map.tree, chosen)
    content = text.encode("utf-8", "surrogatepass")
    return path.as_posix(), content, tuple(f"{path}: {each}" for each in (*notices, *more))
