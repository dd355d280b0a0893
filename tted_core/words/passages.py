"""Passages: parts of one map's texts that occur verbatim in texts of the other.

Case, white space and punctuation don't count: only letters, marks and digits are compared.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, islice, pairwise
from typing import NamedTuple, TypeAlias

import regex

from tted_core.words.splitting import split_clauses, split_sentences

Span: TypeAlias = tuple[int, int]  # start and end among the letters of a text

# Minimum characters, with one space between words, of a text that may occur anywhere in another one; shorter ones
# must be whole sentences of it, since a heading of two words isn't a part of each sentence that has them.
SHORTEST = 16

# Maximum texts in which another one is searched for: what so many nodes have doesn't show where it went.
MOST_HOLDERS = 20

_RUN = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_NUMBER = regex.compile(r"(?:\p{L}++\s++)?\p{Nd}++\.")


@dataclass(frozen=True)
class Letters:
    """The letters of a text.

    Attributes:
        text: the text.
        letters: its letters, marks and digits in lower case, without anything between them.
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
        """The spans of the clauses of those sentences that have several."""
        found: list[Span] = []
        for sentence in self.sentences:
            start, end = self.characters(sentence)
            clauses = split_clauses(self.text[start:end])
            if len(clauses) > 1:
                cuts = [bisect_left(self.positions, start + here) for here, _ in clauses]
                found += pairwise((*cuts, sentence[1]))
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

    def is_long(self, span: Span) -> bool:
        """Return True if a span has ``SHORTEST`` characters or more."""
        words = bisect_left(self.words, span[1]) - bisect_left(self.words, span[0])
        return span[1] - span[0] + words > SHORTEST


@lru_cache(1 << 14)
def letters_of(text: str) -> Letters:
    """The letters of a text; cached, as texts are compared repeatedly."""
    spans = [match.span() for match in _RUN.finditer(text)]
    # word by word, since a final sigma has a form of its own; İ is the one sign whose lower case has two
    letters = "".join(text[start:end].replace("İ", "i").lower() for start, end in spans)
    positions = [at for span in spans for at in range(*span)]
    words = accumulate((end - start for start, end in spans[:-1]), initial=0)
    ends = [end for _, end in split_sentences(text)]
    if len(ends) > 1 and _NUMBER.fullmatch(text, 0, ends[0]):
        del ends[0]  # "Chapter 3. Results" is one sentence
    cuts = [0, *(bisect_left(positions, end) for end in ends)]
    sentences = tuple(span for span in pairwise(cuts) if span[0] < span[1])
    return Letters(text, letters, tuple(positions), tuple(words) if spans else (), sentences)


class Passage(NamedTuple):
    """Common text of two nodes: ``here`` in the left node's text is ``there`` in the right node's."""

    source: int
    target: int
    here: Span
    there: Span


def passages(
    left: Sequence[str], right: Sequence[str], lefts: Iterable[int], rights: Iterable[int]
) -> list[Passage]:
    """The passages of some left nodes in all right ones, and of some right nodes in all left ones.

    Args:
        left: n texts.
        right: m texts.
        lefts: the left nodes to search for, by text, or by sentence if no other text has all of it.
        rights: the right nodes to search for, likewise.
    """
    found = dict.fromkeys(_within(left, right, lefts))
    turned = (
        Passage(target, source, there, here) for source, target, here, there in _within(right, left, rights)
    )
    return list(found | dict.fromkeys(turned))


def _within(texts: Sequence[str], others: Sequence[str], nodes: Iterable[int]) -> list[Passage]:
    search = _Search([letters_of(other) for other in others])
    found = []
    for node in nodes:
        text = letters_of(texts[node])
        whole = (0, len(text.letters))
        hits = list(islice(search.find(text, whole), MOST_HOLDERS)) if whole[1] else []
        if hits:
            found += [Passage(node, other, whole, span) for other, span in hits]
        elif len(text.sentences) > 1:
            found += [
                Passage(node, other, sentence, span)
                for sentence in text.sentences
                for other, span in islice(search.find(text, sentence), MOST_HOLDERS)
            ]
    return found


class _Search:
    """Texts to find spans in, joined into one string, so that each span is searched for in all of them at once."""

    def __init__(self, texts: Sequence[Letters]) -> None:
        self.texts = texts
        self.joined = "\n".join(text.letters for text in texts)
        self.starts = list(accumulate((len(text.letters) + 1 for text in texts), initial=0))

    def find(self, text: Letters, span: Span) -> Iterator[tuple[int, Span]]:
        """Yield the number of each text that has a span's letters, and where it has them first."""
        wanted = text.letters[slice(*span)]
        is_long = text.is_long(span)
        at = self.joined.find(wanted)
        while at >= 0:
            number = bisect_right(self.starts, at) - 1
            other, start = self.texts[number], at - self.starts[number]
            found = (start, start + len(wanted)) if is_long else other.sentence_of.get(wanted)
            if found:
                yield number, found
            at = self.joined.find(wanted, self.starts[number + 1])
