"""XML of mind map programs: FreeMind and Freeplane, OPML outliners, MindManager, SimpleMind."""

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import Node, linked
from tted_core.formats.folder import read_entry
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted, has_tags, without_tags
from tted_core.formats.xml_tree import Element, doctype_notices, parse_xml, root_name

# FreeMind and Freeplane ``.mm`` (also exported by Coggle): nested ``node`` elements below ``map``.
#
# The label is ``TEXT`` (in old files with HTML inside), or HTML in ``richcontent TYPE="NODE"``, or in Freeplane
# ``LOCALIZED_TEXT``. Notes and details are not labels, ``stylenode`` is not a node. The text of a Freeplane
# clone is at the node that its ``CONTENT_ID`` or ``TREE_ID`` names.


def read_freemind_text(text: str, first_line: int = 1) -> Forest:
    """Read a map from its XML, which jsMind embeds.

    Raises:
        MapFormatError: not well-formed, or without nodes.
        LimitError: too large.
    """
    forest = Forest()
    root = parse_xml(text, first_line, forest.notices)
    if root.tag != "map":
        raise MapFormatError(
            f"a FreeMind file has the root element <map>, but this has <{root.tag}>", line=root.line
        )
    forest.notices += doctype_notices(text, first_line)
    labels: dict[str, str] = {}
    clones: list[tuple[int, str]] = []
    notes = encrypted = 0
    for element, parent in forest.walk(root.elements("node"), lambda each: each.elements("node")):
        node = forest.add(_label(element), parent, line=element.line)
        original = element.attributes.get("CONTENT_ID") or element.attributes.get("TREE_ID")
        if original and not forest.labels[node]:
            clones.append((node, original))
        labels[element.attributes.get("ID", "")] = forest.labels[node]
        notes += bool(_rich(element, "NOTE", "DETAILS"))
        encrypted += "ENCRYPTED_CONTENT" in element.attributes
    if not forest.labels:
        raise MapFormatError("the map has no <node>", line=root.line)
    for node, original in clones:
        forest.labels[node] = labels.get(original, "")
    forest.notice_if(notes, f"the notes or details of {counted(notes, 'node')} are not part of the labels")
    forest.notice_if(encrypted, f"the encrypted branches below {counted(encrypted, 'node')} can't be read")
    return forest


def _rich(element: Element, *kinds: str) -> list[Element]:
    return [part for part in element.elements("richcontent") if part.attributes.get("TYPE") in kinds]


def _label(element: Element) -> str:
    text, rich = element.attributes.get("TEXT"), _rich(element, "NODE")
    if text is not None:
        return without_tags(text)
    return rich[0].text() if rich else element.attributes.get("LOCALIZED_TEXT", "")


FREEMIND = Format(
    name="freemind",
    title="FreeMind, Freeplane (.mm)",
    extensions=(".mm",),
    matches=lambda document: root_name(document.text) == "map",
    read=lambda document: [read_freemind_text(document.text, document.first_line)],
)


# OPML 1 and 2 (WorkFlowy, OmniOutliner, Dynalist, Logseq ...): nested ``outline`` elements with ``@text``.
#
# Several outlines at the top are usual; the title in the head is the text of the node above them. Notes
# (``_note``) are not labels; an outline marked ``isComment`` is kept. HTML inside a text is removed.


