"""Texts of nodes: cleaning, inline markup, and display in messages."""

import functools
import html
import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

import regex

from tted_core.errors import MAX_LABEL_CHARACTERS, LimitError
from tted_core.foundations.messages import counted, without_surrogates

# Labels are cleaned here for all formats: Unicode NFC, runs of white space become one space, and characters that
# can't be shown or stored (control characters, lone surrogates, byte order marks inside a text) are repaired.
# Every kind of change is reported once, with the nodes.

BLANK = "&nbsp;"  # the empty text of a node in Markdown; an item without any text is none

NAMED_NODES = 3  # number of nodes named by a notice about labels

# Sorting a long run of accents for NFC takes quadratic time; Unicode's stream-safe texts have at most 30 in a row.
_STACKED = regex.compile(r"(\p{M}{30})\p{M}++")
_REPAIRS: tuple[tuple[Callable[[str], str], str], ...] = (
    (without_surrogates, "half surrogate pairs became \N{REPLACEMENT CHARACTER} in {}"),
    # white space is replaced before
    (
        functools.partial(re.compile("[\x00-\x1f\x7f-\x9f]").sub, ""),
        "control characters were removed from {}",
    ),
    (
        functools.partial(re.compile("[\ufeff\u200b\u2060\ufffe\uffff]").sub, ""),
        "invisible characters (byte order marks and the like) were removed from {}",
    ),
    (functools.partial(_STACKED.sub, r"\1"), "accents after the 30th on one letter were removed from {}"),
    (
        functools.partial(unicodedata.normalize, "NFC"),
        "letters and their accents were joined (Unicode NFC) in {}",
    ),
)


class LabelRepairs:
    """Cleans labels and records the changes."""

    def __init__(self) -> None:
        """Start without repairs."""
        self._locations: dict[str, list[str]] = defaultdict(list)  # by kind; empty for those not shown

    def clean(self, label: str, location: Callable[[], str]) -> str:
        """Return the cleaned label; ``location`` is called if a notice or an error needs the node's location.

        Raises:
            LimitError: the label is too long.
        """
        text = " ".join(label.split())
        if text != label:
            self._note("extra white space was removed from {}", location)
        if len(text) > MAX_LABEL_CHARACTERS:
            raise LimitError(
                f"{len(text):,} characters in the node at {location()}, but the limit is "
                f"{MAX_LABEL_CHARACTERS:,}; shorten its text"
            )
        if not text.isascii() or not text.isprintable():
            for repair, kind in _REPAIRS:
                repaired = repair(text)
                if repaired != text:
                    self._note(kind, location)
                text = repaired
            text = " ".join(text.split())
        if not text:
            self._note("{} without text (kept, as an empty label)", location)
        return text

    def _note(self, kind: str, location: Callable[[], str]) -> None:
        locations = self._locations[kind]
        locations.append(location() if len(locations) < NAMED_NODES else "")

    def notices(self) -> list[str]:
        """A sentence for each kind of repair."""
        return [
            f"{kind.format(counted(len(locations), 'node'))}: {', '.join(locations[:NAMED_NODES])}"
            + (", ..." if len(locations) > NAMED_NODES else "")
            for kind, locations in self._locations.items()
        ]


# HTML tags in labels of several programs are removed.

TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|body|br|center|code|del|div|em|font|h[1-6]|head|hr|html|i|img|input|ins|kbd|li|"
    r"mark|meta|ol|p|pre|q|s|script|small|span|strike|strong|style|sub|sup|table|tbody|td|th|title|tr|tt|u|ul)"
    r"\b[^<>]*>",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"</?(?:br|p|div|li|ul|ol|tr|td|th|h[1-6]|hr|table|blockquote|pre)\b", re.IGNORECASE)
# Beginnings and ends of what a browser doesn't show; one without an end stays, so that no text is lost.
_UNSEEN = tuple(
    (re.compile(rf"<{name}\b", re.IGNORECASE), re.compile(rf"</{name}\s*+>", re.IGNORECASE))
    for name in ("head", "style", "script")
)


def without_tags(text: str) -> str:
    """Remove HTML tags, heads, styles and scripts; a text without tags is unchanged.

    >>> without_tags("<p>if a &lt; b</p>"), without_tags("if a < b &amp; c")
    ('if a < b', 'if a < b &amp; c')
    """
    if not TAG.search(text):
        return text
    for start, end in _UNSEEN:
        *closed, rest = end.split(text)
        text = "".join(start.split(piece, maxsplit=1)[0] for piece in closed) + rest
    text = TAG.sub(lambda match: " " if _BLOCK.match(match[0]) else "", text)
    return " ".join(html.unescape(text).split())


