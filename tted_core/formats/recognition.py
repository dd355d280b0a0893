"""Recognition of formats by content, and of files that are refused, each with the export to use instead.

Of these, pictures and documents are recognised by their first bytes, archives by their entries, XML by its root
element, texts and JSON by a typical pattern, and others by the file name extension.

The file's name is used only if the content matches none but the formats that accept nearly any text: content that
isn't what the extension promises is an error, not a map of lines of text.
"""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath

from tted_core.errors import MapFormatError, Message, Setting
from tted_core.formats.diagrams import MERMAID, PLANTUML
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import EDGES, EDIST, SENTENCES_JSON, lacks_sentences
from tted_core.formats.fields import records_of
from tted_core.formats.json_maps import JSMIND, MINDMUP, NESTED_JSON, OBJECT_JSON
from tted_core.formats.json_text import KEYS, JsonValue
from tted_core.formats.markdown import MARKDOWN
from tted_core.formats.outlines import CMGN, INDENTED, NUMBERED
from tted_core.formats.programs import ARCHIVES, OF_XML, root_name

GENERAL = (NUMBERED, MARKDOWN, INDENTED)
"""Formats that accept nearly any text; what only they match may be something else."""

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        *ARCHIVES,
        *OF_XML,
        CMGN,
        MERMAID,
        PLANTUML,
        SENTENCES_JSON,
        JSMIND,
        MINDMUP,
        EDIST,
        OBJECT_JSON,
        NESTED_JSON,
        EDGES,
        *GENERAL,
    )
}
"""All formats in the order of recognition, from special to general; the first match wins."""


def recognise(document: Document) -> Format:
    """The format of a document.

    Raises:
        MapFormatError: none, or it is clearly something that can't be read.
        LimitError: too large for recognition.
    """
    found = next((entry for entry in FORMATS.values() if entry.matches(document)), None)
    kind = None
    if found in {OBJECT_JSON, NESTED_JSON}:
        file = PurePath(document.name or "")
        is_hidden = file.name.startswith(".") and not file.suffix  # such as .babelrc
        kind = (
            _KINDS["settings"] if is_hidden else document.json_or_none and _json_kind(document.json_or_none)
        )
    elif found is None or found in GENERAL:
        kind = _text_kind(document)
        found = found if kind else _find_promise(document, found) or found
    if kind:
        raise refusal(kind)
    if found is None:
        raise MapFormatError(f"the content is not a mind map; {GIVE}")
    return found


_PROMISES: dict[str, Format | str] = {
    **dict.fromkeys((".json", ".jsonl", ".ndjson", ".jm", ".mup"), NESTED_JSON),
    **dict.fromkeys((".csv", ".tsv"), EDGES),
    **dict.fromkeys(PLANTUML.extensions, PLANTUML),
    **dict.fromkeys((".xml", ".opml", ".mm"), "a map in XML"),
    **dict.fromkeys((".xmind", ".mmap", ".smmx", ".docx"), "a zip archive"),
}
"""Extensions of a single format: the reader whose error names the position, or what the file should be.

A .md or .txt may be anything.
"""


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


GIVE = "give a file of a mind-map program (XMind, FreeMind, OPML), JSON, Markdown or indented text"
_EXPORT = "export the map as OPML or FreeMind (.mm)"
_OUTLINE = "export the map as OPML or Markdown"
_TABLE_OF_EDGES = "write its edges as a table with the columns id,parent,text"
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

