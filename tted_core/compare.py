"""TTED of two maps: the method, step by step (Sobolevsky and Vorontsov, APEIE 2025).

trees -> texts in context -> vectors -> cost matrix -> mapping -> script -> scores. :func:`compare_maps` takes
these steps in order and returns a :class:`Comparison`. Formulas of costs and scores are in
:mod:`tted_core.arithmetic`, algorithms in :mod:`tted_core.solvers`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tted_core.arithmetic import with_gap
from tted_core.baselines import (
    MEASURES,
    NOT_COMPUTED,
    SUITE,
    Baseline,
    BaselineScore,
    baseline_scores,
)
from tted_core.baselines.suite import EQUIVALENCE, Aligned, Values, suite_values
from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS, Context
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import MissingExtraError, TTEDError, UnknownNameError
from tted_core.formats import AnyMap, MindMap, as_map
from tted_core.foundations.limits import MAX_NODES_COMPARED, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import chosen
from tted_core.method import Method
from tted_core.script import edit_script
from tted_core.search import search
from tted_core.sentences import SentenceCosts, sentence_costs
from tted_core.solvers import EditProblem
from tted_core.tree import TextTree


def compare_maps(
    left: AnyMap,
    right: AnyMap,
    method: Method,
    models: Models | LoadedDistance | None = None,
    *,
    baselines: Iterable[str] = (),
    equivalence: float = EQUIVALENCE,
    monitor: Monitor = UNWATCHED,
) -> Comparison:
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


def with_suite(
    result: Comparison, names: Sequence[str], models: Models | None = None, monitor: Monitor = UNWATCHED
) -> Comparison:
    """Add measures of the suite, and the warnings about them, to a comparison."""
    result = with_depths(result, monitor)
    at_depth = _aligned(result)
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
    return replace(result, suite=suite, input_notices=notices)


def with_depths(result: Comparison, monitor: Monitor = UNWATCHED) -> Comparison:
    """Add the results of the maps trimmed to k levels to a comparison, with the monitor's stages."""
    return result if result.depths else replace(result, depths=result.solve_depths(monitor))


def _aligned(result: Comparison) -> list[Aligned]:
    """Input of the suite's measures for k = 1, 2, ... levels."""
    method = result.method
    return [
        Aligned(result.problem.trimmed(k), found.mapping, method.order, result.equivalence, method.time_limit)
        for k, found in enumerate(result.at_depth, start=1)
    ]


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
