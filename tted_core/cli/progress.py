"""Progress of long work on standard error: one line that changes on a terminal."""

import sys
import time

from tted_core.cli.shared import say
from tted_core.monitor import Monitor, share, with_rates

TERMINAL_SECONDS = 0.2
LOG_SECONDS = 30.0
"""Seconds between two lines of one stage of a batch."""


def terminal_monitor() -> Monitor:
    """Draws how far work is; where nobody watches, it would be noise and is left out."""

    def tell(stage: str, done: float, total: float) -> None:
        if _on_terminal():
            _draw(f"{stage} ... {share(done, total):.0%}", finished=done >= total)

    return Monitor(tell)


def batch_monitor() -> Monitor:
    """Draws how fast work is and the time left too; without a terminal it writes a line now and then."""
    terminal = _on_terminal()
    last = 0.0

    def tell(text: str, done: float, total: float) -> None:
        nonlocal last
        now = time.monotonic()
        if not done:
            last = now
            if not terminal:
                say(f"{text} ...", aside=True)
        elif done >= total or now - last >= (TERMINAL_SECONDS if terminal else LOG_SECONDS):
            last = now
            if terminal:
                _draw(text, finished=done >= total)
            else:
                say(text, aside=True)

    return Monitor(with_rates(tell))


def _on_terminal() -> bool:
    return bool(sys.stderr) and sys.stderr.isatty()


def _draw(line: str, *, finished: bool) -> None:
    sys.stderr.write("\x1b[2K")  # wipes the line before
    say(line, aside=True, end="\n" if finished else "\r")
