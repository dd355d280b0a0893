"""The options of the method as arguments: of one comparison, and in the plural of many."""

import argparse
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tted_core.baselines import BASELINES
from tted_core.baselines.suite import EQUIVALENCE, checked_equivalence
from tted_core.batch.settings import combined
from tted_core.cli.shared import NO_CACHE, Argument, argument, split_names
from tted_core.distances import distances_at_hand
from tted_core.encoders.masked_model import MASKED_MODELS
from tted_core.errors import TTEDError
from tted_core.foundations.registry import lookup
from tted_core.method import DEFAULT_PRESET, OPTIONS, PRESETS, SEVERAL, Method

NAMES = "NAME[,NAME...]|all"


def _checked_by(check: Callable[[Any], Any]) -> Callable[[str], Any]:
    def value(given: str) -> Any:
        try:
            return check(given)
        except TTEDError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return value


def option_argument(name: str, *, masked: bool = True, several: bool = False) -> Argument:
    """The argument of one option, or of ``several`` values of it, for which the singular is taken too.

    If it isn't given, its value is None where presets set it.
    """
    option = OPTIONS[name]
    names = distances_at_hand() if name == "distance" and not masked else option.names
    if several:
        metavar = NAMES if names and not option.metavar else f"{option.metavar}[,...]"
        text = f"{option.help}: {', '.join(names)}" if names else option.help
        return argument(f"--{SEVERAL[name]}", f"--{name}", metavar=metavar, help=text)
    is_preset = any(name in options for options in PRESETS.values())
    how: dict[str, Any] = {"metavar": option.metavar, "type": _checked_by(option.check)}
    if names and not option.metavar:
        how = {"choices": names}
    default = None if is_preset else getattr(Method, name)
    text = option.help
    if option.names and option.metavar:
        known = ", ".join(option.names)
        text += f": {known}, a model id of the Hugging Face hub, or a folder (default: {default})"
    return argument(f"--{name.replace('_', '-')}", help=text, default=default, **how)


ENCODER = (option_argument("encoder"), NO_CACHE)

EQUIVALENT = argument(
    "--equivalence",
    type=_checked_by(checked_equivalence),
    default=EQUIVALENCE,
    metavar="X",
    help="the distance of two nodes up to which they are equivalent, for structural_tted and equivalent_share "
    f"(default: {EQUIVALENCE:g}, with cosine a cosine of {1 - EQUIVALENCE**2:g})",
)
"""For commands that give the measures of the suite."""


def method_arguments(*, masked: bool = False) -> tuple[Argument, ...]:
    """An argument for each option of the method, and ``--preset``; ``masked`` offers a masked model too."""
    names = [name for name in OPTIONS if name != "encoder" and (masked or name != "masked_model")]
    return (*ENCODER, *(option_argument(name, masked=masked) for name in names), preset_argument())


def preset_argument(*, several: bool = False) -> Argument:
    """``--preset``, which sets the options that aren't given; ``several`` takes a list of them."""
    text = "; ".join(
        f"{name}: {', '.join(f'{option} {OPTIONS[option].text(value)}' for option, value in options.items())}"
        for name, options in PRESETS.items()
    )
    how: dict[str, Any] = {"default": DEFAULT_PRESET, "choices": PRESETS}
    if several:
        how = {"default": "all", "metavar": NAMES}
    return argument("--preset", help=f"{text} (default: {how['default']})", **how)


def combination_arguments(
    *,
    baselines: str,
    registry: Mapping[str, object] = BASELINES,
    masked: bool = False,
    depth: bool = True,
    default: str = "none",
    presets: bool = False,
) -> tuple[Argument, ...]:
    """The options of the method in the plural; ``baselines`` describes the effect of one of ``registry``.

    ``masked`` offers distances by a masked model too, which "all" has only if one is named; ``depth``
    ``--depth``; ``presets`` several presets; ``default`` names the baselines where none are given.
    """
    found = []
    for name in OPTIONS:
        if name == "masked_model":
            found += [masked_model(default=None)] if masked else []
        elif depth or name != "depth":
            found.append(option_argument(name, masked=masked, several=name in SEVERAL))
    metavar, text = f"{NAMES}|none", f"{baselines}, of {', '.join(registry)} (default: {default})"
    return (
        *found,
        preset_argument(several=presets),
        argument("--baselines", default=default, metavar=metavar, help=text),
    )


def masked_model(*, default: str | None) -> Argument:
    """``--masked-model``; without a default it may be "none", and the first known one is only tried."""
    first = next(iter(MASKED_MODELS))
    known = ", ".join(MASKED_MODELS)
    return argument(
        "--masked-model",
        default=default,
        metavar="NAME|ID|FOLDER" if default else "NAME|ID|FOLDER|none",
        help=f"the masked language model: {known}, a model id of the Hugging Face hub, or a folder (default: "
        f"{first}{'' if default else ', if it can be had'})",
    )


def method(options: argparse.Namespace) -> Method:
    """The method by the values of ``method_arguments``."""
    return Method.of(options.preset, **_given(options, OPTIONS))


def chosen(options: argparse.Namespace) -> dict[str, Any]:
    """The values of ``combination_arguments``, as ``combined`` takes them."""
    named = "masked_model" in options and bool(options.masked_model or options.distances != "all")
    found = _given(options, [name for name in OPTIONS if name not in SEVERAL])
    for name, plural in SEVERAL.items():
        given, option = getattr(options, plural, None), OPTIONS[name]
        if given is None:
            single = getattr(options, name, None)
            default = PRESETS[options.preset].get(name, getattr(Method, name))
            found[plural] = (default if single is None else single,)
        elif option.names and not option.metavar:
            names = distances_at_hand() if name == "distance" and not named else option.names
            found[plural] = tuple(chosen_names(given, names, name))
        else:
            values = (option.check(each.strip()) for each in given.split(","))
            found[plural] = tuple(dict.fromkeys(values))
    return found


def methods(options: argparse.Namespace) -> tuple[Method, ...]:
    """All combinations of the values of ``combination_arguments``, by each preset."""
    found: list[Method] = []
    for preset in chosen_names(options.preset, PRESETS, "preset"):
        found += combined(**chosen(argparse.Namespace(**{**vars(options), "preset": preset})))
    return tuple(dict.fromkeys(found))


def chosen_names(given: str, registry: Mapping[str, object], kind: str) -> list[str]:
    """The names in NAME[,NAME...]|all|none; a registry may hold the name "none" itself."""
    if given in {"all", "none"} - set(registry):
        return list(registry) if given == "all" else []
    for name in split_names(given):
        lookup(registry, name, kind)
    return split_names(given)


def _given(options: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """The values of those of these arguments that are given."""
    values = {name: getattr(options, name, None) for name in names}
    return {name: value for name, value in values.items() if value is not None}
