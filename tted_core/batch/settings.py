"""What a batch computes for each pair: every setting that its options can be combined to."""

import itertools
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from tted_core.baselines import BASELINES
from tted_core.comparison import check_depth
from tted_core.distances import DISTANCES, Distance, all_settings
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL
from tted_core.errors import OptionsError
from tted_core.formats import ROOTS
from tted_core.presets import DEFAULT
from tted_core.registry import lookup
from tted_core.solvers import SOLVERS
from tted_core.weighing import Gap, checked_gap, checked_power


@dataclass(frozen=True)
class BatchOptions:
    """Names of what to combine, and what holds for all.

    A distance that reads no encoder is computed once, whatever the encoders; what doesn't go with a context makes
    no row. ``time_limit`` is in seconds per pair, for the order that may take long.
    ``roots`` is how the maps were read, ``masked_model`` what distances by one are measured by.
    """

    encoders: tuple[str, ...] = ("minilm",)
    distances: tuple[str, ...] = (DEFAULT.distance,)
    orders: tuple[str, ...] = (DEFAULT.order,)
    contexts: tuple[str, ...] = (DEFAULT.context,)
    gaps: tuple[Gap, ...] = (DEFAULT.gap,)
    powers: tuple[float, ...] = (DEFAULT.power,)
    baselines: tuple[str, ...] = ()
    depth: int | None = None
    time_limit: float | None = None
    roots: str = ROOTS[0]
    masked_model: str = DEFAULT_MASKED_MODEL

    @property
    def described(self) -> dict[str, Any]:
        """As they are written down, to be compared when a run goes on."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()
        }


@dataclass(frozen=True)
class Setting:
    """One combination: a row of each pair."""

    encoder: str
    distance: str
    order: str
    context: str
    gap: Gap
    power: float

    @property
    def record(self) -> Distance:
        """The distance's record."""
        return DISTANCES[self.distance]


def all_combined(options: BatchOptions) -> tuple[Setting, ...]:
    """All settings, those that need the same costs one after another.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: nothing goes with anything, or a gap or a power is none.
        InvalidTreeError: the depth is below 1.
        LimitError: it is above ``MAX_DEPTH``.
    """
    check_depth(options.depth)
    for name in options.orders:
        lookup(SOLVERS, name, "order")
    for name in options.baselines:
        lookup(BASELINES, name, "baseline")
    combined = all_settings(options.encoders, options.contexts, options.distances)
    settings = tuple(
        Setting(
            DISTANCES[distance].model_of(encoder=model, masked_model=options.masked_model) or model,
            *(distance, order, context, checked_gap(gap), checked_power(power)),
        )
        for model, context, distance in combined
        for gap, power in itertools.product(options.gaps, options.powers)
        for order in options.orders
    )
    if not settings:  # not a row would come out
        for distance, context in itertools.product(options.distances, options.contexts):
            DISTANCES[distance].check_goes_with(context)
        raise OptionsError("no order or no distance is named, so there is nothing to compute; name one")
    return settings


def by_costs(settings: tuple[Setting, ...]) -> Iterator[tuple[Setting, tuple[Setting, ...]]]:
    """The settings in groups that need the same costs, each with its first one."""

    def key(each: Setting) -> tuple[str, str, str, Gap, float]:
        return each.encoder, each.context, each.distance, each.gap, each.power

    for _, group in itertools.groupby(settings, key):
        alike = tuple(group)
        yield alike[0], alike
