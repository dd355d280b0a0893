"""Numbers of texts with their units and bounds: in digits, in words, as shares, ranks, hours and centuries.

A text is read as the kinds of its words, in which one grammar finds the quantities.
"""

import math
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import regex

from tted_core.words.lexicon import LISTS, Statement, Token, Values, word_values

# Quantities in different units are the same within this share, unless one unit is a multiple of the other: four
# weeks are a month, but two hours aren't 125 minutes.
CONVERTED = 0.085

# Quantities of which one may be the other rounded are the same within this share: 5 and 4.95; over 300, 312.
ROUNDED = 0.05

# Dimensions whose quantities aren't rounded.
EXACT = frozenset({"clock", "day", "rank", "years", "rate", "amount"})

# Difference from which on shares in words differ: most (0.72) and many (0.53) may be the same.
SHARES_APART = 0.2

MOST_OF_A_RATIO = 1_000  # a larger number after "in" is a year

MOST_NOT_ROUNDED = 1_000  # whole numbers below it are exact: 499 euros aren't 500

# Whole numbers without a unit that are taken for years; a range would be searched for a float one by one.
YEARS = frozenset(range(1_000, 2_101))

MOST_TO_STAGE = 3  # words before a number, among which a preposition or "formerly" is its own

MOST_UNEQUAL = 100  # maximum numbers of each text, without those that both have, that are compared in pairs

# Kinds of words in braces. Only degrees are below zero: "sales: -5 %" fell by 5 percent.
_GRAMMAR = r"""
(?P<bounds>{bounds})?+ (?P<century>{centuries_before})?+ (?P<day>(?<=(?:{periods}|{capital_periods})))?+
(?: (?P<count>(?:{digits}|{numbers})?+{times}|{times_over}) (?P<rates>{rates})
  | (?P<rates>{rates}) | (?P<factors>{factors})
  | (?P<past>{past}) (?P<number>{digits}|{numbers}) | (?P<past>{past_hours}) (?P<hours>{hours})
  | (?P<whole>(?:(?:{numbers}|{scales}){1,3}+)?{of_whole})?+
    (?:(?P<minus>{minus})(?=(?:{digits}|{numbers}){1,3}+
        (?:(?:{roles}|{joins})?+{minus}?+(?:{digits}|{numbers}){1,3}+)?+{degrees}))?+
    (?P<number>{digits}{scales}*+
    |   (?:{numbers}|{lone})
        (?:{numbers}|{scales}|{part_of}?+{indefinite}(?={scales})|(?:(?<={scales})|(?={glued})){joins}(?={numbers})){0,19}+)
    (?P<minus>{below_zero})?+ (?P<part>{parts})?+ (?:(?P<plus>{plus})(?P<scaled>{scales})?+)?+
    (?: (?={glued})
        (?: (?P<century>{rank_endings}{centuries}) | (?P<ordinals>{rank_endings}) | (?P<decade>{decades})))?+
    (?=(?:{roles}?+{digits}(?P<shared>{scales}))?+)
    (?:(?={ratios}(?P<total>{digits}|(?:{numbers}|{scales}){1,4}+)))?+
  | (?P<number>{indefinite}) (?P<part>{parts}) (?:(?={part_of})|(?<={agents}{indefinite}{parts}))
  | (?P<ordinals>{ordinals}) (?P<century>{centuries})?+
  | (?P<roman>{roman}) (?: (?P<century>{centuries}) | (?<={centuries_before}{roman}))
  | (?P<amounts>{amounts}) (?!{digits}|{numbers}))
(?P<day>(?=(?:{periods}|{capital_periods})))?+ (?P<bounds_after>{bounds_after})?+
(?: (?P<century>{ranked})
  | (?!{degrees}) {before_units}?+ (?P<half>{day_parts})
  | {before_units}*+ (?P<unit>{units}) (?P<plus>{plus})?+ (?P<half>{day_parts})?+
    (?P<bounds_after>{bounds_after})?+
  | (?={roles}{digits}(?P<unit>{units})))?+
"""

_KINDS = sorted(set(regex.findall(r"\{([a-z_]+)\}", _GRAMMAR)))
# A letter for each kind of words: the grammar reads a word as its letters, each in its own column.
_LETTERS = [chr(0xE000 + number) for number in range(len(_KINDS))]

