"""Measures of two maps: TTED under some settings, and the baselines, each as a function of two trees."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import TypeAlias

from tted_core.baselines import BASELINES, NOT_COMPUTED
from tted_core.comparing import compare
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.presets import DEFAULT
from tted_core.registry import lookup
from tted_core.tree import TextTree
from tted_core.weighing import Gap

Measure: TypeAlias = Callable[[TextTree, TextTree], float | None]
"""A distance between two trees; None where it is undefined."""


def map_measures(
    encoder: str | Encoder,
    *,
    distances: Iterable[str] = ("cosine",),
    orders: Iterable[str] = ("ordered", "constrained"),
    contexts: Iterable[str] = ("none", "ancestors"),
    baselines: Iterable[str] = (),
    gap: Gap = DEFAULT.gap,
    power: float = DEFAULT.power,
    time_limit: float | None = None,
) -> dict[str, Measure]:
    """Name -> measure: normalized TTED for every combination of settings, and rho_base of the baselines.

    Raises:
        UnknownNameError: a name that isn't known; for settings of TTED, once the measure is used.
    """
    measures: dict[str, Measure] = {}
    for distance in distances:
        for order in orders:
            for context in contexts:
                parts = (order, *(name for name in (distance, context) if name not in {"cosine", "none"}))
                measures[f"TTED {', '.join(parts)}"] = partial(
                    _normalized,
                    encoder=encoder,
                    distance=distance,
                    order=order,
                    context=context,
                    gap=gap,
                    power=power,
                    time_limit=time_limit,
                )
    vectors = cache(partial(_vectors, encoder))  # loaded when it is first asked
    for name in baselines:
        lookup(BASELINES, name, "baseline")
        measures[name] = partial(_rho_base, name=name, vectors=vectors)
    return measures


def _normalized(
    left: TextTree,
    right: TextTree,
    *,
    encoder: str | Encoder,
    distance: str,
    order: str,
    context: str,
    gap: Gap,
    power: float,
    time_limit: float | None,
) -> float:
    return compare(
        left,
        right,
        encoder=encoder,
        distance=distance,
        order=order,
        context=context,
        gap=gap,
        power=power,
        time_limit=time_limit,
    ).normalized


def _vectors(encoder: str | Encoder) -> Encoder:
    return encoding_once(load_encoder(encoder) if isinstance(encoder, str) else encoder)


def _rho_base(left: TextTree, right: TextTree, *, name: str, vectors: Callable[[], Encoder]) -> float | None:
    baseline = BASELINES[name]
    try:
        return baseline(left, right, vectors() if baseline.reads == "encoder" else None).rho_base
    except NOT_COMPUTED:
        return None
