"""TTED of two maps: both are prepared, one pair is solved, and the result is a :class:`Comparison`.

The steps are those of :mod:`tted_core.pipeline`; formulas of costs and scores are in :mod:`tted_core.arithmetic`,
algorithms in :mod:`tted_core.solvers`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tted_core.baselines import (
    MEASURES,
    NOT_COMPUTED,
    SUITE,
    Baseline,
    BaselineScore,
    baseline_scores,
)
from tted_core.baselines.suite import EQUIVALENCE, Aligned, ValuesAtDepth, suite_values
from tted_core.comparison import Comparison, report_bounds_to
from tted_core.distances import DISTANCES, Models
from tted_core.errors import MissingExtraError, TTEDError, UnknownNameError, select_baselines
from tted_core.formats import AnyMap, MindMap, as_map
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method
from tted_core.pipeline import Prepared, PreparedMap, Solved, costs_of, prepare, solve_costs
from tted_core.solvers.kernels import report_compiling


def compare_maps(
    left: AnyMap,
    right: AnyMap,
    method: Method,
    models: Models | None = None,
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
        models: the models; if None, those that the method names are loaded.
        baselines: names of ``MEASURES`` to compute as well; those that read vectors use the distance's.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        monitor: receives the stages. Once it is stopped, a search ends with its best script so far; before there
            is one, ``Interrupted`` is raised.
    """
    measures = select_baselines(MEASURES, baselines)
    given = {"the left map": left, "the right map": right}
    prepared, maps = prepare_exactly(
        [(name, as_map(each, name)) for name, each in given.items()], method, models, monitor
    )
    costs = costs_of(prepared, np.array([[0, 1]], dtype=np.int32), method, monitor)  # a chunk of one pair
    monitor.stage("Computing the edit script")
    report_compiling(method.order, costs.costs.size, monitor)
    solved = solve_costs(prepared, costs, method, report_bounds_to(monitor, "Searching"))
    for error in solved.errors.values():
        raise error
    plain = [name for name, each in measures.items() if isinstance(each, Baseline)]
    result = replace(
        comparison_of(solved, 0, (maps[0], maps[1])),
        equivalence=equivalence,
        baselines=baseline_scores(plain, (maps[0].tree, maps[1].tree), prepared.vectors(method), monitor),
    )
    suite = [name for name in measures if name in SUITE]
    known = (models or Models()).of(method.encoder)
    return with_suite(result, suite, known, monitor) if suite else result


def prepare_exactly(
    given: Sequence[tuple[str, MindMap]],
    method: Method,
    models: Models | None = None,
    monitor: Monitor = UNWATCHED,
) -> tuple[Prepared, list[MindMap]]:
    """Prepare maps so that both directions of a comparison give the same bits; return also the maps, trimmed.

    ``given`` has pairs of a map and the words that name it in an error, words first.

    Raises:
        TTEDError: a map can't be compared.
    """
    read = [
        PreparedMap.of(name, each, (method.context,), method.depth, f"nodes in {name}")
        for name, each in given
    ]
    for error in (error for each in read for error in each.errors.values()):
        raise error
    maps = []
    for (_, whole), each in zip(given, read, strict=True):
        kept, nodes = len(each.readable), len(whole.tree)
        notice = f"trimmed to depth {method.depth}: {kept} of {nodes} nodes are compared"
        trimmed = replace(whole, tree=each.readable, notices=(*whole.notices, notice))
        maps.append(whole if kept == nodes else trimmed)
    return prepare(read, (method,), models, notices=False, is_exact=True, monitor=monitor), maps


def comparison_of(solved: Solved, row: int, maps: tuple[MindMap, MindMap]) -> Comparison:
    """The comparison of a solved pair, whose maps as compared are given, without baselines."""
    method, model = solved.method, solved.prepared.model(solved.method)
    left, right = (solved.prepared.maps[number] for number in solved.pairs[row].tolist())
    script, context = solved.script(row), method.context
    texts = (*left.texts[context], *right.texts[context], "")
    of_texts = solved.prepared.distance(method).texts_notices(texts, context)
    return Comparison(
        *maps,
        method.with_model(model.name),
        model.fingerprint,
        (left.digest, right.digest),
        solved.problem(row, by_depth=True),
        solved.sentences(row),
        script,
        script.cost if solved.proven[row] else min(float(solved.lower[row]), script.cost),
        input_notices=tuple(dict.fromkeys((*method.notices, *of_texts))),
    )


def with_depths(result: Comparison, monitor: Monitor = UNWATCHED) -> Comparison:
    """Add the results of the maps trimmed to k levels to a comparison, with the monitor's stages."""
    return result if result.depths else replace(result, depths=result.solve_depths(monitor))


def with_suite(
    result: Comparison, names: Sequence[str], models: Models | None = None, monitor: Monitor = UNWATCHED
) -> Comparison:
    """Add measures of the suite, and the warnings about them, to a comparison."""
    result = with_depths(result, monitor)
    method = result.method
    at_depth = [
        Aligned(result.problem.trimmed(k), found.mapping, method.order, result.equivalence, method.time_limit)
        for k, found in enumerate(result.at_depth, start=1)
    ]
    failed: dict[str, ValuesAtDepth | TTEDError] = {}
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


def compute_baselines(
    result: Comparison, names: Iterable[str], models: Models | None = None, monitor: Monitor = UNWATCHED
) -> dict[str, BaselineScore | TTEDError]:
    """Scores by name of baselines of a comparison's maps, or the errors that prevented them."""
    vectors = None
    if result.method.record.reads == "encoder":
        method = replace(result.method, depth=None)
        maps = [("the left map", result.left), ("the right map", result.right)]
        prepared, _ = prepare_exactly(maps, method, models, monitor)
        vectors = prepared.vectors(method)
    return baseline_scores(names, (result.left.tree, result.right.tree), vectors, monitor)