_QUANTITY = regex.compile(
    regex.sub(
        r"\{([a-z_]+)\}",
        lambda kind: (
            f"(?:.{{{_KINDS.index(kind[1])}}}{_LETTERS[_KINDS.index(kind[1])]}"
            f".{{{len(_KINDS) - 1 - _KINDS.index(kind[1])}}})"
        ),
        _GRAMMAR,
    ),
    regex.X,
)
_NO_DIGITS = regex.compile(r"\D")
_CLOCK = regex.compile(r"(\d+)\s?[:h]\s?(\d+)")
_GROUPED = regex.compile(r"\d{1,3}([.,  \u202f])\d{3}(?:\1\d{3})*")
_DECIMAL = regex.compile(r"(\d+|\d{1,3}(?:,\d{3})+(?=\.)|\d{1,3}(?:\.\d{3})+(?=,))[.,](\d+)")
_IN_WORDS = {
    "rates": "rate",
    "number": "",
    "amounts": "amount",
    "factors": "factor",
    "hours": "",
    "ordinals": "rank",
    "roman": "rank",
}


class Quantity(NamedTuple):
    """A number in its text.

    Attributes:
        values: possible values, in seconds, metres, kilograms or as written; first and last of years.
        dimension: a key of the units, "rank", "clock", "day", "years", "rate", "amount" (all), or "";
            "one" for a bare "one", "ein" or "un", which is often an article.
        unit: the size of its unit.
        at: the positions of its words.
        end: the end of its unit.
        bound: 1 for "at least" and "over", -1 for "at most" and "under".
        of: the topic behind it, or "".
        roles: the stage of a change, as "from" and "formerly" give it, or "", and the topics before it, each
            behind its kind.
    """

    values: tuple[float, ...]
    dimension: str
    unit: float
    at: range
    end: int
    bound: int
    of: str
    roles: tuple[tuple[str, str], ...]

    def equals(self, other: "Quantity") -> bool:
        """Return True if both may mean the same; one without a unit may have the other's."""
        kinds = {self.dimension, other.dimension}
        if self.bound * other.bound < 0:
            return False
        if kinds == {"years"}:
            return self.values[0] <= other.values[-1] and other.values[0] <= self.values[-1]
        if kinds == {"factor", "share"}:  # doubled: by 100 percent
            return abs(self.values[0] - other.values[0]) in {0, 1}
        if "amount" in kinds and kinds <= {"", "share", "amount", "one"}:
            one, two = self.values[0], other.values[0]
            return abs(one - two) < SHARES_APART or (two - one) * (self.bound - other.bound) > 0
        as_written = len(kinds) == 2
        multiple = max(self.unit, other.unit) / min(self.unit, other.unit)
        tolerance = 1e-9 if math.isclose(multiple, round(multiple)) else CONVERTED
        ours, theirs = (
            [*side.values, *(each / side.unit for each in side.values if as_written)]
            for side in (self, other)
        )
        return any(
            math.isclose(one, two, rel_tol=tolerance, abs_tol=1e-9)
            or (EXACT.isdisjoint(kinds) and _is_rounded(one, two, self.bound - other.bound))
            for one in ours
            for two in theirs
        )

    def differs(self, other: "Quantity") -> bool:
        """Return True if two unequal quantities are of a kind, so that one may stand in place of the other."""
        kinds = {self.dimension, other.dimension}
        if kinds in ({"", "share"}, {"", "amount"}, {"share", "amount"}):
            return all(each.dimension or 0 < each.values[0] < 1 for each in (self, other))
        if kinds in ({"", "years"}, {"", "one"}):  # 800 and 1800 seats, one queen and two queens
            return self.of == other.of != ""
        return len(kinds) == 1 or kinds in (
            {"", "clock"},
            {"years", "clock"},
            {"", "factor"},
            {"share", "factor"},
        )


def _shares(found: list[Quantity]) -> list[Quantity]:
    """The share of each number in the next one, or of that in it: 20 of 60 are a third."""
    counts = [each for each in found if each.dimension == "" and each.values[0] >= 1]
    return [
        one._replace(values=(min(one.values[0] / other.values[0], other.values[0] / one.values[0]),))
        for one, other in pairwise(counts)
    ]


def _is_rounded(one: float, two: float, bounds: int) -> bool:
    """Return True if one number may stand for the other: rounded, or for a larger one after "over"."""
    if not math.isclose(one, two, rel_tol=ROUNDED):
        return False
    if bounds:
        return (two - one) * bounds >= 0
    return abs(one - two) < max(_last_digit(one), _last_digit(two))


