"""Markdown: headings and lists as people indent them, which is also the form of markmap's maps.

A line that begins with a list mark is an item in every context but a fence; its column, compared with those of the
lines above, is its level. (CommonMark takes much of what people indent for code.) An item belongs to the heading
above it, and a heading to the nearest heading of a higher level, even if levels are skipped; a bold line above a
list is a heading below these. Paragraphs, code, tables and quotations are not nodes, but counted in a notice.
Several roots get the title in the front matter, or the file's name.
"""

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePath

from tted_core.errors import MAX_MARKDOWN_CHARACTERS, check_limit
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import OF_ITEMS, Forest, Outline
from tted_core.formats.labels import counted
from tted_core.formats.lines import BULLETS, RULE, ListLine

HEADING_LINE = re.compile(r" {0,3}#{1,6}(?:[ \t]+\S|[ \t]*$)")
_TIGHT_HEADING = re.compile(r"^(#{1,6})(?=\*\*|[^\W_]|[\U0001f300-\U0001faff])", re.MULTILINE)
_SPACED_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]", re.MULTILINE)
_TAG = r"#(?=[^\s#]*[^\W\d_])[^\s#]++[ \t]*+"
# Lines of tags, such as ``#reading #notes``; a single one at the beginning is a tag if it is in small
# letters, and a heading if nothing is below it.
_TAGS = re.compile(
    rf"^(?:{_TAG}){{2,}}+$|\A\s*+-[ \t]++(?:{_TAG}){{2,}}+(?=\n++[-*+][ \t])|"
    rf"^#{{1,6}}[ \t]++tags?[ \t]*+:[^\n]*+$(?!\s*+[^\s#])|"
    r"\A\s*+(?:-[ \t])?#[a-zà-ÿа-яё][^\s#]*+[ \t]*+(?=\n++(?:[-*+]|#++)[ \t])|"
    r"(?<=\n\n)#[a-zà-ÿа-яё][^\s#]*+\s*+\Z",
    re.MULTILINE,
)

# A list of links to the headings below it.
_CONTENTS = re.compile(
    r"^#{1,6}[ \t]++(?:table of contents|contents|toc|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|"
    r"indice|содержание|оглавление|目录|目次):?[ \t]*+\n\s*+"
    r"(?:[ \t]*+(?:[-*+]|\d{1,3}[.)])[ \t]++\[(?:[^\]\n]*+\]\(#[^()\n]*+\)|\[#[^\]\n]*+\]\])[ \t]*+\n)++(?=\s*+#)",
    re.MULTILINE | re.IGNORECASE,
)

ITEM = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])(?:\s|$)")
_MARK = re.compile(rf"(?:[{re.escape(BULLETS)}]|[0-9]{{1,9}}[.)])(?:\s+|(?<=・)|$)")
_OF_BOLD = 2
_MOST_CODE = 3  # lines of code that are an item's text
_BELOW_HEADINGS = 7
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*$")
_PROPERTY = re.compile(r"[A-Za-z][\w./-]*+::(?:\s|$)|(?:SCHEDULED|DEADLINE): <")
_ITEM_PROPERTY = re.compile(
    r"(?:id|collapsed|title|tags?|alias(?:es)?|type|icon|template|public|author|created|updated|date|status|source|"
    r"url|heading|up|[a-z]+-[a-z-]+)::(?:\s|$)"
)
# Words with which Logseq begins a task.
_STATUS = re.compile(
    r"(?:TODO|DONE|DOING|NOW|LATER|WAIT(?:ING)?|CANCELL?ED|IN-PROGRESS)\s+(?:\[#[ABC]\]\s+)?(?=\S)"
)

_LISTED = r"[ \t]*+(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)"
# A fenced block; one that isn't closed goes on to the end.
FENCED = re.compile(
    r"^(?P<before>[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?)(?P<sign>`{3,}+(?=[^`\n]*$)|~{3,}+)"
    r"(?P<language>[^\n]*+)(?P<inside>(?:\n(?![ \t]*+(?P=sign)[`~]*+[ \t]*$)[^\n]*+)*+)(?:\n[^\n]*+)?",
    re.MULTILINE,
)

# Blocks of several lines that are left out; but a formula becomes one line.
_BLOCKS = re.compile(
    rf"(?P<code_block>{FENCED.pattern})|"
    rf"(?P<table>^(?!{_LISTED})[^|\n]*+\|[^\n]*+\n(?=[^|\n]*+\|)(?=[^-\n]*+-)[|: \t-]++$"
    rf"(?:\n(?!{_LISTED})[^|\n]*+\|[^\n]*+)*+)|"
    r"(?P<quotation>^[ \t]*+>[^\n]*+(?:\n[ \t]*+>[^\n]*+)*+)|"
    r"(?P<HTML_block>^[ \t]*+<(?:[A-Z]\w*+(?=[ \t]*+(?:\n|/>|[:@\w-]++=))|"
    r"/?(?i:center|details|div|figure|h[1-6r]|iframe|img|li|ol|p|pre|script|style|"
    rf"summary|table|tbody|t[dhr]|thead|ul)\b)[^\n]*+(?:\n(?!{_LISTED}|[ \t]*+(?:[#`~]|$))[^\n]*+)*+)|"
    rf"(?P<drawer>^[ \t]*+:[A-Z-]++:[ \t]*+$(?:\n(?!{_LISTED}|[ \t]*+(?:$|:END:))[^\n]*+)*+"
    r"(?:\n[ \t]*+:END:[ \t]*+$)?)|"
    r"(?P<formula>\$\$[^$\n]*+(?:\n(?![ \t]*+$)[^$\n]*+)++\$\$(?=[ \t]*+$))",
    re.MULTILINE,
)

