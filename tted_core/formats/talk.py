"""Talk around a map in a chat model's answer: greetings, explanations, questions, notes, rules.

Talk is recognised by its position first (before the first or after the last line of the map, separate from it),
then by its punctuation, and if both are inconclusive by its beginning. A text without talk is unchanged, so that
a map is read alike with and without talk.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tted_core.errors import MAX_MARKDOWN_CHARACTERS
from tted_core.formats.chat_words import (
    COPIED,
    EXPLANATION,
    LEVEL_LINE,
    LEVEL_WORD,
    MAP,
    MAP_TITLE,
    NOTE,
    SOURCE_TEXT,
    SOURCES,
    TALK_OPENING,
    TOPIC_END,
    TOPIC_PHRASES,
    UNFINISHED,
)
from tted_core.formats.document import Document
from tted_core.formats.labels import symbols_at, without_marks, without_symbols
from tted_core.formats.lines import RULE, ListLine, lines_of
from tted_core.formats.markdown import FRONT_MATTER

MOST_TITLE_WORDS = 9  # maximum words of a title line; a longer line separate from the list is a sentence

MOST_OFFERED = 8  # maximum lines at the end of an answer that list the model's offers

LEAST_WRAPPED = 20  # characters of a line that may be wrapped

_LOOKED_AT = 400  # characters of a line that are examined
# The beginning of a quotation, a tag, a drawing or an arrow.
_BLOCK = re.compile(r">+\s|<[a-z]+>|[├└╰┣┗╠╚┠┖│]|=+>?\s")

_BOLD_BEGINNING = re.compile(r"(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)")
_STOP = re.compile(r"[.!?…。！？؟।:：]['\"”’»)）*_]*\s*(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$")
_INVITES = re.compile(r"[:：?？؟]['\"”’»)）*_]*\s*(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]\s*)*$")
_STOP_INSIDE = re.compile(r"[^\W\d_]{2}[.!?] [^\W\d_]|[。！？]\w")
VERSE_ENDS = tuple(",;.!?…—，；。！？、")
_ITALIC = re.compile(r"(?:\*(?![*\s])[^*]+\*|_(?![_\s])[^_]+_)$")
_IN_BRACKETS = re.compile(r"[(（].*[)）]$")
_COLON = re.compile(r"[:：][*_]*\s*$")
_SPACES = str.maketrans({"\u00a0": " ", "\u3000": "  ", "\u200e": "", "\u200f": "", "\ufeff": ""})


_CITES = re.compile(r"\[\^?\d{1,3}\^?\][.。]?$|【\d")
_SOURCE = re.compile(r"https?://|www\.|doi[:.]|[(](?:19|20)\d\d[a-z]?[)]|\[\^?\d{1,3}\^?\]|【\d")
_FOOTNOTE = re.compile(r"\[\^?\d{1,3}\](?:: | .*(?:https?://|www\.))")


def without_talk(document: Document) -> tuple[Document, tuple[str, ...], str]:
    """The map alone, the lines of talk around it, and the topic that they name.

    Talk is blanked, so that lines keep their numbers; a document without talk is unchanged.

    Raises:
        LimitError: too many lines.
    """
    if len(document.text) > MAX_MARKDOWN_CHARACTERS or FRONT_MATTER.match(document.text):
        return document, (), ""
    plain = replace(document, text=document.text.translate(_SPACES))
    lines = plain.list_lines
    listed = {line.number for line in lines if _is_listed(line)}
    for above, line in pairwise([*lines[:1], *lines]):
        line.is_out = RULE.match(line.source) is not None and not (
            above.mark == "plain" and above.number == line.number - 1  # which it underlines
        )
    filled = [line for line in lines if not line.is_out]
    inside = [line for line in filled if line.number in listed] or [line for line in filled if line.column]
    topic = ""
    if inside and len(filled) > 1:
        topic = _leave_out_before(filled, inside[0].number)
        _leave_out_behind(lines, inside[-1], listed)
    out = {line.number for line in lines if line.is_out}
    text = "\n".join("" if number in out else line for number, line in plain.lines)
    talk = tuple(
        " ".join(line.source.split()) for line in lines if line.is_out and not RULE.match(line.source)
    )
    return replace(document, text=text) if text != document.text else document, talk, topic


def _is_sentence(line: ListLine) -> bool:
    """Return True if a line ends like a sentence and is long enough for one, or ends with a colon."""
    is_long = len(line.words.split()) > 3 or len(line.words) > 20
    return _STOP.search(line.words) is not None and (is_long or _COLON.search(line.words) is not None)


def is_prose(document: Document) -> bool:
    """Return True for a letter, an article, a poem or the like.

    No line is marked, or indented but at the beginning of a paragraph, and a quarter of the lines are long, or end
    as parts of sentences, or go on with them; lines in small letters alone are a list.
    """
    lines = document.list_lines
    ends = sum(
        line.words.endswith(VERSE_ENDS) or len(line.words.split()) > MOST_TITLE_WORDS for line in lines
    )
    rests = sum(line.goes_on and len(above.words) >= LEAST_WRAPPED for above, line in pairwise(lines))
    are_flat = all(
        line.mark == "plain" and not (line.column and below.column)
        for line, below in pairwise([*lines, *lines[:1]])
    )
    is_long = len(lines) > 1 or _STOP_INSIDE.search(document.text) is not None
    verses = sum(line.words.endswith(",") and len(line.words.split()) > 3 for line in lines)
    # Verse may have indented lines.
    return 2 * verses >= len(lines) > 3 or (
        are_flat and is_long and ends > 0 and 4 * (ends + rests) >= len(lines)
    )


def _is_listed(line: ListLine) -> bool:
    """Return True for a line of a list, a heading, a branch or a row, which is never talk."""
    if (line.mark.startswith("emoji") and not line.column) or _BOLD_BEGINNING.match(line.body):
        words = _without_symbols(line.words)
        return not (is_said(words) or _is_note(words) or words.endswith(("?", "？")))
    return line.mark != "plain" or _BLOCK.match(line.body) is not None


def _without_symbols(words: str) -> str:
    return words[len(symbols_at(words)) :]


def _leave_out_before(filled: Sequence[ListLine], first: int) -> str:
    """Leave out talk before the map, except a title; returns the topic if it is named."""
    found = ""
    before = [line for line in filled if line.number < first]
    for line, below in reversed(list(zip(before, filled[1:], strict=False))):
        topic = topic_of(line.words)
        found = found or topic
        is_talk = is_said(line.words) or COPIED.match(line.words)
        leads = below.column > line.column and not (is_talk and _COLON.search(line.words))
        is_said_before = is_talk or (_is_sentence(line) and not may_be_title(line.words))
        is_inside = line.column > before[0].column  # part of a map that begins before the first mark
        line.is_out = bool(topic or (is_said_before and not leads)) and not is_inside
    return found


def _leave_out_behind(lines: Sequence[ListLine], last: ListLine, listed: set[int]) -> None:
    """Leave out what follows the map; after an offer, an explanation or "Sources:" also a list."""
    is_answer = any(line.is_out and not RULE.match(line.source) for line in lines)
    kept = [line for line in lines if not line.is_out]
    end = _end_of_map(kept, listed, is_answer=is_answer or any(_CITES.search(line.words) for line in lines))
    for line in kept[end:]:
        line.is_out = True
    last = next((line for line in reversed(kept[:end]) if line.number in listed), last)
    apart = False
    for above, line in pairwise(lines[lines.index(last) :]):
        apart = apart or line.number > above.number + 1
        words = _without_symbols(line.words)
        is_long = _is_sentence(line) or len(line.words.split()) > MOST_TITLE_WORDS or _ITALIC.match(line.body)
        is_talk = is_said(words) or _is_note(words) or (apart and is_long and last.mark != "heading")
        line.is_out = line.is_out or bool(is_talk and not line.column)
        apart = apart or line.is_out


def _is_note(words: str) -> bool:
    """Return True for a note, a footnote, a remark in brackets, or a word that is copied along with a block."""
    return bool(
        NOTE.match(words) or COPIED.match(words) or _IN_BRACKETS.match(words) or _FOOTNOTE.match(words)
    )


def _end_of_map(kept: Sequence[ListLine], listed: set[int], *, is_answer: bool) -> int:
    """The index of the line that offers more, or heads an explanation, remarks or sources: what is below is talk.

    A heading above sources is one in an answer only, since a page of notes may have such a branch.
    """
    sourced = max(  # only sources below
        (at for at, line in enumerate(kept) if line.number in listed and not _SOURCE.search(line.source)),
        default=0,
    )
    last_heading = max((at for at, line in enumerate(kept) if line.mark == "heading"), default=0)
    items = bold = 0
    for index, (line, below) in enumerate(pairwise(kept)):
        is_heading = line.mark == "heading"
        is_head = is_heading or (line.mark.startswith(("bold", "emoji")) and not line.column)
        words = _without_symbols(without_marks(line.text)) if is_head else line.words
        offers = (  # the reader is invited to choose from a list
            items > 1
            and not (line.column or line.number in listed)
            and ((_is_note(line.words) and not bold) or is_said(line.words))
            and _INVITES.search(line.source) is not None
            and len(kept) - index - 1 <= MOST_OFFERED
        )
        names_sources = (
            index >= sourced and _SOURCE.search(below.source) and (SOURCES.match(words) or NOTE.match(words))
        )
        if index and (
            (is_head and EXPLANATION.fullmatch(words) and (not is_heading or MAP.search(words)))
            or (names_sources and (is_answer or not is_heading))
            or offers
            or (
                is_head
                and index >= last_heading
                and is_said(below.words)
                and (MAP.search(below.words) or NOTE.match(f"{words}:"))
            )
        ):
            return index
        items += line.number in listed and not is_heading
        bold += is_head and not is_heading and index > 0
    return len(kept)


def is_said(words: str) -> bool:
    """Return True for the words of a line addressed to the reader, which are a sentence, or as long as one."""
    plain = _without_symbols(words[:_LOOKED_AT]).lstrip("¡")
    return bool(TALK_OPENING.match(plain) and (_STOP.search(plain) or len(plain.split()) > 3))


def may_be_title(words: str) -> bool:
    """Return True if a line before a list may be its title: short, not a sentence, not addressed to the reader."""
    ends = _STOP.search(words) and not _COLON.search(words)
    is_short = len(words.split()) <= MOST_TITLE_WORDS and len(words) <= 80
    return is_short and not (is_said(words) or ends)


def topic_of(line: str) -> str:
    """The topic of a map according to a line; empty if it names none.

    >>> topic_of("Here is a mind map of the water cycle:"), topic_of("A mind map of your text:")
    ('The water cycle', '')
    """
    text = without_marks(line)[:_LOOKED_AT]
    found = next(filter(None, (pattern.search(text) for pattern in TOPIC_PHRASES)), None)
    return _clean_topic(found["topic"]) if found and MAP.search(text) else ""


def title_above(line: str) -> str:
    """The title that a line above a map is: a heading, or bold, or with an emoji; empty if it is none.

    >>> title_above("## Tea"), title_above("🧠 **Tea**"), title_above("Tea")
    ('Tea', 'Tea', '')
    """
    for found in lines_of([(0, line)]):
        if found.mark in {"heading", "bold"} or found.mark.startswith("emoji"):
            return topic_of_title(_without_symbols(without_marks(found.text)).rstrip(" :："))
    return ""


def loses_in_lists(label: str) -> bool:
    """Return True if a list would lose part of a text: a word for its level, or a colon at its end."""
    plain = without_marks(label)
    return bool(
        without_symbols(plain) != plain
        or symbols_at(plain)
        or plain.endswith((":", "："))
        or LEVEL_WORD.match(plain)
        or LEVEL_LINE.match(plain)
        or MAP.search(plain)
    )


def topic_of_title(label: str) -> str:
    """A title without its remark that this is a mind map.

    >>> topic_of_title("Mind Map: Tea"), topic_of_title("茶思维导图"), topic_of_title("Mind maps of tea")
    ('Tea', '茶', 'Mind maps of tea')
    """
    found = MAP_TITLE.match(without_symbols(without_marks(label))) if MAP.search(label) else None
    if found is None or UNFINISHED.match(found["before"] or ""):
        return label
    topic = found["before"] or found["quoted"] or found["behind"] or label
    return _clean_topic(found["of"] or "") or topic.strip()


def _clean_topic(topic: str) -> str:
    end = TOPIC_END.search(topic)
    cut = (topic[: end.start()] if end else topic).strip(" \t:：.-–—\"'“”„«»「」《》‘’")
    return "" if SOURCE_TEXT.match(topic) or len(cut) > 120 else cut[:1].upper() + cut[1:]
