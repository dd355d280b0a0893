"""TTED of two maps: the method, step by step (Sobolevsky and Vorontsov, APEIE 2025).

trees -> texts in context -> vectors -> cost matrix -> mapping -> script -> scores. :func:`compare_maps` takes
these steps in order and returns a :class:`Comparison`. Formulas of costs and scores are in
:mod:`tted_core.arithmetic`, algorithms in :mod:`tted_core.solvers`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import with_gap
from tted_core.baselines import (
    MEASURES,
    NOT_COMPUTED,
    SUITE,
    Baseline,
    BaselineScore,
    baseline_scores,
)
from tted_core.baselines.suite import EQUIVALENCE, Aligned, Values, signed_equivalence, suite_values
from tted_core.contexts import CONTEXTS, Context
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import ChoiceError, MissingExtraError, TTEDError, UnknownNameError
from tted_core.formats import AnyMap, MindMap, as_map
from tted_core.foundations.files import ending, write_file
from tted_core.foundations.limits import MAX_NODES_COMPARED, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor, share
from tted_core.foundations.registry import chosen
from tted_core.method import Method, Signature
from tted_core.script import EditScript, edit_script
from tted_core.sentences import SentenceCosts, sentence_costs
from tted_core.solvers import NO_CHOICES, Choices, EditProblem, Mapping, Solution, solve
from tted_core.solvers.kernels import report_compiling
from tted_core.tree import TextTree

if TYPE_CHECKING:
    import pandas as pd


PROOFREADING_BELOW = 0.45
"""Normalized distance (preset published) up to which proofreading detects a replaced sentence more reliably
(docs/quality.md, docs/tables/near.csv)."""


def compare_maps(
    left: AnyMap,
    right: AnyMap,
    method: Method,
    models: Models | LoadedDistance | None = None,
    *,
    baselines: Iterable[str] = (),
    equivalence: float = EQUIVALENCE,
    monitor: Monitor = UNWATCHED,
) -> "Comparison":
    """Compare two maps by a method.

    Args:
        left: the source map.
        right: the target map.
        method: the options.
        models: the models, or the method's distance with its model, to reuse for many comparisons; if None, the
            models that the method names are loaded.
        baselines: names of ``MEASURES`` to compute as well; those that read vectors use the distance's.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        monitor: receives the stages. Once it is stopped, a search ends with its best script so far; before there
            is one, ``Interrupted`` is raised.
    """
    measures = chosen(MEASURES, baselines, "baseline")
    given = as_map(left, "the left map"), as_map(right, "the right map")
    maps = trimmed(given[0], method.depth, "left"), trimmed(given[1], method.depth, "right")
    trees = maps[0].tree, maps[1].tree
    distance, texts = read_texts(*trees, method, models, monitor)
    problem = edit_problem(
        distance, CONTEXTS[method.context], *trees, monitor, by_depth=True, gap=method.gap, power=method.power
    )
    monitor.stage("Computing the edit script")
    solution = search(problem, method.order, time_limit=method.time_limit, monitor=monitor)
    script = edit_script(*trees, solution.mapping, problem.costs, texts, power=method.power)

    model, fingerprint = distance.model
    notices = (*method.notices, *distance.texts_notices((*texts[0], *texts[1], ""), method.context))
    plain = [name for name, each in measures.items() if isinstance(each, Baseline)]
    result = Comparison(
        *maps,
        method.with_model(model),
        fingerprint,
        (given[0].tree.digest, given[1].tree.digest),
        problem,
        compared_sentences(problem, method, distance.vectors),
        script,
        solution.lower,
        baseline_scores(plain, trees, distance.vectors, monitor) if plain else {},
        equivalence=equivalence,
        input_notices=tuple(dict.fromkeys(notices)),
    )
    suite = [name for name in measures if name in SUITE]
    if not suite:
        return result
    known = models if isinstance(models, Models) else Models()
    return with_suite(result, suite, known.of(method.encoder, method.masked_model), monitor)


def trimmed(side: MindMap, depth: int | None, word: str) -> MindMap:
    """Trim a map to ``depth`` levels and check its size; ``word`` (left or right) names it in the error."""
    tree = side.tree if depth is None else side.tree.trimmed(depth)
    way_out = "compare to a smaller depth or split the map"
    check_limit(len(tree), MAX_NODES_COMPARED, f"nodes in the {word} map", way_out)
    if len(tree) == len(side.tree):
        return side
    notice = f"trimmed to depth {depth}: {len(tree)} of {len(side.tree)} nodes are compared"
    return replace(side, tree=tree, notices=(*side.notices, notice))


def read_texts(
    left: TextTree,
    right: TextTree,
    method: Method,
    models: Models | LoadedDistance | None = None,
    monitor: Monitor = UNWATCHED,
) -> tuple[LoadedDistance, tuple[Sequence[str], Sequence[str]]]:
    """Load the method's distance, let it read the texts of two trees, and return it with the nodes' texts."""
    context = CONTEXTS[method.context]
    texts = context.texts(left), context.texts(right)
    distance = models if isinstance(models, LoadedDistance) else loaded_distance(method, models, monitor)
    every_text = (*texts[0], *texts[1], "")
    count = len(set(every_text))
    is_encoded = distance.record.reads == "encoder"
    monitor.stage(f"Encoding {count} texts" if is_encoded else f"Comparing texts ({count})")
    return distance.read(every_text, monitor), texts


def loaded_distance(
    method: Method, models: Models | None = None, monitor: Monitor = UNWATCHED
) -> LoadedDistance:
    """Load the method's distance with its model: one of ``models``, or the one that the method names."""
    models = (models or Models()).of(method.encoder, method.masked_model)
    option = method.record.model_option
    if option and isinstance(getattr(models, option), str):
        monitor.stage(f"Loading the {method.record.reads}")
    return method.record.load(models)


