"""XMind: a zip with ``content.json`` (Zen, 2020 and later) or ``content.xml`` (XMind 8 and before).

A Zen file also has a content.xml, with one topic that asks to update the program; content.json wins. A file has
one map per sheet. Floating (detached), summary and callout topics stand outside the hierarchy and are left out
unless asked for. Notes and relationships are not nodes, and counted in a notice; labels and markers are left out.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.folder import read_entry
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue, parse_json
from tted_core.formats.labels import counted
from tted_core.formats.xml_tree import Element, parse_xml

_KINDS = {"detached": "floating topic", "summary": "summary topic", "callout": "callout"}


def matches(document: Document) -> bool:
    """A zip with one of the two content files at its top."""
    return document.archive is not None and not {"content.json", "content.xml"}.isdisjoint(document.entries)


def read(document: Document) -> list[Forest]:
    """Read a map for each sheet.

    Raises:
        MapFormatError: no such archive, damaged or encrypted content.
        LimitError: too large.
    """
    archive = document.archive
    if archive is None:
        raise MapFormatError("an XMind file is a zip archive, and this is none")
    name = next((name for name in ("content.json", "content.xml") if name in document.entries), None)
    if name is None:
        raise MapFormatError("the archive holds neither content.json nor content.xml, so it is no XMind file")
    if "META-INF/manifest.xml" in document.entries and b"encryption-data" in read_entry(
        archive, "META-INF/manifest.xml"
    ):
        raise MapFormatError("the XMind file is encrypted; open it in XMind and save it without a password")
    text, notices = decode(read_entry(archive, name))
    forests = _read_json(text, notices) if name == "content.json" else _read_xml(text)
    if not forests:
        raise MapFormatError(f"{name} in the XMind file holds no sheet with a topic")
    forests[0].notices[:0] = notices
    return forests


def _read_json(text: str, notices: list[str]) -> list[Forest]:
    value, repairs = parse_json(text)
    notices += repairs
    sheets = value.items if value.kind == "array" else [value]
    forests = []
    for sheet in sheets:
        root = sheet.get("rootTopic")
        if root is None:
            continue
        forest = Forest(sheet.string("title"))
        notes = 0
        for (topic, aside), parent in forest.walk([(root, _aside("attached"))], _below_json):
            forest.add(_title(topic), parent, aside=aside)
            note = topic.get("notes")
            notes += note is not None and not note.is_nothing
        _note_rest(forest, notes, len(sheet.below("relationships")))
        forests.append(forest)
    return forests


def _below_json(of: tuple[JsonValue, str | None]) -> list[tuple[JsonValue, str | None]]:
    children = of[0].get("children")
    if children is None or children.kind != "object":
        return []
    kinds = zip(children.keys, children.items, strict=True)
    return [(child, _aside(kind)) for kind, topics in kinds for child in topics.items]


def _title(topic: JsonValue) -> str:
    styled = topic.below("attributedTitle")
    return topic.string("title") or "".join(run.string("text") for run in styled)


def _read_xml(text: str) -> list[Forest]:
    forests = []
    for sheet in parse_xml(text).elements("sheet"):
        root = sheet.first("topic")
        if root is None:
            continue
        title = sheet.first("title")
        forest = Forest(title.text() if title else None)
        notes = 0
        for (topic, aside), parent in forest.walk([(root, _aside("attached"))], _below_xml):
            heading = topic.first("title")
            forest.add(heading.text() if heading else "", parent, aside=aside)
            notes += topic.first("notes") is not None
        links = sum(len(group.elements()) for group in sheet.elements("relationships"))
        _note_rest(forest, notes, links)
        forests.append(forest)
    return forests


def _below_xml(of: tuple[Element, str | None]) -> list[tuple[Element, str | None]]:
    return [
        (child, _aside(topics.attributes.get("type", "attached")))
        for children in of[0].elements("children")
        for topics in children.elements("topics")
        for child in topics.elements("topic")
    ]


def _aside(kind: str) -> str | None:
    return None if kind == "attached" else _KINDS.get(kind, f"{kind} topic")


def _note_rest(forest: Forest, notes: int, links: int) -> None:
    forest.tell_notes(notes, "topic")
    forest.tell(links, f"not part of the tree: {counted(links, 'relationship')} between topics")


XMIND = Format(name="xmind", title="XMind", extensions=(".xmind",), matches=matches, read=read)
