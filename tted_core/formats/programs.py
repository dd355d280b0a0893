"""Files of mind-map programs: XMind, MindManager, SimpleMind, FreeMind and Freeplane, OPML outliners.

Those of the first three are zip archives. Topics outside the hierarchy (floating, summaries, callouts) are left
out by default; notes and relations between topics are not nodes and are counted in a notice.

XML is parsed by defusedxml, which rejects entities and external references. Nothing is recursive.
"""

import html
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import Node, linked
from tted_core.formats.folder import read_entry
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue, parse_json, unread_keys
from tted_core.formats.labels import counted, has_tags, quoted, without_tags
from tted_core.foundations.limits import check_limit

MAX_XML_TAGS = 600_000
"""Maximum tags in an XML text; fonts, edges and notes of maps are elements too."""

_PROLOGUE = re.compile(r"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<![^\[>]*(?:\[[^\]]*\]\s*)?>\s*)*", re.DOTALL)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)(?=[\s/>])")
_HEAD = 2_000  # characters searched for a document type
_DOCTYPE = re.compile(r"<!DOCTYPE\s++[^\s<>\[]++\s*+[^\s<>]", re.IGNORECASE)
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 forbids."""

_CHARACTERS = re.compile(rf"&#x?[0-9a-fA-F]{{1,10}};|{FORBIDDEN.pattern}")
_BLOCK = re.compile("br|p|div|li|ul|ol|tr|td|th|h[1-6]|hr|table", re.IGNORECASE)
_UNSEEN = frozenset({"head", "style", "script"})


def shown(element: Element | None) -> str:
    """All text inside as a browser shows it, without heads, styles and scripts; changes the element."""
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
    if _DOCTYPE.search(text[:_HEAD]):
        notices.append("the <!DOCTYPE ...> at the beginning was ignored")
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        element.attrib = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
    return root


def _allowed(match: re.Match[str]) -> str:
    """A reference to a character that XML allows; several programs write others, raw or as references."""
    is_reference = len(match[0]) > 1 and html.unescape(match[0]) not in {"", "\N{REPLACEMENT CHARACTER}"}
    return match[0] if is_reference else ""


Topic = TypeVar("Topic")


def _entry(document: Document, *names: str) -> tuple[str, list[str]]:
    """The text of the first of these entries that an archive has, and notices."""
    name = next((name for name in names if name in document.entries), None)
    if document.archive is None or name is None:
        raise MapFormatError(f"this is no zip archive with {' or '.join(names)}, as this program writes it")
    text, notices = decode(read_entry(document.archive, name))
    if f"{name} (2)" in document.entries:
        notices.append(f"the archive has several entries called {quoted(name)}; the first was read")
    return text, notices


def _topics(
    tops: Sequence[Topic],
    below: Callable[[Topic], list[tuple[Topic, str | None]]],
    label: Callable[[Topic], str],
    has_note: Callable[[Topic], bool],
    *,
    title: str | None = None,
    relations: int = 0,
) -> Forest:
    """A map of nested topics; ``below`` returns those in one, each with its kind if it is an aside."""
    forest = Forest(title)
    notes = 0
    start: list[tuple[Topic, str | None]] = [(top, None) for top in tops]
    for (topic, aside), parent in forest.walk(start, lambda item: below(item[0])):
        forest.add(label(topic), parent, aside=aside)
        notes += has_note(topic)
    forest.notice_notes(notes, "topic")
    _notice_relations(forest, relations)
    return forest


def _notice_unread(forest: Forest, root: Element, path: str, *read: str) -> None:
    """Add a notice about the elements at a path, which have texts, except those of the names that are read."""
    others = (element.tag for element in root.iterfind(path) if element.tag not in read)
    forest.notice_unread(Counter(f"<{tag[:40]}>" for tag in others), "other elements")


def _notice_relations(forest: Forest, count: int) -> None:
    forest.notice_if(count, f"not part of the tree: {counted(count, 'relation')} between topics")


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
    if manifest in document.entries and "encryption-data" in _entry(document, manifest)[0]:
        raise MapFormatError("the XMind file is encrypted; open it in XMind and save it without a password")
    text, notices = _entry(document, *_XMIND)
    forests = _zen_sheets(text, notices) if _XMIND[0] in document.entries else _old_sheets(text, notices)
    if not forests:
        raise MapFormatError("the XMind file has no sheet with a topic")
    forests[0].notices[:0] = notices
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


def _zen_sheets(text: str, notices: list[str]) -> list[Forest]:
    unread: Counter[str] = Counter()

    def below(topic: JsonValue) -> list[tuple[JsonValue, str | None]]:
        children = topic.get("children") or JsonValue("object")
        unread.update(unread_keys([topic], _OF_TOPICS))
        return [
            (child, _KINDS.get(kind, f"{kind} topic"))
            for kind in children.keys
            for child in children.below(kind)
        ]

    def label(topic: JsonValue) -> str:
        return topic.string("title") or "".join(run.string("text") for run in topic.below("attributedTitle"))

    value, repairs = parse_json(text)
    notices += repairs
    forests = [
        _topics(
            [root],
            below,
            label,
            lambda topic: bool(topic.below("notes")),
            title=sheet.string("title"),
            relations=len(sheet.below("relationships")),
        )
        for sheet in (value.items if value.kind == "array" else [value])
        if (root := sheet.get("rootTopic")) is not None
    ]
    if forests:
        forests[0].notice_unread(unread)
    return forests


def _old_sheets(text: str, notices: list[str]) -> list[Forest]:
    def below(topic: Element) -> list[tuple[Element, str | None]]:
        kinds = ((topics.get("type", "attached"), topics) for topics in topic.findall("children/topics"))
        return [
            (child, _KINDS.get(kind, f"{kind} topic"))
            for kind, topics in kinds
            for child in topics.findall("topic")
        ]

    def label(element: Element) -> str:
        return shown(element.find("title"))

    content = parse_xml(text, 1, notices)
    forests = [
        _topics(
            [root],
            below,
            label,
            lambda topic: topic.find("notes") is not None,
            title=label(sheet),
            relations=len(sheet.findall("relationships/*")),
        )
        for sheet in content.findall("sheet")
        if (root := sheet.find("topic")) is not None
    ]
    if forests:
        _notice_unread(forests[0], content, ".//title/..", "topic", "sheet", "relationship")
    return forests


# MindManager: ``Document.xml`` with ``ap:Topic`` elements, whose labels are ``ap:Text/@PlainText``.


def _read_mindmanager(document: Document) -> list[Forest]:
    text, notices = _entry(document, "Document.xml")
    root = parse_xml(text, 1, notices)
    tops = root.findall("OneTopic/Topic")
    at_top = set(tops)

    def below(topic: Element) -> list[tuple[Element, str | None]]:
        floating = "floating topic" if topic in at_top else "callout"
        return [
            *((child, None) for child in topic.findall("SubTopics/Topic")),
            *((child, floating) for child in topic.findall("FloatingTopics/Topic")),
        ]

    def label(topic: Element) -> str:
        text = topic.find("Text")
        return "" if text is None else text.get("PlainText", "")

    forest = _topics(tops, below, label, lambda topic: topic.find("NotesGroup") is not None)
    _notice_unread(forest, root, ".//Text/..", "Topic")
    forest.notices[:0] = notices
    return [forest]


# SimpleMind: document/mindmap.xml, whose topics name their parents.
#
# The central theme is the root, ``\\N`` a line break; other topics without a parent float. The format isn't
# specified; this follows the files of the program and of those compatible with it.

_SIMPLEMIND = "document/mindmap.xml"


def _read_simplemind(document: Document) -> list[Forest]:
    text = document.text
    notices: list[str] = []
    if document.archive is not None:
        text, notices = _entry(document, _SIMPLEMIND)
    root = parse_xml(text, document.first_line, notices)
    topics = root.findall("mindmap/topics/topic")
    tops = [topic for topic in topics if topic.get("parent", "") in {"", "-1"}]
    if not tops:
        raise MapFormatError(
            "every topic of the SimpleMind map has a parent, so there is no root"
            if topics
            else "the SimpleMind map has no topics"
        )
    theme = root.find("mindmap/meta/main-centraltheme")
    centre = next((top for top in tops if theme is not None and top.get("id") == theme.get("id")), tops[0])
    floating = set(tops) - {centre}
    others = [topic for topic in topics if topic is not centre]
    nodes = (
        Node(
            topic.get("id", ""),
            topic.get("text", "").replace("\\N", " "),
            "floating topic" if topic in floating else None,
        )
        for topic in (centre, *others)
    )
    above = (centre.get("id", "") if topic in floating else topic.get("parent", "") for topic in others)
    edges = zip(above, (topic.get("id", "") for topic in others), strict=True)
    forest = linked(nodes, edges)
    forest.notices[:0] = notices
    forest.notice_notes(sum(topic.find("note") is not None for topic in topics), "topic")
    _notice_unread(forest, root, ".//*[@text]", "topic", "title")
    _notice_relations(forest, len(root.findall("mindmap/relations/*")))
    return [forest]


# FreeMind and Freeplane ``.mm`` (also exported by Coggle): nested ``node`` elements below ``map``.
#
# The label is ``TEXT`` (in old files with HTML inside), or HTML in ``richcontent TYPE="NODE"``, or in Freeplane
# ``LOCALIZED_TEXT``. Notes and details are not labels, ``stylenode`` is not a node. The text of a Freeplane
# clone is at the node that its ``CONTENT_ID`` or ``TREE_ID`` names.


def read_freemind(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: other XML.
        LimitError: too large.
    """
    forest = Forest()
    root = parse_xml(document.text, document.first_line, forest.notices)
    if root.tag != "map":
        raise MapFormatError(f"a FreeMind file has the root element <map>, but this has <{root.tag[:40]}>")
    labels: dict[str, str] = {}
    clones: list[tuple[int, str]] = []
    notes = encrypted = 0
    for element, parent in forest.walk(_nodes(root), _nodes):
        rich = {part.get("TYPE"): part for part in reversed(element.findall("richcontent"))}
        label = shown(rich["NODE"]) if "NODE" in rich else element.get("LOCALIZED_TEXT", "")
        aside = "summary node" if element.find("hook[@NAME='SummaryNode']") is not None else None
        node = forest.add(without_tags(element.get("TEXT", "").strip() or label), parent, aside=aside)
        original = element.get("CONTENT_ID") or element.get("TREE_ID")
        if original and not forest.labels[node]:
            clones.append((node, original))
        labels[element.get("ID", "")] = forest.labels[node]
        notes += not {"NOTE", "DETAILS"}.isdisjoint(rich)
        encrypted += "ENCRYPTED_CONTENT" in element.attrib
    for node, original in clones:
        forest.labels[node] = labels.get(original, "")
    forest.notice_if(notes, f"the notes or details of {counted(notes, 'node')} are not part of the labels")
    _notice_unread(forest, root, ".//*[@TEXT]", "node", "stylenode")
    forest.notice_if(encrypted, f"the encrypted branches below {counted(encrypted, 'node')} can't be read")
    return [forest]


