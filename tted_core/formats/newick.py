"""Newick trees: ``((a,b)c,d)root;``, children in front of the node in parentheses.

Labels may be in single quotes (a doubled quote stands for one); an underscore outside quotes is a space. Branch
lengths and comments in brackets are not read. Own parser, since the package newick 1.11 recurses and takes a
minute for 10^5 parentheses. Several trees in a file are several maps.
"""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<comment>\[[^\]]*\])|(?P<mark>[(),;])|(?P<length>:\s*[^\s()\[\],;:']*)|"
    r"(?P<quoted>'[^']*+(?:''[^']*+)*+')|(?P<bare>[^\s()\[\],;:']+)|(?P<other>.)"
)
_WHOLE = re.compile(r"\s*+(?:\[[^\]]*\]\s*+)?\(.*\)[^()]*;\s*\Z", re.DOTALL)


def matches(document: Document) -> bool:
    """Text that begins with a parenthesis and ends with a semicolon, and at most a label before that."""
    return _WHOLE.match(document.text) is not None


def read(document: Document) -> list[Forest]:
    """Read a map for each tree.

    Raises:
        MapFormatError: parentheses that don't match, or a character that has no place there.
        LimitError: too large.
    """
    reader = _Reader(document)
    for match in _TOKEN.finditer(document.text):
        reader.token(match)
    if reader.open or not reader.ended:
        raise reader.error(
            len(document.text), "the tree is cut off; each '(' needs its ')' and the end a ';'"
        )
    if not reader.forests:
        raise MapFormatError("the text holds no tree", line=document.first_line)
    for forest in reader.forests:
        if reader.ignored:
            forest.notices.append(
                f"not read: {counted(reader.ignored, 'branch length or comment', 'branch lengths and comments')}"
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

    def error(self, offset: int, message: str) -> MapFormatError:
        column = offset - self._document.text.rfind("\n", 0, offset)
        return MapFormatError(message, line=self._document.line_of(offset), column=column)

    def token(self, match: re.Match[str]) -> None:
        kind = match.lastgroup
        if kind in {"comment", "length"}:
            self.ignored += 1
        elif kind == "other":
            raise self.error(match.start(), f"{match[0]!r} has no place here")
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
            elif self._named or self.forests[-1].labels[self._node] or self._closed:
                raise self.error(offset, "'(' after a label; children stand in front of their node")
            self.open.append(self._node)
            self._add(self._node, offset)
        elif mark == ";":
            if self.open:
                raise self.error(
                    offset, f"';' before {counted(len(self.open), 'parenthesis', 'parentheses')} was closed"
                )
            self.ended = True
        elif not self.open:
            raise self.error(offset, f"{mark!r} outside all parentheses")
        elif mark == ",":
            self._add(self.open[-1], offset)
        else:
            self._node = self.open.pop()
            self._named = False

    @property
    def _closed(self) -> bool:
        """Whether the current node already has children."""
        return self._node < len(self.forests[-1]) - 1


NEWICK = Format(
    name="newick", title="Newick", extensions=(".nwk", ".newick", ".tree"), matches=matches, read=read
)
