"""What a reader of the rows should know of the samples' texts: which samples it is true of."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from tted_core.formats.forest import listed
from tted_core.lab.quality.samples import Sample
from tted_core.tree import TextTree

Told: TypeAlias = Callable[[Sequence[TextTree]], tuple[str, ...]]
"""Maps -> what a reader of a measure's scores of them should know."""

OF_TEXTS = ("encoder", "distance", "context")
"""The options that decide which texts are read, and by what."""


class Notices:
    """The notices of the measures, each once, with the samples that it is about."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._samples = samples
        self._seen: set[tuple[Any, ...]] = set()
        self._names: dict[str, dict[str, None]] = {}

    def add(self, options: Mapping[str, Any], told: Told) -> None:
        """Add what a measure tells of each sample, unless one that reads the same has."""
        key = tuple(options.get(name) for name in OF_TEXTS)
        if key in self._seen:
            return
        self._seen.add(key)
        for sample in self._samples:
            for notice in told(sample.trees):
                self._names.setdefault(notice, {})[sample.name] = None

    @property
    def told(self) -> tuple[str, ...]:
        """Each notice, after the names of its samples if it isn't about them all."""
        return tuple(
            notice if len(names) == len(self._samples) else f"{listed(names)}: {notice}"
            for notice, names in self._names.items()
        )
