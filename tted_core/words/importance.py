"""Word importance: which words of two texts make their distance (or similarity) what it is.

Leave-one-out, the occlusion of Zeiler and Fergus (2014) applied to words (Li, Monroe and Jurafsky 2016,
"Understanding Neural Networks through Representation Erasure"): each word is left out in turn, and the change of
the score is the word's importance. All shortened texts are scored in one call, so that an encoder gets one batch.
A change is what one word does with all others in place; the changes of several words need not add up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tted_core.foundations.limits import check_limit
from tted_core.words.splitting import split_at_spaces

MAX_IMPORTANCE_WORDS = 600
"""Words of two texts together whose importance is looked at; each is left out once and the rest encoded."""

PairScore: TypeAlias = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Scores many pairs of texts at once: one number per pair, in their order."""


@dataclass(frozen=True)
class WordChange:
    """The word ``text[start:end]``; leaving it out changes the score by ``change`` (below 0: the score falls)."""

    start: int
    end: int
    change: float


@dataclass(frozen=True)
class WordImportance:
    """The whole texts' score, and what each word of either does to it, in the order of the words."""

    score: float
    first: tuple[WordChange, ...]
    second: tuple[WordChange, ...]


def word_importance(first: str, second: str, score_pairs: PairScore) -> WordImportance:
    """What leaving out each word of either text does to the score of the two.

    The only word of a text leaves the empty text behind. Punctuation goes with the word that it is attached to.

    Args:
        first: a text.
        second: the other.
        score_pairs: a distance or a similarity; called once, with at most one pair per word and one more.
    """
    spans = [words(text) for text in (first, second)]
    check_limit(
        sum(map(len, spans)),
        MAX_IMPORTANCE_WORDS,
        "words in the two texts, each to be left out once",
        "look at shorter texts",
    )
    pairs = [
        (first, second),
        *((without(first, *span), second) for span in spans[0]),
        *((first, without(second, *span)) for span in spans[1]),
    ]
    whole, *scores = map(float, score_pairs(pairs))
    changes = [
        WordChange(*span, score - whole) for span, score in zip((*spans[0], *spans[1]), scores, strict=True)
    ]
    return WordImportance(whole, tuple(changes[: len(spans[0])]), tuple(changes[len(spans[0]) :]))


def words(text: str) -> list[tuple[int, int]]:
    """Where the words are, as (start, end); a dash that stands alone is none.

    >>> words("Reefs – a home")
    [(0, 5), (8, 9), (10, 14)]
    """
    return [(word.start, word.end) for word in split_at_spaces(text) if word.is_spoken]


def without(text: str, start: int, end: int) -> str:
    """The text without ``text[start:end]``, and without the white space that would be left twice.

    >>> without("a small reef", 2, 7)
    'a reef'
    """
    before, after = text[:start], text[end:]
    if not before or before[-1].isspace():
        after = after.lstrip()
    return before + after if after else before.rstrip()
