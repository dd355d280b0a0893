"""PlantUML's ``@startmindmap`` and ``@startwbs``: the number of ``*``, ``+`` or ``-``, or the column is the level.

``:text;`` may span lines, ``_`` removes the box, ``[#color]`` and ``<<style>>`` are styles. Style blocks, titles,
headers, footers, captions, legends, settings and comments are not nodes. Nothing is ever executed or included.
"""

import re

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, listed
from tted_core.formats.labels import quoted, without_tags
from tted_core.formats.lines import width

START = re.compile(r"^[ \t]*+@start(\w+)", re.MULTILINE)
_KINDS = ("mindmap", "wbs")
_END = re.compile(r"^[ \t]*+@end\w+", re.MULTILINE)
_NODE = re.compile(
    r"(?P<blank>\s*)(?P<mark>[*]+|[+]+|-+|#+)(?P<looks>(?:\[#[^\]\n]*\]|_|[<>]|\(\w+\))*)(?P<rest>(?:\s|:).*|$)",
    re.DOTALL,
)
_BLOCK = re.compile(
    r"\s*(?:(?:center|left|right)\s+)?(title|header|footer|legend|caption)(?:\s+(?:center|left|right|top|bottom))*+\s*$",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"\s*(?:'|!|@|skinparam\b|scale\b|hide\b|show\b|left side\b|right side\b|left to right direction\b|"
    r"top to bottom direction\b|right to left direction\b|bottom to top direction\b|(?:(?:center|left|right)\s+)?"
    r"(?:title|header|footer|legend|caption)\b|end\s?\w*$|mainframe\b|allowmixing\b|"
    r"\w++\s*+(?=[^\n]*[<>])[<.-][<>\w\[\]#.-]*+(?:\s++\w++)?\s*+$)",
    re.IGNORECASE,
)
_STEREOTYPE = re.compile(r"<<[^<>\n]*>>\Z")
_END_OF_TEXT = re.compile(r";\s*(?:<<[^<>\n]*>>\s*)?\Z")
_LINK = re.compile(r"\[\[\s*+([^\s\[\]{}|]++)\s*+(?:\{[^{}\[\]]*+\})?[|\s]*+([^\[\]]*+)\]\]")
_CREOLE = re.compile(r"(\*\*|(?<!:)//|__|~~|--|\"\")(?=\S)((?:(?!\1).)++)(?<=\S)\1", re.DOTALL)
_TAG = re.compile(
    r"</?(?:color|size|back|font|plain|w|w:\w+|&[\w-]+|:[\w-]+:)(?:[:=][^<>]*)?>", re.IGNORECASE
)


def read(document: Document) -> list[Forest]:
    """Read a map for each mind map or work breakdown in the text; one without ``@start`` is read as a whole.

    Raises:
        MapFormatError: a line is neither a node nor a known setting.
        LimitError: too large.
    """
    starts = list(START.finditer(document.text))
    if not starts:
        whole = _read_diagram(document)
        whole.notices.append("there is no line @startmindmap; the whole text was read as one diagram")
        return [whole]
    forests = []
    for start, following in zip(starts, [*starts[1:], None], strict=True):
        if start[1] in _KINDS:
            body = document.text[start.end() : following.start() if following else None]
            body = _END.split(body, maxsplit=1)[0]
            forests.append(_read_diagram(Document(body, first_line=document.line_of(start.start()))))
    if not forests:
        raise MapFormatError(
            f"this PlantUML has @start{starts[0][1]}, but only @startmindmap and @startwbs are maps; mend it"
        )
    return forests


def _read_diagram(document: Document) -> Forest:
    forest = Forest()
    left_out: list[str] = []
    marks: list[int] = []  # by node
    lines = iter(document.lines)
    for number, line in lines:
        node = _NODE.match(line)
        end = _end_of_block(line)
        if node and end is None:
            pieces = [node["rest"]]
            while pieces[0].startswith(":") and not _END_OF_TEXT.search(pieces[-1]):
                _, following = next(lines, (0, None))
                if following is None:
                    raise MapFormatError(
                        "the text that begins with ':' in this line has no ';' at its end", line=number
                    )
                pieces.append(following)
            marks.append(len(node["mark"]))
            forest.add_at(_label("\n".join(pieces)), marks[-1], width(node["blank"]), line=number)
        elif line.strip():
            if end is None and not _SETTING.match(line):
                raise MapFormatError(
                    f"{quoted(line.strip())} is not a node; begin it with '*' signs", line=number
                )
            if not line.lstrip().startswith(("'", "@", "/'")):
                left_out.append(f"line {number} ({quoted(line.strip())})")
            if end and not end.search(line.lstrip()[2:]):
                any(end.search(inside) for _, inside in lines)  # skips to the line that ends the block
    skipping = [v for v, above in enumerate(forest.parents) if above >= 0 and marks[v] > marks[above] + 1]
    forest.notice_if(
        skipping,
        f"levels are skipped above these nodes, put below the next higher one: {forest.locations(skipping)}",
    )
    forest.notice_if(left_out, f"settings, titles and the like are not nodes: {listed(left_out, 3)}")
    return forest


def _end_of_block(line: str) -> re.Pattern[str] | None:
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
    return without_tags(_TAG.sub("", _CREOLE.sub(r"\2", text))).strip()


PLANTUML = Format(
    name="plantuml",
    title="PlantUML mindmap",
    extensions=(".puml", ".plantuml"),
    matches=lambda document: any(match[1] in _KINDS for match in START.finditer(document.text)),
    read=read,
)
