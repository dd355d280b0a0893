"""Condensed nodes: one text that says in other words what two or more nodes of the other map say.

None of theirs stands in it word for word. It is the nearest text of each, though, and has words of each: "State
grants cover $18 million, and a bond that voters approved pays for the rest". One of them is often found as its
counterpart first; of labels, too short for distances, half of the words must have been added to that one's.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tted_core.matching.bounds import CLEAR_IN_PLACE, NearBounds
from tted_core.matching.content import beginnings, content_words
from tted_core.matching.pairs import Counterparts, find_nearest, is_above
from tted_core.matching.parts import Part
from tted_core.matching.records import HALF
from tted_core.tree import TextTree
from tted_core.words.splitting import Letters, Span, letters_of

# The largest length of a node, as a multiple of that of the text that condenses it with others.
LONGEST_PART = 2.0


def find_condensed(pairs: Counterparts, bounds: NearBounds) -> list[Part]:
    """The free nodes that are condensed in nodes of the other map, as parts; takes them.

    If such a node has a counterpart, that becomes one of its parts.
    """
    return [part for merged in (True, False) for part in _find_in(pairs, bounds, merged=merged)]


def _find_in(pairs: Counterparts, bounds: NearBounds, *, merged: bool) -> Iterator[Part]:
    """Those condensed in right nodes, or in left ones unless ``merged``."""
    texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
    there, back = (pairs.there, pairs.back)[:: 1 if merged else -1]
    joined: dict[int, list[int]] = defaultdict(list)
    for node, other in _find_longer(pairs, bounds, merged=merged):
        joined[other].append(node)
    for other, nodes in joined.items():
        members = [node for node in nodes if pairs.is_free(not merged, node)]
        if other in back:
            members = _find_beside(texts, members, back[other], others.labels[other])
        if other in back and members:
            members.append(back.pop(other))
            del there[members[-1]]
        else:
            count = Counter(word for node in members for word in beginnings(texts.labels[node]))
            known = {word for word in beginnings(others.labels[other]) if count[word] == 1}
            members = [node for node in members if known & beginnings(texts.labels[node])]
            if len(members) < 2 or len({texts.parents[node] for node in members} - {*members}) > 1:
                continue
        yield from _take_parts(pairs, members, other, merged=merged)


def _find_longer(pairs: Counterparts, bounds: NearBounds, *, merged: bool) -> Iterator[tuple[int, int]]:
    """Free nodes with the text that may condense each: a counterpart that got words of it, or free ones."""
    texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
    costs = pairs.costs if merged else pairs.costs.T
    there = pairs.there if merged else pairs.back
    free = pairs.free[not merged]
    is_near = dict(zip(free, _find_near(pairs, bounds, free, merged=merged), strict=True))
    added: dict[tuple[int, str], set[int]] = defaultdict(set)  # head of siblings, word -> what one became
    for node, other in there.items():
        for word in beginnings(others.labels[other]) - beginnings(texts.labels[node]):
            for head in (texts.parents[node], node):
                added[head, word].add(other)
    above = find_nearest(texts, there).tolist()
    for node in free:
        text, parent = texts.labels[node], texts.parents[node]
        topic = beginnings(texts.labels[parent]) if parent >= 0 else frozenset()
        words = _without_numbers(beginnings(text) - topic)
        heads = {above[node], parent, node}
        votes = Counter(other for word in words for head in heads for other in added.get((head, word), ()))
        enough = [
            (-count, costs[node, other], other)
            for other, count in votes.items()
            if _is_within(text, others.labels[other])
            or is_near[node][other]
            or (count >= HALF * len(words) and len(words) > 1)
        ]
        alone = {other for other in np.flatnonzero(is_near[node]).tolist() if pairs.is_free(merged, other)}
        yield from ((node, other) for other in ([min(enough)[-1]] if enough else alone))


def _find_beside(tree: TextTree, members: list[int], counterpart: int, longer: str) -> list[int]:
    """Those of several nodes that may be parts of a longer one beside its counterpart, if this has words of it.

    What stands above the counterpart is one with all below it. What stands below has words of the longer one that
    the counterpart lacks, and is one with all below it, too, unless all its words are in the longer one.
    """
    words = beginnings(longer)
    known = words & beginnings(tree.labels[counterpart])
    parts = {counterpart, *members}
    found = []
    for node in members if known else ():
        is_whole = parts.issuperset(range(node, node + tree.sizes[node]))
        if is_above(tree, counterpart, node):
            is_whole = (is_whole or _is_within(tree.labels[node], longer)) and not (
                words & beginnings(tree.labels[node]) <= known
            )
        if is_whole or not (is_above(tree, node, counterpart) or is_above(tree, counterpart, node)):
            found.append(node)
    return found


def _is_within(text: str, longer: str) -> bool:
    """Return True if a longer text has all words of another one, but for numbers; of a single word all letters."""
    words_of = beginnings if len(content_words(text)) > 1 else content_words
    return _without_numbers(words_of(text)) <= words_of(longer)


def _without_numbers(words: frozenset[str]) -> frozenset[str]:
    """These words but for those that begin with a digit, as "10m" does, unless there are no others."""
    return frozenset(word for word in words if not word[:1].isdigit()) or words


def _find_near(
    pairs: Counterparts, bounds: NearBounds, free: list[int], *, merged: bool
) -> NDArray[np.bool_]:
    """(k, m): true where a text is clearly the nearest of a free node, and not much shorter.

    If it has all letters of its own counterpart, the rest is no other sentence, and has room for half of the node.
    """
    texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
    ends = np.ix_(free, range(len(others)))
    costs = (pairs.costs if merged else pairs.costs.T)[ends]
    near: NDArray[np.bool_] = costs <= CLEAR_IN_PLACE * pairs.rivals.sides[not merged].beside(*ends)
    near &= costs <= bounds.in_place
    lengths = np.array([len(texts.labels[node]) for node in free])
    near &= np.less_equal.outer(lengths, [LONGEST_PART * len(label) for label in others.labels])
    for node, other in (pairs.there if merged else pairs.back).items():
        text, longer = letters_of(texts.labels[node]), letters_of(others.labels[other])
        if text.letters in longer.letters:
            rest = len(longer.letters) - len(text.letters)
            near[:, other] &= (len(text.sentences) == len(longer.sentences)) & (HALF * lengths <= rest)
    return near


def _take_parts(pairs: Counterparts, members: list[int], longer: int, *, merged: bool) -> Iterator[Part]:
    """Take labels and the longer one that they are parts of."""
    pairs.taken[not merged].update(members)
    pairs.taken[merged].add(longer)
    texts, others = (pairs.left, pairs.right) if merged else (pairs.right, pairs.left)
    whole = letters_of(others.labels[longer])
    clauses: dict[int, list[Span]] = defaultdict(list)
    for start, end in whole.clauses:
        words = beginnings(whole.text[slice(*whole.characters((start, end)))])
        clauses[max(members, key=lambda node: len(words & beginnings(texts.labels[node])))].append(
            (start, end)
        )
    for node in members:
        spans = tuple(clauses[node]) or _spans(letters_of(texts.labels[node]), whole)
        yield Part(*((node, longer) if merged else (longer, node)), merged, spans)


def _spans(shorter: Letters, longer: Letters) -> tuple[Span, ...]:
    """The spans of a longer text that have the letters of a shorter one, or each of its words."""
    at = longer.letters.find(shorter.letters)
    if at >= 0:
        return ((at, at + len(shorter.letters)),)
    words = {shorter.letters[slice(*span)] for span in _runs(shorter)}
    return tuple(span for span in _runs(longer) if longer.letters[slice(*span)] in words)


def _runs(text: Letters) -> Iterator[Span]:
    return zip(text.words, [*text.words[1:], len(text.letters)], strict=True)
