"""compare_maps(): the method, from two maps to everything that is said of them.

tree -> context -> texts -> distance -> costs -> search -> scores and script (Sobolevsky and Vorontsov 2025). Each
step is a module of its own; here they are only put one after another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tted_core.baselines import BASELINES, MEASURES, NOT_COMPUTED, SUITE, Baseline, BaselineScore
from tted_core.baselines.suite import EQUIVALENCE, Aligned, Values, checked_equivalence, suite_values
from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS
from tted_core.costs import edit_problem
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.distances.by_models import text_f1
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import MissingExtraError, UnknownNameError
from tted_core.formats import AnyMap, MindMap, as_map
from tted_core.foundations.limits import MAX_NODES_COMPARED, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor, checked_monitor
from tted_core.foundations.registry import chosen
from tted_core.method import Method
from tted_core.script import edit_script
from tted_core.search import Search, solve_and_score
from tted_core.solvers import EditProblem, Solution
from tted_core.tree import TextTree

if TYPE_CHECKING:
    from tted_core.errors import TTEDError


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
        models: the models, or the method's distance with its model, for many comparisons; those that the method
            names are loaded if None.
        baselines: names of ``MEASURES`` to compute besides; those that read vectors take the distance's.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        monitor: watches the stages. Once it says stop, a search ends with its best script so far; before there
            is one, ``Interrupted`` is raised.

    Raises:
        UnknownNameError: a baseline that isn't known.
        MapFormatError: a side is no map, or its file can't be read as one.
        OptionsError: BERTScore with an encoder that is a function, or ``equivalence`` is no distance.
        LimitError: more than ``MAX_NODES_COMPARED`` nodes in a map.
        EncoderError: the encoder can't be had or its vectors can't be used.
        SolverError: the solver's result failed the independent check.
        Interrupted: stopped before there was a script.
    """
    monitor = checked_monitor(monitor)
    equivalence = checked_equivalence(equivalence)
    measures = chosen(MEASURES, baselines, "baseline")
    context = CONTEXTS[method.context]
    maps = (as_map(left, "the left map"), as_map(right, "the right map"))
    compared = (trimmed(maps[0], method.depth, "left"), trimmed(maps[1], method.depth, "right"))
    trees = (compared[0].tree, compared[1].tree)
    distance, texts = read_texts(*trees, method, models, monitor)
    every_text = (*texts[0], *texts[1], "")
    problem = edit_problem(
        distance, context, *trees, monitor, by_depth=True, gap=method.gap, power=method.power
    )

    monitor.stage("Computing the edit script")
    search = Search(method.order, time_limit=method.time_limit, monitor=monitor)
    solutions, scores = solve_and_score(problem, search, by_depth=True)
    script = edit_script(*trees, solutions[-1].mapping, problem.costs, texts, power=method.power)

    beside = {
        name: _scored(name, each, trees, distance.vectors, monitor)
        for name, each in measures.items()
        if isinstance(each, Baseline)
    }
    names = [name for name in measures if name in SUITE]
    at_depth = aligned(problem, solutions, method, equivalence) if names else ()
    suite, told = _suite(names, at_depth, method, models)

    model, fingerprint = distance.model
    return Comparison(
        left=compared[0],
        right=compared[1],
        method=method.with_model(model),
        fingerprint=fingerprint,
        digests=(maps[0].tree.digest, maps[1].tree.digest),
        problem=problem,
        script=script,
        scores=scores,
        baselines=beside,
        suite=suite,
        equivalence=equivalence,
        input_notices=tuple(
            dict.fromkeys((*method.notices, *distance.texts_notices(every_text, method.context), *told))
        ),
    )


def computed_baselines(
    left: TextTree,
    right: TextTree,
    method: Method,
    baselines: Iterable[str],
    models: Models | None = None,
    *,
    monitor: Monitor = UNWATCHED,
) -> dict[str, "BaselineScore | TTEDError"]:
    """Baselines alone of two trees, as ``compare_maps`` computes them besides.

    Args:
        left: the source tree, already trimmed to the method's depth.
        right: the target tree, likewise.
        method: tells the encoder; one whose distance reads no vectors of sentences has none.
        baselines: names of ``BASELINES``.
        models: as ``compare_maps`` takes them.
        monitor: watches the stages.

    Returns:
        The scores by name; why, of those that can't be computed.

    Raises:
        UnknownNameError: a baseline that isn't known.
        EncoderError: the model can't be had or its vectors can't be used.
        Interrupted: the monitor says stop.
    """
    measures = chosen(BASELINES, baselines, "baseline")
    reads_vectors = method.record.reads == "encoder"
    vectors = read_texts(left, right, method, models, monitor)[0].vectors if reads_vectors else None
    return {name: _scored(name, each, (left, right), vectors, monitor) for name, each in measures.items()}


