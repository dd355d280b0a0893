"""The texts' vectors in a file of their own, mapped into memory: what does not fit into it can be worked with.

The rows are in the order of the batch's texts, and they are encoded in blocks of one size, so a run that was
stopped goes on with the block where it stopped and gets the same bits.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.batch.parts import BUSY, held, write_json
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import CHUNK, Encoder, SentenceEncoder
from tted_core.monitor import Monitor

BLOCK = 16 * CHUNK
"""Texts written at a time."""

WAIT_SECONDS = 86_400.0
"""So long a run waits for another one that encodes the same texts."""


def vector_file(folder: Path, model: str, fingerprint: str) -> Path:
    """Where the vectors by a model lie in a batch's folder."""
    name = "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in model)
    return folder / f"vectors-{name}-{fingerprint}.bin"


@dataclass(frozen=True)
class Vectors:
    """(t, d) vectors, in memory or in a file, which is opened where they are needed and not sent about."""

    kept: NDArray[np.floating[Any]] | None = None
    file: Path | None = None
    shape: tuple[int, int] = (0, 0)
    kind: str = "float64"

    @property
    def rows(self) -> NDArray[np.floating[Any]]:
        """The array."""
        if self.kept is not None or self.file is None:
            return np.zeros(self.shape) if self.kept is None else self.kept
        return _mapped(self.file, self.shape, self.kind)


@cache
def _mapped(file: Path, shape: tuple[int, int], kind: str) -> NDArray[np.floating[Any]]:
    return np.memmap(file, dtype=kind, mode="r", shape=shape)


def encoded(encoder: Encoder, texts: Sequence[str], file: Path | None, monitor: Monitor) -> Vectors:
    """(t, d) vectors of t texts, sorted by length: those in the file already, and the others put there.

    Args:
        encoder: what encodes them; vectors of a loaded model are kept in single precision, in which it gives them.
        texts: all distinct, in the order in which ``embed`` encodes them.
        file: where they are kept; None keeps them in memory.
        monitor: watches, and may stop between texts.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
    """
    kind = "float32" if isinstance(encoder, SentenceEncoder) else "float64"
    if file is None:
        blocks = [_block(encoder, texts, start, kind, monitor) for start in range(0, len(texts), BLOCK)]
        return Vectors(np.vstack(blocks))
    width = _width(file, len(texts), np.dtype(kind).itemsize)
    if width:  # nothing is left to encode, and no model to be loaded for it
        return Vectors(None, file, (len(texts), width), kind)
    with held(file.with_suffix(".lock"), BUSY, wait_seconds=WAIT_SECONDS):  # others wait
        return _filled(encoder, texts, file, kind, monitor)


def _filled(encoder: Encoder, texts: Sequence[str], file: Path, kind: str, monitor: Monitor) -> Vectors:
    """The vectors in a file, those that it lacks put there."""
    item = np.dtype(kind).itemsize
    width = _width(file, len(texts), item) or len(embed(encoder, [""])[""])
    row = width * item
    file.touch()
    done = file.stat().st_size // (row * BLOCK) * BLOCK
    if file.stat().st_size != row * len(texts):
        with file.open("r+b") as target:
            target.truncate(done * row)
            target.seek(done * row)
            for start in range(done, len(texts), BLOCK):
                target.write(_block(encoder, texts, start, kind, monitor).tobytes())
                target.flush()
    write_json({"texts": len(texts), "width": width}, file.with_suffix(".json"))
    return Vectors(None, file, (len(texts), width), kind)


def _width(file: Path, texts: int, item: int) -> int:
    """The length of the vectors in a file that has those of all texts; 0 if it hasn't."""
    try:
        whole = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        width = int(whole["width"])
        return width if file.stat().st_size == texts * width * item and whole["texts"] == texts else 0
    except (OSError, ValueError, LookupError, TypeError):
        return 0


def _block(
    encoder: Encoder, texts: Sequence[str], start: int, kind: str, monitor: Monitor
) -> NDArray[np.floating[Any]]:
    block = texts[start : start + BLOCK]
    among_all = monitor.telling(lambda _stage, done, _total: monitor.advance(start + done, len(texts)))
    vectors = embed(encoder, block, among_all)
    return np.array([vectors[text] for text in block], dtype=kind)
