"""Markdown: headings and lists (CommonMark), which is also the form of markmap's maps.

A list belongs to the heading above it, a deeper list to its item, and a heading to the nearest heading of a higher
level, even if levels are skipped. Inline markup is removed from labels. Paragraphs, code, tables and quotations
are not nodes, but counted in a notice. A text of bullets only is read by its indentation. Several roots get the
title in the front matter, or the file's name.
"""

import functools
import re
from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING

from tted_core.errors import LimitError
from tted_core.formats import indented
from tted_core.formats.document import Document, Format
from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted
from tted_core.formats.lines import TASK
from tted_core.foundations.limits import (
    MAX_LABEL_CHARACTERS,
    MAX_MARKDOWN_CHARACTERS,
    check_limit,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+\S|[ \t]*$)")
ITEM = re.compile(r"\s*(?:[-*+]|[0-9]{1,9}[.)])(?:\s|$)")
_UNDERLINE = re.compile(r" {0,3}=+\s*$")
FRONT_MATTER = re.compile(
    r"---[ \t]*\n\s*+[\w\"'-]++[^\n:]*+:[^\n]*+\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FRONT_TITLE = re.compile(r"^title[ \t]*:(.+)", re.MULTILINE | re.IGNORECASE)
_MARKUP = re.compile(r"[\\`*_~\[<&]")
_CITED = re.compile(
    r"(?<!\\)(?:\s*(?:\[\^?\d{1,3}\](?![(\[:])|\[\^?\d{1,3}\](?=\[\d)|【\d[^】]*】|\(\[[^\[\]]+\]\([^()\s]*\)\)))+(?=\s*[.!?。！？]?\s*$)"
)
_EMPHASIS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=[\w\"“])|\]\(")
"""Patterns of markup in a text that isn't Markdown."""
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|br|center|code|del|div|em|font|i|img|input|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|u)"
    r"\b[^>]*>",
    re.IGNORECASE,
)
_LEFT_OUT = {
    "paragraph_open": ("paragraph",),
    "fence": ("code block",),
    "code_block": ("code block",),
    "html_block": ("block of HTML", "blocks of HTML"),
    "table_open": ("table",),
    "blockquote_open": ("quotation",),
}

INLINE_NESTING = 10
MOST_BRACKETS = 50
"""Maximum nested and total brackets in a label that may be links; the parser is slow with more."""


def matches(document: Document) -> bool:
    """Return True if a text has a heading (# or underlined with =), or begins with a list item."""
    lines = _body(document)[1].split("\n")
    if any(HEADING.match(line) or (_UNDERLINE.match(line) and index) for index, line in enumerate(lines)):
        return True
    first = next((line for line in lines if line and not line.isspace()), "")
    return ITEM.match(first) is not None


def is_outline(line: str) -> bool:
    """Return True if a line is a heading or list item."""
    return bool(HEADING.match(line) or ITEM.match(line))


def outline_share(text: str) -> int:
    """Number of lines that are headings or list items."""
    return sum(map(is_outline, text.split("\n")))


def read(document: Document) -> list[Forest]:
    """Read one map, with its markup; several top headings, or lists without a heading, are several roots.

    Raises:
        LimitError: too large, or nested too deeply for the Markdown parser.
    """
    offset, body = _body(document)
    part = Document(body, name=document.name, first_line=document.first_line + offset)
    if all(ITEM.match(line) for _, line in part.filled_lines):
        forest = indented.read(part)[0]
    else:
        forest = _read_blocks(part)
    forest.heading = _title(document)
    forest.notice_if(
        offset, f"the front matter (lines {document.first_line} to {part.first_line - 1}) was not read"
    )
    return [forest]


def _title(document: Document) -> str:
    """The title in the front matter, else the file's name without extension."""
    front = FRONT_MATTER.match(document.text)
    title = _FRONT_TITLE.search(front[0]) if front else None
    if title:
        return title[1].strip().strip("\"'")
    name = PurePath(document.name or "")
    return name.stem if name.suffix else ""


def _body(document: Document) -> tuple[int, str]:
    """The text without front matter, and the number of lines of the latter."""
    front = FRONT_MATTER.match(document.text)
    head = front[0] if front else ""
    return head.count("\n"), document.text[len(head) :]


