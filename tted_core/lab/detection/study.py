"""detect(): every measure of a grid on graded edits of the samples' paraphrases."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tted_core.distances import LoadedDistance
from tted_core.errors import Interrupted
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.lab.detection.edits import DOSES, EDITS, Supply, edited
from tted_core.lab.detection.results import (
    UNTOUCHED,
    Balance,
    Counting,
    Detected,
    Found,
    Kind,
    Scale,
    balance_of,
    counting_of,
    rows_of,
)
from tted_core.lab.quality.measures import Grid, Measures, Notices
from tted_core.lab.quality.measures import Measure as GridMeasure
from tted_core.lab.quality.samples import Sample
from tted_core.tree import TextTree
from tted_core.words.languages import language, languages_of

MOST_SCALED = 1_000
"""Sentences between which the scale of a distance is measured."""

SURE = 0.95
"""The AUC from which on an edit counts as found."""

SEEDS = 3
"""Edited versions of each paraphrase for each edit and dose, unless more are asked for."""


@dataclass(frozen=True)
class Case:
    """A map to be held against the base of its sample.

    ``truth`` says for nodes of the base where their sentence stands; None where the paraphrase has another tree.
    """

    kind: Kind
    paraphrase: int
    seed: int
    tree: TextTree
    truth: Mapping[int, int] | None


@dataclass(frozen=True)
class Detection:
    """What came out; ``scales`` are those of the distances of vectors.

    ``seconds`` is the time per pair of maps of each measure, vectors being at hand.
    """

    rows: tuple[Detected, ...]
    counting: tuple[Counting, ...]
    balance: tuple[Balance, ...]
    seconds: tuple[float, ...]
    notices: tuple[str, ...]
    complete: bool
    scales: tuple[Scale, ...] = ()

    def smallest_dose(self, options: Mapping[str, Any], edit: str) -> str | None:
        """The smallest dose that is surely found, with an AUC of ``SURE`` at least; None if none is."""
        for row in self.rows:
            if row.options == options and row.edit == edit and row.auc and row.auc.value >= SURE:
                return row.dose
        return None


def detect(
    samples: Sequence[Sample],
    grid: Grid,
    *,
    seeds: int = SEEDS,
    edits: Sequence[str] = tuple(EDITS),
    monitor: Monitor = UNWATCHED,
) -> Detection:
    """Edit the paraphrases of all samples, and measure how surely each measure of the grid finds the edits.

    Args:
        samples: from ``read_samples``; two paraphrases at least make a sample count.
        grid: the measures.
        seeds: edited versions of each paraphrase, for each edit and dose.
        edits: names of ``EDITS``.
        monitor: watches; once it says stop, the measures done so far are returned.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: options that don't go together.
        EncoderError: an encoder can't be had.
        Interrupted: stopped before one measure was done.
    """
    cases = [(sample, tuple(_cases(sample, samples, edits, seeds))) for sample in samples]
    trees = [
        tree
        for sample, every in cases
        for tree in (sample.base, *sample.displaced, *(case.tree for case in every))
    ]
    measures = Measures(trees, grid, monitor)
    rows: list[Detected] = []
    counting: list[Counting] = []
    balance: list[Balance] = []
    seconds: list[float] = []
    notices = Notices(samples)
    scales: dict[tuple[str, str], Scale] = {}
    unreached: list[str] = []
    total = sum(len(sample.displaced) + len(every) for sample, every in cases)
    stopped = False
    try:
        for number, measure in enumerate(measures):
            notices.add(measure.options, measure.told)
            if measure.distance and measure.distance.vectors:
                key = (measure.options["encoder"], measure.options["distance"])
                scale = scales[key] = scales.get(key) or _scale(*key, measure.distance, samples)
                unreached += scale.notices(measure.options["gap"], measure.options["power"])
            started = time.perf_counter()
            found: list[Found] = []
            for sample, every in cases:
                stage = f"Measure {number + 1} of {grid.total}: {sample.name}"
                monitor.stage(stage, (number + len(found) / len(cases)) / grid.total)
                found.append(_measured(measure, sample, every, monitor))
            seconds.append((time.perf_counter() - started) / max(1, total))
            rows += rows_of(measure.options, found, edits)
            counting += counting_of(measure.options, found, edits)
            balance.append(balance_of(measure.options, found))
    except Interrupted:
        stopped = True
        if not rows:
            raise Interrupted("stopped before one measure was done; run it again") from None
    return Detection(
        tuple(rows),
        tuple(counting),
        tuple(balance),
        tuple(seconds),
        (*grid.left_out, *notices.told, *dict.fromkeys(unreached)),
        complete=not stopped,
        scales=tuple(scales.values()),
    )


def _cases(sample: Sample, samples: Sequence[Sample], edits: Sequence[str], seeds: int) -> Iterator[Case]:
    """The paraphrases of a sample, and their edited versions."""
    supply = supply_for(sample, samples)
    for number, paraphrase in enumerate(sample.paraphrase):
        known = paraphrase.parents == sample.base.parents
        yield Case(
            UNTOUCHED, number, 0, paraphrase, {v: v for v in range(len(paraphrase))} if known else None
        )
        for edit in edits:
            for seed in range(seeds):
                for dose in DOSES:
                    name = f"{sample.name}/{number}/{edit}/{seed}"
                    found = edited(paraphrase, edit, dose, seed=name, supply=supply)
                    if found is not None:
                        yield Case((edit, dose), number, seed, found.tree, found.truth if known else None)


def supply_for(sample: Sample, samples: Sequence[Sample]) -> Supply:
    """The texts of maps on other topics in its language; else its own changed claims, or the texts of any map.

    Samples whose folders have one name are of one topic: the published data holds each at several sizes.
    """

    def spoken(each: Sample) -> str | None:
        return language(" ".join(each.base.labels)) or next(iter(languages_of(each.base.labels)), None)

    topic = sample.name.rpartition("/")[2]
    others = [each for each in samples if each.name.rpartition("/")[2] != topic]
    same = [each.base for each in others if spoken(each) == spoken(sample)]
    own = {label for tree in sample.trees for label in tree.labels}
    if not same:
        kept = {
            label for tree in (sample.base, *sample.paraphrase, *sample.structure) for label in tree.labels
        }
        claims = any(label not in kept for tree in sample.meaning for label in tree.labels)
        same, own = (list(sample.meaning), kept) if claims else ([each.base for each in others], own)
    labels = (label for tree in same for label in tree.labels if label not in own)
    return Supply.of(tuple(dict.fromkeys(labels)))


def _measured(measure: GridMeasure, sample: Sample, cases: Sequence[Case], monitor: Monitor) -> Found:
    size = (len(sample.paraphrase), 1 + max((case.seed for case in cases), default=0))
    displaced = [next(iter(measure.solved(sample.base, tree)[0].values())) for tree in sample.displaced]
    found = Found(sample.size, displaced, {}, {}, {})
    for case in cases:
        monitor.check("stopped")
        values, mapping = measure.solved(sample.base, case.tree)
        scores = found.distances.setdefault(case.kind, np.full(size, np.nan))
        scores[case.paraphrase, case.seed] = next(iter(values.values()))
        found.made[case.kind] = found.made.get(case.kind, 0) + 1
        if mapping is not None and case.truth is not None:
            found.pairs.setdefault(case.kind, []).append(_right_pairs(mapping, case.truth))
    return found


def _scale(model: str, name: str, distance: LoadedDistance, samples: Sequence[Sample]) -> Scale:
    assert distance.vectors is not None
    texts = tuple(dict.fromkeys(label for sample in samples for label in sample.base.labels))[:MOST_SCALED]
    vectors = distance.vectors(texts)
    costs = distance.record.function(vectors, vectors)[np.triu_indices(len(texts), 1)]
    return Scale(model, name, float(np.median(costs)), float(costs.max(initial=0.0)))


def _right_pairs(
    mapping: Sequence[tuple[int | None, int | None]], truth: Mapping[int, int]
) -> tuple[float, float]:
    """Precision and recall of a mapping; a pair of two sentences without a partner is neither right nor wrong."""
    known = set(truth.values())
    pairs = [(v, w) for v, w in mapping if v is not None and w is not None and (v in truth or w in known)]
    right = sum(truth.get(v) == w for v, w in pairs)
    return right / len(pairs) if pairs else 1.0, right / len(truth) if truth else 1.0
