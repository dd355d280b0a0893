"""Flags on a reworded sentence: what may have changed its claim.

Sentence encoders place "The vaccine protects children" beside "The vaccine offers children no protection". Four
rules look at the words of both texts: another *number* (14 days are two weeks), a *negation* that one text alone
has, an *opposite* (rose and fell; two arguments exchanged), another *name*. A negation, an opposite and an
exchange undo each other in pairs ("rarely" is "not often"; "A before B" is "B after A"), so only an odd number of
them counts. English, German, Russian and Spanish have word lists; in other languages only digits and names are
compared.

docs/quality.md reports precision and recall. No score depends on these flags.
"""

import itertools
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias

import regex
from rapidfuzz.distance import Prefix

from tted_core.words.languages import FUNCTION_WORDS, language
from tted_core.words.lists import LISTS, value_in
from tted_core.words.quantities import Quantity, quantities, words_of
from tted_core.words.splitting import Word

FlagKind: TypeAlias = Literal["number", "negation", "opposite", "name"]
KINDS: tuple[FlagKind, ...] = ("number", "negation", "opposite", "name")

SHARED_CONTENT = 0.5
"""Texts that share less of the shorter one's words are free rewordings, in which a "not" alone says nothing."""

MOST_OTHER_WORDS = 1
"""By so many words, opposites aside, may texts differ in which two words have changed places."""

TITLE_SHARE = 0.6
"""From this share of capitalised words on, a text is a title, whose capitals mark no names."""

_SENTENCE_START = regex.compile(r"(?:^|[.!?:;…]\s)[\s\"'“”«»„(\[]*$")
_FUNCTION, _ARTICLES, _COPULAS, _NOT_LESS = (
    frozenset(LISTS["english"][name].split()) for name in ("function", "articles", "copulas", "not_less")
)
_BEGINNINGS = frozenset(word[:5] for word in (*_FUNCTION, *" ".join(LISTS["negations"].values()).split()))


class Flag(NamedTuple):
    """A difference that may change the claim: its kind and the words, None where a text has no such word."""

    kind: FlagKind
    left: Word | None
    right: Word | None

    @property
    def words(self) -> str:
        """The kind and the words, for a reader: "number: 14 → 40"."""
        left, right = (word.text if word else "–" for word in (self.left, self.right))
        return f"{self.kind}: {left} → {right}"


@lru_cache(4096)  # a page draws the same pairs again at each click
def changed_claims(left: str, right: str) -> tuple[Flag, ...]:
    """Flags of two texts that correspond, at most one of each kind, in the order of ``KINDS``.

    >>> changed_claims("It has 14 moons.", "It has 40 moons.")[0].right.text
    '40'
    >>> changed_claims("It takes 14 days.", "It takes two weeks.")
    ()
    """
    if left == right:
        return ()
    name = _language(f"{left} {right}")
    sides = words_of(left), words_of(right)
    found = (
        _number(quantities(left, name), quantities(right, name)),
        *_polarity(sides, name),
        _renamed(_names(left, sides[0], name), _names(right, sides[1], name), sides),
    )
    return tuple(sorted(filter(None, found), key=lambda flag: KINDS.index(flag.kind)))


def _language(text: str) -> str:
    """The language with word lists that a text is in, English where it is too short to say; "" for another."""
    if regex.search(r"\p{Cyrillic}", text):
        return "" if regex.search(r"[іїєґ]", text, regex.IGNORECASE) else "ru"
    if not regex.search(r"\p{Latin}", text):
        return ""
    found = language(text)
    if found is None:
        words = set(text.lower().split())
        found = max(("en", "de", "es"), key=lambda name: len(words & FUNCTION_WORDS[name]))
    return found if found in LISTS["negations"] else ""


def _number(left: list[Quantity], right: list[Quantity]) -> Flag | None:
    """The first numbers that the other text lacks; a number that is only left out is no other number."""
    rest, lost = [*right], []
    for quantity in left:
        partner = next((other for other in rest if quantity.equals(other)), None)
        if partner is None:
            lost.append(quantity)
        else:
            rest.remove(partner)
    one, other = (next((quantity for quantity in side if not quantity.vague), None) for side in (lost, rest))
    return Flag("number", one.word, other.word) if one and other else None


