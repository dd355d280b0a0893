"""A real server of tted app: its first user, its end, its uploads, and the origins that may connect."""

import json
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
from ui.page import FAULT, MENU

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
from ui import server
server.END_SECONDS = 2.0
threading.Thread(target=time.sleep, args=(3600,)).start()  # Python would wait for it
server.serve({page!r}, {{"server.port": {port}, "server.headless": True}})
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


def refused(address, **headers):
    with pytest.raises(InvalidStatus, match="HTTP 403"):
        Session(address, **headers)
    return True


def test_the_servers_own_pages_are_served(server):
    for host in (server.removeprefix("http://"), "tted.example", "tted.example:8501"):
        with Session(server, host=host, origin=f"http://{host}") as user:
            user.run(page="Method")
            assert not user.failures


@pytest.mark.parametrize("host", ["elsewhere.example", "127.0.0.1.elsewhere.example", "tted.example.evil"])
def test_other_host_names_are_refused(server, host):
    """DNS rebinding: a page of another host and this server have the same origin to a browser."""
    assert refused(server, host=host, origin=f"http://{host}")
    assert refused(server, host=host)


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
def test_a_page_of_another_origin_is_refused(server, origin):
    """Without requests to that origin, which the server's fixture asserts."""
    assert refused(server, origin=origin)


def test_the_command_serves_others_only_under_names_that_it_is_given(monkeypatch, tted):
    given = []
    monkeypatch.setattr("ui.server.serve", lambda _page, settings: given.append(settings))
    monkeypatch.setattr(sys, "argv", sys.argv)

    def hosts(*arguments):
        given.clear()
        status, _, error = tted("app", *arguments)
        assert (status, error) == (0, "")
        return given[0].get("server.allowedHosts", [])

    ours = ["localhost", "127.0.0.1", "::1"]
    assert hosts() == []  # those of config.toml
    assert hosts("--host", "tted.example", "--host", "t.example") == [*ours, "tted.example", "t.example"]
    assert hosts("--address", "192.0.2.7") == [*ours, "192.0.2.7"]
    with monkeypatch.context() as named:
        named.setenv("STREAMLIT_SERVER_ALLOWED_HOSTS", "tted.example")
        assert hosts("--address", "192.0.2.7") == []  # those of the variable
    status, _, error = tted("app", "--address", "0.0.0.0")
    assert status == 2
    assert "add --host NAME" in error


def test_an_upload_survives_a_quick_change_of_tabs(server):
    with Session(server) as user:
        user.run(page="Annotate")
        uploader = user.widget("check-upload-0")
        assert user.upload(uploader, ("map.txt", b"Root\n  leaf\n")) == [204]
        for tab in ("Decide", "Check maps"):
            user.set("annotate", string_value=tab)
            user.run()
        faults = [each.alert.body for each in user.shown("alert") if each.alert.body.startswith(FAULT[:20])]
        assert user.failures + faults == []
        assert any("Indented text · 2 nodes" in getattr(each, "label", "") for each in user.widgets())


def test_an_upload_survives_a_lost_connection(server):
    with Session(server) as user:
        user.run(page="Evaluate")
        files = (("map.txt", b"Root\n  one\n"), ("map.md", b"# Root\n## two\n"))
        assert user.upload(user.widget("evaluate-upload"), *files) == [204, 204]
        for _ in range(2):
            user.run()
            labels = [getattr(each, "label", "") for each in user.widgets()]
            assert [user.failures, "Compare 1 pair" in labels] == [[], True]
            user.reconnect()


def signature(session: Session) -> str:
    return next(each.code.code_text for each in session.shown("code"))


def test_a_click_during_a_run_of_the_page_gets_the_new_result(server):
    """The explanation is in a fragment, which a click alone would run again with the old comparison."""
    with Session(server) as user:
        user.run()
        user.set("more", string_value="Download and cite")
        user.run(of="more")
        before = signature(user)
        user.set("order-0", string_value="ordered")
        user.send(of="order-0")
        user.set("outline", json_value=json.dumps({"picked": [2, None, "script", "outline", 1]}))
        user.send(of="outline")
        user.receive()
        while not any("Each polyp builds a hard cup" in each.html.body for each in user.shown("html")):
            user.receive()  # a busy server joins both requests to one run
        assert not user.failures
        assert signature(user) == before.replace("constrained", "ordered")
