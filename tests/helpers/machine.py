"""What a machine lacks for the tests, and what to do about it, in a sentence each, before and after them."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator

import psutil
import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
INSTALL_CHROMIUM = (
    "no Chromium on this machine, which the browser tests need; install it (Debian: apt-get install chromium "
    "fonts-dejavu-core)"
)
INSTALL_FONTS = "this machine has no fonts; install some (Debian: apt-get install fonts-dejavu-core)"
GB_A_PROCESS = 2.0
GB_OF_DISK = 1.0

ADVICE = {
    r"No space left on device|database or disk is full": (
        "The disk is full: make room in {temporary}, or run TMPDIR=/another/folder make test"
    ),
    r"MemoryError|Cannot allocate memory|worker '\w+' crashed|for want of memory|memory ran out|Page crashed": (
        "Memory may have run out: close other programs, or run one test at a time: TEST_PROCESSES=1 make test"
    ),
    r"Permission denied|Read-only file system": (
        "A folder can't be written: the tests need this one and {temporary} (or TMPDIR=/another/folder make test)"
    ),
    r"Address already in use|the server ended|the server did not answer": (
        "The application's server did not start: see whether it does by hand (make app PORT=8600), and whether "
        "something forbids programs to listen on 127.0.0.1"
    ),
    r"BrowserType\.launch|Target page, context or browser has been closed": (
        "Chromium did not start or was killed: see whether it runs by hand ({chromium} --headless --no-sandbox "
        "--dump-dom about:blank), and install it anew if it doesn't"
    ),
    r"Failed: Timeout|Timeout \d+ms exceeded|TimeoutExpired": (
        "Something took far longer than it should: run what failed again with less beside it: "
        ".venv/bin/python -m pytest --last-failed"
    ),
}
"""What is found in a failure, and what may help its reader."""


def lacks(processes: int) -> Iterator[str]:
    """What this machine lacks for so many processes of tests, a sentence each."""
    if CHROMIUM is None:
        yield INSTALL_CHROMIUM
    if shutil.which("fc-list") and not _output("fc-list"):
        yield INSTALL_FONTS
    gigabytes = psutil.virtual_memory().available / 1e9
    if gigabytes < GB_A_PROCESS * processes:
        yield (
            f"only {gigabytes:.1f} GB of memory are free, each process of the tests takes up to {GB_A_PROCESS:g}; "
            "close other programs, or run TEST_PROCESSES=1 make test"
        )
    temporary = tempfile.gettempdir()
    free = shutil.disk_usage(temporary).free / 1e9
    if free < GB_OF_DISK:
        yield f"only {free:.1f} GB are free in {temporary}; make room, or run TMPDIR=/another/folder make test"


def advice(failures: str) -> list[str]:
    """The sentences that may help with these failures."""
    places = {"temporary": tempfile.gettempdir(), "chromium": CHROMIUM or "chromium"}
    return [said.format(**places) for found, said in ADVICE.items() if re.search(found, failures)]


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Called by pytest before it collects the tests."""
    return [f"note: {each}" for each in lacks(_processes(config))]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Called by pytest after its last test."""
    reports = [each for kind in ("failed", "error") for each in terminalreporter.stats.get(kind, [])]
    if reports:
        found = [*advice("\n".join(each.longreprtext for each in reports)), *lacks(_processes(config))]
        for each in found:
            terminalreporter.write_line(f"what to do: {each}", yellow=True)


def _processes(config: pytest.Config) -> int:
    return int(getattr(config.option, "numprocesses", None) or 1)


def _output(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ).stdout
