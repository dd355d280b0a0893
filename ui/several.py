"""Several servers behind one address: ``tted app --processes N``.

A server is one interpreter, in which all clicks wait for each other. nginx leads each browser to one of them, by a
cookie and always to the same one, since what a visitor has on screen lives there. This process carries out the
tasks of all (``ui/processes/backend.py``), and starts a server again that has ended.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from string import Template

from tted_core.cli.app import EVERYWHERE, LISTENS_AT
from tted_core.cli.shared import fail
from ui.processes import start_processes
from ui.processes.backend import Backend

LOOK_SECONDS = 0.2
START_SECONDS = 120.0
PAUSE_SECONDS = 2.0
"""Before a server that ended is started again: one that can't start would be tried over and over."""

END_SECONDS = 20.0
"""So long servers may take to end."""

COOKIE_SECRET = "STREAMLIT_SERVER_COOKIE_SECRET"  # noqa: S105 - the name of the variable

KINDS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""What nginx has folders for, which would lie where only its package's owner may write."""

CONFIGURATION = Template("""
daemon off;
pid $folder/pid;
error_log stderr;
events { worker_connections 4096; }
http {
    access_log off;
    $folders
    map $$http_upgrade $$connection_upgrade { default upgrade; "" close; }
    # A frame in a page elsewhere, or a program, may have no cookies.
    map $$cookie_tted_server $$led_by { default $$cookie_tted_server; "" $$remote_addr$$http_user_agent; }
    map $$cookie_tted_server $$kept { default $$cookie_tted_server; "" $$request_id; }
    upstream servers {
        hash $$led_by consistent;
        $servers
    }
    server {
        listen $address;
        client_max_body_size 0;  # the servers have their own limits
        # A visitor's files are at their own server only; while it is started again, they try again.
        proxy_next_upstream off;
        location / {
            proxy_pass http://servers;
            proxy_http_version 1.1;
            proxy_set_header Host $$http_host;
            proxy_set_header Upgrade $$http_upgrade;
            proxy_set_header Connection $$connection_upgrade;
            proxy_read_timeout 1h;
            proxy_buffering off;
            proxy_request_buffering off;
            add_header Set-Cookie "tted_server=$$kept; Path=/; HttpOnly; SameSite=Lax";
        }
    }
}
""")

TIED = """
import ctypes, os, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 15)  # PR_SET_PDEATHSIG: SIGTERM when the parent has ended, however it did
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Becomes the program that its arguments name, tied to its parent."""


def serve(count: int, address: str, port: int, *, opens_browser: bool, command: Sequence[str]) -> None:
    """Serve until stopped.

    Args:
        count: how many servers.
        address: where nginx listens.
        port: likewise.
        opens_browser: whether to open the page.
        command: Streamlit's, without a port, of one server.
    """
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        fail(
            "--processes needs nginx, which leads each visitor to one of the servers; install it (apt install "
            "nginx, brew install nginx), or leave --processes out"
        )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    backend = Backend()
    start_processes()
    # One secret of cookies, unless there is one: a visitor may be led to another server once theirs has ended.
    environment = {
        COOKIE_SECRET: secrets.token_hex(),
        **os.environ,
        **backend.environment,
        LISTENS_AT: address,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    ports = free_ports(count)
    commands = [[*command, f"--server.port={each}"] for each in ports]
    with tempfile.TemporaryDirectory() as folder, ended_with_us() as started, suppress(KeyboardInterrupt):
        for each in commands:
            started.append(start(each, environment))
        until = time.monotonic() + START_SECONDS
        while not all(map(answers, ports)):
            if any(each.poll() is not None for each in started):
                fail("a server ended before it could be reached; its reason stands above")
            if time.monotonic() > until:
                fail(f"the servers can't be reached {START_SECONDS:g} seconds after they were started")
            time.sleep(LOOK_SECONDS)
        configuration = Path(folder, "nginx.conf")
        configuration.write_text(configured(folder, address, port, ports), encoding="utf-8")
        front = [nginx, "-p", folder, "-e", "stderr", "-c", str(configuration)]
        started.append(start(front, dict(os.environ)))  # without the key of the back end
        url = f"http://{at('localhost' if address in EVERYWHERE else address, port)}"
        sys.stdout.write(f"\n  {count} servers answer at {url}\n\n")
        sys.stdout.flush()
        if opens_browser:
            webbrowser.open(url)
        keep_running(started, commands, environment)
        fail(f"nginx ended (status {started[-1].returncode}); its reason stands above")


def keep_running(
    started: list[subprocess.Popen[bytes]], commands: Sequence[Sequence[str]], environment: dict[str, str]
) -> None:
    """Start again each server that ends, until nginx, the last of ``started``, has ended."""
    while started[-1].poll() is None:
        for number, command in enumerate(commands):
            if started[number].poll() is not None:
                status = started[number].returncode
                sys.stderr.write(f"a server ended (status {status}); starting it again\n")
                time.sleep(PAUSE_SECONDS)
                started[number] = start(command, environment)
        time.sleep(LOOK_SECONDS)


def at(address: str, port: int) -> str:
    """The address and the port as a URL has them."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def configured(folder: str, address: str, port: int, ports: Sequence[int]) -> str:
    """The configuration of nginx."""
    return CONFIGURATION.substitute(
        folder=folder,
        folders=" ".join(f"{kind}_temp_path {folder}/{kind};" for kind in KINDS),
        servers=" ".join(f"server 127.0.0.1:{each} max_fails=0;" for each in ports),
        address=at(address, port),
    )


def free_ports(count: int) -> list[int]:
    """Ports of this machine that nobody listens at."""
    with ExitStack() as taken:
        probes = [taken.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]


def start(command: Sequence[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """Start a program that ends with this one, on Linux even if this one is killed.

    Ctrl+C in a terminal is meant for this one alone.
    """
    return subprocess.Popen(  # noqa: S603 - ours
        [sys.executable, "-c", TIED, *command],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,  # each would tell its own address
        start_new_session=True,
    )


def answers(port: int) -> bool:
    """Whether the server listens."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


@contextmanager
def ended_with_us() -> Iterator[list[subprocess.Popen[bytes]]]:
    """A list whose processes are ended in the end."""
    started: list[subprocess.Popen[bytes]] = []
    try:
        yield started
    finally:
        for each in started:
            each.terminate()
        until = time.monotonic() + END_SECONDS
        for each in started:
            try:
                each.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                each.kill()


if __name__ == "__main__":
    _, count, address, port, opens, *command = sys.argv
    serve(int(count), address, int(port), opens_browser=opens == "open", command=command)
