"""Recognition of formats by content, and of files that are refused, each with the export to use instead.

Of these, pictures and documents are recognised by their first bytes, archives by their entries, XML by its root
element, texts and JSON by a typical pattern, and others by the file name extension.

The file's name is used only if the content matches none but the formats that accept nearly any text: content that
isn't what the extension promises is an error, not a map of lines of text.
"""

from itertools import islice
from pathlib import PurePath

from tted_core.errors import MapFormatError, Message, Setting
from tted_core.formats.diagrams import MERMAID, PLANTUML
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import EDGES
from tted_core.formats.fields import records_of
from tted_core.formats.json_links import EDIST, SENTENCES_JSON, is_edge
from tted_core.formats.json_maps import JSMIND, MINDMUP, NESTED_JSON, OBJECT_JSON
from tted_core.formats.json_text import KEYS, JsonValue
from tted_core.formats.lists import MARKDOWN
from tted_core.formats.outlines import CMGN, INDENTED, NUMBERED
from tted_core.formats.programs import ARCHIVES, OF_XML
from tted_core.formats.refused_texts import EXPORT, KINDS, OUTLINE, text_kind

# Formats that accept nearly any text; what only they match may be something else.
GENERAL = (NUMBERED, MARKDOWN, INDENTED)

# All formats in the order of recognition, from special to general; the first match wins.
FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        *ARCHIVES,
        *OF_XML,
        CMGN,
        MERMAID,
        PLANTUML,
        JSMIND,
        SENTENCES_JSON,
        MINDMUP,
        EDIST,
        OBJECT_JSON,
        NESTED_JSON,
        EDGES,
        *GENERAL,
    )
}


def recognise(document: Document) -> Format:
    """The format of a document.

    Raises:
        MapFormatError: none, or it is clearly something that can't be read.
        LimitError: too large for recognition.
    """
    found = next((entry for entry in FORMATS.values() if entry.matches(document)), None)
    kind = None
    if found in {OBJECT_JSON, NESTED_JSON}:
        kind = document.json_or_none and _json_kind(document.json_or_none, found)
    elif found is None or found in GENERAL:
        kind = text_kind(document)
        found = found if kind else _find_promise(document, found) or found
    if kind:
        raise refusal(kind, of_text=found is None or found in GENERAL)
    if found is None:
        raise MapFormatError(f"the content is not a mind map; {GIVE}")
    return found


# Extensions of a single format: the reader whose error names the position, or what the file should be.
# A .md or .txt may be anything.
_PROMISES: dict[str, Format | str] = {
    **dict.fromkeys((".json", ".jsonl", ".ndjson", ".jm", ".mup"), NESTED_JSON),
    **dict.fromkeys((".csv", ".tsv"), EDGES),
    **dict.fromkeys(PLANTUML.extensions, PLANTUML),
    **dict.fromkeys((".xml", ".opml", ".mm"), "a map in XML"),
    **dict.fromkeys((".xmind", ".mmap", ".smmx", ".docx"), "a zip archive"),
}


def _find_promise(document: Document, found: Format | None) -> Format | None:
    """The format that the name promises, for content that only the most general formats accept.

    A .mmd file may be Markdown, but indented lines in it are a Mermaid map whose first line is damaged.

    Raises:
        MapFormatError: the content isn't in that format.
    """
    ending = PurePath(document.name or "").suffix.lower()
    promise = MERMAID if found is INDENTED and ending in MERMAID.extensions else _PROMISES.get(ending)
    if isinstance(promise, str):
        raise MapFormatError(
            Message(
                f"the content isn't {promise}, which the file's name promises; save it again from its program, or "
                "rename it or give its format with ",
                Setting("format"),
            )
        )
    return promise


