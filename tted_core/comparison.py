"""The result of a comparison: everything a view, a report or the command line needs."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BaselineScore
from tted_core.errors import InvalidTreeError, TTEDError
from tted_core.formats import MindMap
from tted_core.limits import MAX_DEPTH, check_limit
from tted_core.scores import Scores
from tted_core.script import EditScript
from tted_core.solvers import NO_CHOICES, Choices, EditProblem
from tted_core.version import VERSION
from tted_core.weighing import Gap, gap_text

if TYPE_CHECKING:
    import pandas as pd

    from tted_core.report.notebook import Picture


@dataclass(frozen=True)
class Options:
    """What was chosen.

    ``depth`` is the k of TTED@k, None for whole trees; :mod:`tted_core.arithmetic` tells of ``gap`` and ``power``.
    """

    encoder: str
    distance: str
    order: str
    context: str
    depth: int | None
    time_limit: float | None = None
    gap: Gap = 0.0
    power: float = 1.0


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
        fingerprint: of the model that was read.
        digests: SHA-256 of both trees as they were given.
        problem: both trees as compared and their (n+1, m+1) edit costs.
        script: the optimal edit script.
        scores: its scores, with TTED@k.
        baselines: each baseline's score, or why there is none.
        input_notices: what a reader of the numbers should know of texts, model and options.
        choices: pairs that a person forced or forbade; the script and its scores are the best that keep them.
    """

    left: MindMap
    right: MindMap
    options: Options
    fingerprint: str
    digests: tuple[str, str]
    problem: EditProblem = field(repr=False)
    script: EditScript = field(repr=False)
    scores: Scores
    baselines: dict[str, BaselineScore | TTEDError]
    input_notices: tuple[str, ...] = ()
    choices: Choices = NO_CHOICES

    def to_frame(self) -> "pd.DataFrame":
        """The edit script as a table, a row for each operation; shares are of the distance (to the power p).

        Raises:
            MissingExtraError: pandas isn't installed.
        """
        from tted_core.report.notebook import script_frame

        return script_frame(self)

    def figure(self, kind: str = "outline") -> "Picture":
        """A picture that notebooks show and ``save("name.png")`` writes (.svg, .pdf): "outline" or "overview".

        Raises:
            UnknownNameError: no such picture.
        """
        from tted_core.report.notebook import picture

        return picture(self, kind)

    def _repr_html_(self) -> str:
        from tted_core.report.notebook import notebook_html

        return notebook_html(self)

    @property
    def costs(self) -> NDArray[np.float64]:
        """(n+1, m+1) edit costs, the last row and column being the gap."""
        return self.problem.costs

    @property
    def tted(self) -> float:
        """What the script's costs come to; this and the next ones are explained in ``Scores``."""
        return self.scores.tted

    @property
    def lower_bound(self) -> float:
        """Certified lower bound of the distance; equal to ``tted`` when proven."""
        return self.scores.lower_bound

    @property
    def proven(self) -> bool:
        """Whether the script is proven optimal in its order."""
        return self.scores.proven

    @property
    def gap(self) -> float:
        """By which share of the optimum ``tted`` may lie above it."""
        return self.scores.gap

    @property
    def normalized(self) -> float:
        """By the published normalisation, between 0 and 1."""
        return self.scores.normalized

    @property
    def steinhaus(self) -> float:
        """By the Steinhaus transform, between 0 and 1; a metric wherever ``tted`` is one."""
        return self.scores.steinhaus

    @property
    def tted_at(self) -> tuple[float, ...]:
        """TTED@k, of both maps trimmed to k levels, for k = 1 .. the deeper map's depth."""
        return self.scores.tted_at

    @property
    def avg_tted(self) -> float:
        """Mean of the normalized TTED@k."""
        return self.scores.avg_tted

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reader of the numbers should know."""
        return (*self.input_notices, *self.scores.notices)

    @property
    def signature(self) -> str:
        """One line that lets a reader repeat the number, in the manner of sacreBLEU (Post 2018).

        The options gap and power are in it where they are not the published ones, 0 and 1. It lists a person's
        choices as preorder indices, "-" for the gap: the number is then not the distance of the two maps.
        """
        parts = [
            "TTED",
            f"order:{self.options.order}",
            f"proven:{'yes' if self.proven else 'no'}",
            f"enc:{self.options.encoder}@{self.fingerprint}",
            f"dist:{self.options.distance}",
            f"ctx:{self.options.context}",
            *([] if self.options.gap == 0 else [f"gap:{gap_text(self.options.gap)}"]),
            *([] if self.options.power == 1 else [f"p:{self.options.power:g}"]),
            f"k:{self.options.depth or 'all'}",
            f"in:{','.join(digest[:8] for digest in self.digests)}",
            f"v:{VERSION}",
        ]
        for word, entries in (("forced", self.choices.forced), ("forbidden", self.choices.forbidden)):
            if entries:
                nodes = (f"{'-' if v is None else v}~{'-' if w is None else w}" for v, w in entries)
                parts.append(f"{word}:{','.join(nodes)}")
        return "|".join(parts)
