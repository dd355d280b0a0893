"""Condensed nodes: one text that says in other words what two or more nodes of the other map say.

None of theirs stands in it word for word. It is the nearest text of each, though, and has words of each: "State
grants cover $18 million, and a bond that voters approved pays for the rest". One of them is often found as its
counterpart first; of labels, which are too short for distances, most words must have been added to that one's.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tted_core.matching.bounds import NearBounds
from tted_core.matching.by_words import content_words
from tted_core.matching.pairs import CLEAR_IN_PLACE, Counterparts, next_best
from tted_core.matching.parts import Part
from tted_core.matching.records import HALF
from tted_core.words.passages import Letters, Span, letters_of

LONGEST_PART = 2.0
"""The largest length of a node, as a multiple of that of the text that condenses it with others."""


def find_condensed(pairs: Counterparts, bounds: NearBounds) -> list[Part]:
    """The free nodes that are condensed in nodes of the other map, as parts; takes them.

    If such a node has a counterpart, that becomes one of its parts.
    """
    return [part for merged in (True, False) for part in _find_in(pairs, bounds, merged=merged)]


def _find_in(pairs: Counterparts, bounds: NearBounds, *, merged: bool) -> Iterator[Part]:
    """Those condensed in right nodes, or in left ones unless ``merged``."""
    texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
    there, back = (pairs.there, pairs.back)[:: 1 if merged else -1]
    costs = pairs.costs if merged else pairs.costs.T
    free = pairs.free[not merged]
    words = {node: content_words(texts.labels[node]) for node in free}
    is_near = dict(zip(free, _find_near(pairs, bounds, free, merged=merged), strict=True))
    added: dict[tuple[int, str], set[int]] = defaultdict(set)  # head of siblings, word -> what one became
    for node, other in there.items():
        for word in content_words(others.labels[other]) - content_words(texts.labels[node]):
            for head in (texts.parents[node], node):
                added[head, word].add(other)
    joined: dict[int, list[int]] = defaultdict(list)
    for node in free:
        heads = texts.parents[node], node
        votes = Counter(
            other for word in words[node] for head in heads for other in added.get((head, word), ())
        )
        enough = [
            (-count, costs[node, other], other)
            for other, count in votes.items()
            if words[node] <= content_words(others.labels[other])
            or is_near[node][other]
            or (count > 1 and count > HALF * len(words[node]))
        ]
        alone = (other for other in np.flatnonzero(is_near[node]).tolist() if pairs.is_free(merged, other))
        if (other := min(enough)[-1] if enough else next(alone, -1)) >= 0:
            joined[other].append(node)
    for other, nodes in joined.items():
        if other in back:
            members = [*nodes, back.pop(other)]
            del there[members[-1]]
        else:
            count = Counter(
                word for node in nodes for word in words[node] & content_words(others.labels[other])
            )
            members = [node for node in nodes if sum(count[word] == 1 for word in words[node]) > 0]
            if len(members) < 2 or len({texts.parents[node] for node in members} - {*members}) > 1:
                continue
        yield from _take_parts(pairs, members, other, merged=merged)


def _find_near(
    pairs: Counterparts, bounds: NearBounds, free: list[int], *, merged: bool
) -> NDArray[np.bool_]:
    """(k, m): true where a text is clearly the nearest of a free node, and not much shorter.

    It mustn't have all letters of its own counterpart, since what it adds to these is another sentence.
    """
    texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
    costs = (pairs.costs if merged else pairs.costs.T)[free]
    near: NDArray[np.bool_] = costs <= CLEAR_IN_PLACE * next_best(costs, pairs.numbers[merged])
    near &= costs <= bounds.in_place
    near &= np.less_equal.outer(
        [len(texts.labels[node]) for node in free], [LONGEST_PART * len(label) for label in others.labels]
    )
    for node, other in (pairs.there if merged else pairs.back).items():
        near[:, other] &= (
            letters_of(texts.labels[node]).letters not in letters_of(others.labels[other]).letters
        )
    return near


def _take_parts(pairs: Counterparts, members: list[int], longer: int, *, merged: bool) -> Iterator[Part]:
    """Take labels and the longer one that they are parts of."""
    pairs.taken[not merged].update(members)
    pairs.taken[merged].add(longer)
    texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
    whole = letters_of(others.labels[longer])
    clauses: dict[int, list[Span]] = defaultdict(list)
    for start, end in whole.clauses:
        words = content_words(whole.text[slice(*whole.characters((start, end)))])
        clauses[max(members, key=lambda node: len(words & content_words(texts.labels[node])))].append(
            (start, end)
        )
    for node in members:
        spans = tuple(clauses[node]) or _spans(letters_of(texts.labels[node]), whole)
        yield Part(*((node, longer) if merged else (longer, node)), merged, spans)


def _spans(shorter: Letters, longer: Letters) -> tuple[Span, ...]:
    """Where a longer text has the letters of a shorter one, or each of its words."""
    at = longer.letters.find(shorter.letters)
    if at >= 0:
        return ((at, at + len(shorter.letters)),)
    words = {shorter.letters[slice(*span)] for span in _runs(shorter)}
    return tuple(span for span in _runs(longer) if longer.letters[slice(*span)] in words)


def _runs(text: Letters) -> Iterator[Span]:
    return zip(text.words, [*text.words[1:], len(text.letters)], strict=True)
