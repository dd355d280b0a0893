"""The words of a sentence and where they stand in it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import regex

NO_SPACES = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}"
"""The scripts that write no spaces between words, for a set in a regular expression: each sign is a word."""

# Such a sign; letters, marks and digits, joined by single apostrophes or hyphens; any other sign (an emoji of
# several characters too) by itself, as BERT's own splitter takes punctuation.
_SIGN = rf"[{NO_SPACES}]\p{{M}}*"
_RUN = rf"(?:[\p{{L}}\p{{M}}\p{{N}}_--[{NO_SPACES}]])+"
_WORD = regex.compile(rf"{_SIGN}|{_RUN}(?:['’-]{_RUN})*|(?!\s)\X", regex.V1)
_SPACED = regex.compile(rf"{_SIGN}|[^\s{NO_SPACES}]+")
_SPOKEN = regex.compile(r"[\p{L}\p{N}]")
_PUNCTUATION = regex.compile(r"[^\p{L}\p{M}\p{N}\s]")
_LETTERS = regex.compile(_RUN, regex.V1)


class Word(NamedTuple):
    """A word or punctuation mark: ``text[start:end]`` of its sentence."""

    text: str
    start: int
    end: int

    @property
    def is_spoken(self) -> bool:
        """Whether it has a letter or digit; punctuation has none."""
        return _SPOKEN.search(self.text) is not None


def split_words(text: str) -> tuple[Word, ...]:
    """All words and punctuation marks of a text, in order.

    >>> [word.text for word in split_words("It isn't a long-term plan.")]
    ['It', "isn't", 'a', 'long-term', 'plan', '.']
    """
    return tuple(Word(match[0], *match.span()) for match in _WORD.finditer(text))


def split_at_spaces(text: str) -> tuple[Word, ...]:
    """All that white space sets apart, with the punctuation that is attached to it; a dash that stands alone too.

    >>> [word.text for word in split_at_spaces("Reefs, a home.")]
    ['Reefs,', 'a', 'home.']
    """
    return tuple(Word(match[0], *match.span()) for match in _SPACED.finditer(text))


@dataclass(frozen=True)
class Sentence:
    """A text and its words."""

    text: str
    words: tuple[Word, ...]

    @classmethod
    def of(cls, text: str) -> "Sentence":
        """Split a text."""
        return cls(text, split_words(text))

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """The words in lower case, without punctuation.

        >>> Sentence.of("Reefs, a HOME!").spoken
        ('reefs', 'a', 'home')
        """
        return tuple(word.text.lower() for word in self.words if word.is_spoken)

    @cached_property
    def bare(self) -> tuple[str, ...]:
        """The words in lower case, after all punctuation was dropped: what it stood between is one word.

        >>> Sentence.of("The U.S. isn't paid $77,000!").bare
        ('the', 'us', 'isnt', 'paid', '77000')
        """
        left = _PUNCTUATION.sub("", self.text.lower())
        return tuple(word.text for word in split_words(left) if word.is_spoken)

    def without(self, removed: Iterable[int]) -> "Sentence":
        """The sentence without these words (by position); each other keeps the space before it.

        >>> Sentence.of("The limit on rural roads, sadly, is low.").without([2, 3, 4]).text
        'The limit, sadly, is low.'
        """
        gone = set(removed)
        text = ""
        words = []
        end = 0
        for position, word in enumerate(self.words):
            space, end = self.text[end : word.start], word.end
            if position in gone:
                continue
            if not text:
                space = ""
            elif not space and _LETTERS.match(text[-1]) and _LETTERS.match(word.text):
                space = " "  # what stood between them kept them apart
            words.append(Word(word.text, len(text + space), len(text + space + word.text)))
            text += space + word.text
        return Sentence(text, tuple(words))
