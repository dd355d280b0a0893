"""The options of the method: those of one comparison, and in the plural those of many."""

import argparse
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from tted_core.baselines import BASELINES
from tted_core.cli.shared import fail
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, distances_at_hand
from tted_core.distances.ndd.weights import COMPRESSION
from tted_core.encoders.masked_model import MASKED_MODELS
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.errors import OptionsError
from tted_core.presets import PRESETS, preset
from tted_core.registry import lookup
from tted_core.solvers import SOLVERS
from tted_core.weighing import Gap, checked_gap, checked_power

Value = TypeVar("Value")

NAMES = "NAME[,NAME...]|all"


def add_encoder(parser: argparse.ArgumentParser) -> None:
    """Add the options of encoding."""
    parser.add_argument(
        "--encoder",
        default="minilm",
        metavar="NAME|ID|FOLDER",
        help=f"{', '.join(ENCODERS)}, a model id of the Hugging Face hub, or a folder (default: minilm)",
    )
    parser.add_argument(
        "--no-cache", action="store_true", help="neither look up nor keep embeddings on disk (see TTED_CACHE)"
    )


def add_masked_model(parser: argparse.ArgumentParser, *, default: str | None) -> None:
    """Add ``--masked-model``; without a default it may be "none", and the first known one is only tried."""
    first = next(iter(MASKED_MODELS))
    known = ", ".join(MASKED_MODELS)
    parser.add_argument(
        "--masked-model",
        default=default,
        metavar="NAME|ID|FOLDER" if default else "NAME|ID|FOLDER|none",
        help=f"the masked language model: {known}, a model id of the Hugging Face hub, or a folder (default: "
        f"{first}{'' if default else ', if it can be had'})",
    )


def add_weights(parser: argparse.ArgumentParser) -> None:
    """Add ``--mu`` and ``--nu``, by default as in compression."""
    for name, told in (("mu", "the distance from the span"), ("nu", "the place in the sentence")):
        value = getattr(COMPRESSION, name)
        parser.add_argument(
            f"--{name}",
            type=float,
            default=value,
            metavar="X",
            help=f"weight by {told}, up to 1 (default: {value})",
        )


def add_method(
    parser: argparse.ArgumentParser, *, masked: bool = False, default: str = next(iter(PRESETS))
) -> None:
    """Add the method's options; ``masked`` offers distances by a masked model too, ``default`` is the preset."""
    distances = DISTANCES if masked else distances_at_hand()
    parser.add_argument("--distance", choices=distances, help="what two sentences are apart")
    parser.add_argument("--order", choices=SOLVERS, help="what the order of siblings counts")
    parser.add_argument("--context", choices=CONTEXTS, help="what a sentence is read with")
    add_weighing(parser, default)


def add_preset(parser: argparse.ArgumentParser, default: str = next(iter(PRESETS))) -> None:
    """Add ``--preset``, which says what the options are that aren't given; see ``settled``."""
    told = "; ".join(
        f"{name}: {', '.join(f'{option} {value}' for option, value in preset(name).items())}"
        for name in PRESETS
    )
    parser.add_argument(
        "--preset",
        default=default,
        choices=PRESETS,
        help=f"{told} (default: {default})",
    )


def settled(options: argparse.Namespace) -> argparse.Namespace:
    """The options, with those of the preset where none was given; ``distances`` is the plural of ``distance``."""
    for option, value in preset(options.preset).items() if "preset" in options else ():
        for name, default in ((option, value), (f"{option}s", str(value))):
            if getattr(options, name, "") is None:
                setattr(options, name, default)
    return options


def add_weighing(parser: argparse.ArgumentParser, default: str = next(iter(PRESETS))) -> None:
    """Add ``--preset``, whose ``default`` is given, ``--gap`` and ``--power``."""
    add_preset(parser, default)
    parser.add_argument(
        "--gap",
        type=_checked_by(checked_gap),
        metavar="X|=X",
        help="what a missing sentence costs: X more than its distance to the empty text, or =X whatever it says",
    )
    parser.add_argument(
        "--power",
        type=_checked_by(checked_power),
        metavar="P",
        help="how much the worst sentences weigh: costs are added up as P-th powers, and the root is taken",
    )


