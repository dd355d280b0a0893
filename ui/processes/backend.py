"""One set of processes for several servers (``ui/several.py``): each sends its tasks here, and waits for results.

So turns, models, and what several visitors ask for are those of all servers together. Work and results go through
as bytes: this process needs nothing of what pages import.
"""

import os
import secrets
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Client, Connection, Listener, answer_challenge, deliver_challenge
from multiprocessing.context import AuthenticationError
from multiprocessing.reduction import ForkingPickler
from typing import Any, TypeVar

from tted_core.errors import ToolError, TTEDError
from tted_core.foundations.monitor import Monitor, share
from ui.processes.tasks import Caller, Task, any_result, carry_out

Result = TypeVar("Result")

ADDRESS, KEY = "TTED_BACKEND", "TTED_BACKEND_KEY"
"""Variables that tell a server where its tasks go, and that it may send them."""

LOOK_SECONDS = 0.1
"""So often a server looks whether its visitor still wants the result."""

MOST_AT_ONCE = 128
"""Servers' calls that wait to be taken, for a moment."""


def is_elsewhere() -> bool:
    """Whether this is one of several servers, whose tasks are carried out by another process."""
    return ADDRESS in os.environ


# In a server.


def ask(task: Task[Result], caller: Caller) -> Result:
    """What the work returns, carried out there; as ``carry_out``.

    Raises:
        TTEDError: as there; ``ToolError`` if that process has ended.
    """
    try:
        with Client(os.environ[ADDRESS], authkey=bytes.fromhex(os.environ[KEY])) as there:
            there.send(_packed(task))
            content, error = _answer(there, caller)
    except (OSError, EOFError, AuthenticationError) as lost:
        raise ToolError(
            "the process that works for all servers can't be reached; try again, or ask the server's administrator"
        ) from lost
    if error is not None:
        raise error
    result: Result = ForkingPickler.loads(content)
    return result


def _answer(there: Connection, caller: Caller) -> tuple[bytes, BaseException | None]:
    """Pass on what is said on either side until there is a result, or an error in place of one."""
    said: set[str] = set()
    while True:
        for word, holds in (("stop", caller.monitor.stopped), ("unwanted", caller.is_unwanted())):
            if holds and word not in said:
                said.add(word)
                there.send(word)
        if not there.poll(LOOK_SECONDS):
            continue
        kind, *content = there.recv()
        if kind == "told":
            caller.monitor.stage(*content)
        elif kind == "begun":
            caller.begin()
        elif kind == "raised":
            error, led_to_it = content
            if led_to_it:
                error.add_note(led_to_it)
            return b"", error
        else:
            return content[0], None


@dataclass(frozen=True)
class _Packed:
    """A result as bytes, and whether it will do for other visitors."""

    content: bytes
    will_do: bool


def _packed(task: Task[Any]) -> Task[_Packed]:
    """The same task, whose work and result travel as bytes."""
    key, will_do = task.shared or (None, any_result)
    work = partial(_unpacked, _bytes((task.work, will_do)))
    return replace(task, work=work, shared=None if task.shared is None else (key, _will_do))


def _bytes(content: object) -> bytes:
    return bytes(ForkingPickler.dumps(content))


def _will_do(result: _Packed) -> bool:
    return result.will_do


# In a worker process.


def _unpacked(content: bytes, monitor: Monitor) -> _Packed:
    """Do the work."""
    work, will_do = ForkingPickler.loads(content)
    result = work(monitor)
    return _Packed(_bytes(result), will_do(result))


# In the process that starts the servers.


class Backend:
    """Where the tasks of all servers are carried out, as long as this process lives."""

    def __init__(self) -> None:
        """Listen to them, each task in a thread."""
        self._key = secrets.token_bytes(32)
        self._listener = Listener(backlog=MOST_AT_ONCE)
        self.environment = {ADDRESS: str(self._listener.address), KEY: self._key.hex()}
        """What a server must be started with."""
        threading.Thread(target=self._listen, name="backend", daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                server = self._listener.accept()
                threading.Thread(target=_carried_out, args=(server, self._key), daemon=True).start()
            except (OSError, RuntimeError):  # no file or thread more can be had; who called is told
                server = None
                time.sleep(LOOK_SECONDS)


def _carried_out(server: Connection, key: bytes) -> None:
    """Carry out the task that comes, and answer with its result."""
    said: set[str] = set()
    caller = Caller(
        Monitor(lambda stage, *at: _say(server, "told", stage, share(*at)), lambda: "stop" in said),
        partial(_say, server, "begun"),
        lambda: "unwanted" in said,
    )
    # It has ended, and nobody waits for the result; or it is none of the servers.
    with suppress(OSError, EOFError, AuthenticationError):
        deliver_challenge(server, key)
        answer_challenge(server, key)
        task: Task[_Packed] = server.recv()
        threading.Thread(target=_listen_to, args=(server, said), daemon=True).start()
        try:
            answer: tuple[Any, ...] = ("result", carry_out(task, caller).content)
        except BaseException as error:  # noqa: BLE001 - raised again where it was asked
            answer = ("raised", *_sendable(error))
        server.send(answer)


def _sendable(error: BaseException) -> tuple[BaseException, str]:
    """The error, or its text if it can't be sent, and what led to it if it is a fault, which isn't sent by itself.

    The error itself is left as it is: it may be that of all who wait for a shared result.
    """
    led_to_it = "" if isinstance(error, TTEDError) else "".join(traceback.format_exception(error))
    try:
        ForkingPickler.loads(_bytes(error))
    except Exception:  # noqa: BLE001 - whatever it is made of says so in its own way
        return ToolError(f"{type(error).__name__}: {error}"), led_to_it
    return error, led_to_it


def _say(server: Connection, *message: object) -> None:
    with suppress(OSError):  # it has ended, as ``_listen_to`` hears
        server.send(message)


def _listen_to(server: Connection, said: set[str]) -> None:
    """Take in what the server says of the task, until it has its answer, or has ended."""
    with server:
        try:
            while True:
                said.add(server.recv())
        except (OSError, EOFError):
            said.update(("stop", "unwanted"))
