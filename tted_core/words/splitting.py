"""Splitting texts into sentences, clauses and words; and their letters, in which passages are searched for."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
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
_LETTERS = regex.compile(r"[\p{L}\p{M}\p{N}]+")
# Minimum number of letters and digits of a clause, so that lists of names and short remarks stay together.
SHORTEST_CLAUSE = 20

_CLAUSE_END = regex.compile(
    r"[,;:，；：、][\"'”’»)]*+\s++|[，；：、]|(?<!\s)\s++(?:[–—-]++\s++|(?=(?:"
    "and|but|while|although|because|when|after|before|"
    r"und|aber|weil|während|obwohl|nachdem|и|а|но|y|pero|porque|aunque)\s))"
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
class Letters:
    """The letters of a text.

    Attributes:
        text: the text.
        letters: its letters, marks and digits, folded, without anything between them.
        positions: the position of each of them in the text.
        words: indices of the letters at which words begin.
        sentences: the spans of its sentences that have letters.
    """

    text: str
    letters: str
    positions: tuple[int, ...]
    words: tuple[int, ...]
    sentences: tuple[Span, ...]

    @cached_property
    def clauses(self) -> tuple[Span, ...]:
        """The spans of the clauses of those sentences that have several, by punctuation and a few conjunctions."""
        found: list[Span] = []
        for start, end in self.sentences:
            cuts = [start]
            for match in _CLAUSE_END.finditer(self.text, *self.characters((start, end))):
                cut = bisect_left(self.positions, match.end())
                if min(cut - cuts[-1], end - cut) >= SHORTEST_CLAUSE:
                    cuts.append(cut)
            if len(cuts) > 1:
                found += pairwise((*cuts, end))
        return tuple(found)

    @cached_property
    def sentence_of(self) -> dict[str, Span]:
        """Letters of each sentence -> the span of the first one that has them."""
        return {self.letters[slice(*span)]: span for span in reversed(self.sentences)}

    def covered(self, spans: Iterable[Span]) -> float:
        """The share of the words that begin within these spans."""
        ends = ((bisect_left(self.words, start), bisect_left(self.words, end)) for start, end in spans)
        return len(set().union(*(range(*each) for each in ends))) / max(len(self.words), 1)

    def characters(self, span: Span) -> Span:
        """Start and end of a span in the text itself."""
        return self.positions[span[0]], self.positions[span[1] - 1] + 1


@lru_cache(1 << 14)
def letters_of(text: str) -> Letters:
    """The letters of a text; cached, as texts are compared repeatedly.

    >>> found = letters_of("State grants cover $18 million, and a bond that voters approved pays for the rest.")
    >>> [found.text[slice(*found.characters(clause))] for clause in found.clauses]
    ['State grants cover $18 million', 'and a bond that voters approved pays for the rest']
    """
    folded = fold(text)
    spans = [match.span() for match in _LETTERS.finditer(folded)]
    letters = "".join(folded[start:end] for start, end in spans)
    positions = [at for span in spans for at in range(*span)]
    words = accumulate((end - start for start, end in spans[:-1]), initial=0)
    cuts = [0, *(bisect_left(positions, end) for _, end in split_sentences(text))]
    sentences = tuple(span for span in pairwise(cuts) if span[0] < span[1])
    return Letters(text, letters, tuple(positions), tuple(words) if spans else (), sentences)
