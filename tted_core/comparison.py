"""The result of a comparison: everything a view, a report or the command line needs."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BaselineScore
from tted_core.errors import InvalidTreeError, LimitError
from tted_core.formats import MindMap
from tted_core.limits import MAX_DEPTH, check_limit
from tted_core.script import EditScript
from tted_core.solvers import NO_CHOICES, Choices
from tted_core.version import VERSION


@dataclass(frozen=True)
class Options:
    """What was chosen. ``depth`` is the k of TTED@k, None for whole trees."""

    encoder: str
    distance: str
    order: str
    context: str
    depth: int | None
    time_limit: float | None = None


def check_depth(depth: int | None) -> None:
    """Refuse a depth that no map has; ``compare``, replay files and pages take the same ones.

    Raises:
        InvalidTreeError: it is below 1.
        LimitError: it is above ``MAX_DEPTH``.
    """
    if depth is not None and depth < 1:
        raise InvalidTreeError(f"depth {depth} leaves nothing to compare; the root has depth 1")
    check_limit(depth or 0, MAX_DEPTH, "levels to compare", "leave the depth out to compare whole maps")


@dataclass(frozen=True)
class Comparison:
    """Everything a view, a report or the command line needs of one comparison.

    Attributes:
        left: the map that is edited, as compared (trimmed to ``options.depth``); its tree has n nodes.
        right: the map that comes out, likewise; m nodes.
        options: what was chosen.
        costs: (n+1, m+1) edit costs, the last row and column being the gap.
        script: the optimal edit script.
        tted: the sum of the script's costs.
        lower_bound: certified lower bound of the distance; equal to ``tted`` when proven.
        tted_at: TTED@k for k = 1 .. the deeper tree's depth, not normalized.
        normalized_at: the same by the published normalisation.
        normalized: 2d / (w_max (n + m) + d), w_max the largest delete or insert cost (published code).
        steinhaus: 2d / (W + W' + d), W a tree's sum of delete costs; a metric in [0, 1].
        avg_tted: the mean of ``normalized_at``.
        baselines: each baseline's score, or why there is none.
        notices: what a reader of the numbers should know.
        signature: one line that lets a reader repeat the number.
        choices: pairs that a person forced or forbade; ``tted`` and the script are the best that keep them.
        trimmed_costs: k -> the costs of the maps trimmed to k levels, if the context looks at nodes below; else
            they are among ``costs``.
        notices_by_depth: those of the notices that tell of ``tted_at``.
    """

    left: MindMap
    right: MindMap
    options: Options
    costs: NDArray[np.float64] = field(repr=False)
    script: EditScript = field(repr=False)
    tted: float
    lower_bound: float
    tted_at: tuple[float, ...]
    normalized_at: tuple[float, ...]
    normalized: float
    steinhaus: float
    avg_tted: float
    baselines: dict[str, BaselineScore | LimitError]
    notices: tuple[str, ...]
    signature: str
    choices: Choices = NO_CHOICES
    trimmed_costs: Mapping[int, NDArray[np.float64]] = field(default_factory=dict, repr=False)
    notices_by_depth: tuple[str, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether the script is proven optimal in its order."""
        return self.lower_bound == self.tted

    @property
    def gap(self) -> float:
        """By which share of the optimum ``tted`` may lie above it: 0 when proven, infinite without a bound."""
        if self.proven:
            return 0.0
        return self.tted / self.lower_bound - 1 if self.lower_bound > 0 else math.inf


def signature(options: Options, fingerprint: str, maps: Sequence[MindMap], *, proven: bool) -> str:
    """One line that lets a reader repeat the number, in the manner of sacreBLEU (Post 2018)."""
    parts = (
        "TTED",
        f"order:{options.order}",
        f"proven:{'yes' if proven else 'no'}",
        f"enc:{options.encoder}@{fingerprint}",
        f"dist:{options.distance}",
        f"ctx:{options.context}",
        f"k:{options.depth or 'all'}",
        f"in:{','.join(side.tree.digest[:8] for side in maps)}",
        f"v:{VERSION}",
    )
    return "|".join(parts)