_WORD = (
    "a Word document (.docx); turn its headings and lists into Markdown (pandoc -t markdown FILE.docx), or paste "
    "its outline as indented text"
)
_ARCHIVES = (
    ("mapdata.xml", f"an iThoughts map (.itmz); {_EXPORT} from iThoughts"),
    ("document/mindmap.xml", f"a SimpleMind map; {_EXPORT} from SimpleMind"),
    ("contents.xml", f"a MindNode map; {_EXPORT} from MindNode"),
    ("word/document.xml", _WORD),
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
    "svg": f"an SVG picture; {_EXPORT} from the program that made it",
    "mxfile": "a draw.io diagram; write the outline as indented text",
    "mxgraphmodel": "a draw.io diagram; write the outline as indented text",
    "graphml": f"a GraphML graph; {_TABLE_OF_EDGES}",
    "gexf": f"a GEXF graph; {_TABLE_OF_EDGES}",
    "plist": f"a property list; {_EXPORT} from the program that made it",
    "simplemind-mindmaps": f"a SimpleMind map; {_EXPORT} from SimpleMind",
    "minder": f"a Minder map; {_EXPORT} from Minder",
    "vymmap": f"a VYM map; {_EXPORT} from VYM",
    "ithoughts": f"an iThoughts map; {_EXPORT} from iThoughts",
    "cmap": "a CmapTools map; export the outline as text",
}
_KINDS = {
    "page": f"a web page; {_OUTLINE} from the program that made it",
    "dot": f"a DOT graph (Graphviz); {_TABLE_OF_EDGES}",
    "newick": f"a Newick tree; {_TABLE_OF_EDGES}",
    "brackets": "a tree in bracket notation; write it as nested JSON or a Markdown list",
    "org": f"an Org file; {_OUTLINE} from Emacs",
    "yaml": "YAML; write the map as a Markdown list, or save it as JSON",
    "settings": "a file of settings",
    "canvas": "a canvas (Obsidian); write its cards as a Markdown list",
    "network": f"a graph of networkx; {_TABLE_OF_EDGES}",
}
"""Texts, JSON and pages that are other trees or no maps."""

_ENDINGS = {
    **dict.fromkeys((".html", ".htm"), _KINDS["page"]),
    **dict.fromkeys((".dot", ".gv"), _KINDS["dot"]),
    **dict.fromkeys((".nwk", ".newick"), _KINDS["newick"]),
    **dict.fromkeys((".yaml", ".yml"), _KINDS["yaml"]),
    ".bracket": _KINDS["brackets"],
    ".org": _KINDS["org"],
    ".canvas": _KINDS["canvas"],
}
_TEXTS = (
    (
        re.compile(
            r"\A(?:\s|'[^\n]*+)*+(?:<style>|skinparam\b|!(?:theme|define|include|procedure|function)\b)",
            re.IGNORECASE,
        ),
        "a style or settings of PlantUML; give the file with the diagram",
    ),
    (re.compile(r"^> ?__version__=", re.MULTILINE), f"a map of SciaReto; {_OUTLINE} from it"),
    (
        re.compile(
            r"\A(?:\s|//[^\n]*+|#[^\n]*+|/\*.*?\*/)*+(?:strict\s+)?(?:di)?graph\b(?:\s*(?:\w+|\"[^\"]*\"))?\s*\{",
            re.DOTALL | re.IGNORECASE,
        ),
        _KINDS["dot"],
    ),
    (re.compile(r"\A\s*+(?:\[[^\]]*\]\s*+)?\(.*\)[^()]*;\s*\Z", re.DOTALL), _KINDS["newick"]),
    (
        re.compile(r"\S\n[ |│]*/[ ]*(?:[|│][ ]*)*\\[ /|\\│]*\n"),
        "a drawing with slanted lines; write its tree as indented text",
    ),
    (
        re.compile(
            r"^[ \t]*+[|│┌┬┼+](?=[^\n]*[|│┐┬+][ \t]*+$)[-─ \t|│┬┼┴+]++\n[ \t]*+[^\W_][^\n|│]* {3,}[^\W_]",
            re.MULTILINE,
        ),
        "a drawing with several nodes in a row; write its tree as indented text",
    ),
    (
        re.compile(r"[^\W_] ?[─━]+ ?(?:┼|[┐┘╮╯┓┛][ \t]*+(?:$|[│┌└├]))|┤[ \t]*+├", re.MULTILINE),
        "a drawing with several nodes in a row or branches to the left; write its tree as indented text",
    ),
    (re.compile(r"\A(?:%YAML\b|\{\s*[^\s\"'{}\[\]:,][^{}\[\]:,\n]*:\s)"), _KINDS["yaml"]),
    (re.compile(r"\A\s*+\{(?!\s*+[\"'}]).*\}\s*\Z", re.DOTALL), _KINDS["brackets"]),
    (
        re.compile(r"^(?:#\+(?:TITLE|(?:SEQ_)?TODO|OPTIONS):|:PROPERTIES:$)", re.MULTILINE | re.IGNORECASE),
        _KINDS["org"],
    ),
    (re.compile(r"\A\s*+#!/"), "a script"),
    (
        re.compile(
            r"^\.(?:PHONY|SUFFIXES|DEFAULT_GOAL)\b|^\t[^\n$]*+\$(?:\([A-Z_]{2,}+\)|[@<^](?=\s))|"
            r"^[\w.%/-]++:(?:[ \t]++[\w.%/-]++)*+\n\t[@-]?(?:\w++ --?[A-Za-z]|"
            r"(?:rm|cp|mv|mkdir|python3?|pip|npm|npx|cargo|gcc|cc|docker) |go (?:build|test|run|mod|vet) )",
            re.MULTILINE,
        ),
        "a Makefile",
    ),
    (
        re.compile(r"\A\s*+(?:[#;][^\n]*+\s*+)*+\[[\w .:\"-]+\]\s*+[\w.-]++ ?="),
        _KINDS["settings"],
    ),
    (
        re.compile(r"\A\s*+(?:[#%][^\n]*+\s++)*+@[a-z]+\{[^\s,{}]*+,", re.IGNORECASE),
        "a bibliography (BibTeX)",
    ),
    (re.compile(r"\A\s*+BEGIN:V[A-Z]+$", re.MULTILINE), "a calendar or contact"),
    (re.compile(r"^(?:\d\d:)?\d\d:\d\d[,.]\d{3} --> ", re.MULTILINE), "a file of subtitles"),
    (
        re.compile(r"^(?:diff -{2}git |commit [0-9a-f]{7,40}$|--- \S[^\n]*+\n\+\+\+ \S)", re.MULTILINE),
        "a list of changes (diff)",
    ),
    (
        re.compile(
            r"\A\s*+(?:(?:from|to|cc|subject|date|sent|reply-to|received|return-path|mime-version|message-id): "
            r"[^\n]*+(?:\n[ \t]+[^\n]*+)*+\n){3}",
            re.IGNORECASE,
        ),
        "an e-mail",
    ),
)
"""Typical patterns of texts that are trees in an unsupported form, or no trees."""

