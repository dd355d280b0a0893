"""What a batch computes for each pair, as a record that can be written down."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from tted_core.baselines import MEASURES
from tted_core.baselines.suite import EQUIVALENCE, checked_equivalence
from tted_core.batch.map_collections import AS_IT_IS, Reading
from tted_core.errors import OptionsError
from tted_core.method import Method, combined, in_plural
from tted_core.registry import lookup


@dataclass(frozen=True)
class BatchOptions:
    """The methods and baselines of a batch, and how its maps are read.

    Attributes:
        methods: what is computed for each pair, a row each, of one depth; see ``combined``.
        baselines: names of ``MEASURES``, columns of each row.
        reading: how maps are read.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.

    Raises:
        OptionsError: no method, or ``equivalence`` is no distance.
        UnknownNameError: a baseline that isn't known.
    """

    methods: tuple[Method, ...] = (Method(),)
    baselines: tuple[str, ...] = ()
    reading: Reading = AS_IT_IS
    equivalence: float = EQUIVALENCE

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
        }

    @classmethod
    def of_described(cls, told: dict[str, Any]) -> "BatchOptions":
        """The options that ``described`` gave.

        Raises:
            TTEDError: options that this version doesn't know, or that don't go together.
            TypeError: something else.
        """
        options = dict(told)
        baselines = tuple(options.pop("baselines"))
        reading = Reading(*(options.pop(each.name) for each in fields(Reading)))
        equivalence = float(options.pop("equivalence"))
        return cls(combined(**options), baselines, reading, equivalence)
