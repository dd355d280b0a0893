"""The command line as a user runs it, and two sample maps as its arguments."""

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
