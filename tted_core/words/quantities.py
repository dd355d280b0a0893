"""Numbers of a text with their units and bounds: in digits, in words, as shares, ranks, hours and centuries."""

import math
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

import regex

from tted_core.words.lexicon import LISTS, Statement, word_values
from tted_core.words.splitting import Word

TOLERANCES = {"time": 0.08}
"""Quantities in different units are the same within this share, others within 0.02: four weeks are a month."""

ROUNDED = 0.05
"""Quantities of which one may be the other rounded are the same within this share: 4.95 and 5, 312 and "over 300"."""

EXACT = frozenset({"clock", "day", "rank", "century", "decade", "rate", "amount"})
"""Dimensions whose quantities aren't rounded."""

SHARES_APART = 0.21
"""Difference from which on shares in words differ: most (0.72) and nearly all (0.92) may be the same."""

MOST_OF_A_RATIO = 1_000
"""A larger number after "in" is a year."""

YEARS = range(1_000, 2_101)
"""Whole numbers without a unit that are taken for years."""

MOST_TERMS = 20
"""Terms of a number in words; more are no number, but the same words again and again."""

_OTHER_SIGN = regex.compile(r"\D")
_DECIMAL = regex.compile(r"\d+(?:[.,]\d+)?")
_GROUPED = regex.compile(r"\d{1,3}([.,  \u202f])\d{3}(?:\1\d{3})*")
_COMPOUNDING = frozenset({"de", "nl", "it", "ko"})
_MONTHS = frozenset({"periods", "capital_periods"})
_IN_WORDS = {"rates": "rate", "amounts": "amount", "ordinals": "rank", "roman": "roman"}
_BEGINNINGS = frozenset({"numbers", "scales", "rates", "amounts", "ordinals"})
_PREFIXES = [("", "1"), *(entry.split(":") for entry in LISTS["size_prefixes"]["all"].split())]


class Quantity(NamedTuple):
    """A number in its text.

    Attributes:
        values: possible values, in seconds, metres, kilograms or as written; 1.000 is a thousand or one.
        dimension: a key of the units, "rank", "clock", "day", "century", "decade", "rate", "amount" (all), or "".
        unit: the size of its unit.
        word: its words.
        vague: True for a bare "one", "ein" or "un", which is often an article.
        bound: 1 for "at least" and "over", -1 for "at most" and "under".
        role: the preposition before it, if it distinguishes two numbers: "from", "to".
        of: the key of the word that follows it.
        near: the keys of the words around it.
    """

    values: tuple[float, ...]
    dimension: str
    unit: float
    word: Word
    vague: bool = False
    bound: int = 0
    role: str = ""
    of: str = ""
    near: frozenset[str] = frozenset()

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
        units = (self.unit, other.unit) if self.unit == other.unit or not alike else (1.0, 1.0)
        return any(
            math.isclose(one, two, rel_tol=tolerance, abs_tol=1e-9) or self._is_near(one, two, other)
            for one in (each / units[0] for each in self.values)
            for two in (each / units[1] for each in other.values)
        )

    def _is_near(self, one: float, two: float, other: "Quantity") -> bool:
        """Return True if one value may stand for the other: rounded, or after "over"."""
        if self.dimension in EXACT or other.dimension in EXACT or self.is_year or other.is_year:
            return False
        if not math.isclose(one, two, rel_tol=ROUNDED):
            return False
        if self.bound != other.bound:
            return (two - one) * (self.bound - other.bound) >= 0
        (fine, from_), (coarse, to) = sorted((_last_digit(each), each) for each in (one, two))
        return fine < coarse and abs(from_ - to) < coarse

    def differs(self, other: "Quantity") -> bool:
        """Return True if two unequal quantities are of a kind, so that one may stand in place of the other."""
        kinds = {self.dimension, other.dimension}
        if kinds in ({"", "century"}, {"", "decade"}):
            return self.is_year or other.is_year
        if kinds in ({"", "share"}, {"", "amount"}, {"share", "amount"}):
            return all(each.dimension or 0 < each.values[-1] < 1 for each in (self, other))
        return kinds == {"", "clock"} or (len(kinds) == 1 and self.is_year == other.is_year)


def _last_digit(value: float) -> float:
    """What the last digit of a number counts, in numbers below 1,000 at most 1: 0.1 in 4.5, 10,000 in 120,000."""
    exponent = int(Decimal(f"{value:.10g}").normalize().as_tuple().exponent)
    return 10.0 ** (exponent if exponent < 0 or value >= MOST_OF_A_RATIO else 0)


