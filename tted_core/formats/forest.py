"""``Forest``, the raw labels that readers collect, and ``to_tree`` for a ``TextTree``.

Readers only add nodes; limits, label repair, several roots and omitted topics are handled alike for all formats in
``to_tree``. Nothing here is recursive, so deep maps need no stack.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Self, TypeAlias, TypeVar

from tted_core.errors import MAX_DEPTH, MAX_NODES_READ, MapFormatError, Message, Setting, check_limit
from tted_core.formats.labels import LabelRepairs
from tted_core.foundations.messages import counted, list_some, quoted
from tted_core.tree import TextTree

Value = TypeVar("Value")
# Topics of a program, each with its kind if it is outside the hierarchy.
Topics: TypeAlias = Sequence[tuple[Value, str | None]]

# Handling of a map with several roots: put a node above them (the default), take the first, or raise an error.
ROOTS = ("join", "first", "error")


# The level of a line: its kind, the higher the smaller, and numbers within it; the first of an item is its column.
Level: TypeAlias = tuple[int, ...]
OF_TITLE, OF_HEADINGS, OF_BOLD, OF_ITEMS = range(4)


class Forest:
    """The nodes of one map as read: raw labels, parents by index, and line numbers.

    A parent is added before its children. ``aside`` marks the top node of something outside the hierarchy (a
    floating topic, a callout), which is left out by default.
    """

    def __init__(self, title: str | None = None) -> None:
        """Start empty; ``title`` names the map if a file has several.

        ``heading`` is the map's own title, which becomes the text of the node above several roots; by default
        ``title``. ``format`` is the name of the format it was read as.
        """
        self.title = title
        self.format = ""
        self.heading = title or ""
        self.labels: list[str] = []
        self.parents: list[int] = []
        self.lines: list[int | None] = []
        self.asides: dict[int, str] = {}
        self.notices: list[str] = []
        self.talk: tuple[str, ...] = ()
        # Of lines that are put below one another:
        self._path: list[tuple[Level, str, int]] = []  # levels, marks and nodes of the open lines
        self._opened: Counter[tuple[Level, str]] = Counter()
        self._more: dict[int, list[str]] = defaultdict(list)  # by node
        self._uneven: list[int] = []

    def __len__(self) -> int:
        return len(self.labels)

    def add(self, label: str, parent: int = -1, *, line: int | None = None, aside: str | None = None) -> int:
        """Add a node below ``parent`` (-1: a root) and return its index.

        Raises:
            LimitError: more nodes than allowed.
        """
        node = len(self.labels)
        check_limit(node + 1, MAX_NODES_READ, "nodes (or more) in the map", "split it into smaller maps")
        self.labels.append(label)
        self.parents.append(parent)
        self.lines.append(line)
        if aside is not None:
            self.asides[node] = aside
        return node

    def put_above(self, label: str) -> int:
        """Put a node above all roots, and return its index, the last."""
        root = len(self)
        self.parents = [root if parent < 0 else parent for parent in self.parents]
        return self.add(label)

    def remove(self, nodes: Collection[int]) -> None:
        """Remove nodes; what is below them moves to the nearest node above that stays. A parent comes first."""
        kept = [node for node in range(len(self)) if node not in nodes]
        position = {-1: -1} | {node: index for index, node in enumerate(kept)}
        for node in sorted(nodes):
            position[node] = position[self.parents[node]]
        self.labels = [self.labels[node] for node in kept]
        self.lines = [self.lines[node] for node in kept]
        self.parents = [position[self.parents[node]] for node in kept]

    def remove_empty(self, kept: Collection[int]) -> None:
        """Remove nodes without a text, but those kept and roots with children; a notice names them."""
        parents = set(self.parents)
        empty = [
            node
            for node, label in enumerate(self.labels)
            if not label.strip() and node not in kept and (self.parents[node] >= 0 or node not in parents)
        ]
        moved = "" if parents.isdisjoint(empty) else " (children went below the node above)"
        self.notice_if(
            empty,
            f"{counted(len(empty), 'list item')} without text left out{moved}: "
            f"{list_some(f'line {self.lines[node]}' for node in empty)}",
        )
        self.remove(set(empty))

    def walk(
        self, tops: Sequence[Value], below: Callable[[Value], Sequence[Value]]
    ) -> Iterator[tuple[Value, int]]:
        """Iterate in preorder over everything nested in ``tops``, each with its parent node (-1: none).

        The caller adds one node for each item before it takes the next. ``below`` returns items nested in one.
        """
        stack = [(top, -1) for top in reversed(tops)]
        while stack:
            value, parent = stack.pop()
            yield value, parent
            stack.extend((child, len(self) - 1) for child in reversed(below(value)))

    def add_topics(
        self,
        tops: Topics[Value],
        below: Callable[[Value], Topics[Value]],
        read: Callable[[Value], tuple[str, bool]],
        noun: str,
        notes: str = "notes",
    ) -> Self:
        """Add topics with all that are nested in them, and a notice about those that have notes, if any.

        Args:
            tops: the topics at the top.
            below: returns the topics in one.
            read: returns a topic's label, and True if it has a note.
            noun: the program's word for its topics.
            notes: its word for the notes.

        Raises:
            LimitError: more nodes than allowed.
        """
        annotated = 0
        for (topic, aside), parent in self.walk(tops, lambda each: below(each[0])):
            label, has_note = read(topic)
            annotated += has_note
            self.add(label, parent, aside=aside)
        self.notice_if(annotated, f"the {notes} of {counted(annotated, noun)} are not part of the labels")
        return self

    def notice_if(self, occurred: object, notice: str) -> None:
        """Add a notice if something was decided or repaired, that is, if ``occurred`` is true."""
        if occurred:
            self.notices.append(notice)

    def notice_unread(self, unread: Mapping[str, int], kind: str = "other keys") -> None:
        """Add a notice about keys or elements with a text that the reader doesn't know, if any; name -> count."""
        names = list_some(f"{quoted(name)} ({counted(count, 'time')})" for name, count in unread.items())
        self.notice_if(unread, f"{kind} were not read: {names}")

    def path(self, node: int) -> str:
        """A node for messages: its label behind that of its parent, shortened."""
        return " > ".join(quoted(self.labels[each]) for each in (self.parents[node], node) if each >= 0)

    def location(self, node: int) -> str:
        """Line and path of a node, for notices."""
        line = self.lines[node]
        return self.path(node) if line is None else f"line {line} ({self.path(node)})"

    def preorder(self, *, asides: bool) -> list[int]:
        """The nodes in preorder; ``asides`` includes those outside the hierarchy."""
        children: list[list[int]] = [[] for _ in range(len(self) + 1)]  # the last: the roots
        for node, parent in enumerate(self.parents):
            if asides or node not in self.asides:
                children[parent].append(node)
        return [node for node, _ in self.walk(children[-1], children.__getitem__)]

    @property
    def last(self) -> int:
        """The node of the last line, or of its parent if that has none (-1: none)."""
        return self._path[-1][2] if self._path else -1

    def add_at(self, label: str | None, level: Level, mark: str = "", *, line: int) -> None:
        """Add a node below the last node of a higher level (a smaller number).

        Levels of several numbers are compared lexicographically. If their first three numbers are equal, equal
        marks make siblings; a mark that is open further out closes all up to it, any other one starts children.
        Without a label no node is added, and what follows belongs to the parent.

        Raises:
            LimitError: more nodes than allowed.
        """
        opened = self._opened
        beside = level
        while self._path:
            last, its_mark, _ = self._path[-1]
            is_beside = last[:3] == level[:3] and its_mark != mark
            if not (opened[level[:3], mark] if is_beside else last >= level):
                break
            opened[last[:3], its_mark] -= 1
            self._path.pop()
            beside = last
        if not mark and beside[0] == level[0] == OF_ITEMS and beside[1] > level[1]:
            self._uneven.append(line)
        node = self.last if label is None else self.add(label, self.last, line=line)
        self._path.append((level, mark, node))
        opened[level[:3], mark] += 1

    def go_on(self, text: str) -> None:
        """Continue the text of the last node."""
        self._more[self.last].append(text)

    def finish(self, between: str = " ") -> Self:
        """Join continued texts, and add a notice about uneven columns."""
        for node, texts in self._more.items():
            self.labels[node] = between.join([self.labels[node], *texts])
        first = min(self._uneven, default=0)
        self.notice_if(
            first,
            f"line {first} is indented less than the line above, but as far as no other line; it was taken as a "
            f"sibling ({counted(len(self._uneven), 'line')})",
        )
        return self


