"""Word lists of claims.toml, and numbers with their units: in digits, in words of four languages, as ratios."""

import math
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

import regex

from tted_core.words.splitting import Word

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


TOLERANCE = 0.02
"""Quantities in different units are the same within this share: 52 weeks are a year."""

MOST_OF_A_RATIO = 1_000
"""A larger number after "in" is a year."""

_DIGITS = regex.compile(r"\d{1,3}(?:[  \u202f]\d{3})+(?!\d)|\d{1,2}:\d\d|\d+(?:[.,]\d+)*")
_GROUPED = regex.compile(r"\d{1,3}([.,  \u202f])\d{3}(?:\1\d{3})*")
_TOKEN = regex.compile(rf"{_DIGITS.pattern}|%|[\p{{L}}\p{{M}}]+(?:['’\-][\p{{L}}\p{{M}}]+)*")
_RATIO = regex.compile(r"\s*(?:(?:in|out of)(?: every)?|из|von|de cada)\s*", regex.IGNORECASE)
_AND = frozenset({"and", "und", "y"})
_BEFORE_UNITS = frozenset({"a", "an", "of", "ein", "eines", "einer"})
_ALL = frozenset({"all", "alle", "все", "todos", "todas"})
_ROUGHLY = frozenset({"few", "several", "paar", "einige", "несколько"})


class Quantity(NamedTuple):
    """A number in its text."""

    values: tuple[float, ...]
    """Possible values, in seconds, metres, kilograms or as written; 1.000 is a thousand or one."""
    dimension: str
    unit: float
    """The size of its unit."""
    word: Word
    vague: bool = False
    """True for a bare "one", "ein" or "un", which is often an article, and for "a few dozen"."""

    def equals(self, other: "Quantity") -> bool:
        """Return True if both may mean the same; one without a unit may have the other's."""
        if self.dimension and other.dimension and self.dimension != other.dimension:
            return False
        tolerance = 1e-9 if self.unit == other.unit else TOLERANCE
        alike = self.dimension == other.dimension or "share" in {self.dimension, other.dimension}
        own, others = (1.0, 1.0) if alike else (self.unit, other.unit)
        return any(
            math.isclose(one / own, two / others, rel_tol=tolerance)
            for one in self.values
            for two in other.values
        )


def words_of(text: str) -> list[Word]:
    """Words, numbers and percent signs of a text, in order.

    >>> [word.text for word in words_of("It isn't 1,000 m.")]
    ['It', "isn't", '1,000', 'm']
    """
    return [Word(match[0], *match.span()) for match in _TOKEN.finditer(text)]


def quantities(text: str, language: str) -> list[Quantity]:
    """The quantities of a text, in order; words for numbers are known in the languages of claims.toml.

    >>> [quantity.values for quantity in quantities("One in four, 2 weeks, twenty-five thousand", "en")]
    [(0.25,), (1209600.0,), (25000.0,)]
    """
    found: list[Quantity] = []
    for quantity in _quantities(words_of(text), language):
        if found and _is_ratio(text, found[-1], quantity):
            before = found.pop()
            word = Word(text[before.word.start : quantity.word.end], before.word.start, quantity.word.end)
            found.append(Quantity((before.values[0] / quantity.values[0],), "", 1.0, word))
        else:
            found.append(quantity)
    return found


def _is_ratio(text: str, one: Quantity, other: Quantity) -> bool:
    """Return True for "one in four", but not for "the second one in 1943"."""
    plain = not one.dimension and not other.dimension
    between = text[one.word.end : other.word.start]
    return (
        plain and _RATIO.fullmatch(between) is not None and one.values[0] < other.values[0] <= MOST_OF_A_RATIO
    )


