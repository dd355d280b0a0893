"""Evaluation of settings: quality coefficients, graded edits of a map, and agreement with people.

Measures are functions of two trees: TTED under some settings, and the baselines by words.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from tted_core.baselines import BASELINES, NOT_COMPUTED
from tted_core.compare import compare_maps
from tted_core.distances import Models
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.method import Method
from tted_core.tree import TextTree

_Measure: TypeAlias = Callable[[TextTree, TextTree], float | None]
"""A distance between two trees; None where it is undefined."""


def map_measures(
    methods: Iterable[Method], encoder: str | Encoder, baselines: Iterable[str] = ()
) -> dict[str, _Measure]:
    """Name -> measure: normalized TTED by each method with one encoder, and rho_base of baselines by words."""
    measures: dict[str, _Measure] = {}
    for method in methods:
        others = (name for name in (method.distance, method.context) if name not in {"cosine", "none"})
        normalized = partial(_normalize, method=method, models=Models(encoder))
        measures[f"TTED {', '.join((method.order, *others))}"] = normalized
    return measures | {name: partial(_rho_base, name=name) for name in baselines}


def _normalize(left: TextTree, right: TextTree, *, method: Method, models: Models) -> float:
    return compare_maps(left, right, method, models).normalized


def _rho_base(left: TextTree, right: TextTree, *, name: str) -> float | None:
    try:
        return BASELINES[name](left, right).rho_base
    except NOT_COMPUTED:
        return None
