"""The table of a batch: its options, its columns with their types, and a row for each pair and method."""

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES, MEASURES, SUITE, BaselineScore, score_pairs
from tted_core.baselines.suite import EQUIVALENCE, check_equivalence, linear_text, sign_equivalence
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.errors import OptionsError, TTEDError, lookup, select_baselines
from tted_core.formats.map_collections import DEFAULT_READING, Reading
from tted_core.foundations.messages import without_surrogates
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.matching.records import CLAIMS, SHARES, STATUSES
from tted_core.method import OPTIONS, PLURALS, SETTING_COLUMNS, Method, Signature
from tted_core.pipeline import Pairs, Prepared, Solved, solve

if TYPE_CHECKING:
    import pyarrow as pa

# The model, or "" for baselines by words -> name -> the baseline's score or error for each readable pair.
Known: TypeAlias = dict[str, dict[str, list[BaselineScore | TTEDError]]]

Columns: TypeAlias = dict[str, list[Any]]  # name -> the values of all rows

OF_PAIR = ("id", "left", "right")
COUNTS = ("match", "replace", "delete", "insert")
COSTS = ("cost_replace", "cost_delete", "cost_insert")
OF_SCRIPT = ("tted", "lower_bound", "proven", *NORMALISATIONS, "left_nodes", "right_nodes", *COUNTS, *COSTS)
FIRST_COLUMNS = (*OF_PAIR, *SETTING_COLUMNS, *OF_SCRIPT)
LAST_COLUMNS = ("notices", "error", "seconds", "signature")

# The columns of texts and of whole numbers; the others hold decimal numbers, but ``proven``.
_TEXTS = {
    *(name for name, value in Method().columns.items() if isinstance(value, str)),
    *(*OF_PAIR, "notices", "error", "signature"),
}
_WHOLE = {"depth", "left_nodes", "right_nodes", *COUNTS, *STATUSES, CLAIMS}


def combine(
    encoders: Iterable[str] = ("minilm",),
    *,
    distances: Iterable[str] = (Method.distance,),
    contexts: Iterable[str] = (Method.context,),
    **options: Any,
) -> tuple[Method, ...]:
    """All valid methods, ordered so that methods with the same costs are adjacent.

    A distance is measured with each encoder, or once if it uses none; invalid combinations of a distance and a
    context are left out.

    Args:
        encoders: names of encoders.
        distances: names of ``DISTANCES``.
        contexts: names of ``CONTEXTS``.
        options: values of the other options, by their plural names (``PLURALS``); a single value for all
            methods, by the option's name. Defaults apply to the others.
    """
    encoders, distances, contexts = list(encoders), list(distances), list(contexts)
    # The order varies fastest, as it doesn't change the costs.
    names = sorted(
        PLURALS.keys() - {"encoder", "distance", "context"}, key=lambda name: (name == "order", name)
    )
    values = [
        tuple(map(OPTIONS[name].check, options.pop(PLURALS[name], (getattr(Method, name),))))
        for name in names
    ]
    records = [lookup(DISTANCES, name, "distance") for name in distances]
    of_texts = [each for each in records if each.reads == "none"]
    of_vectors = [each for each in records if each.reads != "none"]
    by_encoder = [(Method.encoder, of_texts), *((name, of_vectors) for name in dict.fromkeys(encoders))]
    methods = tuple(
        Method(
            encoder=encoder,
            distance=record.name,
            context=context,
            **options,
            **dict(zip(names, each, strict=True)),
        )
        for (encoder, own), context in itertools.product(by_encoder, contexts)
        for record in own
        if record.goes_with(lookup(CONTEXTS, context, "context"))
        for each in itertools.product(*values)
    )
    if not methods:
        for distance, context in itertools.product(distances, contexts):
            DISTANCES[distance].check_goes_with(context)
    return methods