def to_tree(forest: Forest, *, roots: str, include_floating: bool = False) -> tuple[TextTree, list[str], int]:
    """Build a tree from the nodes read; returns it, a notice for every repair and omission, and the joined roots.

    The last is the number of roots that were put below an added node (0: none).

    Args:
        forest: the result of a reader.
        roots: one of ``ROOTS``.
        include_floating: keep floating topics and the like, below the root or the topic they belong to.

    Raises:
        MapFormatError: no nodes, or several roots and ``roots`` is "error".
        LimitError: too many levels, or a label that is too long.
    """
    notices = list(forest.notices)
    if forest.talk:
        notices.insert(0, f"left out, as talk around the map: {list_some(map(quoted, forest.talk))}")
    order = forest.preorder(asides=include_floating)
    missing = len(forest) - len(order)
    if not order:
        raise MapFormatError("the map has no nodes; give a text with at least one")
    tops = [node for node in order if forest.parents[node] < 0]
    if len(tops) > 1:
        order = _settle_roots(forest, order, tops, roots, notices)
    joined = len(tops) if len(tops) > 1 and roots == "join" else 0

    repairs = LabelRepairs()
    position = {-1: -1} | {node: index for index, node in enumerate(order)}
    tree = TextTree(
        tuple(repairs.clean(forest.labels[node], partial(forest.location, node)) for node in order),
        tuple(position[forest.parents[node]] for node in order),
    )
    notices += repairs.notices()
    if tree.depth > MAX_DEPTH:
        deep = order[tree.depths.index(MAX_DEPTH + 1)]
        check_limit(tree.depth, MAX_DEPTH, f"levels, as at {forest.location(deep)}", "flatten the map")
    if forest.asides:
        names = list_some(f"{kind} {quoted(forest.labels[node])}" for node, kind in forest.asides.items())
        notices.append(
            f"topics outside the hierarchy were included as children: {names}"
            if include_floating
            else Message(
                f"left out, since outside the hierarchy: {names}; ",
                Setting("include_floating", True),
                f" includes them ({counted(missing, 'node')})",
            )
        )
    return tree, notices, joined


