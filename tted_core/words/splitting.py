"""Splitting texts into sentences and words, and comparing words of two sentences.

The comparison is for readers of a replaced node; no score depends on it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import NamedTuple, TypeAlias

import regex

Span: TypeAlias = tuple[int, int]  # start and end in a text

# Scripts without spaces between words, for a set in a regular expression: each sign is a word.
NO_SPACES = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}"

# Such a sign; letters, marks and digits, joined by single apostrophes or hyphens; any other sign (also an emoji of
# several characters) by itself, like punctuation in BERT's own splitter.
_SIGN = rf"[{NO_SPACES}]\p{{M}}*"
_RUN = rf"(?:[\p{{L}}\p{{M}}\p{{N}}_--[{NO_SPACES}]])+"
_WORD = regex.compile(rf"{_SIGN}|{_RUN}(?:['’-]{_RUN})*|(?!\s)\X", regex.V1)
_SPOKEN = regex.compile(r"[\p{L}\p{N}]")

_ENDS = "!?。！？…‽।॥؟۔።።៕។"
_WIDE_ENDS = frozenset("。！？")
_CLOSERS = "\"'”’»›)\\]」』】"
# Each alternative matches wherever it begins, so that the time is linear in the length of the text.
_BREAK = regex.compile(rf"(?P<stop>[.{_ENDS}]++)[{_CLOSERS}]*+(?P<gap>\s*+)|(?P<gap>\s++)")
_CONTINUES = regex.compile(r"\p{Ll}|$")
_SHORTENED = regex.compile(
    r"(?:^|[\s(\"'“‘])(?:(?:\p{L}\.)+|(?:Mr|Mrs|Ms|Dr|Prof|Sen|Rep|Gov|Gen|Col|Lt|Sgt|Capt|Rev|Hon|St|Jr|Sr|No|vs|"
    r"Inc|Ltd|Co|Corp|Fig|Eq|al|cf|e\.g|i\.e|approx|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|Nr|bzw|z\.B|ул|г|т\.е)\.)$|"
    r"^(?:\p{L}+\s)?\p{Nd}+\.$"  # "Chapter 3. Results" is one sentence
)


_VARIANTS = str.maketrans("ёЁ’İΣς", "еЕ'iσσ")


def fold(text: str) -> str:
    """The form in which words are compared, as long: lower case, one form of ё, İ, apostrophes and final sigmas.

    >>> fold("Ёлка isn’t ΦΩΣ")
    "елка isn't φωσ"
    """
    return text.translate(_VARIANTS).lower()


class Word(NamedTuple):
    """A word or punctuation mark: ``text[start:end]`` of its sentence."""

    text: str
    start: int
    end: int

    @property
    def is_spoken(self) -> bool:
        """True if it has a letter or digit, unlike punctuation."""
        return _SPOKEN.search(self.text) is not None


def split_words(text: str) -> tuple[Word, ...]:
    """All words and punctuation marks of a text, in order.

    >>> [word.text for word in split_words("It isn't a long-term plan.")]
    ['It', "isn't", 'a', 'long-term', 'plan', '.']
    """
    return tuple(Word(match[0], *match.span()) for match in _WORD.finditer(text))


def split_sentences(text: str) -> tuple[Span, ...]:
    """Start and end of each sentence of a text, in order; a text without any has none.

    A sentence ends at a line break, or at a sign that ends sentences in its script, unless a lower-case letter
    or an abbreviation shows that it continues.

    >>> text = "Sen. Smith said no. Why? 他走了。我没走。"
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['Sen. Smith said no.', 'Why?', '他走了。', '我没走。']
    """
    found = []
    start = 0
    for match in _BREAK.finditer(text):
        stop, following = match.span("gap")
        is_end = stop == start or "\n" in match["gap"] or (match["stop"] or "")[-1:] in _WIDE_ENDS
        may_be_end = match["stop"] and stop < following and not _CONTINUES.match(text, following)
        if is_end or (may_be_end and not _SHORTENED.search(text[max(start, stop - 16) : stop])):
            found.append((start, stop))
            start = following
    found.append((start, len(text.rstrip())))
    return tuple((start, stop) for start, stop in found if start < stop)


@dataclass(frozen=True)
class TokenizedText:
    """A text and its words."""

    text: str
    words: tuple[Word, ...]

    @classmethod
    def of(cls, text: str) -> "TokenizedText":
        """Split a text."""
        return cls(text, split_words(text))

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """The words in lower case, without punctuation.

        >>> TokenizedText.of("Reefs, a HOME!").spoken
        ('reefs', 'a', 'home')
        """
        return tuple(word.text.lower() for word in self.words if word.is_spoken)

    def without(self, removed: Iterable[int]) -> "TokenizedText":
        """The sentence without these words (by position); other words keep the space before them.

        >>> TokenizedText.of("The limit on rural roads, sadly, is low.").without([2, 3, 4]).text
        'The limit, sadly, is low.'
        """
        gone = set(removed)
        text = ""
        words = []
        end = 0
        for position, word in enumerate(self.words):
            space, end = self.text[end : word.start] if text else "", word.end
            if position not in gone:
                if text and not space and len(split_words(text[-1] + word.text[0])) == 1:
                    space = " "  # a removed word separated them
                text += space + word.text
                words.append(Word(word.text, len(text) - len(word.text), len(text)))
        return TokenizedText(text, tuple(words))


# Below this share of common words, single common words ("the", "of") are accidental: the whole text is new.
KEPT_SHARE = 0.5


# Maximum product of the numbers of words of two texts that are compared word by word: 10,000 words each.
MOST_WORD_PAIRS = 100_000_000


@lru_cache(4096)  # a page draws the same pairs again at each click
def find_changes(left: str, right: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Start and end of each run of words that the other text lacks, in both texts.

    The other ones are a longest common subsequence of words and punctuation. If they are less than ``KEPT_SHARE``
    of the words of both, or there are more than ``MOST_WORD_PAIRS``, each text is one change.

    >>> find_changes("Algae feed the polyps", "Algae nourish the polyps")
    (((6, 10),), ((6, 13),))
    """
    from rapidfuzz.distance import LCSseq

    words = split_words(left), split_words(right)
    changed = {*range(len(words[0]))}, {*range(len(words[1]))}
    if len(words[0]) * len(words[1]) <= MOST_WORD_PAIRS:
        edits = LCSseq.editops(*([word.text for word in side] for side in words))
        fewer = (
            {edit.src_pos for edit in edits if edit.tag == "delete"},
            {edit.dest_pos for edit in edits if edit.tag == "insert"},
        )
        stays = [
            (word.is_spoken, at not in gone)
            for side, gone in zip(words, fewer, strict=True)
            for at, word in enumerate(side)
        ]
        # signs count only if there are no words
        counted = [stay for is_spoken, stay in stays if is_spoken] or [stay for _, stay in stays]
        if sum(counted) >= KEPT_SHARE * len(counted):
            changed = fewer
    return _spans(words[0], changed[0]), _spans(words[1], changed[1])


def _spans(words: tuple[Word, ...], chosen: set[int]) -> tuple[Span, ...]:
    """Start and end of each run of some words."""
    runs = [[*run] for is_in, run in groupby(range(len(words)), chosen.__contains__) if is_in]
    return tuple((words[run[0]].start, words[run[-1]].end) for run in runs)
