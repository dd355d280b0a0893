"""DOT (Graphviz): edges give the hierarchy, the attribute ``label`` (else the id) the text.

Own parser for what a tree needs of the language, since pydot 4 takes 18 s for 10,000 edges and recurses: node and
edge statements, chains, groups in braces, attributes, comments. Subgraphs and clusters are no nodes. The edges of
an undirected graph are read in the direction in which they are written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import Graph
from tted_core.formats.forest import Forest
from tted_core.formats.labels import quoted, without_tags
from tted_core.foundations.limits import MAX_EDGES, check_limit

_OPENING = re.compile(
    r"(?:\s|//[^\n]*+|#[^\n]*+|/\*.*?\*/)*+(?:strict\s+)?(?:di)?graph\b(?:\s*(?:\w+|\"[^\"]*\"))?\s*\{",
    re.DOTALL | re.IGNORECASE,
)
_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/)|(?P<quoted>"[^"\\]*+(?:\\.[^"\\]*+)*+")|(?P<arrow>->|--)|"""
    r"""(?P<mark>[{}\[\]=;,:+])|(?P<word>-?(?:\.\d+|\d+(?:\.\d*)?)|[^\W\d]\w*)|(?P<html><)|(?P<other>.)""",
    re.DOTALL | re.MULTILINE,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_KEYWORDS = {"node", "edge", "graph"}


