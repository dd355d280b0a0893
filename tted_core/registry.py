"""The one way a name becomes a function: plain dicts and ``lookup``."""

from collections.abc import Mapping
from typing import TypeVar

from tted_core.errors import UnknownNameError

Entry = TypeVar("Entry")


def lookup(registry: Mapping[str, Entry], name: str, kind: str) -> Entry:
    """Return ``registry[name]``; ``kind`` ("encoder", "distance" ...) is the word used in the error.

    Raises:
        UnknownNameError: no such name; the message lists those there are.
    """
    try:
        return registry[name]
    except KeyError:
        names = ", ".join(registry)
        raise UnknownNameError(f"unknown {kind} {name!r}; choose one of: {names}") from None
