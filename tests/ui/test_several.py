"""Several servers behind one address: their tasks go to one process, and a visitor stays with one server."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import urllib.request
from functools import partial
from multiprocessing.connection import Client
from pathlib import Path

import pytest
from helpers.browser import free_port
from helpers.paths import ROOT
from helpers.works import deaf, fails, process_id, runs, started, until_stopped, wait_until
from streamlit import config

from benchmarks.server import healthy, outline, processes_of, served
from benchmarks.session import Session
from tted_core.cli.app import LISTENS_AT
from tted_core.errors import Interrupted, MapFormatError, ToolError
from ui.processes import workers
from ui.processes.backend import ADDRESS, KEY, Backend, _packed, _sendable
from ui.processes.tasks import Task, any_result
from ui.running.job import Job, Visitor
from ui.server import serves_beyond

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
needs_nginx = pytest.mark.skipif(
    NGINX is None or sys.platform != "linux",
    reason="no nginx on this machine, or processes can't be looked at",
)


@pytest.fixture(scope="module")
def backend():
    return Backend()


@pytest.fixture(scope="module")
def processes():
    pool = workers.Workers(1)
    yield pool, pool
    for worker in pool._idle:
        worker.end()


@pytest.fixture(autouse=True)
def one_of_several(backend, processes, monkeypatch):
    """Jobs of this process go to the backend, as those of a server do that was started with its variables."""
    monkeypatch.setattr(workers, "_pools", lambda: processes)
    for name, value in backend.environment.items():
        monkeypatch.setenv(name, value)


def finished(work, **how):
    job = Job(work, **how)
    assert job.wait(120)
    return job


def counted(file, _monitor):
    with file.open("a") as written:
        written.write("x")
    return len(file.read_text())


def test_work_is_done_by_a_process_of_the_backend(processes):
    assert finished(process_id).result() == processes[0]._idle[0].process_id.result() != os.getpid()


def test_an_error_comes_back_as_itself_and_a_fault_brings_its_traceback():
    error = MapFormatError("bad", line=3, column=4, path="a > b")
    with pytest.raises(MapFormatError) as caught:
        finished(partial(fails, error)).result()
    assert vars(caught.value) == vars(error)
    with pytest.raises(OSError, match="of the work itself") as fault:
        finished(partial(fails, OSError("of the work itself"))).result()
    assert "in fails" in "".join(fault.value.__notes__)


def test_of_an_error_that_cannot_be_sent_its_text_is():
    error = OSError("no room", threading.Lock())
    sent, led_to_it = _sendable(error)
    assert isinstance(sent, ToolError)
    assert "no room" in str(sent)
    assert "OSError" in led_to_it
    assert not hasattr(error, "__notes__")  # all who wait for a shared result have the same error


def test_it_tells_how_far_it_is_and_gives_its_best_so_far_when_stopped(tmp_path):
    job = Job(partial(until_stopped, tmp_path / "begun"))
    wait_until(lambda: (job.stage, job.share) == ("Searching", 0.5))
    job.stop()
    assert job.wait(60)
    assert job.result() == "best so far"


def test_work_that_nobody_wants_is_killed(tmp_path):
    job = Job(partial(deaf, tmp_path / "begun"))
    process = started(tmp_path / "begun")
    job.drop()
    assert job.wait(60)
    with pytest.raises(Interrupted):
        job.result()
    assert not runs(process)


def test_work_of_a_server_that_has_ended_is_killed(backend, tmp_path):
    there = Client(backend.environment[ADDRESS], authkey=bytes.fromhex(backend.environment[KEY]))
    there.send(_packed(Task(partial(deaf, tmp_path / "begun"), "somebody")))
    process = started(tmp_path / "begun")
    there.close()
    wait_until(lambda: not runs(process))


def test_what_visitors_of_several_servers_ask_for_is_computed_once(tmp_path):
    def asked(key, will_do):
        work = partial(counted, tmp_path / key)
        return [finished(work, visitor=Visitor(), shared=(key, will_do)).result() for _ in range(2)]

    assert asked("same", any_result) == [1, 1]
    assert asked("own", is_large) == [1, 2]


def test_a_result_so_far_is_given_to_nobody_else(tmp_path):
    first = Job(partial(until_stopped, tmp_path / "begun"), Visitor(), shared=("cut", any_result))
    started(tmp_path / "begun")
    first.stop()
    assert first.wait(60)
    assert first.result() == "best so far"
    assert finished(partial(counted, tmp_path / "own"), shared=("cut", any_result)).result() == 1


def is_large(number):
    return number > 10


def test_without_the_backend_work_ends_with_one_sentence(monkeypatch, tmp_path):
    monkeypatch.setenv(ADDRESS, str(tmp_path / "nobody"))
    with pytest.raises(ToolError, match="can't be reached"):
        finished(process_id).result()


def test_a_stranger_is_refused(backend, monkeypatch):
    monkeypatch.setenv(KEY, "00" * 32)
    with pytest.raises(ToolError, match="can't be reached"):
        finished(process_id).result()
    monkeypatch.setenv(KEY, backend.environment[KEY])
    assert finished(process_id).result()


def test_the_command_says_what_is_missing_or_wrong(monkeypatch, tted):
    for name in (ADDRESS, KEY):
        monkeypatch.delenv(name)
    monkeypatch.setattr(shutil, "which", lambda *_args, **_options: None)
    status, _, error = tted("app", "--processes", "2", "--no-browser")
    assert (status, error.count("\n")) == (2, 1)
    assert "needs nginx" in error
    status, _, error = tted("app", "--processes", "0")
    assert (status, "--processes is 0" in error) == (2, True)


@pytest.fixture
def alone(monkeypatch):
    """What this file's other tests set is not for the command."""
    for name in (ADDRESS, KEY):
        monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("address", "others"), [("10.0.0.5", ["10.0.0.5"]), ("::", ["::"]), ("127.0.0.1", []), ("::1", [])]
)
def test_a_server_behind_the_command_knows_whether_other_machines_reach_it(monkeypatch, address, others):
    before = config.get_option("server.address")
    config.set_option("server.address", "127.0.0.1")
    try:
        monkeypatch.setenv(LISTENS_AT, address)
        assert serves_beyond() == others
    finally:
        config.set_option("server.address", before)


