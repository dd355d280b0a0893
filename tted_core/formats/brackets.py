"""Trees in brackets: {a{b}{c}} as papers on tree edit distance write them, and Newick."""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted

# Bracket notation of the tree edit distance tools (RTED, APTED): ``{root{child}{other child{leaf}}}``.
#
# A backslash makes the next character part of the label. Several trees in a file, one after the other, are
# several maps.

_OPENING = re.compile(r"\s*+\{(?!\s*+[\"'}])")
_BRACKET_TOKEN = re.compile(r"[{}]|[^{}\\]+|\\.|\\$", re.DOTALL)
_FLOW = re.compile(r":\s*[{}]|\}\s*,")


def matches_bracket(document: Document) -> bool:
    """Text that begins with a brace, but not as JSON does, and ends with one; no YAML in braces."""
    text = document.text
    return _OPENING.match(text) is not None and text.rstrip().endswith("}") and not _FLOW.search(text)


def read_bracket(document: Document) -> list[Forest]:
    """Read a map for each tree.

    Raises:
        MapFormatError: braces that don't match, or text outside them.
        LimitError: too large.
    """
    forests: list[Forest] = []
    path: list[int] = []
    for match in _BRACKET_TOKEN.finditer(document.text):
        piece = match[0]
        if piece == "{":
            if not path:
                forests.append(Forest())
            line = document.line_of(match.start())
            path.append(forests[-1].add("", path[-1] if path else -1, line=line))
        elif piece == "}" and path:
            path.pop()
        elif piece == "}":
            raise document.error_at(match.start(), "this '}' closes no '{'")
        elif piece.strip():
            _add_text(document, forests, path, match)
    if path:
        line = forests[-1].lines[path[-1]] or document.first_line
        raise MapFormatError(
            f"{counted(len(path), 'brace')} not closed, the last one since this line", line=line
        )
    if not forests:
        raise MapFormatError("the text holds no braces", line=document.first_line)
    return forests


def _add_text(document: Document, forests: list[Forest], path: list[int], match: re.Match[str]) -> None:
    if not path:
        raise document.error_at(match.start(), "text outside all braces; put the map into one pair of them")
    if path[-1] != len(forests[-1]) - 1:
        raise document.error_at(match.start(), "text after a node's children; it belongs before them")
    forests[-1].labels[path[-1]] += match[0][1:] if match[0][0] == "\\" else match[0]


BRACKET = Format(
    name="bracket",
    title="bracket notation {a{b}{c}}",
    extensions=(".bracket", ".txt"),
    matches=matches_bracket,
    read=read_bracket,
)


# Newick trees: ``((a,b)c,d)root;``, children in front of the node in parentheses.
#
# Labels may be in single quotes (a doubled quote stands for one); an underscore outside quotes is a space.
# Branch lengths and comments in brackets are not read. Own parser, since the package newick 1.11 recurses
# and takes a minute for 10^5 parentheses. Several trees in a file are several maps.

_NEWICK_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>\[[^\]]*\])|(?P<mark>[(),;])|(?P<length>:\s*[^\s()\[\],;:']*)|"
    r"(?P<quoted>'[^']*+(?:''[^']*+)*+')|(?P<bare>[^\s()\[\],;:']+)|(?P<other>.)"
)
_WHOLE = re.compile(r"\s*+(?:\[[^\]]*\]\s*+)?\(.*\)[^()]*;\s*\Z", re.DOTALL)


def matches_newick(document: Document) -> bool:
    """Text that begins with a parenthesis and ends with a semicolon, and at most a label before that."""
    return _WHOLE.match(document.text) is not None


def read_newick(document: Document) -> list[Forest]:
    """Read a map for each tree.

    Raises:
        MapFormatError: parentheses that don't match, or a character that has no place there.
        LimitError: too large.
    """
    reader = _Reader(document)
    for match in _NEWICK_TOKEN.finditer(document.text):
        reader.token(match)
    if reader.open or not reader.ended:
        raise document.error_at(
            len(document.text), "the tree is cut off; each '(' needs its ')' and the end a ';'"
        )
    if not reader.forests:
        raise MapFormatError("the text holds no tree", line=document.first_line)
    for forest in reader.forests:
        forest.tell(
            reader.ignored,
            f"not read: {counted(reader.ignored, 'branch length or comment', 'branch lengths and comments')}",
        )
    return reader.forests


class _Reader:
    """Builds the trees top-down: a node is added where its parenthesis opens and named where it closes."""

    def __init__(self, document: Document) -> None:
        self.forests: list[Forest] = []
        self.ignored = 0
        self.open: list[int] = []
        self.ended = True
        self._document = document
        self._node = -1  # the node that a label would name now
        self._named = False

    def token(self, match: re.Match[str]) -> None:
        kind = match.lastgroup
        if kind in {"comment", "length"}:
            self.ignored += 1
        elif kind == "other":
            raise self._document.error_at(match.start(), f"{match[0]!r} has no place here")
        elif kind in {"quoted", "bare"}:
            self._label(match)
        elif kind == "mark":
            self._mark(match[0], match.start())

    def _label(self, match: re.Match[str]) -> None:
        if self.ended:
            self._begin(match.start())
        forest = self.forests[-1]
        text = match[0][1:-1].replace("''", "'") if match[0][0] == "'" else match[0].replace("_", " ")
        forest.labels[self._node] += f" {text}" if self._named else text
        self._named = True

    def _begin(self, offset: int) -> None:
        self.forests.append(Forest())
        self.ended = False
        self._add(-1, offset)

    def _add(self, parent: int, offset: int) -> None:
        self._node = self.forests[-1].add("", parent, line=self._document.line_of(offset))
        self._named = False

    def _mark(self, mark: str, offset: int) -> None:
        if mark == "(":
            if self.ended:
                self._begin(offset)
            elif self._named or self._node < len(self.forests[-1]) - 1:  # with children
                raise self._document.error_at(
                    offset, "'(' after a label; children stand in front of their node"
                )
            self.open.append(self._node)
            self._add(self._node, offset)
        elif mark == ";":
            if self.open:
                raise self._document.error_at(
                    offset, f"';' before {counted(len(self.open), 'parenthesis', 'parentheses')} was closed"
                )
            self.ended = True
        elif not self.open:
            raise self._document.error_at(offset, f"{mark!r} outside all parentheses")
        elif mark == ",":
            self._add(self.open[-1], offset)
        else:
            self._node = self.open.pop()
            self._named = False


NEWICK = Format(
    name="newick",
    title="Newick",
    extensions=(".nwk", ".newick", ".tree"),
    matches=matches_newick,
    read=read_newick,
)
