"""From references and the outputs of systems to scores: each output against its document's references.

By depth means TTED@k of all systems, and other measures, on maps trimmed to their first k levels.
"""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tted_core.batch.controls import CONTROLS
from tted_core.batch.rows import solved_rows
from tted_core.batch.settings import BatchOptions
from tted_core.batch.work import Work, prepared, read_maps
from tted_core.distances import Models
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import OptionsError
from tted_core.explain.correspondence import SHARES
from tted_core.formats.labels import counted
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.signature import Signature
from tted_core.systems.documents import Collection, Documents, control_collections
from tted_core.systems.drivers import Operations, empty_map, operations_of
from tted_core.systems.scores import LOWER, OF_TTED, SystemScores, Values

OVER: dict[str, str] = {
    "min": "the reference that is nearest by this measure",
    "mean": "the mean over the references",
    "max": "the reference that is farthest by this measure",
}
"""Ways to combine the scores against several references of a document."""

MISSING: dict[str, str] = {
    "drop": "leave the document out for all systems",
    "empty": "count it as the empty map",
}
"""Ways to treat a document whose output is missing or can't be read."""

OWN = (*OF_TTED, *SHARES)
"""The measures beside the baselines."""

NO_OUTPUT = "no map of this name"


@dataclass(frozen=True)
class Measured:
    """Scores, with the operations and settings behind them.

    Attributes:
        scores: of n documents and s systems.
        operations: (document, system) -> operations against the reference that counts by ``normalized``, or their
            means over all references.
        levels: of the deepest reference.
        references: how many references documents have, the fewest and the most.
        setting: the part of TTED's signature that is the same for all pairs.
        over: what counts of several references.
        missing: what was done with missing documents.
    """

    scores: SystemScores
    operations: Mapping[tuple[str, str], Operations] = field(repr=False)
    levels: int
    references: tuple[int, int]
    setting: str
    over: str
    missing: str

    @property
    def drivers(self) -> dict[str, Operations]:
        """System -> the means over the documents of which every system has operations; empty without any."""
        systems = self.scores.contenders.systems
        shared = [
            item for item in self.scores.items if all((item, system) in self.operations for system in systems)
        ]
        return {
            system: Operations.mean([self.operations[item, system] for item in shared])
            for system in systems
            if shared
        }

    @property
    def signature(self) -> str:
        """Signature that reproduces the scores."""
        fewest, most = self.references
        count = f"{fewest}" if fewest == most else f"{fewest}-{most}"
        over = "" if most == 1 else f",{self.over}"
        return f"refs:{count}{over}|missing:{self.missing}|docs:{len(self.scores.items)}|{self.setting}"


def measure_systems(
    references: Sequence[Collection],
    systems: Mapping[str, Collection],
    options: BatchOptions | None = None,
    *,
    over: str = "min",
    missing: str = "drop",
    controls: Sequence[str] = (),
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
) -> Measured:
    """Measure every system's output for every document.

    Args:
        references: collections of references; a document may be in several of them.
        systems: each system's outputs, named as their documents' references.
        options: one setting, and the baselines; the default setting if None.
        over: see ``OVER``.
        missing: see ``MISSING``.
        controls: names of ``CONTROLS``, which are measured as systems are.
        load: what makes an encoder of its name.
        monitor: watches the stages, and may stop it.
    """
    options = options or BatchOptions()
    if len(options.methods) != 1:
        raise OptionsError(
            f"systems are compared under one setting, not {len(options.methods)}; name one of each"
        )
    lookup(OVER, over, "way with several references")
    lookup(MISSING, missing, "way with missing documents")
    plan = Documents(references, {**systems, **control_collections(references, systems, controls)})
    monitor.stage(f"Reading {len(plan.named):,} maps")
    maps = read_maps(plan.named, options.contexts, depth=options.depth, monitor=monitor)
    work = prepared(maps, options, Models(load_encoder=load), monitor=monitor, sentences=True)
    return _Table(plan, work, over, missing).measured(monitor)


