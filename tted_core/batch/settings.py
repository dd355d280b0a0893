"""Settings of a batch: methods combined from several options, and their serialisation."""

import itertools
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any

from tted_core.baselines import MEASURES
from tted_core.baselines.suite import EQUIVALENCE, checked_equivalence
from tted_core.distances import DISTANCES, all_settings
from tted_core.errors import OptionsError
from tted_core.formats.map_collections import DEFAULT_READING, Reading
from tted_core.foundations.registry import lookup
from tted_core.method import OPTIONS, SEVERAL, Method


def combined(
    encoders: Iterable[str] = ("minilm",),
    *,
    distances: Iterable[str] = (Method.distance,),
    contexts: Iterable[str] = (Method.context,),
    **options: Any,
) -> tuple[Method, ...]:
    """All valid methods, ordered so that methods with the same costs are adjacent.

    A distance is measured with each encoder, or once with the model that it uses instead; invalid combinations
    of a distance and a context are left out.

    Args:
        encoders: names of encoders.
        distances: names of ``DISTANCES``.
        contexts: names of ``CONTEXTS``.
        options: values of the other options, by their plural names (``SEVERAL``); a single value for all
            methods, by the option's name. Defaults apply to the others.
    """
    encoders, distances, contexts = list(encoders), list(distances), list(contexts)
    # The order varies fastest, as it doesn't change the costs.
    names = sorted(
        SEVERAL.keys() - {"encoder", "distance", "context"}, key=lambda name: (name == "order", name)
    )
    values = [
        tuple(map(OPTIONS[name].check, options.pop(SEVERAL[name], (getattr(Method, name),))))
        for name in names
    ]
    same = Method(**options)  # validated even if nothing is combined
    methods = tuple(
        Method.by_model(model, distance, **options, context=context, **dict(zip(names, each, strict=True)))
        for model, context, distance in all_settings(encoders, contexts, distances, same.masked_model)
        for each in itertools.product(*values)
    )
    if not methods:
        for distance, context in itertools.product(distances, contexts):
            DISTANCES[distance].check_goes_with(context)
    return methods


@dataclass(frozen=True)
class BatchOptions:
    """The methods and baselines of a batch, and the options for reading its maps.

    Attributes:
        methods: the methods, one row per pair each, all of one depth; see ``combined``.
        baselines: names of ``MEASURES``, columns of each row.
        reading: options for reading maps.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        sentences: count sentences by status (``matching``), which takes longer than all else.
    """

    methods: tuple[Method, ...] = (Method(),)
    baselines: tuple[str, ...] = ()
    reading: Reading = DEFAULT_READING
    equivalence: float = EQUIVALENCE
    sentences: bool = False

    def __post_init__(self) -> None:
        checked_equivalence(self.equivalence)
        for name in self.baselines:
            lookup(MEASURES, name, "baseline")
        if not self.methods:  # there would be no rows
            raise OptionsError("no order or no distance is given, so there is nothing to compute; give one")

    @property
    def depth(self) -> int | None:
        """The levels to which all maps are trimmed."""
        return self.methods[0].depth

    @property
    def contexts(self) -> tuple[str, ...]:
        """The distinct contexts of the methods."""
        return tuple(dict.fromkeys(method.context for method in self.methods))

    @property
    def described(self) -> dict[str, Any]:
        """The options as JSON-compatible data, compared when a run is resumed; ``of_described`` is the inverse."""
        return {
            **{
                plural: list(dict.fromkeys(getattr(each, name) for each in self.methods))
                for name, plural in SEVERAL.items()
            },
            **{name: getattr(self.methods[0], name) for name in OPTIONS if name not in SEVERAL},
            "baselines": list(self.baselines),
            **asdict(self.reading),
            "equivalence": self.equivalence,
            "sentences": self.sentences,
        }

    @classmethod
    def of_described(cls, described: dict[str, Any]) -> "BatchOptions":
        """The options of ``described`` data.

        Raises:
            TypeError: other data.
        """
        options = dict(described)
        baselines = tuple(options.pop("baselines"))
        reading = Reading(*(options.pop(each.name) for each in fields(Reading)))
        equivalence, sentences = float(options.pop("equivalence")), bool(options.pop("sentences"))
        return cls(combined(**options), baselines, reading, equivalence, sentences)
