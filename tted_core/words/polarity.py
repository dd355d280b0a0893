"""Negations, opposites, strengths and exchanged arguments of two texts.

"Rarely" is "not often", "A before B" is "B after A", "less cold" is "warmer": only an odd number of negations,
opposites and exchanges changes the claim.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Literal, TypeAlias

import regex

from tted_core.words.lexicon import LISTS, Statement, word_values

MOST_OTHER_WORDS = 2
"""Maximum number of different words, except opposites, in texts in which two words are exchanged."""

MOST_IN_PHRASE = 7
"""Words behind a verb among which "by" makes it a passive, and between a conjunction and what it governs."""

MOST_VERBS = 6
"""Maximum number of verbs whose arguments may be exchanged."""

_CASES = [
    regex.compile(f"(?:{ending})$")
    for ending in ("[бвгджзйклмнпрстфхцчшщьъ](?<!ов|ев|[аяоеиы][мйх])", "[аяо]", "[еиы]", "")
]
"""Endings of Russian nouns, from those of subjects to those of other cases."""

_INFLECTED = frozenset({"adjectives", "verbs", "prepositions"})
_BEFORE_VERBS = frozenset({"modality", "copulas"})
_PREPOSITIONS = frozenset({"function", "roles", "prepositions"})

_CLEAR = ("а", "я", "у", "ю", "ой", "ом", "ами")
"""Endings of nouns that show their case."""

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
    if any(
        "unconditional" in token.values for token in text.tokens[max(0, position - MOST_IN_PHRASE) : position]
    ):
        return False
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
        if isinstance(axis, str)
        or "conditions" in sides[0].tokens[pair[0]].values
        or not (pair[0] - 1 in ends[0] and pair[1] - 1 in ends[1])
        if not (_is_answered(sides, pair, on_axes[1]) or _is_answered(sides[::-1], pair[::-1], on_axes[0]))
    }


def _is_answered(sides: Sides, pair: _Pair, axes: dict[int | str, list[tuple[float, int]]]) -> bool:
    """Return True if the other text has the like of a word near the same words: "exports rose, imports fell"."""
    return any(
        each == end and there != pair[1] and not sides[0].near(pair[0]).isdisjoint(sides[1].near(there))
        for axis, end in sides[0].tokens[pair[0]].axes.items()
        for each, there in axes.get(axis, ())[:MOST_PIVOTS]
    )


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
        behind = [
            (here, there, _is_behind(left, here, one), _is_behind(right, there, other))
            for here, there in shared
            if here != one and there != other
        ]
        gone = next((here for here, _, first, second in behind if second > first), None)
        come = next((there for _, there, first, second in behind if first > second), None)
        if gone is not None and come is not None:
            return gone, come
        is_moved = (gone, come) != (None, None) and _is_elliptic(sides, (one, other))
        if (one, other) in conflicts and (is_moved or _are_agentless(sides, (one, other))):
            return one, other
    return _find_exchanged_roles(sides, shared, conflicts)


def _is_behind(text: Statement, position: int, pivot: int) -> bool:
    """Return True if a word is behind a verb, or would be in the active."""
    return _role(text, position, pivot) != "subject" if _voice(text, pivot) < 0 else position > pivot


def _is_elliptic(sides: Sides, pivot: _Pair) -> bool:
    """Return True if an argument may be a pronoun, or the rest of a comparison is left out in one text."""
    compares = "comparatives" in sides[0].tokens[pivot[0]].values
    lacking = [not side.find("than" if compares else "pronouns") for side in sides]
    return lacking[0] != lacking[1] or (compares and all(lacking) and sides[0].language == "ru")


def _are_agentless(sides: Sides, pivot: _Pair) -> bool:
    """Return True if one of two converses alone is passive without an agent: "was given" is "received"."""
    agentless = [
        bool(side.tokens[at].topic) and not _voice(side, at) and side.value("copulas", at - 1) is not None
        for side, at in zip(sides, pivot, strict=True)
    ]
    is_converse = any(axis < 0 for axis in sides[0].tokens[pivot[0]].axes)
    return is_converse and agentless[0] != agentless[1]


def _find_exchanged_roles(
    sides: Sides, shared: list[_Pair], conflicts: dict[_Pair, int | str]
) -> _Pair | None:
    """Two words of which each has the other's preposition or side of a verb, or in Russian the other's case."""
    language = sides[0].language
    is_mutual = any("mutual" in token.values for side in sides for token in side.tokens)
    if is_mutual or any(isinstance(axis, int) and axis < 0 for axis in conflicts.values()):
        return None
    others = [
        side.tokens[at].topic
        for side, there in (sides, sides[::-1])
        for at in side.own(there)
        if side.tokens[at].topic or "negations" in side.tokens[at].values
    ]
    verbs = _verbs(*sides) if language == "en" and len(others) <= MOST_OTHER_WORDS else []
    roles = [{pair: [*map(_role, sides, pair, verb)] for pair in shared} for verb in ((None, None), *verbs)]
    if language == "ru" and not others and not conflicts:
        roles.append({pair: _cases(sides, pair) for pair in shared})
    for each in roles:
        turned = {(right, left): pair for pair, (left, right) in each.items() if left and right}
        for pair, (left, right) in each.items():
            if left != right and (left, right) in turned:
                return pair[0], turned[left, right][1]
    return None


def _verbs(left: Statement, right: Statement) -> list[_Pair]:
    """Words of both texts, or of the same end of a converse, that may be verbs, active or with an agent."""
    firsts = {key: at for at in reversed(range(len(right.tokens))) for key in _verb_keys(right, at)}
    pairs = ((at, firsts.get(key)) for at in range(len(left.tokens)) for key in _verb_keys(left, at))
    return [*islice(((one, other) for one, other in pairs if other is not None), MOST_VERBS)]


def _verb_keys(text: Statement, position: int) -> list[str | tuple[int, float]]:
    """The stem and the converses of a word behind a noun, modal verb or copula."""
    token, before = text.tokens[position], text.tokens[max(position - 1, 0)]
    follows = before.topic or not _BEFORE_VERBS.isdisjoint(before.values)
    is_word = token.topic and token.word.text[0].islower() and not token.known.endswith("ly")
    is_verb = position and follows and is_word and not token.gap.strip() and _voice(text, position)
    return [token.stem, *((axis, end) for axis, end in token.axes.items() if axis < 0)] if is_verb else []


def _role(text: Statement, position: int, verb: int | None) -> str:
    """The role that a noun's preposition gives it; without any, subject or object of the verb, or ""."""
    start = position
    while (
        start > max(0, position - MOST_IN_PHRASE) and start - 1 != verb and not text.tokens[start].gap.strip()
    ):
        before = text.tokens[start - 1]
        is_within = before.topic or before.known[0].isdigit()
        if not is_within or not _PREPOSITIONS.isdisjoint(before.values):
            break
        start -= 1
    preposition = _before(text, start)
    passive = verb is not None and _voice(text, verb) < 0
    if preposition:
        role = word_values(preposition, text.language).get("roles", "")
        return "subject" if passive and preposition == "by" else str(role)
    behind = text.tokens[position + 1 : position + 2]
    is_head = not behind or position + 1 == verb or not behind[0].topic or behind[0].gap.strip()
    if verb is None or position == verb or not is_head or _is_inflected(text, position):
        return ""
    return "object" if passive == (position < verb) else "subject" if not passive else ""


