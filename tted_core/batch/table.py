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
from tted_core.distances import DISTANCES, all_settings
from tted_core.errors import OptionsError, TTEDError, select_entries
from tted_core.formats.map_collections import DEFAULT_READING, Reading
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.matching.bounds import bounds_for
from tted_core.matching.match import match
from tted_core.matching.records import CLAIMS, SHARES, STATUSES, Matching
from tted_core.method import OPTIONS, PLURALS, SETTING_COLUMNS, Method, Signature
from tted_core.pipeline import SIDES, Pairs, Prepared, Solved, solve

if TYPE_CHECKING:
    import pyarrow as pa

# The model, or "" for baselines by words -> name -> the baseline's score or error for each readable pair.
Known: TypeAlias = dict[str, dict[str, list[BaselineScore | TTEDError]]]

OF_PAIR = ("id", "left", "right")
COUNTS = ("match", "replace", "delete", "insert")
COSTS = ("cost_replace", "cost_delete", "cost_insert")
OF_SCRIPT = ("tted", "lower_bound", "proven", *NORMALISATIONS, "left_nodes", "right_nodes", *COUNTS, *COSTS)
BEFORE = (*OF_PAIR, *SETTING_COLUMNS, *OF_SCRIPT)
AFTER = ("notices", "error", "seconds", "signature")

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

    A distance is measured with each encoder, or once with the model that it uses instead; invalid combinations
    of a distance and a context are left out.

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
    same = Method(**options)  # validated even if nothing is combined
    methods = tuple(
        Method.by_model(model, distance, **options, context=context, **dict(zip(names, each, strict=True)))
        for model, context, distance in all_settings(encoders, contexts, distances, same.masked_model)
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
        select_entries(MEASURES, self.baselines, "baseline")
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
    return (*BEFORE, *(name for name in beside if name not in BEFORE), *counts, *AFTER)


def schema_of(options: BatchOptions, further: Sequence[str]) -> "pa.Schema":
    """The columns of the results with their types, those of the input last."""
    import pyarrow as pa

    columns = columns_of(options)
    if same := [name for name in further if name in columns]:
        raise OptionsError(f"the column {same[0]!r} of the input is a column of the results too; rename it")
    kinds = {"proven": pa.bool_(), **dict.fromkeys(_TEXTS, pa.string()), **dict.fromkeys(_WHOLE, pa.int32())}
    typed = [(name, kinds.get(name, pa.float64())) for name in columns]
    return pa.schema([*typed, *((name, pa.string()) for name in further)])


def rows_of(
    prepared: Prepared, options: BatchOptions, pairs: Pairs, monitor: Monitor = UNWATCHED
) -> Iterator[dict[str, Any]]:
    """Rows of some pairs, without id and names; those of the same pair, one per method, are consecutive."""
    known: Known = {}
    by_method: list[list[dict[str, Any]]] = []
    start = time.perf_counter()
    for solved in solve(prepared, pairs, *options.methods, monitor=monitor):
        monitor.check()  # a stopped search may return a worse mapping than a repeated one
        by_method.append(solve_rows(solved, options, known))
        seconds = (time.perf_counter() - start) / len(solved.chunk)
        for row in by_method[-1]:
            row["seconds"] = seconds
        if len(by_method) == len(options.methods):
            yield from itertools.chain.from_iterable(zip(*by_method, strict=True))
            by_method, known = [], {}
        start = time.perf_counter()


def solve_rows(solved: Solved, options: BatchOptions, known: Known) -> list[dict[str, Any]]:
    """The rows of a chunk by one method; baselines in ``known`` aren't computed again, new ones are added."""
    method, model, maps = solved.method, solved.prepared.model(solved.method), solved.prepared.maps
    blank = dict.fromkeys(columns_of(options)[len(OF_PAIR) :]) | method.columns
    distances, *normalised = solved.scores.values()
    nodes, review = np.diff(solved.problems.trees)[solved.pairs], solved.review
    columns = (
        distances,
        solved.lower,
        solved.proven,
        *normalised,
        *nodes.T,
        *review.counts.T,
        *review.sums.T[1:],
    )
    cells = zip(*(column.tolist() for column in columns), strict=True)
    rows: list[dict[str, Any]] = [blank] * len(solved.chunk)
    for position, values in zip(solved.positions.tolist(), cells, strict=True):
        rows[position] = blank | dict(zip(OF_SCRIPT, values, strict=True))
    for position, error in solved.errors.items():
        rows[position] = blank | {"error": str(error)}
    signature = Signature.of(method.with_model(model.name), model.fingerprint)
    signature = Signature(signature.parts | sign_equivalence(options.baselines, options.equivalence))
    around = {
        proven: str(signature.signing(proven=proven, digests=["\0"])).split("\0") for proven in (True, False)
    }
    of_texts, of_method = model.notices.get(method.context), method.notices
    said = {
        number: (*maps[number].notices, *(of_texts[number] if of_texts else ()))
        for number in np.unique(solved.chunk).tolist()
    }
    on_left, on_right = (
        {number: [f"{side} map: {notice}" for notice in notices] for number, notices in said.items()}
        for side in SIDES
    )
    for row, (left, right) in zip(rows, solved.chunk.tolist(), strict=True):
        row["notices"] = [*on_left[left], *on_right[right], *of_method]
        if row["error"] is None:
            before, after = around[row["proven"]]
            row["signature"] = f"{before}{maps[left].digest[:8]},{maps[right].digest[:8]}{after}"
    if options.baselines:
        _add_baselines(solved, options, rows, known)
    suite = [name for name in options.baselines if name in SUITE]
    for number, position in enumerate(solved.positions.tolist() if suite or options.sentences else ()):
        if suite:
            _add_suite(solved, number, suite, options.equivalence, rows[position])
        if options.sentences:
            found = correspondence_of(solved, number)
            shares = found.shares(solved.problem(number).costs)
            rows[position] |= found.counts.items()
            rows[position] |= {CLAIMS: found.claims, **dict(zip(SHARES, shares, strict=True))}
    for row in rows:
        row["notices"] = "; ".join(row["notices"])
    return rows


def _add_baselines(
    solved: Solved, options: BatchOptions, rows: Sequence[dict[str, Any]], known: Known
) -> None:
    """Add the baselines' columns to the rows of a chunk, or their errors to the notices."""
    maps, vectors = solved.prepared.maps, solved.prepared.vectors(solved.method)
    used = np.unique(solved.chunk).tolist()
    trees = {number: tree for number in used if (tree := maps[number].tree) is not None}
    readable = [
        (row, (left, right))
        for row, (left, right) in zip(rows, solved.chunk.tolist(), strict=True)
        if left in trees and right in trees
    ]
    for reads, model in (("none", ""), ("encoder", solved.method.model if vectors else "none")):
        if model not in known:
            names = [
                each for each in options.baselines if each in BASELINES and BASELINES[each].reads == reads
            ]
            known[model] = score_pairs(names, trees, [pair for _, pair in readable], vectors)
        for name, scores in known[model].items():
            for (row, _), score in zip(readable, scores, strict=True):
                if isinstance(score, BaselineScore):
                    row |= {name: score.sim, f"{name}_rho": score.rho_base}
                else:
                    row["notices"].append(f"{name}: {score}")


def _add_suite(
    solved: Solved, number: int, names: Sequence[str], equivalence: float, row: dict[str, Any]
) -> None:
    """Add the suite's columns to the row of a pair; errors and warnings are added to the notices."""
    for name, values in solved.suite(number, names, equivalence).items():
        if isinstance(values, TTEDError):
            row["notices"].append(f"{name}: {values}")
        else:
            row[name] = values[-1]
    if words := solved.prepared.loaded.get((solved.method.model, "bertscore")):
        problem = solved.problem(number)
        texts = linear_text(problem.left), linear_text(problem.right)
        row["notices"] += [n for n in words.texts_notices(texts, "none") if n not in row["notices"]]


def correspondence_of(solved: Solved, number: int) -> Matching:
    """The sentences of a pair by status, like those that ``explain`` finds of its comparison."""
    method = solved.method.with_model(solved.prepared.model(solved.method).name)  # named as in a comparison
    problem, costs = solved.problem(number), solved.sentences(number)
    left, right = problem.left, problem.right
    bounds = bounds_for(method, left.labels, right.labels, costs.nodes)
    partners = solved.mappings.of(number).tolist()
    return match(left, right, costs, partners, ordered=method.order == "ordered", bounds=bounds)
