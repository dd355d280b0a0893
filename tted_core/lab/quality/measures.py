"""The measures of a grid: every combination of options, with each distinct text encoded once per encoder."""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass
from functools import cache, partial
from operator import itemgetter
from typing import Any, TypeAlias

from tted_core.baselines import BASELINES, NOT_COMPUTED
from tted_core.contexts import CONTEXTS
from tted_core.costs import edit_problem
from tted_core.distances import DISTANCES, LoadedDistance, Models, all_settings
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.lab.quality.controls import CONTROLS, Control
from tted_core.lab.quality.notices import Told
from tted_core.monitor import Monitor
from tted_core.presets import DEFAULT
from tted_core.registry import lookup
from tted_core.search import Search, solve_and_score
from tted_core.solvers import SOLVERS, EditProblem, Mapping
from tted_core.tree import TextTree
from tted_core.weighing import Gap, checked_gap, checked_power

Problems: TypeAlias = Callable[[TextTree, TextTree], EditProblem]
Values: TypeAlias = dict[str, float]


@dataclass(frozen=True)
class Grid:
    """Names of what to combine.

    ``encoders`` maps names to what loads them, which is called when their turn comes. A distance that reads no
    encoder is measured once, whatever the encoders; what doesn't go with a context makes no row, of which the
    report has a notice.
    ``controls`` are names of ``CONTROLS``, measured by each encoder that is used. ``masked_model`` is the name of
    what distances by a masked model read. ``time_limit`` is in seconds per pair, for orders that may take long.
    """

    encoders: MappingOf[str, Callable[[], Encoder]]
    orders: Sequence[str] = ("constrained",)
    contexts: Sequence[str] = ("none",)
    distances: Sequence[str] = ("cosine",)
    baselines: Sequence[str] = ()
    time_limit: float | None = None
    gaps: Sequence[Gap] = (DEFAULT.gap,)
    powers: Sequence[float] = (DEFAULT.power,)
    controls: Sequence[str] = ()
    masked_model: str = DEFAULT_MASKED_MODEL


@dataclass(frozen=True)
class Measure:
    """One measure: its options, its model's fingerprint, and what it makes of two maps.

    ``solved`` gives the scores, of which "unproven" is 1 for an upper bound, and the mapping if there is one;
    ``told`` what a reader of the scores of these maps should know.
    """

    options: dict[str, Any]
    fingerprint: str
    solved: Callable[[TextTree, TextTree], tuple[Values, Mapping | None]]
    told: Told = lambda _trees: ()


def _check(grid: Grid) -> int:
    """Look every name up before the long work; the number of measures."""
    for name in grid.orders:
        lookup(SOLVERS, name, "order")
    for name in grid.baselines:
        lookup(BASELINES, name, "baseline")
    for name in grid.controls:
        lookup(CONTROLS, name, "control")
    for gap, power in itertools.product(grid.gaps, grid.powers):
        checked_gap(gap)
        checked_power(power)
    chosen = all_settings(grid.encoders, grid.contexts, grid.distances)
    if not chosen:  # not a row would come out
        for distance, context in itertools.product(grid.distances, grid.contexts):
            DISTANCES[distance].check_goes_with(context)
    ways = len(grid.orders) * len(grid.gaps) * len(grid.powers)
    baselines = len(_of(grid, "none")) + len(_of(grid, "encoder")) * len(grid.encoders)
    return ways * len(chosen) + baselines + len(grid.controls) * len(_controlled(grid))


def _of(grid: Grid, reads: str) -> list[str]:
    """The baselines that read this: an encoder, each of which makes others of them, or none."""
    return [name for name in grid.baselines if BASELINES[name].reads == reads]


def _controlled(grid: Grid) -> set[str]:
    """The encoders that a measure uses, beside which controls stand."""
    if not (grid.orders and grid.gaps and grid.powers):
        return set()
    return {model for model, _, _ in all_settings(grid.encoders, grid.contexts, grid.distances)} & {
        *grid.encoders
    }


def _left_out(grid: Grid) -> tuple[str, ...]:
    """Which combinations make no row."""
    apart = [
        (distance, context)
        for distance, context in itertools.product(grid.distances, grid.contexts)
        if not DISTANCES[distance].goes_with(CONTEXTS[context])
    ]
    if not apart:
        return ()
    distances, contexts = (", ".join(dict.fromkeys(names)) for names in zip(*apart, strict=True))
    return (f"left out: {distances} with the context {contexts}, which works on vectors and not on texts",)


