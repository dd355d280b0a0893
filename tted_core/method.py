"""The method of a comparison: its options, each declared once, the presets, and signatures.

An option is declared as a field of :class:`Method` with an :class:`~tted_core.options.Option`, which checks,
formats and describes it. Command-line arguments, page inputs, links, the JSON of a result, signatures and their
parser and the columns of a batch derive from these.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from tted_core.arithmetic import MAX_GAP, MAX_POWER, check_gap, check_power, gap_text, pairing_limit
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, Distance
from tted_core.encoders.sentence_encoder import ENCODERS, find_encoder
from tted_core.errors import MAX_DEPTH, OptionsError, lookup
from tted_core.options import (
    Option,
    check_depth,
    check_model_name,
    check_name,
    check_time_limit,
    declare_option,
)
from tted_core.solvers import SOLVERS
from tted_core.version import VERSION

_COMMON = {"distance": "cosine", "order": "constrained", "context": "none"}

# Named sets of options. "published" is what the published code computes by default, except for its arithmetic in
# single precision. "proofreading" finds single wrong sentences in two versions of nearly the same map; it was
# chosen on sample_trees by a criterion stated in docs/quality.md. "similarity" agrees more with human judgements
# of how similar two maps are: sentences whose cosine is below 0.36 are one missing and one extra, never replaced.
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "published": {**_COMMON, "gap": 0.0, "power": 1.0},
        "proofreading": {**_COMMON, "gap": "=0.8", "power": 8.0},
        "similarity": {**_COMMON, "gap": "=0.4", "power": 1.0},
    }
)

DEFAULT_PRESET = "published"  # the default of the library, the commands and the pages

_DEFAULT = PRESETS[DEFAULT_PRESET]


@dataclass(frozen=True, kw_only=True)
class Method:
    """The options of a comparison, checked.

    Attributes:
        encoder: a name for ``load_encoder``; used by distances between vectors.
        distance: a name of ``DISTANCES``.
        order: a name of ``SOLVERS``, the variant of the tree edit distance: ordered, constrained or unordered.
        context: a name of ``CONTEXTS``.
        gap: cost of an indel: a number to add to the node's distance to the empty text, or "=x" for the fixed cost
            x (:mod:`tted_core.arithmetic`).
        power: the exponent p of d_p = (sum of costs^p)^(1/p).
        depth: the k of TTED@k, to which both trees are trimmed; None compares whole maps.
        time_limit: seconds for the search of an order that may take long, and as many again for all TTED@k
            together.

    >>> Method(distance="levenshtein").order
    'constrained'
    """

    encoder: str = declare_option(
        "minilm",
        label="Encoder",
        help="The language model that turns a text into a vector",
        metavar="NAME|ID|FOLDER",
        check=check_model_name,
        names=ENCODERS,
        key="enc",
    )
    distance: str = declare_option(
        _DEFAULT["distance"],
        label="Distance",
        help="The distance between node texts",
        check=partial(check_name, DISTANCES, "distance"),
        names=DISTANCES,
        key="dist",
    )
    order: str = declare_option(
        _DEFAULT["order"],
        label="Order",
        help="The variant of the tree edit distance: whether the order of siblings counts",
        check=partial(check_name, SOLVERS, "order"),
        names=SOLVERS,
        key="order",
    )
    context: str = declare_option(
        _DEFAULT["context"],
        label="Context",
        help="The nodes read together with a node's text",
        check=partial(check_name, CONTEXTS, "context"),
        names=CONTEXTS,
        key="ctx",
    )
    gap: float | str = declare_option(
        _DEFAULT["gap"],
        label="Cost of a missing or extra sentence",
        help="The cost of a missing node: its distance to the empty text plus X, or exactly X, written =X",
        metavar="X|=X",
        check=check_gap,
        key="gap",
        bounds=(0.0, MAX_GAP, 0.1),
        text=gap_text,
    )
    power: float = declare_option(
        _DEFAULT["power"],
        label="Emphasis on the largest differences (power)",
        help="The emphasis on the largest differences: the P-th root of the sum of costs to the power P",
        metavar="P",
        check=check_power,
        key="p",
        bounds=(1.0, MAX_POWER, 1.0),
        text="{:g}".format,
    )
    depth: int | None = declare_option(
        None,
        label="Depth k",
        help="Compare only the first K levels of both maps (TTED@k); the root is level 1",
        metavar="K",
        check=check_depth,
        many=False,
        key="k",
        bounds=(1, MAX_DEPTH, 1),
        text=lambda depth: str(depth or "all"),
    )
    time_limit: float | None = declare_option(
        None,
        label="Time limit in seconds",
        help="Longest time of a search in seconds; then the best script so far is used",
        metavar="S",
        check=check_time_limit,
        bounds=(1.0, 3600.0, 5.0),
        many=False,
        text=lambda seconds: "" if seconds is None else f"{seconds:g}",
    )

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            object.__setattr__(self, name, option.check(getattr(self, name)))
        self.record.check_goes_with(self.context)

    @classmethod
    def of(cls, preset: str = DEFAULT_PRESET, **options: Any) -> "Method":
        """The options of a preset, with these replaced.

        >>> Method.of("proofreading").gap
        '=0.8'
        """
        check_option_names(options, OPTIONS)
        return cls(**{**lookup(PRESETS, preset, "preset"), **options})

    @property
    def record(self) -> Distance:
        """The registry entry of the distance.

        >>> Method(distance="levenshtein").record.metric
        False
        """
        return DISTANCES[self.distance]

    @property
    def model(self) -> str:
        """The name of the encoder; "none" if the distance uses none.

        >>> Method(distance="levenshtein").model
        'none'
        """
        return "none" if self.record.reads == "none" else self.encoder

    @property
    def preset(self) -> str | None:
        """The preset with these options, if any.

        >>> Method(gap="=0.8", power=8).preset
        'proofreading'
        """
        return next(
            (
                name
                for name, options in PRESETS.items()
                if all(getattr(self, option) == value for option, value in options.items())
            ),
            None,
        )

    @property
    def in_words(self) -> str:
        """The options for a caption: "preset published, minilm, cosine, constrained, gap 0, power 1".

        >>> Method().in_words
        'preset published, minilm, cosine, constrained, gap 0, power 1'
        """
        preset = f"preset {self.preset}" if self.preset else ""
        model = self.model if self.model != "none" else ""
        context = f"context {self.context}" if self.context != "none" else ""
        gap, power = f"gap {gap_text(self.gap)}", f"power {self.power:g}"
        depth = f"k {self.depth}" if self.depth else ""
        words = (preset, model, self.distance, self.order, context, gap, power, depth)
        return ", ".join(filter(None, words))

    @property
    def notices(self) -> tuple[str, ...]:
        """Warnings about the gap and the distance.

        >>> Method().notices
        ()
        """
        of_gap = []
        if isinstance(self.gap, str):
            known, reach = find_encoder(self.model), pairing_limit(self.gap, self.power)
            if known and self.distance == "cosine" and known.farthest <= reach:
                of_gap.append(
                    f"with {self.model} nearly all distances are below {known.farthest:g}, so the gap {self.gap} "
                    "almost never leaves two sentences unpaired; choose the gap 0"
                )
        elif self.gap:
            of_gap.append(
                f"the gap {self.gap:g} is added to each missing node's distance to the empty text; "
                f"={self.gap:g} would be all that a missing node costs"
            )
        return (*of_gap, *self.record.notices)

    @property
    def described(self) -> dict[str, Any]:
        """The options as JSON-compatible data; "encoder" is "none" if the distance uses none.

        >>> Method().described["power"]
        1.0
        """
        return {name: getattr(self, name) for name in OPTIONS} | {"encoder": self.model}

    @classmethod
    def of_described(cls, described: Mapping[str, Any]) -> "Method":
        """The method of ``described`` options; a missing gap and power are the published ones.

        >>> Method.of_described(Method().described) == Method()
        True
        """
        options = {"gap": 0.0, "power": 1.0, **described}
        for name in sorted(OPTIONS.keys() ^ options.keys()):
            word = "missing" if name in OPTIONS else "not known to this version of TTED"
            raise OptionsError(f"the option {name!r:.40} is {word}")
        if lookup(DISTANCES, options["distance"], "distance").reads == "none":
            options["encoder"] = cls.encoder
        return cls(**options)

    @property
    def columns(self) -> dict[str, Any]:
        """The options as columns of a batch row.

        >>> Method().columns["gap"]
        '0'
        """
        described = self.described
        return {name: described[name] for name in SETTING_COLUMNS} | {"gap": gap_text(self.gap)}

    @classmethod
    def of_columns(cls, row: Mapping[str, Any]) -> "Method":
        """The method of a batch row, which has no time limit.

        >>> Method.of_columns(Method().columns) == Method()
        True
        """
        return cls.of_described({"time_limit": None, **{name: row[name] for name in SETTING_COLUMNS}})

    def with_model(self, name: str) -> "Method":
        """This method with another encoder, given by name.

        >>> Method().with_model("labse").encoder
        'labse'
        """
        return self if name == self.model else replace(self, encoder=name)


# The options of the method by name, in the order of batch columns.
OPTIONS: dict[str, Option] = {each.name: each.metadata["option"] for each in fields(Method)}


def check_option_names(options: Iterable[str], known: Iterable[str], hint: str = "") -> None:
    """Raise ``OptionsError`` for a name that isn't a known option; ``hint`` ends the message."""
    if unknown := sorted(set(options).difference(known)):
        raise OptionsError(f"there is no option {unknown[0]!r:.40}; choose from: {', '.join(known)}{hint}")


