"""A batch from its inputs to a folder of results: reading, encoding, solving, writing and resuming.

joblib runs the parts: one after another, in processes of this machine, or on the workers of a Dask cluster. A task
contains the maps and vectors of its own pairs and returns its rows, so no folder has to be shared.
"""

import functools
import itertools
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from tted_core.batch.pairs import Inputs
from tted_core.batch.results import (
    JOB,
    RESUME,
    SUMMARY,
    check_free,
    check_unchanged,
    lock_folder,
    part_file,
    read_parts,
    remove_damaged,
    write_json,
    write_part,
)
from tted_core.batch.table import BatchOptions, Columns, arrow_table, schema_of, solve_columns
from tted_core.distances import Models
from tted_core.encoders.embedding import encoder_of
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import Interrupted, Message, OptionsError, Setting, require
from tted_core.foundations.messages import without_surrogates
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.pipeline import Pairs, Prepared, fingerprint_of, prepare, prepare_maps
from tted_core.version import VERSION

PART_PAIRS = 2_048  # pairs in one part: a stopped run repeats at most so many for each worker

# Minimum pairs in a part; a part of a small batch is a fortieth, so that it can be stopped midway too.
SMALLEST_PART = 10

WAIT_SECONDS = 60  # seconds in which a Dask cluster must have a worker


LOCAL = "local"  # stands for a new Dask cluster on this machine, with a worker for each core


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
) -> dict[str, Any]:
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

    Returns:
        The content of summary.json: numbers of pairs, rows and failed rows in the folder, seconds of this run's
        stages, notices and version.
    """
    require("batch" if dask is None else "cluster")
    schema = schema_of(options, tuple(inputs.further))
    with lock_folder(folder):  # before the long work
        check_free(folder, resume=resume)
        seconds: dict[str, float] = {}
        load = functools.cache(load)
        total = len(inputs.ids)
        with _time("read", seconds):
            monitor.stage(f"Reading {len(inputs.maps):,} maps")
            maps = prepare_maps(inputs.maps, options.contexts, depth=options.depth, monitor=monitor)
        with _time("load", seconds):
            started = {
                "pairs": inputs.fingerprint,
                "maps": fingerprint_of(maps),
                "models": {
                    each.encoder: encoder_of(load(each.encoder)).fingerprint
                    for each in options.methods
                    if each.record.reads != "none"
                },
                "options": options.described,
                "version": VERSION,
                "inputs": dict(inputs.source),
            }
        check_unchanged(folder, started)
        size = min(PART_PAIRS, max(SMALLEST_PART, total // 40))
        every = {number: slice(start, start + size) for number, start in enumerate(range(0, total, size))}
        ids = {
            file: list(map(without_surrogates, inputs.columns(part, len(options.methods))["id"]))
            for number, part in every.items()
            if (file := part_file(folder, number)).exists()
        }
        notices = [*inputs.notices, *remove_damaged(folder, schema.names, ids)]
        for notice in notices[len(inputs.notices) :]:
            monitor.stage(notice)
        parts = {number: part for number, part in every.items() if not part_file(folder, number).exists()}
        if parts:
            pairs = {number: inputs.pairs[part] for number, part in parts.items()}
            with _time("encode", seconds):
                prepared = prepare(
                    maps,
                    options.methods,
                    Models(load_encoder=load),
                    baselines=options.baselines,
                    pairs=np.concatenate(list(pairs.values())) if options.sentences else None,
                    monitor=monitor,
                )
            write_json(started, folder / JOB)
            with _time("solve", seconds):
                monitor.stage(f"Comparing {total:,} pairs")
                done = total - sum(map(len, pairs.values()))
                for number, columns in _solve(prepared, options, pairs, monitor, workers=workers, dask=dask):
                    beside = inputs.columns(parts[number], len(options.methods))
                    write_part(arrow_table(beside | columns, schema), part_file(folder, number))
                    done += len(pairs[number])
                    monitor.advance(done, total)
                    monitor.check("stopped; finished parts are kept")
        errors = [table["error"] for table in read_parts(folder, ["error"])]
        rows = sum(map(len, errors))
        summary = {
            "pairs": total,
            "rows": rows,
            "failed": rows - sum(error.null_count for error in errors),
            "seconds": seconds,
            "notices": notices,
            "version": VERSION,
        }
        write_json(summary, folder / SUMMARY)
    return summary


@contextmanager
def _time(stage: str, seconds: dict[str, float]) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds[stage] = round(time.perf_counter() - start, 3)


def _solve(
    prepared: Prepared,
    options: BatchOptions,
    parts: Mapping[int, Pairs],
    monitor: Monitor,
    *,
    workers: int,
    dask: str | None,
) -> Iterator[tuple[int, Columns]]:
    """The number of each part as it is finished, and its table."""
    import joblib

    if prepared.tied and dask is not None:
        names = ", ".join(sorted({name for _, name in prepared.tied}))
        raise OptionsError(
            f"the distance {names} uses a model that can't be sent to a cluster; leave Dask out"
        )
    with ExitStack() as stack:
        cores = joblib.cpu_count()
        count = 1 if prepared.tied else min(cores if workers < 0 else workers, cores, len(parts))
        if dask is not None:
            stack.enter_context(_cluster(dask))
            count = -1  # all of the cluster's workers
        # Worker processes are ended with their searches; in this process, searches must check the monitor.
        stop: dict[str, Any] = {"monitor": Monitor(should_stop=monitor.should_stop)} if count == 1 else {}
        own = {"initializer": _end_with, "initargs": (os.getpid(),)} if count > 1 else {}
        solving = joblib.delayed(functools.partial(solve_part, options, **stop))
        # Other processes get the maps of their parts; this one knows what it found about all of them.
        tasks = (
            solving(number, *((prepared.encoded, pairs) if count == 1 else prepared.of(pairs)))
            for number, pairs in parts.items()
        )
        try:
            yield from joblib.Parallel(n_jobs=count, return_as="generator_unordered", **own)(tasks)
        except BrokenProcessPool as error:
            raise Interrupted(
                Message(
                    "a worker process was killed, perhaps out of memory; continue with ",
                    RESUME,
                    " and fewer ",
                    Setting("workers"),
                )
            ) from error


def solve_part(
    options: BatchOptions,
    number: int,
    prepared: Prepared,
    pairs: Pairs,
    *,
    monitor: Monitor = UNWATCHED,
) -> tuple[int, Columns]:
    """The number of a part and its table."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, user_api="blas"):  # other parts use the other cores
        chunks = list(solve_columns(prepared, options, pairs, monitor))
    return number, {
        name: list(itertools.chain.from_iterable(chunk[name] for chunk in chunks)) for name in chunks[0]
    }


def _end_with(main: int) -> None:
    """End this worker when its parent, the process of the batch, has ended, even if that was killed.

    Ctrl+C reaches the workers too; it is the parent that ends them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        while os.getppid() == main:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def _cluster(address: str) -> Iterator[None]:
    """Let joblib compute on the workers of a Dask scheduler, given by its address or file, or of a new one."""
    import joblib
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        try:
            if address.lower().endswith(".json"):
                address = json.loads(Path(address).read_text(encoding="utf-8"))["address"]
            if address == LOCAL:
                one_each = LocalCluster(threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL")
                address = stack.enter_context(one_each).scheduler_address
            client = stack.enter_context(Client(address, timeout=WAIT_SECONDS))
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