def _polarity(sides: tuple[Sequence[Word], Sequence[Word]], name: str) -> list[Flag]:
    """The flags of an odd number of negations, opposites and exchanges; none of an even one."""
    if name not in LISTS["negations"] or _shared(sides) < SHARED_CONTENT:
        return []
    flags = _opposites(sides, name)
    exchanged = _exchange(sides) if name == "en" else None
    if exchanged:
        flags.append(exchanged)
    denied = [_negations(side, name) for side in sides]
    if (len(denied[0]) + len(denied[1])) % 2:
        more = len(denied[1]) > len(denied[0])
        word = denied[more][-1]
        flags.append(Flag("negation", None if more else word, word if more else None))
    if len(flags) % 2 == 0:
        return []
    return list({flag.kind: flag for flag in reversed(flags)}.values())


def alike(left: str, right: str) -> bool:
    """Return True if two texts share enough words for a flag to say something about a replaced sentence."""
    return _shared((words_of(left), words_of(right))) >= SHARED_CONTENT


def _shared(sides: tuple[Sequence[Word], Sequence[Word]]) -> float:
    """The share of the shorter text's content words that begin as a word of the other does."""
    few, many = sorted(({word.text.lower()[:5] for word in side} - _BEGINNINGS for side in sides), key=len)
    return len(few & many) / len(few) if few else 1.0


def _negations(words: Sequence[Word], name: str) -> list[Word]:
    """The words that deny; "not only" doesn't, and "никогда не" does so once."""
    text = " ".join(word.text.lower() for word in words)
    excepted = sum(
        len(regex.findall(rf"\b{phrase}\b", text))
        for phrase in LISTS["no_negations"][name].strip().splitlines()
    )
    denying, repeating = LISTS["negations"][name], LISTS["concordant"].get(name, "")
    found = [
        word
        for word in words
        if value_in(denying, word.text.lower()) or (name == "en" and _denies(word.text.lower()))
    ]
    return found[excepted:] or [word for word in words if value_in(repeating, word.text.lower())][:1]


def _denies(word: str) -> bool:
    return word.endswith(("n't", "n’t")) or (
        word.endswith("less") and len(word) > 6 and word not in _NOT_LESS
    )


@cache
def _axes(name: str) -> tuple[tuple[str, str], ...]:
    ends = (line.partition("|") for line in LISTS["axes"][name].strip().splitlines())
    return tuple((one, other) for one, _, other in ends)


@lru_cache(16_384)
def _leanings(word: str, name: str) -> tuple[tuple[int, int], ...]:
    """(axis, +1 or -1) for each axis of opposites that a word is on."""
    return tuple(
        (axis, sign)
        for axis, ends in enumerate(_axes(name))
        for sign, end in zip((1, -1), ends, strict=True)
        if value_in(end, word)
    )


def _opposites(sides: tuple[Sequence[Word], Sequence[Word]], name: str) -> list[Flag]:
    """A flag for each axis towards whose two ends the texts lean, by the words that one of them alone has."""
    leanings: list[dict[int, list[tuple[int, Word]]]] = []
    for side, other in (sides, sides[::-1]):
        shared = {word.text.lower() for word in other}
        on_axes: dict[int, list[tuple[int, Word]]] = {}
        for word in side:
            for axis, sign in () if word.text.lower() in shared else _leanings(word.text.lower(), name):
                on_axes.setdefault(axis, []).append((sign, word))
        leanings.append(on_axes)
    found: dict[tuple[Word, Word], Flag] = {}  # "hard" is on two axes and one opposite
    for axis in leanings[0].keys() & leanings[1].keys():
        left, right = leanings[0][axis], leanings[1][axis]
        if sum(sign for sign, _ in left) * sum(sign for sign, _ in right) < 0:
            found[left[0][1], right[0][1]] = Flag("opposite", left[0][1], right[0][1])
    return list(found.values())


