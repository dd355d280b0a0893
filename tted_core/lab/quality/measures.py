"""The measures of a grid: every combination of options, with each distinct text encoded once per encoder.

Controls are measures that are no good by their making, beside which a figure can be read.

``blind`` never looks which sentence stands where: half the distance of the maps' mean vectors, and the least
number of nodes by which their bare trees differ. ``dear-gap`` is the published TTED with a large constant on every
missing node, so that little but the shape of the trees counts. R_S and R_M reward both.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np

from tted_core.baselines import BASELINES, NOT_COMPUTED
from tted_core.batch.settings import combined
from tted_core.compare import edit_problem, search
from tted_core.contexts import CONTEXTS, Context, Vectors, none
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.formats.forest import listed
from tted_core.foundations.monitor import Monitor
from tted_core.foundations.registry import lookup
from tted_core.lab.quality.samples import Sample
from tted_core.method import SEVERAL, Method
from tted_core.solvers import EditProblem, Mapping
from tted_core.tree import TextTree

ORDER = "constrained"
DEAR = 50.0
"""What ``dear-gap`` adds to each missing node; no two sentences are more than 1.5 apart."""


def blind(distance: LoadedDistance, left: TextTree, right: TextTree) -> float:
    """Half the distance of the mean vectors, plus the edit distance of the trees without labels."""
    means = distance.costs(_MEAN, left, right)[0, 0]
    costs = np.zeros((len(left) + 1, len(right) + 1))
    costs[:-1, -1] = costs[-1, :-1] = 1.0
    return float(means / 2) + _tted(EditProblem(left, right, costs))


def dear_gap(distance: LoadedDistance, left: TextTree, right: TextTree) -> float:
    """TTED of power 1 with ``DEAR`` added to each missing node."""
    return _tted(edit_problem(distance, _NONE, left, right, gap=DEAR))


CONTROLS: dict[str, Callable[[LoadedDistance, TextTree, TextTree], float]] = {
    "blind": blind,
    "dear-gap": dear_gap,
}
"""Each gives its distance of two maps by a distance of sentences' vectors that has read all texts."""


def _mean(_tree: TextTree, vectors: Vectors) -> Vectors:
    """The mean vector, for each node; summed in the order of the numbers, whatever the order of the nodes."""
    mean = np.sort(vectors, axis=0).sum(axis=0) / len(vectors)
    return np.tile(mean, (len(vectors), 1))


def _tted(problem: EditProblem) -> float:
    return search(problem, ORDER).upper


_NONE = Context(none, "")
_MEAN = Context(none, "", _mean)


Values: TypeAlias = dict[str, float]

TOLD = ("encoder", "distance", "context", "order", "gap", "power")
"""The options of a row, in the order of its name."""

OF_VECTORS = "cosine"
"""The distance whose vectors baselines and controls read."""


@dataclass(frozen=True)
class Grid:
    """Names of what to combine.

    Attributes:
        encoders: names of encoders -> what loads them, which is called when their turn comes.
        options: the other options of the methods, as ``combined`` takes them. What doesn't go together makes no
            row, of which the report has a notice.
        baselines: names of ``BASELINES``.
        controls: names of ``CONTROLS``, measured by each encoder that is used.
        settings: methods' options by their names, presets say, each of which is combined with the other options;
            what an option names takes the place of what a setting says.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: distances of texts alone with contexts that work on vectors alone, or a gap or power that is
            none.
    """

    encoders: MappingOf[str, Callable[[], Encoder]]
    options: MappingOf[str, Any] = field(default_factory=dict)
    baselines: Sequence[str] = ()
    controls: Sequence[str] = ()
    settings: Sequence[MappingOf[str, Any]] = ({},)

    def __post_init__(self) -> None:
        for name in self.baselines:
            lookup(BASELINES, name, "baseline")
        for name in self.controls:
            lookup(CONTROLS, name, "control")
        _ = self.methods

    @cached_property
    def methods(self) -> tuple[Method, ...]:
        """All that go together, model by model."""
        found = dict.fromkeys(
            method for options in self._options for method in combined(self.encoders, **options)
        )
        models = [*dict.fromkeys(method.model for method in found)]
        return tuple(sorted(found, key=lambda method: models.index(method.model)))

    @property
    def _options(self) -> list[dict[str, Any]]:
        """The options of each setting, as ``combined`` takes them."""
        return [
            {**{SEVERAL[name]: (value,) for name, value in setting.items()}, **self.options}
            for setting in self.settings
        ]

    @property
    def total(self) -> int:
        """The number of measures."""
        baselines = len(self.reading("none")) + len(self.reading("encoder")) * len(self.encoders)
        return len(self.methods) + baselines + len(self.controls) * len(self.controlled)

    def reading(self, reads: str) -> list[str]:
        """The baselines that read this: an encoder, each of which makes others of them, or none."""
        return [name for name in self.baselines if BASELINES[name].reads == reads]

    @property
    def controlled(self) -> set[str]:
        """The encoders that a measure uses, beside which controls stand."""
        return {method.model for method in self.methods} & {*self.encoders}

    @property
    def left_out(self) -> tuple[str, ...]:
        """Which combinations make no row."""
        apart = [
            (distance, context)
            for options in self._options
            for distance, context in itertools.product(
                *(options.get(SEVERAL[name], ()) for name in ("distance", "context"))
            )
            if not DISTANCES[distance].goes_with(CONTEXTS[context])
        ]
        if not apart:
            return ()
        distances, contexts = (", ".join(dict.fromkeys(names)) for names in zip(*apart, strict=True))
        return (
            f"left out: {distances} with the context {contexts}, which works on vectors and not on texts",
        )


