"""Work that is to end soon, on any machine."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

# Of processor time: at least ten times what such work needs, and far below what it takes if it grows too fast.
SECONDS = 20


@contextmanager
def not_hanging() -> Iterator[None]:
    """Fail if what is done inside takes far too much processor time, however busy the machine is.

    Where there is no such clock (Windows), the timeout of all tests does it later.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(*_: object) -> None:
        pytest.fail(f"not done after {SECONDS} s of processor time")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def until(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds; fail after a minute."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)
