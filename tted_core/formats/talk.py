"""Talk around a map in a chat model's answer: greetings, explanations, questions, notes, rules.

Talk is recognised by its position first (before the first or after the last line of the map, separate from it),
then by its punctuation, and if both are inconclusive by its beginning. A text without talk is unchanged, so that
a map is read alike with and without talk.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from tted_core.formats.chat_words import (
    COPIED,
    EXPLAINED,
    LEVEL_LINE,
    LEVEL_WORD,
    MAP,
    NOTE,
    OPENING,
    SOURCE_TEXT,
    TITLE,
    TOPIC_END,
    TOPICS,
)
from tted_core.formats.document import Document
from tted_core.formats.indented import BULLET, width
from tted_core.formats.markdown import FRONT_MATTER
from tted_core.foundations.limits import MAX_MARKDOWN_CHARACTERS

MOST_WORDS = 9
"""Maximum words of a title line; a longer line separate from the list is a sentence."""

MOST_OFFERED = 8
"""Maximum lines at the end of an answer that list the model's offers."""

_BIDI = "\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
_LOOKED_AT = 400  # characters of a line that are examined
_LIST = re.compile(
    r"(?:#{1,6}\s|>+\s|[|│┃].*[|│┃]\s*$|[├└╰┣┗╠╚┠┖│]|[+`\\|][-_]|[-*+=]{1,6}>?\s|(?!(?:[^\W\d]\.){2})[（(]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-zА-Яа-я]|"
    r"[IVXLivxl]{1,6}|[一二三四五六七八九十]{1,3})[.)）、．:]\s*+(?=\S)|\d{1,3}(?:\.\d{1,3})+\s|[①-⑳]|<[a-z]+>)"
)
RULE = re.compile(r"\s*(?:([-*_=─━—–~])\s?(?:\1\s?){2,})$")
BOLD = re.compile(r"(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)\s*+[:：]?\s*+$")
_BOLD_BEGINNING = re.compile(r"(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)")
_ITALIC = re.compile(r"(?:\*(?![*\s])[^*]+\*|_(?![_\s])[^_]+_)$")
_STOP = re.compile(r"[.!?…。！？؟।:：]['\"”’»)）*_]*\s*(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$")
_INVITES = re.compile(r"[:：?？؟]['\"”’»)）*_]*\s*(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$")
_IN_BRACKETS = re.compile(r"[(（].*[)）]$")
_COLON = re.compile(r"[:：][*_]*\s*$")
_MARKS = re.compile(r"[*_`~]+")
_QUOTED = re.compile(r"[\"“„«「《'‘]([^\"”“»」》]{1,100})[\"”“»」》'’]")
_QUOTATION = re.compile(r">\s?")
SYMBOLS = re.compile(
    r"(?:[\u2190-\u21ff\u2500-\u27bf\u2900-\u2bff\U0001f000-\U0001faff\ufe0f\u200d\u20e3]|[0-9#*]\ufe0f?\u20e3)+\s*"
)
_SOURCE = re.compile(r"https?://|www\.|\[\^?\d{1,3}\]|【\d")
_FOOTNOTE = re.compile(r"\[\^?\d{1,3}\](?:: | .*(?:https?://|www\.))")


def without_marks(text: str) -> str:
    """A line without marks of emphasis and writing direction, with single spaces between its words."""
    return " ".join(_MARKS.sub("", text).strip(_BIDI + " \t\u00a0\u3000").split())


def symbols_at(text: str) -> str:
    """The emoji or other signs at the beginning of a line, with the space after them; empty if there are none."""
    found = SYMBOLS.match(text)
    return found[0] if found and found[0][-1:].isspace() else ""