# Inline markup of texts in lists and outlines.

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MARKUP = re.compile(r"[\\`*_~\[<&]")
_RUN = r"[^\\`*_~\[\]<&\n]++"
# Emphasis, code and links without other markup in them, for which no parser is needed; or a text without any.
_SIMPLE = re.compile(
    rf"(?:(?<!\S)|(?<!\*)(?=\*\*?[^\W_]))(?P<sign>\*\*?+)(?P<marked>(?!\s){_RUN})(?<!\s)"
    r"(?:(?<=[^\W_])|(?=\*\*?(?!\S)))(?P=sign)(?!\*)|"
    rf"`(?! )(?P<code>{_RUN})(?<! )`(?!`)|"
    rf"(?<!!)\[(?P<link>{_RUN})\]\((?:https?://|(?![A-Za-z]+:))[^\s()<>`\x00-\x1f\x7f]*+\)|(?P<plain>{_RUN})"
)

# Marks of sources at the end of a text, read backwards: ``[1]``, ``[^1]``, ``【1†a】``, ``([a](b))``.
_CITED = re.compile(
    r"(\s*+[.!?。！？]?\s*+)(?:(?:\]\^?\d{1,3}\^?\[|】[^】【]*+(?<=\d)【|\)\)[^()\s]*+\(\][^\[\]]++\[\()(?!\\)\s*+)++"
)

# Patterns of markup in a text that isn't Markdown.
_EMPHASIS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=[\w\"“])|\]\(")

# Formulas, between dollar signs or as chat models write them, products, names with signs of emphasis, indices.
FORMULA = re.compile(
    r"\$\$[^$]++\$\$|(?<![\\$])\$(?![\s$])(?:[^$\\]|\\.)++(?<!\s)\$(?!\d)|(?<!\\)\\\((?:[^\\]|\\[^()])++\\\)|"
    r"(?<![\w*])\d++(?:\*\d++)++(?![\w*])|(?<![\w_])__[a-z]++__(?=\(|\.\w)|"
    r"(?<=[\w}])_\{[^{}\s]++\}|(?<=\})_[A-Za-z0-9](?!\w)",
    re.DOTALL,
)
_HELD = "\ufdd0"  # a character that no text has; it stands for a formula while markup is removed

_NUMBER_HELD = re.compile(f"{_HELD}([0-9]+){_HELD}")
_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
# Emphasis in Chinese, Japanese and Korean, which CommonMark doesn't recognise beside punctuation; or code.
_WIDE_EMPHASIS = re.compile(
    r"(?P<code>`[^`]*`)|(?<![\\*])(?P<sign>\*{1,3})(?![\s*])(?P<strong>[^*]+)(?<![\s\\])(?P=sign)(?!\*)|"
    rf"__(?=[^_]*{_WIDE.pattern})(?P<under>[^_]+)__|~~(?P<struck>[^~]+)~~"
)

# Links, highlights, block ids and comments of Obsidian, highlights and tasks of Roam.
_OF_NOTES = re.compile(
    r"(?P<code>`[^`]*`)|"
    r"\{\{(?:\[\[)?(?:TODO|DONE)(?:\]\])?\}\} ?|\^\^(?P<raised>[^\^]++)\^\^|"
    r"(?<!\\)!?\[\[(?P<page>[^\[\]|\\]++)(?:\\?\|\d+(?:x\d+)?(?=\]))?+(?:\\?\|(?P<alias>[^\[\]|]++)(?:\|[^\[\]]*+)?|\|)?\]\](?![(\[])|"
    r"(?<![A-Za-z0-9=\\])==(?![\s=])(?P<marked>[^=]++)(?<![\s\\])==(?!=)|"
    r"(?<=\s)\^(?=[0-9-]*[A-Za-z])[A-Za-z0-9-]{2,}$|(?<!\S)%%[^%\n]++%%(?!\S)"
)

_TAG = re.compile(
    r"</?(?:a|abbr|b|big|br|center|code|del|div|em|font|i|img|input|ins|kbd|mark|p|q|s|small|span|strong|sub|sup|u)"
    r"\b[^<>]*+>",
    re.IGNORECASE,
)

# Maximum nested and total brackets in a label that may be links; the parser is slow with more.
INLINE_NESTING = 10
MOST_BRACKETS = 50


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


