"""XML text -> elements without namespaces, by defusedxml, which rejects entities and external references.

The text of HTML inside a map (FreeMind's ``richcontent``) is read as a browser shows it. Nothing is recursive.
"""

import html
import re
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from tted_core.errors import MapFormatError
from tted_core.foundations.limits import check_limit

MAX_XML_TAGS = 600_000
"""Maximum tags in an XML text; fonts, edges and notes of maps are elements too."""

_PROLOGUE = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<![^\[>]*(?:\[[^\]]*\]\s*)?>\s*)*", re.DOTALL)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)(?=[\s/>])")
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 forbids."""

_CHARACTERS = re.compile(rf"&#x?[0-9a-fA-F]{{1,10}};|{FORBIDDEN.pattern}")
_BLOCK = re.compile("br|p|div|li|ul|ol|tr|td|th|h[1-6]|hr|table", re.IGNORECASE)
_UNSEEN = frozenset({"head", "style", "script"})


def shown(element: Element | None) -> str:
    """All text inside as a browser shows it; without heads, styles and scripts."""
    if element is None:
        return ""
    for part in list(element.iter()):
        if part.tag.lower() in _UNSEEN:
            part.clear()
        elif _BLOCK.fullmatch(part.tag):
            part.text = f"\n{part.text or ''}"
            part.tail = f"\n{part.tail or ''}"
    return "".join(element.itertext()).strip()


def root_name(text: str) -> str | None:
    """The local name of the root element, if the text looks like XML; nothing is parsed."""
    if text.lstrip()[:1] != "<":
        return None
    start = _PROLOGUE.match(text[:20_000])
    root = _ROOT.match(text, start.end() if start else 0)
    return root[1] if root else None


def parse_xml(text: str, first_line: int, notices: list[str]) -> Element:
    """Parse a text as XML; a notice about a repair is added to ``notices``.

    Raises:
        MapFormatError: not well-formed, or with its own entities.
        LimitError: too many elements.
    """
    check_limit(text.count("<"), MAX_XML_TAGS, "tags in the XML", "split it into smaller maps")
    allowed = _CHARACTERS.sub(_allowed, text)
    if allowed != text:
        notices.append("characters that XML forbids were left out")
    try:
        root = fromstring(allowed.lstrip())  # a blank line before the declaration is an error otherwise
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
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
    return root


def _allowed(match: re.Match[str]) -> str:
    """A reference to a character that XML allows; several programs write others, raw or as references."""
    is_reference = len(match[0]) > 1 and html.unescape(match[0]) not in {"", "\N{REPLACEMENT CHARACTER}"}
    return match[0] if is_reference else ""
