"""Records of a matching: each sentence's status, its counterpart or longer node, and signs of a changed claim."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.words.claims import KINDS, Flag, FlagKind, changed_claims
from tted_core.words.splitting import Word

Status: TypeAlias = Literal["same", "reworded", "moved", "merged", "split", "missing", "extra"]

# Statuses of sentences with their signs, in the order of lists.
STATUSES: dict[Status, str] = {
    "same": "=",
    "reworded": "~",
    "moved": "→",
    "merged": "⊂",
    "split": "⊃",
    "missing": "−",
    "extra": "+",
}

QUIET: frozenset[Status] = frozenset({"same"})  # statuses of unedited sentences

# Statuses of sentences that are parts of longer nodes.
PARTS: frozenset[Status] = frozenset({"merged", "split"})

SHARES = ("coverage", "support")  # the columns of ``Matching.shares``

CLAIMS = "claims"  # the column of ``Matching.claims``

HALF = 0.5  # the share of its words that a part has in common with the longer node


@dataclass(frozen=True)
class Record:
    """The status of a sentence, or of two of which one is the other's counterpart or part.

    Attributes:
        source: preorder index in the left map; None if it is extra.
        target: preorder index in the right map; None if it is missing.
        status: "same" (equal text, same position), "reworded" (another text, same position), "moved" (equal or
            other text elsewhere, itself or with a branch), "merged" (the left sentence is part of the longer right
            node), "split" (the right sentence is part of the longer left node), "missing" or "extra".
        head: for a moved sentence the left node of the topmost one of its branch that moved; else None.
        within: start and end of each piece of the longer node's text that the part is.
    """

    source: int | None
    target: int | None
    status: Status
    head: int | None = None
    within: tuple[tuple[int, int], ...] = ()


class Matching(NamedTuple):
    """The statuses of the sentences of two maps.

    Attributes:
        texts: of both maps.
        records: those of the left map in preorder, then those of the right map without another end. A node that
            holds several nodes of the other map has one for each.
        found: for each node of both maps, the share of its words that the other map has.
    """

    texts: tuple[Sequence[str], Sequence[str]]
    records: tuple[Record, ...]
    found: tuple[Sequence[float], Sequence[float]]

    @property
    def counts(self) -> dict[Status, int]:
        """Number of records of each status; two counterparts count once."""
        count = Counter(each.status for each in self.records)
        return {status: count[status] for status in STATUSES}

    @property
    def claims(self) -> int:
        """Number of records with flags."""
        return sum(bool(self.flags(each)) for each in self.records)

    @property
    def claim_counts(self) -> dict[FlagKind, int]:
        """Number of sentences with each kind of flag."""
        count = Counter(flag.kind for each in self.records for flag in self.flags(each))
        return {kind: count[kind] for kind in KINDS}

    def flags(self, record: Record) -> tuple[Flag, ...]:
        """Signs of a changed claim of a sentence that has a counterpart, or is part of a longer node."""
        if record.source is None or record.target is None:
            return ()
        texts = [self.texts[0][record.source], self.texts[1][record.target]]
        if not record.within:
            return changed_claims(*texts)
        longer = int(record.status == "merged")
        texts[longer] = " ".join(texts[longer][start:end] for start, end in record.within)
        pieces = ((), record.within) if longer else (record.within, ())
        return tuple(
            flag._replace(left=_put_back(flag.left, pieces[0]), right=_put_back(flag.right, pieces[1]))
            for flag in changed_claims(*texts)
        )

    @property
    def split_over(self) -> int:
        """Number of left nodes at least half of which is in nodes that were split off them."""
        held = {each.source for each in self.records if each.status == "split"}
        other = {each.source for each in self.records if each.status != "split"}
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


def _put_back(word: Word | None, pieces: Sequence[tuple[int, int]]) -> Word | None:
    """A word of the pieces of a text, joined by spaces, at its position in the text; of no pieces, as it is."""
    before = 0
    for start, end in pieces:
        if word and word.start < before + end - start:
            return word._replace(start=word.start - before + start, end=word.end - before + start)
        before += end - start + 1
    return word