def _last_digit(value: float) -> float:
    """What the last digit of a number counts that isn't 0: 0.1 in 4.5, 10,000 in 120,000."""
    exponent = int(Decimal(f"{value:.10g}").normalize().as_tuple().exponent)
    return 10.0 ** (exponent if exponent < 0 or value >= MOST_NOT_ROUNDED else 0)


def find_changed_number(left: Statement, right: Statement) -> tuple[range, range] | None:
    """Positions of the first numbers that the other text lacks; not of missing numbers.

    The units belong to them if the numbers are equal otherwise: "6 a.m.", "6 p.m.".
    """
    sides = quantities(left), quantities(right)
    forms = [{(each.values, each.dimension, each.bound) for each in side} for side in sides]
    lost, come = (
        [each for each in side if (each.values, each.dimension, each.bound) not in there][:MOST_UNEQUAL]
        for side, there in zip(sides, forms[::-1], strict=True)
    )
    derived = [_shares(side[:MOST_UNEQUAL]) for side in sides]
    ours = [each for each in lost if not any(map(each.equals, come + derived[1]))]
    theirs = [each for each in come if not any(map(each.equals, lost + derived[0]))]
    pairs = [
        (one, other)
        for one in ours
        for other in theirs
        if one.differs(other)
        if one.of == other.of or {one.dimension, other.dimension} != {"amount"}
    ]
    if not pairs:  # from 10 to 20, from 20 to 10; each word before a number belongs to the next one
        here, there = (
            {role: each for each in reversed(side) for role in each.roles if role[1]} for side in sides
        )
        pairs = [
            (one, there[role])
            for role, one in here.items()
            if role in there and one.differs(there[role]) and not one.equals(there[role])
        ]
        if len({one.at for one, _ in pairs}) < 2:
            return None
    one, other = min(pairs, key=lambda pair: pair[0].of != pair[1].of)  # of the same thing
    if left.within(one.at).text == right.within(other.at).text:
        return range(one.at.start, one.end), range(other.at.start, other.end)
    return one.at, other.at


