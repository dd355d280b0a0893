"""The grid: every combination of options on every sample.

A row of its table is a measure, its distances on every sample, and what they come to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from tted_core.errors import Interrupted
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.foundations.stats import tau
from tted_core.lab.quality.coefficients import Estimate, Quality, SampleScores, quality
from tted_core.lab.quality.measures import Grid, Measure, Measures, Notices
from tted_core.lab.quality.samples import VARIANT_KINDS, Sample
from tted_core.version import VERSION

AS_PUBLISHED = {"gap": 0, "power": 1}
"""What is not told of a measure if it is so."""


def named(options: Mapping[str, Any]) -> list[str]:
    """The options as a measure's name has them."""
    words = {"gap": "gap {}", "power": "p = {:g}", "control": "control {}"}
    return [
        words.get(name, "{}").format(value)
        for name, value in options.items()
        if value != AS_PUBLISHED.get(name)
    ]


def is_control(options: Mapping[str, Any]) -> bool:
    """Whether these are the options of a control."""
    return "control" in options


@dataclass(frozen=True)
class Row:
    """One measure on the samples.

    Attributes:
        options: encoder, distance, order, context, gap and power of a TTED; "baseline" of a baseline, and the
            encoder if it reads one; encoder and "control" of a control.
        scores: score ("tted" and ``NORMALISATIONS``; of a baseline "rho_base", "sim"; of a control "control")
            -> one entry per sample. The first is the measure's own.
        complete: whether all samples were measured; if not, those measured are here.
        unproven: how many distances are upper bounds, the search having run out of time.
        signature: one line that lets a reader repeat the row.
    """

    options: dict[str, Any]
    scores: dict[str, tuple[SampleScores, ...]] = field(repr=False)
    complete: bool
    unproven: int
    signature: str

    @property
    def name(self) -> str:
        """The measure in words."""
        return ("TTED " if "distance" in self.options else "") + ", ".join(named(self.options))

    @property
    def score(self) -> str:
        """The name of the measure's own score."""
        return next(iter(self.scores))

    @property
    def samples(self) -> tuple[SampleScores, ...]:
        """The samples by the measure's own score; none where the first one wasn't finished."""
        return next(iter(self.scores.values()), ())

    @cached_property
    def quality(self) -> Quality:
        """The coefficients of the measure's own score."""
        return quality(self.samples)

    def quality_of(self, score: str) -> Quality:
        """The coefficients of another of its scores.

        Raises:
            UnknownNameError: it has no such score.
        """
        return quality(lookup(self.scores, score, f"score of {self.name}"))

    def as_json(self, score: str | None = None) -> dict[str, Any]:
        """The row as the command line prints it, by its own score unless another is named."""
        measured = self.quality if score is None else self.quality_of(score)
        content = {
            **{name: _told(estimate) for name, estimate in measured.figures.items()},
            "doubt": {name: estimate.doubt for name, estimate in measured.figures.items() if estimate.doubt},
            "rho": _by_size(measured.rho, "mean"),
            "rho_std": _by_size(measured.rho, "std"),
            "pooled": {name: _told(estimate) for name, estimate in measured.pooled.items()},
        }
        if "sim" in self.scores:
            content["sim"] = _by_size(self.quality_of("sim").rho, "mean")
        return content | {
            "options": {**self.options, "score": score or next(iter(self.scores))},
            "complete": self.complete,
            "unproven": self.unproven,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Report:
    """The rows of a grid. If it was stopped, it is not ``complete``, and its last row may not be.

    ``notices`` say what was asked for and left out.
    """

    rows: tuple[Row, ...]
    complete: bool
    notices: tuple[str, ...] = ()


def _told(estimate: Estimate) -> dict[str, Any]:
    """An estimate without the share that is missing, which stands by itself."""
    return {name: value for name, value in asdict(estimate).items() if name != "left_out"}


def _by_size(rho: Mapping[str, Mapping[int, Estimate]], what: str) -> dict[str, dict[str, float | None]]:
    return {
        kind: {str(size): getattr(each, what) for size, each in sizes.items()} for kind, sizes in rho.items()
    }


@dataclass(frozen=True)
class RankCorrelation:
    """Kendall's tau-b of a score with the measure's own; None where a ranking is all ties.

    ``within`` is the mean over samples of the tau over a sample's variants, ``across`` the tau over all pairs.

    Within a sample all variants are held against one base, across samples against bases of different sizes: a
    normalisation is there to make the latter comparable, and should leave the former alone.
    """

    within: float | None
    across: float | None


def rank_correlations(row: Row) -> dict[str, RankCorrelation]:
    """Every further score of the row -> how it ranks the pairs beside the first one."""
    of_samples = {
        name: [np.concatenate([getattr(sample, kind) for kind in VARIANT_KINDS]) for sample in samples]
        for name, samples in row.scores.items()
    }
    own, *others = of_samples
    found = {}
    for name in others:
        taus = [
            value
            for one, other in zip(of_samples[own], of_samples[name], strict=True)
            if (value := tau(one, other)) is not None
        ]
        across = tau(np.concatenate(of_samples[own]), np.concatenate(of_samples[name]))
        found[name] = RankCorrelation(float(np.mean(taus)) if taus else None, across)
    return found


def run_grid(
    samples: Sequence[Sample],
    grid: Grid,
    *,
    monitor: Monitor = UNWATCHED,
) -> Report:
    """Measure every sample by every combination, and by the baselines.

    Args:
        samples: from ``read_samples``.
        grid: what to combine.
        monitor: watches; once it says stop, what is measured so far is returned, marked as not complete.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: distances of texts alone with contexts that work on vectors alone.
        EncoderError: an encoder can't be had, or its vectors can't be used.
        Interrupted: stopped before one sample was measured.
    """
    trees = [tree for sample in samples for tree in (*sample.trees, *sample.displaced)]
    rows: list[Row] = []
    notices = Notices(samples)
    stopped = False
    try:
        for measure in Measures(trees, grid, monitor):
            notices.add(measure.options, measure.told)
            stage = f"Measure {len(rows) + 1} of {grid.total}: {', '.join(named(measure.options))}"
            row = _row(measure, samples, monitor.part(len(rows), grid.total, stage))
            stopped = not row.complete
            if row.samples:
                rows.append(row)
            if stopped:
                break
    except Interrupted:  # while it encoded
        stopped = True
    if stopped and not rows:
        raise Interrupted("stopped before one sample was measured; run it again")
    return Report(tuple(rows), complete=not stopped, notices=(*grid.left_out, *notices.told))


def _row(measure: Measure, samples: Sequence[Sample], monitor: Monitor) -> Row:
    """All samples, or as many as there is time for; a sample that was not finished is left out."""
    scores: dict[str, list[SampleScores]] = {}
    unproven = measured = 0
    for sample in samples:
        monitor.stage(sample.name, measured / len(samples))
        found = {
            kind: [measure.solved(sample.base, variant)[0] for variant in variants if not monitor.stopped]
            for kind, variants in (*sample.variants.items(), ("displaced", sample.displaced))
        }
        if monitor.stopped:
            break
        measured += 1
        every = [values for of_kind in found.values() for values in of_kind]
        unproven += int(sum(values.get("unproven", 0.0) for values in every))
        for name in [name for name in every[0] if name != "unproven"]:
            of_kinds = (tuple(values[name] for values in of_kind) for of_kind in found.values())
            scores.setdefault(name, []).append(SampleScores(sample.name, sample.size, *of_kinds))
    by_score = {name: tuple(each) for name, each in scores.items()}
    return Row(measure.options, by_score, measured == len(samples), unproven, _signature(measure, samples))


def _signature(measure: Measure, samples: Sequence[Sample]) -> str:
    digests = "".join(tree.digest for sample in samples for tree in sample.trees)
    parts = {**measure.options}
    if "encoder" in parts:
        parts["encoder"] += f"@{measure.fingerprint}"
    told = [f"{key}:{value}" for key, value in parts.items() if value != AS_PUBLISHED.get(key)]
    inputs = sha256(digests.encode("ascii")).hexdigest()[:8]
    return "|".join(["QUALITY", *told, f"samples:{len(samples)}", f"in:{inputs}", f"v:{VERSION}"])
