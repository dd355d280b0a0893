"""The server of ``tted app``: Streamlit's, prepared before the first user, with middleware of our own.

Streamlit keeps what is uploaded until the session ends, even if no widget names it any more. ``Uploads`` limits
the bytes that are held for each session and in total: it counts uploads, refuses those above the limits, and
deletes files that aren't needed, by the request with which a browser deletes one.
"""

import asyncio
import logging
import os
import re
import sys
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.typing import UploadedFile

from ui.executor import User

MAX_SESSION_BYTES = 100_000_000  # bytes of the uploaded files of one session
MAX_UPLOADED_BYTES = 1_000_000_000  # bytes of the uploaded files of all sessions

# A file that no session has named after this time isn't needed: a browser names it after the last upload.
WAITING_SECONDS = 300.0

GONE_SECONDS = 150.0  # seconds after a lost connection until Streamlit has ended the session

# Time after which a thread that computes lets another have Python's lock, a fifth of Python's own.
# Fifty users who click at once start fifty threads; each start would wait for the page that is being drawn.
SWITCH_SECONDS = 0.001

END_SECONDS = 15.0  # the longest time until the server ends after a signal, even if threads are still at work

_UPLOAD = re.compile(r".*/_stcore/upload_file/([^/]+)/([^/]+)")


@dataclass
class _Upload:
    """An uploaded file: its size with the request's framing, when it came, and that request."""

    size: int
    begun: float
    request: Scope
    was_named: bool = False


class Uploads:
    """The middleware, and the files that are there now. The event loop calls all methods but ``name_files``."""

    def __init__(self) -> None:
        self._app: ASGIApp
        self._loop: asyncio.AbstractEventLoop | None = None
        self._files: dict[tuple[str, str], _Upload] = {}  # by session and id
        self._named: WeakKeyDictionary[User, frozenset[str]] = WeakKeyDictionary()

    def around(self, app: ASGIApp) -> Self:
        """Wrap the application."""
        self._app = app
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or open a WebSocket."""
        found = _UPLOAD.fullmatch(scope.get("path", ""))
        method = scope.get("method")
        if found and method == "PUT":
            await self._put((found[1], found[2]), scope, receive, send)
            return
        await self._app(scope, receive, send)
        if found and method == "DELETE":
            self._files.pop((found[1], found[2]), None)

    async def _put(self, file: tuple[str, str], scope: Scope, receive: Receive, send: Send) -> None:
        self._loop = asyncio.get_running_loop()
        given = Headers(scope=scope).get("content-length", "")
        size = int(given) if given.isdecimal() else MAX_UPLOADED_BYTES
        await self._delete_unneeded()
        own = sum(each.size for key, each in self._files.items() if key[0] == file[0])
        total = sum(each.size for each in self._files.values())
        # No browser uploads a file again; what it replaced would still be there until it ends.
        if own + size > MAX_SESSION_BYTES or total + size > MAX_UPLOADED_BYTES or file in self._files:
            while (await receive()).get("more_body"):  # else the sender sees a broken connection, no answer
                pass
            message = "there is no room for this file; remove other files from the page, or try again later"
            await PlainTextResponse(message, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)(scope, receive, send)
            return
        upload = self._files[file] = _Upload(size, time.monotonic(), dict(scope))
        status = 500

        async def send_on(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        finally:
            self._files.pop(file, None)
            if status < HTTPStatus.MULTIPLE_CHOICES:
                self._files[file] = upload  # even if a request to delete it came meanwhile

    def name_files(self, user: User) -> None:
        """Note the files that this session's state holds, alone or in lists; delete those that it held before."""
        if self._loop is None:  # nothing was uploaded
            return
        values = st.session_state.to_dict().values()
        found = (each for value in values for each in (value if isinstance(value, list) else [value]))
        ids = frozenset(each.file_id for each in found if isinstance(each, UploadedFile))
        if ids or user in self._named:
            asyncio.run_coroutine_threadsafe(self._name(user, ids), self._loop)

    async def _name(self, user: User, ids: frozenset[str]) -> None:
        self._named[user] = ids
        for (_, file), upload in self._files.items():
            upload.was_named |= file in ids
        await self._delete_unneeded()

    async def _delete_unneeded(self) -> None:
        """Delete the files that no session names, as a browser does."""
        now = time.monotonic()
        needed = {file for user, ids in self._named.items() if now - user.left < GONE_SECONDS for file in ids}
        for key, upload in tuple(self._files.items()):
            is_late = upload.was_named or now - upload.begun > WAITING_SECONDS
            if key[1] not in needed and is_late and self._files.pop(key, None) is not None:
                await self._app({**upload.request, "method": "DELETE"}, _no_body, _ignore)


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _ignore(_answer: Message) -> None:
    pass


UPLOADS = Uploads()  # the uploaded files of this server


@dataclass
class OwnOriginOnly:
    """Refuse a WebSocket to a page of another origin.

    Streamlit would refuse it too, but first request this machine's address from an outside service, which blocks
    the server for two seconds each time.
    """

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or open a WebSocket."""
        headers = Headers(scope=scope) if scope["type"] == "websocket" else {}
        origin = headers.get("origin")
        if origin is None or urlsplit(origin).netloc == headers.get("host"):
            await self.app(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})


@asynccontextmanager
async def _ends_in_time(_app: st.App) -> AsyncIterator[None]:
    yield
    end = threading.Timer(END_SECONDS, os._exit, (1,))
    end.daemon = True
    end.start()


def serve(page: Path, settings: Mapping[str, Any]) -> None:
    """Serve the pages until stopped.

    Args:
        page: ``app.py``.
        settings: Streamlit's, besides those of .streamlit/config.toml.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    logging.disable()  # it warns that there is no session yet
    # Without a list of pages, Streamlit would serve each file of pages/ as an application of its own.
    st.navigation([st.Page(page)])
    logging.disable(logging.NOTSET)
    middleware = [Middleware(OwnOriginOnly), Middleware(UPLOADS.around)]
    st.App(page, middleware=middleware, lifespan=_ends_in_time).run(config=settings)
