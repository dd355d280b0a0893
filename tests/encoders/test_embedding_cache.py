"""The cache of embeddings: kept bit by bit for all processes, bounded; faults cost time, never a wrong number."""

import dataclasses
import logging
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from helpers.command import LEFT, RIGHT
from helpers.encoders import recorded

from tted_core import cli
from tted_core.encoders import embedding_cache
from tted_core.encoders.embedding_cache import CachedVector, EmbeddingCache, default_cache, with_disk_cache

TEXTS = ["", "a", "one two", "Корень 🌱", "\ud800", "\udfff", "nul\0", "nul", "x" * 10_000]


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "of" / "tted" / "embeddings.sqlite"


def rows(file):
    with closing(sqlite3.connect(file)) as database:
        return dict(database.execute("SELECT key, used FROM embeddings").fetchall())


def test_a_text_is_encoded_once_and_counted_once(file):
    model = recorded()
    encoder = with_disk_cache(model.encoder, EmbeddingCache(file))
    first = encoder(TEXTS)
    assert model.encoded == model.counted == TEXTS
    for again in (encoder, with_disk_cache(model.encoder, EmbeddingCache(file))):
        assert again(TEXTS).tobytes() == first.tobytes()
        assert again(TEXTS[::-1]).tobytes() == first[::-1].tobytes()
        assert again.count_tokens(TEXTS) == [len(text) for text in TEXTS]
    assert model.encoded == model.counted == TEXTS


def test_only_what_is_missing_is_encoded(file):
    model = recorded()
    encoder = with_disk_cache(model.encoder, EmbeddingCache(file))
    encoder(["a", "b"])
    mixed = encoder(["c", "b", "d", "a", "c"])
    assert model.encoded[2:] == ["c", "d", "c"]
    assert mixed.tobytes() == model.encoder(["c", "b", "d", "a", "c"]).tobytes()


def test_another_model_has_entries_of_its_own(file):
    one, other = recorded("00000001"), recorded("00000002")
    for model in (one, other, one, other):
        with_disk_cache(model.encoder, EmbeddingCache(file))(["a"])
    assert one.encoded == other.encoded == ["a"]
    assert len(rows(file)) == 2


@pytest.mark.parametrize("change", [{"max_tokens": 8}, {"name": "another"}])
def test_the_same_weights_used_otherwise_are_another_model(file, change):
    model = recorded()
    with_disk_cache(model.encoder, EmbeddingCache(file))(["a"])
    with_disk_cache(dataclasses.replace(model.encoder, **change), EmbeddingCache(file))(["a"])
    assert model.encoded == ["a", "a"]


def entries(numbers):
    return {b"%05d" % n: CachedVector(np.full(1000, n, dtype=np.float32), n) for n in numbers}


def test_the_file_is_bounded(file):
    cache = EmbeddingCache(file, max_bytes=1_000_000)
    for start in range(0, 2000, 50):
        cache.put(entries(range(start, start + 50)))
        assert file.stat().st_size < 1_500_000
    assert len(rows(file)) > 150
    EmbeddingCache(file, max_bytes=10).put(entries([9999]))  # less than one entry
    assert len(rows(file)) <= 1
    cache.put(entries([1]))
    assert cache.get([b"00001"])[b"00001"].tokens == 1


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_folder_and_file_are_for_their_user_alone(file):
    for _ in range(2):
        EmbeddingCache(file).put(entries([1]))
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.chmod(0o644)


def test_the_environment_chooses_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("TTED_CACHE", str(tmp_path / "mine"))
    assert default_cache() == EmbeddingCache(tmp_path / "mine" / "embeddings.sqlite")
    assert not (tmp_path / "mine").exists()
    for off in ("off", "OFF", "Off"):
        monkeypatch.setenv("TTED_CACHE", off)
        assert default_cache() is None


@pytest.mark.parametrize("unset", [True, False])
def test_without_a_choice_it_is_the_users_own_folder(monkeypatch, tmp_path, unset):
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name, appauthor: f"{tmp_path}/{name}")
    monkeypatch.setenv("TTED_CACHE", "")
    if unset:
        monkeypatch.delenv("TTED_CACHE")
    assert default_cache() == EmbeddingCache(tmp_path / "tted" / "embeddings.sqlite")


def test_the_command_line_keeps_embeddings_unless_disabled(tted, cache_folder, monkeypatch):
    model = recorded()
    monkeypatch.setattr(cli.shared, "load_encoder", lambda name, **_: model.encoder)
    arguments = ("compare", LEFT, RIGHT, "--baselines=none")
    assert tted(*arguments, "--no-cache")[0] == 0
    requested = len(model.encoded)
    assert not cache_folder.exists()
    first = tted(*arguments)
    assert len(model.encoded) == 2 * requested
    assert tted(*arguments) == first
    assert len(model.encoded) == 2 * requested
    assert tted(*arguments, "--no-cache") == first
    assert len(model.encoded) == 3 * requested
    assert (cache_folder / "embeddings.sqlite").is_file()


HUNDRED = [f"text {number}" for number in range(100)]


@pytest.fixture
def model():
    return recorded()


def encode(model, file, texts=HUNDRED, **limits):
    """Encode with the cache, check the result, and return the texts passed to the model."""
    model.encoded.clear()
    encoder = with_disk_cache(model.encoder, EmbeddingCache(file, **limits))
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
        assert encode(model, folder / "embeddings.sqlite") == HUNDRED
        assert encode(model, folder / "below" / "embeddings.sqlite") == HUNDRED
    finally:
        folder.chmod(0o700)
    assert warnings(caplog)


def test_a_full_disk_or_a_disk_that_may_not_be_written(model, file, monkeypatch, caplog):
    def connect(*_, **__):
        raise sqlite3.OperationalError("database or disk is full")

    encode(model, file)
    monkeypatch.setattr(embedding_cache.sqlite3, "connect", connect)
    assert encode(model, file) == HUNDRED
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
    assert encode(model, file, [*HUNDRED, "new"]) == ["new"]


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite_are_not_kept(value, model, file):
    good = model.encoder

    def encode_badly(texts):
        found = good(texts).copy()
        found[1] = value
        return found

    cache = EmbeddingCache(file)
    bad = recorded(encode=encode_badly).encoder
    assert not np.isfinite(with_disk_cache(bad, cache)(["a", "b", "c"])[1]).any()
    model.encoded.clear()
    assert np.isfinite(with_disk_cache(good, cache)(["a", "b", "c"])).all()
    assert model.encoded == ["b"]
