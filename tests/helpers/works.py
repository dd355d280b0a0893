"""Work for processes of the server's, and how to see what became of it."""

import os
import sys
import time
from pathlib import Path


def process_id(_monitor):
    return os.getpid()


def fails(error, _monitor):
    raise error


def until_stopped(file, monitor):
    file.write_text(str(os.getpid()))
    monitor.stage("Searching", 0.5)
    while not monitor.stopped:
        time.sleep(0.001)
    return "best so far"


def deaf(file, _monitor):
    """Never listens; killed, if anybody has waited long enough."""
    file.write_text(str(os.getpid()))
    time.sleep(600)


def started(file):
    """The process that has begun its work, which writes its number into this file."""
    wait_until(lambda: file.exists() and file.read_text())
    return int(file.read_text())


def wait_until(condition):
    end = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def runs(process):
    """Whether it does; one that has ended and waits for its parent to ask does not (Linux)."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        if sys.platform == "linux":
            return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
