"""HTML: headings and nested lists, as in Markdown; what outliners and word processors export as a web page.

A list belongs to the item that it stands in, or follows if it stands between two, else to the heading above it.
Tags are only told apart: nothing is run, loaded or shown.
"""

import re
from collections import defaultdict
from html.parser import HTMLParser

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted
from tted_core.formats.xml_tree import root_name
from tted_core.foundations.limits import MAX_HTML_CHARACTERS, check_limit

_ROOTS = {
    "html",
    "body",
    "main",
    "article",
    "section",
    "div",
    "ul",
    "ol",
    *(f"h{level}" for level in range(1, 7)),
}
_ITEM = re.compile(r"<li[\s>]", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(r"h[1-6]\Z")
_LISTS = {"ul", "ol", "menu"}
_UNSEEN = {"script", "style", "template", "noscript"}
_BREAKS = {"br", "p", "div", "td", "th", "tr"}


def matches(document: Document) -> bool:
    """A page or a piece of one, with a list item in it."""
    root = root_name(document.text)
    return root is not None and root.lower() in _ROOTS and _ITEM.search(document.text) is not None


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no list and no heading in it.
        LimitError: too large.
    """
    check_limit(len(document.text), MAX_HTML_CHARACTERS, "characters of HTML", "split it into smaller maps")
    text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), document.text)
    outline = _Outline(document.first_line)
    # Behind the last bracket is no tag, and the parser would look for its end again and again.
    end = text.rfind(">") + 1
    outline.feed(text[:end])
    outline.close()
    if not outline.forest.labels:
        raise MapFormatError("the HTML holds no heading and no list item", line=document.first_line)
    return [outline.finished()]


class _Outline(HTMLParser):
    """Adds a node for each heading and item as their tags come."""

    def __init__(self, first_line: int) -> None:
        super().__init__(convert_charrefs=True)
        self.forest = Forest()
        self._before = first_line - 1
        self._texts: defaultdict[int, list[str]] = defaultdict(list)  # of each node, in pieces
        # For each open list: its parent, its last item, and that again if it is open.
        self._lists: list[list[int]] = []
        self._heading = -1
        self._unseen = ""
        self._title: list[str] | None = None
        self._left_out = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the parser's
        if self._unseen:
            return
        if tag in _UNSEEN:
            self._unseen = tag
        elif tag == "title" and not self.forest.heading:
            self._title = []
        elif tag in _LISTS:
            self._lists.append([self._above(), -1, -1])
            self._heading = -1
        elif tag == "li":
            if not self._lists:
                self._lists.append([self._above(), -1, -1])
            node = self.forest.add("", self._lists[-1][0], line=self._line())
            self._lists[-1][1:] = [node, node]
        elif _HEADING.match(tag) and not self._is_in_item():
            self._lists.clear()
            self._heading = self.forest.add_at("", int(tag[1]), line=self._line())
        elif tag in _BREAKS:
            self._take(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unseen:
            self._unseen = ""
        elif tag == "title" and self._title is not None:
            self.forest.heading = " ".join("".join(self._title).split())
            self._title = None
        elif tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag == "li" and self._lists:
            self._lists[-1][2] = -1
        elif _HEADING.match(tag):
            self._heading = -1
        elif tag in _BREAKS:
            self._take(" ")

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        if self._title is not None:
            self._title.append(data)
        elif not self._take(data):
            self._left_out += not data.isspace()

    def finished(self) -> Forest:
        """The forest with its texts."""
        for node, pieces in self._texts.items():
            self.forest.labels[node] = " ".join("".join(pieces).split())
        what = counted(self._left_out, "text")
        self.forest.tell(
            self._left_out, f"only headings and list items are nodes; not read: {what} outside of them"
        )
        return self.forest

    def _is_in_item(self) -> bool:
        return bool(self._lists) and self._lists[-1][2] >= 0

    def _above(self) -> int:
        """The parent of a list that begins here."""
        if self._lists:
            return self._lists[-1][1] if self._lists[-1][1] >= 0 else self._lists[-1][0]
        return self.forest.last

    def _line(self) -> int:
        return self._before + self.getpos()[0]

    def _take(self, text: str) -> bool:
        """Add a text to the heading or item that it stands in, if it stands in one."""
        node = self._heading if self._heading >= 0 else self._lists[-1][2] if self._lists else -1
        if node >= 0:
            self._texts[node].append(text)
        return node >= 0


HTML = Format(
    name="html", title="HTML headings and lists", extensions=(".html", ".htm"), matches=matches, read=read
)
