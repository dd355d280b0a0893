"""Timings beside other packages, and the tables of docs/; they print their command and assert nothing."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

SAMPLES = Path(__file__).parent.parent / "sample_trees"


def print_command() -> None:
    """Print the command that was called, which repeats the table."""
    print("$ python", *sys.orig_argv[1:], flush=True)


def measure_seconds(run: Callable[[], object]) -> float:
    """Processor time that this process needs for a call."""
    start = time.process_time()
    run()
    return time.process_time() - start
