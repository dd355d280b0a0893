"""The weights of NDD: words close to an edit count more (sections 2 and 4.3 of the paper).

For one edited span i .. j the paper has a_k = mu^min(|k-i|, |k-j|). With several spans the closest one counts,
and for an insertion, which edits no word of the first sentence, the words on both sides of it are at distance 1,
as beside any other span. The balanced weight is a'_k = a_k + a_(n'-k) mu^n', with n' the number of unedited
words, as printed (a_x is its formula for any whole number x). b_k = nu^k lets later words count less, so that
they are deleted first.

Unedited words and edited spans come from a word alignment of the two sentences. The number of unedited words is
maximal: the alignment is a longest common subsequence of the words as written.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tted_core.errors import LimitError


@dataclass(frozen=True)
class Span:
    """An edited span: words ``before[0]`` .. ``before[1] - 1`` became ``after[0]`` .. ``after[1] - 1``."""

    before: tuple[int, int]
    after: tuple[int, int]

    @property
    def printed(self) -> tuple[int, int]:
        """(i, j) counted as in the paper: from 1, both ends included. An insertion before word i has j = i - 1."""
        return self.before[0] + 1, self.before[1]


@dataclass(frozen=True)
class Alignment:
    """The positions of unedited words in both sentences, in order, and the edited spans between them."""

    kept: tuple[tuple[int, int], ...]
    spans: tuple[Span, ...]


def align(before: Sequence[str], after: Sequence[str]) -> Alignment:
    """Align two lists of words.

    >>> align("I was walking".split(), "I am".split())
    Alignment(kept=((0, 0),), spans=(Span(before=(1, 3), after=(1, 2)),))
    """
    from rapidfuzz.distance import LCSseq

    numbers: dict[str, int] = {}
    coded = [[numbers.setdefault(word, len(numbers)) for word in words] for words in (before, after)]
    kept: list[tuple[int, int]] = []
    spans: list[Span] = []
    for block in LCSseq.opcodes(*coded):
        here, there = (block.src_start, block.src_end), (block.dest_start, block.dest_end)
        if block.tag == "equal":
            kept += zip(range(*here), range(*there), strict=True)
        elif spans and spans[-1].before[1] == here[0] and spans[-1].after[1] == there[0]:
            spans[-1] = Span((spans[-1].before[0], here[1]), (spans[-1].after[0], there[1]))
        else:
            spans.append(Span(here, there))
    return Alignment(tuple(kept), tuple(spans))


@dataclass(frozen=True)
class Weights:
    """Parameters of the weights.

    Args:
        mu: rate at which the weight falls with the distance from the edit, above 0 and at most 1.
        nu: rate at which it falls towards the sentence's end, likewise; 1 omits b_k.
        balanced: use a'_k instead of a_k.
    """

    mu: float = 0.9
    nu: float = 1.0
    balanced: bool = False

    def __post_init__(self) -> None:
        for name, value in (("mu", self.mu), ("nu", self.nu)):
            if not 0 < value <= 1:
                raise LimitError(f"the weight {name} is {value}, but it must be above 0 and at most 1")

    def of(self, alignment: Alignment) -> list[float]:
        """The weight of each unedited word; empty if nothing was edited."""
        if not alignment.spans:
            return [0.0] * len(alignment.kept)
        spans = [span.printed for span in alignment.spans]
        unedited = len(alignment.kept)
        weights = []
        for position, _ in alignment.kept:
            k = position + 1  # the paper counts from 1
            weight = self.mu ** distance(k, spans)
            if self.balanced:
                weight += self.mu ** distance(unedited - k, spans) * self.mu**unedited
            weights.append(weight * self.nu**k)
        return weights


COMPRESSION = Weights(mu=0.9, nu=0.9, balanced=True)
"""The paper's weights for compression (section 4.4)."""


def distance(k: int, spans: Sequence[tuple[int, int]]) -> int:
    """min(|k-i|, |k-j|) for the closest of the spans i .. j; beside an insertion (j = i - 1) it is 1.

    >>> [distance(k, [(3, 4)]) for k in (1, 2, 5, 6)]
    [2, 1, 1, 2]
    >>> [distance(k, [(3, 2)]) for k in (1, 2, 3, 4)]
    [2, 1, 1, 2]
    """
    return min((min(abs(k - i), abs(k - j)) if i <= j else (i - k if k < i else k - j)) for i, j in spans)
