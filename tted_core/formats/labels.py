"""Texts of nodes: cleaning, markup, and display in messages."""

import html
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial

import regex

from tted_core.errors import LimitError
from tted_core.foundations.limits import MAX_LABEL_CHARACTERS
from tted_core.words.splitting import without_surrogates

# Labels are cleaned here for all formats: Unicode NFC, runs of white space become one space, and characters that
# can't be shown or stored (control characters, lone surrogates, byte order marks inside a text) are repaired.
# Every kind of change is reported once, with the nodes.

SHOWN = 40
"""Characters of a label shown in a message."""

NAMED = 3
"""Number of nodes named by a notice about labels."""

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")  # white space is replaced before this is used
_INVISIBLE = re.compile("[\ufeff\u200b\u2060\ufffe\uffff]")
# Sorting a long run of accents for NFC takes quadratic time; Unicode's stream-safe texts have at most 30 in a row.
_STACKED = regex.compile(r"(\p{M}{30})\p{M}++")
_REPAIRS: tuple[tuple[Callable[[str], str], str], ...] = (
    (without_surrogates, "half surrogate pairs became \N{REPLACEMENT CHARACTER} in {}"),
    (partial(_CONTROL.sub, ""), "control characters were removed from {}"),
    (
        partial(_INVISIBLE.sub, ""),
        "invisible characters (byte order marks and the like) were removed from {}",
    ),
    (partial(_STACKED.sub, r"\1"), "accents after the 30th on one letter were removed from {}"),
    (
        partial(unicodedata.normalize, "NFC"),
        "letters and their accents were joined (Unicode NFC) in {}",
    ),
)


def quoted(label: str, limit: int = SHOWN) -> str:
    r"""A label for a message: quoted, shortened, and without control sequences for terminals.

    >>> print(quoted("one\x1b[31m two"))
    'one\x1b[31m two'
    """
    text = " ".join(label[: 4 * limit].split())
    return repr(text if len(text) <= limit and len(label) <= 4 * limit else f"{text[: limit - 3]}...")


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "node"), counted(1200, "branch", "branches")
    ('1 node', '1,200 branches')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def joined_with_and(names: Sequence[str]) -> str:
    """Join one name or more with commas, and the last with "and".

    >>> joined_with_and(["a", "b", "c"])
    'a, b and c'
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


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
        locations.append(location() if len(locations) < NAMED else "")

    def notices(self) -> list[str]:
        """A sentence for each kind of repair."""
        return [
            f"{kind.format(counted(len(locations), 'node'))}: {', '.join(locations[:NAMED])}"
            + (", ..." if len(locations) > NAMED else "")
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
_UNSEEN = ("head", "style", "script")


def has_tags(text: str) -> bool:
    """Return True if the text has at least one HTML tag (not just a < b)."""
    return "<" in text and TAG.search(text) is not None


def without_tags(text: str) -> str:
    """Remove HTML tags, heads, styles and scripts; a text without tags is unchanged.

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
    """Remove every <tag ...>...</tag>; an unclosed one is kept, so that no text is lost."""
    lowered = text.lower()
    if len(lowered) != len(text):  # some letter's lower case is longer, which would shift offsets
        return text
    kept = []
    done = 0
    while (start := lowered.find(f"<{tag}", done)) >= 0 and (end := lowered.find(f"</{tag}>", start)) >= 0:
        kept.append(text[done:start])
        done = end + len(tag) + 3
    return "".join([*kept, text[done:]])
