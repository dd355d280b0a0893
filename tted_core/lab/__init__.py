"""Evaluation of settings: quality coefficients, graded edits of a map, and agreement with people.

Measures are functions of two trees: TTED under some settings, and the baselines.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import TypeAlias

from tted_core.baselines import BASELINES, NOT_COMPUTED
from tted_core.compare import compare_maps
from tted_core.distances import Models
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.foundations.registry import lookup
from tted_core.method import Method
from tted_core.tree import TextTree

Measure: TypeAlias = Callable[[TextTree, TextTree], float | None]
"""A distance between two trees; None where it is undefined."""


def map_measures(
    methods: Iterable[Method], encoder: str | Encoder, baselines: Iterable[str] = ()
) -> dict[str, Measure]:
    """Name -> measure: normalized TTED by each method and rho_base of the baselines, all with one encoder.

    Raises:
        UnknownNameError: unknown name.
    """
    measures: dict[str, Measure] = {}
    models = Models(encoder)
    for method in methods:
        others = (name for name in (method.distance, method.context) if name not in {"cosine", "none"})
        measures[f"TTED {', '.join((method.order, *others))}"] = partial(
            _normalized, method=method, models=models
        )
    vectors = cache(partial(_vectors, encoder))  # loaded on first use
    for name in baselines:
        lookup(BASELINES, name, "baseline")
        measures[name] = partial(_rho_base, name=name, vectors=vectors)
    return measures


def _normalized(left: TextTree, right: TextTree, *, method: Method, models: Models) -> float:
    return compare_maps(left, right, method, models).normalized


def _vectors(encoder: str | Encoder) -> Encoder:
    return encoding_once(load_encoder(encoder) if isinstance(encoder, str) else encoder)


def _rho_base(left: TextTree, right: TextTree, *, name: str, vectors: Callable[[], Encoder]) -> float | None:
    baseline = BASELINES[name]
    try:
        return baseline(left, right, vectors() if baseline.reads == "encoder" else None).dissimilarity
    except NOT_COMPUTED:
        return None
