"""PlantUML's ``@startmindmap``: the number of ``*``, ``+`` or ``-``, or the indentation, is the level.

``:text;`` may span lines, ``_`` removes the box, ``[#color]`` and ``<<style>>`` are styles. Style blocks, titles,
headers, footers, captions, legends, settings and comments are not nodes. Nothing is ever executed or included.
"""

import re
from collections.abc import Iterator

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.indented import width
from tted_core.formats.labels import quoted, without_emphasis, without_tags

_START = re.compile(r"^[ \t]*@start(\w+)", re.MULTILINE)
_END = re.compile(r"^[ \t]*@end\w+", re.MULTILINE)
_NODE = re.compile(
    r"(?P<blank>\s*)(?P<mark>[*]+|[+]+|-+|#+)(?P<looks>(?:\[#[^\]\n]*\]|_)*)(?P<rest>(?:\s|:).*|$)", re.DOTALL
)
_BLOCK = re.compile(
    r"\s*(?:(?:center|left|right)\s+)?(title|header|footer|legend|caption)\s*$", re.IGNORECASE
)
_SETTING = re.compile(
    r"\s*(?:'|!|@|skinparam\b|scale\b|hide\b|show\b|left side\b|right side\b|left to right direction\b|"
    r"top to bottom direction\b|right to left direction\b|bottom to top direction\b|(?:(?:center|left|right)\s+)?"
    r"(?:title|header|footer|legend|caption)\b|end\s?\w*$|mainframe\b|allowmixing\b)",
    re.IGNORECASE,
)
_STEREOTYPE = re.compile(r"<<[^<>\n]*>>\Z")
_END_OF_TEXT = re.compile(r";\s*(?:<<[^<>\n]*>>\s*)?\Z")
_LINK = re.compile(r"\[\[([^\s\[\]{}|]+)(?:\s*\{[^{}\[\]]*\})?[|\s]?([^\[\]]*)\]\]")
_CREOLE = re.compile(r"\*\*|(?<!:)//|__|~~|--|\"\"")
_TAG = re.compile(
    r"</?(?:color|size|back|font|plain|w|w:\w+|&[\w-]+|:[\w-]+:)(?:[:=][^<>]*)?>", re.IGNORECASE
)


def read(document: Document) -> list[Forest]:
    """Read a map for each mind map diagram in the text; one without ``@startmindmap`` is read as a whole.

    Raises:
        MapFormatError: a line is neither a node nor a known setting, or there are no nodes.
        LimitError: too large.
    """
    starts = list(_START.finditer(document.text))
    if not starts:
        return [_read_diagram(document)]
    forests = []
    for start in starts:
        if start[1] == "mindmap":
            end = _END.search(document.text, start.end())
            body = document.text[start.end() : end.start() if end else len(document.text)]
            forests.append(_read_diagram(Document(body, first_line=document.line_of(start.start()))))
    if not forests:
        raise MapFormatError(f"this PlantUML has @start{starts[0][1]}, but only @startmindmap is a mind map")
    return forests


def _read_diagram(document: Document) -> Forest:
    forest = Forest()
    levels: list[int] = []  # by node
    left_out: list[str] = []
    skipping: list[int] = []
    for number, line in _statements(document, left_out):
        match = _NODE.match(line)
        if match:
            levels.append(len(match["mark"]))
            node = forest.add_at(_label(match["rest"]), levels[-1], width(match["blank"]), line=number)
            parent = forest.parents[node]
            skipping += [node] if parent >= 0 and levels[node] > levels[parent] + 1 else []
        elif not _SETTING.match(line):
            raise MapFormatError(
                f"{quoted(line.strip())} is not a node; begin it with '*' signs", line=number
            )
        elif not line.lstrip().startswith(("'", "@")):
            left_out.append(f"line {number} ({quoted(line.strip())})")
    if not forest.labels:
        raise MapFormatError("the PlantUML mind map has no nodes", line=document.first_line)
    forest.notice_if(
        skipping,
        f"levels are skipped above these nodes, put below the next higher one: {forest.locations(skipping)}",
    )
    forest.notice_if(left_out, f"settings, titles and the like are not nodes: {listed(left_out, 3)}")
    return forest


def _statements(document: Document, left_out: list[str]) -> Iterator[tuple[int, str]]:
    """The lines with ``:text;`` joined to one, without comments, style blocks and text blocks."""
    lines = iter(document.lines)
    for number, line in lines:
        closing = _skipped_block(line)
        if closing:
            if not line.lstrip().startswith("/'"):
                left_out.append(f"line {number} ({quoted(line.strip())})")
            if not closing.search(line.lstrip()[2:]):
                any(closing.search(inside) for _, inside in lines)  # skips to the line that ends the block
        elif line.strip():
            node = _NODE.match(line)
            pieces = [line]
            while node and node["rest"].startswith(":") and not _END_OF_TEXT.search(pieces[-1]):
                following = next(lines, None)
                if following is None:
                    raise MapFormatError(
                        "the text that begins with ':' in this line has no ';' at its end", line=number
                    )
                pieces.append(following[1])
            yield number, "\n".join(pieces)


def _skipped_block(line: str) -> re.Pattern[str] | None:
    """The pattern that ends a block without nodes, if this line begins one."""
    start = line.lstrip()
    if start.startswith("/'"):
        return re.compile("'/")
    if start.lower().startswith("<style>"):
        return re.compile("</style>", re.IGNORECASE)
    block = _BLOCK.match(line)
    return re.compile(rf"^\s*end\s?{block[1]}\s*$", re.IGNORECASE) if block else None


def _label(rest: str) -> str:
    text = _STEREOTYPE.sub("", rest.rstrip()).strip()
    if rest.startswith(":"):
        text = text[1:].removesuffix(";")
    text = _LINK.sub(lambda match: match[2].strip() or match[1], text).replace("\\n", " ")
    return without_tags(_TAG.sub("", without_emphasis(text, _CREOLE))).strip()


PLANTUML = Format(
    name="plantuml",
    title="PlantUML mindmap",
    extensions=(".puml", ".plantuml"),
    matches=lambda document: any(match[1] == "mindmap" for match in _START.finditer(document.text)),
    read=read,
)
