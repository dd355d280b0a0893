"""What a detection comes to: AUC by edit and dose, counting, and the balance by which settings are chosen.

The AUC is the share of pairs (a paraphrase with the edit, another one without) in which the one with the edit is
farther from the base; ties count half (Mann and Whitney 1947; Hanley and McNeil 1982). 1/2 is chance. Pairs are of
one sample, and never a paraphrase and its own edited version, which would be told apart too easily. It asks for
ranks alone: no monotone transformation of the measure changes it, so none can drive it, as R_S and R_M can be.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import Gap, split_from
from tted_core.foundations.stats import correlation, mean_interval, pairs_above
from tted_core.lab.detection.edits import DOSES
from tted_core.lab.quality.coefficients import MOST_LEFT_OUT

RESAMPLES = 2_000


SEED = 0


EditDistances = NDArray[np.float64]
"""(p, r): r seeds of an edit of each of p paraphrases of one sample; NaN where it could not be made."""


@dataclass(frozen=True)
class Mean:
    """A mean over samples: ``ci95`` is its 95 % percentile bootstrap interval, None for fewer than two samples."""

    value: float
    ci95: tuple[float, float] | None
    samples: int


@dataclass(frozen=True)
class Scale:
    """How far apart a model puts the sentences of the samples' bases, two different ones each.

    Attributes:
        model: the name of the model.
        distance: a name of ``DISTANCES``.
        median: the middle of all their distances.
        farthest: the largest of them.
    """

    model: str
    distance: str
    median: float
    farthest: float

    def notices(self, gap: Gap, power: float) -> tuple[str, ...]:
        """What follows for a gap "=x" that no distance reaches."""
        if not isinstance(gap, str) or self.farthest > split_from(gap, power):
            return ()
        text = (
            f"{self.model} puts no two sentences further apart than {self.farthest:.3g} ({self.distance}), and "
            f"only above {split_from(gap, power):.3g} does the gap {gap} with power {power:g} leave one unpaired: "
            "all are paired that can be; choose a smaller gap, or 0"
        )
        return (text,)


UNTOUCHED = ("", "")
Kind: TypeAlias = tuple[str, str]
"""(edit, dose); ``UNTOUCHED`` is the paraphrase as it is."""

LARGE = 14
"""Nodes from which on a map says something of right pairs: three moves turn a smaller one upside down."""


@dataclass(frozen=True)
class Detected:
    """How surely a measure finds an edit.

    Attributes:
        options: of the measure, as in the grid.
        edit: a name of ``EDITS``.
        dose: a name of ``DOSES``.
        auc: see :mod:`tted_core.lab.detection.results`; a mean over samples.
        precision: of the pairs that the mapping makes of known sentences, those that are right; None for a measure
            without a mapping.
        recall: of the sentences that are still there, those paired rightly.
        n: edited maps.
        left_out: of these, those at no defined distance.
    """

    options: dict[str, Any]
    edit: str
    dose: str
    auc: Mean | None
    precision: float | None
    recall: float | None
    n: int
    left_out: int = 0

    @property
    def doubt(self) -> str | None:
        """Why the AUC can't stand beside others, in words; None if it can."""
        if self.left_out <= MOST_LEFT_OUT * self.n:
            return None
        return f"not comparable: {self.left_out} of {self.n} edited maps left out, their distances undefined"


@dataclass(frozen=True)
class Counting:
    """How surely a measure tells three edits from one, and ranks 0 to 3 of them (both means over samples)."""

    options: dict[str, Any]
    edit: str
    auc_3_against_1: Mean | None
    spearman: Mean | None