@dataclass(frozen=True)
class Measures:
    """The measures of a grid, one after another; an encoder is loaded, and all texts encoded, before its first.

    ``trees`` are all maps whose texts will be read. Iterating raises ``Interrupted`` if the monitor says stop.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: distances of texts alone with contexts that work on vectors alone, or a gap or power that is
            none.
    """

    trees: Sequence[TextTree]
    grid: Grid
    monitor: Monitor

    def __post_init__(self) -> None:
        _check(self.grid)

    @property
    def total(self) -> int:
        """The number of measures."""
        return _check(self.grid)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Which combinations make no row."""
        return _left_out(self.grid)

    def __iter__(self) -> Iterator[Measure]:
        words, meaning = _of(self.grid, "none"), _of(self.grid, "encoder")
        for name in words:
            yield Measure({"baseline": name}, "none", partial(_baseline, name, None))
        done = len(words)
        chosen = all_settings(self.grid.encoders, self.grid.contexts, self.grid.distances)
        models = {model: list(group) for model, group in itertools.groupby(chosen, itemgetter(0))}
        for model in dict.fromkeys((*models, *(self.grid.encoders if meaning else ()))):
            ready = cache(partial(self._ready, model, cache(self._encoder), done / self.total))
            for _, context, name in models.get(model, ()):
                distance = ready(name)
                problem = cache(partial(edit_problem, distance, CONTEXTS[context]))
                shown = self.grid.masked_model if distance.record.reads == "masked model" else model
                told = partial(_told, distance, context)
                yield from self._orders(problem, (shown, name, context), distance.model[1], told)
                done += len(self.grid.orders) * len(self.grid.gaps) * len(self.grid.powers)
            for name in meaning if model in self.grid.encoders else ():
                distance = ready(DEFAULT.distance)
                measured = partial(_baseline, name, distance.vectors)
                yield Measure({"encoder": model, "baseline": name}, distance.model[1], measured)
                done += 1
            for name in self.grid.controls if model in _controlled(self.grid) else ():
                distance = ready(DEFAULT.distance)
                controlled = partial(_control, CONTROLS[name], distance)
                yield Measure({"encoder": model, "control": name}, distance.model[1], controlled)
                done += 1

    def _encoder(self, name: str) -> Encoder:
        return encoding_once(self.grid.encoders[name]())

    def _ready(
        self, model: str, load_encoder: Callable[[str], Encoder], share: float, name: str
    ) -> LoadedDistance:
        """The distance by this model, which has read all texts."""
        self.monitor.stage(f"Loading {model} for the distance {name}", share)
        distance = DISTANCES[name].load(Models(model, self.grid.masked_model, load_encoder))
        contexts = (*self.grid.contexts, *(("none",) if self.grid.controls or self.grid.baselines else ()))
        texts = {""}.union(*(CONTEXTS[context].texts(tree) for context in contexts for tree in self.trees))
        encoding = self.monitor.telling(
            lambda _stage, done, total: self.monitor.stage(f"Encoding {total} texts, {done} done", share)
        )
        return distance.read(tuple(texts), encoding)

    def _orders(
        self, problem: Problems, names: tuple[str, str, str], fingerprint: str, told: Told
    ) -> Iterator[Measure]:
        every = itertools.product(
            self.grid.orders, map(checked_gap, self.grid.gaps), map(checked_power, self.grid.powers)
        )
        for order, gap, power in every:
            options = dict(zip(("encoder", "distance", "context"), names, strict=True)) | {"order": order}
            scores = partial(self._tted, order, gap, power, problem)
            yield Measure({**options, "gap": gap, "power": power}, fingerprint, scores, told)

    def _tted(  # noqa: PLR0917 - all but the trees are bound
        self, order: str, gap: Gap, power: float, problem: Problems, left: TextTree, right: TextTree
    ) -> tuple[Values, Mapping | None]:
        search = Search(
            order, time_limit=self.grid.time_limit, monitor=Monitor(should_stop=self.monitor.should_stop)
        )
        solution, scores = solve_and_score(problem(left, right).under(gap, power), search)
        values = {
            "tted": scores.tted,
            **scores.normalised,
            "unproven": float(not scores.proven),
        }
        return values, solution.mapping


def _told(distance: LoadedDistance, context: str, trees: Sequence[TextTree]) -> tuple[str, ...]:
    return distance.texts_notices([text for tree in trees for text in CONTEXTS[context].texts(tree)], context)


def _control(
    control: Control, distance: LoadedDistance, left: TextTree, right: TextTree
) -> tuple[Values, None]:
    return {"control": control.measured(distance, left, right)}, None


def _baseline(name: str, vectors: Encoder | None, left: TextTree, right: TextTree) -> tuple[Values, None]:
    try:
        score = BASELINES[name](left, right, vectors)
    except NOT_COMPUTED:  # undefined for these maps: counted as left out
        return {"rho_base": math.nan, "sim": math.nan}, None
    return {"rho_base": math.nan if score.rho_base is None else score.rho_base, "sim": score.sim}, None
