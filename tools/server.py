"""A server of the application for benchmarks and tests, and its use of memory and processor time."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

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
    while not healthy(address):
        if process.poll() is not None:
            raise RuntimeError("the server ended")
        time.sleep(0.1)


def healthy(address: str, timeout: float = 5.0) -> bool:
    """Return True if the server answers."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=timeout) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


def processes_of(process: int) -> list[int]:
    """A process and all its descendants (Linux)."""
    found = [process]
    for each in found:
        with suppress(OSError):  # it has just ended
            for children in Path(f"/proc/{each}/task").glob("*/children"):
                found += map(int, children.read_text(encoding="ascii").split())
    return found


def megabytes(process: int) -> float:
    """Resident memory of a process and its descendants in MB (Linux)."""
    kilobytes = 0
    for each in processes_of(process):
        with suppress(OSError):
            lines = Path(f"/proc/{each}/status").read_text(encoding="ascii").splitlines()
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
    return kilobytes / 1024


def processor_seconds(process: int) -> float:
    """Processor time that the process and its descendants have used (Linux)."""
    ticks = 0
    for each in processes_of(process):
        with suppress(OSError):
            numbers = Path(f"/proc/{each}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            ticks += sum(map(int, numbers[11:15]))  # user and system time, its own and of ended children
    return ticks / os.sysconf("SC_CLK_TCK")
