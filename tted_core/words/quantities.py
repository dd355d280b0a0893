"""Numbers of a text with their units and bounds: in digits, in words, as shares, ranks, hours and centuries."""

import math
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

import regex

from tted_core.words.lexicon import LISTS, Statement, values_of
from tted_core.words.splitting import Word

TOLERANCES = {"time": 0.08}
"""Quantities in different units are the same within this share, others within 0.02: four weeks are a month."""

SHARES_APART = 0.21
"""Difference from which on shares in words differ: most (0.72) and nearly all (0.92) may be the same."""

MOST_OF_A_RATIO = 1_000
"""A larger number after "in" is a year."""

YEARS = range(1_000, 2_101)
"""Whole numbers without a unit that are taken for years."""

MOST_TERMS = 20
"""Terms of a number in words; more are no number, but the same words again and again."""

_NUMBER = regex.compile(r"\d")
_OTHER_SIGN = regex.compile(r"\D")
_DECIMAL = regex.compile(r"\d+(?:[.,]\d+)?")
_GROUPED = regex.compile(r"\d{1,3}([.,  \u202f])\d{3}(?:\1\d{3})*")
_ROMAN = regex.compile(r"(x{0,2})(ix|iv|v?i{0,3})(?:e|-?(?:й|м|го|му))?")
_ROMAN_VALUES = {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
_COMPOUNDING = frozenset({"de", "nl", "it", "ko"})


class Quantity(NamedTuple):
    """A number in its text."""

    values: tuple[float, ...]
    """Possible values, in seconds, metres, kilograms or as written; 1.000 is a thousand or one."""
    dimension: str
    """A key of the units, "rank", "clock", "century", "decade", "rate", "amount" (all, most), or "" for others."""
    unit: float
    """The size of its unit."""
    word: Word
    vague: bool = False
    """True for a bare "one", "ein" or "un", which is often an article, and for "a few dozen"."""
    bound: int = 0
    """1 for "at least" and "over", -1 for "at most" and "under"."""
    role: str = ""
    """The preposition before it, if it distinguishes two numbers: "from", "to"."""
    of: str = ""
    """The key of the word that follows it."""
    before: str = ""
    """The word before it, which may be a bound."""

    @property
    def is_year(self) -> bool:
        """True for a whole number that may be a year."""
        value = float(self.values[-1])  # a range compares a fraction with each of its numbers
        return not self.dimension and value.is_integer() and int(value) in YEARS

    def equals(self, other: "Quantity") -> bool:
        """Return True if both may mean the same; one without a unit may have the other's."""
        kinds = {self.dimension, other.dimension}
        if self.bound * other.bound < 0 or (len(kinds) == 2 and "" not in kinds and "amount" not in kinds):
            return False
        if "amount" in kinds:
            apart = abs(self.values[0] - other.values[0])
            whole = 1.0 in {self.values[0], other.values[0]}
            return apart < (0.05 if whole else SHARES_APART)
        if kinds == {"", "century"}:
            (year, century) = (self, other) if other.dimension else (other, self)
            return century.values[0] - 1 <= year.values[0] / 100 <= century.values[0]
        tolerance = 1e-9 if self.unit == other.unit else TOLERANCES.get(self.dimension, 0.02)
        alike = len(kinds) == 1 or "share" in kinds
        own, others = (1.0, 1.0) if alike else (self.unit, other.unit)
        return any(
            math.isclose(one / own, two / others, rel_tol=tolerance, abs_tol=1e-9)
            for one in self.values
            for two in other.values
        )

    def nearness(self, other: "Quantity") -> int:
        """The number of signs that one is in the other's place: the words around it, a common unit."""
        same_unit = self.dimension == other.dimension not in {"", "amount"}
        return 2 * (self.of == other.of != "") + (self.before == other.before != "") + same_unit

    def differs(self, other: "Quantity") -> bool:
        """Return True if two unequal quantities are of a kind, so that one may stand in place of the other."""
        kinds = {self.dimension, other.dimension}
        if kinds in ({"", "century"}, {"", "decade"}):
            return self.is_year or other.is_year
        if kinds in ({"", "share"}, {"", "amount"}, {"share", "amount"}):
            return all(each.dimension or 0 < each.values[-1] < 1 for each in (self, other))
        return kinds == {"", "clock"} or (len(kinds) == 1 and self.is_year == other.is_year)


def quantities(text: Statement) -> list[Quantity]:
    """The quantities of a text, in order.

    >>> from tted_core.words.lexicon import read_statement
    >>> text = read_statement("One in four, 2 weeks, over twenty-five thousand, 5 p.m.", "en")
    >>> [quantity.values for quantity in quantities(text)]
    [(0.25, 1.0), (4.0,), (1209600.0,), (25000.0,), (17.0,)]
    """
    found: list[Quantity] = []
    for quantity in _quantities(text):
        between = text.text[found[-1].word.end : quantity.word.start].strip().lower() if found else ""
        if between and between in LISTS["ratios"].get(text.language, "").split("|"):
            one, many = found[-1].values[0], quantity.values[0]
            plain = not found[-1].dimension and not quantity.dimension
            if plain and 0 < one < many <= MOST_OF_A_RATIO:
                found[-1] = found[-1]._replace(values=(one / many, one), vague=False)
        found.append(quantity)
    return found


def _quantities(text: Statement) -> Iterator[Quantity]:
    position = 0
    while position < len(text.known):
        quantity, end = _in_words(text, position)
        values, last = _number(text, position)
        if last > position:
            quantity, end = _measured(text, values, position, last)
            if text.value("wholes", position - 1) and not quantity.dimension:  # "all ten" are ten of the ten
                many = quantity.values[0]
                yield quantity._replace(values=(many, 1.0), word=text.words[position - 1])
        if quantity:
            yield quantity
        position = max(end, position + 1)


def _in_words(text: Statement, position: int) -> tuple[Quantity | None, int]:
    """A rate, an amount, a part, a rank or a century in words, and its end."""
    word, end = text.words[position], position + 1
    rank = text.value("ordinals", position) or _roman(text.known[position])
    following = text.value("ordinals", end) or 0
    found: tuple[float, str] | None = None
    if following > 1 and text.value("every", position):  # every tenth
        found, end = (1 / following, ""), end + 1
    elif text.value("rates", position):
        found = text.values[position]["rates"], "rate"
    elif text.value("amounts", position) and not (
        text.value("wholes", position) and _number_follows(text, end)
    ):
        found = text.values[position]["amounts"], "amount"
    elif rank and text.value("centuries", end):
        found, end = (rank, "century"), end + 1
    elif rank and text.value("centuries_before", position - 1):
        found = rank, "century"
    elif rank > 2 and position == 0 and text.value("parts", position) and text.value("part_of", end):
        found = 1 / rank, ""
    elif text.value("ordinals", position):
        found = rank, "rank"
    return found and Quantity(found[:1], found[1], 1.0, word, of=_key(text, end)), end


def _number_follows(text: Statement, position: int) -> bool:
    return position < len(text.known) and _number(text, position)[1] > position


def _roman(word: str) -> float:
    match = _ROMAN.fullmatch(word)
    return 10 * len(match[1]) + _ROMAN_VALUES[match[2]] if match else 0


def _measured(text: Statement, values: tuple[float, ...], position: int, end: int) -> tuple[Quantity, int]:
    """The quantity of a number with its bound, unit and what follows, and its end."""
    first, stop = text.words[position], text.words[end - 1].end
    begin, before = (text.words[position - 1].start, text.known[position - 1]) if position else (0, "")
    bound = text.value("bounds", position - 1)
    start = begin if bound else first.start
    bound = bound or text.value("bounds_after", end) or 0
    behind = end
    while text.value("before_units", behind) and (values[0] < 1 or not text.value("part_of", behind)):
        behind += 1  # half a century, 5 degrees Celsius
    dimension, unit, origin, after = _dimension(text, values[0], position, behind)
    values = tuple((value - origin) * unit for value in values)
    bare = values == (1.0,) and not (dimension or first.text[0].isdigit())
    vague = (bare and not text.value("part_of", end)) or bool(text.value("roughly", position - 1))
    role = before if text.value("roles", position - 1) else ""
    end = after if after > behind else end
    word = Word(text.text[start:stop], start, stop)
    return Quantity(values, dimension, unit, word, vague, int(bound), role, _key(text, end), before), end


def _dimension(text: Statement, value: float, position: int, behind: int) -> tuple[str, float, float, int]:
    """The dimension of a number, the size and the zero of its unit, and the end of the unit."""
    adjacent = 0 < behind < len(text.words) and text.words[behind].start == text.words[behind - 1].end
    part = behind + bool(text.value("hours", behind))
    rank = behind + (adjacent and text.value("rank_endings", behind) is not None)
    found = ("", 1.0, 0.0, behind)
    if text.value("day_parts", part) is not None and value < 13:
        found = "clock", 1.0, 12.0 * (value >= 12) - (text.value("day_parts", part) or 0), part + 1
    elif adjacent and text.value("decades", behind) and value in YEARS:
        found = ("decade", 1.0, 0.0, behind + 1) if value % 100 else ("century", 0.01, -100.0, behind + 1)
    elif text.value("centuries", rank) and (
        rank > behind or text.language in LISTS["ranked"]["centuries"].split()
    ):
        found = "century", 1.0, 0.0, rank + 1
    elif text.value("centuries_before", position - 1):
        found = "century", 1.0, 0.0, behind
    elif rank > behind:
        found = "rank", 1.0, 0.0, rank
    elif behind < len(text.known) and (unit := _unit(text.known[behind]))[0]:
        found = *unit, text.value("origins", behind) or 0.0, behind + 1
    return found


def _key(text: Statement, position: int) -> str:
    """The key of a word with content, after one that joins it to its quantity; "" for another one."""
    while text.value("part_of", position) or text.value("articles", position):
        position += 1
    word = text.known[position] if position < len(text.known) else ""
    plain = (
        word
        and not word[0].isdigit()
        and not text.is_function(position)
        and "numbers" not in text.values[position]
    )
    return text.keys[position] if plain else ""


def _number(text: Statement, position: int) -> tuple[tuple[float, ...], int]:
    """Possible values of a number and of scales after it (2 million), and its end, ``position`` without one."""
    token = text.known[position]
    if not _NUMBER.match(token):
        value, end = _spelled(text, position)
        return (value,), end
    if ":" in token:
        hour = float(token.replace(":", "."))
        return (hour, hour - 12), position + 1
    bare = float(_OTHER_SIGN.sub("", token))
    grouped = _GROUPED.fullmatch(token)
    decimal = float(token.replace(",", ".")) if _DECIMAL.fullmatch(token) else bare
    values: tuple[float, ...] = (
        (bare, decimal) if grouped and grouped[1] in ".," else (bare if grouped else decimal,)
    )
    end = position + 1
    while (scale := text.value("scales", end)) is not None:
        values, end = tuple(value * scale for value in values), end + 1
    part = text.value("ordinals", end)
    if part and part > 2 and text.value("parts", end) and text.value("part_of", end + 1):
        return tuple(value / part for value in values), end + 1
    return values, end


def _spelled(text: Statement, position: int) -> tuple[float, int]:
    """The number spelled by words, and its end, which is ``position`` if there is none."""
    terms: list[float] = []
    end = position
    while end < len(text.known) and len(terms) < MOST_TERMS:
        parts = _parts(text.known[end], text.language)
        is_lone = end > position or text.language in LISTS["lone"]["scales"].split()
        if not parts or (parts[0][1] and not is_lone):
            break  # "thousands of", but "mil" and "cent"
        for value, is_scale in parts:
            terms = _joined(terms, value, is_scale=is_scale)
        joint = text.value("joins", end + 1) and sum(terms) >= 100 and end + 2 < len(text.known)
        end += 2 if joint and _parts(text.known[end + 2], text.language) else 1
    article = not terms and text.value("indefinite", position) and text.value("part_of", position + 2)
    rank = text.value("ordinals", end + bool(article)) or 0
    if terms and terms[-1] % 10 == 0 and 0 < rank < terms[-1]:  # hundred and fifth
        return sum(terms) + rank, end + 1
    if (terms or article) and rank > 2 and text.value("parts", end + bool(article)):  # two fifths, a third of
        return (sum(terms) or 1.0) / rank, end + 1 + bool(article)
    return sum(terms), end


def _joined(terms: list[float], value: float, *, is_scale: bool) -> list[float]:
    """The terms of a sum, with another term, or with those below a scale multiplied by it."""
    if is_scale:
        lower = math.fsum(term for term in terms if term < value)
        return [*(term for term in terms if term >= value), (lower or 1.0) * value]
    return [sum(terms) * value] if value < 1 <= sum(terms) else [*terms, value]  # three quarters


@lru_cache(16_384)
def _parts(word: str, name: str) -> tuple[tuple[float, bool], ...]:
    """(value, True if it multiplies the preceding part) for each part of a number word; empty for others."""
    splits = [word.split("-")]
    if name in _COMPOUNDING and 1 < len(word) < 40 and (compound := _compounds(name).fullmatch(word)):
        splits.append(compound.captures(1))
    for parts in splits:
        known = [values_of(part, name) for part in parts]
        values = [(each.get("numbers"), each.get("scales")) for each in known]
        if all(number is not None or scale is not None for number, scale in values):
            return tuple(
                (scale, True) if scale is not None else (number or 0.0, False) for number, scale in values
            )
    return ()


@cache
def _compounds(name: str) -> regex.Pattern[str]:
    """The pattern of number words that are written together: "fünfundzwanzig"."""
    entries = " ".join((LISTS["numbers"][name], LISTS["scales"][name])).split()
    words = [entry.partition(":")[0].rstrip("*") for entry in entries]
    joints = "|".join(LISTS["joins"].get(name, "").split())
    return regex.compile(rf"(?:(\L<words>)(?:{joints})?)+", words=words)


@lru_cache(16_384)
def _unit(word: str) -> tuple[str, float]:
    """The dimension of a unit and its size, with its prefix; ("", 1) for another word."""
    prefixes = [entry.split(":") for entry in LISTS["size_prefixes"]["all"].split()]
    for prefix, size in [("", "1"), *prefixes]:
        if word.startswith(prefix):
            base = word.removeprefix(prefix)
            for dimension in LISTS["units"]:
                if value := values_of(base, "").get(dimension):
                    return dimension, float(size) * value
    return "", 1.0
