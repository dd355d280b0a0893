"""The content words of a text: what it is about, and whether another text is about it, too."""

from functools import lru_cache
from itertools import pairwise

import regex

from tted_core.words.languages import ANY_FUNCTION_WORD
from tted_core.words.lexicon import BEGINNING
from tted_core.words.splitting import NO_SPACES, fold

_JOINING = "与和及或的のとや"  # signs of scripts without spaces that join words, and are parts of none

SHORTEST_PART = 3  # least letters of each part of a name in a program; "iOS" and "LaTeX" are one word

_LETTER = rf"[\p{{L}}\p{{M}}\p{{N}}--[\p{{Lu}}{NO_SPACES}]]"
_WORD = regex.compile(
    rf"(?P<signs>[{NO_SPACES}--[{_JOINING}]][{NO_SPACES}\p{{M}}--[{_JOINING}]]*+)"
    rf"|(?:(?P<part>\p{{Lu}}++{_LETTER}*+|{_LETTER}++))++",
    regex.V1,
)


@lru_cache(1 << 14)
def content_words(text: str) -> frozenset[str]:
    """The distinct words of a text in lower case, without function words unless it has no others.

    Of scripts without spaces, pairs of signs are words; of names in a program, their parts.
    """
    words = set[str]()
    for match in _WORD.finditer(text):
        word, parts = fold(match[0]), match.captures("part")
        if match["signs"] and len(word) > 1:
            words.update(map("".join, pairwise(word)))
        elif parts and min(map(len, parts)) >= SHORTEST_PART:
            words.update(map(fold, parts))
        else:
            words.add(word)
    return frozenset(words - ANY_FUNCTION_WORD or words)


def all_words(text: str) -> frozenset[str] | str:
    """The content words of a text that has several, in any order; else the text."""
    words = content_words(text)
    return words if len(words) > 1 else text


@lru_cache(1 << 14)
def beginnings(text: str) -> frozenset[str]:
    """The beginnings of a text's content words, which forms of one word have in common; not of single letters."""
    words = content_words(text)
    long = {word for word in words if len(word) > 1 or not "a" <= word <= "z"}
    return frozenset(word.rstrip("s")[:BEGINNING] for word in long or words)
