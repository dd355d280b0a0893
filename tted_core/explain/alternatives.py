"""Alternatives: the same two maps under other options, to see which option drives the score.

The page calls them variants; in the core a variant is a map that was changed. Texts are encoded once for all
alternatives of an encoder. The effect of an option is how far the normalized distance moves when it alone is
changed: the range over its settings, averaged over all settings of the others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

import numpy as np

from tted_core.comparing import compare
from tted_core.comparison import Comparison
from tted_core.distances import DISTANCES, Models, all_settings
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import Interrupted
from tted_core.limits import MAX_ALTERNATIVES, check_limit
from tted_core.monitor import UNWATCHED, Monitor

Settings: TypeAlias = tuple[str, str, str, str]
"""Encoder (or the model that the distance reads instead, "none" if none), context, distance, order."""

OPTIONS = ("encoder", "context", "distance", "order")


@dataclass(frozen=True)
class Alternative:
    """A comparison under some settings; ``same_pairs`` of its node pairs are those of the comparison on hand."""

    settings: Settings
    comparison: Comparison
    same_pairs: int


def alternatives(
    current: Comparison,
    encoders: Mapping[str, Callable[[], Encoder]],
    contexts: Sequence[str],
    distances: Sequence[str],
    orders: Sequence[str],
    *,
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> tuple[Alternative, ...]:
    """Compare the same two maps under all combinations of these settings, with gap and power as they are.

    Args:
        current: the comparison on hand, whose maps (as trimmed) are compared and whose pairs are looked for.
        encoders: name -> a function that loads the encoder; called when its turn comes.
        contexts: names of ``CONTEXTS``.
        distances: names of ``DISTANCES``.
        orders: names of ``SOLVERS``.
        time_limit: seconds for each alternative in an order that may take long.
        monitor: watches; once it says stop, those done so far are returned.

    Raises:
        LimitError: more than ``MAX_ALTERNATIVES`` combinations.
        Interrupted: stopped before there was one.
        TTEDError: what ``compare`` says of the settings.
    """
    wanted = combinations(tuple(encoders), contexts, distances, orders)
    check_limit(len(wanted), MAX_ALTERNATIVES, "variants", "choose fewer settings")
    done: list[Alternative] = []
    loaded = cache(lambda name: encoding_once(encoders[name]()))
    for count, (name, context, distance, order) in enumerate(wanted):
        if monitor.stopped:
            break
        monitor.stage(f"Loading {name} for the distance {distance}", count / len(wanted))
        ready = DISTANCES[distance].load(Models(name, name, loaded))
        stage = f"Variant {count + 1} of {len(wanted)}: {name}, {context}, {distance}, {order}"
        try:
            comparison = compare(
                current.left,
                current.right,
                context=context,
                distance=ready,
                order=order,
                gap=current.options.gap,
                power=current.options.power,
                time_limit=time_limit,
                monitor=monitor.part(count, len(wanted), stage),
            )
        except Interrupted:
            break
        done.append(
            Alternative((name, context, distance, order), comparison, same_pairs(current, comparison))
        )
    if wanted and not done:
        raise Interrupted("stopped before the first variant was compared; run them again")
    return tuple(done)


def combinations(
    encoders: Sequence[str], contexts: Sequence[str], distances: Sequence[str], orders: Sequence[str]
) -> list[Settings]:
    """All settings that go together."""
    return [(*each, order) for each in all_settings(encoders, contexts, distances) for order in orders]


def same_pairs(one: Comparison, other: Comparison) -> int:
    """How many node pairs the mappings of two comparisons of the same maps have in common."""
    return len(_pairs(one) & _pairs(other))


def effects(scores: Mapping[Settings, float]) -> dict[str, float]:
    """Option -> how far the score moves when it alone is changed, on average over the other options' settings.

    Args:
        scores: settings -> score. An option of which one setting was tried is left out; of an incomplete grid
            those settings of the others count for which at least two of the option were tried.
    """
    found: dict[str, float] = {}
    for place, option in enumerate(OPTIONS):
        groups: dict[tuple[str, ...], list[float]] = {}
        for settings, score in scores.items():
            groups.setdefault((*settings[:place], *settings[place + 1 :]), []).append(score)
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