Told: TypeAlias = Callable[[Sequence[TextTree]], tuple[str, ...]]
"""Maps -> what a reader of a measure's scores of them should know."""

OF_TEXTS = ("encoder", "distance", "context")
"""The options that decide which texts are read, and by what."""


class Notices:
    """The notices of the measures, each once, with the samples that it is about."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples
        self._seen: set[tuple[Any, ...]] = set()
        self._names: dict[str, dict[str, None]] = {}

    def add(self, options: MappingOf[str, Any], told: Told) -> None:
        """Add what a measure tells of each sample, unless one that reads the same has."""
        key = tuple(options.get(name) for name in OF_TEXTS)
        if key in self._seen:
            return
        self._seen.add(key)
        for sample in self._samples:
            for notice in told(sample.trees):
                self._names.setdefault(notice, {})[sample.name] = None

    @property
    def told(self) -> tuple[str, ...]:
        """Each notice, after the names of its samples if it isn't about them all."""
        return tuple(
            notice if len(names) == len(self._samples) else f"{listed(names)}: {notice}"
            for notice, names in self._names.items()
        )


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


@dataclass(frozen=True)
class Measures:
    """The measures of a grid, one after another; an encoder is loaded, and all texts encoded, before its first.

    ``trees`` are all maps whose texts will be read. Iterating raises ``Interrupted`` once the monitor
    says stop.
    """

    trees: Sequence[TextTree]
    grid: Grid
    monitor: Monitor

    def __iter__(self) -> Iterator[Measure]:
        words, meaning = self.grid.reading("none"), self.grid.reading("encoder")
        for name in words:
            yield Measure({"baseline": name}, "none", partial(_baseline, name, None))
        done = len(words)
        models = {
            model: list(group) for model, group in itertools.groupby(self.grid.methods, attrgetter("model"))
        }
        for model in dict.fromkeys((*models, *(self.grid.encoders if meaning else ()))):
            ready = cache(partial(self._ready, model, cache(self._encoder), done / self.grid.total))
            for name, context in dict.fromkeys(
                (each.distance, each.context) for each in models.get(model, ())
            ):
                distance = ready(name)
                problem = cache(partial(edit_problem, distance, CONTEXTS[context]))
                for method in models[model]:
                    if (method.distance, method.context) == (name, context):
                        scores = partial(self._tted, method, problem)
                        options = {option: method.described[option] for option in TOLD}
                        told = partial(_told, distance, context)
                        yield Measure(options, distance.model[1], scores, told)
                        done += 1
            for name in meaning if model in self.grid.encoders else ():
                distance = ready(OF_VECTORS)
                measured = partial(_baseline, name, distance.vectors)
                yield Measure({"encoder": model, "baseline": name}, distance.model[1], measured)
                done += 1
            for name in self.grid.controls if model in self.grid.controlled else ():
                distance = ready(OF_VECTORS)
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
        distance = DISTANCES[name].load(Models(model, model, load_encoder))
        contexts = {method.context for method in self.grid.methods}
        if self.grid.controls or self.grid.baselines:
            contexts.add("none")
        texts = {""}.union(*(CONTEXTS[context].texts(tree) for context in contexts for tree in self.trees))
        encoding = self.monitor.telling(
            lambda _stage, done, total: self.monitor.stage(f"Encoding {total} texts, {done} done", share)
        )
        return distance.read(tuple(texts), encoding)

    def _tted(
        self,
        method: Method,
        problem: Callable[[TextTree, TextTree], EditProblem],
        left: TextTree,
        right: TextTree,
    ) -> tuple[Values, Mapping | None]:
        quiet = Monitor(should_stop=self.monitor.should_stop)
        priced = problem(left, right).under(method.gap, method.power)
        found = search(priced, method.order, time_limit=method.time_limit, monitor=quiet)
        values = {"tted": found.upper, **priced.normalised(found.upper), "unproven": float(not found.proven)}
        return values, found.mapping


def _told(distance: LoadedDistance, context: str, trees: Sequence[TextTree]) -> tuple[str, ...]:
    return distance.texts_notices([text for tree in trees for text in CONTEXTS[context].texts(tree)], context)


def _control(
    control: Callable[[LoadedDistance, TextTree, TextTree], float],
    distance: LoadedDistance,
    left: TextTree,
    right: TextTree,
) -> tuple[Values, None]:
    return {"control": control(distance, left, right)}, None


def _baseline(name: str, vectors: Encoder | None, left: TextTree, right: TextTree) -> tuple[Values, None]:
    try:
        score = BASELINES[name](left, right, vectors)
    except NOT_COMPUTED:  # undefined for these maps: counted as left out
        return {"rho_base": math.nan, "sim": math.nan}, None
    apart = score.dissimilarity
    return {"rho_base": math.nan if apart is None else apart, "sim": score.sim}, None
