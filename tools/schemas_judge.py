"""What commands that judge measures and people print with ``--json``, and those of sentences."""

from typing import Any, NotRequired

from schemas_compare import Error, Map, Options
from typing_extensions import TypedDict

from tted_core.annotate.reviews.people import Person
from tted_core.annotate.reviews.store import Deleted
from tted_core.distances.ndd.divergence import NddRow
from tted_core.distances.ndd.weights import Weights
from tted_core.lab.detection.results import Scale
from tted_core.lab.people.levels import Contest, MeasureAgreement
from tted_core.lab.perturbation.perturb import Point
from tted_core.lab.quality.grid import RankCorrelation
from tted_core.measures.corpus.similarity import CurvePoint
from tted_core.measures.paraphrases import Draw


class Agree(TypedDict):
    """Measures' agreement with people."""

    agreements: list[MeasureAgreement]
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
