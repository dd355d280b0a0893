"""The measures of a grid: every combination of options, encoding each distinct text once per encoder.

Controls are deliberately bad measures, for comparison with a figure.

``blind`` ignores the position of sentences: half the distance of the maps' mean vectors, plus the least number of
nodes by which their unlabelled trees differ. ``dear-gap`` is the published TTED with a large constant added for
every missing node, so that little but the shape of the trees counts. R_S and R_M reward both.
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
"""Amount that ``dear-gap`` adds to each missing node; no two sentences are more than 1.5 apart."""


def blind(distance: LoadedDistance, left: TextTree, right: TextTree) -> float:
    """Half the distance of the mean vectors, plus the edit distance of the trees without labels."""
    means = distance.costs(_MEAN, left, right)[0, 0]
    costs = np.zeros((len(left) + 1, len(right) + 1))
    costs[:-1, -1] = costs[-1, :-1] = 1.0
    return float(means / 2) + _tted(EditProblem(left, right, costs))


def dear_gap(distance: LoadedDistance, left: TextTree, right: TextTree) -> float:
    """TTED with power 1 and ``DEAR`` added to each missing node."""
    return _tted(edit_problem(distance, _NONE, left, right, gap=DEAR))


CONTROLS: dict[str, Callable[[LoadedDistance, TextTree, TextTree], float]] = {
    "blind": blind,
    "dear-gap": dear_gap,
}
"""Functions of a distance between vectors, which has read all texts, and two trees."""


def _mean(_tree: TextTree, vectors: Vectors) -> Vectors:
    """The mean vector, for each node; summed in sorted order, so that it doesn't depend on the order of nodes."""
    mean = np.sort(vectors, axis=0).sum(axis=0) / len(vectors)
    return np.tile(mean, (len(vectors), 1))


def _tted(problem: EditProblem) -> float:
    return search(problem, ORDER).upper


_NONE = Context(none, "")
_MEAN = Context(none, "", _mean)


Values: TypeAlias = dict[str, float]

NAMED_OPTIONS = ("encoder", "distance", "context", "order", "gap", "power")
"""The options of a row, in the order of its name."""

OF_VECTORS = "cosine"
"""The distance whose vectors baselines and controls use."""


@dataclass(frozen=True)
class Grid:
    """Names to combine.

    Attributes:
        encoders: names of encoders -> functions that load them when needed.
        options: the other options of the methods, as ``combined`` takes them. Invalid combinations make no row,
            but a notice in the report.
        baselines: names of ``BASELINES``.
        controls: names of ``CONTROLS``, measured with each encoder in use.
        settings: options by their names, for example presets, each of which is combined with the other options;
            ``options`` override them.

    Raises:
        UnknownNameError: unknown name.
        OptionsError: only distances of texts, with contexts that need vectors, or an invalid gap or power.
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
        """All valid combinations, grouped by model."""
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
        """The baselines that need this model: "encoder" or "none"."""
        return [name for name in self.baselines if BASELINES[name].reads == reads]

    @property
    def controlled(self) -> set[str]:
        """The encoders in use, with which controls are measured."""
        return {method.model for method in self.methods} & {*self.encoders}

    @property
    def left_out(self) -> tuple[str, ...]:
        """A notice about combinations that make no row."""
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
        return (f"left out: {distances} with the context {contexts}, which needs vectors",)


MapNotices: TypeAlias = Callable[[Sequence[TextTree]], tuple[str, ...]]
"""Maps -> warnings about a measure's scores of them."""

OF_TEXTS = ("encoder", "distance", "context")
"""The options that decide which texts are read, and by which model."""


class Notices:
    """Notices of the measures, each once, with the samples that they concern."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples
        self._seen: set[tuple[Any, ...]] = set()
        self._names: dict[str, dict[str, None]] = {}

    def add(self, options: MappingOf[str, Any], notices: MapNotices) -> None:
        """Add a measure's notices about each sample, unless one that reads the same texts was added before."""
        key = tuple(options.get(name) for name in OF_TEXTS)
        if key in self._seen:
            return
        self._seen.add(key)
        for sample in self._samples:
            for notice in notices(sample.trees):
                self._names.setdefault(notice, {})[sample.name] = None

    @property
    def all(self) -> tuple[str, ...]:
        """The notices, each with the names of its samples unless it concerns all."""
        return tuple(
            notice if len(names) == len(self._samples) else f"{listed(names)}: {notice}"
            for notice, names in self._names.items()
        )


@dataclass(frozen=True)
class Measure:
    """A measure: its options, its model's fingerprint, and its function of two trees.

    ``solved`` returns the scores, of which "unproven" is 1 for an upper bound, and the mapping if there is one;
    ``notices`` returns warnings about the scores of some maps.
    """

    options: dict[str, Any]
    fingerprint: str
    solved: Callable[[TextTree, TextTree], tuple[Values, Mapping | None]]
    notices: MapNotices = lambda _trees: ()


@dataclass(frozen=True)
class Measures:
    """The measures of a grid in order; an encoder is loaded, and all texts encoded, before its first measure.

    ``trees`` are all maps whose texts will be read. Iteration raises ``Interrupted`` when it is stopped.
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
                        options = {option: method.described[option] for option in NAMED_OPTIONS}
                        notices = partial(_texts_notices, distance, context)
                        yield Measure(options, distance.model[1], scores, notices)
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
        """The distance with this model, after reading all texts."""
        self.monitor.stage(f"Loading {model} for the distance {name}", share)
        distance = DISTANCES[name].load(Models(model, model, load_encoder))
        contexts = {method.context for method in self.grid.methods}
        if self.grid.controls or self.grid.baselines:
            contexts.add("none")
        texts = {""}.union(*(CONTEXTS[context].texts(tree) for context in contexts for tree in self.trees))
        encoding = self.monitor.reporting(
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


def _texts_notices(distance: LoadedDistance, context: str, trees: Sequence[TextTree]) -> tuple[str, ...]:
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
    except NOT_COMPUTED:  # undefined for these maps; counted as left out
        return {"rho_base": math.nan, "sim": math.nan}, None
    apart = score.dissimilarity
    return {"rho_base": math.nan if apart is None else apart, "sim": score.sim}, None
