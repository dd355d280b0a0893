"""TTED of two maps: the method, step by step (Sobolevsky and Vorontsov, APEIE 2025).

trees -> texts in context -> vectors -> cost matrix -> mapping -> script -> scores. :func:`compare_maps` takes
these steps one after another, and a :class:`Comparison` is what comes out. The formulas of costs and scores stand
in :mod:`tted_core.arithmetic`, the algorithms in :mod:`tted_core.solvers`.
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
from tted_core.distances.by_models import text_f1
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import ChoiceError, MissingExtraError, TTEDError, UnknownNameError
from tted_core.formats import AnyMap, MindMap, as_map
from tted_core.foundations.files import ending, write_file
from tted_core.foundations.limits import MAX_NODES_COMPARED, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor, share
from tted_core.foundations.registry import chosen
from tted_core.method import Method
from tted_core.script import EditScript, edit_script
from tted_core.sentences import SentenceCosts, sentence_costs
from tted_core.signature import Signature
from tted_core.solvers import NO_CHOICES, Choices, EditProblem, Mapping, Solution, solve
from tted_core.solvers.kernels import first_use
from tted_core.tree import TextTree

if TYPE_CHECKING:
    import pandas as pd

    from tted_core.report.notebook import Picture

PROOFREADING_BELOW = 0.45
"""Up to this normalized distance by the preset published, proofreading finds a replaced sentence more surely
(``benchmarks/proofreading_bound.py``, docs/quality.md)."""


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
        models: the models, or the method's distance with its model, for many comparisons; those that the method
            names are loaded if None.
        baselines: names of ``MEASURES`` to compute besides; those that read vectors take the distance's.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        monitor: watches the stages. Once it says stop, a search ends with its best script so far; before there
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
    told = (*method.notices, *distance.texts_notices((*texts[0], *texts[1], ""), method.context))
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
        input_notices=tuple(dict.fromkeys(told)),
    )
    suite = [name for name in measures if name in SUITE]
    if not suite:
        return result
    known = models if isinstance(models, Models) else Models()
    return with_suite(result, suite, known.of(method.encoder, method.masked_model), monitor)


def trimmed(side: MindMap, depth: int | None, word: str) -> MindMap:
    """The map to compare; ``word`` (left or right) is for the message if it is too large."""
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
    """The method's distance, which has asked its model for what two trees need, and the texts of their nodes."""
    context = CONTEXTS[method.context]
    texts = context.texts(left), context.texts(right)
    distance = models if isinstance(models, LoadedDistance) else loaded_distance(method, models, monitor)
    every_text = (*texts[0], *texts[1], "")
    monitor.stage(distance.stage.format(len(set(every_text))))
    return distance.read(every_text, monitor), texts


def loaded_distance(
    method: Method, models: Models | None = None, monitor: Monitor = UNWATCHED
) -> LoadedDistance:
    """The method's distance with the model that it reads, of these models or of those that the method names."""
    models = (models or Models()).of(method.encoder, method.masked_model)
    if isinstance(method.record.model_of(encoder=models.encoder, masked_model=models.masked_model), str):
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
    """Both trees with what replacing, deleting and inserting each node costs: (n+1, m+1), the gap last.

    Replacing v by v' costs r(e(v), e(v')); deleting v costs r(e(v), e("")); inserting v' costs r(e(""), e(v')),
    where e is the encoder, "" the empty string and r the distance (section III-A); then the gap sets its price.
    With ``by_depth`` the costs of all trimmed trees are among them where these differ.
    """
    costs = with_gap(distance.costs(context, left, right, monitor), gap)
    levels = max(left.depth, right.depth) if by_depth and context.looks_below else 0
    at_depth = {
        k: with_gap(distance.costs(context, left.trimmed(k), right.trimmed(k)), gap) for k in range(1, levels)
    }
    return EditProblem(left, right, costs, at_depth, power)


def compared_sentences(problem: EditProblem, method: Method, vectors: Encoder | None) -> SentenceCosts:
    """The distances between texts read by themselves; in context, of a distance that reads no vectors."""
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
    """The cheapest mapping that keeps the choices, checked; its bounds are told as a stage called ``what``."""

    def tell(_stage: str, lower: float, upper: float) -> None:
        text = f"{what}: the best script costs {upper:.4f}, none less than {lower:.4f}"
        monitor.stage(text, share(lower, upper))

    with first_use(order, problem.weights.size, monitor):
        return solve(problem, order, choices, time_limit=time_limit, monitor=monitor.telling(tell))


