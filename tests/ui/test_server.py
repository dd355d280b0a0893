"""What the server settles once: garbage is collected beside the visitors' clicks, and nobody outside is asked."""

import gc
import queue
import runpy
import signal
import threading
import time
import tomllib
import urllib.request
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.paths import ROOT
from starlette.exceptions import HTTPException
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.testing.v1 import AppTest

from benchmarks.server import processes_of, served
from benchmarks.session import Session
from tted_core.foundations.limits import MAX_SESSION_BYTES
from ui import processes, server
from ui.page import PAGES
from ui.processes import encoding, workers


class Link:
    """Something that keeps itself alive."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def frozen():
    """The collector as it was, afterwards."""
    yield
    gc.unfreeze()


def test_no_click_waits_for_the_garbage():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert settings["runner"]["postScriptGC"] is False


class Over(Exception):  # noqa: N818 - the end of the loop
    pass


@pytest.mark.thorough
def test_garbage_is_collected_in_the_background(monkeypatch, frozen):
    """What has come since the last thorough look goes soon, what was there then at the next one."""
    links = [Link()]
    seen = [weakref.ref(links[0])]
    alive = []

    def pause(_seconds):
        if not alive:  # the first link is among what stays
            links.append(Link())
            seen.append(weakref.ref(links[1]))
            links.clear()
        alive.append([each() is not None for each in seen])
        if len(alive) == 3:
            raise Over

    monkeypatch.setattr(server, "THOROUGH", 2)
    monkeypatch.setattr(time, "sleep", pause)
    gc.disable()
    try:
        with pytest.raises(Over):
            server._collect(lambda: None)
    finally:
        gc.enable()
    assert alive == [[True, True], [True, False], [False, False]]


def test_a_page_in_a_test_settles_nothing(monkeypatch):
    settled = []
    monkeypatch.setattr(server, "_settle", lambda: settled.append(True))
    AppTest.from_file(str(ROOT / "pages" / "Method.py"), default_timeout=60).run()
    assert not settled
    assert "garbage" not in [thread.name for thread in threading.enumerate()]


def test_processes_start_before_anybody_waits_for_them(monkeypatch):
    asked, started = queue.SimpleQueue(), []
    monkeypatch.setattr(encoding, "encoder_process", lambda: SimpleNamespace(encoder=asked.put))
    monkeypatch.setattr(workers, "pool", lambda: SimpleNamespace(start=lambda: started.append(True)))
    processes.start_processes()
    assert (asked.get(timeout=60), started) == ("minilm", [True])


def test_the_command_starts_them_before_the_server(monkeypatch):
    begun = []
    monkeypatch.setattr(processes, "start_processes", lambda: begun.append("processes"))
    monkeypatch.setattr(runpy, "run_module", lambda name, **_how: begun.append(name))
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    runpy.run_path(str(ROOT / "ui" / "start.py"), run_name="__main__")
    assert begun == ["processes", "streamlit"]


def test_a_session_ends_when_its_visitor_can_no_longer_come_back_to_it():
    now, ended = [0.0], []
    storage = MemorySessionStorage()
    storage._cache._timer = lambda: now[0]
    manager = WebsocketSessionManager(storage, MemoryUploadedFileManager("/upload"), ScriptCache(), None)
    forget = server._forgetting(manager, lambda end: end())

    def leave(name, at):
        now[0] = at
        session = SimpleNamespace(id=name, shutdown=lambda: ended.append(name))
        storage.save(SessionInfo(client=None, session=session))

    leave("anna", 0.0)
    leave("bert", 60.0)
    forget()
    assert ended == []
    leave("cora", 121.0)
    assert ended == ["anna"]
    storage.delete("bert")  # who has come back
    now[0] = 1000.0
    forget()
    assert ended == ["anna", "cora"]
    assert storage.list() == []


def test_a_file_stays_until_whoever_pressed_its_button_has_fetched_it(monkeypatch):
    """Runs of other visitors' pages end meanwhile, after each of which Streamlit removes what no page shows."""
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    storage = MemoryMediaFileStorage("/media")
    manager = MediaFileManager(storage)
    manager._get_inactive_file_ids = server._lingering(manager)
    button = manager.add_deferred(lambda: "a,b", "text/csv", "1.2", "table.csv")

    def is_there(url):
        for _ in range(3):
            manager.remove_orphaned_files()
        return manager.read_file(Path(url).name) is not None

    url = manager.execute_deferred(button)
    assert is_there(url)
    now[0] = server.LINGERS_SECONDS - 1
    assert is_there(url)
    assert manager.execute_deferred(button) == url  # pressed once more
    assert is_there(url)
    now[0] = server.LINGERS_SECONDS + 1
    assert is_there(url)
    now[0] = 2 * server.LINGERS_SECONDS + 1
    assert not is_there(url)


