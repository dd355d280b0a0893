"""The command line as a user runs it, and two sample maps as its arguments."""

import re
import subprocess
import sys

from helpers.trees import SAMPLES

LEFT = str(SAMPLES / "photosynthesis" / "base.json")
RIGHT = str(SAMPLES / "photosynthesis" / "structure_2.json")


def run_command(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """``python -m tted_core`` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tted_core", *arguments],
        input=stdin,
        cwd=SAMPLES.parent,
        capture_output=True,
        check=False,
        timeout=280,
    )


def refused(result: tuple[int, str, str], message: str) -> None:
    """Assert that a command refused its input: exit status 2 and one line of error with this message."""
    status, out, err = result
    assert (status, out) == (2, "")
    assert re.fullmatch(r"error: .*\n", err), err
    assert message in err
