"""A cache of embeddings that is broken, locked or in the way costs time and a warning, never a wrong number."""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from helpers.encoders import recorded

from tted_core.encoders import embedding_cache
from tted_core.encoders.embedding_cache import EmbeddingCache, remembering

TEXTS = [f"text {number}" for number in range(100)]


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "embeddings.sqlite"


@pytest.fixture
def model():
    return recorded()


def encode(model, file, texts=TEXTS, **limits):
    """Encode with the cache, check the result, and return the texts passed to the model."""
    model.encoded.clear()
    encoder = remembering(model.encoder, EmbeddingCache(file, **limits))
    found = encoder(texts)
    requested = list(model.encoded)
    assert found.tobytes() == model.encoder(texts).tobytes()
    assert encoder.count_tokens(texts) == [len(text) for text in texts]
    return requested


CHANGES = {
    "another byte": "vector = CAST(X'FF' || substr(vector, 2) AS BLOB)",
    "a vector that is text": "vector = X'FF' || substr(vector, 2)",
    "a shorter vector": "vector = CAST(substr(vector, 5) AS BLOB)",
    "no vector": "vector = NULL",
    "a vector in words": "vector = 'none'",
    "an empty vector": "vector = X''",
    "another count": "tokens = tokens + 1",
    "a count in words": "tokens = 'many'",
    "no count": "tokens = NULL",
    "another checksum": "checksum = X'0001020304050607'",
    "no checksum": "checksum = NULL",
    "an entry of another text": "(tokens, vector, checksum) = "
    "(SELECT tokens, vector, checksum FROM embeddings AS other WHERE other.key != embeddings.key)",
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_entry_is_encoded_again_and_repaired(change, model, file, caplog):
    encode(model, file)
    with closing(sqlite3.connect(file)) as database, database:
        (victim,) = database.execute("SELECT key FROM embeddings LIMIT 1 OFFSET 42").fetchone()
        database.execute(f"UPDATE embeddings SET {CHANGES[change]} WHERE key = ?", (victim,))
    assert len(encode(model, file)) == 1
    assert encode(model, file) == []
    assert caplog.records == []


def damaged(content):
    yield b""
    yield b"no database at all, but some text that somebody put here. " * 100
    yield bytes(len(content))
    yield content[:100] + b"\xff" * (len(content) - 100)
    yield content[:50] + content[4096:]
    for share in (0.01, 0.3, 0.5, 0.99):
        yield content[: int(len(content) * share)]
    for start in range(4096, len(content), 8192):  # every other page in turn
        yield content[:start] + b"\xa5" * 4096 + content[start + 4096 :]


def test_a_damaged_database_is_replaced(model, file):
    encode(model, file)
    content = file.read_bytes()
    for broken in damaged(content):
        file.write_bytes(broken)
        encode(model, file)
        encode(model, file)
        assert encode(model, file) == []


def warnings(caplog):
    assert all(record.levelno == logging.WARNING for record in caplog.records)
    return [record.getMessage() for record in caplog.records]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_may_not_be_written(model, tmp_path, there, caplog):
    folder = tmp_path / "fixed"
    folder.mkdir()
    if there:
        (folder / "embeddings.sqlite").write_bytes(b"no database " * 1000)
    folder.chmod(0o500)
    try:
        assert encode(model, folder / "embeddings.sqlite") == TEXTS
        assert encode(model, folder / "below" / "embeddings.sqlite") == TEXTS
    finally:
        folder.chmod(0o700)
    assert warnings(caplog)


def test_a_full_disk_or_a_disk_that_may_not_be_written(model, file, monkeypatch, caplog):
    def connect(*_, **__):
        raise sqlite3.OperationalError("database or disk is full")

    encode(model, file)
    monkeypatch.setattr(embedding_cache.sqlite3, "connect", connect)
    assert encode(model, file) == TEXTS
    assert "disk is full" in warnings(caplog)[0]
    monkeypatch.undo()
    assert encode(model, file) == []  # nothing was thrown away


def test_a_file_locked_by_another_process_is_read_and_left_alone(model, file, caplog):
    encode(model, file)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert encode(model, file, wait_seconds=0.05) == []
        assert encode(model, file, ["new"], wait_seconds=0.05) == ["new"]
    assert "locked" in warnings(caplog)[0]
    assert encode(model, file, [*TEXTS, "new"]) == ["new"]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_not_kept(value, model, file):
    good = model.encoder

    def encode_badly(texts):
        found = good(texts).copy()
        found[1] = value
        return found

    cache = EmbeddingCache(file)
    bad = recorded(encode=encode_badly).encoder
    assert not np.isfinite(remembering(bad, cache)(["a", "b", "c"])[1]).any()
    model.encoded.clear()
    assert np.isfinite(remembering(good, cache)(["a", "b", "c"])).all()
    assert model.encoded == ["b"]
