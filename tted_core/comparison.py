"""Comparison: two maps, the method, and what was found. Nothing here explains or draws it."""

import math
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BaselineScore
from tted_core.baselines.suite import EQUIVALENCE, ValuesAtDepth, sign_equivalence
from tted_core.errors import ChoiceError, TTEDError
from tted_core.formats import MindMap
from tted_core.foundations.monitor import UNWATCHED, Monitor, fraction
from tted_core.method import Method, Signature
from tted_core.script import EditScript
from tted_core.sentences import SentenceCosts
from tted_core.solvers import NO_CHOICES, Choices, EditProblem, Mapping, Solution, solve
from tted_core.solvers.kernels import report_compiling
from tted_core.solvers.structure import Obstacle, Pair, obstacle

# Normalized distance (preset published) up to which proofreading detects a replaced sentence more reliably
# (docs/quality.md, docs/tables/near.csv).
PROOFREADING_BELOW = 0.45


def search(
    problem: EditProblem,
    order: str,
    choices: Choices = NO_CHOICES,
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
    what: str = "Searching",
) -> Solution:
    """Find the cheapest mapping that keeps the choices, verify it, and report bounds as a stage named ``what``."""
    report_compiling(order, problem.weights.size, monitor)
    return solve(problem, order, choices, time_limit=time_limit, monitor=report_bounds_to(monitor, what))


def report_bounds_to(monitor: Monitor, what: str) -> Monitor:
    """A monitor of a search that reports its bounds as a stage named ``what``."""

    def report(_stage: str, lower: float, upper: float) -> None:
        text = f"{what}: best script {upper:.4f}, lower bound {lower:.4f}"
        monitor.stage(text, fraction(lower, upper))

    return monitor.with_report(report)


