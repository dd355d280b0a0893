"""Diagrams in text: Mermaid's ``mindmap``, and PlantUML's ``@startmindmap`` and ``@startwbs``.

In Mermaid indentation gives the hierarchy, and brackets around the text its shape. Front matter, ``%%`` comments,
``::icon(...)`` and ``:::class`` are not nodes. A quoted text may span lines; ``#quot;`` and the like are character
codes; backticks contain Markdown, but ``**bold**`` and the mark of a list are common in other texts too.

In PlantUML the number of ``*``, ``+`` or ``-``, or the column is the level. ``:text;`` may span lines, ``_``
removes the box, ``[#color]`` and ``<<style>>`` are styles. Style blocks, titles, headers, footers, captions,
legends, settings and comments are not nodes. Nothing is ever executed or included.
"""

import html
import re
from html.entities import html5

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import OF_ITEMS, Forest
from tted_core.formats.labels import without_tags
from tted_core.formats.lines import column_width
from tted_core.foundations.messages import list_some, quoted

# Front matter, directives (one that isn't closed goes on to the end), and comments.
_SETTINGS = re.compile(
    r"\A\s*---[ \t]*\n(?:.*\n)*?[ \t]*---[ \t]*\n|%%\{(?:[^}]|\}(?!%%))*+(?:\}%%)?|^[^\S\n]*+%%(?!\{)[^\n]*+",
    re.MULTILINE,
)
_QUOTED = re.compile(r'^[^"\n]*+(?<=[(\[{])"[^"\n]*+\n[^"]*+"[^\n]*+', re.MULTILINE)
_HEAD = re.compile(r"\s*mindmap\b[ \t]*(?:\n|\Z)")
_LOOKED_AT = 20_000  # characters used for recognition
# A text in its shape, which follows an id immediately and ends the line; brackets in it are in quotes or in pairs.
# Mermaid takes "Hazards (ash)" for a node with the id "Hazards" that shows "ash", and refuses "Ash (hot) falls";
# who writes either means all of it.
_ID = r'(?!")[^()\[\]{}]*+(?<!\s)'
_ROUND = r'(\s*+"[^"]*+"\s*+|(?:[^()]++|\([^()]*+\))*+)'
_SHAPE = re.compile(
    rf"{_ID}(?:\(\({_ROUND}\)\)|\)\){_ROUND}\(\(|\){_ROUND}\(|\(-{_ROUND}-\)|\({_ROUND}\)|"
    r'\{\{(\s*+"[^"]*+"\s*+|(?:[^{}]++|\{[^{}]*+\})*+)\}\}|'
    r'\[(\s*+"[^"]*+"\s*+|(?:[^\[\]]++|\[[^\[\]]*+\])*+)\]);?'
)
_CLASS_NAMES = re.compile(r"(?<=.):::[\w-]++(?: [\w-]++)*+\Z")
_LOOKS = re.compile(r"::icon\(|:::|(?:classDef|style|linkStyle)\s+\S+\s+[\w-]+\s*:\s*\S")
_CLASS = re.compile(r"class\s+\S+\s+\S+")
_CODE = re.compile(r"#([A-Za-z]+|[0-9]+);")
_STRONG = re.compile(r"\*\*(?=\S)([^*]++)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(\*\*?|(?<!\w)__?)(?=\S)((?:(?!\1).)++)(?<=\S)\1(?!\w)", re.DOTALL)