def _exchange(sides: tuple[Sequence[Word], Sequence[Word]]) -> Flag | None:
    """Two words that have changed places in the same words: "copper ... better than iron".

    Each has the other's preposition, and a word stands between them in both texts. Where words come or go ("is
    eaten by"), the exchange may be one of grammar alone.
    """
    texts = [[word.text.lower() for word in side] for side in sides]
    compared = all("than" in text for text in texts)
    if not compared and any(_COPULAS.intersection(text) for text in texts):
        return None  # "A is B" is "B is A"
    one, other = (
        Counter(
            _stem(word) for word in text if not _leanings(word, "en") and not (compared and word in _FUNCTION)
        )
        for text in texts
    )
    if ((one - other) + (other - one)).total() > MOST_OTHER_WORDS:
        return None
    left, right = map(_content, sides)
    places = {key: rank for rank, key in enumerate(right)}
    common = [key for key in left if key in places]
    for first, second in itertools.combinations(common, 2):
        between = common[common.index(first) + 1 : common.index(second)]
        before = left[first][1], left[second][1]
        if (
            any(places[second] < places[key] < places[first] for key in between)
            and before == (right[second][1], right[first][1])
            and not {"and", "or"}.intersection(before)
            and (not compared or "than" in before)
        ):
            return Flag("opposite", left[first][0], right[second][0])
    return None


def _content(words: Sequence[Word]) -> dict[str, tuple[Word, str]]:
    """Stem -> content word that stands once, with the function word before it; in the order of the text."""
    counts = Counter(_stem(word.text.lower()) for word in words)
    found: dict[str, tuple[Word, str]] = {}
    before = ""
    for word in words:
        lower = word.text.lower()
        if lower in _FUNCTION:
            before = before if lower in _ARTICLES else lower
            continue
        if counts[_stem(lower)] == 1:
            found[_stem(lower)] = word, before
        before = ""
    return found


def _stem(word: str) -> str:
    return regex.sub(r"(?:e?s|e?d|ing|'s|’s)$", "", word) if len(word) > 4 else word.removesuffix("s")


def _names(text: str, words: Sequence[Word], name: str) -> list[Word]:
    """Capitalised words within a sentence, acronyms, weekdays and months.

    German capitalises all nouns: of it, weekdays and months alone.
    """
    periods = LISTS["periods"].get(name, "")
    spoken = [word for word in words if word.text[0].isalpha()]
    capitals = sum(word.text[0].isupper() for word in spoken)
    title = len(spoken) > 2 and capitals >= TITLE_SHARE * len(spoken)

    def is_name(word: Word) -> bool:
        if value_in(periods, word.text.lower()):
            return True
        if name == "de" or not word.text[0].isupper() or word.text == "I":
            return False
        return word.text.isupper() if title else not _SENTENCE_START.search(text[: word.start])

    return [word for word in spoken if is_name(word)]


def _renamed(
    left: list[Word], right: list[Word], sides: tuple[Sequence[Word], Sequence[Word]]
) -> Flag | None:
    """A name of each text that the other has in no form: neither inflected, nor small, nor as an acronym."""
    lost = [name for name in left if not _known(name.text, sides[1])]
    new = [name for name in right if not _known(name.text, sides[0])]
    return Flag("name", lost[0], new[0]) if lost and new else None


def _known(name: str, words: Sequence[Word]) -> bool:
    """Return True if one of the words is a form of the name, or they are an acronym and its words."""
    lower = name.lower().removesuffix("'s").removesuffix("’s")
    enough = max(min(len(lower), 3), round(0.5 * len(lower)))  # Poland and Polish, Байкал and Байкале
    if any(Prefix.similarity(lower, word.text.lower()) >= enough for word in words):
        return True
    if name.isupper():
        initials = "".join(word.text[0] for word in words if word.text[0].isupper())
        return len(name) > 1 and name in initials
    return any(name[0] in word.text for word in words if word.text.isupper() and len(word.text) > 1)
