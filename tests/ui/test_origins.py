"""WebSockets are opened only for the server's own pages, under its own names; tested with raw handshakes."""

import sys

import pytest
from websockets.exceptions import InvalidStatus

from tools.session import Session

pytestmark = pytest.mark.thorough


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
