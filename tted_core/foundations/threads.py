"""The number of threads that share one computation, for encoders: the one decision of all commands and pages.

Kernels of the solvers use the thread that calls them, and release Python's lock. A batch's worker processes have
one core each (joblib and Dask set OMP_NUM_THREADS in them), so a worker uses one thread. In commands, and behind a
server's queue of texts, encoders use all cores. Their threads sleep while they wait for each other, so that others
on the same cores are not held up.
"""

import os


def shared_by() -> int:
    """The number of threads: that of OMP_NUM_THREADS, else of the cores that this process may use."""
    given = os.environ.get("OMP_NUM_THREADS", "")
    if given.isdecimal() and int(given):
        return int(given)
    cores = getattr(os, "sched_getaffinity", None)
    return len(cores(0)) if cores else os.cpu_count() or 1
