"""Maps of programs in XML or archives: FreeMind and Freeplane, OPML outliners, XMind, MindManager.

defusedxml rejects entities and external references. Topics outside the hierarchy (floating, summaries, callouts)
are left out by default; notes and relations aren't nodes and are counted in a notice. Nothing is recursive.
"""

import html
import re
from collections import Counter
from collections.abc import Mapping
from functools import partial
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from tted_core.errors import MapFormatError, check_limit
from tted_core.formats.document import Document, Format, decode
from tted_core.formats.fields import records_of
from tted_core.formats.forest import Forest, Topics
from tted_core.formats.json_text import JsonValue, parse_json
from tted_core.formats.labels import without_tags
from tted_core.foundations.messages import counted

MAX_XML_TAGS = 600_000  # maximum tags in an XML text; fonts, edges and notes of maps are elements too

_ROOT = re.compile(
    r"\s*+(?:<\?.*?\?>\s*+|<!--.*?-->\s*+|<![^\[>]*+(?:\[[^\]]*+\]\s*+)?>\s*+)*+"
    r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)(?=[\s/>])",
    re.DOTALL,
)
_HEAD = 2_000  # characters searched for a document type
_DOCTYPE = re.compile(r"<!DOCTYPE\s++[^\s<>\[]++\s*+[^\s<>]", re.IGNORECASE)
# Characters that XML 1.0 forbids.
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_REFERENCE = re.compile(r"&#x?[0-9a-fA-F]{1,10};")
_BLOCK = re.compile("br|p|div|li|ul|ol|tr|td|th|h[1-6]|hr|table", re.IGNORECASE)


def text_inside(element: Element) -> str:
    """All text inside, with a line for each paragraph, item or cell; changes the element."""
    for part in element.iter():
        if _BLOCK.fullmatch(part.tag):
            part.text = f"\n{part.text or ''}"
    return "".join(element.itertext()).strip()


def root_name(text: str) -> str | None:
    """The local name of the root element, if the text looks like XML; nothing is parsed."""
    root = _ROOT.match(text[:20_000])
    return root[1] if root else None


def parse_xml(text: str, first_line: int, notices: list[str]) -> Element:
    """Parse a text as XML; a notice about a repair is added to ``notices``.

    Raises:
        MapFormatError: not well-formed, or with its own entities.
        LimitError: too many elements.
    """
    check_limit(text.count("<"), MAX_XML_TAGS, "tags in the XML", "split it into smaller maps")
    # Several programs write characters that XML forbids, raw or as references.
    allowed = _REFERENCE.sub(
        lambda found: found[0] if html.unescape(found[0]).strip("\N{REPLACEMENT CHARACTER}") else "",
        FORBIDDEN.sub("", text),
    )
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
        raise MapFormatError(
            f"the XML is not well-formed ({str(error).partition(':')[0]})",
            line=first_line - 1 + line,
            column=column + 1,
        ) from error
    if _DOCTYPE.search(text[:_HEAD]):
        notices.append("the <!DOCTYPE ...> at the beginning was ignored")
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
    return root


def unread_elements(root: Element, path: str, *read: str) -> Counter[str]:
    """The elements at a path, which have texts, except those of the names that are read, with their numbers."""
    return Counter(f"<{each.tag[:40]}>" for each in root.iterfind(path) if each.tag not in read)


def _find_topics(element: Element, paths: Mapping[str, str | None]) -> Topics[Element]:
    """The topics at these paths below an element, each with the path's kind if outside the hierarchy."""
    return [(topic, kind) for path, kind in paths.items() for topic in element.iterfind(path)]


# FreeMind and Freeplane ``.mm`` (also exported by Coggle): nested ``node`` elements below ``map``.
#
# The label is ``TEXT`` (in old files with HTML inside), or HTML in ``richcontent TYPE="NODE"``, or in Freeplane
# ``LOCALIZED_TEXT``. Notes and details are not labels, ``stylenode`` is not a node. WiseMapping has
# ``topic`` elements, whose label is ``text`` or an element of this name.


