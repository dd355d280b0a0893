"""XML text -> elements, parsed by defusedxml: entities and external references are rejected, depth is limited.

Elements are those of the standard library with a line and without a namespace; the text of HTML inside a map
(FreeMind's ``richcontent``) is read as a browser shows it. Nothing is recursive.
"""

import re
import sys
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from tted_core.errors import MapFormatError
from tted_core.formats.labels import counted, quoted
from tted_core.foundations.limits import MAX_DEPTH, check_limit

MAX_XML_NESTING = 4 * MAX_DEPTH
"""Maximum nesting of elements in an XML text; XMind needs three per level."""

MAX_XML_ELEMENTS = 300_000
"""Maximum elements in an XML text; fonts, edges and notes of maps are elements too."""

_PROLOGUE = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<![^\[>]*(?:\[[^\]]*\]\s*)?>\s*)*", re.DOTALL)
_DOCTYPE = re.compile(r"<!DOCTYPE[^>]*>?", re.IGNORECASE)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)(?=[\s/>])")
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 forbids."""

_CHARACTERS = re.compile(
    rf"&#(?:x0*(?P<hex>[0-9a-fA-F]{{1,8}})|0*(?P<decimal>[0-9]{{1,10}}));|{FORBIDDEN.pattern}"
)
_BLOCKS = {
    "br",
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "tr",
    "td",
    "th",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "table",
}
_UNSEEN = {"head", "style", "script"}


class _Element(Element):
    """An element that knows its line."""

    line = 0


def line_of(element: Element) -> int:
    """The line in which an element begins."""
    return element.line if isinstance(element, _Element) else 0


def shown(element: Element | None) -> str:
    """All text inside as a browser shows it, on one line; without heads, styles and scripts."""
    pieces: list[str] = []
    stack: list[Element | str] = [] if element is None else [element]
    while stack:
        part = stack.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif part.tag.lower() not in _UNSEEN:
            edge = "\n" if part.tag.lower() in _BLOCKS else ""
            pieces += [edge, part.text or ""]
            stack.append(edge)
            for child in reversed(part):
                stack += [child.tail or "", child]
    return "".join(pieces).strip()


def root_name(text: str) -> str | None:
    """The local name of the root element, if the text looks like XML; nothing is parsed."""
    if text.lstrip()[:1] != "<":
        return None
    start = _PROLOGUE.match(text[:20_000])
    root = _ROOT.match(text, start.end() if start else 0)
    return root[1] if root else None


def doctype_notices(text: str, first_line: int = 1) -> list[str]:
    """A notice if the text has a document type, which is ignored."""
    prologue = _PROLOGUE.match(text[:20_000])
    found = _DOCTYPE.search(prologue[0]) if prologue else None
    if found is None:
        return []
    line = first_line + text.count("\n", 0, found.start())
    return [f"the document type in line {line} was not read: {quoted(found[0])}"]


def _repaired(text: str, first_line: int, notices: list[str]) -> str:
    """The text without characters that XML 1.0 forbids, raw or as references, which several programs write."""
    lines: list[int] = []

    def leave_out(match: re.Match[str]) -> str:
        code = int(match["hex"], 16) if match["hex"] else int(match["decimal"] or 0)  # 0: no reference
        if code <= sys.maxunicode and not FORBIDDEN.match(chr(code)):
            return match[0]
        lines.append(first_line + text.count("\n", 0, match.start()) if not lines else 0)
        return ""

    repaired = _CHARACTERS.sub(leave_out, text)
    if lines:
        what = counted(len(lines), "character")
        notices.append(f"left out, since XML forbids them: {what} (the first in line {lines[0]})")
    return repaired


def parse_xml(text: str, first_line: int, notices: list[str]) -> Element:
    """Parse a text as XML; notices about repairs are added to ``notices``.

    Raises:
        MapFormatError: not well-formed, or with its own entities.
        LimitError: too many elements or levels.
    """
    builder = _Builder(first_line)
    parser = builder.parser = DefusedXMLParser(target=builder)
    try:
        # A blank line before the declaration is an error otherwise.
        parser.feed(_repaired(text, first_line, notices).lstrip())
        parser.close()
    except DefusedXmlException as error:
        raise MapFormatError(
            "the XML declares entities of its own or refers to other files, which is refused as unsafe; remove "
            "the <!DOCTYPE ...> at its beginning",
            line=first_line,
        ) from error
    except ParseError as error:
        line, column = error.position
        reason = str(error).partition(":")[0]
        raise MapFormatError(
            f"the XML is not well-formed ({reason})", line=first_line - 1 + line, column=column + 1
        ) from error
    except ValueError as error:
        raise MapFormatError(f"the XML can't be parsed ({error})", line=first_line) from error
    if builder.root is None:
        raise MapFormatError("the XML has no elements", line=first_line)
    return builder.root


class _Builder(TreeBuilder):
    """The parser's target: elements with lines and without namespaces, within the limits."""

    parser: DefusedXMLParser
    root: Element | None = None

    def __init__(self, first_line: int) -> None:
        super().__init__(_Element)
        self._first_line = first_line
        self._count = 0
        self._depth = 0

    def start(self, tag: str, attributes: dict[Any, Any]) -> Element:
        self._count += 1
        self._depth += 1
        line = self._first_line - 1 + self.parser.parser.CurrentLineNumber
        check_limit(
            self._count, MAX_XML_ELEMENTS, "elements (or more) in the XML", "split it into smaller maps"
        )
        levels = f"levels (or more) of XML in line {line}"
        check_limit(self._depth, MAX_XML_NESTING, levels, "flatten the map")
        local = {name.rpartition("}")[2]: value for name, value in attributes.items()}
        element = super().start(tag.rpartition("}")[2], local)
        if isinstance(element, _Element):
            element.line = line
        if self.root is None:
            self.root = element
        return element

    def end(self, tag: str) -> Element:
        self._depth -= 1
        return super().end(tag.rpartition("}")[2])
