"""Which words an edit left alone, and which spans it changed: found by word alignment of the two sentences.

As many words as can be stay unedited: the alignment is a longest common subsequence of the words as written.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """An edited span: words ``before[0]`` .. ``before[1] - 1`` became ``after[0]`` .. ``after[1] - 1``."""

    before: tuple[int, int]
    after: tuple[int, int]

    @property
    def printed(self) -> tuple[int, int]:
        """(i, j) as the paper counts: from 1, both ends included. An insertion before word i has j = i - 1."""
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
