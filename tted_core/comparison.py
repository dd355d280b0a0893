"""The result of a comparison: everything a view, a report or the command line needs."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BaselineScore
from tted_core.errors import TTEDError
from tted_core.formats import MindMap
from tted_core.method import Method, Signature
from tted_core.scores import Scores
from tted_core.script import EditScript
from tted_core.solvers import NO_CHOICES, Choices, EditProblem

if TYPE_CHECKING:
    import pandas as pd

    from tted_core.report.notebook import Picture


@dataclass(frozen=True)
class Comparison:
    """Everything a view, a report or the command line needs of one comparison.

    Attributes:
        left: the source map, as compared (trimmed to ``method.depth``); its tree has n nodes.
        right: the target map, likewise; m nodes.
        method: the options, with the name of the model that was read.
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
    method: Method
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
        """One line that lets a reader repeat the number (:class:`tted_core.method.Signature`).

        It lists a person's choices as preorder indices, "-" for the gap: the number is then not the distance of
        the two maps.
        """
        parts = self.method.signing(self.fingerprint)(self.proven, self.digests).parts
        chosen = {
            word: ",".join(f"{'-' if v is None else v}~{'-' if w is None else w}" for v, w in entries)
            for word, entries in (("forced", self.choices.forced), ("forbidden", self.choices.forbidden))
            if entries
        }
        return str(Signature(parts | chosen))
