"""Markdown: what it has besides headings and lists; front matter, blocks, comments, footnotes, tags and contents.

:mod:`tted_core.formats.lists` reads the headings and lists, with those of chat answers.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from tted_core.formats.document import Document
from tted_core.formats.labels import SYMBOL
from tted_core.formats.lines import BULLETS, TAB_COLUMNS
from tted_core.foundations.messages import counted

HEADING_LINE = re.compile(r" {0,3}#{1,6}(?:[ \t]+\S|[ \t]*$)")
_TIGHT_HEADING = re.compile(r"^(#{1,6})(?=\*\*|[^\W_]|[\U0001f300-\U0001faff])", re.MULTILINE)
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

# A whole list of links to headings, or one below a title that names it; something else follows.
_LINK = r"(?:^[ \t]*+(?:[-*+]|\d{1,3}[.)])[ \t]++\[(?:[^\]\n]*+\]\(#[^()\n]*+\)|\[#[^\]\n]*+\]\])[ \t]*+\n)"
_CONTENTS = re.compile(
    rf"(?:^(?:#{{1,6}}[ \t]++|\*\*)?+(?:{SYMBOL}++ )?(?:table of contents|contents|toc|"
    r"inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|indice|содержание|оглавление|目录|目次)"
    rf":?(?:\*\*)?:?[ \t]*+\n\s*+|(?<![^\n]\n)(?={_LINK}{{2}})){_LINK}++(?=\s*+[^\s*+\d-])",
    re.MULTILINE | re.IGNORECASE,
)

ITEM = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])(?:\s|$)")
_MARK = re.compile(rf"(?:[{re.escape(BULLETS)}]|[0-9]{{1,9}}[.)])(?:\s+|(?<=・)|$)")
_UNDERLINED = re.compile(r"^[^\W_].*\n {0,3}(?:={3,}|-{3,})[ \t]*$", re.MULTILINE)
UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*$")
PROPERTY = re.compile(r"[A-Za-z][\w./-]*+::(?:\s|$)|(?:SCHEDULED|DEADLINE): <")
_LISTED = r"[ \t]*+(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)"
# A fenced block; one that isn't closed goes on to the end.
FENCED = re.compile(
    r"^(?P<before>[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?)(?P<sign>`{3,}+(?=[^`\n]*$)|~{3,}+)"
    r"(?P<language>[^\n]*+)(?P<inside>(?:\n(?![ \t]*+(?P=sign)[`~]*+[ \t]*$)[^\n]*+)*+)(?:\n[^\n]*+)?",
    re.MULTILINE,
)

# Blocks of several lines that are left out; but a formula becomes one line.
_BLOCKS = re.compile(
    rf"(?P<table>^(?!{_LISTED})[^|\n]*+\|[^\n]*+\n(?=[^|\n]*+\|)(?=[^-\n]*+-)[|: \t-]++$"
    rf"(?:\n(?!{_LISTED})[^|\n]*+\|[^\n]*+)*+)|"
    r"(?P<quotation>^[ \t]*+>[^\n]*+(?:\n[ \t]*+>[^\n]*+)*+)|"
    r"(?P<HTML_block>^[ \t]*+<(?:[A-Z]\w*+(?=[ \t]*+(?:\n|/>|[:@\w-]++=))|"
    r"/?(?i:center|details|div|figure|h[1-6r]|iframe|img|li|ol|p|pre|script|style|"
    rf"summary|table|tbody|t[dhr]|thead|ul)\b)[^\n]*+(?:\n(?!{_LISTED}|[ \t]*+(?:[#`~]|$))[^\n]*+)*+)|"
    rf"(?P<drawer>^[ \t]*+:[A-Z-]++:[ \t]*+$(?:\n(?!{_LISTED}|[ \t]*+(?:$|:END:))[^\n]*+)*+"
    r"(?:\n[ \t]*+:END:[ \t]*+$)?)|"
    rf"(?P<formula>\$\$[^$\n]*+(?:\n(?![ \t]*+$|{_LISTED}[^$\n]*+\$\$)[^$\n]*+)++\$\$(?=[ \t]*+$))",
    re.MULTILINE,
)

# Code in a fence and comments; or code in a line and an escaped sign, in which none begins.
_UNREAD = re.compile(
    rf"{FENCED.pattern}|`[^`\n]*+`|\\<|(?P<comment><!--(?:[^-]|-(?!->))*+(?:-->|\Z))", re.MULTILINE
)

# The definition of a link's target, and a link by name.
_DEFINED = re.compile(r"^ {0,3}\[([^\[\]\n]{1,80})\]:", re.MULTILINE)
_NAMED_LINK = re.compile(r"\[([^\[\]\n]++)\]\[([^\[\]\n]*+)\]")

_MOST_TITLE_LINES = 4  # of a title between rules
# Blank lines may stand in front of it, and that of a plugin of Obsidian behind it.
FRONT_MATTER = re.compile(
    r"\s*+---[ \t]*\n\s*+[\w\"'-]++[^\n:]*+:[^\n]*+\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
    r"(?:\s*+---[ \t]*\n(?:(?:[\w-]++:[^\n]*+)?\n)++---[ \t]*(?:\n|\Z))?"
)
_FRONT_TITLE = re.compile(r"^title[ \t]*:(.+)", re.MULTILINE | re.IGNORECASE)


def matches(document: Document) -> bool:
    """Return True if a text has a heading (# or underlined with =), or begins with a list item.

    An underlined line with nothing else but indented lines below is the title of an outline as plain text.
    """
    lines = split_front_matter(document.text)[2].split("\n")
    first = next((line for line in lines if line.strip() and not PROPERTY.match(line)), "")
    lined = [index for index, line in enumerate(lines) if index and UNDERLINE.match(line)]
    is_plain = (
        bool(lined)
        and lined[-1] < _MOST_TITLE_LINES
        and any(line[:1].isspace() for line in lines[lined[-1] :] if line.strip())
        and not any(map(ITEM.match, lines))
    )
    return (
        ITEM.match(first) is not None
        or any(map(HEADING_LINE.match, lines))
        or (any("=" in lines[index] for index in lined) and not is_plain)
    )


def outline_share(text: str) -> int:
    """Number of lines that are headings, also underlined ones, list items or branches of a drawing."""
    return len(_UNDERLINED.findall(text)) + sum(
        line.mark in {"heading", "branch"} or line.is_bullet or line.has_number
        for line in Document(text).list_lines
    )


def settle_text(document: Document) -> tuple[Document, list[str]]:
    """The text without code, comments, tags and contents, in lines numbered as before.

    If a text begins with a heading and all headings lack the blank behind
    their signs, it is put there. Returns notices too.
    """
    left_out: Counter[str] = Counter()
    unread = 0

    def leave_out(found: re.Match[str]) -> str:
        nonlocal unread
        line_ends = "\n" * found[0].count("\n")
        if found["sign"]:
            code = found["inside"].strip()
            left_out["code block"] += 1
            unread += _count_items(code)
            return found["before"] + line_ends
        if not found["comment"] or not found[0].rstrip().endswith("-->"):
            return found[0]
        left_out["HTML comment"] += 1
        return line_ends

    front, _, body = split_front_matter(document.text)
    is_plain = bool(front) and not matches(document)  # who reads Markdown looks for a title in it
    text = _UNREAD.sub(leave_out, "\n" * front.count("\n") + body if is_plain else document.text)
    notices = [f"not read: {list_left_out(left_out, unread)}"] if left_out else []
    notices += ["the front matter was not read"] if is_plain else []
    text, tags = _TAGS.subn("", text)
    if _TIGHT_HEADING.match(text.lstrip()):
        text = _TIGHT_HEADING.sub(r"\1 ", text)
        notices.append("lines such as '#Title', without a blank behind #, were read as headings")
    blanks = {line[: len(line) - len(line.lstrip(" \t"))] for line in text.split("\n")}
    tabs = {blank for blank in blanks if "\t" in blank}
    notices += (
        [f"tabs and spaces are mixed in front of lines; a tab was taken for {TAB_COLUMNS} columns"]
        if tabs and any(len(blank) > 2 for blank in blanks - tabs)
        else []
    )
    defined = set(_DEFINED.findall(text))
    text = _NAMED_LINK.sub(lambda found: found[1] if (found[2] or found[1]) in defined else found[0], text)
    notices += [f"not read: {counted(tags, 'line')} of tags"] if tags else []
    bare = _CONTENTS.sub(lambda found: "\n" * found[0].count("\n"), text)
    notices += ["not read: the table of contents"] if bare != text else []
    return replace(document, text=bare) if bare != document.text else document, notices


def split_front_matter(text: str) -> tuple[str, str, str]:
    """The front matter, the title in it, and the text behind it; the first two may be empty."""
    found = FRONT_MATTER.match(text)
    front = found[0] if found else ""
    title = _FRONT_TITLE.search(front)
    return front, title[1].strip().strip("\"'") if title else "", text[len(front) :]


def without_blocks(text: str) -> tuple[str, Counter[str], int]:
    """The text with empty lines in place of blocks, their number by kind, and that of lines like items in them.

    A formula becomes one line.
    """
    left_out = Counter({"paragraph": 0})  # first in notices
    unread = 0

    def leave_out(found: re.Match[str]) -> str:
        nonlocal unread
        noun = (found.lastgroup or "").replace("_", " ")
        first, *others = found[0].split("\n")
        if noun == "formula":
            return " ".join([first, *map(str.strip, others)]) + "\n" * len(others)
        left_out[noun] += 1
        unread += _count_items(found[0])
        return "\n" * len(others)

    return _BLOCKS.sub(leave_out, text), left_out, unread


def _count_items(text: str) -> int:
    """The number of lines that look like list items, also in a quotation."""
    return sum(_MARK.match(line.lstrip("> \t")) is not None for line in text.split("\n"))


def list_left_out(left_out: Mapping[str, int], unread: int) -> str:
    """The kinds of what is left out with their numbers, and that of lines like list items in it, for a notice."""
    what = ", ".join(counted(count, noun) for noun, count in left_out.items() if count)
    return f"{what}, with {counted(unread, 'line')} like list items" if what and unread else what
