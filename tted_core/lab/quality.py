"""Quality of distances between text trees: how sensitive they are to structure and meaning rather than wording.

A row is a measure of a grid, with its distances on every sample of variants of known kinds and their coefficients.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Any

import numpy as np

from tted_core.batch.table import BatchOptions, rows_of
from tted_core.contexts import CONTEXTS
from tted_core.distances import Models
from tted_core.encoders.embedding import encoding_once
from tted_core.errors import Interrupted, TTEDError
from tted_core.formats import MindMap
from tted_core.formats.forest import list_some
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.foundations.stats import tau
from tted_core.lab.coefficients import Estimate, Quality, SampleScores, quality
from tted_core.lab.grid import Grid, Measure, blind
from tted_core.lab.samples import VARIANT_KINDS, Sample
from tted_core.pipeline import Prepared, PreparedMap, prepare
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
    """Measure every sample with every combination of options, and with the baselines, model by model.

    Args:
        samples: from ``read_samples``.
        grid: the options to combine.
        monitor: receives the stages; once it is stopped, the results so far are returned as not complete.

    Raises:
        Interrupted: stopped before one sample was measured.
        TTEDError: a variant can't be compared with its base.
    """
    rows: list[QualityRow] = []
    notices: dict[str, dict[str, None]] = {}  # each with the samples that it concerns
    trees = [tree for sample in samples for tree in (*sample.trees, *sample.displaced)]
    groups, complete = grid.measures, True
    for number, group in enumerate(groups):
        encoding, measuring = (monitor.part(2 * number + step, 2 * len(groups)) for step in (0, 1))
        contexts = sorted({each.method.context for each in group})
        maps = [PreparedMap.of("", MindMap(tree, "tree"), tree, contexts) for tree in trees]
        for error in (error for each in maps for error in each.errors.values()):
            raise error
        models = Models(load_encoder=lambda name: encoding_once(grid.encoders[name]()))
        methods = [each.method for each in group]
        try:
            prepared = prepare(maps, methods, models, notices=False, is_exact=True, monitor=encoding)
        except Interrupted:
            complete = False
            break
        _add_notices(notices, prepared, group, samples)
        found = _measure(prepared, group, samples, measuring)
        rows += found
        complete = bool(found) and found[0].complete
        if not complete:
            break
    if not complete and not rows:
        raise Interrupted("stopped before one sample was measured; run it again")
    said = (
        notice if len(names) == len(samples) else f"{list_some(names)}: {notice}"
        for notice, names in notices.items()
    )
    return Report(tuple(rows), complete, (*grid.left_out, *said))


def _add_notices(
    notices: dict[str, dict[str, None]],
    prepared: Prepared,
    group: Sequence[Measure],
    samples: Sequence[Sample],
) -> None:
    """Add warnings about the texts that each distance reads, with the names of the samples."""
    methods = (each.method for each in group if "distance" in each.options)
    for method in {(each.distance, each.context): each for each in methods}.values():
        for sample in samples:
            texts = [text for tree in sample.trees for text in CONTEXTS[method.context].texts(tree)]
            for notice in prepared.distance(method).texts_notices(texts, method.context):
                notices.setdefault(notice, {})[sample.name] = None


def _measure(
    prepared: Prepared, group: Sequence[Measure], samples: Sequence[Sample], monitor: Monitor
) -> list[QualityRow]:
    """The rows of one model's measures, on as many samples as there is time for."""
    methods = tuple(dict.fromkeys(each.method for each in group))
    baselines = tuple(each.options["baseline"] for each in group if "baseline" in each.options)
    scores: list[dict[str, list[SampleScores]]] = [{} for _ in group]
    unproven = [0] * len(group)
    watched = Monitor(should_stop=monitor.should_stop)
    base = measured = 0
    for sample in samples:
        monitor.stage(f"Measuring {sample.name}", measured / len(samples))
        kinds = {**sample.variants, "displaced": sample.displaced}
        variants = [tree for some in kinds.values() for tree in some]
        pairs = np.array([(base, base + number) for number in range(1, len(variants) + 1)], dtype=np.int32)
        base += len(variants) + 1
        try:
            rows = list(rows_of(prepared, BatchOptions(methods, baselines), pairs, watched))
        except Interrupted:
            break
        if error := next((row["error"] for row in rows if row["error"]), None):
            raise TTEDError(f"{sample.name}: {error}")
        measured += 1
        for number, each in enumerate(group):
            own = rows[methods.index(each.method) :: len(methods)]
            values = {score: [row[column] for row in own] for score, column in each.columns.items()}
            if each.options.get("control") == "blind":
                vectors = prepared.vectors(each.method)
                assert vectors is not None
                values = {"control": [blind(each.method, vectors, sample.base, tree) for tree in variants]}
            if "distance" in each.options:
                unproven[number] += sum(not row["proven"] for row in own)
            for score, found in values.items():
                in_order = iter(math.nan if value is None else value for value in found)
                of_kinds = (tuple(islice(in_order, len(some))) for some in kinds.values())
                by_sample = SampleScores(sample.name, sample.size, *of_kinds)
                scores[number].setdefault(score, []).append(by_sample)
    return [
        QualityRow(
            each.options,
            {score: tuple(of_samples) for score, of_samples in by_score.items()},
            measured == len(samples),
            count,
            _signature(each.options, prepared.model(each.method).fingerprint, samples),
        )
        for each, by_score, count in zip(group, scores, unproven, strict=True)
        if by_score
    ]


def _signature(options: Mapping[str, Any], fingerprint: str, samples: Sequence[Sample]) -> str:
    digests = "".join(tree.digest for sample in samples for tree in sample.trees)
    parts = {**options}
    if "encoder" in parts:
        parts["encoder"] += f"@{fingerprint}"
    settings = [f"{key}:{value}" for key, value in parts.items() if value != AS_PUBLISHED.get(key)]
    inputs = sha256(digests.encode("ascii")).hexdigest()[:8]
    return "|".join(["QUALITY", *settings, f"samples:{len(samples)}", f"in:{inputs}", f"v:{VERSION}"])
