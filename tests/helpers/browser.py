"""A real server and a real Chromium for the tests that need one; each process of the tests starts one of both.

On a machine without Chromium these tests are skipped with the reason; in CI a missing browser is a failure.
Nothing here waits for a number of seconds: ``settle`` follows the messages between a page and its server.
"""

import asyncio
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import pytest
from helpers.outside import Outside
from helpers.paths import ROOT
from playwright.sync_api import Browser, BrowserContext, Locator, Page, WebSocket, expect, sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tools.server import served

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
INSTALL_CHROMIUM = (
    "no Chromium on this machine, which the browser tests need; install it (Debian: apt-get install chromium "
    "fonts-dejavu-core)"
)
PATIENCE = 90_000  # in milliseconds: only so that a test which would wait for ever comes to an end
expect.set_options(timeout=PATIENCE)

# The ``pytestmark`` of a module of browser tests.
IN_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason=INSTALL_CHROMIUM),
]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server that the tests of this process share, with a cache and decisions of its own.

    It is called tted.example, too. The tests fail if it sends requests to other machines or logs a bug.
    """
    folder, outside = tmp_path_factory.mktemp("server"), Outside()
    kept = {"TTED_CACHE": str(folder), "TTED_DECISIONS": str(folder / "decisions.sqlite")}
    environment, log = {**outside.environment, **kept}, folder / "log"
    with served(ROOT, "--host", "tted.example", environment=environment, log=log) as (address, _):
        yield address
    assert outside.requests == 0
    assert "Traceback" not in log.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Chromium:
    """A browser, the event loop that drives it, and the context of all its pages that need none of their own."""

    browser: Browser
    loop: asyncio.AbstractEventLoop
    context: BrowserContext


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """The browser of this process of the tests.

    Playwright's event loop is the running one only while a test drives the browser: it would be in the way of
    the event loops of other tests. All pages share a context, and so what was downloaded, and a process that has
    compiled it; the context's first page stays open, so that this process does.
    """
    assert CHROMIUM, INSTALL_CHROMIUM
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-sync",
                "--renderer-process-limit=1",
            ],
        )
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        context.set_default_timeout(PATIENCE)
        context.new_page()
        asyncio._set_running_loop(None)
        yield Chromium(browser, loop, context)
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Browser]:
    asyncio._set_running_loop(chromium.loop)
    yield chromium.browser
    asyncio._set_running_loop(None)


@pytest.fixture
def page(browser: Browser, chromium: Chromium, server: str) -> Iterator[Page]:
    """A new page at 1440 x 900; the test fails if it made requests to other servers, or a script failed."""
    tab = opened_tab(chromium.context)
    outside: list[str] = []
    failures: list[str] = []
    tab.on("request", lambda request: _note_outside(request.url, server, outside))
    tab.on("pageerror", lambda error: failures.append(str(error)))
    yield tab
    if tab.url.startswith(server):
        tab.evaluate("localStorage.clear()")
    tab.close()
    chromium.context.clear_cookies()
    assert outside == []
    assert failures == [], failures


class _Conversation:
    """Messages between a page and its server; ``answered`` once the server is done with the last one."""

    def __init__(self, page: Page) -> None:
        self.socket: WebSocket | None = None
        self.answered = self._begun = False
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        self.socket = socket
        self.answered = self._begun = False
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes) and BackMsg.FromString(frame).HasField("rerun_script"):
            self.answered = self._begun = False

    def _received(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            message = ForwardMsg.FromString(frame)
            self._begun |= message.HasField("new_session")
            if self._begun and message.HasField("script_finished"):
                self.answered = message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def wait(self, page: Page) -> None:
        """Until the server has answered."""
        socket = self.socket
        if socket is None:
            socket = page.wait_for_event("websocket")
        if not self.answered:
            socket.wait_for_event("framereceived", lambda _: self.answered, timeout=PATIENCE)


_CONVERSATIONS: "WeakKeyDictionary[Page, _Conversation]" = WeakKeyDictionary()


def opened_tab(context: BrowserContext) -> Page:
    """A new page that ``settle`` knows."""
    tab = context.new_page()
    _CONVERSATIONS[tab] = _Conversation(tab)
    return tab


def drawn(page: Page) -> None:
    """Wait until what has happened so far is on screen, and what follows from it has been sent."""
    page.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
    )


def settle(page: Page) -> None:
    """Wait until the page's script has come to its end and all that it drew is on screen."""
    drawn(page)
    _CONVERSATIONS[page].wait(page)
    drawn(page)
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
    expect(page.locator("[data-stale=true], [data-testid=stSkeleton]")).to_have_count(0)


def opened_card(page: Page, side: str) -> Locator:
    """A map's card, opened if it is folded: it is open on its own as long as one of two maps alone is missing."""
    settle(page)
    card = page.locator(f".st-key-{side}-card")
    if not card.is_visible():  # while the example is shown
        page.get_by_role("button", name="Paste two maps").click()
        settle(page)
    if not card.locator("details[open]").count():
        card.locator("summary").click()
        settle(page)
    return card


def paste(page: Page, side: str, text: str) -> None:
    """Paste a map into its card."""
    card = opened_card(page, side)
    card.get_by_role("tab", name="Paste").click()
    box = card.get_by_label("Text of the map")
    box.fill(text)
    box.press("Control+Enter")


def still(page: Page) -> None:
    """Wait until nothing moves or fades on the page."""
    drawn(page)
    page.wait_for_function(
        "() => document.getAnimations().every(each => each.playState !== 'running'"
        " || each.effect.getComputedTiming().endTime === Infinity)"
    )


def graph_labels(page: Page) -> list[str]:
    """The texts of the boxes of the graph, each behind its glyph."""
    boxes = page.locator(".graph .node")
    expect(boxes.first).to_be_visible()
    settle(page)
    of_box = "['.card > .glyph', '.text'].map(part => box.querySelector(part).textContent).join(' ')"
    labels: list[str] = boxes.evaluate_all(f"all => all.map(box => {of_box})")
    return labels


def _note_outside(url: str, server: str, outside: list[str]) -> None:
    if not url.startswith((server, server.replace("http", "ws"), "data:", "blob:", "about:")):
        outside.append(url)
