"""A batch from its inputs to a folder of results: reading, encoding, solving, writing and resuming.

joblib runs the parts: one after another, in processes of this machine, or on the workers of a Dask cluster. A task
contains the maps and vectors of its own pairs and returns its rows, so no folder has to be shared.
"""

import functools
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tted_core.batch.inputs import Inputs, Pairs
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
    write_part,
)
from tted_core.batch.settings import BatchOptions
from tted_core.batch.work import Map, Work, fingerprint_of, prepared, read_maps
from tted_core.distances import Models
from tted_core.encoders.remembered import identity
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import Interrupted, OptionsError
from tted_core.foundations.extras import require
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.version import VERSION
from tted_core.words.splitting import without_surrogates

if TYPE_CHECKING:
    import pyarrow as pa

PART_PAIRS = 2_000
"""Pairs in one part: a stopped run repeats at most so many for each worker."""

SMALLEST_PART = 10
"""Minimum pairs in a part; a part of a small batch is a hundredth, so that it can be stopped midway too."""

LOCAL = "local"
"""Instead of a scheduler's address: a Dask cluster on this machine during the run."""

WAIT_SECONDS = 60
"""Seconds in which a Dask cluster must have a worker."""


@dataclass(frozen=True)
class Summary:
    """Summary of a run: all of the folder's rows, and the seconds of its own stages."""

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
        """The summary as JSON-compatible data."""
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


@dataclass(frozen=True)
class Part:
    """Pairs that are written to one file, with further columns."""

    number: int
    pairs: Pairs
    beside: Mapping[str, Sequence[str]]


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
    """Compare all pairs by all methods, and write the rows to a folder.

    Args:
        inputs: the pairs.
        options: the options to combine.
        folder: the folder of results.
        workers: number of processes that solve; -1 for the number of cores.
        dask: a Dask scheduler's address or file, whose workers solve, or ``LOCAL``.
        resume: continue the results in the folder, if they are of the same maps and options.
        load: loads an encoder by name.
        monitor: receives the stages, and may stop the work at any time; finished parts are kept.
    """
    require("batch" if dask is None else "cluster")
    layout = Layout(options.baselines, tuple(inputs.further), options.sentences)
    layout.check()
    check_free(folder, resume=resume)
    clock = _Clock()
    load = functools.cache(load)
    with clock.stage("read"):
        monitor.stage(f"Reading {len(inputs.maps):,} maps")
        maps = read_maps(
            inputs.maps, options.contexts, depth=options.depth, total=len(inputs.maps), monitor=monitor
        )
    with clock.stage("load"):
        begin(folder, _described(inputs, maps, options, load))
    with held(folder / LOCK, BUSY):
        for leftover in folder.glob(f"*{UNFINISHED}"):
            leftover.unlink(missing_ok=True)
        missing = [each for each in _parts(inputs, maps) if not part_file(folder, each.number).exists()]
        if missing:
            with clock.stage("encode"):
                work = prepared(
                    maps, options, Models(load_encoder=load), monitor=monitor, sentences=options.sentences
                )
            with clock.stage("solve"):
                total = len(inputs.ids)
                monitor.stage(f"Comparing {total:,} pairs")
                done = total - sum(len(each.pairs) for each in missing)
                for number, table in _tables(work, layout, missing, monitor, workers=workers, dask=dask):
                    write_part(table, part_file(folder, number))
                    done += table.num_rows // len(options.methods)
                    monitor.advance(done, total)
                    monitor.check("stopped; finished parts are kept")
        return _summed(inputs, folder, clock)


def _described(
    inputs: Inputs, maps: Sequence[Map], options: BatchOptions, load: Callable[[str], Encoder]
) -> dict[str, Any]:
    """The inputs and options that determine the results."""
    models = {}
    for method in options.methods:
        if method.record.reads in {"encoder", "word vectors"}:
            models[method.encoder] = identity(load(method.encoder))[1]
    return {
        "pairs": inputs.fingerprint,
        "maps": fingerprint_of(maps),
        "models": models,
        "options": options.described,
        "version": VERSION,
        "inputs": dict(inputs.source),
    }