@dataclass(frozen=True)
class BatchOptions:
    """The methods and baselines of a batch, and the options for reading its maps.

    Attributes:
        methods: the methods, one row per pair each, all of one depth; see ``combine``.
        baselines: names of ``MEASURES``, columns of each row.
        reading: options for reading maps.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        sentences: count sentences by status (``matching``), which takes longer than all else.
    """

    methods: tuple[Method, ...] = (Method(),)
    baselines: tuple[str, ...] = ()
    reading: Reading = DEFAULT_READING
    equivalence: float = EQUIVALENCE
    sentences: bool = False

    def __post_init__(self) -> None:
        check_equivalence(self.equivalence)
        select_baselines(MEASURES, self.baselines)
        if not self.methods:  # there would be no rows
            raise OptionsError("no order or no distance is given, so there is nothing to compute; give one")

    @property
    def depth(self) -> int | None:
        """The levels to which all maps are trimmed."""
        return self.methods[0].depth

    @property
    def contexts(self) -> tuple[str, ...]:
        """The distinct contexts of the methods."""
        return tuple(dict.fromkeys(method.context for method in self.methods))

    @property
    def described(self) -> dict[str, Any]:
        """The options as JSON-compatible data, compared when a run is resumed; ``of_described`` is the inverse."""
        return {
            **{
                plural: list(dict.fromkeys(getattr(each, name) for each in self.methods))
                for name, plural in PLURALS.items()
            },
            **{name: getattr(self.methods[0], name) for name in OPTIONS if name not in PLURALS},
            "baselines": list(self.baselines),
            **asdict(self.reading),
            "equivalence": self.equivalence,
            "sentences": self.sentences,
        }

    @classmethod
    def of_described(cls, described: dict[str, Any]) -> "BatchOptions":
        """The options of ``described`` data.

        Raises:
            TypeError: other data.
        """
        options = dict(described)
        baselines = tuple(options.pop("baselines"))
        reading = Reading(*(options.pop(each.name) for each in fields(Reading)))
        equivalence, sentences = float(options.pop("equivalence")), bool(options.pop("sentences"))
        return cls(combine(**options), baselines, reading, equivalence, sentences)


def columns_of(options: BatchOptions) -> tuple[str, ...]:
    """The columns: standard ones, baselines, optional counts of sentences, and standard ones again."""
    beside = (
        f"{name}{end}" for name in options.baselines for end in (("",) if name in SUITE else ("", "_rho"))
    )
    counts = (*STATUSES, *SHARES, CLAIMS) if options.sentences else ()
    return (*FIRST_COLUMNS, *(name for name in beside if name not in FIRST_COLUMNS), *counts, *LAST_COLUMNS)


def schema_of(options: BatchOptions, further: Sequence[str]) -> "pa.Schema":
    """The columns of the results with their types, those of the input last."""
    import pyarrow as pa

    columns = columns_of(options)
    if same := [name for name in further if name in columns]:
        raise OptionsError(f"the column {same[0]!r} of the input is a column of the results too; rename it")
    kinds = {"proven": pa.bool_(), **dict.fromkeys(_TEXTS, pa.string()), **dict.fromkeys(_WHOLE, pa.int32())}
    typed = [(name, kinds.get(name, pa.float64())) for name in columns]
    return pa.schema([*typed, *((name, pa.string()) for name in further)])


def arrow_table(columns: Columns, schema: "pa.Schema") -> "pa.Table":
    """The columns as a table of Arrow, whose texts can't have lone surrogates."""
    import pyarrow as pa

    arrays = []
    for each in schema:
        try:
            arrays.append(pa.array(columns[each.name], each.type))
        except UnicodeEncodeError:
            arrays.append(
                pa.array([text and without_surrogates(text) for text in columns[each.name]], each.type)
            )
    return pa.table(arrays, schema=schema)


def rows_of(
    prepared: Prepared, options: BatchOptions, pairs: Pairs, monitor: Monitor = UNWATCHED
) -> Iterator[dict[str, Any]]:
    """Rows of some pairs, without id and names; those of the same pair, one per method, are consecutive."""
    for columns in solve_columns(prepared, options, pairs, monitor):
        yield from zip_rows(columns)


def zip_rows(columns: Columns) -> Iterator[dict[str, Any]]:
    """The rows of a table that is given by its columns."""
    return (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))


def solve_columns(
    prepared: Prepared, options: BatchOptions, pairs: Pairs, monitor: Monitor = UNWATCHED
) -> Iterator[Columns]:
    """The table with the rows of ``rows_of``, a chunk of pairs at a time."""
    known: Known = {}
    by_method: list[Columns] = []
    start = time.perf_counter()
    for solved in solve(prepared, pairs, *options.methods, monitor=monitor):
        monitor.check()  # a stopped search may return a worse mapping than a repeated one
        columns = columns_of_chunk(solved, options, known)
        columns["seconds"] = [(time.perf_counter() - start) / len(solved.chunk)] * len(solved.chunk)
        by_method.append(columns)
        if len(by_method) == len(options.methods):
            yield _interleave(by_method)
            by_method, known = [], {}
        start = time.perf_counter()


