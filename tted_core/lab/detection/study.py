"""detect(): every measure of a grid on graded edits of the samples' paraphrases."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tted_core.errors import Interrupted
from tted_core.lab.detection.edits import DOSES, EDITS, Supply, edited
from tted_core.lab.detection.power import Mean, Scores, auc, mean_over_samples, spearman
from tted_core.lab.quality.grid import Grid, Measures
from tted_core.lab.quality.grid import Measure as GridMeasure
from tted_core.lab.quality.notices import Notices
from tted_core.lab.quality.samples import Sample
from tted_core.search import Progress
from tted_core.tree import TextTree
from tted_core.words.languages import language

SEEDS = 3
"""Edited versions of each paraphrase for each edit and dose, unless more are asked for."""

UNTOUCHED = ("", "")
Kind: TypeAlias = tuple[str, str]
"""(edit, dose); ``UNTOUCHED`` is the paraphrase as it is."""


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
class Detected:
    """How surely a measure finds an edit.

    Attributes:
        options: of the measure, as in the grid.
        edit: a name of ``EDITS``.
        dose: a name of ``DOSES``.
        auc: see :mod:`tted_core.lab.detection.power`; a mean over samples.
        precision: of the pairs that the mapping makes of known sentences, those that are right; None for a measure
            without a mapping.
        recall: of the sentences that are still there, those paired rightly.
        n: edited maps.
    """

    options: dict[str, Any]
    edit: str
    dose: str
    auc: Mean | None
    precision: float | None
    recall: float | None
    n: int


@dataclass(frozen=True)
class Counting:
    """How surely a measure tells three edits from one, and ranks 0 to 3 of them (both means over samples)."""

    options: dict[str, Any]
    edit: str
    auc_3_against_1: Mean | None
    spearman: Mean | None


@dataclass(frozen=True)
class Detection:
    """What came out; ``seconds`` is the time per pair of maps of each measure, vectors being at hand."""

    rows: tuple[Detected, ...]
    counting: tuple[Counting, ...]
    seconds: tuple[float, ...]
    notices: tuple[str, ...]
    complete: bool

    def smallest_dose(self, options: Mapping[str, Any], edit: str, least: float = 0.95) -> str | None:
        """The smallest dose that is found with at least this AUC; None if none is."""
        for row in self.rows:
            if row.options == options and row.edit == edit and row.auc and row.auc.value >= least:
                return row.dose
        return None


def detect(
    samples: Sequence[Sample],
    grid: Grid,
    *,
    seeds: int = SEEDS,
    edits: Sequence[str] = tuple(EDITS),
    progress: Progress = lambda _stage, _share: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Detection:
    """Edit the paraphrases of all samples, and measure how surely each measure of the grid finds the edits.

    Args:
        samples: from ``read_samples``; two paraphrases at least make a sample count.
        grid: the measures.
        seeds: edited versions of each paraphrase, for each edit and dose.
        edits: names of ``EDITS``.
        progress: is told the stage and the share that is done.
        should_stop: is asked often; once it says yes, the measures done so far are returned.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: options that don't go together.
        EncoderError: an encoder can't be had.
        Interrupted: stopped before one measure was done.
    """
    cases = [(sample, tuple(_cases(sample, samples, edits, seeds))) for sample in samples]
    trees = [tree for sample, every in cases for tree in (sample.base, *(case.tree for case in every))]
    measures = Measures(trees, grid, progress, should_stop)
    rows: list[Detected] = []
    counting: list[Counting] = []
    seconds: list[float] = []
    notices = Notices(samples)
    total = sum(len(every) for _, every in cases)
    stopped = False
    try:
        for number, measure in enumerate(measures):
            notices.add(measure.options, measure.told)
            started = time.perf_counter()
            found: list[_Found] = []
            for sample, every in cases:
                stage = f"Measure {number + 1} of {measures.total}: {sample.name}"
                progress(stage, (number + len(found) / len(cases)) / measures.total)
                found.append(_measured(measure, sample, every, should_stop))
            seconds.append((time.perf_counter() - started) / max(1, total))
            rows += _rows(measure.options, found, edits)
            counting += _counting(measure.options, found, edits)
    except Interrupted:
        stopped = True
        if not rows:
            raise Interrupted("stopped before one measure was done; run it again") from None
    told = (*measures.left_out, *notices.told)
    return Detection(tuple(rows), tuple(counting), tuple(seconds), told, complete=not stopped)


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
    """The texts of maps on other topics, in the same language if there are any.

    Samples whose folders have one name are of one topic: the published data holds each at several sizes.
    """

    def spoken(each: Sample) -> str | None:
        return language(" ".join(each.base.labels))

    topic = sample.name.rpartition("/")[2]
    others = [each for each in samples if each.name.rpartition("/")[2] != topic]
    same = [each for each in others if spoken(each) == spoken(sample)] or others
    own = {label for tree in sample.trees for label in tree.labels}
    labels = (label for each in same for label in each.base.labels if label not in own)
    return Supply.of(tuple(dict.fromkeys(labels)))


@dataclass
class _Found:
    """What a measure made of a sample: distances by kind, and (right, made, known) pairs."""

    distances: dict[Kind, Scores]
    pairs: dict[Kind, list[tuple[float, float]]]
    made: dict[Kind, int]


def _measured(
    measure: GridMeasure, sample: Sample, cases: Sequence[Case], should_stop: Callable[[], bool]
) -> _Found:
    size = (len(sample.paraphrase), 1 + max((case.seed for case in cases), default=0))
    found = _Found({}, {}, {})
    for case in cases:
        if should_stop():
            raise Interrupted("stopped")
        values, mapping = measure.solved(sample.base, case.tree)
        scores = found.distances.setdefault(case.kind, np.full(size, np.nan))
        scores[case.paraphrase, case.seed] = next(iter(values.values()))
        found.made[case.kind] = found.made.get(case.kind, 0) + 1
        if mapping is not None and case.truth is not None:
            found.pairs.setdefault(case.kind, []).append(_right_pairs(mapping, case.truth))
    return found


def _right_pairs(
    mapping: Sequence[tuple[int | None, int | None]], truth: Mapping[int, int]
) -> tuple[float, float]:
    """Precision and recall of a mapping; a pair of two sentences without a partner is neither right nor wrong."""
    known = set(truth.values())
    pairs = [(v, w) for v, w in mapping if v is not None and w is not None and (v in truth or w in known)]
    right = sum(truth.get(v) == w for v, w in pairs)
    return right / len(pairs) if pairs else 1.0, right / len(truth) if truth else 1.0


def _rows(options: dict[str, Any], found: Sequence[_Found], edits: Sequence[str]) -> Iterator[Detected]:
    for edit in edits:
        for dose in DOSES:
            kind = (edit, dose)
            there = [each for each in found if kind in each.distances]
            pairs = [each.pairs[kind] for each in there if kind in each.pairs]
            yield Detected(
                options,
                edit,
                dose,
                mean_over_samples(
                    [auc(each.distances[UNTOUCHED][:, :1], each.distances[kind]) for each in there]
                ),
                float(np.mean([np.mean([one for one, _ in every]) for every in pairs])) if pairs else None,
                float(np.mean([np.mean([one for _, one in every]) for every in pairs])) if pairs else None,
                sum(each.made[kind] for each in there),
            )


def _counting(options: dict[str, Any], found: Sequence[_Found], edits: Sequence[str]) -> Iterator[Counting]:
    for edit in edits:
        one, three = (edit, "1"), (edit, "3")
        there = [each for each in found if one in each.distances and three in each.distances]
        yield Counting(
            options,
            edit,
            mean_over_samples([auc(each.distances[one], each.distances[three]) for each in there]),
            mean_over_samples([_ranked(each, edit) for each in there]),
        )


def _ranked(found: _Found, edit: str) -> float | None:
    """Spearman's correlation of 0 to 3 edits with the distance."""
    doses: list[float] = []
    distances: list[float] = []
    for dose, kind in enumerate((UNTOUCHED, (edit, "1"), (edit, "2"), (edit, "3"))):
        if kind in found.distances:
            values = found.distances[kind][np.isfinite(found.distances[kind])]
            doses += [float(dose)] * len(values)
            distances += values.tolist()
    return spearman(doses, distances)
