"""Labels in the same position that were extended, so that one has all words of the other, or misspelled.

Labels are too short for passages and for distances: "Budget" is far from "Budget: 40 euros per person and day". In
the same position, that one label has all content words of another is enough, or that few letters differ; elsewhere
one of these words must be in no other label.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache

import numpy as np

from tted_core.matching.bounds import HEADING, WIDER
from tted_core.matching.content import beginnings, content_words
from tted_core.matching.pairs import Counterparts
from tted_core.matching.parts import Overlaps
from tted_core.tree import TextTree
from tted_core.words.lexicon import BEGINNING
from tted_core.words.splitting import letters_of

MISSPELLED = 0.2  # the letters that differ in a label with another spelling are less than this share of it

# Characters of the longest end of a compound that is looked for; there are words of any length.
LONGEST_END = 40

# Labels with all words of another that are considered in a round: the cheapest. For the nth label with these words
# they are those around the nth cheapest, as the labels before it take others.
NEAREST = 16

SHORTEST_INITIALS = 3  # least number of words of a label that may be called by their initials

_Ends = tuple[int, int]
_Words = Mapping[int, AbstractSet[str]]


def pair_by_words(pairs: Counterparts, overlaps: Overlaps) -> None:
    """Pair free labels in the same position of which one has all words of the other, then those below them.

    The nearest are first. No other node may be a part of either.
    """
    found = True
    while found:
        ends = [each for sides in pairs.positions() for each in _find_alike(pairs, sides)]
        ranked = sorted((rank, pairs.costs[each], each) for rank, each in ends)
        new = {each for _, _, each in ranked if overlaps.is_alone(*each) and pairs.pair(*each)}
        pairs.extended |= new
        found = bool(new)


def pair_elsewhere(pairs: Counterparts, overlaps: Overlaps, bound: float) -> None:
    """Pair free labels of one sentence, wherever they are, of which one has all words of the other.

    They are within a bound, short ones within a wider one, no other node is a part of either, and one of these
    words is in no other label of either map.
    """
    left, right = pairs.left.labels, pairs.right.labels
    words = [dict(enumerate(map(content_words, labels))) for labels in (left, right)]
    for v, w in sorted(_find_sharing(*words)):
        one, other = words[0][v], words[1][w]
        is_near = pairs.costs[v, w] <= bound * (WIDER if max(len(left[v]), len(right[w])) <= HEADING else 1.0)
        is_sentence = all(len(letters_of(text).sentences) == 1 for text in (left[v], right[w]))
        if is_near and is_sentence and (one <= other or other <= one) and overlaps.is_alone(v, w):
            pairs.pair(v, w)


def _find_sharing(here: _Words, there: _Words) -> set[_Ends]:
    """The pairs of labels with a word in common, but for numbers, that no other label of either side has."""
    holders = []
    for side in (here, there):
        count = Counter(word for words in side.values() for word in words)
        holders.append({word: node for node, words in side.items() for word in words if count[word] == 1})
    return {
        (v, holders[1][word]) for word, v in holders[0].items() if word in holders[1] and not word.isdigit()
    }


def _find_alike(pairs: Counterparts, sides: tuple[list[int], list[int]]) -> Iterator[tuple[float, _Ends]]:
    """Free labels in one position that have the same words, initials or letters, with the share that differs."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cdist

    trees = (pairs.left, pairs.right)
    for merged in (True, False):
        tree, other = trees[:: 1 if merged else -1]
        nodes, others = sides[:: 1 if merged else -1]
        having: dict[str, set[int]] = defaultdict(set)
        for node in others:
            for word in content_words(other.labels[node]):
                having[word].add(node)
        costs = pairs.costs if merged else pairs.costs.T
        ranked: dict[tuple[frozenset[str], str], list[int]] = {}
        before = Counter[tuple[frozenset[str], str]]()
        for node in nodes:
            words, initials = key = content_words(tree.labels[node]), _initials(tree.labels[node])
            short = having[initials] if len(initials) >= SHORTEST_INITIALS else set()
            if key not in ranked:
                longer = set.intersection(*(having[word] for word in words)) if words else set()
                ranked[key] = sorted(sorted(longer | short), key=costs[node].__getitem__)
            for end in ranked[key][max(0, before[key] - NEAREST) : before[key] + NEAREST]:
                share = 1.0 if end in short else len(words) / len(content_words(other.labels[end]))
                yield 1 - share, (node, end) if merged else (end, node)
            before[key] += 1
    letters = [
        [letters_of(tree.labels[node]).letters for node in nodes]
        for tree, nodes in zip(trees, sides, strict=True)
    ]
    shares = cdist(*letters, scorer=OSA.normalized_distance, score_cutoff=MISSPELLED)
    for row, column in np.argwhere(shares < MISSPELLED).tolist():
        yield float(shares[row, column]), (sides[0][row], sides[1][column])
    above = trees[0].parents[sides[0][0]], trees[1].parents[sides[1][0]]
    if above not in pairs.common:
        pairs.common[above] = list(_find_common(trees, above))
    free = set(sides[0]), set(sides[1])
    yield from ((1 + share, (v, w)) for share, (v, w) in pairs.common[above] if v in free[0] and w in free[1])


def _find_common(trees: tuple[TextTree, TextTree], above: _Ends) -> Iterator[tuple[float, _Ends]]:
    """Labels below two nodes with half of the words of one in common, of headings a third, that no sibling has.

    A quarter of the other's words must be. Words have a beginning in common, or one is the end of the other.
    """
    labels = [
        {node: tree.labels[node] for node in (tree.children[parent] if parent >= 0 else (0,))}
        for tree, parent in zip(trees, above, strict=True)
    ]
    known = [set[str]().union(*map(content_words, texts.values())) for texts in labels]
    words = [
        {
            node: beginnings(text) | {end[:BEGINNING] for end in _ends(text) & others}
            for node, text in texts.items()
        }
        for texts, others in zip(labels, known[::-1], strict=True)
    ]
    for v, w in _find_sharing(*words):
        both = labels[0][v], labels[1][w]
        common, (few, many) = (
            len(words[0][v] & words[1][w]),
            sorted(len(beginnings(text)) for text in both),
        )
        least = 3 if max(map(len, both)) <= HEADING else 2
        is_enough = least * common >= few and 4 * common >= many
        if is_enough and all(len(letters_of(text).sentences) == 1 for text in both):
            yield max(0.0, 1 - common / many), (v, w)


@lru_cache(1 << 14)
def _ends(text: str) -> frozenset[str]:
    """The ends of a text's words, which are words themselves if these are compounds."""
    words = content_words(text)
    return frozenset(
        word[start:]
        for word in words
        for start in range(max(1, len(word) - LONGEST_END), len(word) - BEGINNING + 1)
    )


@lru_cache(1 << 14)
def _initials(text: str) -> str:
    known = letters_of(text)
    return "".join(known.letters[start] for start in known.words)
