"""Talk around a map in an answer of a chat model: greetings, explanations, questions, notes, rules.

What is talk is told by its place first (before the first or behind the last line of the list, apart from it), then
by its punctuation, and where both leave it open by how it begins. A text without talk comes out as it is, so that
a map is read alike with its talk and without.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tted_core.formats.chat_words import (
    COPIED,
    MAP,
    NOTE,
    ON_A_TOPIC,
    OPENING,
    PLACE_BEHIND,
    PLACES,
    POSITION,
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
"""Words of a line that may be a title; a longer one apart from the list is a sentence."""

_BIDI = "\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
_LOOKED_AT = 400  # characters of a line
_LIST = re.compile(
    r"(?:#{1,6}\s|>+\s|[|│┃].*[|│┃]\s*$|[├└╰┣┗╠╚┠┖│]|[+`\\|][-_]|[-*+=]{1,6}>?\s|[（(]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-zА-Яа-я]|"
    r"[IVXLivxl]{1,6}|[一二三四五六七八九十]{1,3})[.)）、．:]\s*+(?=\S)|\d{1,3}(?:\.\d{1,3})+\s|[①-⑳]|<[a-z]+>)"
)
RULE = re.compile(r"\s*(?:([-*_=─━—–~])\s?(?:\1\s?){2,})$")
BOLD = re.compile(r"(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)\s*[:：]?\s*$")
_RUN_IN = re.compile(r"(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)")
_ITALIC = re.compile(r"(?:\*(?![*\s])[^*]+\*|_(?![_\s])[^_]+_)$")
_STOP = re.compile(r"[.!?…。！？؟।:：]['\"”’»)）*_]*\s*(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$")
_QUESTION = re.compile(r"[?？؟]['\"”’»)）*_]*\s*(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$")
_COLON = re.compile(r"[:：][*_]*\s*$")
_MARKS = re.compile(r"[*_`~]+")
SYMBOLS = re.compile(
    r"(?:[\u2190-\u21ff\u2500-\u27bf\u2900-\u2bff\U0001f000-\U0001faff\ufe0f\u200d\u20e3]|[0-9#*]\ufe0f?\u20e3)+\s*"
)
_FOOTNOTE = re.compile(r"\s*\[\^?\d{1,3}\](?::\s|\s+\S*(?:https?://|www\.)|\s+\S.*(?:https?://|www\.))")


@dataclass(frozen=True)
class Answer:
    """An answer taken apart.

    Args:
        document: the map alone, its talk blanked, so that its lines keep their numbers.
        talk: the lines that were left out, each with its number.
        topic: what the talk says the map is of; empty if it doesn't.
    """

    document: Document
    talk: tuple[tuple[int, str], ...] = ()
    topic: str = ""


def without_marks(text: str) -> str:
    """A line without the marks of emphasis and what turns the direction of writing, for looking at its words."""
    return _MARKS.sub("", text).strip(_BIDI + " \t\u00a0\u3000")


def symbols_at(text: str) -> str:
    """The emoji or other signs that a line begins with, with the space behind; empty if it begins with none."""
    found = SYMBOLS.match(text)
    return found[0] if found and found[0][-1:].isspace() else ""


def take_apart_answer(document: Document) -> Answer:
    """Leave out the talk around a map; a document without any comes back as it is."""
    text = document.text
    if len(text) > MAX_MARKDOWN_CHARACTERS or FRONT_MATTER.match(text):
        return Answer(document)
    lines = text.translate(dict.fromkeys(map(ord, _BIDI[2:4] + "\ufeff"))).split("\n")
    lines = [_plain_blank(line) for line in _unquoted(lines)]
    found = _Lines(lines)
    found.leave_out_rules()
    marked = [number for number in found.filled if found.is_listed(number)]
    if len(marked) > 1 or (marked and len(found.filled) > 1):
        found.before(marked[0])
        found.behind(marked[-1])
    elif any(line[:1].isspace() and line.strip() for line in lines):
        found.around_indented()
    kept = "\n".join(line if number not in found.left_out else "" for number, line in enumerate(lines))
    if not found.map_lines:
        return Answer(document)
    talk = tuple(
        (document.first_line + number, " ".join(lines[number].split()))
        for number in sorted(found.left_out)
        if not RULE.match(lines[number])
    )
    return Answer(replace(document, text=kept) if kept != text else document, talk, found.topic)


class _Lines:
    """The lines of an answer, and which of them are left out."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.left_out: set[int] = set()
        self.topic = ""
        self.filled = [number for number, line in enumerate(lines) if line.strip()]

    @property
    def map_lines(self) -> list[int]:
        return [number for number in self.filled if number not in self.left_out]

    def is_listed(self, number: int) -> bool:
        """Whether a line is one of a list, a heading, a branch or a row: whatever it says, no sentence of talk."""
        text = self.lines[number].strip().strip(_BIDI)
        if number in self.left_out or not text:
            return False
        if _ITALIC.match(text) and not BULLET.match(text):
            return False
        if BOLD.match(text) or _RUN_IN.match(text):
            plain = without_marks(text)
            return not (NOTE.match(plain) or is_said(plain))
        if BULLET.match(text) or _LIST.match(text):
            return True
        symbols = symbols_at(text)
        return bool(symbols) and not is_said(text[len(symbols) :])

    def _is_item(self, number: int) -> bool:
        return self.is_listed(number) and not self.lines[number].lstrip().startswith("#")

    def leave_out_rules(self) -> None:
        """Leave out lines of nothing but dashes, unless one makes a heading of the line above it."""
        for number in self.filled:
            if not RULE.match(self.lines[number]):
                continue
            above = self.lines[number - 1].strip() if number else ""
            underlines = above and not BULLET.match(above) and not _LIST.match(above) and not is_said(above)
            if not underlines or number - 1 in self.left_out:
                self.left_out.add(number)

    def before(self, first: int) -> None:
        """The lines before the list: a title stays, what names the topic is kept in mind, all else is talk."""
        lines = [number for number in self.map_lines if number < first]
        for number in lines:
            text = without_marks(self.lines[number])
            topic = topic_of(text)
            self.topic = topic or self.topic
            title = number == lines[-1] or not self.lines[number + 1].strip()
            following = next((each for each in self.filled if each > number), number)
            leads = _column(self.lines[following]) > _column(self.lines[number]) and not is_said(text)
            told = topic or is_said(text) or (_is_sentence(text) and not leads) or COPIED.match(text)
            if told and (topic or not title or not _may_be_title(self.lines[number].strip())):
                self.left_out.add(number)

    def behind(self, last: int) -> None:
        """The lines behind the list, from an offer on also a list of what is offered."""
        for number in self.map_lines:
            offers = is_said(without_marks(self.lines[number])) and not self.lines[number][:1].isspace()
            if offers and self._ends_with(number) and not self.is_listed(number):
                self.left_out.update(each for each in self.map_lines if each >= number)
                last = max((each for each in self.map_lines if self.is_listed(each)), default=last)
                break
        apart = False
        for number in range(last + 1, len(self.lines)):
            line = self.lines[number]
            text = without_marks(line)
            apart = apart or not text
            if not text or number in self.left_out or (line[:1].isspace() and not apart):
                continue
            heading = self.lines[last].lstrip().startswith("#")
            told = is_said(text) or NOTE.match(text) or _FOOTNOTE.match(line) or _ITALIC.match(line.strip())
            if told or (apart and not heading and (_is_sentence(text) or len(text.split()) > MOST_WORDS)):
                self.left_out.add(number)
                apart = True
        self._leave_out_sources()

    def _ends_with(self, offer: int) -> bool:
        """Whether no more than a list of what is offered follows an offer."""
        rest = [number for number in self.map_lines if number > offer]
        return (
            bool(rest)
            and len(rest) <= 8
            and sum(number < offer and self._is_item(number) for number in self.map_lines) > 1
            and (
                _COLON.search(self.lines[offer].strip()) is not None
                or _QUESTION.search(self.lines[offer]) is not None
            )
            and not any(self.lines[number].lstrip().startswith("#") for number in rest)
        )

    def _leave_out_sources(self) -> None:
        """Leave out a list of sources at the end: the line that says so, and lines with addresses."""
        rest = self.map_lines
        end = len(rest)
        while end and re.search(r"https?://|www\.|\[\^?\d{1,3}\]|【\d", self.lines[rest[end - 1]]):
            end -= 1
        head = without_marks(self.lines[rest[end - 1]]) if end else ""
        if (
            end < len(rest)
            and NOTE.match(f"{head.rstrip(':：')}:")
            and not self.lines[rest[end - 1]].startswith("#")
        ):
            self.left_out.update(rest[end - 1 :])

    def around_indented(self) -> None:
        """Talk before and behind a text that nothing but its indentation makes a map."""
        lines = self.map_lines
        for place, number in enumerate(lines):
            text = without_marks(self.lines[number])
            below = lines[place + 1] if place + 1 < len(lines) else None
            deeper = below is not None and _column(self.lines[below]) > _column(self.lines[number])
            topic = topic_of(text)
            told = topic or is_said(text) or COPIED.match(text)
            if _column(self.lines[number]) or not (told or (_is_sentence(text) and not deeper)):
                break
            if deeper and not (told and _COLON.search(text)):
                break
            self.topic = topic or self.topic
            self.left_out.add(number)
        for number in reversed(self.map_lines):
            text = without_marks(self.lines[number])
            apart = not self.lines[number - 1].strip() if number else False
            if _column(self.lines[number]) or not (
                is_said(text) or NOTE.match(text) or (apart and _is_sentence(text))
            ):
                break
            self.left_out.add(number)


