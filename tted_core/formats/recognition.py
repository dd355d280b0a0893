"""What a content is that fits no special format: refused, promised by its file name, or in doubt."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import PurePath

from tted_core.errors import MapFormatError
from tted_core.formats import edges, object_json, yaml_outline
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import EDGES
from tted_core.formats.indented import INDENTED, take_apart
from tted_core.formats.labels import counted
from tted_core.formats.markdown import HEADING, ITEM, MARKDOWN
from tted_core.formats.object_json import NESTED_JSON
from tted_core.formats.xml_tree import parse_xml, root_name
from tted_core.formats.yaml_outline import YAML

# Files that are recognised and refused, so that the message can name them and the export to use instead.
#
# Pictures and documents are told by their first bytes, archives by their entries, XML by its root element,
# diagrams by their first word.

_EXPORT = "export the map as OPML or FreeMind (.mm)"
_SIGNATURES = (
    (b"\x89PNG", "a PNG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"RIFF", "a picture, sound or video"),
    (b"%PDF-", f"a PDF document; {_EXPORT} from the program that made it"),
    (b"\x1f\x8b", "a gzip archive; unpack it first"),
    (b"BZh", "a bzip2 archive; unpack it first"),
    (b"\xfd7zXZ", "an xz archive; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"SQLite format 3", f"a SQLite database; {_EXPORT} from the program that made it"),
    (b"{\\rtf", "a rich text document; save it as plain text"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"bplist", f"a binary property list; {_EXPORT} from the program that made it"),
    (b"\xd0\xcf\x11\xe0", "an old Office document; save the outline as plain text"),
    (b"PK\x05\x06", "an empty archive"),
)
_PICKLE_PROTOCOLS = range(2, 6)

_ARCHIVES = (
    ("mapdata.xml", f"an iThoughts map (.itmz); {_EXPORT} from iThoughts"),
    ("contents.xml", f"a MindNode map; {_EXPORT} from MindNode"),
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
    ("page/page.xml", f"an EdrawMind map; {_EXPORT} from EdrawMind"),
    ("document.json", f"the file of another program; {_EXPORT} from it"),
)
_ELEMENTS = {
    "html": "a web page; save the outline as plain text or Markdown",
    "svg": f"an SVG picture; {_EXPORT} from the program that made it",
    "mxfile": "a draw.io diagram; write the outline as indented text",
    "mxgraphmodel": "a draw.io diagram; write the outline as indented text",
    "graphml": "a GraphML graph; write it as node-link JSON with networkx",
    "gexf": "a GEXF graph; write it as node-link JSON with networkx",
    "plist": f"a property list; {_EXPORT} from the program that made it",
    "minder": f"a Minder map; {_EXPORT} from Minder",
    "vymmap": f"a VYM map; {_EXPORT} from VYM",
    "ithoughts": f"an iThoughts map; {_EXPORT} from iThoughts",
    "cmap": "a CmapTools map; export the outline as text",
}
_DIAGRAM = re.compile(
    r"\s*(?:(?P<mermaid>flowchart|graph\s+(?:TD|TB|BT|LR|RL)|sequenceDiagram|classDiagram|stateDiagram|erDiagram|"
    r"gantt|journey|gitGraph|timeline|quadrantChart|pie(?:\s+title|\s*\n))\b|(?P<plantuml>@start\w+))"
)


_LOOKED_AT = 100_000
_BRACKET_OR_WORD = re.compile(r"[()]|[^\s()]+")
_CONLLU = re.compile(r"[0-9]+(?:[-.][0-9]+)?(?:\t[^\t]*){7,13}$")
_PENMAN = re.compile(r"\s*+(?:#[^\n]*+\n\s*+)*+\(\s*+[^\s()/\"]++\s*+/\s*+[^\s()]")


def _is_parse(text: str) -> bool:
    """Whether the text is linguists' parses of sentences: a treebank, AMR, or trees in brackets."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if lines and 3 * sum(_CONLLU.match(line) is not None for line in lines) > 2 * len(lines):
        return True
    return (_PENMAN.match(text) is not None and text.rstrip().endswith(")")) or _is_s_expression(text)


def _is_s_expression(text: str) -> bool:
    """Nothing but terms in brackets, at least one of which holds another."""
    depth = deepest = 0
    for match in _BRACKET_OR_WORD.finditer(text):
        if match[0] == "(":
            depth += 1
            deepest = max(deepest, depth)
        elif match[0] == ")":
            depth -= 1
        if depth < 0 or (depth == 0 and match[0] != ")"):
            return False
    return deepest > 1 and text.count("(") > 2 and (depth == 0 or len(text) == _LOOKED_AT)