def matches(document: Document) -> bool:
    """``graph`` or ``digraph`` and a brace."""
    return "{" in document.text and _OPENING.match(document.text) is not None


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no DOT, or edges that make no tree.
        LimitError: too large.
    """
    return [_Parser(document).parse()]


@dataclass(slots=True)
class _Token:
    kind: str
    text: str
    offset: int


@dataclass(slots=True)
class _Group:
    """An open brace: the nodes named in it, and the nodes that an arrow before it comes from."""

    members: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)


class _Parser:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._labels: dict[str, str] = {}
        self._lines: dict[str, int] = {}
        self._edges: list[tuple[str, str, int]] = []
        self._tokens = self._tokenize()
        self._ahead = next(self._tokens, None)
        self._subject: str | None = None  # the node that attributes would describe

    def parse(self) -> Forest:
        if not _OPENING.match(self._document.text):
            raise MapFormatError("DOT begins with 'graph {' or 'digraph {'", line=self._document.first_line)
        while self._take().text != "{":
            pass
        groups = [_Group()]
        left: list[str] = []  # the nodes that the next arrow comes from
        sources: list[str] = []  # those that an arrow just read comes from
        while groups:
            token = self._take()
            sign = "" if token.kind == "quoted" else token.text
            if sign == "{":
                groups.append(_Group(sources=sources))
                left, sources = [], []
            elif sign == "}":
                left, sources = self._close(groups, token), []
            elif sign in {"->", "--"} and left:
                left, sources = [], left
            elif sign == "[":
                self._attributes()
            elif sign in {";", ","}:
                left, sources = [], []
            elif token.kind in {"mark", "arrow", "other"}:
                raise self._error(token, f"{quoted(sign)} has no place here")
            else:
                left, sources = self._statement(token, groups[-1], sources)
        return self._forest()

    def _close(self, groups: list[_Group], token: _Token) -> list[str]:
        """End a group: an arrow before it leads to all its nodes, and one behind it comes from them."""
        group = groups.pop()
        self._subject = None
        if groups:
            groups[-1].members += group.members
        return self._connect(group.sources, list(dict.fromkeys(group.members)), token)

    def _statement(self, token: _Token, group: _Group, sources: list[str]) -> tuple[list[str], list[str]]:
        """A name: a node, a default (node [...]), a graph attribute (a = b) or a subgraph's name."""
        word = token.text.lower() if token.kind == "word" else ""
        if word == "subgraph":
            if self._peek().kind in {"word", "quoted"}:
                self._take()
            return [], sources
        name = self._name(token)
        self._subject = None
        if self._takes("="):
            self._name(self._take())
            return [], []
        if word in _KEYWORDS:
            return [], []
        while self._takes(":"):  # a port
            self._take()
        self._lines.setdefault(name, self._document.line_of(token.offset))
        self._labels.setdefault(name, name)
        group.members.append(name)
        self._subject = None if sources else name
        return self._connect(sources, [name], token), []

    def _connect(self, sources: list[str], targets: list[str], token: _Token) -> list[str]:
        line = self._document.line_of(token.offset)
        count = len(self._edges) + len(sources) * len(targets)
        check_limit(count, MAX_EDGES, "edges (or more) in the graph", "split it into smaller maps")
        self._edges += [(source, target, line) for source in sources for target in targets]
        return targets

    def _attributes(self) -> None:
        """``[key=value, ...]`` behind one node sets its label; behind edges and defaults it means nothing."""
        while (token := self._take()).text != "]" or token.kind != "mark":
            if token.kind in {"mark", "arrow"}:
                if token.text in {"{", "}", "["}:
                    raise self._error(token, "the '[' of the attributes is not closed")
                continue
            key = self._name(token)
            if self._takes("="):
                value = self._take()
                if key == "label" and self._subject is not None:
                    self._labels[self._subject] = self._label(value, self._subject)

    def _label(self, token: _Token, name: str) -> str:
        if token.kind == "html":
            return without_tags(token.text[1:-1])
        text = self._name(token)
        return _ESCAPE.sub(
            lambda match: {"n": "\n", "l": "\n", "r": "\n", "N": name}.get(match[1], match[1]), text
        )

    def _name(self, token: _Token) -> str:
        """An id as text; quoted ones may be joined by +."""
        if token.kind not in {"word", "quoted", "html"}:
            raise self._error(token, f"expected a name, found {quoted(token.text)}")
        if token.kind != "quoted":
            return token.text
        text = _unquoted(token.text)
        while self._takes("+"):
            text += _unquoted(self._take().text)
        return text

    def _forest(self) -> Forest:
        graph = Graph()
        for name, label in self._labels.items():
            graph.node(name, label, line=self._lines[name])
        for parent, child, line in self._edges:
            graph.edge(parent, child, line=line)
        if not self._labels:
            raise MapFormatError("the graph has no nodes", line=self._document.first_line)
        return graph.forest()

    def _peek(self) -> _Token:
        if self._ahead is None:
            line = self._document.line_of(len(self._document.text))
            raise MapFormatError("the graph is cut off; a '}' is missing", line=line)
        return self._ahead

    def _take(self) -> _Token:
        token = self._peek()
        self._ahead = next(self._tokens, None)
        return token

    def _takes(self, mark: str) -> bool:
        """Take the next token if it is this mark; whether it was."""
        found = self._peek().kind == "mark" and self._peek().text == mark
        if found:
            self._take()
        return found

    def _error(self, token: _Token, message: str) -> MapFormatError:
        return MapFormatError(message, line=self._document.line_of(token.offset))

    def _tokenize(self) -> Iterator[_Token]:
        text = self._document.text
        position = 0
        while match := _TOKEN.match(text, position):
            kind = str(match.lastgroup)
            position = match.end()
            if kind == "html":
                position = _html_end(text, match.start())
                if not position:
                    line = self._document.line_of(match.start())
                    raise MapFormatError("the '<' that begins a label is not closed", line=line)
            if kind != "space":
                yield _Token(kind, text[match.start() : position], match.start())


def _unquoted(text: str) -> str:
    return text[1:-1].replace("\\\n", "").replace('\\"', '"')


def _html_end(text: str, start: int) -> int:
    """The offset behind the > that belongs to the < at ``start``; 0 if there is none."""
    depth = 0
    for match in re.compile("[<>]").finditer(text, start):
        depth += 1 if match[0] == "<" else -1
        if not depth:
            return match.end()
    return 0


DOT = Format(name="dot", title="DOT (Graphviz)", extensions=(".dot", ".gv"), matches=matches, read=read)