def _checked_by(check: Callable[[str], Value]) -> Callable[[str], Value]:
    def value(given: str) -> Value:
        try:
            return check(given)
        except OptionsError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return value


def chosen_names(asked: str, registry: Mapping[str, object], kind: str) -> list[str]:
    """The names in NAME[,NAME...]|all|none; a registry may hold the name "none" itself.

    Raises:
        UnknownNameError: a name that the registry doesn't hold.
    """
    if asked in {"all", "none"} - set(registry):
        return list(registry) if asked == "all" else []
    names = [name.strip() for name in asked.split(",")]
    for name in names:
        lookup(registry, name, kind)
    return names


@dataclass(frozen=True)
class Combinations:
    """Names of what is combined, and the values of ``gap`` and ``power``."""

    encoders: tuple[str, ...]
    distances: tuple[str, ...]
    orders: tuple[str, ...]
    contexts: tuple[str, ...]
    gaps: tuple[Gap, ...]
    powers: tuple[float, ...]
    baselines: tuple[str, ...]


def add_combinations(parser: argparse.ArgumentParser, *, baselines: str, masked: bool = False) -> None:
    """Add the options of the method in the plural; ``baselines`` says what becomes of a baseline.

    ``masked`` offers distances by a masked model too, which "all" has only if one is named.
    """
    parser.add_argument(
        "--encoders",
        "--encoder",
        default="minilm",
        metavar="NAME[,NAME...]",
        help=f"of {', '.join(ENCODERS)}",
    )
    distances = DISTANCES if masked else distances_at_hand()
    if masked:
        add_masked_model(parser, default=None)
    for plural, registry in (("distances", distances), ("orders", SOLVERS), ("contexts", CONTEXTS)):
        parser.add_argument(f"--{plural}", f"--{plural[:-1]}", metavar=NAMES, help=", ".join(registry))
    parser.add_argument(
        "--gaps", "--gap", metavar="X|=X[,...]", help="what a missing sentence costs; see tted compare --help"
    )
    parser.add_argument("--powers", "--power", metavar="P[,P...]", help="how much the worst sentences weigh")
    add_preset(parser)
    parser.add_argument(
        "--baselines",
        default="none",
        metavar=f"{NAMES}|none",
        help=f"{baselines}, of {', '.join(BASELINES)} (default: none)",
    )
    add_time_limit(parser, "seconds per pair for an order that may take long")


def combined(options: argparse.Namespace) -> Combinations:
    """What ``add_combinations``' options name.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: a gap or a power that is none.
    """
    named = "masked_model" in options and (options.masked_model or options.distances != "all")
    return Combinations(
        tuple(dict.fromkeys(name.strip() for name in options.encoders.split(","))),
        tuple(chosen_names(options.distances, DISTANCES if named else distances_at_hand(), "distance")),
        tuple(chosen_names(options.orders, SOLVERS, "order")),
        tuple(chosen_names(options.contexts, CONTEXTS, "context")),
        tuple(checked_gap(gap) for gap in options.gaps.split(",")),
        tuple(checked_power(power) for power in options.powers.split(",")),
        tuple(chosen_names(options.baselines, BASELINES, "baseline")),
    )


def method(options: argparse.Namespace) -> dict[str, Any]:
    """What ``add_method``'s options say, as ``compare`` takes it."""
    return {name: getattr(options, name) for name in preset(options.preset)}


def add_time_limit(parser: argparse.ArgumentParser, told: str) -> None:
    """Add ``--time-limit``; see ``time_limit``."""
    parser.add_argument("--time-limit", type=float, metavar="S", help=told)


def time_limit(options: argparse.Namespace) -> float | None:
    """The seconds of ``--time-limit``, which end the command if they are none."""
    if options.time_limit is not None and not 0 < options.time_limit < math.inf:
        fail("--time-limit takes a finite number of seconds above 0")
    seconds: float | None = options.time_limit
    return seconds
