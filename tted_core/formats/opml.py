"""OPML 1 and 2 (WorkFlowy, OmniOutliner, Dynalist, Logseq ...): nested ``outline`` elements with ``@text``.

Several outlines at the top are usual; the title in the head is the text of the node above them. Notes (``_note``)
are not labels; an outline marked ``isComment`` is kept. HTML inside a text is taken off.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted
from tted_core.formats.markup import has_tags, without_tags
from tted_core.formats.xml_tree import doctype_notices, parse_xml, root_name


def matches(document: Document) -> bool:
    """XML whose root element is ``opml``."""
    return (root_name(document.text) or "").lower() == "opml"


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: not well-formed, or no outline in it.
        LimitError: too large.
    """
    root = parse_xml(document.text, document.first_line)
    forest = Forest()
    forest.notices += doctype_notices(document.text, document.first_line)
    forest.heading = next(
        (title.text() for head in root.elements("head") for title in head.elements("title")), ""
    )
    comments = notes = tagged = 0
    tops = [outline for body in root.elements("body") for outline in body.elements("outline")]
    stack = [(outline, -1) for outline in reversed(tops)]
    while stack:
        outline, parent = stack.pop()
        attributes = outline.attributes
        text = attributes.get("text", attributes.get("title", ""))
        node = forest.add(without_tags(text), parent, line=outline.line)
        comments += attributes.get("isComment", "").lower() == "true"
        notes += bool(attributes.get("_note", "").strip())
        tagged += has_tags(text)
        stack.extend((child, node) for child in reversed(list(outline.elements("outline"))))
    if not forest.labels:
        raise MapFormatError("the OPML holds no <outline> in its <body>", line=root.line)
    if comments:
        forest.notices.append(f"{counted(comments, 'outline')} marked as comment, kept")
    if notes:
        forest.notices.append(f"the notes of {counted(notes, 'outline')} are not part of the labels")
    if tagged:
        forest.notices.append(f"HTML tags were taken off {counted(tagged, 'label')}")
    return [forest]


OPML = Format(name="opml", title="OPML outline", extensions=(".opml",), matches=matches, read=read)