def _is_inflected(text: Statement, position: int) -> bool:
    """Return True for an adjective, a verb or an adverb of place."""
    return not _INFLECTED.isdisjoint(text.tokens[position].values)


def _cases(sides: Sides, pair: _Pair) -> list[str]:
    """The preposition of a noun, or if it may be a subject, in each text; "" if its form is the same.

    Words that don't show it are subjects before a word that has a converse: "экспорт превысил импорт".
    """
    forms = [side.tokens[at].known for side, at in zip(sides, pair, strict=True)]
    ranks = [next(rank for rank, ending in enumerate(_CASES) if ending.search(form)) for form in forms]
    if all(map(_is_inflected, sides, pair)):
        return ["", ""]
    is_clear = ranks[0] != ranks[1]
    verbs = [[at for at in side.find("verbs") if min(side.tokens[at].axes, default=0) < 0] for side in sides]
    if not is_clear and (forms[0].endswith(_CLEAR) or not all(verbs)):
        return [_before(side, at) for side, at in zip(sides, pair, strict=True)]
    if is_clear:
        return [
            _before(side, at) or f"subject: {rank < max(ranks)}"
            for side, at, rank in zip(sides, pair, ranks, strict=True)
        ]
    return [
        _before(side, at) or f"first: {at < verb[0]}"
        for side, at, verb in zip(sides, pair, verbs, strict=True)
    ]


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
    is_compared = left.language not in LISTS["comparatives"] or all(
        side.find("comparatives") for side in sides
    )
    if than := [*zip(left.find("than")[-1:], right.find("than")[-1:], strict=False)] if is_compared else []:
        yield from than
    if than or left.language not in {"en", "ru"}:
        return
    firsts = {token.stem: at for at, token in reversed([*enumerate(right.tokens)])}
    alike = bool(left.find("agents")) == bool(right.find("agents"))
    shared = (
        (at, firsts[token.stem])
        for at, token in enumerate(left.tokens)
        if token.stem in firsts
        and not token.known.endswith("ly")
        and (
            (alike and any(axis < 0 for axis in token.axes) and left.language == "en")
            or ("comparatives" in token.values and left.language == "ru")
            or (token.topic and {_voice(left, at), _voice(right, firsts[token.stem])} == {-1, 1})
        )
    )
    yield from islice(shared, MOST_PIVOTS)


def _voice(text: Statement, at: int) -> int:
    """-1 for "is eaten by", 1 for "eats", 0 for "is eaten" and "eaten by", whose arguments are uncertain."""
    is_copula = text.value("copulas", at - 1) is not None
    has_agent = any(text.value("agents", behind) for behind in range(at + 1, at + MOST_IN_PHRASE))
    return 0 if has_agent != is_copula else -1 if has_agent else 1


def _before(text: Statement, position: int) -> str:
    """The function word before a word, its articles and Russian adjectives, or ""."""
    before = next(
        (
            token
            for token in reversed(text.tokens[max(0, position - MOST_IN_PHRASE) : position])
            if token.values.keys().isdisjoint({"articles", "adjectives"})
        ),
        None,
    )
    return before.known if before and not _PREPOSITIONS.isdisjoint(before.values) else ""