# A comment; or code or an escaped sign, in which none begins.
_COMMENT = re.compile(
    rf"{FENCED.pattern}|`[^`\n]*+`|\\<|(?P<comment><!--(?:[^-]|-(?!->))*+(?:-->|\Z))", re.MULTILINE
)

# A footnote's definition, and the mark of one in a text.
_DEFINED = re.compile(r"^ {0,3}\[\^([\w-]{1,30})\]:", re.MULTILINE)
_FOOTNOTE = re.compile(r"(?<=\S) ?\[\^([\w-]{1,30})\](?![:(\[])")

_MOST_TITLE_LINES = 4  # of a title between rules
FRONT_MATTER = re.compile(
    r"---[ \t]*\n\s*+[\w\"'-]++[^\n:]*+:[^\n]*+\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FRONT_TITLE = re.compile(r"^title[ \t]*:(.+)", re.MULTILINE | re.IGNORECASE)


def matches(document: Document) -> bool:
    """Return True if a text has a heading (# or underlined with =), or begins with a list item.

    An underlined line with nothing else but indented lines below is the title of an outline as plain text.
    """
    lines = _body(document)[1].split("\n")
    first = next((line for line in lines if line.strip() and not _PROPERTY.match(line)), "")
    lined = [index for index, line in enumerate(lines) if index and _UNDERLINE.match(line)]
    is_plain = (
        bool(lined)
        and lined[-1] < _MOST_TITLE_LINES
        and any(line[:1].isspace() for line in lines[lined[-1] :] if line.strip())
        and not any(map(ITEM.match, lines))
    )
    return (
        first.startswith("= ")
        or ITEM.match(first) is not None
        or any(map(HEADING_LINE.match, lines))
        or (any("=" in lines[index] for index in lined) and not is_plain)
    )


def outline_share(text: str) -> int:
    """Number of lines that are headings or list items."""
    lines = Document(text).list_lines
    return sum(line.mark == "heading" or line.is_bullet or line.is_numbered for line in lines)


def settle_text(document: Document) -> tuple[Document, list[str]]:
    """The text without comments, marks of footnotes, tags and contents, in lines numbered as before, and notices.

    If a text begins with a heading and all headings lack the blank behind their signs, it is put there.
    """

    def blanked(found: re.Match[str]) -> str:
        is_closed = found["comment"] is not None and found[0].rstrip().endswith("-->")
        return "\n" * found[0].count("\n") if is_closed else found[0]

    text = _COMMENT.sub(blanked, document.text)
    comments = document.text.count("<!--") - text.count("<!--")
    notices = [f"not read: {counted(comments, 'HTML comment')}"] if comments else []
    levels = {len(signs) for signs in _TIGHT_HEADING.findall(text)}
    begins = _TIGHT_HEADING.match(text.lstrip()) is not None
    if begins and max(levels) > 1 and not _SPACED_HEADING.search(text):  # else these are tags
        text = _TIGHT_HEADING.sub(r"\1 ", text)
        notices.append("lines such as '#Title', without a blank behind #, were read as headings")
    defined = set(_DEFINED.findall(text))
    marked = text
    text = _FOOTNOTE.sub(lambda found: "" if found[1] in defined else found[0], text)
    notices += ["the marks of footnotes were removed"] if text != marked else []
    text, count = _TAGS.subn("", text)
    notices += [f"not read: {counted(count, 'line')} of tags"] if count else []
    text, count = _CONTENTS.subn(lambda found: "\n" * found[0].count("\n"), text)
    notices += ["not read: the table of contents"] if count else []
    return replace(document, text=text) if notices else document, notices


def read_markdown(document: Document) -> list[Forest]:
    """Read one map, with its markup; several top headings, or lists without a heading, are several roots.

    Raises:
        LimitError: too large.
    """
    offset, body = _body(document)
    check_limit(len(body), MAX_MARKDOWN_CHARACTERS, "characters of Markdown", "split it into smaller maps")
    first_line = document.first_line + offset
    forest = _MarkdownReader().read(Document(body, first_line=first_line) if offset else document)
    title = _FRONT_TITLE.search(document.text[: len(document.text) - len(body)])
    name = PurePath(document.name or "")
    forest.heading = title[1].strip().strip("\"'") if title else name.stem if name.suffix else ""
    forest.notice_if(
        offset, f"the front matter (lines {document.first_line} to {first_line - 1}) was not read"
    )
    return [forest]


def _body(document: Document) -> tuple[int, str]:
    """The text without front matter, and the number of lines of the latter."""
    front = FRONT_MATTER.match(document.text)
    head = front[0] if front else ""
    return head.count("\n"), document.text[len(head) :]


class _MarkdownReader:
    """A reader of the headings and items in a text.

    ``block`` is what a line without a mark continues: an item, a paragraph, or nothing after a blank line.
    ``margin`` is the least column of the items below the last heading, ``column`` that of the last item.
    """

    def __init__(self) -> None:
        self.left_out = Counter({"paragraph": 0})
        self.unread = 0  # lines of what is left out that look like items
        self.block = ""
        self.paragraph: list[ListLine] = []  # which an underline would make a heading
        self.numbers: set[str] = set()  # marks such as letters, which are levels in one column
        self.margin: int | None = None
        self.column = 0

    def read(self, document: Document) -> Forest:
        """Read a text, and add notices about what is left out or ambiguous."""
        text = _BLOCKS.sub(self._leave_out, document.text)
        lines = (document if text == document.text else replace(document, text=text)).list_lines
        outline = Outline()
        times = Counter(line.mark for line in lines)
        self.numbers = {line.mark for line in lines if line.is_numbered and times[line.mark] > 1}
        above = 0
        for line, below in pairwise([*lines, *lines[-1:]]):
            self.block = self.block if line.number == above + 1 else ""
            self._read_line(line, below, outline)
            above = line.number
        if self.left_out["property line"] or self.left_out["drawer"]:
            outline.labels[:] = [_STATUS.sub("", label, count=1) for label in outline.labels]
        what = ", ".join(counted(count, noun) for noun, count in self.left_out.items() if count)
        unread = f", with {counted(self.unread, 'line')} like list items" if self.unread else ""
        outline.notice_if(what, f"only headings and list items are nodes; not read: {what}{unread}")
        return outline.finish("\n")

    def _leave_out(self, found: re.Match[str]) -> str:
        """Count a block and replace it by empty lines; a formula, or short code as an item, becomes one line."""
        noun = (found.lastgroup or "").replace("_", " ")
        before = found["before"] or ""
        first, *others = found[0][len(before) :].split("\n")
        if noun == "formula":
            is_in_items = _MARK.match(others[-1].lstrip())
            return (
                found[0] if is_in_items else " ".join([first, *map(str.strip, others)]) + "\n" * len(others)
            )
        code = (found["inside"] or "").strip()
        if code and "`" not in code and code.count("\n") < _MOST_CODE and before.strip():
            return f"{before}`{' '.join(code.split())}`" + "\n" * len(others)
        self.left_out[noun] += 1
        self.unread += sum(_MARK.match(line.lstrip("> \t")) is not None for line in (first.lstrip(), *others))
        return before + "\n" * len(others)

    def _read_line(self, line: ListLine, below: ListLine, outline: Outline) -> None:
        text = line.source.strip()
        column = line.column
        is_bold = line.mark in {"bold", "run-in"} and not column
        is_inside = self.margin is not None and self.margin + 2 <= column <= self.column + 5
        is_lined = "=" in below.source and _UNDERLINE.match(below.source) is not None
        if self.paragraph and self.block == "paragraph" and _UNDERLINE.match(line.source):
            self.left_out["paragraph"] -= 1
            heading = " ".join(each.source.strip() for each in self.paragraph)
            outline.add_line(self.paragraph[0], heading, (1, 1 if "=" in text else 2))
            self.block, self.margin = "", None
        elif RULE.match(text) or (self.block == "item" and not text.strip("=")):
            self.block = ""
        elif line.is_bullet or (line.is_numbered and line.mark in self.numbers and not is_lined):
            is_property = _ITEM_PROPERTY.match(line.text) is not None
            self.left_out["property line"] += is_property
            label = None if is_property else line.text
            level = (OF_ITEMS, column, _BELOW_HEADINGS, line.level if self.numbers else 0)
            outline.add_line(line, label, level, line.mark if self.numbers else "")
            self.column = column
            self.margin = column if self.margin is None else min(column, self.margin)
            self.block = "item"
        elif line.mark == "heading" and (is_inside or column < 4):
            outline.add_line(
                line, line.text, (OF_ITEMS, column, line.level) if is_inside else (1, line.level)
            )
            self.block, self.margin = "", self.margin if is_inside else None
        elif is_bold and below.is_bullet:
            outline.add_line(line, line.text, (_OF_BOLD, line.mark == "run-in"))
            self.block, self.margin = "", None
        elif _PROPERTY.match(text):
            self.left_out["property line"] += 1
        elif self.block == "item" and not is_bold:
            outline.go_on(text)
        elif self.block == "paragraph":
            self.paragraph += [line] if self.paragraph else []
        else:
            is_code = column > (3 if self.margin is None else self.column + 5)
            self.left_out["code block" if is_code else "paragraph"] += 1
            self.block = "paragraph"
            self.paragraph = [] if is_inside or column > 3 else [line]


MARKDOWN = Format(
    name="markdown",
    title="Markdown list",
    extensions=(".md", ".markdown"),
    matches=matches,
    read=read_markdown,
)
