"""The grid: every combination of options, the baselines and the controls, on every sample.

Each distinct text is encoded once per encoder. Controls are deliberately bad measures, for comparison with a
figure. ``blind`` ignores the position of sentences: half the distance of the maps' mean vectors, plus the least
number of nodes by which their unlabelled trees differ. ``dear-gap`` is the published TTED with a large constant
added for every missing node, so that little but the shape of the trees counts. R_S and R_M reward both.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tted_core.baselines import BASELINES, NOT_COMPUTED
from tted_core.batch.table import combine
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.formats import MindMap
from tted_core.foundations.monitor import Monitor
from tted_core.foundations.registry import lookup
from tted_core.method import PLURALS, Method
from tted_core.pipeline import (
    ChunkCosts,
    Pairs,
    Prepared,
    PreparedMap,
    Solved,
    costs_of,
    prepare,
    solve_costs,
)
from tted_core.solvers import EditProblem
from tted_core.solvers import Mapping as EditMapping
from tted_core.solvers import solve as solve_problem
from tted_core.tree import TextTree

DEAR = 50.0
"""Amount that ``dear-gap`` adds to each missing node; no two sentences are more than 1.5 apart."""

NAMED_OPTIONS = ("encoder", "distance", "context", "order", "gap", "power")
"""The options of a row, in the order of its name."""

Notices: TypeAlias = Callable[[Sequence[TextTree]], tuple[str, ...]]
"""Maps -> warnings about a measure's scores of them."""

MapPairs: TypeAlias = Sequence[tuple[TextTree, TextTree]]
_Numbers: TypeAlias = tuple[tuple[int, int], ...]
_Found: TypeAlias = list[tuple[dict[str, float], EditMapping | None]]
"""Of each pair: scores, the main one first ("unproven" is 1 for an upper bound), and the mapping, if any."""


def blind(prepared: Prepared, method: Method, pairs: Pairs) -> list[float]:
    """Half the distance of the mean vectors, plus the edit distance of the trees without labels."""
    vectors, found = prepared.vectors(method), []
    assert vectors is not None
    for numbers in pairs.tolist():
        left, right = (prepared.maps[number].readable for number in numbers)
        # Vectors are summed in sorted order, so that the mean doesn't depend on the order of nodes.
        means = [
            np.sort(vectors(tree.labels), axis=0).sum(axis=0, keepdims=True) / len(tree)
            for tree in (left, right)
        ]
        costs = np.zeros((len(left) + 1, len(right) + 1))
        costs[:-1, -1] = costs[-1, :-1] = 1.0
        edits = solve_problem(EditProblem(left, right, costs), "constrained").upper
        found.append(float(method.record.function(*means)[0, 0] / 2) + edits)
    return found


def dear_gap(prepared: Prepared, method: Method, pairs: Pairs) -> list[float]:
    """TTED with power 1 and ``DEAR`` added to each missing node."""
    dear = replace(method, order="constrained", gap=DEAR, power=1.0)
    found = solve_costs(prepared, costs_of(prepared, pairs, dear), dear)
    _raise_errors(found)
    return list(map(float, found.tted))


CONTROLS: dict[str, Callable[[Prepared, Method, Pairs], list[float]]] = {
    "blind": blind,
    "dear-gap": dear_gap,
}
"""Functions of maps, a method whose distance reads vectors, and p pairs, which return p values."""


