"""Numbers of a text with their units and bounds: in digits, in words, as shares, ranks, hours and centuries.

A text is read as the kinds of its words, in which one grammar finds the quantities.
"""

import math
from bisect import bisect_left
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple

import regex

from tted_core.words.lexicon import LISTS, Statement, Token, word_values

TOLERANCES = {"time": 0.08}
"""Quantities in different units are the same within this share, others within 0.02: four weeks are a month."""

ROUNDED = 0.05
"""Quantities of which one may be the other rounded are the same within this share: 5 and 4.95, over 300, 312."""

EXACT = frozenset({"clock", "day", "rank", "years", "rate", "amount"})
"""Dimensions whose quantities aren't rounded."""

SHARES_APART = 0.2
"""Difference from which on shares in words differ: most (0.72) and many (0.53) may be the same."""

MOST_OF_A_RATIO = 1_000
"""A larger number after "in" is a year."""

YEARS = range(1_000, 2_101)
"""Whole numbers without a unit that are taken for years."""

MOST_UNEQUAL = 100
"""Maximum numbers of each text, without those that both have, that are compared in pairs."""

_GRAMMAR = r"""
(?P<bound>{bounds})?+ (?P<century>{centuries_before})?+
(?: (?P<number>{digits}{scales}*+
    |   (?:{numbers}|{lone}) (?:{numbers}|{scales}|(?<={~scales}){joins}(?={numbers})){0,19}+)
    (?P<part>{parts})?+
    (?: (?P<century>{rank_endings}{centuries}) | (?P<ordinals>{rank_endings}) | (?P<decade>{decades}))?+
  | (?P<number>{indefinite}) (?P<part>{parts}) (?:(?={part_of})|(?<={~agents}{~indefinite}{~parts}))
  | (?P<ordinals>{ordinals}) (?P<century>{centuries})?+
  | (?P<roman>{roman}) (?: (?P<century>{centuries}) | (?<={~centuries_before}{~roman}))
  | (?P<rates>{rates})
  | (?P<amounts>{amounts}) (?!{digits}|{numbers}))
(?P<after>{bounds_after})?+
(?: (?P<century>{ranked})
  | (?P<half>{day_parts})
  | {before_units}*+ (?P<unit>{unit}) (?P<after>{bounds_after})?+)?+
(?P<zone>{zones})?+
"""
"""Kinds of words in braces; those behind ~ are looked for backwards, where atomic groups match nothing."""

_LETTERS = {
    kind: chr(0xE000 + number)
    for number, kind in enumerate(sorted(set(regex.findall(r"\{~?([a-z_]+)\}", _GRAMMAR))))
}
"""A letter for each kind of words in the grammar, which reads a word as its letters between angle brackets."""


def _compiled(grammar: str) -> regex.Pattern[str]:
    """The grammar as a pattern over letters of kinds."""
    for kind, letter in _LETTERS.items():
        grammar = grammar.replace(f"{{{kind}}}", f"(?:<[^<>{letter}]*+{letter}[^<>]*+>)")
        grammar = grammar.replace(f"{{~{kind}}}", f"(?:<[^<>{letter}]*{letter}[^<>]*>)")
    return regex.compile("".join(grammar.split()))


_QUANTITY = _compiled(_GRAMMAR)
_GLUED = frozenset({"rank_endings", "decades"})
_OTHER_SIGN = regex.compile(r"\D")
_DECIMAL = regex.compile(r"\d+(?:[.,]\d+)?")
_GROUPED = regex.compile(r"\d{1,3}([.,  \u202f])\d{3}(?:\1\d{3})*")
_COMPOUNDING = frozenset({"de", "nl", "it", "ko"})
_MONTHS = frozenset({"periods", "capital_periods"})
_IN_WORDS = {"rates": "rate", "amounts": "amount", "ordinals": "rank", "roman": "rank"}
_BOUNDS = {"bound": "bounds", "after": "bounds_after"}
_LOOSE = frozenset({"", "years", "amount"})
_PREFIXES = [("", "1"), *(entry.split(":") for entry in LISTS["size_prefixes"]["all"].split())]