def quantities(text: Statement) -> list[Quantity]:
    """The quantities of a text, in order.

    >>> from tted_core.words.lexicon import read_statement
    >>> text = read_statement("One in four, 2 weeks, over twenty-five thousand, 5 p.m.", "en")
    >>> [quantity.values for quantity in quantities(text)]
    [(0.25, 1.0), (4.0,), (1209600.0,), (25000.0,), (17.0,)]
    """
    kinds = [_kinds(token.known, text.language, glued=token.gap in {"", "-"}) for token in text.tokens]
    letters, end = "".join(kinds), 0
    found: list[Quantity] = []
    for start, kind in enumerate(
        kinds
    ):  # most words have no kind, and none begins within the letters of a word
        is_first = start >= end and not kind.isspace()
        if is_first and (match := _QUANTITY.match(letters, start * len(_KINDS))):
            end = match.end() // len(_KINDS)
            groups = {
                name: range(match.start(name) // len(_KINDS), match.end(name) // len(_KINDS))
                for name, part in match.groupdict().items()
                if part is not None
            }
            found.append(_quantity(text, groups, end))
    for at, rate in enumerate(found):
        if rate.dimension == "rate":  # two ferries a day
            counts = [each.values[0] for each in (*found[max(at - 1, 0) : at], *found[at + 1 : at + 2])]
            values = (rate.values[0] / count for count in (1.0, *counts) if count > 0)
            found[at] = rate._replace(values=(*values,))
    return found


@lru_cache(65_536)
def _kinds(known: str, name: str, *, glued: bool) -> str:
    """The letters of the kinds of a word that the grammar knows."""
    found = {*word_values(known, name), *(["glued"] if glued else [])}
    return "".join(letter if kind in found else " " for kind, letter in zip(_KINDS, _LETTERS, strict=True))


def _quantity(text: Statement, groups: dict[str, range], end: int) -> Quantity:
    """The quantity of a match of the grammar, as the positions of its groups, before the token at ``end``."""
    given = {group: text.tokens[at.start].values for group, at in groups.items()}
    kind = next(kind for kind in _IN_WORDS if kind in groups)
    core = groups[kind]
    values = _number(text.tokens[core.start : core.stop]) if kind == "number" else (given[kind][kind],)
    at = range(
        min(each.start for each in groups.values()),
        max(groups[each].stop for each in (kind, "part", "half") if each in groups),
    )
    if "part" in given:
        values = ((values[0] or 1.0) / given["part"]["parts"],)
    for divisor in groups.keys() & {"count", "whole"}:  # four times a year; in Chinese, of four one
        words = text.tokens[groups[divisor].start : groups[divisor].stop]
        values = (values[0] / (_number(words)[0] or 1.0),)
    if "shared" in given:  # from 3 to 5 million
        values = (*values, values[0] * given["shared"]["scales"])
    if "total" in groups:  # five of the 20
        total = _number(text.tokens[groups["total"].start : groups["total"].stop])[0]
        values = (values[0] / total, *values) if 0 < values[0] < total <= MOST_OF_A_RATIO else values
    values, dimension, unit = _measure(
        given, values, _IN_WORDS[kind], text.tokens[core.stop - 1].values.get("scales", 1.0)
    )
    if values == (1.0,) and not (
        dimension or "digits" in text.tokens[core.start].values or text.value("part_of", end) is not None
    ):
        dimension = "one"
    before = text.before(core.start)
    stages = (each.values.get("roles", each.values.get("stages")) for each in before[:MOST_TO_STAGE])
    return Quantity(
        values,
        dimension,
        unit,
        at,
        end,
        bound=int(next((given[each][each] for each in ("bounds", "bounds_after") if each in given), 0)),
        of=next(
            (
                each.topic
                for each in text.tokens[end : end + 3]
                if each.topic and not each.known.endswith("'s")
            ),
            "",
        ),
        roles=(
            ("stage", str(next(filter(None, stages), ""))),
            *(("topic", token.topic) for token in before if token.topic and "articles" not in token.values),
        ),
    )


def _measure(
    given: dict[str, Values], values: tuple[float, ...], dimension: str, scale: float
) -> tuple[tuple[float, ...], str, float]:
    """The values, the dimension and the size of the unit of a number, by the values of the words around it.

    ``scale`` is that of its last word: a million and a half are 1,500,000.
    """
    past = given.get("past", {})
    values = tuple(
        (-value if "minus" in given else value) + past.get("past_hours", past.get("past", 0.0))
        for value in values
    )
    first, unit = values[0], 1.0
    if "plus" in given:  # of an hour, written as in 7.30
        values = tuple(
            (value + half * scale) * given.get("scaled", {}).get("scales", 1.0)
            for value in values
            for half in (given["plus"]["plus"], 0.6 * given["plus"]["plus"])
        )
    if "century" in given:
        dimension, values = "years", (100 * first - 100, 100 * first - 1)
    elif "decade" in given and first in YEARS:
        dimension, values = "years", (first, first + (9 if first % 100 else 99))
    elif "half" in given and first < 13:
        dimension, values = "clock", tuple(value % 12 + given["half"]["day_parts"] for value in values)
    elif "unit" in given and not (dimension or ("dates" in given["unit"] and first in YEARS)):
        dimension = next(each for each in LISTS["units"] if each in given["unit"])
        unit = given["unit"][dimension]
        values = tuple((value - given["unit"].get("origins", 0.0)) * unit for value in values)
    elif values[-1] in YEARS and not dimension and scale == 1:  # not "twelve hundred"
        dimension = "years"
    elif "day" in given and not dimension:
        dimension = "day"
    return values, dimension, unit


def _number(tokens: tuple[Token, ...]) -> tuple[float, ...]:
    """Possible values of a number in digits, with the scales after it (2 million), or in words."""
    if tokens and "digits" in tokens[0].values:
        factor = math.prod(token.values.get("scales", 1.0) for token in tokens[1:])
        return tuple(value * factor for value in _digits(tokens[0].known))
    terms: list[float] = []
    for values in (token.values for token in tokens):
        if scale := values.get("scales"):
            lower = math.fsum(term for term in terms if term < scale)
            terms = [*(term for term in terms if term >= scale), (lower or 1.0) * scale]
        elif "numbers" in values:
            value = values["numbers"]  # three quarters
            terms = [sum(terms) * value] if value < 1 <= sum(terms) else [*terms, value]
    return (sum(terms),)


def _digits(token: str) -> tuple[float, ...]:
    """Possible values of digits with signs between them: 1.000 is a thousand or one, 17:00 is 5 p.m."""
    if clock := _CLOCK.fullmatch(token):
        hour = float(".".join(clock.groups()))
        return hour, hour - 12
    decimal = _DECIMAL.fullmatch(token)
    values = [float(f"{_NO_DIGITS.sub('', decimal[1])}.{decimal[2]}")] if decimal else []
    if not values or _GROUPED.fullmatch(token):
        values.insert(0, float(_NO_DIGITS.sub("", token)))
    return tuple(values)