class AtDepth(NamedTuple):
    """What is known of the maps trimmed to k levels.

    Attributes:
        mapping: of the cheapest script found.
        tted: what it costs.
        proven: whether none costs less.
        normalized: its normalized distance.
        is_free: whether no mapping keeps a person's choices there, so that this one is free of them.
    """

    mapping: Mapping
    tted: float
    proven: bool
    normalized: float
    is_free: bool = False


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two maps compared by a method: everything that a view, a report or the command line needs.

    Comparisons are equal when their signatures are: the same maps by the same method and model.

    Attributes:
        left: the source map, as compared (trimmed to ``method.depth``); its tree has n nodes.
        right: the target map, likewise; m nodes.
        method: the options, with the name of the model that was read.
        fingerprint: of the model that was read.
        digests: SHA-256 of both trees as they were given.
        problem: both trees as compared and their (n+1, m+1) edit costs.
        sentences: the distances between their texts without context, on which no score depends.
        script: the optimal edit script, or the best one found.
        lower_bound: certified lower bound of the distance; equal to ``tted`` when proven.
        baselines: each baseline's score, or why there is none.
        suite: each measure of the suite for k = 1 .. the deeper map's depth, or why there is none.
        equivalence: the distance up to which two nodes are equivalent, for the suite.
        input_notices: what a reader of the numbers should know of texts, model and options.
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
        """(n+1, m+1) edit costs, the last row and column being the gap."""
        return self.problem.costs

    @cached_property
    def tted(self) -> float:
        """d, the sum of the script's costs; with a power p, the p-th root of the sum of their p-th powers."""
        return self.script.cost

    @property
    def proven(self) -> bool:
        """Whether the script is proven optimal in its order."""
        return self.lower_bound == self.tted

    @property
    def excess(self) -> float:
        """By which share of the optimum ``tted`` may lie above it: 0 when proven, infinite without a bound."""
        if self.proven:
            return 0.0
        return self.tted / self.lower_bound - 1 if self.lower_bound > 0 else math.inf

    @cached_property
    def normalised(self) -> dict[str, float]:
        """Name -> normalised distance, for each of ``tted_core.arithmetic.NORMALISATIONS``."""
        return self.problem.normalised(self.tted)

    @property
    def normalized(self) -> float:
        """By the published normalisation, between 0 and 1."""
        return self.normalised["normalized"]

    @property
    def steinhaus(self) -> float:
        """By the Steinhaus transform, between 0 and 1; a metric wherever ``tted`` is one."""
        return self.normalised["steinhaus"]

    def solve_depths(self, monitor: Monitor = UNWATCHED) -> tuple[AtDepth, ...]:
        """Solve the maps trimmed to k levels, for k = 1 .. the deeper map's depth: about as much work again.

        Whatever tells of TTED@k does so when it is read first; call it before to watch an order that may take
        long, which has the method's time limit for all depths together. A depth keeps those choices whose nodes
        it has, and none if it can't, since the partners are below.
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
        """The same by the published normalisation."""
        return tuple(each.normalized for each in self.solve_depths())

    @property
    def avg_tted(self) -> float:
        """AvgTTED, the mean of ``normalized_at`` (published code)."""
        return float(np.mean(self.normalized_at))

    def aligned(self) -> list[Aligned]:
        """What measures of the suite read, for k = 1, 2, ... levels."""
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
        """What a reader of the numbers should know."""
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
        """What another setting would tell more surely, if one would."""
        if self.method.preset != "published" or self.choices or not 0 < self.normalized < PROOFREADING_BELOW:
            return ()
        near = f"the maps are near each other (normalized distance below {PROOFREADING_BELOW:g})"
        return (f"{near}: the preset proofreading finds single wrong sentences more surely",)

    @cached_property
    def signature(self) -> str:
        """One line that lets a reader repeat the number (:class:`Signature`).

        It states the threshold of equivalence where a measure depends on it, and lists a person's choices as
        preorder indices, "-" for the gap: the number is then not the distance of the two maps.
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
        """How many sentences are the same, reworded, moved, merged, split, replaced, missing and extra."""
        from tted_core.explain.correspondence import correspondence

        return {str(status): count for status, count in correspondence(self).counts.items()}

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it (:mod:`tted_core.report.as_json`)."""
        from tted_core.report.as_json import described

        return described(self)

    def to_frame(self) -> "pd.DataFrame":
        """The edit script as a table, a row for each operation; shares are of the distance (to the power p).

        What became of a sentence stands at one of its ends alone, so that both columns of statuses together count
        as ``statuses`` does.
        """
        from tted_core.report.notebook import script_frame

        return script_frame(self)

    def save(self, file: str | Path) -> None:
        """Write a file, and its folder, by its ending: .html (a report), .json, .csv, .tex, .svg, .png or .pdf."""
        from tted_core.report.exports import written

        write_file(file, written(self, ending(file)))

    def figure(self) -> "Picture":
        """Both maps as a picture that notebooks show and whose ``save("name.png")`` writes it (.svg, .pdf)."""
        from tted_core.report.notebook import Picture
        from tted_core.report.outline_picture import outline_picture

        return Picture(outline_picture(self))

    def _repr_html_(self) -> str:
        from tted_core.report.notebook import notebook_html

        return notebook_html(self)


def with_suite(
    result: Comparison, names: Sequence[str], models: Models | None = None, monitor: Monitor = UNWATCHED
) -> Comparison:
    """The comparison with measures of the suite beside it, and with what a reader of them should know."""
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
            at_depth = [replace(maps, bertscore=partial(text_f1, words.reader)) for maps in at_depth]
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
    """Baselines alone of two trees as compared: the scores by name; why, of those that can't be computed."""
    reads_vectors = method.record.reads == "encoder"
    vectors = read_texts(left, right, method, models, monitor)[0].vectors if reads_vectors else None
    return baseline_scores(baselines, (left, right), vectors, monitor)
