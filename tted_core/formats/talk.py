"""Talk around a map in a chat model's answer: greetings, explanations, questions, notes, rules.

Talk is recognised by its position first (before the first or after the last line of the list, separate from it),
then by its punctuation, and if both are inconclusive by its beginning. A text without talk is unchanged, so that
a map is read alike with and without talk.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, zip_longest

from tted_core.formats.chat_words import (
    COPIED,
    EXPLAINED,
    LEVEL_LINE,
    LEVEL_WORD,
    LEVEL_WORD_BEHIND,
    MAP,
    NOTE,
    ON_A_TOPIC,
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
BOLD = re.compile(r"(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)\s*[:：]?\s*$")
_RUN_IN = re.compile(r"(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)")
_ITALIC = re.compile(r"(?:\*(?![*\s])[^*]+\*|_(?![_\s])[^_]+_)$")
_STOP = re.compile(r"[.!?…。！？؟।:：]['\"”’»)）*_]*\s*(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$")
_QUESTION = re.compile(r"[?？؟]['\"”’»)）*_]*\s*(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$")
_IN_BRACKETS = re.compile(r"[(（].*[)）]$")
_COLON = re.compile(r"[:：][*_]*\s*$")
_MARKS = re.compile(r"[*_`~]+")
SYMBOLS = re.compile(
    r"(?:[\u2190-\u21ff\u2500-\u27bf\u2900-\u2bff\U0001f000-\U0001faff\ufe0f\u200d\u20e3]|[0-9#*]\ufe0f?\u20e3)+\s*"
)
_FOOTNOTE = re.compile(r"\s*\[\^?\d{1,3}\](?::\s|\s+\S*(?:https?://|www\.)|\s+\S.*(?:https?://|www\.))")

_SOURCE = re.compile(r"https?://|www\.|\[\^?\d{1,3}\]|【\d")


@dataclass(frozen=True)
class Answer:
    """An answer split into map and talk.

    Args:
        document: the map alone; talk is blanked, so that lines keep their numbers.
        talk: the lines left out, with their numbers.
        topic: the topic of the map according to the talk; empty if not mentioned.
    """

    document: Document
    talk: tuple[tuple[int, str], ...] = ()
    topic: str = ""


def without_marks(text: str) -> str:
    """A line without marks of emphasis and writing direction, for looking at its words."""
    return _MARKS.sub("", text).strip(_BIDI + " \t\u00a0\u3000")


def symbols_at(text: str) -> str:
    """The emoji or other signs at the beginning of a line, with the space after them; empty if there are none."""
    found = SYMBOLS.match(text)
    return found[0] if found and found[0][-1:].isspace() else ""


def take_apart_answer(document: Document) -> Answer:
    """Leave out the talk around a map; a document without talk is unchanged."""
    if len(document.text) > MAX_MARKDOWN_CHARACTERS or FRONT_MATTER.match(document.text):
        return Answer(document)
    texts = document.text.translate(dict.fromkeys(map(ord, _BIDI[2:4] + "\ufeff"))).split("\n")
    lines = [_Line(number, _plain_blank(text)) for number, text in enumerate(_unquoted(texts))]
    _leave_out_rules(lines)
    filled = [line for line in lines if line.text.strip()]
    listed = [line.number for line in filled if line.is_listed]
    topic = ""
    if listed and len(filled) > 1:
        topic = _leave_out_before(lines, listed[0])
        _leave_out_behind(lines, listed[-1])
    elif any(line.column for line in filled):
        topic = _leave_out_around_indented(lines)
    if not _kept(lines):
        return Answer(document)
    text = "\n".join("" if line.is_out else line.text for line in lines)
    talk = tuple(
        (document.first_line + line.number, " ".join(line.text.split()))
        for line in lines
        if line.is_out and not RULE.match(line.text)
    )
    return Answer(replace(document, text=text) if text != document.text else document, talk, topic)


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
    def is_said(self) -> bool:
        return is_said(self.words)

    @cached_property
    def is_sentence(self) -> bool:
        """True if it ends like a sentence and is long enough for one, or ends with a colon."""
        is_long = len(self.words.split()) > 3 or len(self.words) > 20
        return _STOP.search(self.words) is not None and (is_long or _COLON.search(self.words) is not None)

    @property
    def is_heading(self) -> bool:
        return self.text.lstrip().startswith("#")

    @property
    def is_listed(self) -> bool:
        """True for a line of a list, a heading, a branch or a row, which is never talk."""
        text = self.text.strip().strip(_BIDI)
        symbols = symbols_at(text)
        is_aside = _ITALIC.match(text[len(symbols) :]) and not BULLET.match(text)
        if self.is_out or not text or is_aside:
            return False
        if BOLD.match(text) or _RUN_IN.match(text):
            return not (NOTE.match(self.words) or self.is_said)
        return bool(
            BULLET.match(text) or _LIST.match(text) or (symbols and not is_said(text[len(symbols) :]))
        )


def _kept(lines: Sequence[_Line]) -> list[_Line]:
    return [line for line in lines if line.text.strip() and not line.is_out]


def _leave_out_rules(lines: Sequence[_Line]) -> None:
    """Leave out lines of dashes only, unless one makes a heading of the line above it."""
    for above, line in pairwise([_Line(-1, ""), *lines]):
        text = above.text.strip()
        heads = text and not (BULLET.match(text) or _LIST.match(text) or is_said(text) or above.is_out)
        line.is_out = RULE.match(line.text) is not None and not heads


def _leave_out_before(lines: Sequence[_Line], first: int) -> str:
    """Leave out talk before the list, except a title; returns the topic if it is named."""
    before = [line for line in _kept(lines) if line.number < first]
    found = ""
    for line in before:
        topic = topic_of(line.words)
        found = topic or found
        below = lines[line.number + 1 :]
        is_title = line is before[-1] or not below[0].text.strip()
        following = next((each for each in below if each.text.strip()), line)
        leads = following.column > line.column and not line.is_said
        is_talk = topic or line.is_said or (line.is_sentence and not leads) or COPIED.match(line.words)
        centre = LEVEL_WORD.match(following.words) if _COLON.search(line.words) else None
        if centre and centre["centre"]:  # "The text can be outlined as follows:" above "Main idea: ..."
            line.is_out = True
            continue
        is_inside = line.column > before[0].column  # part of a map that begins before the first mark
        line.is_out = bool(is_talk and not is_inside and (topic or not is_title or not _may_be_title(line)))
    return found


def _leave_out_behind(lines: Sequence[_Line], last: int) -> None:
    """Leave out what follows the list; after an offer, also a list of offers."""
    kept = _kept(lines)
    near_end = range(max(0, len(kept) - MOST_OFFERED - 1), len(kept) - 1)
    offer = next((index for index in near_end if _is_offer(kept, index)), len(kept))
    for line in kept[offer:]:
        line.is_out = True
    last = max((line.number for line in kept if line.is_listed), default=last) if kept[offer:] else last
    heading = lines[last].is_heading
    apart = False
    for line in lines[last + 1 :]:
        apart = apart or not line.words
        if not line.words or line.is_out or (line.text[:1].isspace() and not apart):
            continue
        is_talk = (
            line.is_said
            or NOTE.match(line.words)
            or COPIED.match(line.words)
            or _IN_BRACKETS.match(line.words)
            or _FOOTNOTE.match(line.text)
            or _ITALIC.match(line.text.strip()[len(symbols_at(line.text.strip())) :])
        )
        long = line.is_sentence or len(line.words.split()) > MOST_WORDS
        line.is_out = bool(is_talk or (apart and not heading and long))
        apart = apart or line.is_out
    kept = _kept(lines)
    explained = (
        index for index, line in enumerate(kept) if index and EXPLAINED.fullmatch(line.words) and _heads(line)
    )
    for line in kept[next(explained, len(kept)) :]:
        line.is_out = True
    kept = _kept(lines)
    end = len(kept)
    while end and _SOURCE.search(kept[end - 1].text):
        end -= 1
    head = kept[end - 1] if end else _Line(-1, "")
    if end < len(kept) and NOTE.match(f"{head.words.rstrip(':：')}:") and not head.text.startswith("#"):
        for line in kept[end - 1 :]:  # a list of sources, with its heading
            line.is_out = True


def _heads(line: _Line) -> bool:
    return line.is_heading or (BOLD.match(line.text) is not None and not line.column)


def _is_offer(kept: Sequence[_Line], index: int) -> bool:
    """Return True if a line offers more, and is followed by at most a list of offers."""
    line, rest = kept[index], kept[index + 1 :]
    return (
        line.is_said
        and not line.text[:1].isspace()
        and not line.is_listed
        and (_COLON.search(line.text.strip()) is not None or _QUESTION.search(line.text) is not None)
        and sum(each.is_listed and not each.is_heading for each in kept[:index]) > 1
        and not any(each.is_heading for each in rest)
    )


def _leave_out_around_indented(lines: Sequence[_Line]) -> str:
    """Leave out talk around a text that is a map by its indentation only; returns its topic."""
    found = ""
    kept = _kept(lines)
    for line, below in zip_longest(kept, kept[1:]):
        deeper = below is not None and below.column > line.column
        topic = topic_of(line.words)
        is_talk = topic or line.is_said or COPIED.match(line.words)
        if (
            line.column
            or not (is_talk or (line.is_sentence and not deeper))
            or (deeper and not (is_talk and _COLON.search(line.words)))
        ):
            break
        found = topic or found
        line.is_out = True
    for line in reversed(_kept(lines)):
        apart = line.number > 0 and not lines[line.number - 1].text.strip()
        is_talk = line.is_said or NOTE.match(line.words) or _IN_BRACKETS.match(line.words)
        if line.column or not (is_talk or (apart and line.is_sentence)):
            break
        line.is_out = True
    return found


def _plain_blank(line: str) -> str:
    """Replace no-break and wide spaces of a line's indentation with plain ones."""
    blank = line[: len(line) - len(line.lstrip())]
    return line if blank.isascii() else blank.replace("\u3000", "  ").replace("\u00a0", " ") + line.lstrip()


