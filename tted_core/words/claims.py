"""Flags for words of a reworded sentence that may have changed its claim.

Sentence encoders give "The vaccine protects children" and "The vaccine offers children no protection" similar
vectors. Four rules compare the words of both texts: another *number* (14 days are two weeks), a *negation* that
one text alone has, an *opposite* (rose and fell; two arguments exchanged), another *name*. Negations, opposites
and exchanges cancel each other in pairs ("rarely" is "not often"; "A before B" is "B after A"), so only an odd
number of them counts. English, German, Russian and Spanish have word lists; in other languages only digits and
names are compared.

docs/quality.md reports precision and recall. No score depends on these flags.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias

import regex
from rapidfuzz.distance import Prefix

from tted_core.words.languages import FUNCTION_WORDS, language
from tted_core.words.quantities import LISTS, Quantity, quantities, value_in, words_of
from tted_core.words.splitting import Word

FlagKind: TypeAlias = Literal["number", "negation", "opposite", "name"]
KINDS: tuple[FlagKind, ...] = ("number", "negation", "opposite", "name")

SHARED_CONTENT = 0.5
"""Texts that share less of the shorter one's words are free rewordings, in which a single "not" says nothing."""

MOST_OTHER_WORDS = 1
"""Maximum number of different words, except opposites, in texts in which two words are exchanged."""

TITLE_SHARE = 0.6
"""Share of capitalised words above which a text is a title, whose capitals don't mark names."""

_SENTENCE_START = regex.compile(r"(?:^|[.!?:;…]\s)[\s\"'“”«»„(\[]*$")
_DENIES = regex.compile(r"n['’]t$|(?<!^(?:b|count|neverthe|nonethe|price|regard|un)|^..?)less$")
_FUNCTION, _ARTICLES, _COPULAS = (
    frozenset(LISTS["english"][name].split()) for name in ("function", "articles", "copulas")
)
_BEGINNINGS = frozenset(word[:5] for word in (*_FUNCTION, *" ".join(LISTS["negations"].values()).split()))


Sides: TypeAlias = tuple[Sequence[Word], Sequence[Word]]


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
        _renamed((left, right), sides, name),
    )
    return tuple(sorted(filter(None, found), key=lambda flag: KINDS.index(flag.kind)))


def _language(text: str) -> str:
    """The language of a text if it has word lists; English for short texts; "" for other languages."""
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
    """The first numbers that the other text lacks; a number that is just missing doesn't count."""
    rest, lost = [*right], []
    for quantity in left:
        partner = next((other for other in rest if quantity.equals(other)), None)
        if partner is None:
            lost.append(quantity)
        else:
            rest.remove(partner)
    one, other = (next((quantity for quantity in side if not quantity.vague), None) for side in (lost, rest))
    return Flag("number", one.word, other.word) if one and other else None


def _polarity(sides: Sides, name: str) -> list[Flag]:
    """The flags of negations, opposites and exchanges if their number is odd; none if it is even."""
    if name not in LISTS["negations"] or _shared(sides) < SHARED_CONTENT:
        return []
    flags = _opposites(sides, name)
    met = {word for flag in flags for word in flag[1:]}
    flags += [flag for flag in (_prefixed(sides, name),) if flag and met.isdisjoint(flag[1:])]
    flags += filter(None, [_exchange(sides, name)])
    denied = [[word for word in _negations(side, name) if word not in met] for side in sides]
    if (len(denied[0]) + len(denied[1])) % 2:
        more = len(denied[1]) > len(denied[0])
        word = denied[more][-1]
        if flags or (_of_shared(word, sides[more], sides[not more], name) and not _implied(sides, name)):
            flags.append(Flag("negation", None if more else word, word if more else None))
    if len(flags) % 2 == 0:
        return []
    return list({flag.kind: flag for flag in reversed(flags)}.values())


