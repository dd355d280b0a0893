"""Alternatives: the same two maps under other options, in other orders and by another measure.

The page calls them variants; in the core a variant is a map that was changed. Texts are encoded once for all
alternatives of an encoder. The effect of an option is how far the normalized distance moves when it alone is
changed: the range over its settings, averaged over all settings of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from tted_core.baselines.sim import edge_matching
from tted_core.compare import Comparison, compare_maps, loaded_distance, search
from tted_core.distances import Models
from tted_core.encoders.embedding import encoding_once
from tted_core.errors import Interrupted
from tted_core.explain.correspondence import correspondence
from tted_core.foundations.limits import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import SEVERAL, Method
from tted_core.script import edit_script
from tted_core.solvers import SOLVERS
from tted_core.solvers.structure import Pair

MAX_ALTERNATIVES = 200
"""Combinations of options under which two maps are compared at one go."""

ENTRIES = 100_000
"""Of the cost matrix, at most: the orders take some hundredths of a second, the unordered one some tenths."""

UNORDERED_SECONDS = 1.0
"""For the unordered search; a script that is not proven by then says nothing."""


@dataclass(frozen=True)
class Alternative:
    """A comparison by another method; ``same_pairs`` of its node pairs are those of the comparison on hand."""

    method: Method
    comparison: Comparison
    same_pairs: int


def alternatives(
    current: Comparison,
    methods: Sequence[Method],
    models: Models | None = None,
    *,
    monitor: Monitor = UNWATCHED,
) -> tuple[Alternative, ...]:
    """Compare the same two maps by other methods.

    Args:
        current: the comparison on hand, whose maps (as trimmed) are compared and whose pairs are looked for.
        methods: from ``combined``; their depth is left out.
        models: what loads the models; an encoder is loaded once, when its turn comes.
        monitor: watches; once it says stop, those done so far are returned.
    """
    check_limit(len(methods), MAX_ALTERNATIVES, "variants", "choose fewer settings")
    models = models or Models()
    load = models.load_encoder
    models = replace(models, load_encoder=cache(lambda name: encoding_once(load(name))))
    done: list[Alternative] = []
    for count, method in enumerate(methods):
        if monitor.stopped:
            break
        monitor.stage(f"Loading {method.model} for the distance {method.distance}", count / len(methods))
        distance = loaded_distance(replace(method, depth=None), models)
        names = f"{method.model}, {method.context}, {method.distance}, {method.order}"
        stage = f"Variant {count + 1} of {len(methods)}: {names}"
        try:
            comparison = compare_maps(
                current.left,
                current.right,
                replace(method, depth=None),
                distance,
                monitor=monitor.part(count, len(methods), stage),
            )
        except Interrupted:
            break
        done.append(Alternative(method, comparison, same_pairs(current, comparison)))
    if methods and not done:
        raise Interrupted("stopped before the first variant was compared; run them again")
    return tuple(done)


def same_pairs(one: Comparison, other: Comparison) -> int:
    """How many node pairs the mappings of two comparisons of the same maps have in common."""
    return len(_pairs(one) & _pairs(other))


def effects(scores: Mapping[Method, float]) -> dict[str, float]:
    """Option -> how far the score moves when it alone is changed, on average over the other options' settings.

    Args:
        scores: method -> score. An option of which one setting was tried is left out; of an incomplete grid
            those settings of the others count for which at least two of the option were tried.
    """
    found: dict[str, float] = {}
    for option in SEVERAL:
        groups: dict[tuple[object, ...], list[float]] = {}
        for method, score in scores.items():
            others = tuple(value for name, value in method.columns.items() if name != option)
            groups.setdefault(others, []).append(score)
        ranges = [max(group) - min(group) for group in groups.values() if len(group) > 1]
        if ranges:
            found[option] = float(np.mean(ranges))
    return found


def in_place(comparison: Comparison) -> int:
    """How many sentences are the same or reworded in their place."""
    count = correspondence(comparison).counts
    return count["same"] + count["reworded"]


def in_place_by_order(comparison: Comparison, monitor: Monitor = UNWATCHED) -> dict[str, int]:
    """Order -> how many sentences it keeps in their place, of the orders that are quickly solved for these maps.

    Costs are those of the comparison: nothing is encoded. Its own order is always there.
    """
    entries = len(comparison.left.tree) * len(comparison.right.tree)
    found = {comparison.method.order: in_place(comparison)}
    for order in SOLVERS:
        if order in found or monitor.stopped or entries > ENTRIES:
            continue
        limit = UNORDERED_SECONDS if order == "unordered" else None
        solution = search(comparison.problem, order, time_limit=limit)
        if solution.proven:
            trees = comparison.left.tree, comparison.right.tree
            labels = trees[0].labels, trees[1].labels
            script = edit_script(
                *trees, solution.mapping, comparison.costs, labels, power=comparison.method.power
            )
            method = replace(comparison.method, order=order, time_limit=limit)
            found[order] = in_place(
                replace(comparison, method=method, script=script, lower_bound=solution.lower)
            )
    return found


@dataclass(frozen=True)
class Disagreement:
    """Node pairs (source, target) by TTED and by ``rouge_sim``, without the roots, ordered by the left map."""

    both: tuple[Pair, ...]
    only_tted: tuple[Pair, ...]
    only_baseline: tuple[Pair, ...]


def disagreement(comparison: Comparison) -> Disagreement:
    """Hold the script's pairs against the best matching of edges of the baseline ``rouge_sim``.

    A matched edge pairs its lower end with that of its partner, and each node but the root is the lower end of one
    edge, so both measures say of each such node whom it belongs to, or that it has nobody. Edges with no word in
    common count as unmatched.
    """
    tted = {(source, target) for source, target in _pairs(comparison) if source > 0 and target > 0}
    matching = edge_matching(comparison.left.tree, comparison.right.tree)
    baseline = {(one[1], other[1]) for one, other, gain in matching if gain > 0}
    return Disagreement(
        tuple(sorted(tted & baseline)), tuple(sorted(tted - baseline)), tuple(sorted(baseline - tted))
    )


def _pairs(comparison: Comparison) -> set[tuple[int, int]]:
    return {
        (op.source, op.target)
        for op in comparison.script.ops
        if op.source is not None and op.target is not None
    }
