"""Word lists of claims.toml, and values of words in them."""

import tomllib
from functools import cache, lru_cache
from importlib.resources import files

LISTS: dict[str, dict[str, str]] = tomllib.loads(
    (files(__package__) / "claims.toml").read_text(encoding="utf-8")
)
"""Kind of list -> language (of units: dimension) -> entries."""


@lru_cache(65_536)  # the same few thousand words, looked up in 80 lists
def value_in(entries: str, word: str) -> float | None:
    """The value of a lower-case word in a list, 1 by default; None if it isn't in the list.

    >>> value_in("ten:10 doubl*:2 never", "doubled"), value_in("ten:10 doubl*:2 never", "never")
    (2.0, 1.0)
    """
    whole, beginnings = _table(entries)
    if word in whole:
        return whole[word]
    return next((beginnings[word[:n]] for n in range(len(word), 1, -1) if word[:n] in beginnings), None)


@cache
def _table(entries: str) -> tuple[dict[str, float], dict[str, float]]:
    pairs = [
        (word, float(value or 1)) for word, _, value in (entry.partition(":") for entry in entries.split())
    ]
    whole = {word: value for word, value in pairs if not word.endswith("*")}
    return whole, {word[:-1]: value for word, value in pairs if word.endswith("*")}
