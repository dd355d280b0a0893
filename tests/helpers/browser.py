"""A real server and a real Chromium for the tests that need one; started once for all of them.

On a machine without Chromium these tests are skipped with the reason; in CI a missing browser is a failure.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from helpers.paths import ROOT
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 90_000
expect.set_options(timeout=PATIENCE)

IN_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium on this machine"),
]
"""What such a module's ``pytestmark`` is."""


@contextmanager
def server_process() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A fresh server of the application: its address and its process."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with subprocess.Popen(
        [*command, "--server.headless", "true"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for(address, process)
            yield address, process
        finally:
            process.terminate()


@contextmanager
def running_server() -> Iterator[str]:
    """The address of a fresh server of the application."""
    with server_process() as (address, _):
        yield address


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(address: str, process: subprocess.Popen[Any]) -> None:
    """Until the server answers; fails if it ends."""
    for _ in range(300):
        assert process.poll() is None, "the server ended"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail("the server did not answer within a minute")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server that the browser tests share, with a cache of embeddings of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TTED_CACHE", str(tmp_path_factory.mktemp("server-embeddings")))
        with running_server() as address:
            yield address


@pytest.fixture(scope="module")  # Playwright leaves an event loop running, which is in other tests' way
def browser() -> Iterator[Browser]:
    assert CHROMIUM, "CI needs Chromium; install it in .ci/run"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """A new page at 1440 x 900; the test fails if it asked for anything outside its server, or a script failed."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    tab = context.new_page()
    outside: list[str] = []
    failures: list[str] = []
    tab.on("request", lambda request: _note_outside(request.url, server, outside))
    tab.on("pageerror", lambda error: failures.append(str(error)))
    yield tab
    context.close()
    assert outside == []
    assert failures == []


def settle(page: Page) -> None:
    """Wait until the page's script has come to its end and all that it drew is on screen."""
    page.wait_for_timeout(250)  # until the server has heard of the last click
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
    expect(page.locator("[data-stale=true], [data-testid=stSkeleton]")).to_have_count(0)


def _note_outside(url: str, server: str, outside: list[str]) -> None:
    if not url.startswith((server, server.replace("http", "ws"), "data:", "blob:", "about:")):
        outside.append(url)
