"""One row of a table: a measure, its distances on every sample, and what they come to."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tted_core.lab.quality.coefficients import Estimate, Quality, SampleScores, quality
from tted_core.lab.quality.samples import VARIANT_KINDS
from tted_core.registry import lookup
from tted_core.stats import correlation

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

    @cached_property
    def quality(self) -> Quality:
        """The coefficients of the measure's own score."""
        return quality(next(iter(self.scores.values())))

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
            tau
            for one, other in zip(of_samples[own], of_samples[name], strict=True)
            if (tau := correlation(one, other, "kendall")) is not None
        ]
        across = correlation(np.concatenate(of_samples[own]), np.concatenate(of_samples[name]), "kendall")
        found[name] = RankCorrelation(float(np.mean(taus)) if taus else None, across)
    return found