def read_opml(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: not well-formed, or without outlines.
        LimitError: too large.
    """
    forest = Forest()
    root = parse_xml(document.text, document.first_line, forest.notices)
    forest.notices += doctype_notices(document.text, document.first_line)
    forest.heading = next((title.text() for title in root.inside("head", "title")), "")
    comments = notes = tagged = 0
    for outline, parent in forest.walk(root.inside("body", "outline"), lambda each: each.elements("outline")):
        attributes = outline.attributes
        text = attributes.get("text", attributes.get("title", ""))
        forest.add(without_tags(text), parent, line=outline.line)
        comments += attributes.get("isComment", "").lower() == "true"
        notes += bool(attributes.get("_note", "").strip())
        tagged += has_tags(text)
    if not forest.labels:
        raise MapFormatError("the OPML has no <outline> in its <body>", line=root.line)
    forest.notice_if(comments, f"{counted(comments, 'outline')} marked as comment, kept")
    forest.notice_notes(notes, "outline")
    forest.notice_if(tagged, f"HTML tags were removed from {counted(tagged, 'label')}")
    return [forest]


OPML = Format(
    name="opml",
    title="OPML outline",
    extensions=(".opml",),
    matches=lambda document: (root_name(document.text) or "").lower() == "opml",
    read=read_opml,
)


# MindManager ``.mmap``: a zip with ``Document.xml``; topics are ``ap:Topic``, labels ``ap:Text/@PlainText``.
#
# Floating topics and callouts are outside the hierarchy and left out by default.


def read_mindmanager(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: not such an archive, or without topics.
        LimitError: too large.
    """
    if document.archive is None:
        raise MapFormatError("a MindManager file is a zip archive, which this isn't")
    forest = Forest()
    text, forest.notices = decode(read_entry(document.archive, "Document.xml"))
    tops = parse_xml(text, 1, forest.notices).inside("OneTopic", "Topic")
    if not tops:
        raise MapFormatError("Document.xml in the MindManager file has no topics")
    notes = 0
    for (topic, floats), parent in forest.walk([(top, False) for top in tops], _below):
        label = topic.first("Text")
        aside = ("callout" if forest.parents[parent] >= 0 else "floating topic") if floats else None
        forest.add(label.attributes.get("PlainText", "") if label else "", parent, aside=aside)
        notes += topic.first("NotesGroup") is not None
    forest.notice_notes(notes, "topic")
    return [forest]


def _below(of: tuple[Element, bool]) -> list[tuple[Element, bool]]:
    """The topics below a topic, then those that float beside it, each with a flag for floating."""
    return [
        (child, floats)
        for kind, floats in (("SubTopics", False), ("FloatingTopics", True))
        for child in of[0].inside(kind, "Topic")
    ]


MINDMANAGER = Format(
    name="mindmanager",
    title="MindManager",
    extensions=(".mmap",),
    matches=lambda document: "Document.xml" in document.entries,
    read=read_mindmanager,
)


# SimpleMind ``.smmx``: a zip with document/mindmap.xml, whose topics name their parents.
#
# The central theme is the root, ``\N`` a line break. Other topics without a parent float, and are left out by
# default. The format isn't specified; this follows the files of the program and of those compatible with it.

ENTRY = "document/mindmap.xml"
_NONE = {"", "-1"}


def matches_simplemind(document: Document) -> bool:
    """Return True for a zip with the map's entry, or the entry itself."""
    if document.archive is not None:
        return ENTRY in document.entries
    return root_name(document.text) == "simplemind-mindmaps"


def read_simplemind(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: not such an archive, without topics, or parents that don't form a tree.
        LimitError: too large.
    """
    text = document.text
    notices: list[str] = []
    if document.archive is not None:
        text, notices = decode(read_entry(document.archive, ENTRY))
    maps = parse_xml(text, document.first_line, notices).elements("mindmap")
    topics = [topic for each in maps for topic in each.inside("topics", "topic")]
    central = [
        theme.attributes.get("id") for each in maps for theme in each.inside("meta", "main-centraltheme")
    ]
    tops = [topic for topic in topics if topic.attributes.get("parent", "") in _NONE]
    if not tops:
        raise MapFormatError(
            "every topic of the SimpleMind map has a parent, so there is no root"
            if topics
            else "the SimpleMind map has no topics"
        )
    root = next((top for top in tops if [top.attributes.get("id")] == central[:1]), tops[0])
    in_order = [root, *(each for each in topics if each is not root)]
    nodes = (
        Node(
            _id(topic),
            " ".join(topic.attributes.get("text", "").replace("\\N", " ").split()),
            topic.line,
            "floating topic" if topic in tops and topic is not root else None,
        )
        for topic in in_order
    )
    edges = (
        (_id(root) if topic in tops else topic.attributes["parent"], _id(topic), topic.line)
        for topic in topics
        if topic is not root
    )
    forest = linked(nodes, edges)
    forest.notices[:0] = notices
    notes = sum(topic.first("note") is not None for topic in topics)
    links = sum(len(group.elements()) for each in maps for group in each.elements("relations"))
    forest.notice_notes(notes, "topic")
    forest.notice_if(links, f"not part of the tree: {counted(links, 'relation')} between topics")
    return [forest]


def _id(topic: Element) -> str:
    key = topic.attributes.get("id")
    if key is None:
        raise MapFormatError("a topic of SimpleMind needs an 'id', which this one lacks", line=topic.line)
    return key


SIMPLEMIND = Format(
    name="simplemind",
    title="SimpleMind",
    extensions=(".smmx",),
    matches=matches_simplemind,
    read=read_simplemind,
)
