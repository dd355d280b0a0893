"""WebSockets are opened only for the server's own pages, under its own names; tested with raw handshakes."""

import sys
from collections.abc import Iterator

import pytest
from helpers.outside import Outside
from helpers.paths import ROOT
from websockets.exceptions import InvalidStatus

from tools.server import healthy, served
from tools.session import Session

pytestmark = pytest.mark.thorough

ELSEWHERE = "https://elsewhere.example"


@pytest.fixture(scope="module")
def outside():
    return Outside()


@pytest.fixture(scope="module")
def address(outside) -> Iterator[str]:
    """The address of a server that one user has been to; it also answers as tted.example."""
    with served(ROOT, "--host", "tted.example", environment=outside.environment) as (address, _):
        with Session(address) as user:
            user.run(page="Method")
            assert not user.failures
        yield address


def refused(address, **headers):
    with pytest.raises(InvalidStatus, match="HTTP 403"):
        Session(address, **headers)
    return True


def test_the_servers_own_pages_are_served(address):
    for host in (address.removeprefix("http://"), "tted.example", "tted.example:8501"):
        with Session(address, host=host, origin=f"http://{host}") as user:
            user.run(page="Method")
            assert not user.failures


@pytest.mark.parametrize("host", ["elsewhere.example", "127.0.0.1.elsewhere.example", "tted.example.evil"])
def test_other_host_names_are_refused(address, host):
    """DNS rebinding: a page of another host and this server have the same origin to a browser."""
    assert refused(address, host=host, origin=f"http://{host}")
    assert refused(address, host=host)


def test_a_page_of_another_origin_is_refused_without_requests_to_other_machines(address, outside):
    before = outside.requests
    for _ in range(10):
        assert refused(address, origin=ELSEWHERE)
    assert refused(address, origin="null")
    assert healthy(address)
    assert outside.requests == before


def test_the_settings_name_this_machine_only():
    """Without options, as most users start it."""
    with served(ROOT) as (address, _):
        assert refused(address, host="elsewhere.example")
        port = address.rpartition(":")[2]
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
            Session(address, host=host, origin=f"http://{host}").__exit__()


def test_the_command_serves_others_only_under_names_that_it_is_given(monkeypatch, tted):
    given = []
    monkeypatch.setattr("ui.start.serve", lambda _page, settings: given.append(settings))
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
