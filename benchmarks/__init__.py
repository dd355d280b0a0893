"""Timings beside other packages, and the tables of docs/; they print their command and assert nothing."""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

SAMPLES = Path(__file__).parent.parent / "sample_trees"


def parser_of(module: str, description: str | None) -> argparse.ArgumentParser:
    """A parser for the arguments of a benchmark, whose documentation is its help."""
    return argparse.ArgumentParser(
        prog=f"python -m benchmarks.{module}",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def print_command() -> None:
    """Print the command that was called, which repeats the table."""
    print("$ python", *sys.orig_argv[1:], flush=True)


def measure_seconds(run: Callable[[], Result]) -> tuple[float, Result]:
    """Processor time that this process needs for a call, and its result."""
    start = time.process_time()
    result = run()
    return time.process_time() - start, result