def edit_problem(
    distance: LoadedDistance,
    context: Context,
    left: TextTree,
    right: TextTree,
    monitor: Monitor = UNWATCHED,
    *,
    by_depth: bool = False,
    gap: float | str = 0.0,
    power: float = 1.0,
) -> EditProblem:
    """Both trees with their (n+1, m+1) costs of replacing, deleting and inserting nodes; the gap is last.

    Replacing v by v' costs r(e(v), e(v')); deleting v costs r(e(v), e("")); inserting v' costs r(e(""), e(v')),
    where e is the encoder, "" the empty string and r the distance (section III-A); then the gap is applied.
    With ``by_depth``, costs of the trimmed trees are included if they differ.
    """
    costs = with_gap(distance.costs(context, left, right, monitor), gap)
    levels = max(left.depth, right.depth) if by_depth and context.looks_below else 0
    at_depth = {
        k: with_gap(distance.costs(context, left.trimmed(k), right.trimmed(k)), gap) for k in range(1, levels)
    }
    return EditProblem(left, right, costs, at_depth, power)


def compared_sentences(problem: EditProblem, method: Method, vectors: Encoder | None) -> SentenceCosts:
    """Distances between texts without context; with context for distances that read no vectors."""
    nodes = problem.costs[:-1, :-1]
    if vectors is None:
        return SentenceCosts(nodes)
    known = nodes if method.context == "none" else None
    return sentence_costs(problem.left.labels, problem.right.labels, vectors, method.record.function, known)


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

    def report(_stage: str, lower: float, upper: float) -> None:
        text = f"{what}: best script {upper:.4f}, lower bound {lower:.4f}"
        monitor.stage(text, share(lower, upper))

    report_compiling(order, problem.weights.size, monitor)
    return solve(problem, order, choices, time_limit=time_limit, monitor=monitor.reporting(report))


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
    """Two maps compared by a method: the data for views, reports and the command line.

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
    suite: dict[str, Values | TTEDError] = field(default_factory=dict)
    equivalence: float = EQUIVALENCE
    input_notices: tuple[str, ...] = ()
    choices: Choices = NO_CHOICES

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self.signature == other.signature

    def __hash__(self) -> int:
        return hash(self.signature)

    def __repr__(self) -> str:
        return f"<Comparison {self.left.name} and {self.right.name}: {self.tted:.4f}, {self.signature}>"

    @property
    def costs(self) -> NDArray[np.float64]:
        """(n+1, m+1) edit costs; the last row and column are the gap."""
        return self.problem.costs

    @cached_property
    def tted(self) -> float:
        """d, the sum of the script's costs; with a power p, the p-th root of the sum of their p-th powers."""
        return self.script.cost

    @property
    def proven(self) -> bool:
        """True if the script is proven optimal in its order."""
        return self.lower_bound == self.tted

    @property
    def excess(self) -> float:
        """Upper bound of ``tted`` / optimum - 1: 0 if proven, infinite without a lower bound."""
        if self.proven:
            return 0.0
        return self.tted / self.lower_bound - 1 if self.lower_bound > 0 else math.inf

    @cached_property
    def normalised(self) -> dict[str, float]:
        """Name -> normalised distance, for each of ``tted_core.arithmetic.NORMALISATIONS``."""
        return self.problem.normalised(self.tted)

    @property
    def normalized(self) -> float:
        """The published normalisation of the distance, between 0 and 1."""
        return self.normalised["normalized"]

    @property
    def steinhaus(self) -> float:
        """The Steinhaus transform of the distance, between 0 and 1; a metric if ``tted`` is one."""
        return self.normalised["steinhaus"]

    def solve_depths(self, monitor: Monitor = UNWATCHED) -> tuple[AtDepth, ...]:
        """Solve the maps trimmed to k levels, for k = 1 .. the deeper map's depth; roughly doubles the work.

        Attributes that need TTED@k call it on first use; call it earlier to monitor an order that may take long.
        The method's time limit applies to all depths together. A depth keeps the choices whose nodes it has, or
        ignores them if it can't keep them, since the partners are deeper.
        """
        known: tuple[AtDepth, ...] | None = self.__dict__.get("_depths")
        if known is None:
            known = self.__dict__["_depths"] = tuple(self._solved_depths(monitor))
        return known

    def _solved_depths(self, monitor: Monitor) -> Iterable[AtDepth]:
        levels, limit = self.problem.levels, self.method.time_limit
        for k in range(1, levels):
            monitor.stage(f"Computing TTED@k for k = 1 to {levels}", k / levels)
            problem = self.problem.trimmed(k)
            searching = partial(
                search,
                problem,
                self.method.order,
                time_limit=None if limit is None else limit / levels,
                monitor=monitor,
                what=f"Computing TTED@{k} of {levels}, of the maps' first levels",
            )
            is_free = False
            try:
                found = searching(self.choices.within(*self.problem.kept(k)))
            except ChoiceError:
                found, is_free = searching(), True
            normalized = problem.normalised(found.upper)["normalized"]
            yield AtDepth(found.mapping, found.upper, found.proven, normalized, is_free)
        monitor.stage(f"Computing TTED@k for k = 1 to {levels}", 1.0)
        mapping = tuple((op.source, op.target) for op in self.script.ops)
        yield AtDepth(mapping, self.tted, self.proven, self.normalized)

    @property
    def tted_at(self) -> tuple[float, ...]:
        """TTED@k, of both maps trimmed to k levels, for k = 1 .. the deeper map's depth; not normalized."""
        return tuple(each.tted for each in self.solve_depths())

    @property
    def normalized_at(self) -> tuple[float, ...]:
        """TTED@k normalised as published, for k = 1 .. the deeper map's depth."""
        return tuple(each.normalized for each in self.solve_depths())

    @property
    def avg_tted(self) -> float:
        """AvgTTED, the mean of ``normalized_at`` (published code)."""
        return float(np.mean(self.normalized_at))

    def aligned(self) -> list[Aligned]:
        """Input of the suite's measures for k = 1, 2, ... levels."""
        return [
            Aligned(
                self.problem.trimmed(k),
                found.mapping,
                self.method.order,
                self.equivalence,
                self.method.time_limit,
            )
            for k, found in enumerate(self.solve_depths(), start=1)
        ]

    @property
    def notices(self) -> tuple[str, ...]:
        """Warnings about the comparison."""
        found = list(self.input_notices)
        depths = list(enumerate(self.solve_depths(), start=1))
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
        """Suggestions of a better setting for these maps."""
        if self.method.preset != "published" or self.choices or not 0 < self.normalized < PROOFREADING_BELOW:
            return ()
        near = f"the maps are similar (normalized distance below {PROOFREADING_BELOW:g})"
        return (f"{near}: the preset proofreading detects single wrong sentences more reliably",)

    @cached_property
    def signature(self) -> str:
        """A line with which the number can be reproduced (:class:`Signature`).

        It states the equivalence threshold if a measure depends on it, and lists a person's choices as preorder
        indices, "-" for the gap: the number is then not the distance of the two maps.
        """
        plain = Signature.of(self.method, self.fingerprint).signing(proven=self.proven, digests=self.digests)
        made = {
            word: ",".join(f"{'-' if v is None else v}~{'-' if w is None else w}" for v, w in entries)
            for word, entries in (("forced", self.choices.forced), ("forbidden", self.choices.forbidden))
            if entries
        }
        return str(Signature(plain.parts | signed_equivalence(self.suite, self.equivalence) | made))

    @property
    def statuses(self) -> dict[str, int]:
        """Number of sentences by status: same, reworded, moved, merged, split, replaced, missing and extra."""
        from tted_core.explain.correspondence import correspondence

        return {str(status): count for status, count in correspondence(self).counts.items()}

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON-compatible data (:mod:`tted_core.report.as_json`)."""
        from tted_core.report.as_json import described

        return described(self)

    def to_frame(self) -> "pd.DataFrame":
        """The edit script as a table, one row per operation; shares are of the distance (to the power p).

        A sentence's status is given on one of its two sides only, so that both status columns together add up to
        ``statuses``.
        """
        from tted_core.report.exports import script_frame

        return script_frame(self)

    def save(self, file: str | Path) -> None:
        """Write a file, creating its folder: .html (a report), .json, .csv, .tex, .svg, .png or .pdf."""
        from tted_core.report.exports import written

        write_file(file, written(self, ending(file)))

    def _repr_html_(self) -> str:
        from tted_core.report.outline_picture import outline_picture

        # As HTML: a plain drawing that is wider than the notebook's cell would be cut off.
        return outline_picture(self).replace("<svg ", '<svg style="max-width: 100%; height: auto" ', 1)


def with_suite(
    result: Comparison, names: Sequence[str], models: Models | None = None, monitor: Monitor = UNWATCHED
) -> Comparison:
    """Add measures of the suite, and the warnings about them, to a comparison."""
    depths = result.solve_depths(monitor)
    at_depth = result.aligned()
    failed: dict[str, Values | TTEDError] = {}
    notices = result.input_notices
    if "linear_bertscore" in names:
        try:
            words = DISTANCES["bertscore"].load(models)
        except (*NOT_COMPUTED, MissingExtraError, UnknownNameError) as error:
            failed["linear_bertscore"] = error
        else:
            at_depth = [replace(maps, bertscore=words.reader.f1) for maps in at_depth]
            notices = tuple(dict.fromkeys((*notices, *words.texts_notices(at_depth[-1].texts, "none"))))
    suite = result.suite | suite_values([name for name in names if name not in failed], at_depth) | failed
    found = replace(result, suite=suite, input_notices=notices)
    found.__dict__["_depths"] = depths
    return found


def computed_baselines(
    left: TextTree,
    right: TextTree,
    method: Method,
    baselines: Iterable[str],
    models: Models | None = None,
    *,
    monitor: Monitor = UNWATCHED,
) -> dict[str, BaselineScore | TTEDError]:
    """Scores by name of baselines of two trees as compared, or the errors that prevented them."""
    reads_vectors = method.record.reads == "encoder"
    vectors = read_texts(left, right, method, models, monitor)[0].vectors if reads_vectors else None
    return baseline_scores(baselines, (left, right), vectors, monitor)