def _interleave(tables: Sequence[Columns]) -> Columns:
    """One table with the first row of each, then the second row of each, and so on."""
    every = {name: values * len(tables) for name, values in tables[0].items()}
    for number, columns in enumerate(tables):
        for name, values in columns.items():
            every[name][number :: len(tables)] = values
    return every


def columns_of_chunk(solved: Solved, options: BatchOptions, known: Known) -> Columns:
    """The table of a chunk by one method; baselines in ``known`` aren't computed again, new ones are added."""
    method, model, maps = solved.method, solved.prepared.model(solved.method), solved.prepared.maps
    size, setting = len(solved.chunk), method.columns
    names = columns_of(options)[len(OF_PAIR) :]
    columns: Columns = {name: [setting.get(name)] * size for name in names}
    distances, *normalised = solved.scores.values()
    nodes, review = np.diff(solved.problems.trees)[solved.pairs], solved.review
    of_script = (
        distances,
        solved.lower,
        solved.proven,
        *normalised,
        *nodes.T,
        *review.counts.T,
        *review.sums.T[1:],
    )
    for name, values in zip(OF_SCRIPT, of_script, strict=True):
        column = np.full(size, None)  # of Python's numbers, and None where there is an error
        column[solved.positions] = values
        columns[name] = column.tolist()
    for position, error in solved.errors.items():
        columns["error"][position] = str(error)
    signature = Signature.of(method.with_model(model.name), model.fingerprint)
    signature = Signature(signature.parts | sign_equivalence(options.baselines, options.equivalence))
    around = {
        proven: str(signature.with_result(proven=proven, digests=["\0"])).split("\0")
        for proven in (True, False)
    }
    solutions = zip(solved.positions.tolist(), solved.pairs.tolist(), solved.proven.tolist(), strict=True)
    for position, (left, right), proven in solutions:
        digests = f"{maps[left].digest[:8]},{maps[right].digest[:8]}"
        columns["signature"][position] = digests.join(around[proven])
    notices = columns["notices"] = solved.notices
    if options.baselines:
        _add_baselines(solved, options, columns, known)
    suite = [name for name in options.baselines if name in SUITE]
    for number, position in enumerate(solved.positions.tolist() if suite or options.sentences else ()):
        remarks = list(notices[position])
        row = _measure_suite(solved, number, suite, options.equivalence, remarks) if suite else {}
        if options.sentences:
            found = solved.matching(number)
            shares = found.shares(solved.problem(number).costs)
            row |= found.counts.items()
            row |= {CLAIMS: found.claims, **dict(zip(SHARES, shares, strict=True))}
        for name, value in row.items():
            columns[name][position] = value
        notices[position] = tuple(remarks)
    columns["notices"] = list(map("; ".join, notices))
    return columns


def _add_baselines(solved: Solved, options: BatchOptions, columns: Columns, known: Known) -> None:
    """Write the baselines' columns of a chunk; their errors are added to the notices."""
    maps, vectors = solved.prepared.maps, solved.prepared.vectors(solved.method)
    trees = {
        number: tree for number in np.unique(solved.chunk).tolist() if (tree := maps[number].tree) is not None
    }
    readable = {
        position: (left, right)
        for position, (left, right) in enumerate(solved.chunk.tolist())
        if left in trees and right in trees
    }
    for reads, model in (("none", ""), ("encoder", solved.method.model if vectors else "none")):
        if model not in known:
            names = [
                each for each in options.baselines if each in BASELINES and BASELINES[each].reads == reads
            ]
            known[model] = score_pairs(names, trees, list(readable.values()), vectors)
        for name, scores in known[model].items():
            for position, score in zip(readable, scores, strict=True):
                if isinstance(score, BaselineScore):
                    columns[name][position], columns[f"{name}_rho"][position] = score.sim, score.rho_base
                else:
                    columns["notices"][position] += (f"{name}: {score}",)


def _measure_suite(
    solved: Solved, number: int, names: Sequence[str], equivalence: float, notices: list[str]
) -> dict[str, Any]:
    """The measures of the suite of a pair; errors and warnings are added to the notices."""
    measured = {}
    for name, values in solved.suite(number, names, equivalence).items():
        if isinstance(values, TTEDError):
            notices.append(f"{name}: {values}")
        else:
            measured[name] = values[-1]
    if words := solved.prepared.loaded.get((solved.method.model, "bertscore")):
        problem = solved.problem(number)
        texts = linear_text(problem.left), linear_text(problem.right)
        notices += [n for n in words.texts_notices(texts, "none") if n not in notices]
    return measured
