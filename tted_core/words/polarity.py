"""Negations, opposites, exchanged arguments and strengths of two texts.

"Rarely" is "not often", "A before B" is "B after A", "less cold" is "warmer": only an odd number of negations,
opposites and exchanges changes the claim. Arguments are compared around comparatives, converses and verbs, by
their prepositions, in Russian by their cases.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from itertools import dropwhile, takewhile
from typing import Literal, TypeAlias

import regex

from tted_core.words.lexicon import MOST_IN_PHRASE, Statement, Token, are_alike

# Minimum share of the topics of both texts that both have, for a hedge that only one has to count.
WORDED_ALIKE = 0.7

# Maximum number of different words, except opposites, in texts in which two words are exchanged.
MOST_OTHER_WORDS = 4

# Endings of Russian nouns, from those of subjects to those of other cases.
_CASES = [
    regex.compile(f"(?:{ending})$")
    for ending in (
        "[бвгджзйклмнпрстфхцчшщьъо](?<!ов|ев|[аяоеиы][мйх]|[чжш]ан|[ьилрт]ян)",
        "[ая]",
        "[еиы]",
        "",
    )
]

_PREPOSITIONS = frozenset({"function", "roles", "prepositions"})

MOST_PIVOTS = 6  # maximum number of words of a text around which arguments may be exchanged

Sides: TypeAlias = tuple[Statement, Statement]

# Positions of a word of the left text and of its counterpart in the right one.
Pair: TypeAlias = tuple[int, int]

# Its kind, and the position of a word of each text, or None.
Difference: TypeAlias = tuple[Literal["negation", "opposite", "modality"], int | None, int | None]


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
        # "forbidden" is "not allowed"
        implied = (
            not _is_negation(side, at)
            for side, other in (sides, sides[::-1])
            for at in side.own(other, "implied")
        )
        if found or (applied and not any(implied)):
            at = (applied or denied[more][-1:])[0]
            found.append(("negation", None, at) if more else ("negation", at, None))
    return (found if len(found) % 2 else []) + _modality(sides)


def _negations(text: Statement) -> list[int]:
    """Positions of the negating words; "никогда не" is one, and "less cold" has one."""
    denying = [position for position in range(len(text.tokens)) if _is_negation(text, position)]
    return denying or text.find("concordant")[:1]


def _is_negation(text: Statement, position: int) -> bool:
    values = text.tokens[position].values
    behind = text.tokens[position + 1 : position + 2]
    if any("unconditional" in token.values for token in text.before(position)):
        return False
    if "lessening" in values:  # less cold, but less water
        return any("axes" in token.values for token in behind)
    is_answer = "answers" in values and any("," in token.gap for token in behind)  # "No, it isn't"
    return ("negations" in values and not is_answer) or values.get("modality", 0) < 0


def _applies_to_shared(text: Statement, position: int, other: Statement) -> bool:
    """Return True if the other text has a word that a negation applies to, mostly behind it.

    It applies to the last topic before it in its clause, too: "The king is not aware of it".
    """
    clause = takewhile(lambda token: "joins" not in token.values, text.before(position))
    before = [token.topic for token in clause if token.topic]
    within = takewhile(
        lambda token: not token.gap.strip(), text.tokens[position + 1 : position + 1 + MOST_IN_PHRASE]
    )
    behind = [token.topic for token in within if token.topic]
    around = {*(behind[:2] or before[1:2]), *before[:1]}
    return not around or not around.isdisjoint(other.topics)


def _conflicts(sides: Sides, spent: tuple[range, range]) -> dict[Pair, int | str]:
    """Positions of two words at different ends of an axis, which no word of both texts is on -> the axis."""
    on_axes: list[dict[int | str, list[tuple[float, int]]]] = [defaultdict(list), defaultdict(list)]
    for axes, side, other, numbers in zip(on_axes, sides, sides[::-1], spent, strict=True):
        has_until = bool(side.find("until"))
        for position in (each for each in side.own(other) if each not in numbers):
            for axis, end in side.tokens[position].axes.items():
                is_turned = (has_until and side.value("states", position)) or (
                    isinstance(axis, int) and axis < 0 and _is_agentless(side, position)
                )  # "open until eight" closes at eight, "was beaten" lost
                axes[axis].append((1 - end if is_turned else end, position))
    found: dict[Pair, int | str] = {}  # "hard" is on two axes and one opposite
    for axis in sorted(on_axes[0].keys() & on_axes[1].keys(), key=str):  # converses first, prefixes last
        lefts, rights = on_axes[0][axis], on_axes[1][axis]
        if {end for end, _ in lefts}.isdisjoint(end for end, _ in rights):
            found.setdefault((lefts[0][1], rights[0][1]), axis)
    return {  # "bigger and faster" is one comparison
        (one, other): axis
        for (one, other), axis in found.items()
        if (one - 2, other - 2) not in found
        or None in (sides[0].value("joins", one - 1), sides[0].value("comparatives", one))
    }


def _modality(sides: Sides) -> list[Difference]:
    """A word of necessity, possibility or probability of another strength than that of the other text.

    Of two texts worded alike of which only one has such a word, the other claims more if it is a hedge ("maybe").
    """
    modal = [side.own(other, "modality") for side, other in (sides, sides[::-1])]
    if all(modal):
        ours, theirs = (
            [side.tokens[at].values["modality"] for at in each]
            for side, each in zip(sides, modal, strict=True)
        )
        is_changed = ours[0] * theirs[0] > 0 and {*ours}.isdisjoint(theirs)
        return [("modality", modal[0][0], modal[1][0])] if is_changed else []
    more = bool(modal[1])
    hedge = next((at for at in modal[more] if "hedges" in sides[more].tokens[at].values), None)
    if (
        hedge is None
        or not are_alike(*sides, WORDED_ALIKE)
        or sides[more].value("modality", hedge)
        in {each.values.get("modality") for each in sides[not more].tokens}
    ):
        return []
    return [("modality", None, hedge) if more else ("modality", hedge, None)]


def _find_exchange(sides: Sides, conflicts: dict[Pair, int | str]) -> Pair | None:
    """Two exchanged arguments, or the word around which one is, if the other is left out or a pronoun in a text.

    Each word of both texts has a role in each: before or behind "than", a comparative or a converse; what a
    preposition, a side of a verb, or in Russian a case makes it. Two are exchanged if each has the other's.
    """
    has_pronoun = bool(sides[0].find("pronouns")) != bool(sides[1].find("pronouns"))
    for pivot, roles in _readings(sides, conflicts):
        turned = {(right, left): pair for pair, (left, right) in roles.items() if left and right}
        for pair, each in roles.items():
            if each[0] != each[1] and each in turned:
                return pair[0], turned[each][1]
        if pivot in conflicts and (
            _is_elliptic(sides, pivot, roles)
            or (has_pronoun and any(one != two for one, two in roles.values()))
        ):
            return pivot
    return None


def _readings(
    sides: Sides, conflicts: dict[Pair, int | str]
) -> Iterator[tuple[Pair | None, dict[Pair, tuple[str, str]]]]:
    """The roles of the words of both texts: around pivots, by what follows, prepositions, verbs, Russian cases.

    Pivots are comparatives and converses at different ends, "than", and what both texts have of Russian
    comparatives, words behind "less" and, if both are in the active or passive, English words with a converse.
    """
    left, right = sides
    nouns = [
        {token.topic or token.known: at for at, token in enumerate(side.tokens) if _is_argument(token)}
        for side in sides
    ]
    shared = [(here, nouns[1][topic]) for topic, here in nouns[0].items() if topic in nouns[1]]
    pivots = [
        (one, other)
        for (one, other), axis in conflicts.items()
        if (isinstance(axis, int) and axis < 0)
        or "comparatives" in {*left.tokens[one].values, *right.tokens[other].values}
        or (left.value("part_of", one + 1) and right.value("part_of", other + 1))  # upstream of
    ]
    kinds = {
        {"en": "converses", "ru": "comparatives"}.get(left.language),
        "than" if left.find("comparatives") and right.find("comparatives") else None,
    }
    if bool(left.find("agents")) == bool(right.find("agents")):
        pivots += _pairs(
            left,
            right,
            lambda text, at: (
                not (kinds.isdisjoint(text.tokens[at].values) and text.value("lessening", at - 1) is None)
                and text.value("relations", at) is None
            ),
        )
    for one, other in pivots:
        yield (
            (one, other),
            {pair: (_side(left, pair[0], one), _side(right, pair[1], other)) for pair in shared},
        )
    behind = [[*(token.topic for token in side.tokens[1:]), ""] for side in sides]  # black cats, white dogs
    yield None, {(x, y): (behind[0][x], behind[1][y]) for x, y in shared if left.language == "en"}
    own = [at for side, there in (sides, sides[::-1]) for at in side.own(there) if side.tokens[at].topic]
    is_plain = len(own) <= MOST_OTHER_WORDS
    verbs = _pairs(*sides, _may_be_verb) if left.language == "en" and is_plain else []
    for verb in ((None, None), *verbs):
        yield None, {pair: (_role(left, pair[0], verb[0]), _role(right, pair[1], verb[1])) for pair in shared}
    stems = [{side.tokens[at].stem for at in side.find("verbs")} for side in sides]
    if left.language == "ru" and is_plain and stems[0] & stems[1]:
        yield None, {pair: _cases(sides, pair) for pair in shared}


def _is_elliptic(sides: Sides, pivot: Pair, pairs: Collection[Pair]) -> bool:
    """Return True for "slower than the second" and "the second was faster"."""
    places = {tuple(map(_place, sides, pair, pivot)) for pair in pairs}
    return ("standard", "standard") not in places and not places.isdisjoint(
        {("standard", "subject"), ("subject", "standard")}
    )


def _place(text: Statement, position: int, pivot: int) -> str:
    """The place of a word without a preposition: before a comparative, or behind "than"; "" of any other word."""
    preposition = _preposition(text, position)
    if "comparatives" not in text.tokens[pivot].values or (
        preposition and not {"prepositions", "roles"}.isdisjoint(preposition.values)
    ):
        return ""
    is_standard = (text.language == "ru" and position == pivot + 1) or any(
        "than" in token.values for token in text.tokens[max(pivot + 1, position - MOST_IN_PHRASE) : position]
    )
    return "standard" if is_standard else "subject" if position < pivot else ""


def _pairs(left: Statement, right: Statement, is_kind: Callable[[Statement, int], bool]) -> list[Pair]:
    """The first words of a kind that both texts have, by a stem or an end of an axis."""
    ours, theirs = (
        [(key, at) for at, token in enumerate(side.tokens) if is_kind(side, at) for key in token.axes.items()]
        for side in (left, right)
    )
    firsts = dict(reversed(theirs))
    return [*dict.fromkeys((at, firsts[key]) for key, at in ours if key in firsts)][:MOST_PIVOTS]


def _may_be_verb(text: Statement, position: int) -> bool:
    """Return True for a word behind a noun, modal verb or copula."""
    token, before = text.tokens[position], text.tokens[max(position - 1, 0)]
    follows = before.topic or not before.values.keys().isdisjoint({"modality", "copulas"})
    return bool(follows and token.topic and "mutual" not in token.values)


def _role(text: Statement, position: int, verb: int | None) -> str:
    """The role that a noun's preposition gives it; without any, subject or object of the verb, or ""."""
    preposition = _preposition(text, position)
    is_agent = preposition and "agents" in preposition.values and verb is not None and _voice(text, verb) < 0
    if preposition and not is_agent:
        return str(preposition.values.get("roles", ""))
    is_head = position + 1 == verb or not any(map(_is_argument, text.tokens[position + 1 : position + 2]))
    return _side(text, position, verb) if is_head and verb is not None else ""


