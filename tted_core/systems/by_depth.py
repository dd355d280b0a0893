"""The score by depth: TTED@k of all systems, on maps trimmed to their first k levels."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

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
    """TTED@k, normalized: the scores of the maps trimmed to k levels, for k = 1 .. ``levels``.

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
        trimmed = BatchOptions(
            tuple(replace(each, depth=depth) for each in options.methods), roots=options.roots
        )
        found = measure_systems(
            kept, outputs, trimmed, over=over, missing=missing, load=load_once, monitor=monitor
        ).scores
        depths.append(replace(found, measures={"normalized": found.measures["normalized"]}))
    return tuple(depths)
