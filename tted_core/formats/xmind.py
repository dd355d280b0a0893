"""XMind: a zip with ``content.json`` (Zen, 2020 and later) or ``content.xml`` (XMind 8 and before).

A Zen file also has a content.xml with one topic that recommends an update; content.json wins. A file has one
map per sheet. Floating (detached), summary and callout topics are outside the hierarchy and left out by default.
Notes and relationships are not nodes and are counted in a notice; labels and markers are left out.
"""

from collections.abc import Callable
from typing import TypeVar

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.folder import read_entry
from tted_core.formats.forest import Forest
from tted_core.formats.json_text import JsonValue, parse_json
from tted_core.formats.labels import counted
from tted_core.formats.xml_tree import Element, parse_xml

_KINDS = {"detached": "floating topic", "summary": "summary topic", "callout": "callout"}


def read(document: Document) -> list[Forest]:
    """Read a map for each sheet.

    Raises:
        MapFormatError: not such an archive, or damaged or encrypted content.
        LimitError: too large.
    """
    archive = document.archive
    if archive is None:
        raise MapFormatError("an XMind file is a zip archive, which this isn't")
    name = next((name for name in ("content.json", "content.xml") if name in document.entries), None)
    if name is None:
        raise MapFormatError(
            "the archive has neither content.json nor content.xml, so it is not an XMind file"
        )
    if "META-INF/manifest.xml" in document.entries and b"encryption-data" in read_entry(
        archive, "META-INF/manifest.xml"
    ):
        raise MapFormatError("the XMind file is encrypted; open it in XMind and save it without a password")
    text, notices = decode(read_entry(archive, name))
    forests = _read_json(text, notices) if name == "content.json" else _read_xml(text, notices)
    if not forests:
        raise MapFormatError(f"{name} in the XMind file has no sheet with a topic")
    forests[0].notices[:0] = notices
    return forests


def _read_json(text: str, notices: list[str]) -> list[Forest]:
    value, repairs = parse_json(text)
    notices += repairs
    return [
        _sheet(
            sheet.string("title"),
            root,
            _below_json,
            text=lambda topic: topic.string("title") or _styled(topic),
            has_note=lambda topic: (note := topic.get("notes")) is not None and not note.is_nothing,
            links=len(sheet.below("relationships")),
        )
        for sheet in (value.items if value.kind == "array" else [value])
        if (root := sheet.get("rootTopic")) is not None
    ]


def _styled(topic: JsonValue) -> str:
    return "".join(run.string("text") for run in topic.below("attributedTitle"))


def _below_json(of: tuple[JsonValue, str | None]) -> list[tuple[JsonValue, str | None]]:
    children = of[0].get("children")
    if children is None or children.kind != "object":
        return []
    kinds = zip(children.keys, children.items, strict=True)
    return [(child, _aside(kind)) for kind, topics in kinds for child in topics.items]


def _read_xml(text: str, notices: list[str]) -> list[Forest]:
    return [
        _sheet(
            _title(sheet),
            root,
            _below_xml,
            text=_title,
            has_note=lambda topic: topic.first("notes") is not None,
            links=sum(len(group.elements()) for group in sheet.elements("relationships")),
        )
        for sheet in parse_xml(text, 1, notices).elements("sheet")
        if (root := sheet.first("topic")) is not None
    ]


def _title(element: Element) -> str:
    title = element.first("title")
    return title.text() if title else ""


def _below_xml(of: tuple[Element, str | None]) -> list[tuple[Element, str | None]]:
    return [
        (child, _aside(topics.attributes.get("type", "attached")))
        for topics in of[0].inside("children", "topics")
        for child in topics.elements("topic")
    ]


def _aside(kind: str) -> str | None:
    return None if kind == "attached" else _KINDS.get(kind, f"{kind} topic")


Topic = TypeVar("Topic")


def _sheet(
    title: str,
    root: Topic,
    below: Callable[[tuple[Topic, str | None]], list[tuple[Topic, str | None]]],
    *,
    text: Callable[[Topic], str],
    has_note: Callable[[Topic], bool],
    links: int,
) -> Forest:
    forest = Forest(title)
    notes = 0
    for (topic, aside), parent in forest.walk([(root, _aside("attached"))], below):
        forest.add(text(topic), parent, aside=aside)
        notes += has_note(topic)
    forest.notice_notes(notes, "topic")
    forest.notice_if(links, f"not part of the tree: {counted(links, 'relationship')} between topics")
    return forest


XMIND = Format(
    name="xmind",
    title="XMind",
    extensions=(".xmind",),
    matches=lambda document: not {"content.json", "content.xml"}.isdisjoint(document.entries),
    read=read,
)