def _scored(
    name: str,
    baseline: Baseline,
    trees: tuple[TextTree, TextTree],
    vectors: Encoder | None,
    monitor: Monitor,
) -> "BaselineScore | TTEDError":
    monitor.stage(f"Computing the baseline {name}")
    try:
        return baseline(*trees, vectors)
    except NOT_COMPUTED as error:  # the distance stands without it; the reader is told
        return error


def _suite(
    names: Sequence[str],
    at_depth: Sequence[Aligned],
    method: Method,
    models: Models | LoadedDistance | None,
) -> tuple[dict[str, "Values | TTEDError"], tuple[str, ...]]:
    """The measures of the suite by their names, and what a reader of them should know."""
    if "linear_bertscore" not in names:
        return suite_values(names, at_depth), ()
    known = models if isinstance(models, Models) else Models()
    try:
        words = DISTANCES["bertscore"].load(known.of(method.encoder, method.masked_model))
    except (*NOT_COMPUTED, MissingExtraError, UnknownNameError) as error:
        others = [name for name in names if name != "linear_bertscore"]
        return suite_values(others, at_depth) | {"linear_bertscore": error}, ()
    scored = [replace(maps, bertscore=partial(text_f1, words)) for maps in at_depth]
    return suite_values(names, scored), words.texts_notices(at_depth[-1].texts, "none")


def aligned(
    problem: EditProblem,
    solutions: Sequence[Solution],
    method: Method,
    equivalence: float,
) -> list[Aligned]:
    """What measures of the suite read, for k = 1, 2, ... levels: the solutions are those of the trimmed maps."""
    return [
        Aligned(problem.trimmed(k), found.mapping, method.order, equivalence, method.time_limit)
        for k, found in enumerate(solutions, start=1)
    ]


def read_texts(
    left: TextTree,
    right: TextTree,
    method: Method,
    models: Models | LoadedDistance | None = None,
    monitor: Monitor = UNWATCHED,
) -> tuple[LoadedDistance, tuple[Sequence[str], Sequence[str]]]:
    """The method's distance, which has asked its model for what two trees need, and the texts of their nodes.

    Raises:
        EncoderError: the model can't be had or its vectors can't be used.
        OptionsError: BERTScore with an encoder that is a function.
        Interrupted: the monitor says stop.
    """
    context = CONTEXTS[method.context]
    texts = (context.texts(left), context.texts(right))
    every_text = (*texts[0], *texts[1], "")
    distance = models if isinstance(models, LoadedDistance) else loaded_distance(method, models, monitor)
    monitor.stage(distance.stage.format(len(set(every_text))))
    return distance.read(every_text, monitor), texts


def loaded_distance(
    method: Method, models: Models | None = None, monitor: Monitor = UNWATCHED
) -> LoadedDistance:
    """The method's distance with the model that it reads, of these models or of those that the method names.

    Raises:
        EncoderError: the model can't be had.
        OptionsError: BERTScore with an encoder that is a function.
    """
    models = (models or Models()).of(method.encoder, method.masked_model)
    if isinstance(method.record.model_of(encoder=models.encoder, masked_model=models.masked_model), str):
        monitor.stage(f"Loading the {method.record.reads}")
    return method.record.load(models)


def trimmed(side: MindMap, depth: int | None, word: str) -> MindMap:
    """The map to compare; ``word`` (left or right) is for the message if it is too large.

    Raises:
        LimitError: more than ``MAX_NODES_COMPARED`` nodes.
    """
    tree = side.tree if depth is None else side.tree.trimmed(depth)
    way_out = "compare to a smaller depth or split the map"
    check_limit(len(tree), MAX_NODES_COMPARED, f"nodes in the {word} map", way_out)
    if len(tree) == len(side.tree):
        return side
    notice = f"trimmed to depth {depth}: {len(tree)} of {len(side.tree)} nodes are compared"
    return replace(side, tree=tree, notices=(*side.notices, notice))