# Keys that only one program writes, near the top.
_PROGRAMS = (
    ({"mindData"}, f"a rich map of MarkMind (Obsidian); {OUTLINE} from it"),
    ({"appState"}, "a drawing of Excalidraw; write its texts as a Markdown list"),
    ({"tldrawFileFormatVersion"}, "a drawing of tldraw; write its texts as a Markdown list"),
    ({"document", "schemaVersion"}, "a drawing of Figma; write its texts as a Markdown list"),
    ({"nbformat"}, "a Jupyter notebook; save the outline in it as Markdown"),
    ({"mapping", "current_node"}, "a conversation of ChatGPT; give the answer with the map as a text"),
    ({"typeVersion", "connections"}, "a workflow of n8n"),
    ({"node_id", "full_name"}, "an answer of GitHub"),
    ({"asset", "meshes"}, "a scene in glTF"),
    ({"AWSTemplateFormatVersion"}, "a template of CloudFormation"),
    ({"auditReportVersion"}, "a report of npm"),
    ({"StartAt", "States"}, "a state machine"),
)
GIVE = "give a file of a mind-map program (XMind, FreeMind, OPML), JSON, Markdown or indented text"
SIGNATURES = (
    (b"\x89PNG", "a PNG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"RIFF", "a picture, sound or video"),
    (b"%PDF-", f"a PDF document; {EXPORT} from the program that made it"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"BZh", "a bzip2 archive; unpack it first"),
    (b"\xfd7zXZ", "an xz archive; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"SQLite format 3", f"a SQLite database; {EXPORT} from the program that made it"),
    (b"{\\rtf", "a rich text document; save it as plain text"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"bplist", f"a binary property list; {EXPORT} from the program that made it"),
    (b"\xd0\xcf\x11\xe0", "an old Office document; save the outline as plain text"),
    (b"PK\x05\x06", "an empty archive"),
    *(
        (bytes((0x80, protocol)), "a Python pickle, which is never opened, since that runs its code")
        for protocol in range(2, 6)
    ),
)
ARCHIVE_KINDS = (
    ("mapdata.xml", f"an iThoughts map (.itmz); {EXPORT} from iThoughts"),
    ("document/mindmap.xml", f"a SimpleMind map; {EXPORT} from SimpleMind"),
    ("contents.xml", f"a MindNode map; {EXPORT} from MindNode"),
    (
        "word/document.xml",
        (
            "a Word document (.docx); turn its headings and lists into Markdown (pandoc -t markdown FILE.docx), "
            "or paste its outline as indented text"
        ),
    ),
    ("xl/workbook.xml", "an Excel workbook; save the sheet as CSV with the columns id,parent,text"),
    (
        "ppt/presentation.xml",
        "a PowerPoint presentation; save its outline as rich text, and that as plain text",
    ),
    ("[Content_Types].xml", "an Office document; save the outline as plain text"),
    ("mimetype", "an OpenDocument or EPUB file; save the outline as plain text"),
    ("META-INF/MANIFEST.MF", "a Java archive"),
    ("page/page.xml", f"an EdrawMind map; {EXPORT} from EdrawMind"),
    ("document.json", f"the file of another program; {EXPORT} from it"),
)


def refusal(kind: str, *, of_text: bool = False) -> MapFormatError:
    """The error for a refused file, with the export to use, the formats to give, or how a text is read anyway."""
    if of_text and ";" not in kind:
        return MapFormatError(
            Message(
                f"this looks like {kind}, not a mind map; ",
                Setting("format", INDENTED.name),
                " reads its lines as an outline",
            )
        )
    return MapFormatError(f"this is {kind}" if ";" in kind else f"this is {kind}, not a mind map; {GIVE}")


def _json_kind(value: JsonValue, found: Format) -> str | None:
    """The kind of refused JSON whose keys would otherwise be read as texts, if it is recognised."""
    keys, nodes = set(value.keys), value.below("nodes")
    near = {key for each in islice(value.walk(), 100) for key in each.keys}
    is_tree = found is NESTED_JSON and (
        {"id", "children"} <= keys
        or any(node.get("id", "data") for each in value.items for node in each.below("nodes"))
    )
    is_graph = "nodes" in keys and not keys.isdisjoint(KEYS["edges"])
    unnamed = (record for record in records_of(value) if not record.string(*KEYS["label"]))
    is_list = value.kind == "array"
    kinds = {
        "a list of rows": is_list
        and all(row.kind == "array" and all(cell.is_scalar for cell in row.items) for row in value.items),
        "a list of texts without levels": is_list
        and len(value.items) > 1
        and all(item.is_scalar for item in value.items),
        **{kind: signs <= near for signs, kind in _PROGRAMS},
        KINDS["canvas"]: bool(nodes) and all({"id", "type", "x", "y"} <= set(node.keys) for node in nodes),
        KINDS["network"]: (
            is_tree
            or (is_graph and all(node.get("id") is not None and not node.below("children") for node in nodes))
            or any(map(is_edge, value.below("elements") or unnamed))
        ),
    }
    return next((kind for kind, is_kind in kinds.items() if is_kind), None)
