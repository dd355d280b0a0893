"""Word importance: the contribution of each word of two texts to their distance (or similarity).

Leave-one-out, the occlusion of Zeiler and Fergus (2014) applied to words (Li, Monroe and Jurafsky 2016,
"Understanding Neural Networks through Representation Erasure"): each word is left out in turn, and the change of
the score is the word's importance. All shortened texts are scored in one call, so that an encoder gets one batch.
A change is the effect of one word given all others; the changes of several words need not add up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tted_core.foundations.limits import check_limit
from tted_core.words.splitting import split_at_spaces

MAX_IMPORTANCE_WORDS = 600
"""Maximum words of two texts together; each is left out once and the rest encoded."""

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
    """The score of the whole texts, and the change by each word, in the order of the words."""

    score: float
    first: tuple[WordChange, ...]
    second: tuple[WordChange, ...]


def word_importance(first: str, second: str, score_pairs: PairScore) -> WordImportance:
    """The change of the score of two texts when each word is left out.

    Leaving out the only word of a text gives the empty text. Punctuation belongs to the word it is attached to.

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
    """Spans (start, end) of the words; a separate dash is not a word.

    >>> words("Reefs – a home")
    [(0, 5), (8, 9), (10, 14)]
    """
    return [(word.start, word.end) for word in split_at_spaces(text) if word.is_spoken]


def without(text: str, start: int, end: int) -> str:
    """The text without ``text[start:end]`` and without doubled white space.

    >>> without("a small reef", 2, 7)
    'a reef'
    """
    before, after = text[:start], text[end:]
    if not before or before[-1].isspace():
        after = after.lstrip()
    return before + after if after else before.rstrip()