class Quantity(NamedTuple):
    """A number in its text.

    Attributes:
        values: possible values, in seconds, metres, kilograms or as written; first and last of years.
        dimension: a key of the units, "rank", "clock", "day", "years", "rate", "amount" (all), or "".
        unit: the size of its unit.
        at: the positions of its words.
        end: the end of its unit.
        vague: True for a bare "one", "ein" or "un", which is often an article.
        bound: 1 for "at least" and "over", -1 for "at most" and "under".
        roles: what distinguishes it from other numbers: the word behind it with the preposition before, and the
            topic before it.
        near: the keys of the words around it.
    """

    values: tuple[float, ...]
    dimension: str
    unit: float
    at: range
    end: int
    vague: bool
    bound: int
    roles: tuple[tuple[str, str], ...]
    near: frozenset[str]

    def equals(self, other: "Quantity") -> bool:
        """Return True if both may mean the same; one without a unit may have the other's."""
        kinds = {self.dimension, other.dimension}
        if self.bound * other.bound < 0 or (len(kinds) == 2 and kinds.isdisjoint(_LOOSE)):
            return False
        if kinds == {"years"}:
            return self.values[0] <= other.values[-1] and other.values[0] <= self.values[-1]
        if "amount" in kinds:
            whole = 1.0 in {self.values[0], other.values[0]}
            return abs(self.values[0] - other.values[0]) < (ROUNDED if whole else SHARES_APART)
        as_written = self.unit == other.unit or (len(kinds) == 2 and "share" not in kinds)
        tolerance = 1e-9 if self.unit == other.unit else TOLERANCES.get(self.dimension, 0.02)
        ours, theirs = (
            [each / (side.unit if as_written else 1) for each in side.values] for side in (self, other)
        )
        return any(
            math.isclose(one, two, rel_tol=tolerance, abs_tol=1e-9) or self._is_rounded(one, two, other)
            for one in ours
            for two in theirs
        )

    def _is_rounded(self, one: float, two: float, other: "Quantity") -> bool:
        """Return True if one value may stand for the other: rounded, or after "over"."""
        exact = not EXACT.isdisjoint({self.dimension, other.dimension})
        if exact or not math.isclose(one, two, rel_tol=ROUNDED):
            return False
        if self.bound != other.bound:
            return (two - one) * (self.bound - other.bound) >= 0
        return abs(one - two) < max(_last_digit(one), _last_digit(two))

    def differs(self, other: "Quantity") -> bool:
        """Return True if two unequal quantities are of a kind, so that one may stand in place of the other."""
        kinds = {self.dimension, other.dimension}
        if kinds in ({"", "share"}, {"", "amount"}, {"share", "amount"}):
            return all(each.dimension or 0 < each.values[-1] < 1 for each in (self, other))
        return len(kinds) == 1 or kinds in ({"", "clock"}, {"years", "clock"})


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
    kinds = [_kinds(token.known, text.language, glued=token.gap in {"", "-"}) for token in text.tokens]
    starts = [*accumulate(map(len, kinds), initial=0)]
    ratios = {*LISTS["ratios"].get(text.language, "").split("|")} - {""}
    found: list[Quantity] = []
    for match in _QUANTITY.finditer("".join(kinds)):
        groups = {
            name: range(*(bisect_left(starts, position) for position in match.span(name)))
            for name, part in match.groupdict().items()
            if part is not None
        }
        quantity = _quantity(text, groups, bisect_left(starts, match.end()))
        before = found[-1] if found else quantity
        one, value = before.values[0], quantity.values[0]
        between = text.within(range(before.at.stop, quantity.at.start)).text.lower()
        if (
            between in ratios
            and before.dimension == quantity.dimension == ""
            and 0 < one < value <= MOST_OF_A_RATIO
        ):
            found[-1] = before._replace(values=(one / value, one), vague=False)
        found.append(quantity)
    return found


@lru_cache(65_536)
def _kinds(known: str, name: str, *, glued: bool) -> str:
    """The kinds of a word that the grammar knows, between angle brackets."""
    values = word_values(known, name)
    found = {str(kind) for kind in values if kind in _LETTERS} - (frozenset() if glued else _GLUED)
    found.update(
        kind
        for kind, applies in {
            "digits": known[0].isdigit(),
            "lone": "scales" in values and name in LISTS["lone"]["scales"].split(),
            "ranked": "centuries" in values and name in LISTS["ranked"]["centuries"].split(),
            "numbers": not any(is_scale for _, is_scale in (_compound(known, name) or ((0, True),))[:1]),
            "unit": bool(_unit_of(known)[0]),
        }.items()
        if applies
    )
    return f"<{''.join(sorted(_LETTERS[kind] for kind in found))}>"


