"""What is computed for each of many pairs: methods combined of several options, and a batch's record of them."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
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
    """All methods that go together, those that need the same costs one after another.

    A distance is measured by each encoder, or once by the model that it reads instead; what doesn't go with a
    context is left out.

    Args:
        encoders: names of encoders.
        distances: names of ``DISTANCES``.
        contexts: names of ``CONTEXTS``.
        options: values of the other options, by their names in the plural (``SEVERAL``); one of those of which all
            methods have the same, by its name. The default for each that isn't named.
    """
    encoders, distances, contexts = list(encoders), list(distances), list(contexts)
    # The order changes first, as it alone needs no other costs.
    names = sorted(
        SEVERAL.keys() - {"encoder", "distance", "context"}, key=lambda name: (name == "order", name)
    )
    values = [
        tuple(map(OPTIONS[name].check, options.pop(SEVERAL[name], (getattr(Method, name),))))
        for name in names
    ]
    same = Method(**options)  # checked even if nothing is combined
    methods = tuple(
        Method.by_model(model, distance, **options, context=context, **dict(zip(names, each, strict=True)))
        for model, context, distance in all_settings(encoders, contexts, distances, same.masked_model)
        for each in itertools.product(*values)
    )
    if not methods:
        for distance, context in itertools.product(distances, contexts):
            DISTANCES[distance].check_goes_with(context)
    return methods


def by_costs(methods: Iterable[Method]) -> Iterator[tuple[Method, tuple[Method, ...]]]:
    """The methods in groups that need the same costs, each with its first one."""

    def key(each: Method) -> tuple[Any, ...]:
        return each.model, *(getattr(each, name) for name in SEVERAL if name not in {"encoder", "order"})

    for _, group in itertools.groupby(methods, key):
        alike = tuple(group)
        yield alike[0], alike


def in_plural(methods: Sequence[Method]) -> dict[str, Any]:
    """What ``combined`` makes these methods of."""
    several = {
        plural: list(dict.fromkeys(getattr(method, name) for method in methods))
        for name, plural in SEVERAL.items()
    }
    return several | {name: getattr(methods[0], name) for name in OPTIONS if name not in SEVERAL}


@dataclass(frozen=True)
class BatchOptions:
    """The methods and baselines of a batch, and how its maps are read.

    Attributes:
        methods: what is computed for each pair, a row each, of one depth; see ``combined``.
        baselines: names of ``MEASURES``, columns of each row.
        reading: how maps are read.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        sentences: whether rows count how many sentences are the same, reworded, moved, merged, split, replaced,
            missing and extra (``explain.correspondence``). It takes longer than all else of a pair.
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
        if not self.methods:  # not a row would come out
            raise OptionsError("no order or no distance is named, so there is nothing to compute; name one")

    @property
    def depth(self) -> int | None:
        """The levels to which all maps are trimmed."""
        return self.methods[0].depth

    @property
    def contexts(self) -> tuple[str, ...]:
        """The contexts of the methods, each once."""
        return tuple(dict.fromkeys(method.context for method in self.methods))

    @property
    def described(self) -> dict[str, Any]:
        """As they are written down, to be compared when a run goes on; ``of_described`` reads it."""
        return {
            **in_plural(self.methods),
            "baselines": list(self.baselines),
            **asdict(self.reading),
            "equivalence": self.equivalence,
            "sentences": self.sentences,
        }

    @classmethod
    def of_described(cls, told: dict[str, Any]) -> "BatchOptions":
        """The options that ``described`` gave.

        Raises:
            TypeError: something else.
        """
        options = dict(told)
        baselines = tuple(options.pop("baselines"))
        reading = Reading(*(options.pop(each.name) for each in fields(Reading)))
        equivalence, sentences = float(options.pop("equivalence")), bool(options.pop("sentences"))
        return cls(combined(**options), baselines, reading, equivalence, sentences)