def read_freemind(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: other XML.
        LimitError: too large.
    """
    forest = Forest()
    root = parse_xml(document.text, document.first_line, forest.notices)
    forest.add_topics(
        _nodes(root),
        _nodes,
        lambda node: (
            _label_of(node),
            any(part.tag == "note" or part.get("TYPE") in {"NOTE", "DETAILS"} for part in node),
        ),
        "node",
        "notes or details",
    )
    forest.notice_unread(
        unread_elements(root, ".//*[@TEXT]", "node", "stylenode") + unread_elements(root, "relationship"),
        "other elements",
    )
    encrypted = sum("ENCRYPTED_CONTENT" in element.attrib for element in root.iter("node"))
    forest.notice_if(encrypted, f"the encrypted branches below {counted(encrypted, 'node')} can't be read")
    return [forest]


def _label_of(element: Element) -> str:
    rich = element.find("text") if element.tag == "topic" else element.find("richcontent[@TYPE='NODE']//body")
    inside = element.get("LOCALIZED_TEXT", "") if rich is None else text_inside(rich)
    return without_tags(element.get("TEXT", element.get("text", "")).strip() or inside)


def _nodes(element: Element) -> Topics[Element]:
    """The nodes directly below one, without Freeplane's empty ones that only begin a summary."""
    return [
        (node, None if node.find("hook[@NAME='SummaryNode']") is None else "summary node")
        for node in (*element.findall("node"), *element.findall("topic"))
        if node.get("TEXT") or len(node) != 1 or node.find("hook[@NAME='FirstGroupNode']") is None
    ]


# OPML 1 and 2 (WorkFlowy, OmniOutliner, Dynalist, Logseq ...): nested ``outline`` elements with ``@text``.
#
# Several outlines at the top are usual; the title in the head is the text of the node above them. Notes
# (``_note``) are not labels; an outline marked ``isComment`` is kept. HTML inside a text is removed.


def _read_opml(document: Document) -> list[Forest]:
    forest = Forest()
    root = parse_xml(document.text, document.first_line, forest.notices)
    forest.heading = root.findtext("head/title", "")
    forest.add_topics(
        _find_topics(root, {"body/outline": None}),
        partial(_find_topics, paths={"outline": None}),
        lambda outline: (
            without_tags(outline.get("text", "").strip() or outline.get("title", "")),
            bool(outline.get("_note", "").strip()),
        ),
        "outline",
    )
    forest.notice_unread(unread_elements(root, ".//*[@text]", "outline"), "other elements")
    return [forest]


OF_XML = (
    Format(
        "freemind",
        "FreeMind, Freeplane (.mm)",
        (".mm",),
        lambda document: root_name(document.text) == "map",
        read_freemind,
    ),
    Format(
        "opml",
        "OPML outline",
        (".opml",),
        lambda document: (root_name(document.text) or "").lower() == "opml",
        _read_opml,
    ),
)


# Archives


def _entry(document: Document, notices: list[str], *names: str) -> str:
    """The text of the first of these entries that an archive has; notices about it are added to ``notices``."""
    name = next((name for name in names if name in document.entries), None)
    if name is None:
        raise MapFormatError(f"this is no zip archive with {' or '.join(names)}, as this program writes it")
    text, repairs = decode(document.entries[name]())
    notices += repairs
    return text


# XMind: ``content.json`` (Zen, 2020 and later) or ``content.xml`` (XMind 8 and before). A Zen file also has a
# content.xml with one topic that recommends an update; content.json wins. A file has one map per sheet.

_XMIND = ("content.json", "content.xml")
_KINDS = {
    "attached": None,
    "detached": "floating topic",
    "summary": "summary topic",
    "callout": "callout",
}


def _read_xmind(document: Document) -> list[Forest]:
    manifest = "META-INF/manifest.xml"
    if manifest in document.entries and "encryption-data" in _entry(document, [], manifest):
        raise MapFormatError("the XMind file is encrypted; open it in XMind and save it without a password")
    notices: list[str] = []
    text = document.text if _is_zen(document) else _entry(document, notices, *_XMIND)
    forests, unread = (_old_sheets if text.lstrip().startswith("<") else _zen_sheets)(text, notices)
    if not forests:
        raise MapFormatError("the XMind file has no sheet with a topic")
    forests[0].notices[:0] = notices
    forests[0].notice_unread(unread, "other keys or elements")
    return forests


_OF_TOPICS = (
    *(
        "id",
        "class",
        "title",
        "titleUnedited",
        "attributedTitle",
        "children",
        "notes",
        "style",
        "markers",
        "image",
    ),
    *("href", "extensions", "boundaries", "summaries", "numbering", "position", "customWidth"),
)


def _is_zen(document: Document) -> bool:
    """Return True for the content.json of an XMind file outside of its archive."""
    value = document.json_or_none if '"rootTopic"' in document.text else None
    return value is not None and all(sheet.get("rootTopic") is not None for sheet in records_of(value))


def _zen_sheets(text: str, notices: list[str]) -> tuple[list[Forest], Counter[str]]:
    def below(topic: JsonValue) -> Topics[JsonValue]:
        children = topic.get("children") or JsonValue("object")
        return [
            (child, _KINDS.get(kind, f"{kind} topic"))
            for kind, topics in (children.pairs if children.keys else [("attached", children)])
            for child in ((topics,) if topics.keys else topics.items)
        ]

    def read(topic: JsonValue) -> tuple[str, bool]:
        label = topic.string("title") or "".join(run.string("text") for run in topic.below("attributedTitle"))
        return label, bool(topic.below("notes"))

    value, repairs = parse_json(text)
    notices += repairs
    sheets = [(sheet, root) for sheet in records_of(value) if (root := sheet.get("rootTopic")) is not None]
    unread = Counter(
        key
        for _, root in sheets
        for topic in root.walk()
        if "title" in topic.keys
        for key, item in topic.pairs
        if key not in _OF_TOPICS and item.holds_text
    )
    unread.update("relationships" for sheet, _ in sheets for _ in sheet.below("relationships"))
    return [
        Forest(sheet.string("title")).add_topics([(root, None)], below, read, "topic")
        for sheet, root in sheets
    ], unread


def _old_sheets(text: str, notices: list[str]) -> tuple[list[Forest], Counter[str]]:
    def below(topic: Element) -> Topics[Element]:
        return [
            (child, _KINDS.get(kind, f"{kind} topic"))
            for topics in topic.iterfind("children/topics")
            for kind in (topics.get("type", "attached"),)
            for child in topics.iterfind("topic")
        ]

    content = parse_xml(text, 1, notices)
    forests = [
        Forest(sheet.findtext("title")).add_topics(
            [(root, None)],
            below,
            lambda topic: (topic.findtext("title", ""), topic.find("notes") is not None),
            "topic",
        )
        for sheet in content.iterfind("sheet")
        if (root := sheet.find("topic")) is not None
    ]
    return forests, (
        unread_elements(content, ".//title/..", "topic", "sheet", "relationship")
        + unread_elements(content, ".//relationship")
    )


# MindManager: ``Document.xml`` with ``ap:Topic`` elements, whose labels are ``ap:Text/@PlainText``.


def _read_mindmanager(document: Document) -> list[Forest]:
    forest = Forest()
    root = parse_xml(_entry(document, forest.notices, "Document.xml"), 1, forest.notices)
    forest.add_topics(
        _find_topics(root, {"OneTopic/Topic": None}),
        partial(
            _find_topics,
            paths={"SubTopics/Topic": None, "FloatingTopics/Topic": "floating topic or callout"},
        ),
        lambda topic: (
            "".join(text.get("PlainText", "") for text in topic.findall("Text")),
            topic.find("NotesGroup") is not None,
        ),
        "topic",
    )
    forest.notice_unread(unread_elements(root, ".//Text/..", "Topic"), "other elements")
    return [forest]


# Formats that are zip archives themselves; any other archive contains maps.
ARCHIVES = (
    Format(
        "xmind",
        "XMind",
        (".xmind",),
        lambda document: not document.entries.keys().isdisjoint(_XMIND) or _is_zen(document),
        _read_xmind,
    ),
    Format(
        "mindmanager",
        "MindManager",
        (".mmap",),
        lambda document: "Document.xml" in document.entries,
        _read_mindmanager,
    ),
)