def _unquoted(lines: list[str]) -> list[str]:
    """The lines of a quotation, if it contains the whole map."""
    filled = [line for line in lines if line.strip()]
    quoted = [line for line in filled if re.match(r">\s", line)]
    if (
        len(quoted) > 1
        and 5 * len(quoted) >= 4 * len(filled)
        and not any(line.startswith(">>") for line in filled)
    ):
        return [re.sub(r"^>\s?", "", line) for line in lines]
    return lines


def is_said(text: str) -> bool:
    """Return True for a line addressed to the reader: it begins like talk, and is or is as long as a sentence."""
    plain = without_marks(text)[:_LOOKED_AT]
    plain = plain[len(symbols_at(plain)) :].lstrip("¡")
    return bool(OPENING.match(plain) and (_STOP.search(plain) or len(plain.split()) > 3))


def _may_be_title(line: _Line) -> bool:
    """Return True if a line before a list may be its title: short, not a sentence, not addressed to the reader."""
    ends = _STOP.search(line.words) and not _COLON.search(line.words)
    return not (line.is_said or ends) and len(line.words.split()) <= MOST_WORDS and len(line.words) <= 80


def topic_of(line: str) -> str:
    """The topic of a map according to a line; empty if it names none.

    >>> topic_of("Here is a mind map of the water cycle:"), topic_of("A mind map of your text:")
    ('The water cycle', '')
    """
    text = without_marks(line)[:_LOOKED_AT]
    found = (
        next(filter(None, (pattern.search(text) for pattern in TOPICS)), None) if MAP.search(text) else None
    )
    return _cleaned_topic(found["topic"]) if found else ""