def without_talk(document: Document) -> tuple[Document, tuple[str, ...], str]:
    """The map alone, the lines of talk around it, and the topic that they name.

    Talk is blanked, so that lines keep their numbers; a document without talk is unchanged.
    """
    if len(document.text) > MAX_MARKDOWN_CHARACTERS or FRONT_MATTER.match(document.text):
        return document, (), ""
    texts = document.text.translate(dict.fromkeys(map(ord, _BIDI[2:4] + "\ufeff"))).split("\n")
    lines = [_Line(number, text) for number, text in enumerate(_unquoted(texts))]
    for above, line in pairwise([_Line(-1, ""), *lines]):
        heads = above.words and not (above.is_listed or above.is_out or is_said(above.text))
        line.is_out = RULE.match(line.text) is not None and not heads
    filled = _kept(lines)
    inside = [line.number for line in filled if line.is_listed] or [
        line.number for line in filled if line.column
    ]
    topic = ""
    if inside and len(filled) > 1:
        topic = _leave_out_before(filled, inside[0])
        _leave_out_behind(lines, inside[-1])
    if not _kept(lines):
        return document, (), ""
    text = "\n".join("" if line.is_out else line.text for line in lines)
    talk = tuple(" ".join(line.text.split()) for line in lines if line.is_out and not RULE.match(line.text))
    return replace(document, text=text) if text != document.text else document, talk, topic


@dataclass
class _Line:
    """A line of an answer, its number from 0, and whether it is left out."""

    number: int
    text: str
    is_out: bool = False

    @cached_property
    def words(self) -> str:
        return without_marks(self.text)

    @cached_property
    def column(self) -> int:
        return width(self.text[: len(self.text) - len(self.text.lstrip())])

    @cached_property
    def is_sentence(self) -> bool:
        """True if it ends like a sentence and is long enough for one, or ends with a colon."""
        is_long = len(self.words.split()) > 3 or len(self.words) > 20
        return _STOP.search(self.words) is not None and (is_long or _COLON.search(self.words) is not None)

    @property
    def is_heading(self) -> bool:
        return self.text.lstrip().startswith("#")

    @cached_property
    def is_aside(self) -> bool:
        text = self.text.strip().strip(_BIDI)
        return _ITALIC.match(text[len(symbols_at(text)) :]) is not None and not BULLET.match(text)

    @cached_property
    def is_listed(self) -> bool:
        """True for a line of a list, a heading, a branch or a row, which is never talk."""
        text = self.text.strip().strip(_BIDI)
        symbols = symbols_at(text)
        if not text or self.is_aside:
            return False
        if _BOLD_BEGINNING.match(text):
            return not (NOTE.match(self.words) or is_said(self.words))
        return bool(
            BULLET.match(text) or _LIST.match(text) or (symbols and not is_said(text[len(symbols) :]))
        )


def _kept(lines: Sequence[_Line]) -> list[_Line]:
    return [line for line in lines if line.text.strip() and not line.is_out]


def _leave_out_before(filled: Sequence[_Line], first: int) -> str:
    """Leave out talk before the map, except a title; returns the topic if it is named."""
    found = ""
    before = [line for line in filled if line.number < first]
    for line, below in zip(before, filled[1:], strict=False):
        topic = topic_of(line.words)
        found = topic or found
        said = is_said(line.words)
        deeper = below.column > line.column
        leads = deeper and not (said and (below.is_listed or _COLON.search(line.words)))
        is_talk = topic or COPIED.match(line.words) or (not leads and (said or line.is_sentence))
        is_title = line is before[-1] or below.number > line.number + 1
        is_inside = line.column > before[0].column  # part of a map that begins before the first mark
        line.is_out = bool(
            is_talk and not is_inside and (topic or not (is_title and _may_be_title(line.words)))
        )
    return found


def _leave_out_behind(lines: Sequence[_Line], last: int) -> None:
    """Leave out what follows the map; after an offer, an explanation or "Sources:" also a list."""
    kept = _kept(lines)
    end = _end_of_map(kept)
    for line in kept[end:]:
        line.is_out = True
    if end < len(kept):
        last = max((line.number for line in kept[:end] if line.is_listed), default=last)
    apart = False
    for line in lines[last + 1 :]:
        apart = apart or not line.words
        if not line.words or line.is_out or (line.column and not apart):
            continue
        is_talk = is_said(line.words) or line.is_aside or _is_note(line.words)
        is_long = line.is_sentence or len(line.words.split()) > MOST_WORDS
        line.is_out = is_talk or (apart and is_long and not lines[last].is_heading)
        apart = apart or line.is_out


def _is_note(words: str) -> bool:
    """Return True for a note, a footnote, a remark in brackets, or a word that is copied along with a block."""
    found = NOTE.match(words) or COPIED.match(words) or _IN_BRACKETS.match(words) or _FOOTNOTE.match(words)
    return found is not None