_LINES = (
    (
        re.compile(
            r"\A\s*+(?:(?![-*+] )(?:[^=(){}:<>]*+[=(){}:<>].*;|.*[{}]|[)\]}]+[;,]?|.*\w ?\(|"
            r"(?:async |def |class |for |if |elif |else|while |try|except|with |switch |case ).*:|"
            r"(?:import|from|return|using|package|require|export|echo|set|use) [\w.\"'$*-]+(?: import .*)?)$|"
            r"(?:class|def|module) \w+(?:\(.*\))?$|end$|\w{2,}+[\w.]*+\(.*\)$|"
            r"(?:FROM|RUN|COPY|WORKDIR|CMD|ENV|SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER) \S|"
            r"(?:source|gem|require|include|plugin|apply) [\"'].*[\"']$|\w+ [:\"'][\w\"']+ do$|\$\w+ [-+.]?= \S|"
            r"//|/\*|#include\b|[\w.]++ (?:[-+*]?=|:=) .*[(\[{\"'])"
        ),
        "source code",
    ),
    (
        re.compile(
            r"\A\s*+(?:\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d |"
            r"\d\d:\d\d:\d\d\b|\d{1,3}(?:\.\d{1,3}){3} |"
            r"(?:INFO|DEBUG|WARN|WARNING|ERROR|TRACE)\b)|at [\w.$<>]++\(.*\)$|"
            r"Traceback \(|File \"[^\"]*\", line \d)"
        ),
        "a log",
    ),
    (re.compile(r"\A\s*+(?:- )?[a-z_][\w.-]*+:(?: \S|$)"), _KINDS["yaml"]),
    (
        re.compile(r"\A\s*+(?:[A-Z][A-Z0-9]*+_[A-Z0-9_]*+=|[\w.-]++[=<>~!]=\d|(?:[\d*/,-]++[ \t]+){5}\S)"),
        _KINDS["settings"],
    ),
    (
        re.compile(r"\A(?:[!/]?\*{1,2}[./][\w.*/-]+|[!/.][\w.*/-]+|[\w.*-]+/)$"),
        "a list of file names (.gitignore)",
    ),
)
"""Typical lines; a text in which most are of one kind is refused."""