def _quantities(words: Sequence[Word], language: str) -> Iterator[Quantity]:
    ordinals = LISTS["ordinals"].get(language, "")
    position = 0
    while position < len(words):
        values, end = _digits(words, position, language) or _spelled(words, position, language)
        if end == position:
            rank = value_in(ordinals, words[position].text.lower())
            if rank is not None:
                yield Quantity((rank,), "rank", 1.0, words[position])
            position += 1
            continue
        last, behind = words[end - 1], end
        while values[0] < 1 and behind < len(words) and words[behind].text.lower() in _BEFORE_UNITS:
            behind += 1  # half a century
        dimension, unit = _unit(words[behind].text.lower()) if behind < len(words) else ("", 1.0)
        word = Word(" ".join(each.text for each in words[position:end]), words[position].start, last.end)
        is_of = behind < len(words) and words[behind].text.lower() == "of"
        vague = values == (1.0,) and not (dimension or is_of or word.text[0].isdigit())
        before = words[position - 1].text.lower() if position else ""
        vague |= before in _ROUGHLY
        if before in _ALL:  # "all ten" are ten of the ten
            yield Quantity(tuple(value * unit for value in values), dimension, unit, words[position - 1])
        yield Quantity(tuple(value * unit for value in values), dimension, unit, word, vague)
        position = behind + 1 if dimension else end


def _digits(words: Sequence[Word], position: int, language: str) -> tuple[tuple[float, ...], int] | None:
    """Possible values of a number in digits, with scales after it (2 million), and its end."""
    text = words[position].text
    if not _DIGITS.fullmatch(text):
        return None
    if ":" in text:
        hour = float(text.replace(":", "."))
        return (hour, hour - 12), position + 1
    bare = float(regex.sub(r"\D", "", text))
    grouped = _GROUPED.fullmatch(text)
    decimal = (float(text.replace(",", ".")),) if regex.fullmatch(r"\d+(?:[.,]\d+)?", text) else (bare,)
    values: tuple[float, ...] = (
        (bare, *decimal) if grouped and grouped[1] in ".," else (bare,) if grouped else decimal
    )
    end = position + 1
    while end < len(words) and (
        scale := value_in(LISTS["scales"].get(language, ""), words[end].text.lower())
    ):
        values, end = tuple(value * scale for value in values), end + 1
    return values, end


def _spelled(words: Sequence[Word], position: int, language: str) -> tuple[tuple[float, ...], int]:
    """The number spelled by words, and its end, which is ``position`` if there is none."""
    total = current = 0.0
    end = position
    while end < len(words):
        parts = _parts(words[end].text.lower(), language)
        joined = (total or current >= 100) and words[end].text.lower() in _AND and end + 1 < len(words)
        if joined and _parts(words[end + 1].text.lower(), language):
            end += 1
            continue
        if not parts or (end == position and parts[0][1] and language != "es"):  # "thousands of", but "mil"
            break
        for value, is_scale in parts:
            if not is_scale:
                current = current * value if value < 1 <= current else current + value  # three quarters
            elif value == 100:
                current = max(current, 1) * value
            else:
                total, current = total + max(current, 1) * value, 0.0
        end += 1
    return (total + current,), end


@lru_cache(16_384)
def _parts(word: str, language: str) -> tuple[tuple[float, bool], ...]:
    """(value, True if it multiplies the preceding part) for each part of a number word; empty for others."""
    numbers, scales = (LISTS[kind].get(language, "") for kind in ("numbers", "scales"))
    splits = [word.split("-")]
    if language == "de" and regex.search("hundert|tausend|und", word):
        splits.append([part for part in regex.split("(hundert|tausend)|und", word) if part])
    for parts in splits:
        values = [(value_in(numbers, part), value_in(scales, part)) for part in parts]
        if all(number is not None or scale is not None for number, scale in values):
            return tuple(
                (number, False) if number is not None else (scale or 0.0, True) for number, scale in values
            )
    return ()


@lru_cache(16_384)
def _unit(word: str) -> tuple[str, float]:
    """The dimension of a unit and its size; ("", 1) for another word."""
    sizes = ((dimension, value_in(entries, word)) for dimension, entries in LISTS["units"].items())
    return next(((dimension, size) for dimension, size in sizes if size is not None), ("", 1.0))
