"""Run functions in child processes, with limits on seconds and memory.

To read a text that someone uploaded, or to draw a picture, can take long, hold Python's lock for seconds, and take
gigabytes; vl-convert even aborts its process on input that it can't take. In a child process, none of this holds
up the threads of a server, and the work can be stopped at any time:

    call = partial(parse_map, content, name="reef.md")
    run_in_child(call, "reading the map", "split it into smaller maps", monitor=monitor)

A child is used again, since it takes half a second to start.
"""

import atexit
import faulthandler
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from tted_core.errors import LimitError, ToolError, TTEDError
from tted_core.foundations.monitor import UNWATCHED, Monitor

_Result = TypeVar("_Result")

MAX_CHILD_SECONDS = 60.0  # default limit on the seconds of one call

# Default limit on the memory of one call, enforced on Linux; the library itself takes another 100 MB.
MAX_CHILD_BYTES = 800_000_000

START_SECONDS = 60.0  # the longest time until a new child takes its first call; it isn't time of the call
_LOOK_SECONDS = 0.1  # seconds between two looks at the monitor

# Processor time after which a child ends, since its memory may be in pieces that it can't give back.
KEPT_SECONDS = 1.0

LATE_SECONDS = 5.0  # seconds after the limit until a child ends by itself, should its parent have been killed

# Seconds of waiting for a busy child before another is started, which takes as long: many short calls at the
# same time would else start a child each.
BUSY_SECONDS = 0.5

NICENESS = 5  # of a child's priority: threads of this process come first

_HOME = str(Path(__file__).resolve().parents[2])
_PROGRAM = f"""
import sys
if {_HOME!r} not in sys.path:
    sys.path.insert(0, {_HOME!r})
from tted_core.foundations.child import serve_calls
serve_calls()
"""

_idle: queue.LifoQueue[subprocess.Popen[bytes]] = queue.LifoQueue()
_busy: set[subprocess.Popen[bytes]] = set()


def run_in_child(
    call: Callable[[], _Result],
    task: str,
    way_out: str,
    *,
    seconds: float = MAX_CHILD_SECONDS,
    most_bytes: int = MAX_CHILD_BYTES,
    monitor: Monitor = UNWATCHED,
) -> _Result:
    """Return the result of a call that a child process makes; its exceptions are raised here.

    Args:
        call: a function of a module, or a ``partial`` of one; it and its result are pickled.
        task: a noun phrase for messages ("reading the map").
        way_out: the end of messages ("split it into smaller maps").
        seconds: its time limit.
        most_bytes: its memory limit.
        monitor: ends the child once it says so.

    Raises:
        LimitError: it takes more seconds or memory than allowed.
        ToolError: the child ended without a result, as a compiled library aborted it.
        Interrupted: the monitor stopped it.
    """
    request = pickle.dumps((pickle.dumps(call), seconds, most_bytes))
    child = _take_child()
    answer: Future[Any] = Future()
    begun = [time.monotonic() + START_SECONDS]
    threading.Thread(target=_exchange, args=(child, request, begun, answer), daemon=True).start()
    keep = False
    try:
        while not wait([answer], _LOOK_SECONDS).done and time.monotonic() < begun[-1] + seconds:
            monitor.check()
        result, error, used = answer.result(0)
        keep = used < KEPT_SECONDS and not isinstance(error, MemoryError)
    except TimeoutError as late:
        raise LimitError(f"{task} takes more than {seconds:g} seconds; {way_out}") from late
    except (EOFError, OSError, pickle.UnpicklingError) as died:
        raise ToolError(f"{task} failed (its process ended with status {child.wait()}); {way_out}") from died
    finally:
        _busy.discard(child)
        if keep:
            _idle.put(child)
        else:
            child.kill()
            child.wait()
            start_children(1)  # for the next call
    if isinstance(error, MemoryError):
        raise LimitError(f"{task} takes more than {most_bytes / 1e6:,.0f} MB of memory; {way_out}") from error
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]


def start_children(count: int) -> None:
    """Start children ahead of their first calls, as a server does; returns at once."""
    for _ in range(count):
        child = _start_child()
        _busy.add(child)
        threading.Thread(target=_make_ready, args=(child,), daemon=True).start()


def _make_ready(child: subprocess.Popen[bytes]) -> None:
    """Offer a new child once it has imported the library: one in use is often sooner free."""
    late = threading.Timer(START_SECONDS, child.kill)
    late.daemon = True
    late.start()
    _exchange(child, pickle.dumps((pickle.dumps(int), START_SECONDS, MAX_CHILD_BYTES)), [], Future())
    late.cancel()
    _busy.discard(child)
    if child.poll() is None:
        _idle.put(child)


def _take_child() -> subprocess.Popen[bytes]:
    child = None
    with suppress(queue.Empty):
        while child is None or child.poll() is not None:  # one that was ended from outside
            child = _idle.get(timeout=BUSY_SECONDS) if _busy else _idle.get_nowait()
    if child is None or child.poll() is not None:
        child = _start_child()
    _busy.add(child)
    return child


def _start_child() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - always the same program
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


@atexit.register
def _end_children() -> None:
    with suppress(queue.Empty):
        while True:
            child = _idle.get_nowait()
            child.kill()
            child.wait()


def _exchange(
    child: subprocess.Popen[bytes], request: bytes, begun: list[float], answer: Future[Any]
) -> None:
    """Have a child make a call: note when it begins, then its answer."""
    try:
        assert child.stdin
        assert child.stdout
        child.stdin.write(request)
        child.stdin.flush()
        pickle.load(child.stdout)  # noqa: S301 - written by ``serve_calls``, once it begins
        begun.append(time.monotonic())
        answer.set_result(pickle.load(child.stdout))  # noqa: S301 - written by ``serve_calls``
    except BaseException as error:  # noqa: BLE001 - raised where the answer is read
        answer.set_exception(error)


def serve_calls() -> None:
    """Make the calls that come on standard input and write their results, until it is closed."""
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # else what a library prints would mix with results
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    while True:
        try:
            call, seconds, most_bytes = pickle.load(sys.stdin.buffer)  # noqa: S301 - of ``run_in_child``
        except EOFError:
            return
        channel.write(pickle.dumps(None))
        channel.flush()
        channel.write(_answer(call, seconds, most_bytes))
        channel.flush()


def _answer(call: bytes, seconds: float, most_bytes: int) -> bytes:
    """The pickled result and exception, one of which is None, and the processor seconds."""
    start = time.process_time()
    # Ends the call if the parent was killed; by a thread of C, since compiled code may hold the lock.
    faulthandler.dump_traceback_later(seconds + LATE_SECONDS, exit=True)
    try:
        made = pickle.loads(call)  # noqa: S301 - of ``run_in_child``
        _limit_memory(most_bytes)
        return pickle.dumps((made(), None, time.process_time() - start))
    except Exception as error:  # noqa: BLE001 - raised in the parent
        if not isinstance(error, TTEDError):  # a bug, whose traceback is of use in a log
            error.add_note(traceback.format_exc())
        return pickle.dumps((None, error, time.process_time() - start))
    finally:
        faulthandler.cancel_dump_traceback_later()


def _limit_memory(most_bytes: int) -> None:
    """Limit what this process may take in addition to what it has."""
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
        limit = pages * resource.getpagesize() + most_bytes
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))
