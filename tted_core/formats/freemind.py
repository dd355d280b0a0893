"""FreeMind and Freeplane ``.mm`` (Coggle exports it too): nested ``node`` elements below ``map``.

The label is ``TEXT`` (in old files with HTML inside), or HTML in ``richcontent TYPE="NODE"``, or in Freeplane
``LOCALIZED_TEXT``. Notes and details are not labels, ``stylenode`` is not a node. A Freeplane clone has its text
at the node that its ``CONTENT_ID`` or ``TREE_ID`` names.
"""

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted
from tted_core.formats.markup import without_tags
from tted_core.formats.xml_tree import Element, doctype_notices, parse_xml, root_name


def matches(document: Document) -> bool:
    """XML whose root element is ``map``."""
    return root_name(document.text) == "map"


def read(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: not well-formed, or no node in it.
        LimitError: too large.
    """
    return [read_text(document.text, document.first_line)]


def read_text(text: str, first_line: int = 1) -> Forest:
    """Read a map from its XML; jsMind embeds it.

    Raises:
        MapFormatError: not well-formed, or no node in it.
        LimitError: too large.
    """
    root = parse_xml(text, first_line)
    if root.tag != "map":
        raise MapFormatError(
            f"a FreeMind file has the root element <map>, and this has <{root.tag}>", line=root.line
        )
    forest = Forest()
    forest.notices += doctype_notices(text, first_line)
    labels: dict[str, str] = {}
    clones: list[tuple[int, str]] = []
    notes = encrypted = 0
    stack = [(element, -1) for element in reversed(list(root.elements("node")))]
    while stack:
        element, parent = stack.pop()
        node = forest.add(_label(element), parent, line=element.line)
        original = element.attributes.get("CONTENT_ID") or element.attributes.get("TREE_ID")
        if original and not forest.labels[node]:
            clones.append((node, original))
        labels[element.attributes.get("ID", "")] = forest.labels[node]
        notes += bool(_rich(element, "NOTE", "DETAILS"))
        encrypted += "ENCRYPTED_CONTENT" in element.attributes
        stack.extend((child, node) for child in reversed(list(element.elements("node"))))
    if not forest.labels:
        raise MapFormatError("the map holds no <node>", line=root.line)
    for node, original in clones:
        forest.labels[node] = labels.get(original, "")
    if notes:
        forest.notices.append(f"the notes or details of {counted(notes, 'node')} are not part of the labels")
    if encrypted:
        forest.notices.append(f"the encrypted branches below {counted(encrypted, 'node')} can't be read")
    return forest


def _rich(element: Element, *kinds: str) -> list[Element]:
    return [part for part in element.elements("richcontent") if part.attributes.get("TYPE") in kinds]


def _label(element: Element) -> str:
    text = element.attributes.get("TEXT")
    if text is not None:
        return without_tags(text)
    rich = _rich(element, "NODE")
    if rich:
        return rich[0].text()
    return element.attributes.get("LOCALIZED_TEXT", "")


FREEMIND = Format(
    name="freemind", title="FreeMind, Freeplane (.mm)", extensions=(".mm",), matches=matches, read=read
)