@pytest.mark.thorough
def test_a_real_server_starts_its_processes_and_has_a_file_for_a_browser_that_asks_late(
    tmp_path, monkeypatch
):
    (tmp_path / "app.py").write_text(
        "import streamlit as st\n"
        "from ui import server\n"
        "server.settle_server()\n"
        "st.download_button('Save', lambda: 'a,b', file_name='table.csv', on_click='ignore')\n"
    )
    environment = {"PYTHONPATH": str(ROOT), "TTED_WORKERS": "1", "TTED_CACHE": str(tmp_path)}
    fetch = urllib.request.urlopen
    with (
        served(tmp_path, environment=environment) as (address, process),
        Session(address) as visitor,
        Session(address) as other,
    ):
        for each in (visitor, other):
            each.run()
        deadline = time.monotonic() + 60
        while len(processes_of(process)) < len(("server", "tracker", "encoder", "worker")):
            assert time.monotonic() < deadline  # nobody has compared anything
            time.sleep(0.1)

        def fetch_late(url, timeout):
            for _ in range(3):
                other.run()
            return fetch(url, timeout=timeout)

        monkeypatch.setattr(urllib.request, "urlopen", fetch_late)
        (button,) = visitor.shown("download_button")
        assert visitor.download(button.download_button) == b"a,b"


def test_a_visit_cannot_fill_the_servers_memory_with_files():
    manager = MemoryUploadedFileManager("/upload")
    add = server._bounded(manager)
    for number in range(4):
        add("anna", record(number, MAX_SESSION_BYTES // 4))
    with pytest.raises(HTTPException, match="413"):
        add("anna", record(4, 1))
    add("bert", record(0, 1))
    manager.remove_file("anna", "2")
    add("anna", record(4, 1))
    manager.remove_session_files("anna")
    add("anna", record(5, MAX_SESSION_BYTES))


def record(number, size):
    return UploadedFileRec(str(number), "a.json", "application/json", bytes(size))


@pytest.mark.thorough
def test_a_real_server_bounds_uploads(tmp_path):
    """The server's own manager is the one that is bounded."""
    kept = {"TTED_DECISIONS": str(tmp_path / "decisions.sqlite")}
    with served(ROOT, environment=kept) as (address, _), Session(address) as visitor:
        visitor.run(page="Method")
        answers = visitor.upload("the box", *[("a", bytes(9_900_000))] * 11)
        assert answers == [204] * 10 + [413]


@pytest.mark.thorough
@pytest.mark.timeout(90)
@pytest.mark.skipif(not hasattr(signal, "alarm"), reason="Windows has no alarm")
def test_a_server_that_something_holds_up_ends_all_the_same(tmp_path):
    """And what it started ends with it."""
    (tmp_path / "app.py").write_text(
        "import threading, time\n"
        "from ui import server\n"
        "server.END_SECONDS = 2\n"
        "server.settle_server()\n"
        "threading.Thread(target=time.sleep, args=(3600,), daemon=False).start()  # Python waits for it\n"
    )
    environment = {"PYTHONPATH": str(ROOT), "TTED_WORKERS": "1", "TTED_CACHE": str(tmp_path)}
    with served(tmp_path, environment=environment) as (address, process), Session(address) as visitor:
        visitor.run()
        started = processes_of(process)
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{each}/exe").exists() for each in started):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def opened(name: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if name != PAGES[0]:
        app.switch_page(f"pages/{name}.py")
    return app.run()
