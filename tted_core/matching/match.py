"""Match the sentences of two trees, independent of the script.

The cheapest edit script is no good guide to where a sentence went: replacing a sentence by an unrelated one is
nearly always cheaper than deleting one and inserting the other, a tree mapping can't cross, and it can't say that
one node holds what two held. So it is looked for beside it: equal nodes, labels that were joined, new wordings
in the same position, nodes that stand within longer ones, then near ones. Distance and script stay as they are.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tted_core.matching.bounds import NearBounds
from tted_core.matching.by_words import pair_by_words, pair_elsewhere
from tted_core.matching.condensed import find_condensed
from tted_core.matching.content import all_words
from tted_core.matching.moves import find_moves
from tted_core.matching.pairs import Counterparts
from tted_core.matching.parts import Overlaps, Part
from tted_core.matching.records import Matching, Record, Status
from tted_core.sentences import SentenceCosts
from tted_core.tree import TextTree
from tted_core.words.splitting import letters_of


def match(
    left: TextTree,
    right: TextTree,
    costs: SentenceCosts,
    partners: Sequence[int],
    *,
    ordered: bool,
    bounds: NearBounds,
) -> Matching:
    """Find the status of each sentence of two trees.

    Args:
        left: a tree of n nodes.
        right: a tree of m nodes.
        costs: the distances between their texts.
        partners: the right node that the script pairs with each left one, -1 for none.
        ordered: whether siblings that changed their order have moved.
        bounds: up to which distance two texts are near.
    """
    pairs = Counterparts(left, right, costs.nodes, partners)
    pairs.pair_equal(_letters, all_words)
    overlaps = Overlaps(pairs, costs, bounds)
    pair_by_words(pairs, overlaps)
    pairs.pair_renamed(bounds)
    overlaps.pair_alone()
    pair_by_words(pairs, overlaps)
    pairs.prefer_in_place(_letters)
    pairs.pair_equal(_letters, all_words)
    parts = overlaps.take_parts()
    pair_elsewhere(pairs, overlaps, bounds.in_place)
    joined: list[Part] = []
    found = True
    while found:
        while (
            pairs.pair_heads(bounds.in_place)
            or pairs.pair_holders()
            or pairs.pair_near(bounds)
            or pairs.pair_leads(bounds.in_place)
        ):
            pair_by_words(pairs, overlaps)
        new = find_condensed(pairs, bounds)
        joined += new
        pairs.parts.update((part.source, part.target) for part in new)
        pair_by_words(pairs, overlaps)
        found = bool(new)
    parts = sorted([*parts, *joined])
    shares = overlaps.shares
    overlaps.add_shares(joined)
    for v, w in pairs.there.items():
        is_extended = (v, w) in pairs.extended and costs.nodes[v, w] > bounds.in_place
        for side, (node, other) in enumerate(((v, w), (w, v))):
            shares[side][node] = overlaps.share_of_extended(side, node, other) if is_extended else 1.0
    heads = find_moves(
        (left, right),
        pairs.there,
        [(part.source, part.target) for part in parts],
        partners if ordered else None,
    )
    return Matching((left.labels, right.labels), tuple(_records(pairs, parts, heads)), shares)


def _letters(text: str) -> str:
    """The letters of a text, or the text if it has none."""
    return letters_of(text).letters or text


def _records(pairs: Counterparts, parts: Sequence[Part], heads: dict[int, int]) -> Iterator[Record]:
    """The records of all nodes, in their order.

    Args:
        pairs: the counterparts.
        parts: the nodes within longer ones.
        heads: those that have moved, each with the topmost one that moved along.
    """
    left, right = pairs.left, pairs.right
    of_source: dict[int, list[Part]] = defaultdict(list)
    for part in parts:
        of_source[part.source].append(part)
    for v in range(len(left)):
        if (w := pairs.there.get(v)) is not None:
            in_place: Status = "same" if left.labels[v] == right.labels[w] else "reworded"
            yield Record(v, w, "moved" if v in heads else in_place, heads.get(v))
        elif v not in of_source:
            yield Record(v, None, "missing")
        for part in of_source.get(v, ()):
            longer = letters_of(right.labels[part.target] if part.merged else left.labels[v])
            within = tuple(sorted(longer.characters(span) for span in part.spans))
            yield Record(v, part.target, "merged" if part.merged else "split", within=within)
    held = {part.target for part in parts}
    for w in range(len(right)):
        if w not in pairs.back and w not in held:
            yield Record(None, w, "extra")