def quantities(text: Statement) -> list[Quantity]:
    """The quantities of a text, in order.

    >>> from tted_core.words.lexicon import read_statement
    >>> text = read_statement("One in four, 2 weeks, over twenty-five thousand, 5 p.m.", "en")
    >>> [quantity.values for quantity in quantities(text)]
    [(0.25, 1.0), (4.0,), (1209600.0,), (25000.0,), (17.0,)]
    """
    found: list[Quantity] = []
    ratios = LISTS["ratios"].get(text.language, "").split("|")
    position = 0
    while position < len(text.known):
        quantity, end = _quantity(text, position) if _may_begin(text, position) else (None, position)
        if quantity and not quantity.dimension:
            value = quantity.values[0]
            if found and text.text[found[-1].word.end : quantity.word.start].strip().lower() in ratios:
                one = found[-1].values[0]
                if not found[-1].dimension and 0 < one < value <= MOST_OF_A_RATIO:
                    found[-1] = found[-1]._replace(values=(one / value, one), vague=False)
        if quantity:
            found.append(quantity)
        position = max(end, position + 1)
    return found


def _may_begin(text: Statement, position: int) -> bool:
    """Return True if a quantity may begin with a word: most words need no further look."""
    is_known = text.known[position][0].isdigit() or not _BEGINNINGS.isdisjoint(text.values[position])
    behind = text.values[position + 1] if position + 1 < len(text.known) else {}
    is_named = "parts" in behind or "centuries" in behind or text.value("centuries_before", position - 1)
    return is_known or text.language in _COMPOUNDING or bool(is_named)


def _quantity(text: Statement, position: int) -> tuple[Quantity | None, int]:
    """The quantity that begins at a position, without the bound before it, and the end of its unit."""
    values, dimension, stop, end = _number(text, position)
    if stop == position:
        return None, position
    bound = text.value("bounds", position - 1)
    start = text.words[position - bool(bound)].start
    word = Word(text.text[start : text.words[stop - 1].end], start, text.words[stop - 1].end)
    bound = bound or text.value("bounds_after", stop) or text.value("bounds_after", end) or 0
    unit = 1.0
    if not dimension:
        dimension, unit, origin, end = _unit(text, values[0], stop + bool(text.value("bounds_after", stop)))
        values = tuple((value - origin) * unit for value in values)
    bare = values == (1.0,) and not (dimension or text.known[position][0].isdigit())
    vague = bare and not text.value("part_of", stop)
    before = (at for at in (position - 1, position - 2) if text.value("roles", at))
    role = next((text.known[at] for at in before), "")
    while text.value("part_of", end) or text.value("articles", end):
        end += 1
    of = text.topics[end] if end < len(text.known) else ""
    near = frozenset((*text.ahead(position), *text.behind(end)))
    return Quantity(values, dimension, unit, word, vague, int(bound), role, of, near), end


def _unit(text: Statement, value: float, position: int) -> tuple[str, float, float, int]:
    """The dimension, the size and the zero of the unit behind a number, and its end."""
    behind = position
    while text.value("before_units", behind) and (value < 1 or not text.value("part_of", behind)):
        behind += 1  # half a century, 5 degrees Celsius
    dimension, size, origin = _unit_of(text.known[behind]) if behind < len(text.known) else ("", 1.0, 0.0)
    return dimension, size, origin, behind + 1 if dimension else position


@lru_cache(16_384)
def _unit_of(word: str) -> tuple[str, float, float]:
    """The dimension of a unit, its size, with its prefix, and its zero; ("", 1, 0) for another word."""
    for prefix, factor in _PREFIXES:
        values = word_values(word.removeprefix(prefix), "") if word.startswith(prefix) else {}
        for dimension in LISTS["units"]:
            if dimension in values:
                return dimension, float(factor) * values[dimension], values.get("origins", 0.0)
    return "", 1.0, 0.0


def _number(text: Statement, position: int) -> tuple[tuple[float, ...], str, int, int]:
    """Possible values of a number, its dimension, its end, and the end of what gives it the dimension.

    The number ends where it begins if there is none.
    """
    values, stop = _cardinal(text, position)
    dimension = ""
    if stop == position:
        values, dimension, stop = _in_words(text, position)
    end = stop
    if stop > position and not dimension and stop < len(text.words) and not text.gap(stop):
        if text.value("rank_endings", stop):
            dimension, end = "rank", stop + 1
        elif text.value("decades", stop) and values[0] in YEARS:
            dimension, end = "decade" if values[0] % 100 else "century", stop + 1
            values = values if values[0] % 100 else (values[0] / 100 + 1,)
    is_rank = dimension in {"rank", "roman"}
    if text.value("centuries", end) and (is_rank or text.language in LISTS["ranked"]["centuries"].split()):
        return values, "century", stop, end + 1
    if text.value("centuries_before", position - 1):
        return values, "century", stop, end
    part = text.value("day_parts", end)
    if values and not dimension and part is not None and values[0] < 13:
        values, dimension, end = tuple(each % 12 + part for each in values), "clock", end + 1
    if stop == position + 1 and not dimension and text.known[position].isdigit() and _is_day(text, position):
        return values, "day", stop, end
    return values, dimension, position if dimension == "roman" else stop, end