@dataclass(frozen=True)
class Grid:
    """Names to combine.

    Attributes:
        encoders: names of encoders -> functions that load them when needed.
        options: the other options of the methods, as ``combine`` takes them. Invalid combinations make no row,
            but a notice in the report.
        baselines: names of ``BASELINES``.
        controls: names of ``CONTROLS``, measured with each encoder in use.
        settings: options by their names, for example presets, each of which is combined with the other options;
            ``options`` override them.

    Raises:
        UnknownNameError: unknown name.
        OptionsError: only distances of texts, with contexts that need vectors, or an invalid gap or power.
    """

    encoders: Mapping[str, Callable[[], Encoder]]
    options: Mapping[str, Any] = field(default_factory=dict)
    baselines: Sequence[str] = ()
    controls: Sequence[str] = ()
    settings: Sequence[Mapping[str, Any]] = ({},)

    def __post_init__(self) -> None:
        for name in self.baselines:
            lookup(BASELINES, name, "baseline")
        for name in self.controls:
            lookup(CONTROLS, name, "control")
        _ = self.methods

    @property
    def _options(self) -> list[dict[str, Any]]:
        """The options of each setting, as ``combine`` takes them."""
        return [
            {**{PLURALS[name]: (value,) for name, value in setting.items()}, **self.options}
            for setting in self.settings
        ]

    @cached_property
    def methods(self) -> dict[str, list[Method]]:
        """All valid combinations by model; those with the same costs are adjacent."""
        found = dict.fromkeys(each for options in self._options for each in combine(self.encoders, **options))
        costs = list(dict.fromkeys((each.distance, each.context) for each in found))
        by_model: dict[str, list[Method]] = {each.model: [] for each in found}
        for each in sorted(found, key=lambda each: costs.index((each.distance, each.context))):
            by_model[each.model].append(each)
        return by_model

    def of_encoder(self, model: str) -> list[dict[str, str]]:
        """The baselines by meaning and the controls to measure with a model, as options."""
        names = [name for name in self.baselines if BASELINES[name].reads == "encoder"]
        controls = self.controls if model in self.methods else ()
        return [{"baseline": name} for name in names] + [{"control": name} for name in controls]

    @property
    def total(self) -> int:
        """The number of measures."""
        by_words = sum(BASELINES[name].reads == "none" for name in self.baselines)
        of_encoders = sum(len(self.of_encoder(name)) for name in self.encoders)
        return by_words + sum(map(len, self.methods.values())) + of_encoders

    @property
    def left_out(self) -> tuple[str, ...]:
        """A notice about combinations that make no row."""
        apart = [
            (distance, context)
            for options in self._options
            for distance, context in itertools.product(
                *(options.get(PLURALS[name], ()) for name in ("distance", "context"))
            )
            if not DISTANCES[distance].goes_with(CONTEXTS[context])
        ]
        if not apart:
            return ()
        distances, contexts = (", ".join(dict.fromkeys(names)) for names in zip(*apart, strict=True))
        return (f"left out: {distances} with the context {contexts}, which needs vectors",)


@dataclass(frozen=True)
class Measure:
    """A measure: its options, its model's fingerprint, and its function of pairs of trees.

    ``notices`` returns warnings about some maps; None if an earlier measure that reads the same texts has them.
    """

    options: dict[str, Any]
    fingerprint: str
    solved: Callable[[MapPairs], _Found]
    notices: Notices | None = None


