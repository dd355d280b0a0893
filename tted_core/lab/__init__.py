"""Evaluation of settings: quality coefficients, graded edits of a map, and agreement with people.

Measures are functions of two trees: TTED under some settings, and the baselines by words.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from tted_core.baselines import BaselineScore, baseline_scores
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
    """Name -> measure: normalized TTED by methods of different orders, and rho_base of baselines by words."""
    models = Models(encoder)

    def normalize(method: Method, left: TextTree, right: TextTree) -> float:
        return compare_maps(left, right, method, models).normalized

    def find_rho(name: str, left: TextTree, right: TextTree) -> float | None:
        score = baseline_scores([name], (left, right), None)[name]
        return score.rho_base if isinstance(score, BaselineScore) else None

    by_order = {f"TTED {each.order}": partial(normalize, each) for each in methods}
    return {**by_order, **{name: partial(find_rho, name) for name in baselines}}
