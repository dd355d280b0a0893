"""What a batch works with: its maps, its methods, and the models' vectors of all texts, which are made here."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.batch.maps import Maps
from tted_core.batch.settings import BatchOptions
from tted_core.batch.vectors import Vectors, encoded, vector_file
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.encoders.remembered import identity
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.method import Method
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.notices import encoder_notices
from tted_core.words.splitting import without_surrogates

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
            told = _notices(maps, distance.texts_notices) if notices else {}
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
    told = _notices(maps, lambda texts, context: encoder_notices(encoder, texts, context))
    return Model(name, fingerprint, vectors, told)


def _notices(
    maps: Maps, told: Callable[[tuple[str, ...], str], tuple[str, ...]]
) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Context -> what is told of each map's texts."""
    texts = list(maps.texts)
    return {
        context: tuple(
            told(tuple(texts[text] for text in read[maps.place(number)].tolist()), context)
            for number in range(len(maps))
        )
        for context, read in maps.read.items()
    }
