"""Markup inside labels, as several programs write it: HTML tags and marks of emphasis are taken off."""

import html
import re

TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|body|br|center|code|del|div|em|font|h[1-6]|head|hr|html|i|img|input|ins|kbd|li|"
    r"mark|meta|ol|p|pre|q|s|script|small|span|strike|strong|style|sub|sup|table|tbody|td|th|title|tr|tt|u|ul)"
    r"\b[^<>]*>",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|th|h[1-6]|hr|table|blockquote|pre)\b", re.IGNORECASE)
_UNSEEN = ("head", "style", "script")


def has_tags(text: str) -> bool:
    """Whether the text holds at least one tag of HTML (and not just a < b)."""
    return "<" in text and TAG.search(text) is not None


def without_tags(text: str) -> str:
    """A text without its HTML tags, heads, styles and scripts; a text without tags comes back unchanged.

    >>> without_tags("<p>if a &lt; b</p>"), without_tags("if a < b &amp; c")
    ('if a < b', 'if a < b &amp; c')
    """
    if not has_tags(text):
        return text
    for tag in _UNSEEN:
        text = _cut_out(text, tag)
    text = TAG.sub(lambda match: " " if _BLOCK.match(match[0]) else "", text)
    return " ".join(html.unescape(text).split())


def _cut_out(text: str, tag: str) -> str:
    """Remove every <tag ...>...</tag>; an unclosed one stays, so that no text is lost."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter whose lower case is longer: offsets would not fit
        return text
    kept = []
    done = 0
    while (start := lowered.find(f"<{tag}", done)) >= 0 and (end := lowered.find(f"</{tag}>", start)) >= 0:
        kept.append(text[done:start])
        done = end + len(tag) + 3
    return "".join([*kept, text[done:]])


def without_emphasis(text: str, marks: re.Pattern[str]) -> str:
    """A text without the pairs of marks (``**``, ``//`` ...) around words; single marks stay.

    A mark opens before and closes behind a character that is no space. One pass, since a pattern with the text
    between the marks takes quadratic time for marks that never close.

    >>> without_emphasis("**bold** 2 ** 3 **", re.compile(r"[*]{2}"))
    'bold 2 ** 3 **'
    """
    pieces: list[str] = []
    opened: dict[str, int] = {}
    done = 0
    for match in marks.finditer(text):
        mark = match[0]
        pieces += [text[done : match.start()], mark]
        done = match.end()
        if mark in opened and not text[match.start() - 1].isspace():
            pieces[opened.pop(mark)] = pieces[-1] = ""
        elif done < len(text) and not text[done].isspace():
            opened[mark] = len(pieces) - 1
    return "".join([*pieces, text[done:]])
