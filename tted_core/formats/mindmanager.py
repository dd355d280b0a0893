"""MindManager ``.mmap``: a zip with ``Document.xml``; topics are ``ap:Topic``, labels ``ap:Text/@PlainText``.

Floating topics and callouts stand outside the hierarchy and are left out unless asked for.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.archive import read_entry
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted
from tted_core.formats.xml_tree import Element, parse_xml


def matches(document: Document) -> bool:
    """A zip with Document.xml at its top."""
    return document.archive is not None and "Document.xml" in document.entries


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such archive, or no topic in it.
        LimitError: too large.
    """
    if document.archive is None:
        raise MapFormatError("a MindManager file is a zip archive, and this is none")
    text, notices = decode(read_entry(document.archive, "Document.xml"))
    tops = [topic for one in parse_xml(text).elements("OneTopic") for topic in one.elements("Topic")]
    if not tops:
        raise MapFormatError("Document.xml in the MindManager file holds no topic")
    forest = Forest()
    forest.notices += notices
    notes = 0
    stack: list[tuple[Element, int, str | None]] = [(topic, -1, None) for topic in reversed(tops)]
    while stack:
        topic, parent, aside = stack.pop()
        label = topic.first("Text")
        node = forest.add(label.attributes.get("PlainText", "") if label else "", parent, aside=aside)
        notes += topic.first("NotesGroup") is not None
        floating = "floating topic" if parent < 0 else "callout"
        below = [
            (child, node, None) for group in topic.elements("SubTopics") for child in group.elements("Topic")
        ]
        outside = [
            (child, node, floating)
            for group in topic.elements("FloatingTopics")
            for child in group.elements("Topic")
        ]
        stack.extend(reversed([*below, *outside]))
    if notes:
        forest.notices.append(f"the notes of {counted(notes, 'topic')} are not part of the labels")
    return [forest]


MINDMANAGER = Format(
    name="mindmanager", title="MindManager", extensions=(".mmap",), matches=matches, read=read
)
