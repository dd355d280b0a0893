"""A server of the application, started for a benchmark or a test, and what it and its processes use."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
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
    """A server of the application in this folder, on a free port of this machine: its address and process."""
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
    """A port of this machine on which nobody listens."""
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
    """Whether the server answers."""
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=timeout) as answer:
            return answer.status == 200
    except (OSError, urllib.error.URLError):
        return False


def processes_of(process: int) -> list[int]:
    """A process and all that it started, those that these started too (Linux)."""
    found = [process]
    for each in found:
        with suppress(OSError):  # it has just ended
            for children in Path(f"/proc/{each}/task").glob("*/children"):
                found += map(int, children.read_text(encoding="ascii").split())
    return found


def megabytes(process: int, *, alone: bool = False) -> float:
    """Resident memory of a process and of all that it started, or of itself ``alone`` (Linux)."""
    kilobytes = 0
    for each in [process] if alone else processes_of(process):
        with suppress(OSError):
            lines = Path(f"/proc/{each}/status").read_text(encoding="ascii").splitlines()
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
    return kilobytes / 1024


def processor_seconds(process: int) -> float:
    """What the process and all that it started have used so far."""
    ticks = 0
    for each in processes_of(process):
        with suppress(OSError):
            numbers = Path(f"/proc/{each}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
            ticks += sum(map(int, numbers[11:15]))  # its own and those of ended children, user and system
    return ticks / os.sysconf("SC_CLK_TCK")


def quantile(seconds: Sequence[float], share: float) -> float:
    """The value that this share of the values doesn't exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, max(0, -(-int(share * len(ordered) * 1000) // 1000) - 1))]


def outline(nodes: int, seed: int) -> str:
    """A map of so many nodes, unlike that of any other seed, as JSON."""
    parents = [-1, *((number - 1) // 3 for number in range(1, nodes))]
    labels = [f"Reef {seed} has {number * 7 + seed} polyps in bay {number}" for number in range(nodes)]
    children: list[list[int]] = [[] for _ in range(nodes)]
    for node, parent in enumerate(parents[1:], start=1):
        children[parent].append(node)

    def branch(node: int) -> dict[str, Any]:
        return {"text": labels[node], "children": [branch(child) for child in children[node]]}

    return json.dumps(branch(0))
