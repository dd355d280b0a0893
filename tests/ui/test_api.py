"""POST /api/compare beside the pages: what it answers and refuses, and that only ``tted app --api`` serves it."""

import json
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from helpers.browser import free_port, wait_for
from helpers.command import LEFT, RIGHT
from helpers.floats import by_arithmetic
from helpers.paths import ROOT
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tted_core import compare
from tted_core.errors import Interrupted, SolverError, ToolError
from ui import api

ASKED = {
    "left": "# Trees\n- Oak\n- Birch\n",
    "right": "# Trees\n- Oak\n",
    "options": {"distance": "levenshtein"},
}


@pytest.fixture
def client(monkeypatch):
    """A client of the routes alone, on a server whose owner lets everybody in."""
    monkeypatch.setenv("TTED_OPEN", "1")
    monkeypatch.setattr(api.config, "get_option", lambda _name: ["tted.example"])
    return TestClient(Starlette(routes=api.ROUTES), base_url="http://tted.example")


@pytest.mark.thorough
def test_it_answers_as_the_command(client):
    answer = client.post("/api/compare", json={**ASKED, "baselines": ["edge_f1"]})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["tted"], found["proven"]) == (1.0, True)
    assert list(found["baselines"]) == ["edge_f1"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"left": None}, '"left" is no text'),
        ({"left": ""}, "left map: the input is empty"),
        ({"file": "x"}, "there is no field 'file'"),
        ({"roots": "all"}, "join"),
        ({"options": []}, '"options" is no JSON object'),
        ({"options": {"x": 1}}, "there is no option 'x'"),
        ({"options": {"depth": "two"}}, "depth"),
        ({"options": {"encoder": "../models/own"}}, "there is no encoder '../models/own'"),
        ({"options": {"masked_model": "x"}}, "masked_model can't be chosen here"),
        ({"options": {"preset": "none"}}, "preset"),
        ({"baselines": "all"}, '"baselines" is no list'),
        ({"baselines": ["none"]}, "baseline"),
    ],
)
def test_bad_input_is_one_sentence(client, change, message):
    answer = client.post("/api/compare", json=ASKED | change)
    assert answer.status_code == 400, answer.text
    assert message in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_other_requests_are_refused(client, monkeypatch):
    def status(**given):
        return client.post("/api/compare", **given).status_code

    assert client.get("/api/compare").status_code == 405
    assert status(content="{", headers={"Content-Type": "application/json"}) == 400
    assert status(content="[]", headers={"Content-Type": "application/json"}) == 400
    assert status(content=json.dumps(ASKED), headers={"Content-Type": "text/plain"}) == 400
    assert status(json=ASKED, headers={"Host": "other.example"}) == 403
    monkeypatch.setattr(api, "MAX_BYTES", 10)
    assert "the limit is 20" in client.post("/api/compare", json=ASKED).json()["error"]
    monkeypatch.setattr(api, "MAX_REQUESTS", 0)
    assert status(json=ASKED) == 429
    monkeypatch.setenv("TTED_OPEN", "0")
    monkeypatch.setattr(api, "MAX_REQUESTS", 1)
    assert status(json=ASKED) == 403


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Interrupted("stopped"), 503),
        (ToolError("no process can be started"), 503),
        (SolverError("wrong"), 400),
    ],
)
def test_work_that_ends_without_a_result_is_one_sentence(client, monkeypatch, error, status):
    def fail(*_given):
        raise error

    monkeypatch.setattr(api, "_compared", fail)
    answer = client.post("/api/compare", json=ASKED)
    assert (answer.status_code, answer.json()) == (status, {"error": str(error)})


def test_the_command_serves_it_only_when_asked(monkeypatch, tted):
    started = []
    monkeypatch.setattr("runpy.run_module", lambda name, **_options: started.append(name))
    monkeypatch.setattr(sys, "argv", sys.argv)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for arguments in ((), ("--api",)):
        assert tted("app", *arguments)[0] == 0
    assert started == ["ui.start", "ui.api"]


@pytest.mark.thorough
def test_a_server_answers_beside_its_pages(monkeypatch, tmp_path):
    monkeypatch.setenv("TTED_WORKERS", "1")
    port = free_port()
    command = [sys.executable, "-m", "tted_core", "app", "--api", "--no-browser", "--port", str(port)]
    maps = {
        name: (ROOT / file).read_text(encoding="utf-8") for name, file in (("left", LEFT), ("right", RIGHT))
    }
    expected = compare(LEFT, RIGHT, distance="levenshtein")
    with (
        (tmp_path / "log").open("w+b") as log,
        subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log) as process,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, process)
            with urllib.request.urlopen(address, timeout=60) as page:
                assert b"<title>" in page.read()
            request = urllib.request.Request(
                f"{address}/api/compare",
                json.dumps({**maps, "options": {"distance": "levenshtein"}}).encode(),
                {"Content-Type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=280) as answer:
                found = json.load(answer)
            assert found["tted"] == by_arithmetic(expected.tted)
            assert found["signature"] == expected.signature
            request.data = b"{}"
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(request, timeout=60)
            assert refused.value.code == 400
        finally:
            process.terminate()
