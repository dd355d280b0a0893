"""What Streamlit does on a real server only: files that are made when they are asked for, keys that are taken."""

import csv
import io
import re
import sys
from pathlib import Path

import pytest
from helpers.paths import ROOT
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.server import served
from benchmarks.session import Session
from tted_core.learn.exercises import EXERCISES
from tted_core.report.exports import EXPORTS
from ui import annotate, evaluate, learn, research
from ui.annotate.checks import MANY
from ui.errors import FAULT

pytestmark = pytest.mark.thorough


COMPUTES = re.compile(r"/(libllvmlite|libtorch|_highspy|highspy|scipy/(stats|linalg|sparse|spatial))")
"""Libraries of compiled code that are loaded only to compute something."""

TABS = {"Evaluate": evaluate, "Research": research, "Learn": learn, "Annotate": annotate}


@pytest.fixture(scope="module")
def address():
    with served(ROOT, environment={"TTED_WORKERS": "0"}) as (address, _):
        yield address


def button(session, label):
    return next(each for each in session.widgets() if getattr(each, "label", "") == label)


def test_the_answers_to_exercises_are_in_the_file_that_is_handed_in(address):
    with Session(address) as student:
        student.run(page="Learn", query="part=exercises")
        student.run(WidgetState(id=button(student, "Show the answer").id, trigger_value=True))
        saved = student.download(button(student, "Save my answers")).decode()
    (row,) = csv.DictReader(io.StringIO(saved))
    assert row["kind"] in EXERCISES


def test_who_uploads_a_map_and_quickly_turns_to_a_folder_can_check_one(address):
    with Session(address) as visitor:
        visitor.run(page="Annotate")
        visitor.set("check-source", string_value="Upload")
        visitor.run()
        uploader = visitor.widget("check-upload")
        assert visitor.upload(uploader, ("map.txt", b"Root\n  leaf\n")) == [204]
        visitor.set("check-what", string_array_value={"data": [MANY]})
        visitor.run()
        faults = [
            each.alert.body for each in visitor.shown("alert") if each.alert.body.startswith(FAULT[:20])
        ]
        assert visitor.failures + faults == []
        assert visitor.widget("check-collection")


@pytest.mark.skipif(sys.platform != "linux", reason="what a process has loaded is looked up in /proc")
def test_the_process_of_the_pages_computes_nothing(tmp_path):
    """Whatever it computes, all visitors' clicks wait for."""
    parts = [(page, name) for page, room in TABS.items() for name in room.PARTS]
    environment = {"TTED_WORKERS": "1", "TTED_CACHE": str(tmp_path)}
    with served(ROOT, environment=environment) as (address, process), Session(address) as visitor:
        visitor.run(patience=300)
        visitor.set("more", string_value="Download and cite")
        visitor.run(of="more")
        files = [each.download_button for each in visitor.shown("download_button")]
        assert len(files) > len(EXPORTS)
        for each in files:
            assert visitor.download(each), each.label
        for page, name in [("Method", ""), *parts]:
            what = "part" if page == "Learn" else "tab"
            with Session(address) as another:
                another.run(page=page, query=f"{what}={name}", patience=300)
                assert not another.failures, name
        loaded = set(COMPUTES.findall(Path(f"/proc/{process}/maps").read_text(encoding="utf-8")))
    assert not loaded
