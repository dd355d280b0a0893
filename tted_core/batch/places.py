"""The parts of a batch: each solved and written to its file, in this process, in several, or on a Dask cluster.

What all parts need lies in one file, whose arrays each process maps into memory; a task is a part's pairs alone.
joblib's processes solve on this machine, Dask's workers on others. joblib can drive Dask too, but not for this:
with one worker of one thread it computes in the calling process, and it waits for ever for a part that Dask has
given up (joblib 1.6).
"""

import contextlib
import functools
import itertools
import json
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tted_core.batch.maps import Texts
from tted_core.batch.parts import UNFINISHED, Layout, write_part
from tted_core.batch.work import Pairs, Work
from tted_core.errors import Interrupted, OptionsError
from tted_core.foundations.extras import require
from tted_core.version import VERSION
from tted_core.words.splitting import without_surrogates

LOCAL = "local"
"""Instead of a scheduler's address: a Dask cluster of this machine, for as long as the run lasts."""

WAIT = 60
"""Seconds in which a Dask cluster has to have a worker."""

AHEAD = 4
"""Parts that are given to each thread of a cluster at a time: so much it need not wait, and not all of them."""

PARENT_SECONDS = 1.0
"""A process of joblib's looks so often whether the one that started it is still there."""


@dataclass(frozen=True)
class Part:
    """Pairs that are written into one file: p of them, with what stands beside them."""

    file: Path
    pairs: Pairs
    ids: Texts
    further: dict[str, Texts]


def solve_part(work: Work | str, layout: Layout, part: Part) -> int:
    """Solve one part and write it; the number of its pairs. ``work`` may be the file that it was put into."""
    import pyarrow as pa
    from threadpoolctl import threadpool_limits

    from tted_core.batch.solving import Columns, solved  # which no other command needs

    if isinstance(work, str):
        work = _opened(work)
    columns: Columns = {}
    with threadpool_limits(1, user_api="blas"):  # other parts have the other cores
        for rows in solved(work, part.pairs):
            for name, values in rows.items():
                columns.setdefault(name, []).extend(values)
    times = len(work.settings)
    names = work.maps.names
    beside: dict[str, Sequence[str]] = {
        "id": part.ids,
        "left": [names[number] for number in part.pairs[:, 0].tolist()],
        "right": [names[number] for number in part.pairs[:, 1].tolist()],
        **part.further,
    }
    columns |= {name: [value for value in values for _ in range(times)] for name, values in beside.items()}
    schema = layout.schema()
    arrays = [pa.array(_encodable(columns[each.name]), each.type) for each in schema]
    write_part(pa.Table.from_arrays(arrays, schema=schema), part.file)
    return len(part.ids)


def _encodable(values: list[Any]) -> list[Any]:
    """The values, with lone surrogates, which no file holds, as U+FFFD."""
    return [
        without_surrogates(value) if isinstance(value, str) and not value.isascii() else value
        for value in values
    ]


@functools.cache
def _opened(file: str) -> Work:
    import joblib

    work: Work = joblib.load(file, mmap_mode="r")
    return work


def solve_parts(
    work: Work,
    layout: Layout,
    parts: Sequence[Part],
    folder: Path,
    *,
    workers: int = -1,
    dask: str | None = None,
) -> Iterator[int]:
    """Write these parts; the numbers of pairs in those that are done, as they are done.

    Args:
        work: what all parts need.
        layout: the columns.
        parts: what is to be done.
        folder: where the results are; for the time of the run the work lies there too.
        workers: how many processes of this machine; -1 is as many as there are cores.
        dask: a Dask scheduler's address or file, or ``LOCAL``; None for none.

    Raises:
        OptionsError: the cluster can't be reached, or can't do it.
        Interrupted: a worker ended before its time.
        MissingExtraError: there is to be a cluster, and the extra "cluster" isn't installed.
    """
    import joblib

    if work.loaded:
        if dask is not None:
            names = ", ".join(sorted({name for _, name in work.loaded}))
            raise OptionsError(
                f"the distance {names} reads a model that can't be sent to a cluster; leave --dask out"
            )
        yield from _here(work, layout, parts)
        return
    count = min(joblib.cpu_count() if workers < 0 else workers, len(parts))
    if dask is None and count == 1:
        yield from _here(work, layout, parts)
        return
    with tempfile.TemporaryDirectory(prefix="work-", suffix=UNFINISHED, dir=folder) as place:
        file = str(Path(place) / "work")
        joblib.dump(work, file)
        if dask is None:
            yield from _in_processes(file, layout, parts, count)
        else:
            with _cluster(dask, count) as client:
                _check_workers(client, file)
                yield from _on_dask(client, lambda part: (solve_part, file, layout, part), parts)


