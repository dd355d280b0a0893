"""The cache of embeddings: what is kept comes back bit by bit, is found by other processes, and is bounded."""

import dataclasses
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
from tted_core.encoders.embedding_cache import EmbeddingCache, Entry, default_cache, remembering

TEXTS = ["", "a", "one two", "Корень 🌱", "\ud800", "\udfff", "nul\0", "nul", "x" * 10_000]


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "of" / "tted" / "embeddings.sqlite"


def rows(file):
    with closing(sqlite3.connect(file)) as database:
        return dict(database.execute("SELECT key, used FROM embeddings").fetchall())


def test_a_text_is_encoded_once_and_counted_once(file):
    model = recorded()
    encoder = remembering(model.encoder, EmbeddingCache(file))
    first = encoder(TEXTS)
    assert model.encoded == model.counted == TEXTS
    for again in (encoder, remembering(model.encoder, EmbeddingCache(file))):
        assert again(TEXTS).tobytes() == first.tobytes()
        assert again(TEXTS[::-1]).tobytes() == first[::-1].tobytes()
        assert again.count_tokens(TEXTS) == [len(text) for text in TEXTS]
    assert model.encoded == model.counted == TEXTS


def test_only_what_is_missing_is_encoded(file):
    model = recorded()
    encoder = remembering(model.encoder, EmbeddingCache(file))
    encoder(["a", "b"])
    mixed = encoder(["c", "b", "d", "a", "c"])
    assert model.encoded[2:] == ["c", "d", "c"]
    assert mixed.tobytes() == model.encoder(["c", "b", "d", "a", "c"]).tobytes()


def test_another_model_has_entries_of_its_own(file):
    one, other = recorded("00000001"), recorded("00000002")
    for model in (one, other, one, other):
        remembering(model.encoder, EmbeddingCache(file))(["a"])
    assert one.encoded == other.encoded == ["a"]
    assert len(rows(file)) == 2


@pytest.mark.parametrize("change", [{"max_tokens": 8}, {"name": "another"}])
def test_the_same_weights_used_otherwise_are_another_model(file, change):
    model = recorded()
    remembering(model.encoder, EmbeddingCache(file))(["a"])
    remembering(dataclasses.replace(model.encoder, **change), EmbeddingCache(file))(["a"])
    assert model.encoded == ["a", "a"]


def entries(numbers):
    return {b"%05d" % n: Entry(np.full(1000, n, dtype=np.float32), n) for n in numbers}


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