def _settle_roots(
    forest: Forest, order: list[int], tops: list[int], roots: str, notices: list[str]
) -> list[int]:
    """The nodes that stay if a map has several roots (``tops``); what was done is added to the notices."""
    count = f"the map has {len(tops):,} roots"
    names = [quoted(forest.labels[node]) for node in tops]
    if roots == "error":
        raise MapFormatError(
            Message(
                f"{count} ({list_some(names)}), which ",
                Setting("roots", "error"),
                " refuses; choose ",
                Setting("roots", "join"),
                ", one node above them all, or ",
                Setting("roots", "first"),
                ", only the first",
            ),
            line=forest.lines[tops[1]],
        )
    if roots == "join":
        label = forest.heading.strip() or f"({len(tops)} roots)"
        title = ", the title of the file," if forest.heading.strip() else ""
        notices.append(
            Message(
                f"{count} ({list_some(names)}); the node {quoted(label)}{title} was put above them, which costs "
                "like any other node and changes distances (",
                Setting("roots", "first"),
                " takes one root)",
            )
        )
        return [forest.put_above(label), *order]
    end = order.index(tops[1])
    notices.append(
        f"{count}; only the first, {names[0]}, was taken; the others ({list_some(names[1:])}) were left out, "
        f"{len(order) - end:,} nodes in all"
    )
    return order[:end]