def _of_shared(negation: Word, words: Sequence[Word], others: Sequence[Word], name: str) -> bool:
    """Return True if the other text has a negated word: one of two words after it, in German around it."""
    if negation.text.endswith("less"):
        return True
    content = [word for word in words if word.text.lower()[:5] not in _BEGINNINGS]
    behind = [word for word in content if word.start > negation.start][:2]
    if name == "de" or not behind:
        behind += [word for word in content if word.start < negation.start][-1:]
    known = {word.text.lower()[:5] for word in others}
    return any(word.text.lower()[:5] in known for word in behind)


def alike(left: str, right: str) -> bool:
    """Return True if two texts share enough words for a flag to say something about a replaced sentence."""
    return _shared((words_of(left), words_of(right))) >= SHARED_CONTENT


def _shared(sides: Sides) -> float:
    """The share of the shorter text's content words that begin like a word of the other text."""
    few, many = sorted(({word.text.lower()[:5] for word in side} - _BEGINNINGS for side in sides), key=len)
    return len(few & many) / len(few) if few else 1.0


def _negations(words: Sequence[Word], name: str) -> list[Word]:
    """The negating words; "not only" is none, and "никогда не" is one."""
    text = " ".join(word.text.lower() for word in words)
    excepted = len(regex.findall(rf"\b(?:{LISTS['no_negations'][name]})\b", text))
    denying, repeating = LISTS["negations"][name], LISTS["concordant"].get(name, "")
    found = [
        word
        for word in words
        if value_in(denying, word.text.lower()) or (name == "en" and _DENIES.search(word.text.lower()))
    ]
    return found[excepted:] or [word for word in words if value_in(repeating, word.text.lower())][:1]


def _prefixed(sides: Sides, name: str) -> Flag | None:
    """A word of one text that is a word of the other with a negating prefix."""
    pairs = itertools.product(_own_words(*sides), _own_words(*sides[::-1]))
    return next(
        (Flag("negation", *pair) for pair in pairs if _deny(*pair, name) or _deny(*pair[::-1], name)), None
    )


def _deny(long: Word, short: Word, name: str) -> bool:
    """Return True if a word is another one with a negating prefix, and isn't a negation itself."""
    rest = _without_prefix(long.text.lower(), name)
    return rest != "" and Prefix.similarity(short.text.lower(), rest) >= max(
        4, len(rest) - 3, len(short.text) - 3
    )


@lru_cache(16_384)
def _without_prefix(word: str, name: str) -> str:
    rest = regex.sub(f"^(?:{LISTS['prefixes'][name]})", "", word)
    return "" if rest == word or value_in(LISTS["negations"][name], word) else rest


def _implied(sides: Sides, name: str) -> bool:
    """Return True if a word of only one text implies a negation: "forbidden" is "not allowed"."""
    words = {word.text.lower() for pair in (sides, sides[::-1]) for word in _own_words(*pair)}
    implied, shape = LISTS["implied"][name], LISTS["implied"][f"{name}_shape"]
    return any(
        value_in(implied, word) or (len(word) > 5 and regex.search(shape, word))
        for word in words
        if not value_in(LISTS["negations"][name], word)
    )


def _own_words(words: Sequence[Word], others: Sequence[Word]) -> list[Word]:
    """The words that the other text doesn't have."""
    shared = {word.text.lower() for word in others}
    return [word for word in words if word.text.lower() not in shared]


@cache
def _axes(name: str) -> dict[str, list[tuple[int, int]]]:
    """Entry of the lists of opposites -> (axis, +1 or -1) for each axis that it is on."""
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for axis, line in enumerate(LISTS["axes"][name].strip().splitlines()):
        for sign, end in zip((1, -1), line.split("|"), strict=True):
            for entry in end.split():
                found[entry].append((axis, sign))
    return dict(found)


@lru_cache(16_384)
def _leanings(word: str, name: str) -> tuple[tuple[int, int], ...]:
    """(axis, +1 or -1) for each axis of opposites that a word is on."""
    axes = _axes(name)
    forms = (word, *(_bases(word) if name == "en" else ()))
    entries = [*forms, *(f"{form[:end]}*" for form in forms for end in range(2, len(form) + 1))]
    return tuple(dict.fromkeys(leaning for entry in entries for leaning in axes.get(entry, ())))


