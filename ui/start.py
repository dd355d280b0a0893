"""The server of ``tted app``: Streamlit's, prepared before the first user."""

import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Receive, Scope, Send

from ui.uploads import UPLOADS

SWITCH_SECONDS = 0.001
"""Time after which a thread that computes lets another have Python's lock, a fifth of Python's own.

Fifty users who click at once start fifty threads; each start would wait for the page that is being drawn.
"""

END_SECONDS = 15.0
"""The longest time until the server ends after a signal, even if threads are still at work."""


class OwnOriginOnly:
    """Refuse a WebSocket to a page of another origin.

    Streamlit would refuse it too, but first request this machine's address from an outside service, which blocks
    the server for two seconds each time.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or open a WebSocket."""
        headers = Headers(scope=scope) if scope["type"] == "websocket" else {}
        origin = headers.get("origin")
        if origin is None or urlsplit(origin).netloc == headers.get("host"):
            await self._app(scope, receive, send)
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
