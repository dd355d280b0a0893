"""An option of the method as data, and the checks of its values."""

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tted_core.errors import MAX_DEPTH, InvalidTreeError, OptionsError, check_limit, lookup


@dataclass(frozen=True)
class Option:
    """An option of the method: how to offer, check and format it.

    Attributes:
        label: title on a page.
        help: description for the command line and the page.
        check: normalises a value or its text; raises a ``TTEDError`` if it is invalid.
        metavar: placeholder of the value on the command line; "" if the names are listed.
        names: the valid names; None if the value isn't a name. For models the known names, besides which an id or
            a folder may be given.
        many: True if a batch combines several values.
        key: name in a signature; "" if it isn't part of signatures and batch columns.
        text: formats a value for signatures and links.
        bounds: the lowest and the highest number, and the step of an input.
    """

    label: str
    help: str
    check: Callable[[Any], Any]
    metavar: str = ""
    names: Mapping[str, Any] | None = None
    many: bool = True
    key: str = ""
    text: Callable[[Any], str] = str
    bounds: tuple[float, float, float] | None = None


def check_name(names: Mapping[str, Any], kind: str, name: str) -> str:
    """Validate one of some names."""
    lookup(names, name, kind)
    return name


def check_model_name(name: str) -> str:
    """Validate the name of a model, which may be an id or a folder too."""
    if not isinstance(name, str):
        raise OptionsError(f"the name of a model is a text, not {name!r:.40}")
    return name


def check_depth(depth: int | str | None) -> int | None:
    """Validate a number of levels to compare; None, or the text "all", for whole maps."""
    if depth is None or (isinstance(depth, str) and depth == "all"):
        return None
    number = as_number(depth)
    if not number >= 1 or number % 1 or not isinstance(depth, str | numbers.Real):
        raise InvalidTreeError(f"depth {depth!s:.20} is not a number of levels; the root has depth 1")
    levels = int(number)
    check_limit(levels, MAX_DEPTH, "levels to compare", "leave the depth out to compare whole maps")
    return levels


def check_time_limit(seconds: float | str | None) -> float | None:
    """Validate a time limit in seconds; None for no limit."""
    number = None if seconds is None else as_number(seconds)
    if number is not None and not 0 < number < math.inf:
        raise OptionsError("the time limit is a finite number of seconds above 0")
    return number


def as_number(given: Any) -> float:
    """A number, or a text of one, as a float; NaN for anything else."""
    try:
        return math.nan if isinstance(given, bool) else float(given)
    except (ValueError, TypeError, OverflowError):
        return math.nan


def declare_option(default: Any, **attributes: Any) -> Any:
    """A field of the method with its default; ``attributes`` are those of :class:`Option`."""
    return field(default=default, metadata={"option": Option(**attributes)})
