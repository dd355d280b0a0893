"""Negations, opposites, strengths and exchanged arguments of two texts.

"Rarely" is "not often", "A before B" is "B after A", "less cold" is "warmer": only an odd number of negations,
opposites and exchanges changes the claim.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Literal, TypeAlias

from tted_core.words.lexicon import Statement, word_values

MOST_OTHER_WORDS = 2
"""Maximum number of different words, except opposites, in texts in which two words are exchanged."""

MOST_BEFORE_AGENT = 4
"""Words behind a verb among which "by" makes it a passive."""

MOST_PIVOTS = 3
"""Maximum number of words of a text around which arguments may be exchanged."""

Sides: TypeAlias = tuple[Statement, Statement]

_Pair: TypeAlias = tuple[int, int]
"""Positions of a word of the left text and of its counterpart in the right one."""

Difference: TypeAlias = tuple[Literal["negation", "opposite", "modality"], int | None, int | None]
"""Its kind, and the position of a word of each text, or None."""


def differences(sides: Sides, spent: tuple[range, range]) -> list[Difference]:
    """Negations, opposites and exchanges of two texts if their number is odd, and another modality.

    ``spent`` are the positions of numbers that have a flag.
    """
    conflicts = _conflicts(sides, spent)
    found: list[Difference] = [
        ("negation" if isinstance(axis, str) else "opposite", *pair) for pair, axis in conflicts.items()
    ]
    taken = [{*spent[side], *(each[side + 1] for each in found)} for side in (0, 1)]
    if exchange := _find_exchange(sides, conflicts):
        found.append(("opposite", *exchange))
    denied = [[at for at in _negations(side) if at not in taken[turned]] for turned, side in enumerate(sides)]
    if (len(denied[0]) + len(denied[1])) % 2:
        more = len(denied[1]) > len(denied[0])
        here, there = sides[more], sides[not more]
        applied = [at for at in denied[more] if _applies_to_shared(here, at, there)]
        if found or (applied and not _has_implied(sides)):
            at = (applied or denied[more][-1:])[0]
            found.append(("negation", None, at) if more else ("negation", at, None))
    return (found if len(found) % 2 else []) + [*_modality(sides)]


def _negations(text: Statement) -> list[int]:
    """Positions of the negating words; "никогда не" is one, and "less cold" has one."""
    denying = [position for position in range(len(text.tokens)) if _is_negation(text, position)]
    return denying or text.find("concordant")[:1]


def _is_negation(text: Statement, position: int) -> bool:
    values = text.tokens[position].values
    behind = text.tokens[position + 1 : position + 2]
    if "lessening" in values:  # less cold, but less water
        return any(token.axes for token in behind)
    if "answers" in values and text.tokens[position].begins and any("," in token.gap for token in behind):
        return False
    return "negations" in values or values.get("modality", 0) < 0


def _applies_to_shared(text: Statement, position: int, other: Statement) -> bool:
    """Return True if the other text has a word that a negation or modal verb applies to, mostly behind it."""
    around = text.behind(position + 1) or text.ahead(position)
    return not around or any(key in other.topics for key in around)


def _has_implied(sides: Sides) -> bool:
    """Return True if a word of only one text implies a negation: "forbidden" is "not allowed"."""
    return any(
        not _is_negation(side, position)
        for side, other in (sides, sides[::-1])
        for position in side.own(other, "implied")
    )


def _conflicts(sides: Sides, spent: tuple[range, range]) -> dict[_Pair, int | str]:
    """Positions of two words at different ends of an axis, which no word of both texts is on -> the axis."""
    on_axes: list[dict[int | str, list[tuple[float, int]]]] = [defaultdict(list), defaultdict(list)]
    for axes, side, other, numbers in zip(on_axes, sides, sides[::-1], spent, strict=True):
        for position in side.own(other):
            lessens = "lessening" in side.tokens[position].values and _is_negation(side, position)
            if position not in numbers and not lessens:
                for axis, end in (side.tokens[position].axes | side.tokens[position].denied).items():
                    axes[axis].append((end, position))
    found: dict[_Pair, int | str] = {}  # "hard" is on two axes and one opposite
    for axis in sorted(on_axes[0].keys() & on_axes[1].keys(), key=str):  # converses first, prefixes last
        lefts, rights = on_axes[0][axis], on_axes[1][axis]
        if {end for end, _ in lefts}.isdisjoint(end for end, _ in rights):
            found.setdefault((lefts[0][1], rights[0][1]), axis)
    # "speeds up" and "slows down" are one, as are "shallow lake" and "deep sea"
    ends = [{pair[side] for pair in found} for side in (0, 1)]
    return {
        pair: axis
        for pair, axis in found.items()
        if isinstance(axis, str) or not (pair[0] - 1 in ends[0] and pair[1] - 1 in ends[1])
    }


def _modality(sides: Sides) -> Iterator[Difference]:
    """A word of necessity, possibility or probability of another strength than that of the other text.

    Of two texts of which only one has such a word, the other claims more if the word is a hedge ("possibly").
    "Predict" is a reservation too.
    """
    modal = [side.own(other, "modality") for side, other in (sides, sides[::-1])]
    strengths = [
        [side.tokens[at].values["modality"] for at in each] for side, each in zip(sides, modal, strict=True)
    ]
    if all(modal):
        weaker, stronger = sides if strengths[0] < strengths[1] else sides[::-1]
        is_changed = strengths[0][0] * strengths[1][0] > 0 and {*strengths[0]}.isdisjoint(strengths[1])
        if is_changed and not stronger.own(weaker, "reserved"):
            yield "modality", modal[0][0], modal[1][0]
        return
    more = bool(modal[1])
    here, there = sides[more], sides[not more]
    hedge = next((at for at in modal[more] if "hedges" in here.tokens[at].values), None)
    if hedge is not None and not there.own(here, "reserved") and _applies_to_shared(here, hedge, there):
        yield ("modality", None, hedge) if more else ("modality", hedge, None)


def _find_exchange(sides: Sides, conflicts: dict[_Pair, int | str]) -> _Pair | None:
    """Two exchanged arguments: of a comparison, of a word that has a converse, or of equal texts otherwise.

    A word before "sells" or "than" is behind it, or behind its converse, in the other text, and a word behind it
    is before it. In the passive, the sides are exchanged; comparatives are no arguments.
    """
    left, right = sides
    compared = left.find("than") and right.find("than")
    topics = [
        {
            token.topic: at
            for at, token in enumerate(side.tokens)
            if token.topic and not (compared and "comparatives" in token.values and token.axes)
        }
        for side in sides
    ]
    shared = [(here, topics[1][key]) for key, here in topics[0].items() if key in topics[1]]
    for one, other in _pivots(sides, conflicts):
        passive = [_voice(side, at) < 0 for side, at in zip(sides, (one, other), strict=True)]
        behind = [
            (here, there, (here > one) != passive[0], (there > other) != passive[1])
            for here, there in shared
            if here != one and there != other
        ]
        gone = next((here for here, _, first, second in behind if second > first), None)
        come = next((there for _, there, first, second in behind if first > second), None)
        if gone is not None and come is not None:
            return gone, come
    moved = {(_before(left, here), _before(right, there)): (here, there) for here, there in shared}
    for (before, after), (here, _) in moved.items():  # "from Rome to Paris"
        if (
            before != after
            and (after, before) in moved
            and all(word_values(each, left.language).get("roles") for each in (before, after))
        ):
            return here, moved[after, before][1]
    return _find_swapped(left, right)


def _pivots(sides: Sides, conflicts: dict[_Pair, int | str]) -> Iterator[_Pair]:
    """Words around which arguments may be exchanged.

    "Than"; comparatives and converses at different ends; of both texts' words, those with a converse and verbs in
    the passive of one text.
    """
    left, right = sides
    for (one, other), axis in conflicts.items():
        values = {*left.tokens[one].values, *right.tokens[other].values}
        if "comparatives" in values or (isinstance(axis, int) and axis < 0):
            yield one, other
    if than := [*zip(left.find("than")[-1:], right.find("than")[-1:], strict=False)]:
        yield from than
    if than or left.language != "en":
        return
    firsts = {token.stem: at for at, token in reversed([*enumerate(right.tokens)])}
    alike = bool(left.find("agents")) == bool(right.find("agents"))
    shared = (
        (at, firsts[token.stem])
        for at, token in enumerate(left.tokens)
        if token.stem in firsts
        and (
            (alike and any(axis < 0 for axis in token.axes))
            or {_voice(left, at), _voice(right, firsts[token.stem])} == {-1, 1}
        )
    )
    yield from islice(shared, MOST_PIVOTS)


def _voice(text: Statement, at: int) -> int:
    """-1 for "is eaten by", 1 for "eats", 0 for "is eaten" and "eaten by", whose arguments are uncertain."""
    is_copula = text.value("copulas", at - 1) is not None
    has_agent = any(text.value("agents", behind) for behind in range(at + 1, at + MOST_BEFORE_AGENT))
    return 0 if has_agent != is_copula else -1 if has_agent else 1


def _find_swapped(left: Statement, right: Statement) -> _Pair | None:
    """Two words in each other's place, in texts whose other words are equal and in the same order.

    In English each of the two has the other's preposition, and there is a word between them; in Russian both have
    other endings.
    """
    sides = left, right
    name = left.language
    if name not in {"en", "ru"} or left.find("copulas") or right.find("copulas"):
        return None  # "A is B" is "B is A"
    counts = [Counter(token.stem for token in side.tokens) for side in sides]
    one, other = (Counter(token.stem for token in side.tokens if not token.axes) for side in sides)
    at = [
        {
            token.stem: at
            for at, token in enumerate(side.tokens)
            if count[token.stem] == 1 and "function" not in token.values
        }
        for side, count in zip(sides, counts, strict=True)
    ]
    here, there = ([key for key in side if key in at[0] and key in at[1]] for side in at)
    moved = [number for number, key in enumerate(here) if key != there[number]]
    if ((one - other) + (other - one)).total() > MOST_OTHER_WORDS or len(moved) != 2:
        return None
    first, second = here[moved[0]], here[moved[1]]
    parted = moved[1] > moved[0] + 1
    ones, others = (
        [_before(side, each[key]) for key in (first, second)] for side, each in zip(sides, at, strict=True)
    )
    is_swapped = ones == others[::-1] and not {"and", "or"}.intersection(ones) and (parted or ones != others)
    if name == "ru":  # "Кошки боятся собак"; without endings, "экспорт превысил импорт"
        changed = {left.tokens[at[0][key]].known != right.tokens[at[1][key]].known for key in (first, second)}
        is_swapped = parted and (changed == {True} or (is_swapped and changed == {False} and one == other))
    return (at[0][first], at[1][second]) if is_swapped else None


def _before(text: Statement, position: int) -> str:
    """The function word before a word and its articles, or ""."""
    before = next(
        (token for token in reversed(text.tokens[:position]) if "articles" not in token.values), None
    )
    return before.known if before and "function" in before.values else ""