# The options that identify the setting of a batch row.
SETTING_COLUMNS = tuple(name for name, option in OPTIONS.items() if option.key)

# The options of which a batch combines several values -> their plural names.
PLURALS = {name: f"{name}s" for name, option in OPTIONS.items() if option.many}


@dataclass(frozen=True)
class Signature:
    """A line with which a number can be reproduced, in the manner of sacreBLEU (Post 2018).

    ``parts`` are in order, by their keys.
    """

    parts: dict[str, str]

    def __str__(self) -> str:
        return "|".join(("TTED", *(f"{key}:{value}" for key, value in self.parts.items())))

    @classmethod
    def of(cls, method: Method, fingerprint: str) -> "Signature":
        """The signature of a method and its model's fingerprint, before there is a result."""
        parts = {
            option.key: option.text(getattr(method, name)) for name, option in OPTIONS.items() if option.key
        }
        parts["enc"] = f"{method.model}@{fingerprint}"
        return cls({"order": parts.pop("order"), "proven": "", **parts, "in": "", "v": VERSION})

    def with_result(self, *, proven: bool, digests: Sequence[str]) -> "Signature":
        """The signature of a result; ``digests`` are of both trees as given."""
        inputs = ",".join(digest[:8] for digest in digests)
        return Signature(self.parts | {"proven": "yes" if proven else "no", "in": inputs})

    @classmethod
    def read(cls, line: str) -> "Signature":
        """Parse a signature; without parts if the line has none.

        >>> Signature.read("TTED|order:ordered|in:1,2").parts
        {'order': 'ordered', 'in': '1,2'}
        """
        split = (part.partition(":") for part in line.split("|"))
        return cls({key: value for key, sign, value in split if sign})

    @property
    def setting(self) -> str:
        """The parts that don't depend on the pair of maps, as text."""
        return "|".join(f"{key}:{value}" for key, value in self.parts.items() if key not in {"proven", "in"})
