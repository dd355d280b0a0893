"""What the server settles once, when its first visitor comes: garbage, and its own address.

Streamlit collects garbage after every run of a page (``runner.postScriptGC``, which config.toml switches off).
With the models loaded that looks at 600,000 objects and holds all visitors up for 0.3 s at every click. Here a
thread does it: often for what is young, seldom for what was there before.
"""

import gc
import threading
import time

import streamlit as st
from streamlit import net_util
from streamlit.runtime import Runtime, get_instance

PAUSE_SECONDS = 10.0
"""Between two collections of what has come since the last thorough one: a few thousandths of a second each."""

THOROUGH = 60
"""Every so many of them, all objects are looked at: 0.3 s in ten minutes."""


def settle_server() -> None:
    """Do it at the first call in a server; a test has none."""
    if type(get_instance()) is Runtime:
        _settle()


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
    threading.Thread(target=_collect, name="garbage", daemon=True).start()


def _collect() -> None:
    while True:
        freeze()
        for _ in range(THOROUGH):
            time.sleep(PAUSE_SECONDS)
            gc.collect()
