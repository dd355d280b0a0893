"""The result of a comparison, everything a view, a report or the command line needs, and its signature."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BaselineScore
from tted_core.baselines.suite import EQUIVALENCE, Values, signed_equivalence
from tted_core.errors import OptionsError, TTEDError
from tted_core.formats import MindMap
from tted_core.method import OPTIONS, Method
from tted_core.scores import Scores
from tted_core.script import EditScript
from tted_core.solvers import NO_CHOICES, Choices, EditProblem
from tted_core.version import VERSION

if TYPE_CHECKING:
    import pandas as pd

PROOFREADING_BELOW = 0.45
"""Up to this normalized distance by the preset published, proofreading finds a replaced sentence more surely
(``benchmarks/proofreading_bound.py``, docs/quality.md)."""

VIEWS: dict[str, Callable[..., Any]] = {}
"""What shows a comparison and writes it to a file; the room ``report``, which stands above, fills it in."""


@dataclass(frozen=True)
class Signature:
    """One line that lets a reader repeat a number, in the manner of sacreBLEU (Post 2018).

    ``parts`` are its parts in order, by their keys.
    """

    parts: dict[str, str]

    def __str__(self) -> str:
        return "|".join(("TTED", *(f"{key}:{value}" for key, value in self.parts.items())))

    @classmethod
    def read(cls, line: str) -> "Signature":
        """The signature in a line; without parts if there is none.

        >>> Signature.read("TTED|order:ordered|in:1,2").parts
        {'order': 'ordered', 'in': '1,2'}
        """
        split = (part.partition(":") for part in line.split("|"))
        return cls({key: value for key, sign, value in split if sign})

    @property
    def setting(self) -> str:
        """The parts that are the same for all pairs of maps, as text."""
        own = {"proven", "in"}
        return "|".join(f"{key}:{value}" for key, value in self.parts.items() if key not in own)

    @property
    def method(self) -> Method:
        """The method whose results have this signature.

        Raises:
            TTEDError: a part that this version doesn't know.
            KeyError: a part is missing.
        """
        told = {
            name: self.parts.get(option.key, option.unsaid)
            if option.unsaid is not None
            else self.parts[option.key]
            for name, option in OPTIONS.items()
            if option.key
        }
        model = told.pop("encoder").rpartition("@")[0]
        return Method.by_model(model, told.pop("distance"), **told)


def signing(method: Method, fingerprint: str) -> Callable[[bool, Sequence[str]], Signature]:
    """What signs results of a method: proven?, the digests of both trees -> the signature.

    ``fingerprint`` is that of the model that was read.
    """
    parts = method.signed(fingerprint)
    order = parts.pop("order")

    def sign(proven: bool, digests: Sequence[str]) -> Signature:
        return Signature(
            {
                "order": order,
                "proven": "yes" if proven else "no",
                **parts,
                "in": ",".join(digest[:8] for digest in digests),
                "v": VERSION,
            }
        )

    return sign


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
        suite: each measure of the suite for k = 1 .. the deeper map's depth, or why there is none.
        equivalence: the distance up to which two nodes are equivalent, for the suite.
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
    suite: dict[str, "Values | TTEDError"] = field(default_factory=dict)
    equivalence: float = EQUIVALENCE
    input_notices: tuple[str, ...] = ()
    choices: Choices = NO_CHOICES

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it; ``source`` and ``target`` index the labels of ``left`` and ``right``.

        With a power other than 1 each operation has its ``share`` of d^p besides its cost: shares add up, costs
        don't.
        """
        unit = self.script.unit
        return {
            "tted": self.tted,
            "lower_bound": self.lower_bound,
            "proven": self.proven,
            **self.scores.normalised,
            "tted_at": list(self.tted_at),
            "avg_tted": self.avg_tted,
            **self._suite_described,
            "script": [
                {
                    "op": op.op,
                    "source": op.source,
                    "target": op.target,
                    "cost": op.cost,
                    **({} if unit.power == 1 else {"share": unit.amount(op.cost)}),
                    **({"notes": list(op.notes)} if op.notes else {}),
                }
                for op in self.script.ops
            ],
            "sentences": VIEWS["sentences"](self),
            "baselines": {
                name: asdict(score) if isinstance(score, BaselineScore) else {"error": str(score)}
                for name, score in self.baselines.items()
            },
            "left": self.left.to_dict(),
            "right": self.right.to_dict(),
            "options": self.method.described,
            **({"choices": asdict(self.choices)} if self.choices else {}),
            "notices": [*self.notices, *self.hints],
            "signature": self.signature,
            "version": VERSION,
        }

    @property
    def _suite_described(self) -> dict[str, Any]:
        """The threshold, and each measure of the suite by its name, with ``_at`` for each k; None if undefined."""
        found: dict[str, Any] = {"equivalence": self.equivalence} if self.suite else {}
        for name, values in self.suite.items():
            at = [] if isinstance(values, TTEDError) else list(values)
            found |= {name: at[-1] if at else None, f"{name}_at": at}
        return found

    def to_frame(self) -> "pd.DataFrame":
        """The edit script as a table, a row for each operation; shares are of the distance (to the power p).

        Raises:
            MissingExtraError: pandas isn't installed.
        """
        frame: pd.DataFrame = VIEWS["frame"](self)
        return frame

    def save(self, file: str | Path) -> None:
        """Write a file by its ending: .html (a report), .json, .csv, .tex, .svg, .png or .pdf.

        Raises:
            UnknownNameError: another ending; the message lists those there are.
            OptionsError: ``file`` is no name.
            MissingExtraError: .png or .pdf without the extra "figures".
            OSError: the file can't be written.
        """
        if not isinstance(file, (str, Path)):
            raise OptionsError(f"save takes the name of a file, not {file!r:.40}")
        path = Path(file)
        path.write_bytes(VIEWS["file"](self, path.suffix.removeprefix(".").lower()))

    def figure(self) -> Any:
        """Both maps as a picture that notebooks show and whose ``save("name.png")`` writes it (.svg, .pdf)."""
        return VIEWS["figure"](self)

    def _repr_html_(self) -> str:
        return str(VIEWS["html"](self))

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
        missing = (
            f"{name} not computed: {values}"
            for name, values in self.suite.items()
            if isinstance(values, TTEDError)
        )
        return (*self.input_notices, *self.scores.notices, *missing)

    @property
    def hints(self) -> tuple[str, ...]:
        """What another setting would tell more surely, if one would."""
        if self.method.preset != "published" or self.choices or not 0 < self.normalized < PROOFREADING_BELOW:
            return ()
        near = f"the maps are near each other (normalized distance below {PROOFREADING_BELOW:g})"
        return (f"{near}: the preset proofreading finds single wrong sentences more surely",)

    @property
    def signature(self) -> str:
        """One line that lets a reader repeat the number (:class:`Signature`).

        It states the threshold of equivalence where a measure depends on it, and lists a person's choices as
        preorder indices, "-" for the gap: the number is then not the distance of the two maps.
        """
        parts = signing(self.method, self.fingerprint)(self.proven, self.digests).parts
        chosen = {
            word: ",".join(f"{'-' if v is None else v}~{'-' if w is None else w}" for v, w in entries)
            for word, entries in (("forced", self.choices.forced), ("forbidden", self.choices.forbidden))
            if entries
        }
        return str(Signature(parts | signed_equivalence(self.suite, self.equivalence) | chosen))