def _side(text: Statement, position: int, verb: int) -> str:
    """Subject or object: what is before or behind a verb; in the passive, what is behind "by", and all else.

    "Ann's mother" is the mother of Ann.
    """
    if _is_agentless(text, verb):
        return "object"
    if _voice(text, verb) >= 0:
        is_owner = position + 1 == verb and text.tokens[position].known.endswith("'s")
        return "subject" if position < verb and not is_owner else "object"
    preposition = _preposition(text, position)
    return "subject" if preposition and "agents" in preposition.values else "object"


def _preposition(text: Statement, position: int) -> Token | None:
    """The preposition of a noun, before its attributes and articles."""
    before = text.before(position)
    if text.language != "ru":  # whose nouns don't stand before nouns
        before = [*dropwhile(_is_argument, before)]
    found = next((token for token in before if {"articles", "adjectives"}.isdisjoint(token.values)), None)
    return found if found and not _PREPOSITIONS.isdisjoint(found.values) else None


def _is_argument(token: Token) -> bool:
    return bool(token.topic or "digits" in token.values) and _PREPOSITIONS.isdisjoint(token.values)


def _cases(sides: Sides, pair: Pair) -> tuple[str, str]:
    """The preposition of a noun, or if it may be a subject, in each text; "" if its form is the same."""
    nouns = [side.tokens[at] for side, at in zip(sides, pair, strict=True)]
    if not any({"adjectives", "verbs", "prepositions"}.isdisjoint(token.values) for token in nouns):
        return "", ""
    ranks = [
        next(rank for rank, ending in enumerate(_CASES) if ending.search(token.known)) for token in nouns
    ]
    roles = ["" if ranks[0] == ranks[1] else f"subject: {rank < max(ranks)}" for rank in ranks]
    before = [_preposition(side, at) for side, at in zip(sides, pair, strict=True)]
    if sum(token is not None and "prepositions" in token.values for token in before) == 1:
        roles = ["bare", "bare"]
    one, other = (token.known if token else role for token, role in zip(before, roles, strict=True))
    return one, other


def _is_agentless(text: Statement, at: int) -> bool:
    """Return True for a passive without an agent."""
    token = text.tokens[at]
    is_participle = "_" not in token.known and token.values.keys().isdisjoint(
        {*_PREPOSITIONS, "comparatives"}
    )
    is_passive = is_participle and text.value("copulas", at - 1) is not None and _voice(text, at) == 0
    return is_passive and text.value("roles", at + 1) is None


def _voice(text: Statement, at: int) -> int:
    """-1 for "is eaten by", 1 for "eats", 0 for "is eaten" and "eaten by", whose arguments are uncertain."""
    is_copula = text.value("copulas", at - 1) is not None
    has_agent = any(text.value("agents", behind) for behind in range(at + 1, at + MOST_IN_PHRASE))
    return 0 if has_agent != is_copula else -1 if has_agent else 1