@needs_nginx
@pytest.mark.thorough
def test_visitors_stay_with_their_servers_and_a_server_that_ends_is_started_again(alone, tmp_path):
    environment = {"TTED_WORKERS": "1", "TTED_CACHE": str(tmp_path)}
    with served(ROOT, environment=environment, processes=2) as (address, command):
        visitors = [Session(address) for _ in range(6)]

        def visit(number):
            visitor = visitors[number]
            visitor.run(patience=300)
            for side in ("left", "right"):
                visitor.set(f"{side}-source", string_value="Paste")
                visitor.set(f"{side}-text", string_value=outline(5, number))
            visitor.run()
            shown.append([each.metric.body for each in visitor.shown("metric")][:1])
            before = visitor.identity
            visitor.reconnect(after=0)  # by another connection, to the same session
            visitor.run(query=visitor.query)
            stayed.append(visitor.identity == before and not visitor.failures)

        shown, stayed = [], []
        threads = [threading.Thread(target=visit, args=(number,)) for number in range(6)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert (shown, stayed) == ([["0.0000"]] * 6, [True] * 6)
        with urllib.request.urlopen(address) as page:
            assert "tted_server=" in page.headers["Set-Cookie"]
        children = processes_of(command)
        servers = [each for each in children if is_server(each)]
        assert len(servers) == 2
        for each in servers:
            given = Path(f"/proc/{each}/environ").read_bytes().split(b"\0")
            assert f"{LISTENS_AT}=127.0.0.1".encode() in given
        os.kill(servers[0], signal.SIGKILL)
        wait_until(
            lambda: len({each for each in processes_of(command) if is_server(each)} - {servers[0]}) == 2
        )
        wait_until(lambda: all(answers(address, cookie) for cookie in range(20)))
        for number in range(4):
            with Session(address) as visitor:
                visitor.run(patience=300)
                assert not visitor.failures, number


@needs_nginx
@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_the_command_however_it_ends(alone, tmp_path, number):
    command = [sys.executable, "-m", "tted_core", "app", "--no-browser", "--processes", "2"]
    environment = {**os.environ, "TTED_WORKERS": "1", "TTED_CACHE": str(tmp_path)}
    port = free_port()
    with subprocess.Popen(
        [*command, "--port", str(port)], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    ) as several:
        try:
            wait_until(lambda: healthy(f"http://127.0.0.1:{port}"))
            children = processes_of(several.pid)
            assert len(children) > 5
            several.send_signal(number)
            wait_until(lambda: not any(runs(each) for each in children))
        finally:
            several.kill()


def answers(address, cookie):
    """Whether the server does to which a visitor with this cookie is led."""
    asked = urllib.request.Request(f"{address}/_stcore/health", headers={"Cookie": f"tted_server={cookie}"})
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.status == 200
    except OSError:
        return False


def is_server(process):
    try:
        return "ui.start" in Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return False
