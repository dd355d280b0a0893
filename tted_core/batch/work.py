"""What a batch works with: its maps, its settings, and the models' vectors of all texts."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.batch.maps import Maps
from tted_core.batch.settings import BatchOptions, Setting
from tted_core.batch.vectors import Vectors
from tted_core.distances import DISTANCES, LoadedDistance
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.words.surrogates import without_surrogates

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
        settings: what it combines to.
        models: (model's name, distance) -> what that distance reads.
        loaded: the same -> the distance itself, where it reads something of its own.
    """

    maps: Maps
    options: BatchOptions
    settings: tuple[Setting, ...]
    models: dict[tuple[str, str], Model]
    loaded: dict[tuple[str, str], LoadedDistance]

    def distance(self, setting: Setting) -> LoadedDistance:
        """The distance of a setting that reads no vectors of sentences."""
        known = self.loaded.get((setting.encoder, setting.distance))
        return _of_texts(setting.distance) if known is None else known

    def vectors(self, setting: Setting, numbers: Iterable[int]) -> Encoder:
        """The vectors of the sentences of these maps, by the encoder that the setting's distance reads."""
        rows = self.models[setting.encoder, setting.distance].vectors.rows
        place = {
            without_surrogates(self.maps.texts[text]): text
            for number in numbers
            for text in self.maps.labels[self.maps.place(number)].tolist()
        }
        return lambda texts: rows[[place[text] for text in texts]]


@cache
def _of_texts(name: str) -> LoadedDistance:
    return DISTANCES[name].load()
