"""Quality of distances between text trees: how sensitive they are to structure and meaning rather than wording.

A row is a measure of a grid, with its distances on every sample of variants of known kinds and their coefficients.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from tted_core.errors import Interrupted
from tted_core.formats.forest import list_some
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.foundations.stats import tau
from tted_core.lab.coefficients import Estimate, Quality, SampleScores, quality
from tted_core.lab.grid import Grid, Measure, measures
from tted_core.lab.samples import VARIANT_KINDS, Sample
from tted_core.version import VERSION

AS_PUBLISHED = {"gap": 0, "power": 1}
"""Options left out of a measure's name if they have these values."""


def name_options(options: Mapping[str, Any]) -> list[str]:
    """The options as parts of a measure's name."""
    words = {"gap": "gap {}", "power": "p = {:g}", "control": "control {}"}
    return [
        words.get(name, "{}").format(value)
        for name, value in options.items()
        if value != AS_PUBLISHED.get(name)
    ]


def is_control(options: Mapping[str, Any]) -> bool:
    """Return True for the options of a control."""
    return "control" in options


@dataclass(frozen=True)
class QualityRow:
    """One measure on the samples.

    Attributes:
        options: encoder, distance, order, context, gap and power of a TTED; "baseline" of a baseline, and the
            encoder if it uses one; encoder and "control" of a control.
        scores: score ("tted" and ``NORMALISATIONS``; of a baseline "rho_base", "sim"; of a control "control")
                -> one entry per sample. The first is the main one.
        complete: True if all samples were measured; otherwise only measured ones are present.
        unproven: number of distances that are upper bounds because the search ran out of time.
        signature: a line with which the row can be reproduced.
    """

    options: dict[str, Any]
    scores: dict[str, tuple[SampleScores, ...]] = field(repr=False)
    complete: bool
    unproven: int
    signature: str

    @property
    def name(self) -> str:
        """The name of the measure."""
        return ("TTED " if "distance" in self.options else "") + ", ".join(name_options(self.options))

    @property
    def score(self) -> str:
        """The name of the main score."""
        return next(iter(self.scores))

    @property
    def samples(self) -> tuple[SampleScores, ...]:
        """The samples by the main score; empty if the first one wasn't finished."""
        return next(iter(self.scores.values()), ())

    @cached_property
    def quality(self) -> Quality:
        """The coefficients of the main score."""
        return quality(self.samples)

    def quality_of(self, score: str) -> Quality:
        """The coefficients of another score.

        Raises:
            UnknownNameError: no such score.
        """
        return quality(lookup(self.scores, score, f"score of {self.name}"))

    def as_json(self, score: str | None = None) -> dict[str, Any]:
        """The row as the command line prints it, by the main score unless another is named."""
        measured = self.quality if score is None else self.quality_of(score)
        content = {
            **{name: _estimate_json(estimate) for name, estimate in measured.figures.items()},
            "doubt": {name: estimate.doubt for name, estimate in measured.figures.items() if estimate.doubt},
            "rho": _by_size(measured.rho, "mean"),
            "rho_std": _by_size(measured.rho, "std"),
            "pooled": {name: _estimate_json(estimate) for name, estimate in measured.pooled.items()},
        }
        if "sim" in self.scores:
            content["sim"] = _by_size(self.quality_of("sim").rho, "mean")
        return content | {
            "options": {**self.options, "score": score or self.score},
            "complete": self.complete,
            "unproven": self.unproven,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Report:
    """The rows of a grid; if it was stopped, it is not ``complete``, and its last row may not be.

    ``notices`` name what was requested and left out.
    """

    rows: tuple[QualityRow, ...]
    complete: bool
    notices: tuple[str, ...] = ()


def _estimate_json(estimate: Estimate) -> dict[str, Any]:
    """An estimate without the missing share, which is given separately."""
    return {name: value for name, value in asdict(estimate).items() if name != "left_out"}


def _by_size(rho: Mapping[str, Mapping[int, Estimate]], what: str) -> dict[str, dict[str, float | None]]:
    return {
        kind: {str(size): getattr(each, what) for size, each in sizes.items()} for kind, sizes in rho.items()
    }


def rank_correlations(row: QualityRow) -> dict[str, dict[str, float | None]]:
    """Kendall's tau-b of every further score of the row with the main one; None where a ranking is all ties.

    ``within`` is the mean over samples of tau over a sample's variants, ``across`` the tau over all pairs.

    Within a sample all variants are compared with one base, across samples with bases of different sizes: a
    normalisation should make the latter comparable and leave the former unchanged.
    """
    own, *others = (
        [np.concatenate([getattr(sample, kind) for kind in VARIANT_KINDS]) for sample in samples]
        for samples in row.scores.values()
    )
    found: dict[str, dict[str, float | None]] = {}
    for name, other in zip(list(row.scores)[1:], others, strict=True):
        taus = [value for value in map(tau, own, other) if value is not None]
        within = float(np.mean(taus)) if taus else None
        found[name] = {"within": within, "across": tau(np.concatenate(own), np.concatenate(other))}
    return found


def run_grid(samples: Sequence[Sample], grid: Grid, *, monitor: Monitor = UNWATCHED) -> Report:
    """Measure every sample with every combination of options, and with the baselines.

    Args:
        samples: from ``read_samples``.
        grid: the options to combine.
        monitor: receives the stages; once it is stopped, the results so far are returned as not complete.

    Raises:
        Interrupted: stopped before one sample was measured.
    """
    trees = [tree for sample in samples for tree in (*sample.trees, *sample.displaced)]
    rows: list[QualityRow] = []
    notices: dict[str, dict[str, None]] = {}  # each with the samples that it concerns
    complete = True
    try:
        for measure in measures(grid, trees, monitor):
            if measure.notices is not None:
                for sample in samples:
                    for notice in measure.notices(sample.trees):
                        notices.setdefault(notice, {})[sample.name] = None
            stage = f"Measure {len(rows) + 1} of {grid.total}: {', '.join(name_options(measure.options))}"
            row = _row(measure, samples, monitor.part(len(rows), grid.total, stage))
            if row.samples:
                rows.append(row)
            complete = row.complete
            if not complete:
                break
    except Interrupted:  # while it encoded
        complete = False
    if not complete and not rows:
        raise Interrupted("stopped before one sample was measured; run it again")
    said = (
        notice if len(names) == len(samples) else f"{list_some(names)}: {notice}"
        for notice, names in notices.items()
    )
    return Report(tuple(rows), complete, (*grid.left_out, *said))


def _row(measure: Measure, samples: Sequence[Sample], monitor: Monitor) -> QualityRow:
    """All samples, or as many as there is time for; an unfinished sample is left out."""
    scores: dict[str, list[SampleScores]] = {}
    unproven = measured = 0
    for sample in samples:
        monitor.stage(sample.name, measured / len(samples))
        kinds = {**sample.variants, "displaced": sample.displaced}
        pairs = [(sample.base, variant) for variants in kinds.values() for variant in variants]
        every = [values for values, _ in measure.solved(pairs)]
        if monitor.stopped:
            break
        measured += 1
        in_order = iter(every)
        found = {kind: [next(in_order) for _ in variants] for kind, variants in kinds.items()}
        unproven += int(sum(values.get("unproven", 0.0) for values in every))
        for name in [name for name in every[0] if name != "unproven"]:
            of_kinds = (tuple(values[name] for values in of_kind) for of_kind in found.values())
            scores.setdefault(name, []).append(SampleScores(sample.name, sample.size, *of_kinds))
    by_score = {name: tuple(each) for name, each in scores.items()}
    return QualityRow(
        measure.options, by_score, measured == len(samples), unproven, _signature(measure, samples)
    )


def _signature(measure: Measure, samples: Sequence[Sample]) -> str:
    digests = "".join(tree.digest for sample in samples for tree in sample.trees)
    parts = {**measure.options}
    if "encoder" in parts:
        parts["encoder"] += f"@{measure.fingerprint}"
    settings = [f"{key}:{value}" for key, value in parts.items() if value != AS_PUBLISHED.get(key)]
    inputs = sha256(digests.encode("ascii")).hexdigest()[:8]
    return "|".join(["QUALITY", *settings, f"samples:{len(samples)}", f"in:{inputs}", f"v:{VERSION}"])
