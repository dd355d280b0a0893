"""Pictures by vl-convert, each in a process of its own.

vl-convert is compiled and aborts the whole process on an input that it can't take, a control character in a name
for one; a server would go with all its visitors. So it is called by ``drawing_program.py`` alone, started anew for
each picture: half a second for a figure, a thirtieth of one for an SVG.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tted_core.errors import ToolError
from tted_core.extras import require
from tted_core.limits import MAX_DRAWING_SECONDS

PROGRAM = Path(__file__).with_name("drawing_program.py")

AT_ONCE = threading.BoundedSemaphore(max(1, (os.cpu_count() or 1) - 1))
"""Pictures drawn at one time for this process; others wait for one of these to end, or to be ended."""


def draw(function: str, source: str | Mapping[str, Any], **options: float) -> bytes:
    """What a function of vl-convert makes of an SVG or a Vega-Lite specification.

    Raises:
        MissingExtraError: the extra "figures" isn't installed.
        ToolError: it refuses the source, takes too long, or dies.
    """
    require("figures")
    request = json.dumps([function, source, options])
    command = [sys.executable, "-P", str(PROGRAM)]  # -P: its folder holds modules with names of others
    try:
        with AT_ONCE:
            done = subprocess.run(  # noqa: S603 - nothing of the request is in the command
                command, input=request.encode(), capture_output=True, check=True, timeout=MAX_DRAWING_SECONDS
            )
    except subprocess.TimeoutExpired as error:
        raise ToolError(
            f"the picture isn't drawn after {MAX_DRAWING_SECONDS} seconds; draw less in one picture, or save "
            "the table"
        ) from error
    except subprocess.CalledProcessError as error:
        raise ToolError(
            f"the picture can't be drawn ({_cause(error)}); save it in another format, or the table"
        ) from error
    except OSError as error:
        raise ToolError(
            f"the picture can't be drawn: the program {sys.executable} does not start ({error.strerror})"
        ) from error
    return bytes(done.stdout)


def _cause(error: subprocess.CalledProcessError) -> str:
    """What vl-convert says, in one short line; it says most in the line that names an error."""
    said = str(error.stderr, "utf-8", "replace")
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    named = [line for line in lines if "Error: " in line and "cdn" not in line]
    if error.returncode < 0 or not lines:
        return f"vl-convert ended with status {error.returncode}"
    return (named or lines)[-1][:200]
