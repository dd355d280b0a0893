"""Flags for words of a reworded sentence that may have changed its claim.

Sentence encoders give "The vaccine protects children" and "The vaccine offers children no protection" similar
vectors. Five rules compare the words of what both texts have: another *number* (14 days are two weeks), a
*negation* that one text alone has, an *opposite* (rose and fell; two arguments exchanged), another *name*, another
*modality* (must and may). English and Russian have all word lists of claims.toml, thirteen other languages those
of numbers, negations and opposites; in others only digits and names are compared.

docs/quality.md reports precision and recall. No score depends on these flags.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

from tted_core.words.lexicon import MOST_WORDS, Statement, are_alike, language_of, read_statement
from tted_core.words.names import find_renamed
from tted_core.words.polarity import applies_to_shared, differences
from tted_core.words.quantities import Quantity, quantities
from tted_core.words.splitting import Word, split_sentences

FlagKind: TypeAlias = Literal["number", "negation", "opposite", "name", "modality"]
KINDS: tuple[FlagKind, ...] = ("number", "negation", "opposite", "name", "modality")

_ALIKE = 0.55
"""Minimum share of the topics of both texts that both have; below it, numbers are of different things."""

CLOSE = 0.85
"""Likewise for other words; texts that share less are free rewordings, in which a single "not" says nothing."""

ADDED = 0.5
"""Maximum share of known words in a sentence that one text adds to the other."""

MOST_UNEQUAL = 100
"""Maximum numbers of each text, without those that both have, that are compared in pairs."""


class Flag(NamedTuple):
    """A difference that may change the claim: its kind and the words, None where a text has no such word."""

    kind: FlagKind
    left: Word | None
    right: Word | None

    @property
    def words(self) -> str:
        """The kind and the words as text: "number: 14 → 40"."""
        left, right = (word.text if word else "–" for word in (self.left, self.right))
        return f"{self.kind}: {left} → {right}"


@lru_cache(4096)  # a page draws the same pairs again at each click
def changed_claims(left: str, right: str) -> tuple[Flag, ...]:
    """Flags of two texts that correspond, at most one of each kind, in the order of ``KINDS``.

    A sentence that one text adds to the other has none, nor has a text of more than ``MOST_WORDS``.

    >>> changed_claims("It has 14 moons.", "It has 40 moons. None is large.")[0].right.text
    '40'
    >>> changed_claims("It takes 14 days.", "It takes two weeks.")
    ()
    """
    if left == right:
        return ()
    name = language_of(f"{left} {right}")
    statements = read_statement(left, name), read_statement(right, name)
    sides = _common(*statements)
    if max(len(side.words) for side in statements) > MOST_WORDS or not are_alike(*sides, _ALIKE):
        return ()
    number = _number(*map(quantities, sides))
    found = [number] if number else []
    close = are_alike(*sides, CLOSE)
    inner = _inner(sides[0], number and number.left), _inner(sides[1], number and number.right)
    found += [Flag(*each) for each in differences(*sides, inner)]
    met = {flag.left for flag in found}, {flag.right for flag in found}
    found += _modality(*sides, met)
    if close:
        found += [Flag("name", *words) for words in find_renamed(*sides)]
    else:
        found = [flag for flag in found if flag is number or _are_in_place(sides, flag)]
    first = {flag.kind: flag for flag in reversed(found)}
    return tuple(first[kind] for kind in KINDS if kind in first)


def _inner(text: Statement, word: Word | None) -> set[Word]:
    """The words of a statement that a word, perhaps of several, consists of."""
    return {each for each in text.words if word and word.start <= each.start and each.end <= word.end}


def _common(left: Statement, right: Statement) -> tuple[Statement, Statement]:
    """Both statements without the sentences that one adds to the other."""
    ours, theirs = _sentences(left), _sentences(right)
    more = len(ours) - len(theirs)
    return _drop_added(left, ours, right, more), _drop_added(right, theirs, left, -more)


def _sentences(text: Statement) -> list[list[int]]:
    """Positions of the words of each sentence."""
    starts = [start for start, _ in split_sentences(text.text)]
    numbered = groupby(range(len(text.words)), lambda at: bisect(starts, text.words[at].start))
    return [[*positions] for _, positions in numbered]


def _drop_added(text: Statement, sentences: list[list[int]], other: Statement, more: int) -> Statement:
    """A statement without the sentences that the other one lacks, if it has more of them."""
    every = frozenset(other.keys)
    shares = []
    for number, sentence in enumerate(sentences):
        content = {text.contents[at] for at in sentence} - {""}
        words = content or {text.keys[at] for at in sentence}
        shares.append((len(words & (other.content if content else every)) / len(words), number))
    added = {number for share, number in sorted(shares)[: max(more, 0)] if share < ADDED}
    stays = [at for number, sentence in enumerate(sentences) if number not in added for at in sentence]
    return text.at(stays) if added and stays else text


def _number(left: list[Quantity], right: list[Quantity]) -> Flag | None:
    """The first numbers that the other text lacks, or has in another order; a missing number doesn't count."""
    lost, come = _unequal(left, right), _unequal(right, left)
    for quantity in [*lost]:
        partner = next((other for other in come if quantity.equals(other)), None)
        if partner:
            come.remove(partner)
            lost.remove(quantity)
    pairs = [
        (len(one.near & other.near) + (one.dimension == other.dimension != ""), one, other)
        for one in lost
        for other in come
        if not one.vague and not other.vague and one.differs(other)
        if one.of == other.of or "amount" not in {one.dimension, other.dimension}
        if not one.near.isdisjoint(other.near) or not (one.near and other.near)
    ]
    if pairs:
        _, one, other = max(pairs, key=lambda pair: pair[0])
        return Flag("number", one.word, other.word)
    theirs = _by_role(right)
    others = [
        (quantity, theirs[role])
        for role, quantity in _by_role(left).items()
        if role in theirs and not quantity.equals(theirs[role]) and quantity.differs(theirs[role])
    ]
    return Flag("number", others[0][0].word, others[0][1].word) if len(others) > 1 else None