def read_mermaid(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no line ``mindmap``.
        LimitError: too large.
    """
    joined = _QUOTED.sub(_in_one_line, _without_settings(document.text))
    if not _HEAD.match(joined):
        raise MapFormatError("a Mermaid mind map begins with the line 'mindmap'", line=document.first_line)
    forest = Forest()
    has_classes = "classDef" in document.text
    _, *statements = Document(joined, first_line=document.first_line).filled_lines
    for number, line in statements:
        text = _CLASS_NAMES.sub("", line.strip()).rstrip().removeprefix("- ").lstrip()
        if not _LOOKS.match(text) and not (has_classes and _CLASS.fullmatch(text)):
            column = column_width(line[: len(line) - len(line.lstrip())])
            forest.add_at(_mermaid_label(text), (OF_ITEMS, column), line=number)
    return [forest]


def _in_one_line(found: re.Match[str]) -> str:
    """The text in one line, with the line ends after it, so that the lines below keep their numbers."""
    return found[0].replace("\n", "\r") + "\n" * found[0].count("\n")


def _without_settings(text: str) -> str:
    """The text without front matter and directives, keeping newlines for line numbers."""
    return _SETTINGS.sub(lambda match: "\n" * match[0].count("\n"), text)


def _mermaid_label(text: str) -> str:
    """The text of a node without its shape, quotes, codes and tags."""
    shape = _SHAPE.fullmatch(text)
    text = shape[shape.lastindex or 0].strip() if shape else text
    inner = text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] == '"' else text
    if len(inner) > 1 and inner[0] == inner[-1] == "`" and (inner != text or inner.count("`") == 2):
        inner = _EMPHASIS.sub(r"\2", inner[1:-1])
    return _CODE.sub(
        lambda code: (
            html.unescape(f"&#{code[1]};") if code[1].isdigit() else html5.get(f"{code[1]};", code[0])
        ),
        without_tags(_STRONG.sub(r"\1", inner)),
    )


MERMAID = Format(
    name="mermaid",
    title="Mermaid mindmap",
    extensions=(".mmd", ".mermaid"),
    matches=lambda document: (
        "mindmap" in document.text and _HEAD.match(_without_settings(document.text[:_LOOKED_AT])) is not None
    ),
    read=read_mermaid,
)


# PlantUML

PLANTUML_START = re.compile(r"^[ \t]*+@start\w", re.MULTILINE)
# A name may follow, of the picture that PlantUML makes of it.
_MAP = re.compile(
    r"^[ \t]*+@start(?:mindmap|wbs)(?:[ \t(][^\n]*+)?$((?:\n(?![ \t]*+@(?:start|end)\w)[^\n]*+)*+)",
    re.MULTILINE,
)
_NODE = re.compile(
    r"(?P<blank>\s*)(?P<mark>[*]+|[+]+|-+|#+)(?:\[#[^\]\n]*\]|_|[<>]|\(\w+\))*(?::(?P<long>.*);|(?P<text>\s.*|))",
    re.DOTALL,
)
# A text of several lines, and blocks without nodes; one that isn't closed goes on to the end.
_LONG = re.compile(
    r"^[^\S\n]*+(?:[*+#-]++(?:\[#[^\]\n]*\]|_|[<>]|\(\w+\))*+:"
    r"(?:[^;]|;(?![^\S\n]*+(?:<<[^<>\n]*+>>[^\S\n]*+)?$))*+|"
    r"/'(?:[^']|'(?!/))*+|<style>(?:[^<]|<(?!/style>))*+|"
    r"(?:(?:center|left|right)[^\S\n]++)?(?P<block>title|header|footer|legend|caption)"
    r"(?:[^\S\n]++(?:center|left|right|top|bottom))*+[^\S\n]*+$"
    r"(?:\n(?![^\S\n]*+end\s?(?P=block)[^\S\n]*+$)[^\n]*+)*+\n?+)[^\n]*+",
    re.IGNORECASE | re.MULTILINE,
)

_SETTING = re.compile(
    r"\s*(?:/?'|<style>|!|@|skinparam\b|scale\b|hide\b|show\b|left side\b|right side\b|left to right direction\b|"
    r"top to bottom direction\b|right to left direction\b|bottom to top direction\b|(?:(?:center|left|right)\s+)?"
    r"(?:title|header|footer|legend|caption)\b|end\s?\w*$|mainframe\b|allowmixing\b|"
    r"\w++\s*+(?=[^\n]*[<>])[<.-][<>\w\[\]#.-]*+(?:\s++\w++)?\s*+$)",
    re.IGNORECASE,
)
_STEREOTYPE = re.compile(r"<<[^<>\n]*>>\Z")
_LINK = re.compile(r"\[\[\s*+([^\s\[\]{}|]++)\s*+(?:\{[^{}\[\]]*+\})?[|\s]*+([^\[\]]*+)\]\]")
_CREOLE = re.compile(r"(\*\*|(?<!:)//|__|~~|--|\"\")(?=\S)((?:(?!\1).)++)(?<=\S)\1", re.DOTALL)
_TAG = re.compile(
    r"</?(?:color|size|back|font|plain|w|w:\w+|&[\w-]+|:[\w-]+:)(?:[:=][^<>]*)?>", re.IGNORECASE
)


def read_plantuml(document: Document) -> list[Forest]:
    """Read a map for each mind map or work breakdown in the text.

    Raises:
        MapFormatError: there is none, or a line is neither a node nor a known setting.
        LimitError: too large.
    """
    forests = [
        _read_diagram(Document(found[1], first_line=document.line_of(found.start(1))))
        for found in _MAP.finditer(document.text)
    ]
    if not forests:
        raise MapFormatError(
            "a map of PlantUML begins with the line '@startmindmap' or '@startwbs'", line=document.first_line
        )
    return forests


def _read_diagram(document: Document) -> Forest:
    forest = Forest()
    left_out: list[str] = []
    joined = _LONG.sub(_in_one_line, document.text)
    for number, line in Document(joined, first_line=document.first_line).filled_lines:
        node = _NODE.fullmatch(_STEREOTYPE.sub("", line.rstrip()).rstrip())
        if node:
            text = _LINK.sub(lambda link: link[2].strip() or link[1], node["long"] or node["text"] or "")
            text = _TAG.sub("", _CREOLE.sub(r"\2", text.replace("\\n", " ")))
            level = (OF_ITEMS, len(node["mark"]), column_width(node["blank"]))
            forest.add_at(without_tags(text).strip(), level, line=number)
        elif not _SETTING.match(line):
            raise MapFormatError(
                f"{quoted(line.strip())} is not a node: no '*' sign at its front, or no ';' at its end behind ':'",
                line=number,
            )
        elif not line.lstrip().startswith(("'", "@", "/'")):
            first = line.strip().partition("\r")[0]
            left_out.append(f"line {number} ({quoted(first)})")
    forest.notice_if(left_out, f"settings, titles and the like are not nodes: {list_some(left_out, 3)}")
    return forest


PLANTUML = Format(
    name="plantuml",
    title="PlantUML mindmap",
    extensions=(".puml", ".plantuml"),
    matches=lambda document: _MAP.search(document.text) is not None,
    read=read_plantuml,
)