def _nodes(element: Element) -> list[Element]:
    """The nodes directly below one, without Freeplane's empty ones that only begin a summary."""
    return [
        node
        for node in element.findall("node")
        if node.get("TEXT") or len(node) != 1 or node.find("hook[@NAME='FirstGroupNode']") is None
    ]


# OPML 1 and 2 (WorkFlowy, OmniOutliner, Dynalist, Logseq ...): nested ``outline`` elements with ``@text``.
#
# Several outlines at the top are usual; the title in the head is the text of the node above them. Notes
# (``_note``) are not labels; an outline marked ``isComment`` is kept. HTML inside a text is removed.


def _read_opml(document: Document) -> list[Forest]:
    forest = Forest()
    root = parse_xml(document.text, document.first_line, forest.notices)
    forest.heading = shown(root.find("head/title"))
    notes = tagged = 0
    for outline, parent in forest.walk(root.findall("body/outline"), lambda each: each.findall("outline")):
        text = outline.get("text", "").strip() or outline.get("title", "")
        forest.add(without_tags(text), parent)
        tagged += has_tags(text)
        notes += bool(outline.get("_note", "").strip())
    forest.notice_notes(notes, "outline")
    _notice_unread(forest, root, ".//*[@text]", "outline")
    forest.notice_if(tagged, f"HTML tags were removed from {counted(tagged, 'label')}")
    return [forest]


ARCHIVES = (
    Format(
        "xmind",
        "XMind",
        (".xmind",),
        lambda document: not document.entries.isdisjoint(_XMIND),
        _read_xmind,
    ),
    Format(
        "mindmanager",
        "MindManager",
        (".mmap",),
        lambda document: "Document.xml" in document.entries,
        _read_mindmanager,
    ),
    Format(
        "simplemind",
        "SimpleMind",
        (".smmx",),
        lambda document: _SIMPLEMIND in document.entries or root_name(document.text) == "simplemind-mindmaps",
        _read_simplemind,
    ),
)
"""Formats that are zip archives themselves; any other archive contains maps."""

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
