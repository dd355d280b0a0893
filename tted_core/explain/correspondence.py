"""The correspondence of sentences: the status of each node's text in the other map, independent of the script.

The cheapest edit script is no good guide to where a sentence went: replacing a sentence by an unrelated one is
nearly always cheaper than deleting one and inserting the other, a tree mapping can't cross, and it can't say that
one node holds what two held. So it is looked for beside it: equal nodes, then nodes that stand within longer ones,
then near ones. Distance and script stay as they are.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.comparison import Comparison
from tted_core.explain.bounds import Bounds, bounds_for
from tted_core.explain.condensed import condensed
from tted_core.explain.moves import moved
from tted_core.explain.pairs import Pairs, Side
from tted_core.explain.parts import HALF, Overlaps, Part
from tted_core.sentences import SentenceCosts
from tted_core.words.claims import KINDS, Flag, FlagKind, alike, changed_claims
from tted_core.words.passages import letters_of
from tted_core.words.splitting import Word

Status: TypeAlias = Literal["same", "reworded", "moved", "merged", "split", "replaced", "missing", "extra"]

STATUSES: dict[Status, str] = {
    "same": "=",
    "reworded": "~",
    "moved": "→",
    "merged": "⊂",
    "split": "⊃",
    "replaced": "≠",
    "missing": "−",
    "extra": "+",
}
"""Statuses of sentences with their signs, in the order of lists."""

SHARES = ("coverage", "support")
"""The result of ``Correspondence.shares``."""

CLAIMS = "claims"
"""The column of ``Correspondence.claims``."""

QUIET: frozenset[Status] = frozenset({"same"})
"""Statuses of unedited sentences."""


@dataclass(frozen=True)
class Outcome:
    """The status of a sentence, or of two of which one is the other's counterpart or part.

    Attributes:
        source: preorder index in the left map; None if it is extra.
        target: preorder index in the right map; None if it is missing.
        status: "same" (equal text, same position), "reworded" (near text, same position), "moved" (equal or near
            text elsewhere, or the topmost node of a branch that moved), "merged" (the left sentence is part of the
            longer right node), "split" (the right sentence is part of the longer left node), "replaced" (another,
            related text below the counterpart of its parent), "missing" or "extra".
        head: for a moved sentence the left node of the topmost one of its branch that moved; else None.
        within: start and end of each piece of the longer node's text that the part is.
    """

    source: int | None
    target: int | None
    status: Status
    head: int | None = None
    within: tuple[tuple[int, int], ...] = ()


class Correspondence(NamedTuple):
    """The statuses of the sentences of two maps.

    Attributes:
        texts: of both maps.
        outcomes: those of the left map in preorder, then those of the right map without another end. A node that
            holds several nodes of the other map has one for each.
        found: for each node of both maps, the share of its words that the other map has.
    """

    texts: tuple[Sequence[str], Sequence[str]]
    outcomes: tuple[Outcome, ...]
    found: tuple[Sequence[float], Sequence[float]]

    @property
    def counts(self) -> dict[Status, int]:
        """Number of outcomes of each status; two counterparts count once."""
        count = Counter(each.status for each in self.outcomes)
        return {status: count[status] for status in STATUSES}

    @property
    def claims(self) -> int:
        """Number of outcomes with flags."""
        return sum(bool(self.flags(each)) for each in self.outcomes)

    def flags(self, outcome: Outcome) -> tuple[Flag, ...]:
        """Signs of a changed claim of a sentence that has a counterpart, or is part of a longer node.

        A replaced sentence has flags only if it has most of its words: another text claims something else anyway.
        """
        if outcome.source is None or outcome.target is None:
            return ()
        left, right = self.texts[0][outcome.source], self.texts[1][outcome.target]
        if outcome.status == "replaced" and not alike(left, right):
            return ()
        if not outcome.within:
            return changed_claims(left, right)
        if outcome.status == "merged":
            found = changed_claims(left, " ".join(right[start:end] for start, end in outcome.within))
            return tuple(flag._replace(right=_put_back(flag.right, outcome.within)) for flag in found)
        found = changed_claims(" ".join(left[start:end] for start, end in outcome.within), right)
        return tuple(flag._replace(left=_put_back(flag.left, outcome.within)) for flag in found)

    @property
    def split_over(self) -> int:
        """Number of left nodes at least half of which is in nodes that were split off them."""
        held = {each.source for each in self.outcomes if each.status == "split"}
        other = {each.source for each in self.outcomes if each.status != "split"}
        return sum(node is not None and self.found[0][node] >= HALF for node in held - other)

    def shares(self, costs: NDArray[np.float64]) -> tuple[float, float]:
        """Coverage of the left map and support of the right one: the sum of w(v) f(v) over the sum of w(v).

        w(v) is what it costs to delete or insert a node, f(v) the share of its words that the other map has.

        Args:
            costs: (n + 1, m + 1) costs; the last column those of deletions, the last row those of insertions.
        """
        weights = costs[:-1, -1], costs[-1, :-1]
        left, right = (
            min(1.0, float(np.dot(part, weight) / whole)) if (whole := weight.sum()) else 1.0
            for part, weight in zip(self.found, weights, strict=True)
        )
        return left, right


def correspondence(comparison: Comparison) -> Correspondence:
    """The statuses of the sentences of a comparison's maps.

    Kept with the comparison, as a ``cached_property`` would be: all that draw it ask.
    """
    kept: Correspondence | None = vars(comparison).get("_correspondence")
    if kept is None:
        partners = [-1] * len(comparison.left.tree)
        for op in comparison.script.ops:
            if op.source is not None and op.target is not None:
                partners[op.source] = op.target
        left, right = (
            Side(each.tree.labels, each.tree.parents) for each in (comparison.left, comparison.right)
        )
        kept = vars(comparison)["_correspondence"] = corresponding(
            (left, right),
            comparison.sentences,
            partners,
            ordered=comparison.method.order == "ordered",
            bounds=bounds_of(comparison),
        )
    return kept


def claim_counts(comparison: Comparison) -> dict[FlagKind, int]:
    """Number of sentences with each kind of flag."""
    found = correspondence(comparison)
    count = Counter(flag.kind for each in found.outcomes for flag in found.flags(each))
    return {kind: count[kind] for kind in KINDS}


def _put_back(word: Word | None, pieces: Sequence[tuple[int, int]]) -> Word | None:
    """A word of the pieces of a text, joined by spaces, at its position in the text."""
    before = 0
    for start, end in pieces:
        if word and word.start < before + end - start:
            return word._replace(start=word.start - before + start, end=word.end - before + start)
        before += end - start + 1
    return word


def bounds_of(comparison: Comparison) -> Bounds:
    """The bounds for a comparison."""
    labels = comparison.left.tree.labels, comparison.right.tree.labels
    return bounds_for(comparison.method, *labels, comparison.sentences.nodes)


def sentences_json(comparison: Comparison) -> dict[str, Any]:
    """The outcomes as JSON has them, with their counts and the bounds up to which sentences are near."""
    found = correspondence(comparison)
    coverage, support = found.shares(comparison.costs)
    return {
        "bounds": asdict(bounds_of(comparison)),
        "counts": found.counts,
        "coverage": coverage,
        "support": support,
        "flags": claim_counts(comparison),
        "outcomes": [
            {
                "status": each.status,
                "source": each.source,
                "target": each.target,
                **({"flags": [flag.kind for flag in flags]} if (flags := found.flags(each)) else {}),
            }
            for each in found.outcomes
        ],
    }


def corresponding(
    sides: tuple[Side, Side],
    costs: SentenceCosts,
    partners: Sequence[int],
    *,
    ordered: bool,
    bounds: Bounds,
) -> Correspondence:
    """The statuses of the sentences of two trees.

    Args:
        sides: the trees, of n and of m nodes.
        costs: the distances between their texts.
        partners: the right node that the script pairs with each left one, -1 for none.
        ordered: whether siblings that changed their order have moved.
        bounds: up to which distance two texts are near.
    """
    left, right = sides
    pairs = Pairs(left, right, costs.nodes, partners)
    pairs.pair_equal()
    overlaps = Overlaps(pairs, costs, bounds)
    alone = overlaps.pair_alone()
    parts = overlaps.parts()
    while pairs.pair_near(bounds) or pairs.pair_heads(bounds.related):
        pass
    parts = [part for part in parts if not overlaps.is_repeated(part)]
    parts = sorted([*parts, *condensed(overlaps, costs, bounds, parts)])
    solid = dict(pairs.there)
    while pairs.pair_in_place(bounds.related):
        pass
    near = {
        v
        for v, w in solid.items()
        if left.labels[v] == right.labels[w] or costs.nodes[v, w] <= bounds.in_place or v in alone
    }
    heads = moved((left.parents, right.parents), solid, partners if ordered else None)
    for v in near:
        overlaps.shares[0][v] = overlaps.shares[1][solid[v]] = 1.0
    outcomes = tuple(_outcomes(pairs, parts, near, heads))
    return Correspondence((left.labels, right.labels), outcomes, overlaps.shares)


def _outcomes(
    pairs: Pairs, parts: Sequence[Part], near: Collection[int], heads: dict[int, int]
) -> Iterator[Outcome]:
    """The outcomes of all nodes, in their order.

    Args:
        pairs: the counterparts.
        parts: the nodes within longer ones.
        near: the left nodes whose counterparts say the same.
        heads: those that have moved, each with the topmost one that moved along.
    """
    left, right = pairs.left, pairs.right
    of_source: dict[int, list[Part]] = defaultdict(list)
    for part in parts:
        of_source[part.source].append(part)
    for v in range(len(left.labels)):
        if (w := pairs.there.get(v)) is not None:
            is_same = left.labels[v] == right.labels[w]
            in_place: Status = "replaced" if v not in near else "same" if is_same else "reworded"
            yield Outcome(v, w, "moved" if v in heads else in_place, heads.get(v))
        elif v not in of_source:
            yield Outcome(v, None, "missing")
        for part in of_source.get(v, ()):
            longer = letters_of(right.labels[part.target] if part.merged else left.labels[v])
            within = tuple(sorted(longer.characters(span) for span in part.spans))
            yield Outcome(v, part.target, "merged" if part.merged else "split", within=within)
    held = {part.target for part in parts}
    for w in range(len(right.labels)):
        if w not in pairs.back and w not in held:
            yield Outcome(None, w, "extra")
