r"""SimpleMind ``.smmx``: a zip with document/mindmap.xml, whose topics name their parents.

The central theme is the root, ``\N`` a line break. Other topics without a parent float, and are left out unless
asked for. The program publishes no specification; this is read from what it and programs beside it write.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.archive import read_entry
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.graph import Graph
from tted_core.formats.labels import counted
from tted_core.formats.xml_tree import Element, parse_xml, root_name

ENTRY = "document/mindmap.xml"
_NONE = {"", "-1"}


def matches(document: Document) -> bool:
    """A zip with the map's entry, or the entry itself."""
    if document.archive is not None:
        return ENTRY in document.entries
    return root_name(document.text) == "simplemind-mindmaps"


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no such archive, no topic in it, or parents that make no tree.
        LimitError: too large.
    """
    text = document.text
    notices: list[str] = []
    if document.archive is not None:
        text, notices = decode(read_entry(document.archive, ENTRY))
    maps = list(parse_xml(text, document.first_line).elements("mindmap"))
    topics = [
        topic for each in maps for group in each.elements("topics") for topic in group.elements("topic")
    ]
    if not topics:
        raise MapFormatError("the SimpleMind map holds no topic")
    central = next(
        (
            theme
            for each in maps
            for meta in each.elements("meta")
            for theme in meta.elements("main-centraltheme")
        ),
        None,
    )
    root = _root(topics, central)
    graph = Graph()
    for topic in [root, *(each for each in topics if each is not root)]:
        floats = topic is not root and topic.attributes.get("parent", "") in _NONE
        label = " ".join(topic.attributes.get("text", "").replace("\\N", " ").split())
        graph.node(_id(topic), label, line=topic.line, aside="floating topic" if floats else None)
    for topic in topics:
        parent = topic.attributes.get("parent", "")
        if topic is not root:
            graph.edge(_id(root) if parent in _NONE else parent, _id(topic), line=topic.line)
    forest = graph.forest()
    forest.notices[:0] = notices
    notes = sum(topic.first("note") is not None for topic in topics)
    links = sum(1 for each in maps for group in each.elements("relations") for _ in group.elements())
    if notes:
        forest.notices.append(f"the notes of {counted(notes, 'topic')} are not part of the labels")
    if links:
        forest.notices.append(f"not part of the tree: {counted(links, 'relation')} between topics")
    return [forest]


def _id(topic: Element) -> str:
    key = topic.attributes.get("id")
    if key is None:
        raise MapFormatError("a topic of SimpleMind has an 'id', and this has none", line=topic.line)
    return key


def _root(topics: list[Element], central: Element | None) -> Element:
    """The central theme that the map names, else the first topic without a parent."""
    tops = [topic for topic in topics if topic.attributes.get("parent", "") in _NONE]
    named = central.attributes.get("id") if central else None
    chosen = [topic for topic in tops if topic.attributes.get("id") == named] or tops
    if not chosen:
        raise MapFormatError("every topic of the SimpleMind map has a parent, so none is the root")
    return chosen[0]


SIMPLEMIND = Format(name="simplemind", title="SimpleMind", extensions=(".smmx",), matches=matches, read=read)
