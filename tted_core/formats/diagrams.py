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

from tted_core.errors import MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest, Outline, list_some
from tted_core.formats.labels import quoted, without_tags
from tted_core.formats.lines import column_width

# Front matter, directives (one that isn't closed goes on to the end), and comments.
_SETTINGS = re.compile(
    r"\A\s*---[ \t]*\n(?:.*\n)*?[ \t]*---[ \t]*\n|%%\{(?:[^}]|\}(?!%%))*+(?:\}%%)?|^[^\S\n]*+%%(?!\{)[^\n]*+",
    re.MULTILINE,
)
_QUOTED = re.compile(r'^[^"\n]*+(?<=[(\[{])"[^"\n]*+\n[^"]*+(?P<end>"?+)[^\n]*+', re.MULTILINE)
_HEAD = re.compile(r"(?:\s|%%[^\n]*+(?:\n|\Z))*+mindmap\b[ \t]*(?:\n|\Z)")
_KEYWORD = re.compile(r"\s*mindmap\b")
_MIRRORED = str.maketrans("()[]{}", ")(][}{")
_LOOKED_AT = 20_000  # characters used for recognition
_OPENING = re.compile(r"[^()\[\]{}]*+(\(\(|\{\{|\)\)|\)|\(-|\(|\[)")
_CLASSES = re.compile(r"classDef\s+(\S+)\s")
_LOOKS = re.compile(r"(?:classDef|style|linkStyle)\s+\S+\s+[\w-]+\s*:\s*\S")
_CODE = re.compile(r"#([A-Za-z]+|[0-9]+);")
_STRONG = re.compile(r"\*\*(?=\S)([^*]++)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(\*\*?|(?<!\w)__?)(?=\S)((?:(?!\1).)++)(?<=\S)\1(?!\w)", re.DOTALL)


def read_mermaid(document: Document) -> list[Forest]:
    """Read the map.

    Raises:
        MapFormatError: no line ``mindmap``, or a bracket that isn't closed.
        LimitError: too large.
    """
    bare = Document(_without_settings(document.text), first_line=document.first_line)

    def in_one_line(found: re.Match[str]) -> str:
        if not found["end"]:
            line = bare.line_of(found.start())
            raise MapFormatError("the quoted text that begins in this line is not closed", line=line)
        return _in_one_line(found[0])

    joined = _QUOTED.sub(in_one_line, bare.text)
    statements = Document(joined, first_line=document.first_line).filled_lines
    if not statements or not _KEYWORD.match(statements[0][1]):
        raise MapFormatError("a Mermaid mind map begins with the line 'mindmap'", line=document.first_line)
    forest = Outline()
    classes = set(_CLASSES.findall(document.text))
    for number, line in statements[1:]:
        text, _, name = line.strip().rpartition(":::")
        text = text.rstrip() if text and re.fullmatch(r"[\w-]+(?: [\w-]+)*", name) else line.strip()
        text = text.removeprefix("- ").lstrip()
        words = text.split()
        is_class = len(words) == 3 and words[0] == "class" and words[2].rstrip(";") in classes
        if text.startswith(("::icon(", ":::")) or is_class or _LOOKS.match(text):
            continue
        column = column_width(line[: len(line) - len(line.lstrip())])
        forest.add_at(_mermaid_label(text, number), column, line=number)
    return [forest]


def _in_one_line(text: str) -> str:
    """The text in one line, with the line ends after it, so that the lines below keep their numbers."""
    return text.replace("\n", "\r") + "\n" * text.count("\n")


def _without_settings(text: str) -> str:
    """The text without front matter and directives, keeping newlines for line numbers."""
    return _SETTINGS.sub(lambda match: "\n" * match[0].count("\n"), text)


def _mermaid_label(text: str, line: int) -> str:
    """The text of a node inside its shape.

    Mermaid takes "Hazards (ash)" for a node with the id "Hazards" that shows "ash", and refuses "Ash (hot) falls";
    who writes either means all of it. A shape follows its id immediately, and ends the line.
    """
    match = _OPENING.match(text)
    before = text[: match.start(1)] if match else ""
    closing = match[1][::-1].translate(_MIRRORED) if match else ""
    text = text.removesuffix(";") if match and text.endswith(f"{closing};") else text
    inner = text[match.end() : -len(closing)].strip() if match else ""
    if match is None or before.startswith('"') or before[-1:].isspace():
        return _plain(text)
    if closing not in text[match.end() :] and not match[1].startswith(")"):
        raise MapFormatError(f"the bracket {quoted(match[1])} is not closed by {quoted(closing)}", line=line)
    opens, closes = inner.find(match[1][-1]), inner.find(closing[0])
    closes_early = closes >= 0 and not (0 <= opens < closes or inner.startswith('"'))  # as in "[1] and [2]"
    if closes_early or not text.endswith(closing):
        return _plain(text)
    return _plain(inner)