def _bases(word: str) -> list[str]:
    """Possible base forms of an English word: "wet" of "wetter", "sink" of "sinking"."""
    stem = regex.sub(r"(?:e[rd]|est|ing|e?s|ly)$", "", word)
    return (
        []
        if stem == word
        else [stem, f"{stem}e", regex.sub(r"i$", "y", stem), regex.sub(r"(.)\1$", r"\1", stem)]
    )


def _opposites(sides: Sides, name: str) -> list[Flag]:
    """A flag for each axis with opposite ends in the two texts, by words that only one of them has."""
    leanings: list[dict[int, list[tuple[int, Word]]]] = []
    for side, other in (sides, sides[::-1]):
        on_axes: dict[int, list[tuple[int, Word]]] = {}
        for word in _own_words(side, other):
            for axis, sign in _leanings(word.text.lower(), name):
                on_axes.setdefault(axis, []).append((sign, word))
        leanings.append(on_axes)
    found: dict[tuple[Word, Word], Flag] = {}  # "hard" is on two axes and one opposite
    for axis in leanings[0].keys() & leanings[1].keys():
        left, right = leanings[0][axis], leanings[1][axis]
        if sum(sign for sign, _ in left) * sum(sign for sign, _ in right) < 0:
            found[left[0][1], right[0][1]] = Flag("opposite", left[0][1], right[0][1])
    ends = {word.end for pair in found for word in pair}  # "speeds up", "slows down" are one
    return [flag for (one, other), flag in found.items() if not {one.start - 1, other.start - 1} <= ends]


def _exchange(sides: Sides, name: str) -> Flag | None:
    """Two exchanged words: "copper ... better than iron"; "wolves hunt deer".

    In a comparison they are on opposite sides of "than". Otherwise all other words must be equal, since with
    further changes ("is eaten by"), the exchange may be grammatical only. In English each of the two has the
    other's preposition, and there is a word between them; in Russian both have other endings.
    """
    if name not in _THAN:
        return None
    left, right = (_content(side, name) for side in sides)
    than = [[word.start for word in side if word.text.lower() == _THAN[name]] for side in sides]
    if all(than):
        return _across(left, right, than[0][-1], than[1][-1])
    texts = [[word.text.lower() for word in side] for side in sides]
    if any(_COPULAS.intersection(text) for text in texts):
        return None  # "A is B" is "B is A"
    one, other = (Counter(_stem(word, name) for word in text if not _leanings(word, name)) for text in texts)
    if ((one - other) + (other - one)).total() > MOST_OTHER_WORDS:
        return None
    rank = {key: index for index, key in enumerate(right)}
    common = [key for key in left if key in rank]
    for first, second in itertools.combinations(common, 2):
        if rank[second] > rank[first]:
            continue
        between = common[common.index(first) + 1 : common.index(second)]
        parted = any(rank[second] < rank[key] < rank[first] for key in between)
        before, after = (tuple(side[key] for key in (first, second)) for side in (left, right))
        if _each_as_other(before, after, name, parted=parted):
            return Flag("opposite", left[first][0], right[second][0])
    return None


_THAN = {"en": "than", "ru": "чем"}
_Content: TypeAlias = dict[str, tuple[Word, str]]


def _compares(word: str) -> bool:
    """Return True for a comparative, two of which may be exchanged: "hotter although it is farther"."""
    return word.endswith("er") and bool(_leanings(word, "en"))


def _across(left: _Content, right: _Content, here: int, there: int) -> Flag | None:
    """A word before "than" in the left text and after it in the right one, with another word exchanged."""
    one, other = (
        {key[:5]: word for key, (word, _) in side.items() if not _compares(word.text.lower())}
        for side in (left, right)
    )
    common = [key for key in one if key in other]
    gone = [key for key in common if one[key].start < here and other[key].start > there]
    come = [key for key in common if one[key].start > here and other[key].start < there]
    return Flag("opposite", one[gone[0]], other[come[0]]) if gone and come else None