def _parts(inputs: Inputs, maps: Sequence[Map]) -> Iterator[Part]:
    size = min(PART_PAIRS, max(SMALLEST_PART, len(inputs.ids) // 100))
    for number, start in enumerate(range(0, len(inputs.ids), size)):
        chunk = slice(start, start + size)
        names = [[maps[each].name for each in side] for side in inputs.pairs[chunk].T.tolist()]
        beside = {"id": inputs.ids[chunk], "left": names[0], "right": names[1]}
        beside |= {name: values[chunk] for name, values in inputs.further.items()}
        yield Part(number, inputs.pairs[chunk], beside)


def _tables(
    work: Work,
    layout: Layout,
    parts: Sequence[Part],
    monitor: Monitor,
    *,
    workers: int,
    dask: str | None,
) -> Iterator[tuple[int, "pa.Table"]]:
    """The rows of each part as it is finished, and the part's number."""
    import joblib

    if work.loaded and dask is not None:
        names = ", ".join(sorted({name for _, name in work.loaded}))
        raise OptionsError(
            f"the distance {names} uses a model that can't be sent to a cluster; leave Dask out"
        )
    with ExitStack() as stack:
        if dask is not None:
            stack.enter_context(_cluster(dask, workers))
            count = -1  # all of the cluster's workers
        else:
            count = 1 if work.loaded else workers
        # Worker processes are ended with their searches; in this process, searches must check the monitor.
        stop = (Monitor(should_stop=monitor.should_stop),) if count == 1 else ()
        tasks = (joblib.delayed(solve_part)(*work.of(part.pairs), layout, part, *stop) for part in parts)
        try:
            yield from joblib.Parallel(n_jobs=count, return_as="generator_unordered")(tasks)
        except BrokenProcessPool as error:
            raise Interrupted(
                "a worker process was killed, perhaps out of memory; continue with --resume and fewer --workers"
            ) from error


def solve_part(
    work: Work, pairs: Pairs, layout: Layout, part: Part, monitor: Monitor = UNWATCHED
) -> tuple[int, "pa.Table"]:
    """The rows of one part; ``pairs`` are numbered as in ``work``."""
    import pyarrow as pa
    from threadpoolctl import threadpool_limits

    from tted_core.batch.rows import solved_rows  # no other command needs it

    with threadpool_limits(1, user_api="blas"):  # other parts use the other cores
        rows = [row for row, _ in solved_rows(work, pairs, monitor)]
    times = len(work.options.methods)
    columns: dict[str, list[Any]] = {
        name: [value for value in values for _ in range(times)] for name, values in part.beside.items()
    }
    schema = layout.schema()
    arrays = [
        pa.array(_encodable(columns.get(name) or [row[name] for row in rows]), schema.field(name).type)
        for name in layout.names
    ]
    return part.number, pa.Table.from_arrays(arrays, schema=schema)


def _encodable(values: list[Any]) -> list[Any]:
    """The values with U+FFFD for lone surrogates, which no file can contain."""
    return [
        without_surrogates(value) if isinstance(value, str) and not value.isascii() else value
        for value in values
    ]


@contextmanager
def _cluster(address: str, workers: int) -> Iterator[None]:
    """Let joblib compute on a cluster: an existing one, or a new one with so many processes."""
    import joblib
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        try:
            where: Any = address
            if address == LOCAL:
                count = joblib.cpu_count() if workers < 0 else workers
                where = stack.enter_context(
                    LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None)
                )
            elif address.lower().endswith(".json"):
                where = json.loads(Path(address).read_text(encoding="utf-8"))["address"]
            client = stack.enter_context(Client(where, timeout=WAIT_SECONDS))
            client.wait_for_workers(1, timeout=WAIT_SECONDS)
        except (KeyError, OSError, TimeoutError, TypeError, ValueError) as error:
            raise OptionsError(
                f"no Dask cluster with a worker responds at {address!r} ({' '.join(str(error).split())}); check "
                "that the scheduler and its workers run, or leave Dask out"
            ) from error
        others = set(client.run(_version).values()) - {VERSION}
        if others:
            raise OptionsError(
                f"a worker of the cluster has version {min(others)} of this program, this is {VERSION}; install "
                "the same"
            )
        stack.enter_context(joblib.parallel_config("dask"))
        yield


def _version() -> str:
    """The version of this program on the worker that runs this function."""
    return VERSION


def _summed(inputs: Inputs, folder: Path, clock: _Clock) -> Summary:
    rows = failed = 0
    for table in read_parts(folder, ["error"]):
        rows += table.num_rows
        failed += table.num_rows - table["error"].null_count
    summary = Summary(len(inputs.ids), rows, failed, clock.seconds, inputs.notices)
    write_json(summary.described, folder / SUMMARY)
    return summary