def _is_day(text: Statement, position: int) -> bool:
    """Return True for the number of a day or month: "May 15", "9/11"."""
    beside = [at for at in (position - 1, position + 1) if 0 <= at < len(text.known)]
    return len(text.known[position]) < 3 and any(
        text.gap(max(at, position)) == "/"
        or (text.words[at].text[0].isupper() and not _MONTHS.isdisjoint(text.values[at]))
        for at in beside
    )


def _in_words(text: Statement, position: int) -> tuple[tuple[float, ...], str, int]:
    """The value, the dimension and the end of a part, rate, amount or rank in words."""
    own = text.values[position]
    is_of_number = "amounts" in own and position + 1 < len(text.known) and _cardinal(text, position + 1)[0][0]
    for kind, dimension in _IN_WORDS.items():
        if kind in own and not (is_of_number and dimension == "amount"):  # "all ten"
            return (own[kind],), dimension, position + 1
    return (), "", position


def _cardinal(text: Statement, position: int) -> tuple[tuple[float, ...], int]:
    """Possible values of a number with the scales after it (2 million), and its end, ``position`` without one."""
    token = text.known[position]
    if not token[0].isdigit():
        value, end = _read_spelled(text, position)
        return (value,), end
    end = position + 1
    if ":" in token:
        hour = float(token.replace(":", "."))
        return (hour, hour - 12), end
    if "/" in token:
        return (float(sum(map(Fraction, token.split()))),), end
    values = _digits(token)
    while (scale := text.value("scales", end)) is not None:
        values, end = tuple(value * scale for value in values), end + 1
    return values, end


def _digits(token: str) -> tuple[float, ...]:
    """Possible values of digits with signs between them: 1.000 is a thousand or one."""
    bare = float(_OTHER_SIGN.sub("", token))
    if {",", "."} <= {*token}:  # 8,588.36
        last = max(token.rfind("."), token.rfind(","))
        return (float(f"{_OTHER_SIGN.sub('', token[:last])}.{token[last + 1 :]}"),)
    grouped = _GROUPED.fullmatch(token)
    decimal = float(token.replace(",", ".")) if _DECIMAL.fullmatch(token) else bare
    return (bare, decimal) if grouped and grouped[1] in ".," else (bare if grouped else decimal,)


def _read_spelled(text: Statement, position: int) -> tuple[float, int]:
    """The number spelled by words, and its end, which is ``position`` if there is none."""
    terms: list[float] = []
    end = position
    while end < len(text.known) and len(terms) < MOST_TERMS:
        parts = _parts(text.known[end], text.language)
        is_lone = end > position or text.language in LISTS["lone"]["scales"].split()
        if not parts or (parts[0][1] and not is_lone):
            break  # "thousands of", but "mil" and "cent"
        for value, is_scale in parts:
            terms = _add_term(terms, value, is_scale=is_scale)
        joint = text.value("joins", end + 1) and end + 2 < len(text.known)
        end += 2 if joint and sum(terms) >= 100 and _parts(text.known[end + 2], text.language) else 1
    article = not terms and text.value("indefinite", position) and text.value("part_of", position + 2)
    last = end + bool(article)
    part = text.value("parts", last)
    if (terms or article) and part:  # two fifths, a third of
        return (sum(terms) or 1.0) / part, last + 1
    return sum(terms), end


def _add_term(terms: list[float], value: float, *, is_scale: bool) -> list[float]:
    """The terms of a sum, with another term, or with those below a scale multiplied by it."""
    if is_scale:
        lower = math.fsum(term for term in terms if term < value)
        return [*(term for term in terms if term >= value), (lower or 1.0) * value]
    return [sum(terms) * value] if value < 1 <= sum(terms) else [*terms, value]  # three quarters


@lru_cache(16_384)
def _parts(word: str, name: str) -> tuple[tuple[float, bool], ...]:
    """(value, True if it multiplies the preceding part) for each part of a number word; empty for others."""
    compound = _compounds(name).fullmatch(word) if name in _COMPOUNDING and 1 < len(word) < 40 else None
    for parts in ([word], compound.captures(1) if compound else []):
        known = [word_values(part, name) for part in parts]
        if known and all("numbers" in each or "scales" in each for each in known):
            return tuple((each.get("scales", each.get("numbers", 0.0)), "scales" in each) for each in known)
    return ()


@cache
def _compounds(name: str) -> regex.Pattern[str]:
    """The pattern of number words that are written together: "fünfundzwanzig"."""
    entries = " ".join((LISTS["numbers"][name], LISTS["scales"][name])).split()
    words = [entry.partition(":")[0].rstrip("*") for entry in entries]
    joints = "|".join(LISTS["joins"].get(name, "").split())
    return regex.compile(rf"(?:(\L<words>)(?:{joints})?)+", words=words)
