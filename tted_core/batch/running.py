"""A batch from its inputs to a folder of results: read, encode, solve, write, and go on where it was stopped."""

import functools
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tted_core.batch.inputs import Inputs
from tted_core.batch.maps import Maps, gathered
from tted_core.batch.parts import (
    BUSY,
    LOCK,
    SUMMARY,
    UNFINISHED,
    Layout,
    begin,
    check_free,
    held,
    part_file,
    read_parts,
    write_json,
)
from tted_core.batch.places import Part, solve_parts
from tted_core.batch.settings import BatchOptions
from tted_core.batch.work import prepared
from tted_core.distances import Models
from tted_core.encoders.remembered import identity
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.foundations.extras import require
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.version import VERSION

PART_PAIRS = 2_000
"""Pairs in one part: a run that was stopped does so many again for each worker."""

SMALLEST_PART = 10
"""Of few pairs a part holds a hundredth, and so many at least: a small batch can be stopped half way too."""


@dataclass(frozen=True)
class Summary:
    """What a run came to: all of the folder's rows, and the seconds of its own stages."""

    pairs: int
    rows: int
    failed: int
    seconds: dict[str, float]
    notices: tuple[str, ...] = ()

    @property
    def share_failed(self) -> float:
        """The share of rows with an error."""
        return self.failed / self.rows if self.rows else 0.0

    @property
    def described(self) -> dict[str, Any]:
        """As it is written down."""
        return {
            "pairs": self.pairs,
            "rows": self.rows,
            "failed": self.failed,
            "seconds": {stage: round(seconds, 3) for stage, seconds in self.seconds.items()},
            "notices": list(self.notices),
            "version": VERSION,
        }


@dataclass
class _Clock:
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start


def run_batch(
    inputs: Inputs,
    options: BatchOptions,
    folder: Path,
    *,
    workers: int = -1,
    dask: str | None = None,
    resume: bool = False,
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
) -> Summary:
    """Compare all pairs by all methods, and write the rows into a folder.

    Args:
        inputs: the pairs.
        options: what to combine.
        folder: where the results go.
        workers: how many processes solve; -1 is as many as there are cores.
        dask: a Dask scheduler's address or file, whose workers solve, or "local" for a cluster of this machine.
        resume: go on with the results in the folder, if they are of the same maps and options.
        load: what makes an encoder of its name.
        monitor: watches the stages, and may stop it at any time; what is done is kept.

    Raises:
        OptionsError: options that don't go together, or a folder with results of something else.
        UnknownNameError: a name that isn't known.
        EncoderError: an encoder can't be had, or its vectors can't be used.
        MissingExtraError: the extra "batch" isn't installed, or for ``dask`` the extra "cluster".
        Interrupted: a worker ended before its time.
    """
    require("batch" if dask is None else "cluster")
    folder = folder.absolute()  # the processes that solve may stand elsewhere
    layout = Layout(options.baselines, tuple(inputs.further), options.sentences)
    layout.check()
    check_free(folder, resume=resume)
    clock = _Clock()
    load = functools.cache(load)
    with clock.stage("read"):
        maps = _read(inputs, options, monitor)
    with clock.stage("load"):
        job = _described(inputs, maps, options, load)
        begin(folder, job)
    with held(folder / LOCK, BUSY):
        for leftover in folder.glob(f"*{UNFINISHED}"):
            _remove(leftover)
        parts = list(_parts(inputs, folder))
        missing = [part for part in parts if not part.file.exists()]
        if missing:
            with clock.stage("encode"):
                work = prepared(maps, options, Models(load_encoder=load), folder=folder, monitor=monitor)
            with clock.stage("solve"):
                monitor.stage(f"Comparing {sum(len(part.ids) for part in parts):,} pairs")
                done = sum(len(part.ids) for part in parts) - sum(len(part.ids) for part in missing)
                for pairs in solve_parts(work, layout, missing, folder, workers=workers, dask=dask):
                    done += pairs
                    monitor.advance(done, sum(len(part.ids) for part in parts))
                    monitor.check("stopped; what is done is kept")
        return _summed(inputs, folder, clock)


def _remove(leftover: Path) -> None:
    """Remove what a run that was killed left behind."""
    if leftover.is_dir():
        shutil.rmtree(leftover, ignore_errors=True)
    else:
        leftover.unlink(missing_ok=True)


def _read(inputs: Inputs, options: BatchOptions, monitor: Monitor) -> Maps:
    monitor.stage(f"Reading {len(inputs.maps):,} maps")
    return gathered(
        inputs.maps, options.contexts, depth=options.depth, total=len(inputs.maps), monitor=monitor
    )


def _described(
    inputs: Inputs, maps: Maps, options: BatchOptions, load: Callable[[str], Encoder]
) -> dict[str, Any]:
    """What the results depend on."""
    models = {}
    for method in options.methods:
        if method.record.reads in {"encoder", "word vectors"}:
            models[method.encoder] = identity(load(method.encoder))[1]
    return {
        "pairs": inputs.fingerprint,
        "maps": maps.fingerprint,
        "models": models,
        "options": options.described,
        "version": VERSION,
        "inputs": inputs.source,
    }


def _parts(inputs: Inputs, folder: Path) -> Iterator[Part]:
    size = min(PART_PAIRS, max(SMALLEST_PART, len(inputs.ids) // 100))
    for number, start in enumerate(range(0, len(inputs.ids), size)):
        place = slice(start, start + size)
        further = {name: values[place] for name, values in inputs.further.items()}
        yield Part(part_file(folder, number), inputs.pairs[place], inputs.ids[place], further)


def _summed(inputs: Inputs, folder: Path, clock: _Clock) -> Summary:
    rows = failed = 0
    for table in read_parts(folder, ["error"]):
        rows += table.num_rows
        failed += table.num_rows - table["error"].null_count
    summary = Summary(len(inputs.ids), rows, failed, clock.seconds, inputs.notices)
    write_json(summary.described, folder / SUMMARY)
    return summary
