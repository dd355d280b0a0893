"""Every file that the program writes, written by two processes with four threads each: nothing is lost or torn."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import writers
from helpers.paths import ROOT
from helpers.thorough import sampled
from pyarrow import parquet

from tted_core.encoders.embedding_cache import EmbeddingCache

NAMES = [f"{process}-{thread}" for process in (0, 1) for thread in range(writers.THREADS)]
ROUNDS = range(writers.ROUNDS)


def written(folder: Path, writer: str) -> None:
    """Let two processes write, from the same moment on."""
    command = [sys.executable, str(ROOT / "tests" / "helpers" / "writers.py"), writer, str(folder)]
    processes = [
        subprocess.Popen(
            [*command, number],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            text=True,
        )
        for number in "01"
    ]
    for each in processes:
        assert each.stdout.readline() == "ready\n"
    for each in processes:
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in processes:
        told, _ = each.communicate(timeout=300)
        assert each.returncode == 0, told


def embeddings(folder: Path) -> None:
    keys = [f"{name}-{number}".encode() for name in NAMES for number in ROUNDS]
    assert set(EmbeddingCache(folder / "embeddings.sqlite").get(keys)) == set(keys)


def kept_map(folder: Path) -> None:
    (file,) = folder.iterdir()
    head, _, body = file.read_bytes().partition(b"\n")
    name, number, _ = body.decode().split(" ", 2)
    assert json.loads(head)["name"] == name
    assert body == f"{name} {number} ".encode() * 1000


def described(folder: Path) -> None:
    (file,) = folder.iterdir()
    assert json.loads(file.read_bytes())["filler"] == ["x"] * 1000


def part(folder: Path) -> None:
    (file,) = folder.iterdir()
    (name,) = set(parquet.read_table(file)["name"].to_pylist())
    assert name[:3] in NAMES


def counted(folder: Path) -> None:
    assert int((folder / "counter").read_text(encoding="ascii")) == len(NAMES) * len(ROUNDS)


CHECKS: dict[str, Callable[[Path], None]] = {
    "embedding": embeddings,
    "kept map": kept_map,
    "description": described,
    "part": part,
    "run": counted,
}


@pytest.mark.parametrize("writer", sampled(writers.WRITERS, 3))
def test_nothing_is_lost_or_torn(tmp_path, writer):
    written(tmp_path, writer)
    CHECKS[writer](tmp_path)
