"""Lookup of names in registries, which are plain dicts."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from tted_core.errors import OptionsError, UnknownNameError
from tted_core.foundations.printable import shortened

_Entry = TypeVar("_Entry")


def lookup(registry: Mapping[str, _Entry], name: str, kind: str) -> _Entry:
    """Return ``registry[name]``; ``kind`` ("encoder", "distance" ...) is the word used in the error."""
    try:
        return registry[name]
    except (KeyError, TypeError):  # missing, or unhashable such as a list
        names = ", ".join(registry)
        raise UnknownNameError(
            f"unknown {kind} {shortened(repr(name), 60)}; choose one of: {names}"
        ) from None


def select_entries(registry: Mapping[str, _Entry], names: Iterable[str], kind: str) -> dict[str, _Entry]:
    """The entries of several names; a text is a single name, or "all" or "none"."""
    if not isinstance(names, Iterable):
        raise OptionsError(f"{kind}s are given as a list of names, not as {type(names).__name__}")
    if isinstance(names, str):
        names = {"all": tuple(registry), "none": ()}.get(names, (names,))
    return {name: lookup(registry, name, kind) for name in names}