def _plain(text: str) -> str:
    """A text without quotes, codes and tags."""
    inner = text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] == '"' else text
    if len(inner) > 1 and inner[0] == inner[-1] == "`" and (inner != text or inner.count("`") == 2):
        inner = _EMPHASIS.sub(r"\2", inner[1:-1])
    return _CODE.sub(_character, without_tags(_STRONG.sub(r"\1", inner)))


def _character(match: re.Match[str]) -> str:
    code = f"&#{match[1]};" if match[1].isdigit() else f"&{match[1]};"
    character = html.unescape(code)
    return match[0] if character == code else character


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

# A name may follow, of the picture that PlantUML makes of it.
PLANTUML_START = re.compile(r"^[ \t]*+@start(\w++)(?:[ \t(][^\n]*+)?", re.MULTILINE)
_KINDS = ("mindmap", "wbs")
_END = re.compile(r"^[ \t]*+@end\w+", re.MULTILINE)
_NODE = re.compile(
    r"(?P<blank>\s*)(?P<mark>[*]+|[+]+|-+|#+)(?P<looks>(?:\[#[^\]\n]*\]|_|[<>]|\(\w+\))*)(?P<rest>(?:\s|:).*|$)",
    re.DOTALL,
)
# A text of several lines, and blocks without nodes; one that isn't closed goes on to the end.
_LONG = re.compile(
    r"^[^\S\n]*+(?:(?P<text>[*+#-]++(?:\[#[^\]\n]*\]|_|[<>]|\(\w+\))*+:"
    r"(?:[^;]|;(?![^\S\n]*+(?:<<[^<>\n]*+>>[^\S\n]*+)?$))*+)|"
    r"/'(?:[^']|'(?!/))*+|<style>(?:[^<]|<(?!/style>))*+|"
    r"(?:(?:center|left|right)[^\S\n]++)?(?P<block>title|header|footer|legend|caption)"
    r"(?:[^\S\n]++(?:center|left|right|top|bottom))*+[^\S\n]*+$"
    r"(?:\n(?![^\S\n]*+end\s?(?P=block)[^\S\n]*+$)[^\n]*+)*+\n?+)[^\n]*+",
    re.IGNORECASE | re.MULTILINE,
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


def read_plantuml(document: Document) -> list[Forest]:
    """Read a map for each mind map or work breakdown in the text; one without ``@start`` is read as a whole.

    Raises:
        MapFormatError: a line is neither a node nor a known setting.
        LimitError: too large.
    """
    starts = list(PLANTUML_START.finditer(document.text))
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
    forest = Outline()
    left_out: dict[int, str] = {}

    def in_one_line(found: re.Match[str]) -> str:
        if found["text"] is None:
            left_out[document.line_of(found.start())] = found[0].partition("\n")[0]
            return "\n" * found[0].count("\n")
        return _in_one_line(found[0])

    joined = _LONG.sub(in_one_line, document.text)
    for number, line in Document(joined, first_line=document.first_line).filled_lines:
        node = _NODE.match(line)
        if node:
            if node["rest"].startswith(":") and not _END_OF_TEXT.search(node["rest"]):
                raise MapFormatError(
                    "the text that begins with ':' in this line has no ';' at its end", line=number
                )
            text = _STEREOTYPE.sub("", node["rest"].rstrip()).strip()
            text = text[1:].removesuffix(";") if node["rest"].startswith(":") else text
            text = _LINK.sub(lambda link: link[2].strip() or link[1], text).replace("\\n", " ")
            text = without_tags(_TAG.sub("", _CREOLE.sub(r"\2", text))).strip()
            forest.add_at(text, len(node["mark"]), column_width(node["blank"]), line=number)
        elif not _SETTING.match(line):
            raise MapFormatError(
                f"{quoted(line.strip())} is not a node; begin it with '*' signs", line=number
            )
        else:
            left_out[number] = line
    names = [
        f"line {number} ({quoted(line.strip())})"
        for number, line in sorted(left_out.items())
        if not line.lstrip().startswith(("'", "@", "/'"))
    ]
    forest.notice_if(names, f"settings, titles and the like are not nodes: {list_some(names, 3)}")
    return forest


PLANTUML = Format(
    name="plantuml",
    title="PlantUML mindmap",
    extensions=(".puml", ".plantuml"),
    matches=lambda document: any(match[1] in _KINDS for match in PLANTUML_START.finditer(document.text)),
    read=read_plantuml,
)
