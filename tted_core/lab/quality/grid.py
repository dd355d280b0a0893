"""The grid: every combination of options on every sample, with each distinct text encoded once per encoder."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines import BASELINES
from tted_core.contexts import CONTEXTS, Context
from tted_core.costs import costs_in_context, node_distance, text_cost_matrix
from tted_core.distances import TextDistance
from tted_core.distances.vectors import Distance
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder, embed
from tted_core.errors import Interrupted, LimitError
from tted_core.lab.quality.coefficients import SampleScores
from tted_core.lab.quality.rows import Report, Row
from tted_core.lab.quality.samples import VARIANT_KINDS, Sample
from tted_core.registry import lookup
from tted_core.search import Progress, Search, solve_and_score
from tted_core.solvers import SOLVERS, EditProblem
from tted_core.tree import TextTree
from tted_core.version import VERSION

Costs: TypeAlias = Callable[[TextTree, TextTree], NDArray[np.float64]]
Values: TypeAlias = dict[str, float]


@dataclass(frozen=True)
class Grid:
    """Names of what to combine.

    ``encoders`` maps names to what loads them, which is called when their turn comes. A distance of texts that
    reads no model is measured once, whatever the encoders; with a context that works on vectors it makes no row,
    of which the report has a notice.
    ``time_limit`` is in seconds per pair, for orders that may take long.
    """

    encoders: Mapping[str, Callable[[], Encoder]]
    orders: Sequence[str] = ("constrained",)
    contexts: Sequence[str] = ("none",)
    distances: Sequence[str] = ("cosine",)
    baselines: Sequence[str] = ()
    time_limit: float | None = None


@dataclass(frozen=True)
class _Measure:
    options: dict[str, str]
    fingerprint: str
    scores: Callable[[TextTree, TextTree], Values]
    """Of two maps; "unproven" is 1 for an upper bound."""


def run_grid(
    samples: Sequence[Sample],
    grid: Grid,
    *,
    progress: Progress = lambda _stage, _share: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Report:
    """Measure every sample by every combination, and by the baselines.

    Args:
        samples: from ``read_samples``.
        grid: what to combine.
        progress: is told the stage and the share that is done; may raise to give up.
        should_stop: is asked often. Once it says yes, what is measured so far is returned, marked as not complete.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: distances of texts alone with contexts that work on vectors alone.
        EncoderError: an encoder can't be had, or its vectors can't be used.
        Interrupted: stopped before one sample was measured.
    """
    total = _check(grid)
    work = _Work(samples, grid, progress, should_stop, total)
    rows: list[Row] = []
    stopped = False
    try:
        for measure in work.measures():
            row = work.row(measure, len(rows))
            stopped = not row.complete
            if next(iter(row.scores.values()), ()):
                rows.append(row)
            if stopped:
                break
    except Interrupted:  # while it encoded
        stopped = True
    if stopped and not rows:
        raise Interrupted("stopped before one sample was measured; run it again")
    return Report(tuple(rows), complete=not stopped, notices=_left_out(grid))


def _check(grid: Grid) -> int:
    """Look every name up before the long work; the number of measures."""
    distances = {name: node_distance(name) for name in grid.distances}
    contexts = {name: lookup(CONTEXTS, name, "context") for name in grid.contexts}
    for name in grid.orders:
        lookup(SOLVERS, name, "order")
    for name in grid.baselines:
        lookup(BASELINES, name, "baseline")
    of_texts = {name: each for name, each in distances.items() if isinstance(each, TextDistance)}
    for_texts = _contexts_for_texts(grid)
    if not for_texts and len(of_texts) == len(distances):  # or not a row would come out
        for distance, (name, context) in itertools.product(of_texts, contexts.items()):
            context.check_goes_with_texts(name, distance)
    with_vectors = len(contexts) * len(grid.encoders) * (len(distances) - len(of_texts))
    with_texts = len(for_texts) * sum(len(_encoders_of(distance, grid)) for distance in of_texts.values())
    return len(grid.orders) * (with_vectors + with_texts) + len(grid.baselines)


def _left_out(grid: Grid) -> tuple[str, ...]:
    """Which combinations make no row."""
    of_texts = [name for name in grid.distances if isinstance(node_distance(name), TextDistance)]
    of_vectors = [name for name in grid.contexts if name not in _contexts_for_texts(grid)]
    if not of_texts or not of_vectors:
        return ()
    distances, contexts = (", ".join(names) for names in (of_texts, of_vectors))
    return (f"left out: {distances} with the context {contexts}, which works on vectors and not on texts",)


def _contexts_for_texts(grid: Grid) -> list[str]:
    """The contexts that go with distances of texts."""
    return [name for name in grid.contexts if CONTEXTS[name].blend is None]


def _encoders_of(distance: TextDistance, grid: Grid) -> Sequence[str]:
    """The encoders by which a distance of texts is computed; most need none."""
    return list(grid.encoders) if distance.load else ["none"]


@dataclass(frozen=True)
class _Work:
    samples: Sequence[Sample]
    grid: Grid
    progress: Progress
    should_stop: Callable[[], bool]
    total: int

    def measures(self) -> Iterator[_Measure]:
        """One after another; an encoder is loaded, and all texts encoded, before its first."""
        for name in self.grid.baselines:
            yield _Measure({"baseline": name}, "none", partial(_baseline_scores, name))
        done = len(self.grid.baselines)
        distances = {name: node_distance(name) for name in self.grid.distances}
        for name, distance in distances.items():
            if isinstance(distance, TextDistance):
                for encoder_name in _encoders_of(distance, self.grid):
                    read = distance.load(encoder_name) if distance.load else distance
                    for context in _contexts_for_texts(self.grid):
                        costs = cache(partial(_text_costs, CONTEXTS[context], read))
                        yield from self._orders(costs, (encoder_name, name, context), read.model[1])
                        done += len(self.grid.orders)
        of_vectors = {name: each for name, each in distances.items() if not isinstance(each, TextDistance)}
        for encoder_name, load in self.grid.encoders.items() if of_vectors else ():
            self.progress(f"Loading the encoder {encoder_name}", done / self.total)
            encoder = load()
            vectors = self._encoded(encoder, done / self.total)
            fingerprint = encoder.fingerprint if isinstance(encoder, SentenceEncoder) else "unknown"
            for context, (name, distance) in itertools.product(self.grid.contexts, of_vectors.items()):
                costs = cache(partial(_vector_costs, CONTEXTS[context], vectors, distance))
                yield from self._orders(costs, (encoder_name, name, context), fingerprint)
                done += len(self.grid.orders)

    def _orders(self, costs: Costs, names: tuple[str, str, str], fingerprint: str) -> Iterator[_Measure]:
        for order in self.grid.orders:
            options = dict(zip(("encoder", "distance", "context"), names, strict=True)) | {"order": order}
            yield _Measure(options, fingerprint, partial(self._tted_scores, order, costs))

    def _encoded(self, encoder: Encoder, share: float) -> dict[str, NDArray[np.float64]]:
        trees = [tree for sample in self.samples for tree in sample.trees]
        texts = {""}.union(
            *(CONTEXTS[context].texts(tree) for context in self.grid.contexts for tree in trees)
        )

        def tell(done: int, total: int) -> None:
            if self.should_stop():
                raise Interrupted("stopped while it encoded")
            self.progress(f"Encoding {total} texts, {done} done", share)

        return embed(encoder, tuple(texts), tell)

    def _tted_scores(self, order: str, costs: Costs, left: TextTree, right: TextTree) -> Values:
        matrix = costs(left, right)
        search = Search(order, time_limit=self.grid.time_limit, should_stop=self.should_stop)
        _, scores = solve_and_score(EditProblem(left, right, matrix), search)
        return {
            "tted": scores.tted,
            "normalized": scores.normalized,
            "steinhaus": scores.steinhaus,
            "unproven": float(not scores.proven),
        }

    def row(self, measure: _Measure, number: int) -> Row:
        """Measure all samples, or as many as there is time for; a sample that was not finished is left out."""
        found: list[tuple[Sample, dict[str, list[Values]]]] = []
        for index, sample in enumerate(self.samples):
            stage = f"Measure {number + 1} of {self.total}: {', '.join(measure.options.values())}"
            self.progress(stage, (number + index / len(self.samples)) / self.total)
            scores = {
                kind: [measure.scores(sample.base, variant) for variant in variants if not self.should_stop()]
                for kind, variants in sample.variants.items()
            }
            if self.should_stop():
                break
            found.append((sample, scores))
        names = [name for name in next(iter(_all(found)), {}) if name != "unproven"]
        by_score = {
            name: tuple(
                SampleScores(
                    sample.name,
                    sample.size,
                    *(tuple(each[name] for each in scores[kind]) for kind in VARIANT_KINDS),
                )
                for sample, scores in found
            )
            for name in names
        }
        unproven = int(sum(each.get("unproven", 0.0) for each in _all(found)))
        return Row(
            measure.options, by_score, len(found) == len(self.samples), unproven, self._signature(measure)
        )

    def _signature(self, measure: _Measure) -> str:
        digests = "".join(tree.digest for sample in self.samples for tree in sample.trees)
        parts = {**measure.options}
        if "encoder" in parts:
            parts["encoder"] += f"@{measure.fingerprint}"
        named = [f"{key}:{value}" for key, value in parts.items()]
        inputs = sha256(digests.encode("ascii")).hexdigest()[:8]
        return "|".join(["QUALITY", *named, f"samples:{len(self.samples)}", f"in:{inputs}", f"v:{VERSION}"])


def _all(found: Sequence[tuple[Sample, dict[str, list[Values]]]]) -> Iterator[Values]:
    for _, scores in found:
        yield from itertools.chain(*scores.values())


def _vector_costs(
    context: Context,
    encoded: Mapping[str, NDArray[np.float64]],
    distance: Distance,
    left: TextTree,
    right: TextTree,
) -> NDArray[np.float64]:
    return costs_in_context(context, left, right, encoded, distance)


def _text_costs(
    context: Context, distance: TextDistance, left: TextTree, right: TextTree
) -> NDArray[np.float64]:
    return text_cost_matrix(context.texts(left), context.texts(right), distance, gap_scale=context.gap_scale)


def _baseline_scores(name: str, left: TextTree, right: TextTree) -> Values:
    try:
        score = BASELINES[name](left, right)
    except LimitError:  # undefined for these maps: counted as left out
        return {"rho_base": math.nan, "sim": math.nan}
    return {"rho_base": math.nan if score.rho_base is None else score.rho_base, "sim": score.sim}
