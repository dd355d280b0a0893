"""What a batch works with: its maps, its methods, and the models' vectors of all texts, which are made here.

The vectors lie in a file of their own, mapped into memory: what does not fit into it can be worked with. The
rows are in the order of the batch's texts, and they are encoded in blocks of one size, so a run that was stopped
goes on with the block where it stopped and gets the same bits.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.batch.maps import Maps
from tted_core.batch.parts import BUSY, held, write_json
from tted_core.batch.settings import BatchOptions
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.encoders.embedding import embed
from tted_core.encoders.remembered import identity
from tted_core.encoders.sentence_encoder import CHUNK, Encoder, SentenceEncoder
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method
from tted_core.notices import encoder_notices
from tted_core.words.splitting import without_surrogates

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


Pairs: TypeAlias = NDArray[np.int32]
"""(p, 2) numbers of maps."""


@dataclass(frozen=True)
class Model:
    """An encoder and what it made of the texts.

    Attributes:
        name: its name, for signatures.
        fingerprint: of its weights.
        vectors: (t, d) of all texts, usually mapped from a file; empty if a distance reads something else.
        notices: context -> for each map, what a reader of its distances should know.
    """

    name: str
    fingerprint: str
    vectors: Vectors = field(repr=False)
    notices: dict[str, tuple[tuple[str, ...], ...]] = field(repr=False)


@dataclass(frozen=True)
class Work:
    """All that solving needs.

    Attributes:
        maps: the maps.
        options: what was asked for.
        models: (model's name, distance) -> what that distance reads.
        loaded: the same -> the distance itself, where it reads something of its own, and BERTScore where the suite
            takes it of whole maps.
    """

    maps: Maps
    options: BatchOptions
    models: dict[tuple[str, str], Model]
    loaded: dict[tuple[str, str], LoadedDistance]

    @property
    def settings(self) -> tuple[Method, ...]:
        """The methods: a row of each pair by each."""
        return self.options.methods

    def distance(self, setting: Method) -> LoadedDistance:
        """The distance of a setting that reads no vectors of sentences."""
        known = self.loaded.get((setting.model, setting.distance))
        return _of_texts(setting.distance) if known is None else known

    def vectors(self, setting: Method, numbers: Iterable[int]) -> Encoder:
        """The vectors of the sentences of these maps, by the encoder that the setting's distance reads."""
        rows = self.models[setting.model, setting.distance].vectors.rows
        place = {
            without_surrogates(self.maps.texts[text]): text
            for number in numbers
            for text in self.maps.labels[self.maps.place(number)].tolist()
        }
        return lambda texts: rows[[place[text] for text in texts]]


@cache
def _of_texts(name: str) -> LoadedDistance:
    return DISTANCES[name].load()


def prepared(
    maps: Maps,
    options: BatchOptions,
    models: Models,
    *,
    folder: Path | None,
    monitor: Monitor = UNWATCHED,
    notices: bool = True,
) -> Work:
    """Load the models, and encode every text once by each encoder.

    Args:
        maps: the maps.
        options: what was asked for.
        models: the models; those that the methods name are loaded by it.
        folder: where the vectors' files are kept; None keeps vectors in memory.
        monitor: watches the stages, and may stop it.
        notices: whether it is looked what there is to tell of each map's texts; nobody is told of it otherwise.

    Raises:
        EncoderError: an encoder can't be had, or gives nothing that can be used.
    """
    read: dict[tuple[str, str], Model] = {}
    loaded: dict[tuple[str, str], LoadedDistance] = {}
    by_encoder: dict[str, Model] = {}
    for key, method in {(each.model, each.distance): each for each in options.methods}.items():
        chosen = models.of(method.encoder, method.masked_model)
        if method.record.reads == "encoder":
            if method.model not in by_encoder:
                encoder = chosen.loaded_encoder()
                by_encoder[method.model] = _encoded(maps, encoder, folder, monitor, notices=notices)
            read[key] = by_encoder[method.model]
        else:
            distance = method.record.load(chosen)
            if method.record.reads != "none":
                monitor.stage(distance.stage.format(f"{len(maps.texts):,}"))
                distance = loaded[key] = distance.read(tuple(maps.texts), monitor)
            told = _notices(maps, distance.texts_notices, monitor) if notices else {}
            read[key] = Model(*distance.model, Vectors(), told)
        if "linear_bertscore" in options.baselines:
            scorer = method.model, "bertscore"
            loaded.setdefault(scorer, DISTANCES["bertscore"].load(chosen))
    return Work(maps, options, read, loaded)


def _encoded(maps: Maps, encoder: Encoder, folder: Path | None, monitor: Monitor, *, notices: bool) -> Model:
    name, fingerprint = identity(encoder)
    monitor.stage(f"Encoding {len(maps.texts):,} texts by {name}")
    vectors = encoded(encoder, maps.texts, folder and vector_file(folder, name, fingerprint), monitor)
    if not notices:
        return Model(name, fingerprint, vectors, {})
    told = _notices(maps, lambda texts, context: encoder_notices(encoder, texts, context), monitor)
    return Model(name, fingerprint, vectors, told)


def _notices(
    maps: Maps, told: Callable[[tuple[str, ...], str], tuple[str, ...]], monitor: Monitor
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Context -> what is told of each map's texts."""
    monitor.stage(f"Looking at the texts of {len(maps):,} maps")
    texts = list(maps.texts)
    found: dict[str, list[tuple[str, ...]]] = {context: [] for context in maps.read}
    for number in range(len(maps)):
        for context, read in maps.read.items():
            of_map = tuple(texts[text] for text in read[maps.place(number)].tolist())
            found[context].append(told(of_map, context))
        monitor.advance(number + 1, len(maps))
        monitor.check()
    return {context: tuple(notices) for context, notices in found.items()}
