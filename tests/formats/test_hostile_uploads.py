"""Each reader of files answers hostile files and texts soon, with a map or one sentence."""

import socket

import pytest
from helpers.hanging import not_hanging
from helpers.hostile_files import CANARY, MAP, UPLOADS
from helpers.thorough import sampled

from tted_core.annotate.annotations import read_annotations
from tted_core.batch.pairs import pairs_of_table
from tted_core.errors import TTEDError
from tted_core.formats import parse_map, parse_maps
from tted_core.formats.map_collections import read_collection
from tted_core.foundations.files import pack_files
from tted_core.lab.people import read_judged_pairs
from tted_core.report.replay import read_replay


def of_bytes(content):
    return content if isinstance(content, bytes) else content.encode()


def filed(tmp_path, content, ending):
    file = tmp_path / f"upload{ending}"
    file.write_bytes(of_bytes(content))
    return file


READERS = {
    "a map": lambda content, _: parse_map(content),
    "all maps of a file": lambda content, _: parse_maps(content),
    "a file of several": lambda content, _: parse_map(
        pack_files([("a", of_bytes(content)), ("b", MAP.encode())])
    ),
    "annotators' maps": lambda content, _: read_annotations([("tides/anna.json", of_bytes(content))]),
    "a replay": lambda content, _: read_replay(content),
    "a table of judged pairs": lambda content, _: read_judged_pairs(of_bytes(content)),
    "a table of pairs": lambda content, folder: pairs_of_table(filed(folder, content, ".csv")),
    "lines of pairs": lambda content, folder: pairs_of_table(filed(folder, content, ".jsonl")),
    "a collection": lambda content, folder: read_collection(filed(folder, content, ".zip")),
}


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """Readers must not use the network; returns the path of a file that none may open."""

    def refuse(*where, **_):
        pytest.fail(f"it connects to {where}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    file = tmp_path / "canary"
    file.write_text(CANARY, encoding="utf-8")
    return str(file)


def answered(read, content, folder):
    """Return the result or the error as text."""
    try:
        return repr(read(content, folder))
    except TTEDError as error:
        message = str(error)
        assert message
        assert "\n" not in message
        return message


@pytest.mark.parametrize("reader", sampled(READERS, 2))
def test_hostile_files_are_read_or_refused(reader, alone, tmp_path):
    for name, made in UPLOADS.items():
        content = made()
        if isinstance(content, str):
            content = content.replace("/CANARY", alone)
        with not_hanging():
            answer = answered(READERS[reader], content, tmp_path)
        assert CANARY not in answer, name
        assert "root:x:" not in answer, name
    assert not list(tmp_path.rglob("owned*"))
