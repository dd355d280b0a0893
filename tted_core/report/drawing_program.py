"""The program that draws one picture, started by ``drawer.py``: a request on standard input, the picture out.

It imports nothing of this package, so that it runs wherever its file lies.
"""

import ctypes
import faulthandler
import json
import os
import signal
import sys

import vl_convert

PR_SET_PDEATHSIG = 1
"""Linux's request for a signal at the parent's end, from sys/prctl.h."""


def end_with(parent: int, seconds: float) -> None:
    """Have this process ended after so many seconds and, on Linux, as soon as its parent has ended.

    vl-convert holds the interpreter while it draws, so neither may need a thread of Python: a thread of C keeps
    the time, and the system sends the signal.
    """
    faulthandler.dump_traceback_later(seconds, exit=True)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it had ended before
            sys.exit(1)


def main() -> None:
    """Draw the input in the format and within the seconds that the arguments name."""
    end_with(int(sys.argv[1]), float(sys.argv[2]))
    function, source, options = json.load(sys.stdin.buffer)
    picture = getattr(vl_convert, function)(source, **options)
    sys.stdout.buffer.write(picture if isinstance(picture, bytes) else picture.encode())


if __name__ == "__main__":
    main()
