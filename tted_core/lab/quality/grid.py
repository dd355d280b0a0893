"""The grid: every combination of options on every sample."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from tted_core.errors import Interrupted
from tted_core.lab.quality.coefficients import SampleScores
from tted_core.lab.quality.measures import Grid, Measure, Measures, Notices, Values
from tted_core.lab.quality.rows import AS_PUBLISHED, Report, Row, named
from tted_core.lab.quality.samples import Sample
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.version import VERSION


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
    measures = Measures(trees, grid, monitor)
    work = _Work(samples, grid.total, monitor)
    rows: list[Row] = []
    notices = Notices(samples)
    stopped = False
    try:
        for measure in measures:
            notices.add(measure.options, measure.told)
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
    return Report(tuple(rows), complete=not stopped, notices=(*grid.left_out, *notices.told))


@dataclass(frozen=True)
class _Work:
    samples: Sequence[Sample]
    total: int
    monitor: Monitor

    def row(self, measure: Measure, number: int) -> Row:
        """Measure all samples, or as many as there is time for; a sample that was not finished is left out."""
        found: list[tuple[Sample, dict[str, list[Values]]]] = []
        for index, sample in enumerate(self.samples):
            stage = f"Measure {number + 1} of {self.total}: {', '.join(named(measure.options))}"
            self.monitor.stage(stage, (number + index / len(self.samples)) / self.total)
            scores = {
                kind: [
                    measure.solved(sample.base, variant)[0]
                    for variant in variants
                    if not self.monitor.stopped
                ]
                for kind, variants in (*sample.variants.items(), ("displaced", sample.displaced))
            }
            if self.monitor.stopped:
                break
            found.append((sample, scores))
        names = [name for name in next(iter(_all(found)), {}) if name != "unproven"]
        by_score = {
            name: tuple(
                SampleScores(
                    sample.name,
                    sample.size,
                    *(tuple(each[name] for each in every) for every in scores.values()),
                )
                for sample, scores in found
            )
            for name in names
        }
        unproven = int(sum(each.get("unproven", 0.0) for each in _all(found)))
        return Row(
            measure.options, by_score, len(found) == len(self.samples), unproven, self._signature(measure)
        )

    def _signature(self, measure: Measure) -> str:
        digests = "".join(tree.digest for sample in self.samples for tree in sample.trees)
        parts = {**measure.options}
        if "encoder" in parts:
            parts["encoder"] += f"@{measure.fingerprint}"
        told = [f"{key}:{value}" for key, value in parts.items() if value != AS_PUBLISHED.get(key)]
        inputs = sha256(digests.encode("ascii")).hexdigest()[:8]
        return "|".join(["QUALITY", *told, f"samples:{len(self.samples)}", f"in:{inputs}", f"v:{VERSION}"])


def _all(found: Sequence[tuple[Sample, dict[str, list[Values]]]]) -> Iterator[Values]:
    for _, scores in found:
        yield from itertools.chain(*scores.values())