@dataclass(frozen=True)
class Balance:
    """What is asked of a measure altogether, by which the preset proofreading was chosen (docs/quality-tables.md).

    Attributes:
        options: of the measure.
        meaning: AUC of one swap.
        structure: mean AUC of one move, one deletion and one invented node.
        position: AUC of one exchange.
        counting: mean AUC of 2 swaps against 1, 3 against 2, and of half the sentences against a fifth.
        balance: mean of these four; like them a mean over samples, None where an edit was not made.
        right_pairs: precision of the mapping after three moves, in maps of ``LARGE`` nodes or more.
        a_x: how often the base with its own sentences displaced is farther than a paraphrase (A_X).
    """

    options: dict[str, Any]
    meaning: Mean | None
    structure: Mean | None
    position: Mean | None
    counting: Mean | None
    balance: Mean | None
    right_pairs: Mean | None
    a_x: Mean | None

    @property
    def means(self) -> dict[str, Mean | None]:
        """All but the options, by name."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.name != "options"}


@dataclass
class Found:
    """What a measure made of a sample: distances by kind, (precision, recall) of mappings, and how many maps.

    ``displaced`` are the distances of the base with its sentences displaced, ``size`` is that of the base.
    """

    size: int
    displaced: Sequence[float]
    distances: dict[Kind, EditDistances]
    pairs: dict[Kind, list[tuple[float, float]]]
    made: dict[Kind, int]


def rows_of(options: dict[str, Any], found: Sequence[Found], edits: Sequence[str]) -> Iterator[Detected]:
    """How surely the measure finds each edit in each dose."""
    for edit in edits:
        for dose in DOSES:
            kind = (edit, dose)
            there = [each for each in found if kind in each.distances]
            pairs = [each.pairs[kind] for each in there if kind in each.pairs]
            yield Detected(
                options,
                edit,
                dose,
                mean_over_samples([auc(_scores(each, UNTOUCHED), each.distances[kind]) for each in there]),
                float(np.mean([np.mean([one for one, _ in every]) for every in pairs])) if pairs else None,
                float(np.mean([np.mean([one for _, one in every]) for every in pairs])) if pairs else None,
                sum(each.made[kind] for each in there),
                sum(each.made[kind] - int(np.isfinite(each.distances[kind]).sum()) for each in there),
            )


def counting_of(options: dict[str, Any], found: Sequence[Found], edits: Sequence[str]) -> Iterator[Counting]:
    """Whether the measure tells more of each edit from less."""
    for edit in edits:
        one, three = (edit, "1"), (edit, "3")
        there = [each for each in found if one in each.distances and three in each.distances]
        yield Counting(
            options,
            edit,
            mean_over_samples([auc(each.distances[one], each.distances[three]) for each in there]),
            mean_over_samples([_ranked(each, edit) for each in there]),
        )


def _ranked(found: Found, edit: str) -> float | None:
    """Spearman's correlation of 0 to 3 edits with the distance."""
    doses: list[float] = []
    distances: list[float] = []
    for dose, kind in enumerate((UNTOUCHED, (edit, "1"), (edit, "2"), (edit, "3"))):
        if kind in found.distances:
            values = found.distances[kind][np.isfinite(found.distances[kind])]
            doses += [float(dose)] * len(values)
            distances += values.tolist()
    return correlation(doses, distances, "spearman")


PARTS: dict[str, tuple[tuple[Kind, Kind], ...]] = {
    "meaning": ((UNTOUCHED, ("swap", "1")),),
    "structure": tuple((UNTOUCHED, (edit, "1")) for edit in ("move", "delete", "insert")),
    "position": ((UNTOUCHED, ("exchange", "1")),),
    "counting": tuple(
        (("swap", less), ("swap", more)) for less, more in (("1", "2"), ("2", "3"), ("20%", "50%"))
    ),
}
"""Part of the balance -> pairs (what is to be nearer, what is to be farther), whose AUCs are averaged."""


def balance_of(options: dict[str, Any], found: Sequence[Found]) -> Balance:
    """The measure's balance, as means over samples."""
    by_sample = [{part: _part(each, pairs) for part, pairs in PARTS.items()} for each in found]
    known = [[value for value in parts.values() if value is not None] for parts in by_sample]
    whole = [float(np.mean(values)) if len(values) == len(PARTS) else None for values in known]
    moved = [
        each.pairs[kind] for each in found if each.size >= LARGE and (kind := ("move", "3")) in each.pairs
    ]
    return Balance(
        options,
        **{part: mean_over_samples([parts[part] for parts in by_sample]) for part in PARTS},
        balance=mean_over_samples(whole),
        right_pairs=mean_over_samples([float(np.mean([one for one, _ in every])) for every in moved]),
        a_x=mean_over_samples([_misplaced(each) for each in found]),
    )


def _part(found: Found, pairs: Iterable[tuple[Kind, Kind]]) -> float | None:
    """The mean of the AUCs that are defined; None without any."""
    made = (pair for pair in pairs if all(kind in found.distances for kind in pair))
    values = [auc(_scores(found, low), found.distances[high]) for low, high in made]
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _scores(found: Found, kind: Kind) -> EditDistances:
    """Distances of a kind; an untouched paraphrase has only one."""
    return found.distances[kind][:, :1] if kind == UNTOUCHED else found.distances[kind]


def _misplaced(found: Found) -> float | None:
    if UNTOUCHED not in found.distances:
        return None
    above, pairs = pairs_above(found.distances[UNTOUCHED][:, 0], found.displaced)
    return above / pairs if pairs else None


def auc(low: EditDistances, high: EditDistances) -> float | None:
    """How often ``high`` is above ``low``, over pairs of different paraphrases of one sample; None without a pair.

    >>> auc(np.array([[0.1], [0.3]]), np.array([[0.2], [0.2]]))
    0.5
    """
    above = total = 0.0
    for row in range(len(low)):
        higher, pairs = pairs_above(low[row], np.delete(high, row, axis=0).ravel())
        above, total = above + higher, total + pairs
    return above / total if total else None


def mean_over_samples(values: Sequence[float | None]) -> Mean | None:
    """The mean of what is defined, with its interval by resampling samples; None without any."""
    known = np.array([value for value in values if value is not None])
    if not len(known):
        return None
    return Mean(float(known.mean()), mean_interval(known, RESAMPLES, SEED), len(known))
