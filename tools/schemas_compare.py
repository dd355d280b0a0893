"""What commands that compare maps print with ``--json``: a map, a comparison, a batch, systems."""

from typing import Any, Literal, NotRequired, get_type_hints

from typing_extensions import TypedDict

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import SUITE
from tted_core.explain.bounds import Bounds
from tted_core.method import OPTIONS
from tted_core.solvers.choices import Choices
from tted_core.systems.drivers import KINDS
from tted_core.systems.measuring import DepthMean
from tted_core.systems.reliability import Reliability
from tted_core.systems.statistics import PairRow, SystemRow

Options = dict[str, Any]


class Error(TypedDict):
    """Why there is no value."""

    error: str


class Map(TypedDict):
    """A mind map as read: nodes in preorder, -1 for the root's parent."""

    format: str
    nodes: int
    depth: int
    labels: list[str]
    parents: list[int]
    notices: list[str]


class Operation(TypedDict):
    """An operation of the edit script; source and target are preorder indices."""

    op: Literal["match", "replace", "delete", "insert"]
    source: int | None
    target: int | None
    cost: float
    share: NotRequired[float]
    notes: NotRequired[list[str]]


class Outcome(TypedDict):
    """What became of a sentence."""

    status: str
    source: int | None
    target: int | None


class Sentences(TypedDict):
    """What became of all sentences."""

    bounds: Bounds
    counts: dict[str, int]
    outcomes: list[Outcome]


class Baseline(TypedDict):
    """A baseline's similarity."""

    sim: float
    sim_left: float
    sim_right: float
    rho_base: float | None
    precision: NotRequired[float]
    recall: NotRequired[float]


Compared = TypedDict(
    "Compared",
    {
        "tted": float,
        "lower_bound": float,
        "proven": bool,
        **dict.fromkeys(NORMALISATIONS, float),
        "tted_at": list[float],
        "avg_tted": float,
        "equivalence": NotRequired[float],
        **dict.fromkeys(SUITE, NotRequired[float | None]),
        **{f"{name}_at": NotRequired[list[float | None]] for name in SUITE},
        "script": list[Operation],
        "sentences": Sentences,
        "baselines": dict[str, Baseline | Error],
        "left": Map,
        "right": Map,
        "options": TypedDict("MethodOptions", {name: Any for name in OPTIONS if name != "masked_model"}),
        "choices": NotRequired[Choices],
        "notices": list[str],
        "signature": str,
        "version": str,
    },
)


class Batch(TypedDict):
    """The summary of a batch."""

    pairs: int
    rows: int
    failed: int
    seconds: dict[str, float]
    notices: list[str]
    version: str


class Matrix(Batch):
    """The summary of a matrix."""

    names: list[str]
    medoids: list[str]
    score: str


class Neighbour(TypedDict):
    """A map and its distance."""

    name: str
    tted: float


class Nearest(TypedDict):
    """The nearest maps."""

    nearest: list[Neighbour]
    compared: int
    skipped: int


def record(of: type, **more: Any) -> Any:
    """The fields of a dataclass, as ``asdict`` prints them, with others beside or in place of them."""
    return TypedDict(f"Printed{of.__name__}", get_type_hints(of) | more)


class OperationsByDepth(TypedDict):
    """How many operations of a kind there are, and what they cost."""

    count: float
    cost: float
    count_by_depth: list[float]
    cost_by_depth: list[float]


class Systems(TypedDict):
    """Systems compared."""

    systems: list[record(SystemRow, control=bool)]
    pairs: list[record(PairRow, largest=list[TypedDict("Largest", {"item": str, "difference": float})])]
    operations: dict[
        str,
        TypedDict(
            "Operations", {**dict.fromkeys(KINDS, OperationsByDepth), "coverage": float, "support": float}
        ),
    ]
    by_depth: NotRequired[list[DepthMean]]
    lower_is_better: list[str]
    baseline: str | None
    signature: str
    notices: list[str]
    version: str


class ReliabilityOfMeasures(TypedDict):
    """How far measures can be trusted to compare systems."""

    reliability: list[Reliability]
    notices: list[str]
    version: str
