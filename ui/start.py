"""The server of ``tted app``: Streamlit's, told before the first visitor what it should know."""

import logging
import os
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

END_SECONDS = 15.0
"""So long after it was told to end, the server ends at the latest, whatever its threads are at."""


class OwnPagesAlone:
    """Refuse a WebSocket to a page of another origin.

    Streamlit would refuse it too, but first ask an outside service for this machine's address, to see whether the
    page is its own: two seconds in which it answers nobody, each time.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Stand before the application."""
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
    # Threads of PyTorch that wait for others sleep: pages are drawn on these cores too.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    logging.disable()  # it warns that there is no visitor yet
    # Until a page list is known, Streamlit would take each file of pages/ for an application of its own.
    st.navigation([st.Page(page)])
    logging.disable(logging.NOTSET)
    st.App(page, middleware=[Middleware(OwnPagesAlone)], lifespan=_ends_in_time).run(config=settings)