def loses_in_lists(label: str) -> bool:
    """Return True if a list would lose part of a text: a word for its level, or a colon at its end."""
    patterns = (LEVEL_WORD.match, LEVEL_LINE.match, LEVEL_WORD_BEHIND.search, MAP.search)
    return label.endswith((":", "：")) or any(found(label) for found in patterns)


def topic_of_title(label: str) -> str:
    """A title without its remark that this is a mind map.

    >>> topic_of_title("Mind Map: Tea"), topic_of_title("Tea – Mind Map"), topic_of_title("Mind maps of tea")
    ('Tea', 'Tea', 'Mind maps of tea')
    """
    plain = without_marks(label)
    found = TITLE.match(plain[len(symbols_at(plain)) :]) if MAP.search(label) else None
    if found is None:
        return label
    return (
        _cleaned_topic(found["of"]) or label if found["of"] else (found["before"] or found["behind"]).strip()
    )


def _cleaned_topic(topic: str) -> str:
    quoted = re.match(r"[\"“„«「《'‘]([^\"”“»」》]{1,100})[\"”“»」》'’]", topic)
    if quoted:
        return quoted[1].strip()
    if SOURCE_TEXT.match(topic):
        further = ON_A_TOPIC.search(topic)
        return _cleaned_topic(further["topic"]) if further else ""
    end = TOPIC_END.search(topic)
    cut = (topic[: end.start()] if end else topic).strip(" \t:：.-–—\"'“”")
    return cut[:1].upper() + cut[1:] if len(cut) <= 120 else ""
