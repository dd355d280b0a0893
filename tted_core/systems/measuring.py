"""From references and the outputs of systems to scores: each output against its document's references.

Maps are prepared once. By depth, TTED@k and other measures are of the same maps trimmed to their first k levels.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from tted_core.arithmetic import Sizes, normalize, total
from tted_core.baselines.suite import of_empty_map
from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.pairs import Inputs
from tted_core.batch.results import LOWER
from tted_core.batch.table import COSTS, BatchOptions, columns_of_chunk, zip_rows
from tted_core.distances import Models
from tted_core.encoders.embedding import with_memory_cache
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import OptionsError, lookup
from tted_core.foundations.messages import counted
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.matching.records import CLAIMS, SHARES, STATUSES
from tted_core.method import Method, Signature
from tted_core.pipeline import Pairs, Prepared, costs_of, prepare, prepare_maps, solve
from tted_core.systems.scores import OF_TTED, SystemScores, values_of

# Ways to combine the scores against several references of a document.
OVER: dict[str, str] = {
    "min": "the reference that is nearest by this measure",
    "mean": "the mean over the references",
    "max": "the reference that is farthest by this measure",
}

# Ways to treat a document whose output is missing or can't be read.
MISSING: dict[str, str] = {
    "drop": "leave the document out for all systems",
    "empty": "count it as the empty map",
}

_Key: TypeAlias = tuple[str, str]  # a document and a system

# Columns of a batch: sentences by status, costs of the script's operations, shares and changed claims.
OPERATIONS = (*STATUSES, *COSTS, *SHARES, CLAIMS)

DEPTHS = 12  # maximum number of levels to which maps are trimmed


@dataclass(frozen=True)
class Measured:
    """Scores, with the operations and settings behind them.

    Attributes:
        scores: of n documents and s systems.
        operations: (document, system) -> measures and ``OPERATIONS``; of several references, against the one that
            counts by ``normalized``, or their means; coverage and support are those of the measures.
        signature: signature that reproduces the scores.
        depths: scores of the maps trimmed to k levels, for k = 1, 2, ..., by ``normalized`` and the baselines,
            without controls.
    """

    scores: SystemScores
    operations: Mapping[_Key, Mapping[str, float]] = field(repr=False)
    signature: str
    depths: tuple[SystemScores, ...] = ()

    @property
    def drivers(self) -> dict[str, dict[str, float]]:
        """System -> means of ``OPERATIONS`` over the documents that every system has; empty without any."""
        systems = self.scores.contenders.systems
        shared = [
            item for item in self.scores.items if all((item, system) in self.operations for system in systems)
        ]
        return {
            system: {
                name: float(np.mean([self.operations[item, system][name] for item in shared]))
                for name in OPERATIONS
            }
            for system in systems
            if shared
        }


def measure_systems(
    inputs: Inputs,
    options: BatchOptions | None = None,
    *,
    over: str = "min",
    missing: str = "drop",
    by_depth: bool = False,
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
) -> Measured:
    """Measure every system's output for every document.

    Args:
        inputs: pairs of a document's reference, left, and a system's output, as from ``pairs_of_systems``.
        options: one setting, and the baselines; the default setting if None.
        over: see ``OVER``.
        missing: see ``MISSING``.
        by_depth: also measure the maps trimmed to k levels, for k up to the setting's depth or else that of the
            deepest reference, at most ``DEPTHS``.
        load: loads an encoder by name.
        monitor: receives the stages, and may stop the work.
    """
    options = options or BatchOptions()
    if len(options.methods) != 1:
        raise OptionsError(
            f"systems are compared under one setting, not {len(options.methods)}; name one of each"
        )
    lookup(OVER, over, "way with several references")
    lookup(MISSING, missing, "way with missing documents")
    monitor.stage(f"Reading {len(inputs.maps):,} maps")
    maps = prepare_maps(inputs.maps, options.contexts, depth=options.depth, monitor=monitor)
    (method,) = options.methods
    errors = [each.errors.get(method.context) for each in maps]
    readable, remarks = {}, list(inputs.notices)
    for item, numbers in inputs.documents.items():
        readable[item] = [number for number in numbers if not errors[number]]
        if wrong := list(filter(None, (errors[number] for number in numbers))):
            remarks.append(f"a reference of {item} can't be compared: {wrong[0]}")
    every = list(zip(inputs.ids, inputs.further["system"], strict=True))
    systems = tuple(dict.fromkeys(system for _, system in every))
    reasons = {
        (item, system): "no map of this name" if readable[item] else "no reference that can be compared"
        for item, system in itertools.product(readable, systems)
    }
    kept = []
    for row, (key, (left, right)) in enumerate(zip(every, inputs.pairs.tolist(), strict=True)):
        if left in readable[key[0]]:
            reasons[key] = str(errors[right] or "")
            kept += [] if errors[right] else [row]
    reasons = {key: reason for key, reason in reasons.items() if reason}
    keys, pairs = [every[row] for row in kept], inputs.pairs[kept]
    prepared = prepare(
        maps,
        options.methods,
        Models(load_encoder=lambda name: with_memory_cache(load(name)) if by_depth else load(name)),
        baselines=options.baselines,
        pairs=pairs,
        monitor=monitor,
    )
    whole = {
        key: readable[key[0]] for key in itertools.product(readable, systems) if key[1] not in BATCH_CONTROLS
    }
    solving = partial(
        _solve_documents,
        over=over,
        empty=whole if missing == "empty" else {},
        monitor=monitor,
    )
    measures = (*OF_TTED, *SHARES, *options.baselines)
    scored, failed, setting = solving(
        prepared, keys, pairs, measures, options=replace(options, sentences=True), beside=OPERATIONS
    )
    reasons |= failed
    if missing == "empty":
        remarks += _count_as_empty(reasons)
    compared = {number for numbers in readable.values() for number in numbers}
    compared |= {*inputs.pairs[[system not in BATCH_CONTROLS for _, system in every], 1].tolist()}
    scores = SystemScores(
        tuple(readable),
        systems,
        values_of(scored, readable, systems, measures),
        frozenset(name for name in measures if LOWER[name]),
        reasons,
        tuple(remarks),
        tuple(
            (maps[number].name, notice)
            for number in sorted(compared)
            for notice in prepared.notices_of(number, method)
        ),
    )
    depths = []
    if by_depth:
        is_system = [key in whole for key in keys]
        of_systems, measures = list(itertools.compress(keys, is_system)), ("normalized", *options.baselines)
        deepest = max((maps[n].readable.depth for n in itertools.chain(*readable.values())), default=0)
        for k in range(1, min(options.depth or deepest, DEPTHS) + 1):
            trimmed, _, _ = solving(
                prepared.trimmed(k),
                of_systems,
                pairs[is_system],
                measures,
                options=replace(options, sentences=False),
            )
            contenders = scores.contenders.systems
            values = values_of(trimmed, readable, contenders, measures)
            depths.append(SystemScores(scores.items, contenders, values, scores.lower))
    counts = [len(each) for each in readable.values() if each] or [0]
    fewest, most = min(counts), max(counts)
    refs = f"refs:{fewest if fewest == most else f'{fewest}-{most}'}{'' if most == 1 else f',{over}'}"
    return Measured(
        scores,
        scored,
        f"{refs}|missing:{missing}|docs:{len(readable)}|{setting}",
        tuple(depths),
    )


def _solve_documents(
    prepared: Prepared,
    keys: Sequence[_Key],
    pairs: Pairs,
    measures: Sequence[str],
    *,
    options: BatchOptions,
    over: str,
    empty: Mapping[_Key, Sequence[int]],
    monitor: Monitor,
    beside: Sequence[str] = (),
) -> tuple[dict[_Key, dict[str, float]], dict[_Key, str], str]:
    """The scores of each output, the errors, and the part of the signature that all pairs share.

    ``empty`` are references, by those outputs that count as the empty map if they have no score. ``beside`` are
    further columns that scores have.
    """
    names = (*measures, *beside)
    every: dict[_Key, list[dict[str, float]]] = {}
    errors: dict[_Key, str] = {}
    setting, done = "", 0
    monitor.stage(f"Comparing {len(pairs):,} pairs")
    for solved in solve(prepared, pairs, *options.methods):
        for row in zip_rows(columns_of_chunk(solved, options, {})):
            if row["error"]:
                errors[keys[done]] = row["error"]
            else:
                scores = {name: np.nan if row[name] is None else float(row[name]) for name in names}
                every.setdefault(keys[done], []).append(scores)
                setting = setting or f"TTED|{Signature.read(row['signature']).setting}"
            done += 1
        monitor.advance(done, len(pairs))
        monitor.check()
    for key in (each for each in empty if each not in every):
        every[key] = [
            scores
            for number in empty[key]
            for scores in _score_empty(prepared, options.methods[0], number, names)
        ]
    return {key: _combine(each, measures, over) for key, each in every.items() if each}, errors, setting


def _score_empty(
    prepared: Prepared, method: Method, reference: int, names: Sequence[str]
) -> Iterator[dict[str, float]]:
    """The scores of a map without nodes against a reference; none if the reference has an error.

    Everything is missing: ``tted`` is what the reference costs to delete, ``support`` is 0 by convention, and a
    baseline finds nothing in common.
    """
    costs = costs_of(prepared, np.array([[reference, reference]], dtype=np.int32), method)
    if costs.errors:
        return
    nodes = len(prepared.maps[reference].readable)
    prices = costs.with_gap(method.gap).reshape(nodes + 1, -1)[:-1, -1]
    tted = total(prices, method.power)
    sizes = Sizes(np.array([nodes, 0]), np.array([tted, 0.0]), float(prices.max()))
    found = {"tted": tted, **normalize(tted, sizes, method.power), **of_empty_map(prices.tolist())}
    found |= {"missing": nodes, "cost_delete": prices.sum()}
    yield {name: float(found.get(name, 0.0)) for name in names}


def _combine(found: Sequence[dict[str, float]], measures: Sequence[str], over: str) -> dict[str, float]:
    """The scores over several references."""
    values = {name: np.array([scores[name] for scores in found]) for name in found[0]}
    if over == "mean":
        return {name: float(each.mean()) for name, each in values.items()}
    pick = int(values["normalized"].argmin() if over == "min" else values["normalized"].argmax())
    best = {
        name: values[name].min() if LOWER[name] == (over == "min") else values[name].max()
        for name in measures
    }
    return {name: float(value) for name, value in (found[pick] | best).items()}


def _count_as_empty(reasons: Mapping[_Key, str]) -> Iterator[str]:
    by_system: dict[str, list[str]] = {}
    for (item, system), why in reasons.items():
        if system not in BATCH_CONTROLS:
            by_system.setdefault(system, []).append(f"{item} ({why})")
    for system, every in by_system.items():
        count = counted(len(every), "document")
        yield f"{count} of {system} counted as the empty map: {'; '.join(every[:5])}"


class DepthMean(NamedTuple):
    """The mean of a measure over n documents, of which all systems have a value, trimmed to k levels."""

    measure: str
    system: str
    k: int
    n: int
    mean: float


def depth_means(depths: Sequence[SystemScores]) -> tuple[DepthMean, ...]:
    """The means of each measure and system for k = 1, 2, ... levels; none where no document has a value."""
    return tuple(
        DepthMean(measure, system, k, int(whole.sum()), float(values[row, whole].mean()))
        for measure in (depths[0].measures if depths else ())
        for k, scores in enumerate(depths, start=1)
        for values, whole in [(scores.measures[measure], scores.whole(measure))]
        for row, system in enumerate(scores.systems)
        if whole.any()
    )