def _quantity(text: Statement, groups: dict[str, range], end: int) -> Quantity:
    """The quantity of a match of the grammar, as the positions of its groups, before the token at ``end``."""
    kind = next(kind for kind in ("number", *_IN_WORDS) if kind in groups)
    core = groups[kind]
    tokens = text.tokens[core.start : core.stop]
    values = _number(tokens, text.language) if kind == "number" else (tokens[0].values[kind],)
    if "part" in groups:
        values = ((values[0] or 1.0) / text.tokens[groups["part"].start].values["parts"],)
    values, dimension, unit = _measure(text, groups, core, values)
    if "zone" in groups and dimension:
        dimension += f" of zone {text.tokens[groups['zone'].start].values['zones']:g}"
    is_bare = values == (1.0,) and not dimension and not tokens[0].known[0].isdigit()
    at = range(groups.get("bound", core).start, max(core.stop, groups.get("part", core).stop))
    bounds = (
        text.tokens[groups[each].start].values[name] for each, name in _BOUNDS.items() if each in groups
    )
    unit_end = end
    before = (text.tokens[at].known for at in (core.start - 1, core.start - 2) if text.value("roles", at))
    while text.value("part_of", end) or text.value("articles", end):
        end += 1
    of = text.tokens[end].topic if end < len(text.tokens) else ""
    ahead = text.ahead(core.start)
    return Quantity(
        values,
        dimension,
        unit,
        at,
        end=max(at.stop, unit_end),
        vague=is_bare and not text.value("part_of", at.stop),
        bound=int(next(bounds, 0)),
        roles=((next(before, ""), of), *(("ahead", key) for key in ahead[-1:])),
        near=frozenset((*ahead, *text.behind(end))),
    )


def _measure(
    text: Statement, groups: dict[str, range], core: range, values: tuple[float, ...]
) -> tuple[tuple[float, ...], str, float]:
    """The values, the dimension and the size of the unit of a number, by what stands around it."""
    first, dimension, unit = values[0], "", 1.0
    in_words = [_IN_WORDS[kind] for kind in _IN_WORDS if kind in groups]
    if "century" in groups:
        dimension, values = "years", (100 * first - 100, 100 * first - 1)
    elif "decade" in groups and first in YEARS:
        dimension, values = "years", (first, first + (9 if first % 100 else 99))
    elif "half" in groups and first < 13:
        dimension, values = "clock", (first % 12 + text.tokens[groups["half"].start].values["day_parts"],)
    elif in_words:
        dimension = in_words[0]
    elif "unit" in groups:
        dimension, unit, origin = _unit_of(text.tokens[groups["unit"].start].known)
        values = tuple((value - origin) * unit for value in values)
    elif _is_day(text, core):
        dimension = "day"
    elif float(values[-1]).is_integer() and int(values[-1]) in YEARS:
        dimension = "years"
    return values, dimension, unit


@lru_cache(16_384)
def _unit_of(word: str) -> tuple[str, float, float]:
    """The dimension of a unit, its size, with its prefix, and its zero; ("", 1, 0) for another word."""
    for prefix, factor in _PREFIXES:
        values = word_values(word.removeprefix(prefix), "") if word.startswith(prefix) else {}
        for dimension in LISTS["units"]:
            if dimension in values:
                return dimension, float(factor) * values[dimension], values.get("origins", 0.0)
    return "", 1.0, 0.0


def _is_day(text: Statement, core: range) -> bool:
    """Return True for the number of a day or month: "May 15", "9/11"."""
    tokens = text.tokens
    beside = [at for at in (core.start - 1, core.start + 1) if 0 <= at < len(tokens)]
    return (
        tokens[core.start].known.isdigit()
        and len(tokens[core.start].known) < 3
        and any(
            tokens[max(at, core.start)].gap == "/"
            or (tokens[at].word.text[0].isupper() and not _MONTHS.isdisjoint(tokens[at].values))
            for at in beside
        )
    )