def _column(line: str) -> int:
    return width(line[: len(line) - len(line.lstrip())])


def _plain_blank(line: str) -> str:
    """A line indented by plain spaces and tabs, where it is by such as don't break or are as wide as a sign."""
    blank = line[: len(line) - len(line.lstrip())]
    return line if blank.isascii() else blank.replace("\u3000", "  ").replace("\u00a0", " ") + line.lstrip()


def _unquoted(lines: list[str]) -> list[str]:
    """The lines of a quotation, if all of the map stands in one."""
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
    """Whether a line is said to the reader: it begins as models do, and ends as a sentence or is as long."""
    plain = without_marks(text)[:_LOOKED_AT]
    plain = plain[len(symbols_at(plain)) :]
    if not OPENING.match(plain):
        return False
    return _STOP.search(plain) is not None or len(plain.split()) > 3


def _is_sentence(text: str) -> bool:
    return _STOP.search(text) is not None and (
        len(text.split()) > 3 or len(text) > 20 or _COLON.search(text) is not None
    )


def _may_be_title(line: str) -> bool:
    """Whether a line before a list may be the text above it: short, no sentence, and not said to the reader."""
    text = without_marks(line)
    if is_said(text) or (_STOP.search(text) and not _COLON.search(text)):
        return False
    return len(text.split()) <= MOST_WORDS and len(text) <= 80


def topic_of(line: str) -> str:
    """What a line says that the map is of; empty if it is no such line.

    >>> topic_of("Here is a mind map of the water cycle:"), topic_of("A mind map of your text:")
    ('The water cycle', '')
    """
    text = without_marks(line)[:_LOOKED_AT]
    found = (
        next(filter(None, (pattern.search(text) for pattern in TOPICS)), None) if MAP.search(text) else None
    )
    return _cleaned_topic(found["topic"]) if found else ""


def means_more(label: str) -> bool:
    """Whether a text would lose something in a list: it begins as one for a place does, or ends with a colon."""
    patterns = (POSITION.match, PLACES.match, PLACE_BEHIND.search, MAP.search)
    return label.endswith((":", "：")) or any(found(label) for found in patterns)


def topic_of_title(label: str) -> str:
    """A title without its saying that this is a mind map.

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