def _each_as_other(
    before: Sequence[tuple[Word, str]], after: Sequence[tuple[Word, str]], name: str, *, parted: bool
) -> bool:
    """Return True if two words are exchanged, by their prepositions, or in Russian by their endings."""
    if name == "ru":
        return parted and all(
            one.text.lower() != other.text.lower() for (one, _), (other, _) in zip(before, after, strict=True)
        )
    ones, others = ([preposition for _, preposition in each] for each in (before, after))
    return ones == others[::-1] and not {"and", "or"}.intersection(ones) and (parted or ones != others)


def _content(words: Sequence[Word], name: str) -> _Content:
    """Stem -> content word that occurs once, with the function word before it; in the order of the text."""
    counts = Counter(_stem(word.text.lower(), name) for word in words)
    found: _Content = {}
    before = ""
    for word in words:
        lower = word.text.lower()
        if lower in _FUNCTION:
            before = before if lower in _ARTICLES else lower
            continue
        if counts[_stem(lower, name)] == 1:
            found[_stem(lower, name)] = word, before
        before = ""
    return found


_RUSSIAN_ENDING = regex.compile(
    r"(?<=\w{3})(?:[аяоеы][мх]|[аяиы]ми|[ое]в|и[йяюие]|[еоы]й|[ое]го|[аеёиоуыэюяьй])$"
)
_ENGLISH_ENDING = regex.compile("(?:e?s|e?d|ing|'s|’s)$")


@lru_cache(16_384)
def _stem(word: str, name: str) -> str:
    if name == "ru":
        return str(_RUSSIAN_ENDING.sub("", word))
    return _ENGLISH_ENDING.sub("", word) if len(word) > 4 else word.removesuffix("s")


def _names(text: str, words: Sequence[Word], name: str) -> list[Word]:
    """Capitalised words within a sentence, acronyms, weekdays and months.

    For German, which capitalises all nouns, only weekdays and months.
    """
    periods = LISTS["periods"].get(name, "")
    spoken = [word for word in words if word.text[0].isalpha()]
    capitals = sum(word.text[0].isupper() for word in spoken)
    title = len(spoken) > 2 and capitals >= TITLE_SHARE * len(spoken)
    return [
        word
        for word in spoken
        if value_in(periods, word.text.lower())
        or (
            (name != "de" and word.text[0].isupper() and word.text != "I")
            and (
                (word.text.isupper() and len(word.text) > 1)
                or (not title and not _SENTENCE_START.search(text[: word.start]))
            )
        )
    ]


def _renamed(texts: tuple[str, str], sides: Sides, name: str) -> Flag | None:
    """A name of each text that the other lacks in any form: inflected, in lower case, or as an acronym."""
    if _shared(sides) < SHARED_CONTENT:
        return None
    lost, new = (
        [word for word in _names(text, side, name) if not _known(word.text, other)]
        for text, side, other in zip(texts, sides, sides[::-1], strict=True)
    )
    if not lost and not new and _other_beginning(sides, name):
        return Flag("name", sides[0][0], sides[1][0])
    return Flag("name", lost[0], new[0]) if lost and new else None


def _other_beginning(sides: Sides, name: str) -> bool:
    """Return True if texts differ only in their first word, and it looks like a name: "Vivaldi wrote it"."""
    if not all(sides) or name not in _NAME_SHAPES:
        return False
    firsts, rests = zip(*((side[0].text, [word.text for word in side[1:]]) for side in sides), strict=True)
    shaped = all(
        regex.search(_NAME_SHAPES[name], first) and first[:5].lower() not in _BEGINNINGS for first in firsts
    )
    return shaped and rests[0] == rests[1] and not _known(firsts[0], sides[1]) and not _opposites(sides, name)


_NAME_SHAPES = {
    "en": r"^\p{Lu}\p{Ll}{2,}(?<!ly|s|ing|tion|ness|one|body)$",
    "ru": r"^\p{Lu}\p{Ll}+(?:ов|ев|ин|ын|ский)а?$",
}
"""Pattern of a name at the beginning of a sentence: no article, and no ending of another English word."""


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