def measures(grid: Grid, trees: Sequence[TextTree], monitor: Monitor) -> Iterator[Measure]:
    """The measures of a grid in order; a model is loaded, and all texts encoded, before its first measure.

    ``trees`` are all maps whose texts will be read. Raises ``Interrupted`` when it is stopped.
    """
    done = 0
    for name in grid.baselines:
        if BASELINES[name].reads == "none":
            yield Measure({"baseline": name}, "none", partial(_baseline, name, None))
            done += 1
    contexts = {each.context for methods in grid.methods.values() for each in methods}
    if grid.controls or grid.baselines:
        contexts.add("none")
    maps = [PreparedMap.of("", MindMap(tree, "tree"), tree, sorted(contexts)) for tree in trees]
    for error in (error for each in maps for error in each.errors.values()):
        raise error
    numbers = {id(tree): number for number, tree in enumerate(trees)}
    by_meaning = [name for name in grid.encoders if grid.of_encoder(name)]
    for model in dict.fromkeys((*grid.methods, *by_meaning)):
        methods, others = (
            grid.methods.get(model, []),
            grid.of_encoder(model) if model in grid.encoders else [],
        )
        by_vectors = Method(encoder=model)
        prepared = prepare(
            maps,
            (*methods, *[by_vectors][: len(others)]),
            Models(model, model, cache(lambda name: encoding_once(grid.encoders[name]()))),
            notices=False,
            is_exact=True,
            monitor=monitor.reporting(partial(_report_stage, monitor, done / grid.total)),
        )
        numbered, watched = _Numbered(prepared, numbers), Monitor(should_stop=monitor.should_stop)
        for (_, context), group in itertools.groupby(methods, attrgetter("distance", "context")):
            first, *rest = group
            costs = cache(partial(_costs, prepared, first))
            notices: Notices | None = partial(_notices, prepared.distance(first), context)
            for method in (first, *rest):
                options = {option: method.described[option] for option in NAMED_OPTIONS}
                solved = partial(_measure_tted, numbered, method, costs, watched)
                yield Measure(options, prepared.model(method).fingerprint, solved, notices)
                notices = None
                done += 1
        for options in others:
            solved = (
                partial(_baseline, options["baseline"], prepared.vectors(by_vectors))
                if "baseline" in options
                else partial(_measure_control, options["control"], numbered, by_vectors)
            )
            yield Measure({"encoder": model, **options}, prepared.model(by_vectors).fingerprint, solved)
            done += 1


def _report_stage(monitor: Monitor, share: float, stage: str, done: float, total: float) -> None:
    """Report progress before a measure, which is at this share of all, as a stage of its own."""
    monitor.stage(f"{stage}: {done:,.0f} of {total:,.0f}" if done else stage, share)


class _Numbered(NamedTuple):
    """Prepared maps, and the number of each by the identity of its tree."""

    prepared: Prepared
    numbers: Mapping[int, int]

    def pairs(self, pairs: MapPairs) -> _Numbers:
        return tuple((self.numbers[id(left)], self.numbers[id(right)]) for left, right in pairs)


def _costs(prepared: Prepared, method: Method, pairs: _Numbers) -> ChunkCosts:
    return costs_of(prepared, np.array(pairs, dtype=np.int32).reshape(-1, 2), method)


def _raise_errors(solved: Solved) -> None:
    for error in solved.errors.values():
        raise error


def _measure_tted(
    numbered: _Numbered,
    method: Method,
    costs: Callable[[_Numbers], ChunkCosts],
    monitor: Monitor,
    pairs: MapPairs,
) -> _Found:
    """All scores and the mappings of some pairs; methods that differ by order, gap and power share the costs."""
    solved = solve_costs(numbered.prepared, costs(numbered.pairs(pairs)), method, monitor)
    _raise_errors(solved)
    columns = {**solved.scores, "unproven": ~solved.proven}
    return [
        ({name: float(values[row]) for name, values in columns.items()}, solved.mapping(row))
        for row in range(len(solved))
    ]


def _notices(distance: LoadedDistance, context: str, trees: Sequence[TextTree]) -> tuple[str, ...]:
    return distance.texts_notices([text for tree in trees for text in CONTEXTS[context].texts(tree)], context)


def _measure_control(name: str, numbered: _Numbered, method: Method, pairs: MapPairs) -> _Found:
    values = CONTROLS[name](numbered.prepared, method, np.array(numbered.pairs(pairs), dtype=np.int32))
    return [({"control": value}, None) for value in values]


def _baseline(name: str, vectors: Encoder | None, pairs: MapPairs) -> _Found:
    scores: _Found = []
    for left, right in pairs:
        values = {"rho_base": math.nan, "sim": math.nan}
        with suppress(*NOT_COMPUTED):  # undefined for these maps; counted as left out
            score = BASELINES[name](left, right, vectors)
            values = {"rho_base": math.nan if score.rho_base is None else score.rho_base, "sim": score.sim}
        scores.append((values, None))
    return scores
