"""What the server settles once, when its first visitor comes: garbage, its address, how much it keeps, its end.

Streamlit collects garbage after every run of a page (``runner.postScriptGC``, which config.toml switches off).
With the models loaded that looks at 600,000 objects and holds all visitors up for 0.3 s at every click. Here a
thread does it: often for what is young, seldom for what was there before.
"""

import gc
import logging
import signal
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st
from starlette.exceptions import HTTPException
from streamlit import net_util
from streamlit.runtime import Runtime, get_instance
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from tted_core.foundations.limits import MAX_SESSION_BYTES
from ui.processes import start_processes
from ui.processes.inside import give_back_memory

PAUSE_SECONDS = 10.0
"""Between two collections of what has come since the last thorough one: a few thousandths of a second each."""

THOROUGH = 60
"""Every so many of them, all objects are looked at: 0.3 s in ten minutes."""

END_SECONDS = 15
"""So long after it was told to end, the server is ended by the system at the latest."""

LINGERS_SECONDS = 60.0
"""So long a file stays that no page shows any more: whoever pressed a button for it is yet to fetch it."""

LEFT = 'Cannot call "send" once a close message'
"""So begins what Starlette says to Streamlit of it."""


def settle_server() -> None:
    """Do it at the first call in a server; a test has none.

    Until ``app.py`` has run once, Streamlit runs the file of pages/ that an address names by itself, without the
    menu. Its first visitor's run begins again, with ``app.py``.
    """
    if type(get_instance()) is Runtime:
        _settle()
        if PagesManager.uses_pages_directory:
            PagesManager.uses_pages_directory = False
            st.rerun()


def freeze() -> None:
    """Look at all objects once, and take those that stay for lasting until the next time."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@st.cache_resource(show_spinner=False)
def _settle() -> None:
    # A page elsewhere that opens a WebSocket here makes Streamlit ask an outside service for this machine's
    # address, to see whether the page is its own: two seconds in which it answers nobody, each time.
    net_util._external_ip = "127.0.0.1"  # noqa: SLF001 - it has no option; tests/ui/test_origins.py tells if it moves
    manager = get_instance().uploaded_file_mgr
    setattr(manager, "add_file", _bounded(manager))  # noqa: B010 - which manager it is, its type doesn't say
    media: Any = get_instance().media_file_mgr
    media._get_inactive_file_ids = _lingering(media)  # noqa: SLF001
    logging.getLogger("uvicorn.error").addFilter(_is_a_fault)
    main_thread: Any = get_instance()._get_async_objs().eventloop  # noqa: SLF001
    main_thread.call_soon_threadsafe(_end_in_time)
    forget = _forgetting(get_instance()._session_mgr, main_thread.call_soon_threadsafe)  # noqa: SLF001
    threading.Thread(target=_collect, args=(forget,), name="garbage", daemon=True).start()
    threading.Thread(target=start_processes, daemon=True).start()  # while the page is imported


def _end_in_time() -> None:
    """Bound how long the server takes to end.

    It waits for whatever its threads are at, and one that compiles when Python ends can keep a lock that the end
    waits for. Windows has no alarm.
    """
    if not hasattr(signal, "alarm"):
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        end = signal.getsignal(number)

        def end_in_time(number: int, frame: Any, end: Any = end) -> None:
            signal.alarm(END_SECONDS)  # nobody handles it, so that the system does, whatever Python is at
            end(number, frame)

        signal.signal(number, end_in_time)


def _is_a_fault(record: logging.LogRecord) -> bool:
    """Whether it tells of more than a visitor who left while a page was being sent, at which Streamlit raises."""
    return not (record.exc_info and str(record.exc_info[1]).startswith(LEFT))


def _bounded(manager: Any) -> Callable[[str, UploadedFileRec], None]:
    """The manager's ``add_file``, which keeps no more of a session than ``MAX_SESSION_BYTES``."""
    add = manager.add_file

    def add_file(session_id: str, file: UploadedFileRec) -> None:
        held = sum(len(each.data) for each in list(manager.file_storage.get(session_id, {}).values()))
        if held + len(file.data) > MAX_SESSION_BYTES:
            raise HTTPException(413, "This visit has uploaded too much; remove files, or reload the page.")
        add(session_id, file)

    return add_file


def _lingering(manager: Any) -> Callable[[], set[str]]:
    """The manager's ``_get_inactive_file_ids``, without the files that somebody may be about to fetch.

    Streamlit makes a file when its button is pressed, and lists it with no page: at the end of the second run of
    anybody's page it is gone. With many visitors that is before the browser has asked for it: 404.
    """
    unused = manager._get_inactive_file_ids  # noqa: SLF001 - tests/ui/test_server.py tells if it moves
    since: WeakKeyDictionary[Any, float] = WeakKeyDictionary()

    def long_unused() -> set[str]:
        now, made = time.monotonic(), manager._file_metadata  # noqa: SLF001 - anew each time that a file is made
        return {each for each in unused() if now - since.setdefault(made[each], now) >= LINGERS_SECONDS}

    return long_unused


def _forgetting(manager: Any, soon: Callable[[Callable[[], None]], object]) -> Callable[[], None]:
    """What forgets the sessions whose visitors left two minutes ago; from now on those that are forgotten end.

    Streamlit forgets them when another visitor leaves, and has the collector of garbage end them. That can find a
    session's event loop before the session, which then fails to close it: a line in the log.
    """
    kept = manager._session_storage._cache  # noqa: SLF001 - tests/ui/test_server.py tells if it moves
    expire = kept.expire

    def expire_and_end(at: float | None = None) -> list[tuple[str, Any]]:
        gone: list[tuple[str, Any]] = expire(at)
        for _, each in gone:
            soon(each.session.shutdown)
        return gone

    def forget() -> None:
        with manager._storage_lock:  # noqa: SLF001
            kept.expire()

    kept.expire = expire_and_end
    return forget


def _collect(forget: Callable[[], None]) -> None:
    while True:
        freeze()
        for _ in range(THOROUGH):
            time.sleep(PAUSE_SECONDS)
            forget()
            gc.collect()
            give_back_memory()