def _by_role(found: list[Quantity]) -> dict[tuple[str, str], Quantity]:
    """Preposition and key of the word that follows -> the quantity, where only one has them."""
    counts = Counter((each.role, each.of) for each in found)
    return {
        (each.role, each.of): each
        for each in found
        if counts[each.role, each.of] == 1 and (each.role or each.of)
    }


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


def _are_in_place(sides: tuple[Statement, Statement], flag: Flag) -> bool:
    """Return True if a flag has a word of each text, and both have the same word near them."""
    if flag.left is None or flag.right is None:
        return False
    left, right = (
        {*side.ahead(at), *side.behind(at + 1)}
        for side, at in (
            (sides[0], sides[0].words.index(flag.left)),
            (sides[1], sides[1].words.index(flag.right)),
        )
    )
    return not left.isdisjoint(right)


def _modality(left: Statement, right: Statement, met: tuple[Collection[Word | None], ...]) -> Iterator[Flag]:
    """A word of necessity, possibility or probability of another strength than that of the other text.

    Of two texts of which only one has such a word, the other claims more if the word is a hedge ("possibly").
    """
    sides = left, right
    modal = [dict(_strengths(side, words)) for side, words in zip(sides, met, strict=True)]
    ours, theirs = (
        [position for position, strength in here.items() if strength not in there.values()]
        for here, there in (modal, modal[::-1])
    )
    if ours and theirs:
        one, other = ours[0], theirs[0]
        applied = applies_to_shared(left, one, right) and applies_to_shared(right, other, left)
        stronger = sides if modal[0][one] > modal[1][other] else sides[::-1]
        if applied and modal[0][one] * modal[1][other] > 0 and not _is_reserved(*stronger):
            yield Flag("modality", left.words[one], right.words[other])
    elif (modal[0] or modal[1]) and not (modal[0] and modal[1]):
        here, there, own = (left, right, ours) if ours else (right, left, theirs)
        hedge = next((position for position in own if "hedges" in here.values[position]), None)
        if hedge is not None and not _is_reserved(there, here) and applies_to_shared(here, hedge, there):
            word = here.words[hedge]
            yield Flag("modality", word, None) if ours else Flag("modality", None, word)


def _is_reserved(text: Statement, other: Statement) -> bool:
    """Return True if a text has reservations of its own: "forecasters predict that it will rain"."""
    return any(text.value("reserved", position) for position in text.own(other))


def _strengths(text: Statement, met: Collection[Word | None]) -> Iterator[tuple[int, float]]:
    """(position, strength) of the words of modality, below 0 if negated; "May" is none."""
    for position, word in enumerate(text.words):
        strength = text.value("modality", position)
        is_name = word.text[0].isupper() and not text.begins[position]
        if strength and word not in met and not is_name:
            yield position, strength
