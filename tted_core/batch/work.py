"""What a batch works with: its maps, its settings, and the models' vectors of all texts."""

from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.batch.maps import Maps
from tted_core.batch.settings import BatchOptions, Setting
from tted_core.batch.vectors import Vectors
from tted_core.distances import DISTANCES, LoadedDistance

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


@cache
def _of_texts(name: str) -> LoadedDistance:
    return DISTANCES[name].load()