class AtDepth(NamedTuple):
    """Result for both maps trimmed to k levels.

    Attributes:
        mapping: the mapping of the cheapest script found.
        tted: the cost of that script.
        proven: True if it is proven optimal.
        normalized: the normalized distance.
        is_free: True if no mapping can keep the person's choices at this depth, so that they were ignored.
    """

    mapping: Mapping
    tted: float
    proven: bool
    normalized: float
    is_free: bool = False


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two maps compared by a method: the data that explanations, pictures and files are made of.

    Comparisons are equal if their signatures are: the same maps compared by the same method and model.

    Attributes:
        left: the source map, as compared (trimmed to ``method.depth``); its tree has n nodes.
        right: the target map, as compared; its tree has m nodes.
        method: the options, with the name of the model used.
        fingerprint: the fingerprint of the model used.
        digests: SHA-256 of both trees as given.
        problem: both trees as compared and their (n+1, m+1) edit costs.
        sentences: distances between the texts without context; no score depends on them.
        script: the optimal edit script, or the best one found.
        lower_bound: certified lower bound of the distance; equal to ``tted`` if proven.
        baselines: each baseline's score, or the error that prevented it.
        suite: for each measure of the suite, values for k = 1 .. the deeper map's depth, or the error.
        equivalence: the distance up to which two nodes are equivalent, for the suite.
        input_notices: warnings about texts, model and options.
        choices: pairs that a person forced or forbade; the script and its scores are the best that keep them.
        depths: results of the maps trimmed to k levels, if they are solved already.

    >>> result == compare(tree, other, distance="levenshtein")
    True
    """

    left: MindMap
    right: MindMap
    method: Method
    fingerprint: str
    digests: tuple[str, str]
    problem: EditProblem
    sentences: SentenceCosts
    script: EditScript
    lower_bound: float
    baselines: dict[str, BaselineScore | TTEDError] = field(default_factory=dict)
    suite: dict[str, ValuesAtDepth | TTEDError] = field(default_factory=dict)
    equivalence: float = EQUIVALENCE
    input_notices: tuple[str, ...] = ()
    choices: Choices = NO_CHOICES
    depths: tuple[AtDepth, ...] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self.signature == other.signature

    def __hash__(self) -> int:
        return hash(self.signature)

    def __repr__(self) -> str:
        return f"<Comparison {self.left.name} and {self.right.name}: {self.tted:.4f}, {self.signature}>"

    @property
    def costs(self) -> NDArray[np.float64]:
        """(n+1, m+1) edit costs; the last row and column are the gap.

        >>> result.costs.shape
        (4, 3)
        """
        return self.problem.costs

    @cached_property
    def tted(self) -> float:
        """d, the sum of the script's costs; with a power p, the p-th root of the sum of their p-th powers.

        >>> result.tted
        1.25
        """
        return self.script.cost

    @property
    def proven(self) -> bool:
        """True if the script is proven optimal in its order.

        >>> result.proven
        True
        """
        return self.lower_bound == self.tted

    @property
    def excess(self) -> float:
        """Upper bound of ``tted`` / optimum - 1: 0 if proven, infinite without a lower bound.

        >>> result.excess
        0.0
        """
        if self.proven:
            return 0.0
        return self.tted / self.lower_bound - 1 if self.lower_bound > 0 else math.inf

    def obstacle(self, pair: Pair) -> Obstacle | None:
        """The reason why two nodes can't be paired beside the script's pairs of other nodes; None if they can.

        >>> result.obstacle((2, 0)).rule
        'ancestors'
        """
        others = [each for each in self.script.pairs if each[0] != pair[0] and each[1] != pair[1]]
        return obstacle(self.left.tree, self.right.tree, self.method.order, pair, others)

    @cached_property
    def normalizations(self) -> dict[str, float]:
        """Name -> normalised distance, for each of ``tted_core.arithmetic.NORMALISATIONS``.

        >>> round(result.normalizations["tted_per_reference"], 3)
        0.417
        """
        return self.problem.normalizations(self.tted)

    @property
    def normalised(self) -> dict[str, float]:
        """The old name of ``normalizations``, which 0.4 will no longer have.

        >>> with warnings.catch_warnings(action="ignore"):
        ...     result.normalised == result.normalizations
        True
        """
        warnings.warn("Comparison.normalised is now normalizations", DeprecationWarning, stacklevel=2)
        return self.normalizations

    @property
    def normalized(self) -> float:
        """The published normalisation of the distance, between 0 and 1.

        >>> result.normalized
        0.4
        """
        return self.normalizations["normalized"]

    @property
    def steinhaus(self) -> float:
        """The Steinhaus transform of the distance, between 0 and 1; a metric if ``tted`` is one.

        >>> result.steinhaus
        0.4
        """
        return self.normalizations["steinhaus"]

    @cached_property
    def at_depth(self) -> tuple[AtDepth, ...]:
        """Results of the maps trimmed to k levels, for k = 1 .. the deeper map's depth.

        Unless they are among the ``depths`` given, they are solved on first use, which roughly doubles the work.

        >>> [each.proven for each in result.at_depth]
        [True, True]
        """
        return self.depths or self.solve_depths()

    def solve_depths(self, monitor: Monitor = UNWATCHED) -> tuple[AtDepth, ...]:
        """Solve the maps trimmed to k levels; the method's time limit applies to all of them together.

        A depth keeps the choices whose nodes it has, or ignores them if it can't keep them, since the partners
        are deeper.

        >>> len(result.solve_depths())
        2
        """
        order, limit, levels, found = self.method.order, self.method.time_limit, self.problem.levels, []
        limit = None if limit is None else limit / levels
        for k in range(1, levels):
            monitor.stage(f"Computing TTED@k for k = 1 to {levels}", k / levels)
            trimmed = self.problem.trimmed(k)
            what = f"Computing TTED@{k} of {levels}, of the maps' first levels"
            choices = self.choices.within(*self.problem.nodes_to_depth(k)) if self.choices else NO_CHOICES
            is_free = False
            try:
                best = search(trimmed, order, choices, time_limit=limit, monitor=monitor, what=what)
            except ChoiceError:
                best = search(trimmed, order, time_limit=limit, monitor=monitor, what=what)
                is_free = True
            normalized = trimmed.normalizations(best.upper)["normalized"]
            found.append(AtDepth(best.mapping, best.upper, best.proven, normalized, is_free))
        monitor.stage(f"Computing TTED@k for k = 1 to {levels}", 1.0)
        mapping = tuple((op.source, op.target) for op in self.script.ops)
        return (*found, AtDepth(mapping, self.tted, self.proven, self.normalized))

    @property
    def tted_at(self) -> tuple[float, ...]:
        """TTED@k, of both maps trimmed to k levels, for k = 1 .. the deeper map's depth; not normalized.

        >>> result.tted_at
        (0.0, 1.25)
        """
        return tuple(each.tted for each in self.at_depth)

    @property
    def normalized_at(self) -> tuple[float, ...]:
        """TTED@k normalised as published, for k = 1 .. the deeper map's depth.

        >>> result.normalized_at
        (0.0, 0.4)
        """
        return tuple(each.normalized for each in self.at_depth)

    @property
    def avg_tted(self) -> float:
        """AvgTTED, the mean of ``normalized_at`` (published code).

        >>> result.avg_tted
        0.2
        """
        return float(np.mean(self.normalized_at))

    @property
    def notices(self) -> tuple[str, ...]:
        """Warnings about the comparison.

        >>> result.notices[0][:41]
        'the distance levenshtein is not a metric,'
        """
        found = [*self.input_notices, *self.sentences.notices]
        depths = list(enumerate(self.at_depth, start=1))
        if unproven := ", ".join(str(k) for k, each in depths if not each.proven):
            found.append(
                f"TTED@k is not proven optimal for k = {unproven}: a longer time limit may find a cheaper script"
            )
        if free := ", ".join(str(k) for k, each in depths if each.is_free):
            found.append(f"TTED@k for k = {free} is without your choices: so few levels can't keep them")
        missing = {name: values for name, values in self.suite.items() if isinstance(values, TTEDError)}
        return (*found, *(f"{name} not computed: {error}" for name, error in missing.items()))

    @property
    def hints(self) -> tuple[str, ...]:
        """Suggestions of a better setting for these maps.

        >>> result.hints
        ()
        """
        if self.method.preset != "published" or self.choices or not 0 < self.normalized < PROOFREADING_BELOW:
            return ()
        return (
            (
                f"the maps are similar (normalized distance below {PROOFREADING_BELOW:g}): the preset "
                "proofreading detects single wrong sentences more reliably"
            ),
        )

    @cached_property
    def signature(self) -> str:
        """A line with which the number can be reproduced (:class:`Signature`).

        It states the equivalence threshold if a measure depends on it, and lists a person's choices as preorder
        indices, "-" for the gap: the number is then not the distance of the two maps.

        >>> result.signature.split("|")[0]
        'TTED'
        """
        plain = Signature.of(self.method, self.fingerprint).with_result(
            proven=self.proven, digests=self.digests
        )
        equivalence = sign_equivalence(self.suite, self.equivalence)
        return str(Signature(plain.parts | equivalence | self.choices.parts))
