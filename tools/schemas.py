"""The JSON Schemas of what commands print with ``--json``, in docs/schemas/VERSION/COMMAND.json.

    python tools/schemas.py

Records that commands print as they are (``asdict``) are described by their own dataclasses, names by the
registries; the rest is described here. tests/cli/test_schemas.py holds real outputs against the files, and the
files against this module. A field that is added leaves the version; one that goes, or has another type, raises it.
"""

import json
from pathlib import Path
from typing import Any, Literal, NotRequired, get_type_hints

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from tted_core.annotate.reviews.people import Person
from tted_core.annotate.reviews.store import Deleted
from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import SUITE
from tted_core.distances.ndd.divergence import NddRow
from tted_core.distances.ndd.weights import Weights
from tted_core.explain.bounds import Bounds
from tted_core.lab.detection.results import Scale
from tted_core.lab.people.levels import Agreement, Contest
from tted_core.lab.perturbation.perturb import Point
from tted_core.lab.quality.grid import RankCorrelation
from tted_core.measures.corpus.similarity import CurvePoint
from tted_core.measures.paraphrases import Draw
from tted_core.method import OPTIONS
from tted_core.solvers.choices import Choices
from tted_core.systems.drivers import KINDS
from tted_core.systems.measuring import DepthMean
from tted_core.systems.reliability import Reliability
from tted_core.systems.statistics import PairRow, SystemRow

VERSION = 1
FOLDER = Path(__file__).resolve().parent.parent / "docs" / "schemas" / str(VERSION)

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


class Agree(TypedDict):
    """Measures' agreement with people."""

    agreements: list[Agreement]
    tests: list[Contest]
    lower_is_better: list[str]
    pairs: int
    seed: int
    notices: list[str]
    version: str


class Disputed(TypedDict):
    """A node on which annotators differ."""

    annotator: str
    node: int
    label: str
    missing_in: list[str]
    mean_cost: float


class Document(TypedDict):
    """The annotators' maps of a document."""

    name: str
    annotators: list[str]
    distances: list[list[float]]
    mean_distance: float
    alpha: float | None
    medoids: list[str]
    disputed: list[Disputed]


class Alpha(TypedDict):
    """Krippendorff's alpha."""

    value: float | None
    low: float | None
    high: float | None
    observed: float | None
    expected: float | None
    documents: int
    maps: int


class MapAgreement(TypedDict):
    """Annotators' agreement."""

    alpha: Alpha
    documents: list[Document]
    options: Options
    notices: list[str]
    signature: str


class Finding(TypedDict):
    """What a check found."""

    key: str
    check: str
    nodes: list[int]
    text: str
    value: float | int | str | None


class Findings(TypedDict):
    """What checks found in one map."""

    findings: list[Finding]
    thresholds: dict[str, float]
    map: Map


class FindingsOfMaps(TypedDict):
    """What checks found in many maps."""

    maps: dict[str, TypedDict("FindingsOfMap", {"findings": list[Finding]}) | Error]
    thresholds: dict[str, float]


class Study(TypedDict):
    """A study of perturbations."""

    points: list[Point]
    version: str


class DetectedRow(TypedDict):
    """How surely a measure finds an edit."""

    options: Options
    edit: str
    dose: str
    auc: float | None
    ci95: tuple[float, float] | None
    samples: int
    precision: float | None
    recall: float | None
    n: int
    left_out: int
    doubt: str | None


class DetectedCounting(TypedDict):
    """Whether three edits are farther than one."""

    options: Options
    edit: str
    auc_3_against_1: float | None
    auc_3_against_1_ci95: tuple[float, float] | None
    spearman: float | None


class DetectedRows(TypedDict):
    """What measures, or controls, detect."""

    rows: list[DetectedRow]
    counting: list[DetectedCounting]
    balance: list[dict[str, Any]]
    seconds_per_pair: list[float]


class Detected(DetectedRows):
    """What a grid of measures detects."""

    controls: DetectedRows
    scales: list[Scale]
    notices: list[str]
    version: str


class QualityRow(TypedDict, extra_items=dict[str, Any]):
    """A measure's coefficients, each under its name."""

    doubt: dict[str, Any]
    rho: dict[str, dict[str, float | None]]
    rho_std: dict[str, dict[str, float | None]]
    sim: NotRequired[dict[str, dict[str, float | None]]]
    pooled: dict[str, dict[str, Any]]
    options: Options
    complete: bool
    unproven: int
    signature: str
    ranking: dict[str, RankCorrelation]