def binary_kind(data: bytes) -> str | None:
    """What kind of file the bytes are, if they are one of those that are refused by name."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if data[:1] == b"\x80" and len(data) > 2 and data[1] in _PICKLE_PROTOCOLS and data.endswith(b"."):
        return "a Python pickle, which is never opened, since that runs its code"
    return None


def archive_kind(entries: Collection[str]) -> str | None:
    """What kind of file an archive with these entries is, if it is one of those that are refused by name."""
    return next((kind for name, kind in _ARCHIVES if name in entries), None)


def text_kind(text: str) -> str | None:
    """What a text is that only the most general formats take, if it is plainly something else."""
    if _is_parse(text[:_LOOKED_AT]):
        return (
            "a parse of a sentence (CoNLL-U, PENMAN or brackets); write its tree as indented text, or as a table "
            "with the columns id,parent,text"
        )
    diagram = _DIAGRAM.match(text)
    if diagram:
        name = " ".join(diagram[0].split())
        return f"another diagram ({name}), and of Mermaid and PlantUML only mindmap is read"
    element = root_name(text)
    if element is None:
        return None
    known = _ELEMENTS.get(element.lower())
    if known:
        return known
    if text.lstrip().startswith(("<?xml", "<!DOCTYPE")) or text.rstrip().endswith(f"</{element}>"):
        return f"XML with the root element <{element[:40]}>; {_EXPORT} from the program that made it"
    return None


# What a file's name promises: content that is nothing of the kind is an error, and no map of lines of text.
#
# Recognition goes by content alone; the name is asked where the content fits none but the formats that take
# nearly any text. Then the reader that the name promises says where the content breaks off.


@dataclass(frozen=True)
class Promise:
    """What an ending promises: the word for it, the format that reads it, and what raises if it breaks it."""

    title: str
    format: Format | None
    check: Callable[[Document], object]


def _check_xml(document: Document) -> None:
    element = parse_xml(document.text, document.first_line)
    raise MapFormatError(f"the content is XML with the root element <{element.tag[:40]}>, no mind map")


def _refuse_text(_: Document) -> None:
    raise MapFormatError("the content is text; save it again from the program that made it")


_JSON = Promise("JSON", NESTED_JSON, object_json.read_nested)
_YAML = Promise("YAML", YAML, yaml_outline.read)
_XML = Promise("XML", None, _check_xml)
_TABLE = Promise("a table of edges", EDGES, edges.read)
_ARCHIVE = Promise("a zip archive", None, _refuse_text)

PROMISES = {
    ".json": _JSON,
    ".jsonl": _JSON,
    ".ndjson": _JSON,
    ".canvas": _JSON,
    ".jm": _JSON,
    ".km": _JSON,
    ".mup": _JSON,
    ".yaml": _YAML,
    ".yml": _YAML,
    ".xml": _XML,
    ".opml": _XML,
    ".mm": _XML,
    ".csv": _TABLE,
    ".tsv": _TABLE,
    ".xmind": _ARCHIVE,
    ".mmap": _ARCHIVE,
    ".smmx": _ARCHIVE,
    ".docx": _ARCHIVE,
}
"""The endings whose files are one thing and nothing else; a .mmd, .md or .txt may be anything."""


def is_file_name(name: str | None) -> bool:
    """Whether this is the name of a file, and not the word for a text that was pasted."""
    return bool(PurePath(name or "").suffix)


def promised(document: Document) -> Format | None:
    """The format that the name promises, for content that only the most general formats take.

    Raises:
        MapFormatError: the content is nothing of the kind; says where it breaks off.
        LimitError: too large.
    """
    promise = PROMISES.get(PurePath(document.name or "").suffix.lower())
    if promise is None:
        return None
    try:
        promise.check(document)
    except MapFormatError as error:
        raise MapFormatError(
            f"{error.message} (the file's name promises {promise.title}; if it is something else, rename it or "
            f"give its format with --format)",
            line=error.line,
            column=error.column,
            path=error.path,
        ) from error
    if promise is _YAML and all(ITEM.match(line) for _, line in document.filled_lines):
        return None  # nested bullets, which YAML would glue into one text
    return promise.format


# What a pasted text may be besides the format that was guessed, where less than half of it looks like that.

_SIGNS = (
    ("JSON", re.compile(r"""\s*(?:[\[{"]|[\]}],?\s*$)""")),
    ("XML or HTML", re.compile(r"\s*</?\w")),
    ("a table", re.compile(r"[^,;\t|]{1,200}[,;\t|][^,;\t|]{0,200}$|[^\t]*\t[^\t]*\t")),
    ("YAML", re.compile(r"""\s*(?:-\s+)?[\w"'][^:\n]{0,100}:(?:\s|$)""")),
    ("prose, which is no map", re.compile(r".*[.!?]\s*$")),
)


def doubt(document: Document, guessed: Format, others: list[Format]) -> str | None:
    """A notice if less than half of the lines below the first look like the format that was guessed.

    Formats that ask something of every line need none.

    Raises:
        LimitError: too large to look at line by line.
    """
    if guessed not in {MARKDOWN, INDENTED}:
        return None
    lines = [line for _, line in document.filled_lines][1:]
    alike = sum(_is_outline(line) if guessed is MARKDOWN else _is_below(line) for line in lines)
    if 2 * alike >= len(lines):
        return None
    signs = [
        name for name, sign in _SIGNS if 2 * sum(sign.match(line) is not None for line in lines) > len(lines)
    ]
    may_be = ", ".join([*(entry.title for entry in others), *signs]) or "a flat list of texts"
    return (
        f"only {alike:,} of {counted(len(lines), 'line')} below the first look like {guessed.title}; it may also "
        f"be {may_be}. --format chooses another reader"
    )


def _is_outline(line: str) -> bool:
    return bool(HEADING.match(line) or ITEM.match(line))


def _is_below(line: str) -> bool:
    column, bulleted, _ = take_apart(line)
    return bulleted or column > 0