def _number(tokens: tuple[Token, ...], name: str) -> tuple[float, ...]:
    """Possible values of a number in digits, with the scales after it (2 million), or in words."""
    first = tokens[0].known if tokens else ""
    if first[:1].isdigit():
        factor = math.prod(token.values["scales"] for token in tokens[1:])
        if ":" in first:
            hour = float(first.replace(":", "."))
            return hour, hour - 12
        values = (float(sum(map(Fraction, first.split()))),) if "/" in first else _digits(first)
        return tuple(value * factor for value in values)
    terms: list[float] = []
    for token in tokens:
        for value, is_scale in _compound(token.known, name):
            if is_scale:
                lower = math.fsum(term for term in terms if term < value)
                terms = [*(term for term in terms if term >= value), (lower or 1.0) * value]
            else:  # three quarters
                terms = [sum(terms) * value] if value < 1 <= sum(terms) else [*terms, value]
    return (sum(terms),)


def _digits(token: str) -> tuple[float, ...]:
    """Possible values of digits with signs between them: 1.000 is a thousand or one."""
    bare = float(_OTHER_SIGN.sub("", token))
    if {",", "."} <= {*token}:  # 8,588.36
        last = max(token.rfind("."), token.rfind(","))
        return (float(f"{_OTHER_SIGN.sub('', token[:last])}.{token[last + 1 :]}"),)
    grouped = _GROUPED.fullmatch(token)
    decimal = float(token.replace(",", ".")) if _DECIMAL.fullmatch(token) else bare
    return (bare, decimal) if grouped and grouped[1] in ".," else (bare if grouped else decimal,)


@lru_cache(16_384)
def _compound(word: str, name: str) -> tuple[tuple[float, bool], ...]:
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


def find_changed_number(left: Statement, right: Statement) -> tuple[range, range] | None:
    """Positions of the first numbers that the other text lacks, or has in another role; not of missing numbers.

    The units belong to them if the numbers are equal otherwise: "6 a.m.", "6 p.m.".
    """
    sides = quantities(left), quantities(right)
    lost, come = _unequal(*sides), _unequal(*sides[::-1])
    for quantity in [*lost]:
        if partner := next((other for other in come if quantity.equals(other)), None):
            come.remove(partner)
            lost.remove(quantity)
    sums = [
        [each.values[0] for each in side if not each.vague and each.dimension != "years"]
        for side in (lost, come)
    ]
    if len(sums[0]) != len(sums[1]) and all(sums) and math.isclose(*map(sum, sums), rel_tol=ROUNDED):
        return None  # parts and their sum
    pairs = [
        (len(one.near & other.near) + (one.dimension == other.dimension != ""), one, other)
        for one in lost
        for other in come
        if not one.vague and not other.vague and one.differs(other)
        if one.roles[0][1] == other.roles[0][1] or "amount" not in {one.dimension, other.dimension}
        if not one.near.isdisjoint(other.near) or not (one.near and other.near)
    ]
    ours, theirs = map(_by_role, sides)
    common = [(ours[role], theirs[role]) for role in ours if role in theirs]
    changed = [pair for pair in common if not pair[0].equals(pair[1]) and pair[0].differs(pair[1])]
    if pairs:
        _, one, other = max(pairs, key=lambda pair: pair[0])
    elif len({one.at for one, _ in changed}) > 1:
        one, other = changed[0]
    else:
        return None
    if left.within(one.at).text != right.within(other.at).text:
        return one.at, other.at
    return range(one.at.start, one.end), range(other.at.start, other.end)


def _by_role(found: list[Quantity]) -> dict[tuple[str, str], Quantity]:
    """Role -> the quantity, where only one has it."""
    counts = Counter(role for each in found for role in each.roles)
    return {role: each for each in found for role in each.roles if counts[role] == 1 and any(role)}


def _unequal(one: list[Quantity], other: list[Quantity]) -> list[Quantity]:
    """The first quantities of one text without those that the other has in the same form."""
    counts = Counter((each.values, each.dimension, each.bound) for each in other)
    found = []
    for quantity in one:
        form = quantity.values, quantity.dimension, quantity.bound
        counts[form] -= 1
        if counts[form] < 0:
            found.append(quantity)
    return found[:MOST_UNEQUAL]
