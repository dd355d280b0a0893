"""Arguments of several commands: the options of the method, also in the plural, measures, models and figures."""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tted_core.baselines.suite import EQUIVALENCE, check_equivalence
from tted_core.cli.shared import ENCODING, Argument, Options, argument, file_name, split_names, write_output
from tted_core.errors import TTEDError, lookup, require
from tted_core.figures.style import RENDERERS, Spec, render_figure
from tted_core.foundations.output import ending
from tted_core.method import DEFAULT_PRESET, OPTIONS, PLURALS, PRESETS, Method

NAME_LIST = "NAME[,NAME...]|all"


def _check_by(check: Callable[[Any], Any]) -> Callable[[str], Any]:
    def value(given: str) -> Any:
        try:
            return check(given)
        except TTEDError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return value


def option_argument(name: str, *, several: bool = False) -> Argument:
    """The argument of one option, or of ``several`` values of it, for which the singular is taken too.

    If it isn't given, its value is None where presets set it.
    """
    option = OPTIONS[name]
    if several:
        metavar = NAME_LIST if option.names and not option.metavar else f"{option.metavar}[,...]"
        text = f"{option.help}: {', '.join(option.names)}" if option.names else option.help
        return argument(f"--{PLURALS[name]}", f"--{name}", metavar=metavar, help=text)
    is_preset = any(name in options for options in PRESETS.values())
    how: dict[str, Any] = {"metavar": option.metavar, "type": _check_by(option.check)}
    if option.names and not option.metavar:
        how = {"choices": option.names}
    default = None if is_preset else getattr(Method, name)
    text = option.help
    if option.names and option.metavar:
        known = ", ".join(option.names)
        text += f": {known}, a model id of the Hugging Face hub, or a folder (default: {default})"
    return argument(f"--{name.replace('_', '-')}", help=text, default=default, **how)


ENCODER_ARGUMENTS = (option_argument("encoder"), *ENCODING)

# An argument for each option of the method.
METHOD: tuple[Argument, ...] = (
    *ENCODER_ARGUMENTS,
    *(option_argument(name) for name in OPTIONS if name != "encoder"),
)

# For commands that give the measures of the suite.
EQUIVALENT = argument(
    "--equivalence",
    type=_check_by(check_equivalence),
    default=EQUIVALENCE,
    metavar="X",
    help="the distance of two nodes up to which they are equivalent, for structural_tted and equivalent_share "
    f"(default: {EQUIVALENCE:g}, with cosine a cosine of {1 - EQUIVALENCE**2:g})",
)

PRESET = argument(
    "--preset",
    default=DEFAULT_PRESET,
    choices=PRESETS,
    help="; ".join(
        f"{name}: {', '.join(f'{option} {OPTIONS[option].text(value)}' for option, value in options.items())}"
        for name, options in PRESETS.items()
    )
    + f" (default: {DEFAULT_PRESET})",
)


def combination_arguments(*, depth: bool = True) -> tuple[Argument, ...]:
    """The options of the method in the plural, with ``--depth`` if there is to be one, and ``--preset``."""
    names = [name for name in OPTIONS if depth or name != "depth"]
    return (*(option_argument(name, several=name in PLURALS) for name in names), PRESET)


def baselines_argument(registry: Iterable[str], default: str = "none") -> Argument:
    """``--baselines``, of the names in ``registry``."""
    return argument(
        "--baselines",
        default=default,
        metavar=f"{NAME_LIST}|none",
        help=f"measures to add, of {', '.join(registry)} (default: {default})",
    )


def method(options: Options, preset: str | None = None) -> Method:
    """The method by the values of ``METHOD`` and by a preset, ``PRESET`` by default."""
    return Method.of(preset or options.preset, **_pick_given(options, OPTIONS))


def read_combinations(options: Options) -> dict[str, Any]:
    """The values of ``combination_arguments``, as ``combine`` takes them."""
    found = _pick_given(options, [name for name in OPTIONS if name not in PLURALS])
    for name, plural in PLURALS.items():
        given, option = getattr(options, plural), OPTIONS[name]
        if given is None:
            found[plural] = (PRESETS[options.preset].get(name, getattr(Method, name)),)
        elif option.names and not option.metavar:
            found[plural] = tuple(pick_names(given, option.names, name))
        else:
            values = (option.check(each.strip()) for each in given.split(","))
            found[plural] = tuple(dict.fromkeys(values))
    return found


def pick_names(given: str, registry: Iterable[str], kind: str) -> list[str]:
    """The names in NAME[,NAME...]|all|none; a registry may hold the name "none" itself."""
    known = dict.fromkeys(registry)
    if given in {"all", "none"} - set(known):
        return list(known) if given == "all" else []
    names = list(dict.fromkeys(split_names(given)))
    for name in names:
        lookup(known, name, kind)
    return names


def _pick_given(options: Options, names: Iterable[str]) -> dict[str, Any]:
    """The values of those of these arguments that are given."""
    values = {name: getattr(options, name, None) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def figure_of(what: str) -> Argument:
    """``--figure`` that draws ``what``."""
    return argument(
        "--figure",
        type=file_name,
        metavar="FILE",
        help=f"also draw {what}; the file's ending sets the format: {', '.join(RENDERERS)}",
    )


def check_figure(options: Options) -> None:
    """Check before the long work that the figure can be drawn, if there is to be one."""
    if options.figure is not None:
        lookup(RENDERERS, ending(options.figure), "ending of a picture's file")
        require("figures")


def write_figure(make: Callable[[], Spec], options: Options) -> None:
    """Draw the figure into its file, if there is to be one."""
    if options.figure is not None:
        write_output(lambda: render_figure(make(), Path(options.figure).suffix), options.figure)
