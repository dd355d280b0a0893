"""Archives of mind-map programs: XMind, MindManager, SimpleMind.

Topics outside the hierarchy (floating, summaries, callouts) are left out by default; notes and relations between
topics are not nodes and are counted in a notice. Nothing is recursive.
"""

from collections import Counter
from collections.abc import Callable
from xml.etree.ElementTree import Element

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import LinkedNode, link_nodes
from tted_core.formats.forest import Forest, ReadTopic, Value
from tted_core.formats.json_text import JsonValue, parse_json, unread_keys
from tted_core.formats.labels import counted, quoted
from tted_core.formats.xml_maps import notice_unread_elements, parse_xml, root_name, text_inside


def _entry(document: Document, *names: str) -> tuple[str, list[str]]:
    """The text of the first of these entries that an archive has, and notices."""
    name = next((name for name in names if name in document.entries), None)
    if name is None:
        raise MapFormatError(f"this is no zip archive with {' or '.join(names)}, as this program writes it")
    text, notices = decode(document.entries[name]())
    if f"{name} (2)" in document.entries:
        notices.append(f"the archive has several entries called {quoted(name)}; the first was read")
    return text, notices


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
    is_bare = _is_zen(document)
    text, notices = (document.text, []) if is_bare else _entry(document, *_XMIND)
    is_zen = is_bare or _XMIND[0] in document.entries
    forests = _zen_sheets(text, notices) if is_zen else _old_sheets(text, notices)
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


def _is_zen(document: Document) -> bool:
    """Return True for the content.json of an XMind file outside of its archive."""
    value = document.json_or_none if '"rootTopic"' in document.text else None
    sheets = (value.items if value.kind == "array" else [value]) if value else []
    return bool(sheets) and all(sheet.get("rootTopic") is not None for sheet in sheets)


def _read_sheet(title: str, root: Value, read: Callable[[Value], ReadTopic[Value]], relations: int) -> Forest:
    forest = Forest(title)
    forest.add_topics([root], read, "topic")
    _notice_relations(forest, relations)
    return forest


def _zen_sheets(text: str, notices: list[str]) -> list[Forest]:
    unread: Counter[str] = Counter()

    def read(topic: JsonValue) -> ReadTopic[JsonValue]:
        children = topic.get("children") or JsonValue("object")
        unread.update(unread_keys([topic], _OF_TOPICS))
        below = [
            (child, _KINDS.get(kind, f"{kind} topic"))
            for kind, topics in zip(children.keys, children.items, strict=bool(children.keys))
            for child in ((topics,) if topics.keys else topics.items)
        ]
        runs = (run.string("text") for run in topic.below("attributedTitle"))
        return topic.string("title") or "".join(runs), bool(topic.below("notes")), below

    value, repairs = parse_json(text)
    notices += repairs
    forests = [
        _read_sheet(sheet.string("title"), root, read, len(sheet.below("relationships")))
        for sheet in (value.items if value.kind == "array" else [value])
        if (root := sheet.get("rootTopic")) is not None
    ]
    if forests:
        forests[0].notice_unread(unread)
    return forests


def _old_sheets(text: str, notices: list[str]) -> list[Forest]:
    def read(topic: Element) -> ReadTopic[Element]:
        kinds = ((topics.get("type", "attached"), topics) for topics in topic.findall("children/topics"))
        below = [
            (child, _KINDS.get(kind, f"{kind} topic"))
            for kind, topics in kinds
            for child in topics.findall("topic")
        ]
        return text_inside(topic.find("title")), topic.find("notes") is not None, below

    content = parse_xml(text, 1, notices)
    forests = [
        _read_sheet(text_inside(sheet.find("title")), root, read, len(sheet.findall("relationships/*")))
        for sheet in content.findall("sheet")
        if (root := sheet.find("topic")) is not None
    ]
    if forests:
        notice_unread_elements(forests[0], content, ".//title/..", "topic", "sheet", "relationship")
    return forests


# MindManager: ``Document.xml`` with ``ap:Topic`` elements, whose labels are ``ap:Text/@PlainText``.


def _read_mindmanager(document: Document) -> list[Forest]:
    text, notices = _entry(document, "Document.xml")
    root = parse_xml(text, 1, notices)
    tops = root.findall("OneTopic/Topic")
    at_top = set(tops)
    forest = Forest()

    def read(topic: Element) -> ReadTopic[Element]:
        text = topic.find("Text")
        kind = "floating topic" if topic in at_top else "callout"
        below: list[tuple[Element, str | None]] = [
            (child, None) for child in topic.findall("SubTopics/Topic")
        ]
        below += [(child, kind) for child in topic.findall("FloatingTopics/Topic")]
        return "" if text is None else text.get("PlainText", ""), topic.find("NotesGroup") is not None, below

    forest.add_topics(tops, read, "topic")
    notice_unread_elements(forest, root, ".//Text/..", "Topic")
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
        LinkedNode(
            topic.get("id", ""),
            topic.get("text", "").replace("\\N", " "),
            "floating topic" if topic in floating else None,
        )
        for topic in (centre, *others)
    )
    above = (centre.get("id", "") if topic in floating else topic.get("parent", "") for topic in others)
    edges = zip(above, (topic.get("id", "") for topic in others), strict=True)
    forest = link_nodes(nodes, edges)
    forest.notices[:0] = notices
    notes = sum(topic.find("note") is not None for topic in topics)
    forest.notice_if(notes, f"the notes of {counted(notes, 'topic')} are not part of the labels")
    notice_unread_elements(forest, root, ".//*[@text]", "topic", "title")
    _notice_relations(forest, len(root.findall("mindmap/relations/*")))
    return [forest]


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
    Format(
        "simplemind",
        "SimpleMind",
        (".smmx",),
        lambda document: _SIMPLEMIND in document.entries or root_name(document.text) == "simplemind-mindmaps",
        _read_simplemind,
    ),
)
"""Formats that are zip archives themselves; any other archive contains maps."""
