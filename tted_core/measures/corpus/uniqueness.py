"""How many sentences and words are new: Unique(n), its curve with n, and new vocabulary (section 2 of the paper).

Sentences are compared in lower case and without any punctuation, inside a word neither: "isn't" is "isnt".
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Words = tuple[str, ...]
"""A sentence's ``Sentence.bare`` words."""

POINTS = 10
"""Points of the curve: the paper takes n = 10,000, 20,000 ... 100,000."""


@dataclass(frozen=True)
class CurvePoint:
    """Unique(n) and the new words of the first n sentences."""

    n: int
    unique: float
    new_words: int


def unique_flags(generated: Sequence[Words], reference: Sequence[Words]) -> list[bool]:
    """Whether no other sentence, generated or of the reference, has the same words."""
    count = Counter((*generated, *reference))
    return [count[words] == 1 for words in generated]


def new_words(generated: Sequence[Words], reference: Sequence[Words]) -> tuple[str, ...]:
    """The words that the reference doesn't have, in alphabetical order."""
    known = {word for words in reference for word in words}
    return tuple(sorted({word for words in generated for word in words} - known))


def unique_curve(generated: Sequence[Words], reference: Sequence[Words]) -> tuple[CurvePoint, ...]:
    """The curve over the first tenth of the sentences, the first two tenths ... and all, in their order."""
    sizes = sorted({-(-len(generated) * part // POINTS) for part in range(1, POINTS + 1)})
    return tuple(
        CurvePoint(
            n,
            sum(unique_flags(generated[:n], reference)) / n,
            len(new_words(generated[:n], reference)),
        )
        for n in sizes
    )
