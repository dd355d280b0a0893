"""Labels in the same position whose words are in another label: extended, misspelled, or several joined to one.

Labels are too short for passages and for distances: "Budget" is far from "Budget: 40 euros per person and day". In
the same position, that one label has all content words of another is enough, or that few letters differ. If one
label has the words of several siblings, and few others, these were joined: "expo" and "bare" to "expo or bare". So
was a label that would be missing, if most of its words were added to a sibling or to the label above.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import regex

from tted_core.matching.pairs import Pairs
from tted_core.matching.parts import Overlaps, Part
from tted_core.matching.records import HALF
from tted_core.tree import TextTree
from tted_core.words.languages import ANY_FUNCTION_WORD
from tted_core.words.passages import Letters, Span, letters_of
from tted_core.words.splitting import NO_SPACES, split_words

MISSPELLED = 0.2
"""The letters that differ in a label with another spelling are less than this share of it."""

_NO_SPACE = regex.compile(f"[{NO_SPACES}]")

_Ends = tuple[int, int]


class _Contained(NamedTuple):
    """A shorter label with all its content words in a longer one of the other side; ``share`` of that one's words.

    ``merged`` is true if the longer one is the right node.
    """

    share: float
    shorter: int
    longer: int
    merged: bool

    @property
    def ends(self) -> _Ends:
        """The left and the right node."""
        return (self.shorter, self.longer) if self.merged else (self.longer, self.shorter)


def match_by_words(pairs: Pairs, overlaps: Overlaps) -> list[Part]:
    """Join siblings and pair extended labels, then those below them; the joined ones as parts, and taken."""
    joined = join_siblings(pairs)
    while _pair_extended(pairs, overlaps):
        joined += join_siblings(pairs)
    return joined


def join_siblings(pairs: Pairs) -> list[Part]:
    """The free siblings that are joined to one label, or parted from one, as parts; takes all of them."""
    held: dict[tuple[bool, int], list[int]] = defaultdict(list)
    for each in _find_contained(pairs):
        held[each.merged, each.longer].append(each.shorter)
    found = []
    for (merged, longer), labels in held.items():
        texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
        whole = content_words(others.labels[longer])
        rest, members = set(whole), []
        side = int(not merged)
        for node in sorted(labels, key=lambda node: (-len(content_words(texts.labels[node])), node)):
            words = content_words(texts.labels[node])
            if words & rest and pairs.is_free(side, node):
                members.append(node)
                rest -= words
        own, text = (
            [letters_of(texts.labels[node]) for node in members],
            letters_of(others.labels[longer]).letters,
        )
        has_passages = all(each.is_long((0, len(each.letters))) and each.letters in text for each in own)
        if (
            len(members) > 1
            and len(rest) <= HALF * len(whole)
            and not has_passages
            and pairs.is_free(1 - side, longer)
        ):
            found += _take_parts(pairs, members, longer, merged=merged)
    return found


def join_to_reworded(pairs: Pairs) -> list[Part]:
    """The free labels most of whose words were added to a sibling's text or to that of the label above.

    They and the label with the other text become parts of that.
    """
    found = []
    for merged, texts, others in ((True, pairs.left, pairs.right), (False, pairs.right, pairs.left)):
        there, back = (pairs.there, pairs.back)[:: 1 if merged else -1]
        added: dict[tuple[int, str], set[int]] = defaultdict(set)
        for node, longer in there.items():
            for word in content_words(others.labels[longer]) - content_words(texts.labels[node]):
                added[texts.parents[node], word].add(node)
                added[node, word].add(node)
        held: dict[int, list[int]] = defaultdict(list)
        for node in pairs.free[not merged]:
            words = content_words(texts.labels[node])
            votes = Counter(each for word in words for each in added.get((texts.parents[node], word), ()))
            near = [
                (-count, pairs.costs[(node, there[each])[:: 1 if merged else -1]], each)
                for each, count in votes.items()
                if count > HALF * len(words) and count >= min(2, len(words))
            ]
            if near:
                held[min(near)[-1]].append(node)
        for node, members in held.items():
            longer = there.pop(node)
            del back[longer]
            found += _take_parts(pairs, [node, *members], longer, merged=merged)
    return found


def _take_parts(pairs: Pairs, members: list[int], longer: int, *, merged: bool) -> Iterator[Part]:
    """Take labels and the longer one that they are parts of."""
    pairs.taken[not merged].update(members)
    pairs.taken[merged].add(longer)
    texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
    for node in members:
        spans = _spans(letters_of(texts.labels[node]), letters_of(others.labels[longer]))
        yield Part(*((node, longer) if merged else (longer, node)), merged, spans)


def _pair_extended(pairs: Pairs, overlaps: Overlaps) -> bool:
    """Pair free labels of which one has all words of the other, and no other node is a part; the nearest first."""
    ranked = [(-each.share, pairs.costs[each.ends], each.ends) for each in _find_contained(pairs)]
    ranked += [(share, pairs.costs[ends], ends) for share, ends in _find_misspelled(pairs)]
    found = False
    for _, _, ends in sorted(ranked):
        if overlaps.is_alone(*ends) and pairs.pair(*ends):
            pairs.extended.add(ends)
            found = True
    return found


def _find_misspelled(pairs: Pairs) -> Iterator[tuple[float, _Ends]]:
    """Free labels in the same position few letters of which differ, with the share of these."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cdist

    for here, there in pairs.positions():
        texts = [
            [letters_of(tree.labels[node]).letters for node in nodes]
            for tree, nodes in ((pairs.left, here), (pairs.right, there))
        ]
        shares = cdist(*texts, scorer=OSA.normalized_distance, score_cutoff=MISSPELLED)
        yield from (
            (float(shares[row, column]), (here[row], there[column]))
            for row, column in np.argwhere(shares < MISSPELLED).tolist()
        )


