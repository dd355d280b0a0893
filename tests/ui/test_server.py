"""The server of tted app: its first user, and its end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from helpers.paths import ROOT
from websockets.exceptions import InvalidStatus

from tools.server import free_port, served, wait_for
from tools.session import Session
from ui.page import MENU

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def fresh() -> Iterator[str]:
    """The address of a server that nobody has visited, started as most users do."""
    with served(ROOT) as (address, _):
        yield address


def test_the_first_user_of_a_server_finds_the_menu_at_the_address_of_any_page(fresh):
    with Session(fresh) as user:
        user.run(page="Method")
        assert not user.failures
        assert "How the distance is computed" in [each.heading.body for each in user.shown("heading")]
        menu = [each.page_link.page for each in user.shown("page_link")]
        assert [name for entries in MENU.values() for name in entries if name != "Compare"] == menu[1:]


HELD_UP = """
import sys, threading, time
sys.argv = [{page!r}]
from ui import start
start.END_SECONDS = 2.0
threading.Thread(target=time.sleep, args=(3600,)).start()  # Python would wait for it
start.serve({page!r}, {{"server.port": {port}, "server.headless": True}})
"""


@pytest.mark.timeout(90)
def test_a_server_with_busy_threads_ends():
    port = free_port()
    program = HELD_UP.format(page=str(ROOT / "app.py"), port=port)
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=dict(os.environ)) as process:
        wait_for(f"http://127.0.0.1:{port}", process)
        process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 60
        while process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def test_a_server_answers_to_the_names_of_its_machine_only(fresh):
    with pytest.raises(InvalidStatus, match="HTTP 403"):
        Session(fresh, host="elsewhere.example")
    port = fresh.rpartition(":")[2]
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
        Session(fresh, host=host, origin=f"http://{host}").__exit__()


def test_the_uploads_of_a_session_are_bounded_and_deleted_once_nothing_names_them(fresh):
    large = ("reef.md", b"# Reef\n" + b" " * 9_900_000)
    with Session(fresh) as user, Session(fresh) as other:
        user.run()
        other.run()
        widget = user.widget("left-upload-0")
        assert user.upload(widget, *[large] * 12) == [204] * 10 + [413] * 2
        assert other.upload(other.widget("left-upload-0"), large) == [204]
        user.run()
        assert user.upload(widget, ("reef.md", b"# Reef")) == [204]
        user.run()
        assert user.upload(widget, *[large] * 11) == [204] * 10 + [413]