def _end_of_map(kept: Sequence[_Line]) -> int:
    """The index of the line that offers more, or heads an explanation or sources, with at most a list below it."""
    sourced = len(kept)  # from here on, all lines name sources
    while sourced and _SOURCE.search(kept[sourced - 1].text):
        sourced -= 1
    items = 0
    for index, line in enumerate(kept):
        below = len(kept) - index - 1
        is_bold = BOLD.match(line.text) is not None and not line.column
        if index and (
            ((line.is_heading or is_bold) and EXPLAINED.fullmatch(line.words))
            or (
                below
                and sourced <= index + 1
                and not line.is_heading
                and NOTE.match(f"{line.words.rstrip(':：')}:")
            )
            or (0 < below <= MOST_OFFERED and items > 1 and _offers(line, kept[index + 1 :]))
        ):
            return index
        items += line.is_listed and not line.is_heading
    return len(kept)


def _offers(line: _Line, rest: Sequence[_Line]) -> bool:
    """Return True if a line invites the reader to choose from a list."""
    return (
        not (line.column or line.is_listed)
        and is_said(line.words)
        and _INVITES.search(line.text) is not None
        and not any(each.is_heading for each in rest)
    )


def _unquoted(lines: list[str]) -> list[str]:
    """The lines of a quotation if it contains the whole map, with plain spaces in front."""
    quoted = sum(line.startswith("> ") for line in lines)
    if quoted > 1 and 5 * quoted >= 4 * sum(bool(line.strip()) for line in lines):
        lines = [line[found.end() :] if (found := _QUOTATION.match(line)) else line for line in lines]
    blanks = (line[: len(line) - len(line.lstrip())] for line in lines)
    return [
        blank.replace("\u3000", "  ").replace("\u00a0", " ") + line.lstrip()
        for blank, line in zip(blanks, lines, strict=True)
    ]


def is_said(text: str) -> bool:
    """Return True for a line addressed to the reader: it begins like talk, and is or is as long as a sentence."""
    plain = without_marks(text)[:_LOOKED_AT]
    plain = plain[len(symbols_at(plain)) :].lstrip("¡")
    return bool(OPENING.match(plain) and (_STOP.search(plain) or len(plain.split()) > 3))


def _may_be_title(words: str) -> bool:
    """Return True if a line before a list may be its title: short, not a sentence, not addressed to the reader."""
    ends = _STOP.search(words) and not _COLON.search(words)
    return not (is_said(words) or ends) and len(words.split()) <= MOST_WORDS and len(words) <= 80


def topic_of(line: str) -> str:
    """The topic of a map according to a line; empty if it names none.

    >>> topic_of("Here is a mind map of the water cycle:"), topic_of("A mind map of your text:")
    ('The water cycle', '')
    """
    text = without_marks(line)[:_LOOKED_AT]
    phrases = (pattern.search(text) for pattern in TOPICS) if MAP.search(text) else ()
    return next((_cleaned_topic(found["topic"]) for found in phrases if found), "")


def loses_in_lists(label: str) -> bool:
    """Return True if a list would lose part of a text: a word for its level, or a colon at its end."""
    plain = without_marks(label)
    return bool(
        plain.endswith((":", "：")) or LEVEL_WORD.match(plain) or LEVEL_LINE.match(plain) or MAP.search(plain)
    )


def topic_of_title(label: str) -> str:
    """A title without its remark that this is a mind map.

    >>> topic_of_title("Mind Map: Tea"), topic_of_title("Tea – Mind Map"), topic_of_title("Mind maps of tea")
    ('Tea', 'Tea', 'Mind maps of tea')
    """
    plain = without_marks(label)
    found = TITLE.match(plain[len(symbols_at(plain)) :]) if MAP.search(label) else None
    if found is None:
        return label
    return _cleaned_topic(found["of"] or "") or (found["before"] or found["behind"] or label).strip()


def _cleaned_topic(topic: str) -> str:
    quoted = _QUOTED.match(topic)
    if quoted:
        return quoted[1].strip()
    end = TOPIC_END.search(topic)
    cut = (topic[: end.start()] if end else topic).strip(" \t:：.-–—\"'“”")
    return "" if SOURCE_TEXT.match(topic) or len(cut) > 120 else cut[:1].upper() + cut[1:]