def _find_contained(pairs: Pairs) -> Iterator[_Contained]:
    """The free labels with all their content words in another one in the same position."""
    for here, there in pairs.positions():
        yield from _find_contained_in(pairs.left, here, pairs.right, there, merged=True)
        yield from _find_contained_in(pairs.right, there, pairs.left, here, merged=False)


def _find_contained_in(
    tree: TextTree, nodes: list[int], other: TextTree, others: list[int], *, merged: bool
) -> Iterator[_Contained]:
    """Those of some nodes with all their words in one of others, longer ones."""
    having: dict[str, set[int]] = defaultdict(set)
    for node in others:
        for word in content_words(other.labels[node]):
            having[word].add(node)
    for node in nodes:
        words = content_words(tree.labels[node])
        text = letters_of(tree.labels[node]).letters
        longer = set.intersection(*(having[word] for word in words)) if words else set()
        for each in sorted(longer):
            there = letters_of(other.labels[each]).letters
            if len(there) > len(text) and (not _NO_SPACE.search(text) or text in there):
                yield _Contained(len(words) / len(content_words(other.labels[each])), node, each, merged)


@lru_cache(1 << 14)
def content_words(text: str) -> frozenset[str]:
    """The distinct words of a text in lower case, without function words unless it has no others."""
    spoken = {word.text.lower() for word in split_words(text) if word.is_spoken}
    return frozenset(spoken - ANY_FUNCTION_WORD or spoken)


def _spans(shorter: Letters, longer: Letters) -> tuple[Span, ...]:
    """Where a longer text has the letters of a shorter one, or each of its words."""
    at = longer.letters.find(shorter.letters)
    if at >= 0:
        return ((at, at + len(shorter.letters)),)
    words = {shorter.letters[slice(*span)] for span in _runs(shorter)}
    return tuple(span for span in _runs(longer) if longer.letters[slice(*span)] in words)


def _runs(text: Letters) -> Iterator[Span]:
    return zip(text.words, [*text.words[1:], len(text.letters)], strict=True)
