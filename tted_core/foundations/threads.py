"""The threads that share one computation: the one decision for all commands and pages.

Kernels of the solvers use the thread that calls them, and release Python's lock. A batch's worker processes have
one core each (joblib and Dask set OMP_NUM_THREADS in them), so a worker uses one thread. In commands, and behind a
server's queue of texts, encoders use all cores. Their threads sleep while they wait for each other, so that others
on the same cores are not held up.
"""

import os


def count_threads() -> int:
    """The number of threads: that of OMP_NUM_THREADS, else of the cores that this process may use."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    if given.isdecimal() and int(given):
        return int(given)
    cores = getattr(os, "sched_getaffinity", None)
    return len(cores(0)) if cores else os.cpu_count() or 1


def passive_waiting() -> None:
    """Let threads of PyTorch sleep while they wait for each other; effective before it is imported.

    By default they keep their cores busy (OpenMP's active waiting), which makes encoding take 30 times as long if
    other programs need the cores.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
