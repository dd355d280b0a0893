"""A server of the application for benchmarks and tests, and its use of memory and processor time."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parent.parent


@contextmanager
def served(
    folder: Path = ROOT,
    *options: str,
    environment: dict[str, str] | None = None,
    log: Path | None = None,
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start a server of the application in a folder, on a free port; yield its address and process."""
    port = free_port()
    command = [sys.executable, "-m", "tted_core", "app", "--no-browser", "--port", str(port), *options]
    with (
        (log or Path(os.devnull)).open("wb") as written,
        subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdout=written,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for(address, process)
            yield address, process
        finally:
            process.terminate()


def free_port() -> int:
    """An unused port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(address: str, process: subprocess.Popen[Any]) -> None:
    """Wait until the server answers.

    Raises:
        RuntimeError: it ended.
    """
    while True:
        with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=5.0):
            return
        if process.poll() is not None:
            raise RuntimeError("the server ended")
        time.sleep(0.1)


def megabytes(process: int) -> float:
    """Resident memory of a process and its descendants in MB."""
    return sum(_ask(process, lambda each: each.memory_info().rss)) / 2**20


def processor_seconds(process: int) -> float:
    """Processor time that the process and its descendants have used."""
    return sum(_ask(process, lambda each: sum(each.cpu_times()[:4])))  # also of ended children


def _ask(process: int, question: Callable[[psutil.Process], float]) -> Iterator[float]:
    """The answer of a process and of each of its descendants."""
    parent = psutil.Process(process)
    for each in (parent, *parent.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # it has just ended
            yield question(each)
