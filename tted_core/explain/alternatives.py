"""Alternatives: the same two maps under other options, to see which option drives the score.

The page calls them variants; in the core a variant is a map that was changed. Texts are encoded once for all
alternatives of an encoder. The effect of an option is how far the normalized distance moves when it alone is
changed: the range over its settings, averaged over all settings of the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from tted_core.comparing import compare_maps, loaded_distance
from tted_core.comparison import Comparison
from tted_core.distances import Models
from tted_core.encoders.embedding import encoding_once
from tted_core.errors import Interrupted
from tted_core.limits import MAX_ALTERNATIVES, check_limit
from tted_core.method import SEVERAL, Method
from tted_core.monitor import UNWATCHED, Monitor


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

    Raises:
        LimitError: more than ``MAX_ALTERNATIVES`` methods.
        Interrupted: stopped before there was one.
        TTEDError: as ``compare_maps``.
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


def _pairs(comparison: Comparison) -> set[tuple[int, int]]:
    return {
        (op.source, op.target)
        for op in comparison.script.ops
        if op.source is not None and op.target is not None
    }