_FORMULAS_AND_CODE = re.compile(r"`{3,}[^`]*`{3,}|`[^`\n]*`|\$\$[^$]*\$\$|\$[^$\n]*\$")
_LATEX = re.compile(r"\\begin\{\w+\*?\}|^[ \t]*+\\(?:item\b|[A-Za-z]{2,}\*?\s?[\[{])", re.MULTILINE)
_PAGE_PARTS = {"body", "main", "article", "section", "div", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6"}
_DIAGRAM = re.compile(
    r"\s*(?:(?P<mermaid>flowchart|graph\s+(?:TD|TB|BT|LR|RL)|sequenceDiagram|classDiagram|stateDiagram|erDiagram|"
    r"gantt|journey|gitGraph|timeline|quadrantChart|pie(?:\s+title|\s*\n))\b|(?P<plantuml>@start\w+))"
)


def refusal(kind: str) -> MapFormatError:
    """The error for a refused file, with the export to use or the formats to give instead."""
    return MapFormatError(f"this is {kind}" if ";" in kind else f"this is {kind}, not a mind map; {GIVE}")


def binary_kind(data: bytes) -> str | None:
    """The kind of a refused binary file, if the bytes are recognised."""
    if data[:1] == b"\x80" and len(data) > 2 and data[1] in range(2, 6) and data.endswith(b"."):
        return "a Python pickle, which is never opened, since that runs its code"
    return next((kind for signature, kind in _SIGNATURES if data.startswith(signature)), None)


def archive_kind(entries: Collection[str]) -> str | None:
    """The kind of a refused archive, if its entries are recognised."""
    return next((kind for name, kind in _ARCHIVES if name in entries), None)


def _text_kind(document: Document) -> str | None:
    """The kind of a refused text that only the most general formats accept, if it is recognised."""
    text = document.text
    diagram = _DIAGRAM.match(text)
    if diagram:
        name = " ".join(diagram[0].split())
        return f"another diagram ({name}), and of Mermaid and PlantUML only mindmap and wbs are read"
    bare = _FORMULAS_AND_CODE.sub("", text)
    if _LATEX.search(bare):
        return "LaTeX; write its tree as indented text"
    kind = next((kind for sign, kind in _TEXTS if sign.search(text)), None)
    element = root_name(text) or ""
    if element.lower() == "html" or (element.lower() in _PAGE_PARTS and "<li" in text.lower()):
        return _KINDS["page"]
    is_xml = text.lstrip().startswith(("<?xml", "<!DOCTYPE")) or text.rstrip().endswith(f"</{element}>")
    other = f"XML with the root element <{element[:40]}>; {_EXPORT} from the program that made it"
    kind = kind or _ELEMENTS.get(element.lower(), other if element and is_xml else None)
    kind = kind or _ENDINGS.get(PurePath(document.name or "").suffix.lower())
    return kind or _kind_of_lines([line for line in bare.split("\n") if line.strip()])


def _kind_of_lines(lines: Sequence[str]) -> str | None:
    """The kind of a text of which the first and most lines are of one kind, if it is recognised."""
    others = [line for line in lines if not line.startswith("# ")]  # but comments
    if len(others) < 3:
        return None
    separators = {tuple(map(line.count, ",;\t")) for line in lines}
    if len(separators) == 1 and any(*separators) and all(re.match(r"[\w\"']", line) for line in lines):
        return "a table without the columns of an edge list; name them parent,child or id,parent,text"
    stripped = [line.rstrip() for line in others]
    found = (
        kind
        for sign, kind in _LINES
        if sign.search(stripped[0]) and 2 * sum(map(bool, map(sign.search, stripped))) >= len(stripped)
    )
    kind = next(found, None)
    is_nested = any(line.endswith(":") for line in stripped)
    is_listed = any(line.lstrip().startswith("-") for line in stripped)  # perhaps in Markdown
    is_map = stripped[0].startswith("-") or ": " not in stripped[0] or (is_listed and not is_nested)
    return None if kind == _KINDS["yaml"] and is_map else kind


def _json_kind(value: JsonValue) -> str | None:
    """The kind of refused JSON whose keys would otherwise be read as texts, if it is recognised."""
    keys, nodes = set(value.keys), value.get("nodes")
    if value.kind == "array" and all(
        row.kind == "array" and all(cell.is_scalar for cell in row.items) for row in value.items
    ):
        return "a list of rows"
    if any(map(lacks_sentences, records_of(value))):
        what = "a map of edges between numbers of sentences, without the sentences"
        return f"{what}; add them as a list under 'sentences'"
    if "mindData" in keys:
        return f"a rich map of MarkMind (Obsidian); {_OUTLINE} from it"
    if nodes is None:
        return _KINDS["network"] if {"id", "children"} <= keys and keys.isdisjoint(KEYS["label"]) else None
    if nodes.items and all({"id", "type", "x", "y"} <= set(node.keys) for node in nodes.items):
        return _KINDS["canvas"]
    is_graph = not keys.isdisjoint({"links", "edges"}) and all(
        node.get("id") is not None for node in nodes.items
    )
    return _KINDS["network"] if is_graph else None
