"""Cache of embeddings on disk, so that no text is encoded twice by the same model.

One SQLite file, safe with several processes (short transactions, locked before they write) and bounded in size:
the oldest entries are dropped first. The key is the SHA-256 of the model (name, fingerprint, maximum
length) and the text. Every entry has a checksum, and invalid ones are encoded again; nothing is unpickled. A file
that isn't a database, or a folder that can't be written, is logged, and texts are encoded without the cache.

The environment variable TTED_CACHE names another folder, or switches the cache off ("off").
"""

import hashlib
import logging
import math
import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.sentence_encoder import SentenceEncoder
from tted_core.foundations.output import private_database

_MAX_BYTES = 256_000_000  # maximum bytes of entries: about 110,000 texts of MiniLM

_SCHEMA = """
CREATE TABLE IF NOT EXISTS embeddings
(key BLOB PRIMARY KEY, tokens INTEGER, vector BLOB, checksum BLOB, used REAL)
"""

_LOSSES_ARE_FINE = "PRAGMA synchronous = NORMAL"  # lost entries are just encoded again

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CachedVector:
    """A text's (d,) float32 vector and its number of word pieces."""

    vector: NDArray[np.float32]
    tokens: int


@dataclass(frozen=True)
class EmbeddingCache:
    """The cache in one file.

    ``max_bytes`` bounds its size, ``wait_seconds`` the time to wait for another process that writes.
    """

    file: Path
    max_bytes: int = _MAX_BYTES
    wait_seconds: float = 2.0

    def get(self, keys: Sequence[bytes]) -> dict[bytes, CachedVector]:
        """The valid entries among these keys."""
        found: dict[bytes, CachedVector] = {}
        try:
            with self._open("DEFERRED") as database:
                database.text_factory = bytes  # a damaged entry may have the type text, in any encoding
                for key in keys:
                    query = "SELECT tokens, vector, checksum FROM embeddings WHERE key = ?"
                    for tokens, vector, checksum in database.execute(query, (key,)):
                        is_valid = isinstance(tokens, int) and isinstance(vector, bytes)
                        if is_valid and checksum == _checksum(key, tokens, vector):
                            found[key] = CachedVector(np.frombuffer(vector, dtype="<f4"), tokens)
        except (OSError, sqlite3.Error) as error:
            self._report(error)
        return found

    def put(self, entries: Mapping[bytes, CachedVector]) -> None:
        """Store entries, and drop the oldest ones if there are too many."""
        now = time.time()
        rows = []
        for key, entry in entries.items():
            vector = entry.vector.astype("<f4").tobytes()
            rows.append((key, entry.tokens, vector, _checksum(key, entry.tokens, vector), now))
        try:
            with self._open("IMMEDIATE") as database:
                database.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?, ?, ?)", rows)
                self._shrink(database)
        except (OSError, sqlite3.Error) as error:
            self._report(error)

    def _shrink(self, database: sqlite3.Connection) -> None:
        """Drop entries while the pages in use exceed the bound; free pages of the file are reused."""
        names = ("page_count", "freelist_count", "page_size")
        pages, free, size = (database.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
        total = (pages - free) * size
        if total <= self.max_bytes:
            return
        (count,) = database.execute("SELECT count(*) FROM embeddings").fetchone()
        target = self.max_bytes * 9 // 10  # less than the bound, so that not every write has to shrink
        database.execute(
            "DELETE FROM embeddings WHERE key IN (SELECT key FROM embeddings ORDER BY used LIMIT ?)",
            (math.ceil(count * (total - target) / total),),
        )

    def _open(self, begin: str) -> AbstractContextManager[sqlite3.Connection]:
        return private_database(self.file, begin, _LOSSES_ARE_FINE, _SCHEMA, wait_seconds=self.wait_seconds)

    def _report(self, error: OSError | sqlite3.Error) -> None:
        _logger.warning(
            "the embedding cache %s can't be used now (%s); texts are encoded again (TTED_CACHE=folder moves the "
            "cache, TTED_CACHE=off does without)",
            self.file,
            error,
        )
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            with suppress(OSError):  # not a database, or a damaged one; the next use creates a new one
                self.file.unlink()


def default_cache() -> EmbeddingCache | None:
    """The user's cache; None if TTED_CACHE is "off"."""
    chosen = os.environ.get("TTED_CACHE", "")
    if chosen.lower() == "off":
        return None
    if not chosen:
        from platformdirs import user_cache_dir

        chosen = user_cache_dir("tted", appauthor=False)
    return EmbeddingCache(Path(chosen) / "embeddings.sqlite")


def with_disk_cache(encoder: SentenceEncoder, cache: EmbeddingCache | None) -> SentenceEncoder:
    """Wrap an encoder to use ``cache``; None returns it unchanged."""
    if cache is None:
        return encoder

    # The fingerprint covers the weights only; the maximum length is in another file.
    model = f"{encoder.name}\0{encoder.fingerprint}\0{encoder.max_tokens}\0"

    def key(text: str) -> bytes:
        return hashlib.sha256(f"{model}{text}".encode("utf-8", "surrogatepass")).digest()

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        keys = [key(text) for text in texts]
        known = cache.get(keys)
        missing = [text for text, its_key in zip(texts, keys, strict=True) if its_key not in known]
        if missing:
            vectors = np.asarray(encoder.encode(missing), dtype=np.float32)
            counts = encoder.count_tokens(missing)
            new = {
                key(text): CachedVector(vector, count)
                for text, vector, count in zip(missing, vectors, counts, strict=True)
            }
            cache.put({its_key: entry for its_key, entry in new.items() if np.isfinite(entry.vector).all()})
            known |= new
        return np.array([known[its_key].vector for its_key in keys])

    def count_tokens(texts: Sequence[str]) -> list[int]:
        keys = [key(text) for text in texts]
        counts = {its_key: entry.tokens for its_key, entry in cache.get(keys).items()}
        missing = [text for text, its_key in zip(texts, keys, strict=True) if its_key not in counts]
        if missing:
            counts |= zip(map(key, missing), encoder.count_tokens(missing), strict=True)
        return [counts[its_key] for its_key in keys]

    return replace(encoder, encode=encode, count_tokens=count_tokens)


def _checksum(key: bytes, tokens: int, vector: bytes) -> bytes:
    return hashlib.blake2b(b"%b%d,%b" % (key, tokens, vector), digest_size=8).digest()