@functools.cache
def _parser(nesting: int = 100_000, *, links: bool = True) -> "MarkdownIt":
    """A cached parser, since constructing one takes as long as reading a map of 25 nodes."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": nesting}).enable("table").enable("strikethrough")
    parser.core.ruler.disable("inline")  # only labels are parsed inline, if they are short enough
    if not links:
        parser.disable(["link", "image"])
    for ruler in (parser.core.ruler, parser.block.ruler, parser.inline.ruler, parser.inline.ruler2):
        ruler.getRules("")  # built on first use, which isn't thread-safe
    return parser


def _read_blocks(document: Document) -> Forest:
    parser = _parser()
    check_limit(
        len(document.text), MAX_MARKDOWN_CHARACTERS, "characters of Markdown", "split it into smaller maps"
    )
    try:
        tokens = parser.parse(document.text)
    except RecursionError as error:
        raise LimitError(
            "the Markdown is nested too deeply for its parser; give it as indented text (format 'indented')"
        ) from error
    forest, left_out = _outline(tokens, document.first_line)
    what = ", ".join(counted(count, *nouns) for nouns, count in left_out.items())
    forest.notice_if(what, f"only headings and list items are nodes; not read: {what}")
    return forest


def _outline(tokens: "list[Token]", first_line: int) -> tuple[Forest, Counter[tuple[str, ...]]]:
    """The headings and items of block tokens, and how many blocks of each kind were left out."""
    forest = Forest()
    left_out: Counter[tuple[str, ...]] = Counter()
    items: list[int] = []  # the open ones
    bare: int | None = None  # an item without text so far
    quotations = 0
    for index, token in enumerate(tokens):
        quotations -= token.type == "blockquote_close"
        line = first_line + token.map[0] if token.map else None
        if quotations:
            pass  # what is quoted is no part of the outline
        elif token.type == "list_item_open":
            bare = forest.add("", items[-1] if items else forest.last, line=line)
            items.append(bare)
        elif token.type == "list_item_close":
            items.pop()
            bare = None
        elif bare is not None and token.type in {"paragraph_open", "heading_open"}:
            forest.labels[bare] = TASK.sub("", tokens[index + 1].content)
            bare = None
        elif token.type == "heading_open" and items:
            forest.add(tokens[index + 1].content, items[-1], line=line)
        elif token.type == "heading_open":
            forest.add_at(tokens[index + 1].content, int(token.tag[1]), line=line)
        elif token.type in _LEFT_OUT:
            left_out[_LEFT_OUT[token.type]] += 1
        quotations += token.type == "blockquote_open"
    return forest, left_out


def strip_markup(forest: Forest, *, of_markdown: bool) -> None:
    """Remove emphasis, code, links and source marks from texts, and HTML tags in Markdown."""
    only = _MARKUP if of_markdown else _EMPHASIS
    links = cited = 0
    for node, label in enumerate(forest.labels):
        if "]" in label or "】" in label:
            label = _CITED.sub("", label)  # noqa: PLW2901 - less its sources
            cited += label != forest.labels[node]
            forest.labels[node] = label
        if len(label) > MAX_LABEL_CHARACTERS or not only.search(label):
            continue
        tokens: list[Token] = []
        parser = _parser(INLINE_NESTING, links=label.count("[") <= MOST_BRACKETS)
        parser.inline.parse(label, parser, {}, tokens)
        links += sum(token.type in {"link_open", "image"} for token in tokens)
        forest.labels[node] = "".join(_plain(token, with_tags=not of_markdown) for token in tokens)
    forest.notice_if(cited, f"source marks were removed from {counted(cited, 'text')}")
    forest.notice_if(
        links,
        f"the targets of {counted(links, 'link or image', 'links and images')} are not part of the labels",
    )


def _plain(token: "Token", *, with_tags: bool) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    if token.type == "html_inline" and not with_tags:
        return _TAG.sub(" " if token.content[:3].lower() == "<br" else "", token.content)
    return token.content


MARKDOWN = Format(
    name="markdown",
    title="Markdown list",
    extensions=(".md", ".markdown"),
    matches=matches,
    read=read,
)
