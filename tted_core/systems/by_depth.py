"""Measures by depth: TTED@k of all systems, and other measures, on maps trimmed to their first k levels."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from tted_core.batch.settings import BatchOptions
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.systems.documents import Collection
from tted_core.systems.measuring import measure_systems
from tted_core.systems.scores import Scores

DEPTHS = 12
"""Levels to which maps are trimmed, at most."""


def measure_by_depth(
    references: Sequence[Collection],
    systems: Mapping[str, Collection],
    options: BatchOptions,
    levels: int,
    *,
    over: str = "min",
    missing: str = "drop",
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
) -> tuple[Scores, ...]:
    """TTED@k, normalized, and the measures of ``options`` on maps trimmed to k levels, for k = 1 .. ``levels``.

    No more than ``DEPTHS`` levels are looked at.

    Raises:
        TTEDError: as ``measure_systems``.
    """
    kept = [[(name, functools.cache(read)) for name, read in each] for each in references]
    outputs = {
        system: [(name, functools.cache(read)) for name, read in each] for system, each in systems.items()
    }

    @functools.cache
    def load_once(name: str) -> Encoder:
        return encoding_once(load(name))

    depths = []
    for depth in range(1, min(levels, DEPTHS) + 1):
        trimmed = replace(options, methods=tuple(replace(each, depth=depth) for each in options.methods))
        found = measure_systems(
            kept, outputs, trimmed, over=over, missing=missing, load=load_once, monitor=monitor
        ).scores
        measures = {name: found.measures[name] for name in ("normalized", *options.baselines)}
        depths.append(replace(found, measures=measures))
    return tuple(depths)


@dataclass(frozen=True)
class DepthMean:
    """The mean of a measure over n documents, of which all systems have a value, trimmed to k levels."""

    measure: str
    system: str
    k: int
    n: int
    mean: float


def depth_means(depths: Sequence[Scores]) -> tuple[DepthMean, ...]:
    """The means of each measure and system for k = 1, 2, ... levels; none where no document has a value."""
    return tuple(
        DepthMean(measure, system, k, int(whole.sum()), float(values[row, whole].mean()))
        for measure in (depths[0].measures if depths else ())
        for k, scores in enumerate(depths, start=1)
        for values, whole in [(scores.measures[measure], scores.whole(measure))]
        for row, system in enumerate(scores.systems)
        if whole.any()
    )
