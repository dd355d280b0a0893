"""What a user whose tests fail is told to do."""

import socket
import sys
from types import SimpleNamespace

import pytest
from helpers import machine


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        ("OSError: [Errno 28] No space left on device: '/tmp/a'", "TMPDIR=/another/folder"),
        ("sqlite3.OperationalError: database or disk is full", "make room"),
        ("worker 'gw1' crashed while running tests/a.py::b", "TEST_PROCESSES=1"),
        ("OSError: [Errno 12] Cannot allocate memory", "TEST_PROCESSES=1"),
        ("PermissionError: [Errno 13] Permission denied: '/tmp/pytest-of-ada'", "TMPDIR=/another/folder"),
        ("AssertionError: the server ended", "make app PORT=8600"),
        ("playwright._impl._errors.Error: BrowserType.launch: Failed to launch", "install it anew"),
        ("Failed: Timeout (>300.0s) from pytest-timeout.", "--last-failed"),
    ],
)
def test_a_failure_of_the_machine_says_what_to_do(failure, said):
    (sentence,) = machine.advice(f"...\nE   {failure}\n...")
    assert said in sentence


def test_a_failure_of_the_program_gets_no_advice():
    assert machine.advice("E   assert 1.5 == 2.0") == []


def test_what_the_machine_lacks_is_said_before_the_tests(monkeypatch):
    assert not any("memory" in each for each in machine.lacks(0))
    memory = SimpleNamespace(available=3e9)
    monkeypatch.setattr(machine.psutil, "virtual_memory", lambda: memory)
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: SimpleNamespace(free=2e8))
    monkeypatch.setattr(machine, "CHROMIUM", None)
    monkeypatch.setattr(machine.shutil, "which", lambda _: "/usr/bin/fc-list")
    monkeypatch.setattr(machine, "_output", lambda *_: "")
    chromium, fonts, memory_left, disk = machine.lacks(2)
    assert "apt-get install chromium" in chromium
    assert "apt-get install fonts-dejavu-core" in fonts
    assert "only 3.0 GB of memory" in memory_left
    assert "TEST_PROCESSES=1" in memory_left
    assert "only 0.2 GB" in disk
    assert "TMPDIR=" in disk


def test_a_port_that_is_taken_leads_to_another(tted, monkeypatch):
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr("ui.start.serve", lambda *_: None)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        status, _, error = tted("app", "--port", str(port))
    assert status == 2
    assert f"port {port} is taken" in error
    assert f"make app PORT={port + 1}" in error
    assert tted("app", "--port", str(port))[0] == 0