class Quality(QualityRow):
    """The coefficients of one measure."""

    controls: list[QualityRow]
    notices: list[str]
    version: str


class QualityOfMany(TypedDict):
    """The coefficients of a grid of measures."""

    rows: list[QualityRow]
    controls: list[QualityRow]
    notices: list[str]
    version: str


class TextMeasure(TypedDict):
    """A measure of two texts."""

    kind: str
    metric: Any
    values: Any


class Text(TypedDict):
    """Measures of two texts."""

    first: str
    second: str
    encoder: TypedDict("Encoder", {"name": str, "fingerprint": str}) | None
    measures: dict[str, TextMeasure | Error]


class ParaphraseRow(TypedDict):
    """How well a measure finds paraphrases."""

    mean: float
    variance: float
    minimum: float
    maximum: float
    below_zero: int
    nearest: float
    comparisons: int
    seconds: float


class Paraphrases(TypedDict):
    """How well measures find paraphrases."""

    pairs: int
    draw: Draw | None
    measures: dict[str, ParaphraseRow | Error]


class Ndd(TypedDict):
    """NDD of edited sentences."""

    rows: list[NddRow]
    masked_model: str
    weights: Weights


class NddTable(TypedDict):
    """A table of the paper on NDD."""

    rows: list[dict[str, Any]]
    notes: list[str]
    masked_model: str


class Compressed(TypedDict):
    """A map of key phrases."""

    labels: list[str]
    parents: list[int]
    words: int
    words_left: int
    masked_model: str


class SetScores(TypedDict):
    """How alike two sets of sentences are."""

    precision: float
    recall: float
    f1: float


class Corpus(TypedDict):
    """What a set of maps says."""

    maps: int
    reference_maps: int
    test_maps: int
    sentences: int
    reference_sentences: int
    test_sentences: int
    unique: float
    new_vocabulary: int
    new_words: list[str]
    grammar: float | None
    grammar_reference: float | None
    plausibility: float | None
    plausibility_reference: float | None
    missing: dict[str, str]
    semantic: SetScores
    syntactic: SetScores
    sets: dict[str, dict[str, dict[str, Any]]]
    curve: list[CurvePoint]
    notices: list[str]
    flags: dict[str, str]
    version: str


class Task(TypedDict):
    """A mapping in the database of reviews."""

    number: int
    document: str
    left_name: str
    right_name: str
    study: str
    signature: str
    pairs: int | None
    decided: dict[str, int]
    verdicts: dict[str, str]


class Tasks(TypedDict):
    """tted reviews list."""

    page: int
    pages: int
    total: int
    tasks: list[Task]


class Backup(TypedDict):
    """tted reviews backup."""

    file: str
    bytes: int
    tasks: int


class Restored(TypedDict):
    """tted reviews restore."""

    added: int
    same: int
    different: int
    replaced: bool
    empty: int


class DeletedTasks(TypedDict):
    """tted reviews delete NUMBER."""

    deleted: list[Deleted]


class DeletedEmpty(TypedDict):
    """tted reviews delete --empty."""

    empty: int


class Team(TypedDict):
    """tted people list."""

    people: list[Person]


OUTPUTS: dict[str, Any] = {
    "read": Map,
    "compare": Compared,
    "replay": Compared,
    "batch": Batch,
    "matrix": Matrix,
    "nearest": Nearest,
    "systems": Systems | ReliabilityOfMeasures,
    "corpus": Corpus,
    "agree": Agree,
    "check": Findings | FindingsOfMaps,
    "agreement": MapAgreement,
    "reviews": Tasks | Backup | Restored | DeletedTasks | DeletedEmpty,
    "people": Team | record(Person, link=NotRequired[str]),
    "quality": Quality | QualityOfMany,
    "detect": Detected,
    "perturb": Map | Study,
    "text": Text,
    "paraphrases": Paraphrases,
    "ndd": Ndd,
    "ndd-table": NddTable,
    "compress": Compressed,
}
"""Command -> what it prints with ``--json``."""


def schema(command: str) -> dict[str, Any]:
    """The JSON Schema of a command's output."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:tted:schema:{VERSION}:{command}",
        "title": f"tted {command} --json",
        **TypeAdapter(OUTPUTS[command]).json_schema(mode="serialization"),
    }


def text(command: str) -> str:
    """The schema as its file has it."""
    return json.dumps(schema(command), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in OUTPUTS:
        (FOLDER / f"{each}.json").write_text(text(each), encoding="utf-8")
