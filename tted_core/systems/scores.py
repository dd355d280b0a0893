"""What systems are compared by: for each document and system a value of each measure, or why there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES
from tted_core.formats.labels import counted

Values: TypeAlias = NDArray[np.float64]

LOWER = {
    "tted": True,
    **dict.fromkeys(NORMALISATIONS, True),
    "coverage": False,
    "support": False,
    **{f"{name}_rho": True for name in BASELINES},
    **dict.fromkeys(BASELINES, False),
    **{f"cost_{name}": True for name in ("replace", "delete", "insert")},
    **dict.fromkeys(("replace", "delete", "insert"), True),
    "match": False,
}
"""Measure whose direction is known -> whether lower is better."""

NAMED = 5
"""Documents that a notice names."""


@dataclass(frozen=True)
class Scores:
    """Values of n documents and s systems.

    Attributes:
        items: the documents' names.
        systems: the systems' names.
        measures: measure -> (s, n) values, NaN where there is none.
        lower: the measures of which lower is better.
        nodes: (n,) nodes of each document's reference, by which micro means are weighed; None if not known.
        missing: (document, system) -> why there are no values.
        told: what else a reader should know.
    """

    items: tuple[str, ...]
    systems: tuple[str, ...]
    measures: Mapping[str, Values] = field(repr=False)
    lower: frozenset[str]
    nodes: Values | None = field(default=None, repr=False)
    missing: Mapping[tuple[str, str], str] = field(default_factory=dict, repr=False)
    told: tuple[str, ...] = ()

    def whole(self, measure: str) -> NDArray[np.bool_]:
        """(n,) which documents have a value of this measure for every system."""
        return np.asarray(np.isfinite(self.measures[measure]).all(axis=0), dtype=np.bool_)

    @property
    def notices(self) -> tuple[str, ...]:
        """What was told, and which documents are left out of which measures for all systems."""
        by_mask: dict[bytes, list[str]] = {}
        for measure in self.measures:
            by_mask.setdefault(self.whole(measure).tobytes(), []).append(measure)
        notices = []
        for mask, measures in by_mask.items():
            out = np.flatnonzero(~np.frombuffer(mask, dtype=np.bool_))
            if len(out):
                which = "" if len(measures) == len(self.measures) else f" of {', '.join(measures)}"
                reasons = "; ".join(self._reason(int(item), measures[0]) for item in out[:NAMED])
                more = "" if len(out) <= NAMED else f"; and {len(out) - NAMED:,} more"
                notices.append(
                    f"{len(out):,} of {counted(len(self.items), 'document')} left out{which} for all systems: "
                    f"{reasons}{more}"
                )
        return (*self.told, *notices)

    def _reason(self, item: int, measure: str) -> str:
        name = self.items[item]
        without = np.flatnonzero(~np.isfinite(self.measures[measure][:, item]))
        reasons: dict[str, list[str]] = {}
        for number in without.tolist():
            system = self.systems[number]
            reasons.setdefault(self.missing.get((name, system), f"no {measure}"), []).append(system)
        told = "; ".join(f"{', '.join(each)}: {why}" for why, each in reasons.items())
        return f"{name} ({told})"
