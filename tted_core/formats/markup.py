"""Inline markup of texts in lists and outlines, removed: emphasis, code, links, HTML tags, marks of sources."""

import functools
import re
from typing import TYPE_CHECKING

from tted_core.formats.forest import Forest
from tted_core.formats.labels import counted
from tted_core.foundations.limits import MAX_LABEL_CHARACTERS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MARKUP = re.compile(r"[\\`*_~\[<&]")
_PLAINLY_BOLD = re.compile(r"\*\*([^\W_](?:[^\\`*_~\[<&]*[^\s\\`*_~\[<&])?)\*\*(?=\s|\Z)([^\\`*_~\[<&]*)\Z")
"""A text that begins with bold and has no other markup, for which no parser is needed."""

_CITED = re.compile(
    r"(\s*+[.!?。！？]?\s*+)(?:(?:\]\d{1,3}\^?\[|】[^】【]*+(?<=\d)【|\)\)[^()\s]*+\(\][^\[\]]++\[\()(?!\\)\s*+)++"
)
"""Marks of sources at the end of a text, read backwards: ``[1]``, ``[^1]``, ``【1†a】``, ``([a](b))``."""

_EMPHASIS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=[\w\"“])|\]\(")
"""Patterns of markup in a text that isn't Markdown."""

FORMULA = re.compile(r"\$\$[^$]++\$\$|(?<![\\$])\$(?![\s$])(?:[^$\\]|\\.)++(?<!\s)\$(?!\d)", re.DOTALL)
_HELD = "\ufdd0"
"""A character that no text has; it stands for a formula while markup is removed."""

_NUMBER_HELD = re.compile(f"{_HELD}([0-9]+){_HELD}")
_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_WIDE_EMPHASIS = re.compile(
    r"`[^`]*`|(?<![\\*])(?P<sign>\*{1,3})(?![\s*])(?P<strong>[^*]+)(?<![\s\\])(?P=sign)(?!\*)|"
    r"__(?P<under>[^_]+)__|~~(?P<struck>[^~]+)~~"
)
"""Emphasis in Chinese, Japanese and Korean, which CommonMark doesn't recognise beside punctuation; or code."""

_OF_NOTES = re.compile(
    r"(?P<code>`[^`]*`)|"
    r"(?<!\\)!?\[\[(?P<page>[^\[\]|\\]++)(?:\\?\|(?P<alias>[^\[\]]*+))?\]\](?![(\[])|"
    r"(?<![A-Za-z0-9=\\])==(?![\s=])(?P<marked>[^=]++)(?<![\s\\])==(?!=)|"
    r"(?<=\s)\^(?=[0-9-]*[A-Za-z])[A-Za-z0-9-]{2,}$|(?<!\S)%%[^%\n]++%%(?!\S)"
)
"""Links, highlights, block ids and comments of Obsidian."""

_TAG = re.compile(
    r"</?(?:a|abbr|b|big|br|center|code|del|div|em|font|i|img|input|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|u)"
    r"\b[^<>]*+>",
    re.IGNORECASE,
)

INLINE_NESTING = 10
MOST_BRACKETS = 50
"""Maximum nested and total brackets in a label that may be links; the parser is slow with more."""


@functools.cache
def _parser(*, links: bool) -> "MarkdownIt":
    """A cached parser of inline markup, since constructing one takes as long as reading a map of 25 nodes."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": INLINE_NESTING}).enable("strikethrough")
    if not links:
        parser.disable(["link", "image"])
    for ruler in (parser.inline.ruler, parser.inline.ruler2):
        ruler.getRules("")  # built on first use, which isn't thread-safe
    return parser


def strip_markup(forest: Forest, *, of_markdown: bool) -> None:
    """Remove emphasis, code, links and source marks from texts; in Markdown also HTML tags and Obsidian's marks.

    Formulas between dollar signs stay as they are.
    """
    only = _MARKUP if of_markdown else _EMPHASIS
    links = cited = 0
    for node, label in enumerate(forest.labels):
        if len(label) > MAX_LABEL_CHARACTERS:
            continue
        text = label
        sources = _CITED.match(text[::-1]) if "]" in text or "】" in text else None
        if sources and sources.end() < len(text):
            text = text[: -sources.end()] + sources[1][::-1]
            cited += 1
        formulas = [] if _HELD in text else FORMULA.findall(text)
        if formulas:
            numbers = iter(range(len(formulas)))
            text = FORMULA.sub(lambda _, numbers=numbers: f"{_HELD}{next(numbers)}{_HELD}", text)  # type: ignore[misc]
        if of_markdown:
            links += sum(found["alias"] is not None for found in _OF_NOTES.finditer(text))
            text = _OF_NOTES.sub(
                lambda found: next(
                    (part for part in found.group("alias", "page", "marked", "code") if part), ""
                ),
                text,
            ).strip()
        if _WIDE.search(text):
            text = _WIDE_EMPHASIS.sub(_without_wide_emphasis, text)
        bold = _PLAINLY_BOLD.match(text)
        if bold:
            text = bold[1] + bold[2]
        elif only.search(text):
            tokens: list[Token] = []
            parser = _parser(links=text.count("[") <= MOST_BRACKETS)
            parser.inline.parse(text, parser, {}, tokens)
            links += sum(token.type in {"link_open", "image"} for token in tokens)
            text = "".join(_plain(token, with_tags=not of_markdown) for token in tokens)
        if formulas:
            text = _NUMBER_HELD.sub(lambda found, formulas=formulas: formulas[int(found[1])], text)  # type: ignore[misc]
        forest.labels[node] = " ".join(text.split()) if of_markdown else text
    forest.notice_if(cited, f"source marks were removed from {counted(cited, 'text')}")
    forest.notice_if(
        links,
        f"the targets of {counted(links, 'link or image', 'links and images')} are not part of the labels",
    )


def _without_wide_emphasis(found: re.Match[str]) -> str:
    is_name = found["under"] is not None and not _WIDE.search(found["under"])
    return found[0] if is_name else found["strong"] or found["under"] or found["struck"] or found[0]


def _plain(token: "Token", *, with_tags: bool) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    if token.type == "html_inline" and not with_tags:
        return _TAG.sub(" " if token.content[:3].lower() == "<br" else "", token.content)
    return token.content