def _here(work: Work, layout: Layout, parts: Sequence[Part]) -> Iterator[int]:
    for part in parts:
        yield solve_part(work, layout, part)


def _in_processes(file: str, layout: Layout, parts: Sequence[Part], count: int) -> Iterator[int]:
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    pool = joblib.Parallel(
        n_jobs=count, return_as="generator_unordered", initializer=end_with, initargs=(os.getpid(),)
    )
    try:
        yield from pool(joblib.delayed(solve_part)(file, layout, part) for part in parts)
    except TerminatedWorkerError as error:
        raise Interrupted(
            "a worker process was killed, perhaps for want of memory; go on with --resume and fewer --workers"
        ) from error


def end_with(parent: int) -> None:
    """End this process soon after its parent; a process of joblib's goes on when its parent is killed."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_SECONDS)
        os._exit(1)

    if os.name == "posix":  # elsewhere the parent's number stays, and joblib's limit for the idle has to do
        threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _cluster(address: str, workers: int) -> Iterator[Any]:
    """A client of the cluster: of one that runs, or of a new one with so many processes."""
    require("cluster")
    from distributed import Client, LocalCluster

    with contextlib.ExitStack() as stack:
        try:
            if address == LOCAL:
                where: Any = stack.enter_context(
                    LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,  # most of a part is Python
                        processes=True,
                        dashboard_address=None,
                        silence_logs="CRITICAL",
                    )
                )
            else:
                where = address
            if address.lower().endswith(".json"):
                where = json.loads(Path(address).read_text(encoding="utf-8"))["address"]
            client = Client(where, timeout=WAIT)
            stack.enter_context(client)
            client.wait_for_workers(1, timeout=WAIT)
        except (KeyError, OSError, TimeoutError, TypeError, ValueError) as error:
            raise OptionsError(
                f"no Dask cluster with a worker answers at {address!r} ({' '.join(str(error).split())}); check "
                "that the scheduler and its workers run, or leave --dask out"
            ) from error
        yield client


def _check_workers(client: Any, file: str) -> None:
    """Refuse workers of another version, or that can't read the results' folder."""
    try:
        seen = client.run(_seen, file)
    except ImportError as error:
        raise OptionsError(
            f"a worker of the cluster lacks a module ({error}); install tted {VERSION} there"
        ) from error
    for worker, (version, reads) in seen.items():
        if version != VERSION:
            raise OptionsError(
                f"the worker {worker} has version {version} of this program, this is {VERSION}; install the same"
            )
        if not reads:
            raise OptionsError(
                f"the worker {worker} can't read {Path(file).parent.parent}; name a folder that all machines of "
                "the cluster see under the same name"
            )


def _seen(file: str) -> tuple[str, bool]:
    """What a worker says of itself: its version, and whether it can read this file."""
    return VERSION, Path(file).is_file()


def _on_dask(client: Any, task: Callable[[Part], tuple[Any, ...]], parts: Sequence[Part]) -> Iterator[int]:
    """Give out a few parts for each thread, and another one for each that is done.

    The scheduler gives a dead worker's parts to another one; one that dies over and over ends the run.
    """
    from distributed import KilledWorker, as_completed

    threads = max(1, sum(client.nthreads().values()))
    waiting = iter(parts)
    first = itertools.islice(waiting, AHEAD * threads)
    running = as_completed(client.submit(*task(part), pure=False) for part in first)
    try:
        for future in running:
            yield future.result()
            future.release()
            running.update(client.submit(*task(part), pure=False) for part in itertools.islice(waiting, 1))
    except KilledWorker as error:
        raise Interrupted(
            "a part was given to several workers of the cluster and each was killed, perhaps for want of memory; "
            "go on with --resume and workers that have more"
        ) from error
    except CancelledError as error:
        raise Interrupted("the cluster's scheduler is gone; start it anew and go on with --resume") from error