def strip_markup(labels: list[str], *, of_markdown: bool) -> list[str]:
    """Remove emphasis, code, links and source marks from texts; in Markdown also HTML tags and Obsidian's marks.

    Formulas between dollar signs stay as they are. Returns notices.
    """
    only = _MARKUP if of_markdown else _EMPHASIS
    links = cited = 0
    for node, label in enumerate(labels):
        if len(label) > MAX_LABEL_CHARACTERS or _HELD in label:
            continue
        text = label
        sources = _CITED.match(text[::-1]) if "]" in text or "】" in text else None
        if sources and sources.end() < len(text):
            text = text[: -sources.end()] + sources[1][::-1]
            cited += 1
        formulas = FORMULA.findall(text)
        numbers = itertools.count()
        text = FORMULA.sub(lambda _, numbers=numbers: f"{_HELD}{next(numbers)}{_HELD}", text)  # type: ignore[misc]
        if of_markdown or text.startswith("[["):
            links += sum(found["alias"] is not None for found in _OF_NOTES.finditer(text))
            text = _OF_NOTES.sub(_text_inside, text).strip()
        if _WIDE.search(text):
            text = _WIDE_EMPHASIS.sub(_text_inside, text)
        pieces = list(_SIMPLE.finditer(text)) if only.search(text) else []
        if pieces and sum(len(piece[0]) for piece in pieces) == len(text):
            links += sum(piece["link"] is not None for piece in pieces)
            text = "".join(map(_text_inside, pieces))
        elif only.search(text):
            tokens: list[Token] = []
            parser = _parser(links=text.count("[") <= MOST_BRACKETS)
            parser.inline.parse(text, parser, {}, tokens)
            links += sum(token.type in {"link_open", "image"} for token in tokens)
            text = "".join(_plain(token, with_tags=not of_markdown) for token in tokens)
        text = _NUMBER_HELD.sub(lambda found, formulas=formulas: formulas[int(found[1])], text)  # type: ignore[misc]
        labels[node] = " ".join(text.split()) if of_markdown else text
    targets = counted(links, "link or image", "links and images")
    notices = {
        f"source marks were removed from {counted(cited, 'text')}": cited,
        f"the targets of {targets} are not part of the labels": links,
    }
    return [notice for notice, count in notices.items() if count]


def _text_inside(found: re.Match[str]) -> str:
    """The text between marks, or nothing."""
    return found[found.lastgroup] if found.lastgroup else ""


def _plain(token: "Token", *, with_tags: bool) -> str:
    if token.type in {"softbreak", "hardbreak"}:
        return " "
    if token.type == "html_inline" and not with_tags:
        return _TAG.sub(" " if token.content[:3].lower() == "<br" else "", token.content)
    return token.content


# Emoji and other signs around a text.
SYMBOL = "[\u2190-\u21ff\u2500-\u27bf\u2900-\u2bff\U0001f000-\U0001faff\ufe0f\u200d\u20e3]"
SYMBOLS = re.compile(rf"(?:{SYMBOL}|[0-9#*]\ufe0f?\u20e3)+\s*")
_LAST_SYMBOLS = re.compile(rf"(?<=\S)\s++{SYMBOL}++(?=[*_]*+$)")
ASIDE = re.compile(r"[✅❌✔✖☑☐✓✗]")
_SIGNS = re.compile(r"[*_`~]+")
BIDI = "\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
_ATTRIBUTES = re.compile(r"(?<=\s)\{(?::[ ]?)?[#.][A-Za-z][\w .#=-]*\}\s*+$")  # {#id}, {: .class }


def without_closing(text: str) -> str:
    """The text of a heading without its attributes in braces and the signs that may close it."""
    text = _ATTRIBUTES.sub("", text).rstrip()
    core = text.rstrip("#")
    return core.rstrip() if not core or core[-1] in " \t" else text


def without_marks(text: str) -> str:
    """A line without marks of emphasis and writing direction, with single spaces between its words."""
    return " ".join(_SIGNS.sub("", text).strip(f"{BIDI} \t\u00a0\u3000").split())


def symbols_at(text: str) -> str:
    """The emoji or other signs at the beginning of a line, with the space after them; empty if there are none."""
    found = None if text[:1].isalpha() else SYMBOLS.match(text)  # most lines begin with a letter
    return found[0] if found and found[0][-1:].isspace() else ""


def without_symbols(label: str) -> str:
    """A label without the emoji in front of it or behind it, except numbers and signs for yes and no.

    >>> without_symbols("🌱 Plants"), without_symbols("**🌱 Plants**"), without_symbols("1️⃣ Plants 🌱")
    ('Plants', '**Plants**', '1️⃣ Plants')
    """
    start = len(label) - len(label.lstrip("*_"))
    symbols = symbols_at(label[start:])
    last = _LAST_SYMBOLS.search(label, start + len(symbols))
    if last and not ASIDE.search(last[0]):
        label = label[: last.start()] + label[last.end() :]
    if "\u20e3" in symbols or ASIDE.search(symbols):
        return label
    return label[:start] + label[start + len(symbols) :]
