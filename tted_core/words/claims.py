"""Flags for words of a reworded sentence that may have changed its claim.

Sentence encoders give "The vaccine protects children" and "The vaccine offers children no protection" similar
vectors. Five rules compare the words of what both texts have: another *number* (14 days are two weeks), a
*negation* that one text alone has, an *opposite* (rose and fell; two arguments exchanged), another *name*, another
*modality* (must and may). English and Russian have all word lists of claims.toml, fifteen other languages those
of numbers, negations and opposites; in others only digits and names are compared.

Both texts are read once, as statements: words with their values in the lists (lexicon.py). Sentences that one text
adds are left out. Each kind then reads its own from the words and compares the two: quantities.py, names.py, and
polarity.py, which counts negations, opposites and exchanges together.

docs/quality.md reports precision and recall. No score depends on these flags.
"""

from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, groupby
from typing import Literal, NamedTuple, TypeAlias

from tted_core.words.lexicon import MOST_WORDS, Statement, Token, are_alike, language_of, read_statement
from tted_core.words.names import find_renamed
from tted_core.words.polarity import differences
from tted_core.words.quantities import find_changed_number
from tted_core.words.splitting import Word

FlagKind: TypeAlias = Literal["number", "negation", "opposite", "name", "modality"]
KINDS: tuple[FlagKind, ...] = ("number", "negation", "opposite", "name", "modality")

# Minimum share of the topics of both texts that both have; below it, they are of different things.
ALIKE = 0.3

# Likewise for texts that are worded alike: siblings, which aren't rewordings of one another, need it.
CLOSE = 0.85

# Likewise for opposites and names, and for a sentence of one text and the whole other text, which lacks it
# otherwise.
HALF = 0.5

_BREAKS = frozenset(".!?…。！？।؟:;(\n")


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
def changed_claims(left: str, right: str, share: float = ALIKE) -> tuple[Flag, ...]:
    """Flags of two texts that correspond, at most one of each kind, in the order of ``KINDS``.

    A sentence that one text adds to the other has none, nor has a text of more than ``MOST_WORDS``. Texts that may
    be of different things, as siblings are, need a ``share`` of ``CLOSE``.

    >>> changed_claims("It has 14 moons.", "It has 40 moons. None is large.")[0].right.text
    '40'
    >>> changed_claims("It takes 14 days.", "It takes two weeks.")
    ()
    """
    if left == right:
        return ()
    name = language_of(f"{left} {right}")
    statements = read_statement(left, name), read_statement(right, name)
    if max(len(side.tokens) for side in statements) > MOST_WORDS:
        return ()
    sides = _without_added(*statements), _without_added(*statements[::-1])
    if not are_alike(*sides, share):
        return ()
    number = find_changed_number(*sides)
    spent = number or (range(0), range(0))
    are_close = are_alike(*sides, HALF)
    found: list[tuple[FlagKind, int | None, int | None]] = [
        each for each in differences(sides, spent) if each[0] != "opposite" or are_close
    ]
    if are_close and (renamed := find_renamed(*sides)):
        found.append(("name", *renamed))
    flags = {
        kind: Flag(
            kind,
            *(at if at is None else side.tokens[at].word for side, at in zip(sides, positions, strict=True)),
        )
        for kind, *positions in reversed(found)
    }
    if number:
        flags["number"] = Flag("number", *(side.within(at) for side, at in zip(sides, spent, strict=True)))
    return tuple(flags[kind] for kind in KINDS if kind in flags)


def _without_added(text: Statement, other: Statement) -> Statement:
    """A statement without the sentences that it adds; what follows a colon or bracket, unlike 2:0, is one."""
    numbers = accumulate(token.gap != ":" and not _BREAKS.isdisjoint(token.gap) for token in text.tokens)
    stays: list[Token] = []
    for _, group in groupby(zip(numbers, text.tokens, strict=True), lambda pair: pair[0]):
        sentence = [token for _, token in group]
        topics = {token.topic for token in sentence} - {""}
        if len(topics & other.topics) >= HALF * len(topics):
            stays += sentence
    return replace(text, tokens=tuple(stays)) if stays else text