class _Table:
    """Fills in the values of all documents and systems."""

    def __init__(self, plan: Documents, work: Work, over: str, missing: str) -> None:
        self.plan, self.work, self.over, self.missing = plan, work, over, missing
        self.context = work.options.methods[0].context
        self.measures = (*OWN, *work.options.baselines)
        self.shape = (len(plan.systems), len(plan.items))
        self.values = {name: np.full(self.shape, np.nan) for name in self.measures}
        self.operations: dict[tuple[str, str], Operations] = {}
        self.reasons: dict[tuple[str, str], str] = {}
        self.remarks = list(plan.remarks)
        self.setting = ""

    def measured(self, monitor: Monitor) -> Measured:
        """All scores."""
        readable = {item: self._readable(item) for item in self.plan.items}
        found = self._rows(readable, monitor)
        for column, item in enumerate(self.plan.items):
            for row, system in enumerate(self.plan.systems):
                rows = found.get((item, system), [])
                counts_empty = self.missing == "empty" and system not in CONTROLS
                if not rows and counts_empty and readable[item]:
                    rows = list(filter(None, map(self._empty, readable[item])))
                if rows:
                    self._enter(row, column, rows)
        trees = {
            item: [self.work.maps[number].readable for number in readable[item]] for item in self.plan.items
        }
        nodes = np.array(
            [np.mean([len(tree) for tree in each]) if each else np.nan for each in trees.values()]
        )
        counts = [len(each) for each in readable.values() if each] or [0]
        self._tell_of_empty()
        scores = SystemScores(
            self.plan.items,
            self.plan.systems,
            self.values,
            frozenset(name for name in self.measures if LOWER[name]),
            np.nan_to_num(nodes),
            self.reasons,
            tuple(self.remarks),
            tuple(self._notices(readable)),
        )
        levels = [tree.depth for every in trees.values() for tree in every]
        return Measured(
            scores,
            self.operations,
            max(levels, default=0),
            (min(counts), max(counts)),
            self.setting,
            self.over,
            self.missing,
        )

    def _readable(self, item: str) -> list[int]:
        """The numbers of a document's references that can be compared."""
        numbers = self.plan.references[item]
        errors = [self.work.maps[number].errors.get(self.context) for number in numbers]
        wrong = [error for error in errors if error]
        if wrong:
            self.remarks.append(f"a reference of {item} can't be compared: {wrong[0]}")
        return [number for number, error in zip(numbers, errors, strict=True) if not error]

    def _rows(
        self, readable: Mapping[str, Sequence[int]], monitor: Monitor
    ) -> dict[tuple[str, str], list[tuple[dict[str, float], Operations]]]:
        """(document, system) -> scores and operations against each reference."""
        keys, pairs = [], []
        for item in self.plan.items:
            for system in self.plan.systems:
                output = self.plan.outputs.get((item, system))
                error = "" if output is None else self.work.maps[output].errors.get(self.context, "")
                if not readable[item]:
                    error = "no reference that can be compared"
                if error or output is None:
                    self.reasons[item, system] = error or NO_OUTPUT
                    continue
                for reference in readable[item]:
                    keys.append((item, system))
                    pairs.append((reference, output))
        every = np.array(pairs, dtype=np.int32).reshape(-1, 2)
        found: dict[tuple[str, str], list[tuple[dict[str, float], Operations]]] = {}
        monitor.stage(f"Comparing {len(pairs):,} pairs")
        rows = zip(keys, solved_rows(self.work, every), strict=True)
        for done, (key, (row, solved)) in enumerate(rows, start=1):
            monitor.advance(done, len(pairs))
            monitor.check()
            if solved is None:
                self.reasons[key] = row["error"]
                continue
            operations = operations_of(self.work, solved)
            self.setting = self.setting or f"TTED|{Signature.read(row['signature']).setting}"
            found.setdefault(key, []).append((self._scores(row, operations), operations))
        return found

    def _scores(self, row: Mapping[str, Any], operations: Operations) -> dict[str, float]:
        own = {"coverage": operations.coverage, "support": operations.support}
        given = {name: row.get(name, own.get(name)) for name in self.measures}
        return {name: np.nan if value is None else float(value) for name, value in given.items()}

    def _empty(self, reference: int) -> tuple[dict[str, float], Operations] | None:
        scores, operations = empty_map(self.work, reference)
        return None if operations is None else ({name: scores[name] for name in self.measures}, operations)

    def _enter(self, row: int, column: int, rows: Sequence[tuple[dict[str, float], Operations]]) -> None:
        """Enter the scores combined over the references."""
        for name in self.measures:
            values = np.array([scores[name] for scores, _ in rows])
            self.values[name][row, column] = self._counting(values, lower=LOWER[name])
        key = self.plan.items[column], self.plan.systems[row]
        distances = [scores["normalized"] for scores, _ in rows]
        if self.over == "mean":
            self.operations[key] = Operations.mean([operations for _, operations in rows])
        else:
            pick = np.argmin(distances) if self.over == "min" else np.argmax(distances)
            self.operations[key] = rows[int(pick)][1]

    def _counting(self, values: Values, *, lower: bool) -> float:
        if self.over == "mean":
            return float(values.mean())
        return float(values.min() if (self.over == "min") == lower else values.max())

    def _tell_of_empty(self) -> None:
        if self.missing != "empty":
            return
        by_system: dict[str, list[str]] = {}
        for (item, system), why in self.reasons.items():
            if system in CONTROLS:
                continue
            by_system.setdefault(system, []).append(f"{item} ({why})")
        self.remarks += [
            f"{counted(len(every), 'document')} of {system} counted as the empty map: {'; '.join(every[:5])}"
            for system, every in by_system.items()
        ]

    def _notices(self, readable: Mapping[str, Sequence[int]]) -> Iterator[tuple[str, str]]:
        """The title of each compared map with each notice of its reader and the model."""
        (model,) = {id(each): each for each in self.work.models.values()}.values()
        used = {number for each in readable.values() for number in each}
        used |= {number for (_, system), number in self.plan.outputs.items() if system not in CONTROLS}
        for number in sorted(used):
            for notice in (*self.work.maps[number].notices, *model.notices[self.context][number]):
                yield self.plan.titles[number], notice


DEPTHS = 12
"""Levels to which maps are trimmed, at most."""


def measure_by_depth(
    references: Sequence[Collection],
    systems: Mapping[str, Collection],
    options: BatchOptions,
    levels: int,
    *,
    over: str = "min",
    missing: str = "drop",
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
) -> tuple[SystemScores, ...]:
    """TTED@k, normalized, and the measures of ``options`` on maps trimmed to k levels, for k = 1 .. ``levels``.

    No more than ``DEPTHS`` levels are looked at.
    """
    kept = [[(name, functools.cache(read)) for name, read in each] for each in references]
    outputs = {
        system: [(name, functools.cache(read)) for name, read in each] for system, each in systems.items()
    }

    @functools.cache
    def load_once(name: str) -> Encoder:
        return encoding_once(load(name))

    depths = []
    for depth in range(1, min(levels, DEPTHS) + 1):
        trimmed = replace(options, methods=tuple(replace(each, depth=depth) for each in options.methods))
        found = measure_systems(
            kept, outputs, trimmed, over=over, missing=missing, load=load_once, monitor=monitor
        ).scores
        measures = {name: found.measures[name] for name in ("normalized", *options.baselines)}
        depths.append(replace(found, measures=measures))
    return tuple(depths)


@dataclass(frozen=True)
class DepthMean:
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
