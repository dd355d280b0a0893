"""Exchanged arguments of two texts: "A sells to B" and "B sells to A".

Arguments are compared around comparatives, converses and verbs, by their prepositions, in Russian by their cases.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

import regex

from tted_core.words.lexicon import LISTS, Statement, word_values

MOST_OTHER_WORDS = 2
"""Maximum number of different words, except opposites, in texts in which two words are exchanged."""

MOST_IN_PHRASE = 7
"""Words behind a verb among which "by" makes it a passive, and between a conjunction and what it governs."""

_CASES = [
    regex.compile(f"(?:{ending})$")
    for ending in ("[бвгджзйклмнпрстфхцчшщьъ](?<!ов|ев|[аяоеиы][мйх])", "[аяо]", "[еиы]", "")
]
"""Endings of Russian nouns, from those of subjects to those of other cases."""

_INFLECTED = frozenset({"adjectives", "verbs", "prepositions"})
_BEFORE_VERBS = frozenset({"modality", "copulas"})
_PREPOSITIONS = frozenset({"function", "roles", "prepositions"})

MOST_PIVOTS = 6
"""Maximum number of words of a text around which arguments may be exchanged."""

Sides: TypeAlias = tuple[Statement, Statement]

Key: TypeAlias = str | tuple[int, float]
Pair: TypeAlias = tuple[int, int]
"""Positions of a word of the left text and of its counterpart in the right one."""


def find_exchange(sides: Sides, conflicts: dict[Pair, int | str]) -> Pair | None:
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
        if is_moved and (one, other) in conflicts:
            return one, other
    return _find_exchanged_roles(sides, shared, conflicts)


def _is_behind(text: Statement, position: int, pivot: int) -> bool:
    """Return True if a word is behind a verb, or would be in the active."""
    return _role(text, position, pivot) != "subject" if _voice(text, pivot) < 0 else position > pivot


def _is_elliptic(sides: Sides, pivot: Pair) -> bool:
    """Return True if an argument may be a pronoun, or the rest of a comparison is left out in one text."""
    compares = "comparatives" in sides[0].tokens[pivot[0]].values
    lacking = [not side.find("than" if compares else "pronouns") for side in sides]
    return lacking[0] != lacking[1] or (compares and all(lacking) and sides[0].language == "ru")


def _find_exchanged_roles(sides: Sides, shared: list[Pair], conflicts: dict[Pair, int | str]) -> Pair | None:
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
    verbs = _pairs(*sides, _verb_keys) if language == "en" and len(others) <= MOST_OTHER_WORDS else []
    roles = [{pair: [*map(_role, sides, pair, verb)] for pair in shared} for verb in ((None, None), *verbs)]
    stems = [{side.tokens[at].stem for at in side.find("verbs")} for side in sides]
    is_plain = len(others) <= 2 * MOST_OTHER_WORDS and not any(side.find("pronouns") for side in sides)
    if language == "ru" and (not (others or conflicts) or (is_plain and stems[0] & stems[1])):
        roles.append({pair: _cases(sides, pair) for pair in shared})
    for each in roles:
        turned = {(right, left): pair for pair, (left, right) in each.items() if left and right}
        for pair, (left, right) in each.items():
            if left != right and (left, right) in turned:
                return pair[0], turned[left, right][1]
    return None


def _pairs(left: Statement, right: Statement, keys: Callable[[Statement, int], list[Key]]) -> list[Pair]:
    """The first words of both texts that have a key in common."""
    firsts = {key: at for at in reversed(range(len(right.tokens))) for key in keys(right, at)}
    pairs = ((at, firsts.get(key)) for at in range(len(left.tokens)) for key in keys(left, at))
    return [*islice(((one, other) for one, other in pairs if other is not None), MOST_PIVOTS)]


def _verb_keys(text: Statement, position: int) -> list[Key]:
    """The stem and the converses of a word behind a noun, modal verb or copula, which may be a verb."""
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
    if (
        verb is None
        or position == verb
        or not is_head
        or not _INFLECTED.isdisjoint(text.tokens[position].values)
    ):
        return ""
    return "object" if passive == (position < verb) else "subject" if not passive else ""


def _cases(sides: Sides, pair: Pair) -> list[str]:
    """The preposition of a noun, or if it may be a subject, in each text; "" if its form is the same.

    Words that don't show it are subjects before a word that has a converse: "экспорт превысил импорт".
    """
    forms = [side.tokens[at].known for side, at in zip(sides, pair, strict=True)]
    ranks = [
        0
        if form[-1] in "мйх" and other.startswith(form)  # астроном, астронома
        else next(rank for rank, ending in enumerate(_CASES) if ending.search(form))
        for form, other in (forms, forms[::-1])
    ]
    if not any(_INFLECTED.isdisjoint(side.tokens[at].values) for side, at in zip(sides, pair, strict=True)):
        return ["", ""]
    is_clear = ranks[0] != ranks[1]
    verbs = [[at for at in side.find("verbs") if min(side.tokens[at].axes, default=0) < 0] for side in sides]
    roles = ["", ""]
    if is_clear:
        roles = [f"subject: {rank < max(ranks)}" for rank in ranks]
    elif all(verbs) and not forms[0].endswith(("а", "я", "у", "ю", "ой", "ом", "ами")):  # clear cases
        roles = [f"first: {at < verb[0]}" for at, verb in zip(pair, verbs, strict=True)]
    return [_before(side, at) or role for side, at, role in zip(sides, pair, roles, strict=True)]


def _pivots(sides: Sides, conflicts: dict[Pair, int | str]) -> Iterator[Pair]:
    """Words around which arguments may be exchanged.

    "Than"; comparatives and converses at different ends; of both texts' words, English ones that have a converse
    and Russian comparatives.
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
    if left.language == "ru" or bool(left.find("agents")) == bool(right.find("agents")):
        yield from _pairs(left, right, _pivot_keys)


def _pivot_keys(text: Statement, position: int) -> list[Key]:
    """The stem of a Russian comparative; of an English word with a converse, also the ends of its axes."""
    token = text.tokens[position]
    if text.language == "ru":
        return [token.stem] if "comparatives" in token.values else []
    ends = [(axis, end) for axis, end in token.axes.items() if axis < 0]
    return [token.stem, *ends] if ends else []


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
