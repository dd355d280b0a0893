"""Word lists of claims.toml, and statements: texts as the words and phrases that these lists know.

An entry that ends in * stands for all words that begin so; one with _ is a phrase ("at_least"), which becomes one
word of a statement. Chinese, Japanese and Thai texts are split at the entries of their lists, otherwise by signs.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import chain, islice

import regex

from tted_core.words.languages import FUNCTION_WORDS, KANA, SCRIPTS, language
from tted_core.words.splitting import NO_SPACES, Word

LISTS: dict[str, dict[str, str]] = tomllib.loads(
    (files(__package__) / "claims.toml").read_text(encoding="utf-8")
)
"""Kind of list -> language (of units: dimension) -> entries."""

LONGEST = 24
"""Maximum number of letters of an entry."""

MOST_WORDS = 10_000
"""Texts with more words aren't statements to compare, and have no flags."""

LETTERS_FOR_LANGUAGE = 10_000
"""Characters of a text by which its language is detected."""

BEGINNING = 5
"""Letters of a stem by which words of two texts are compared."""

_LANGUAGE_OF_SCRIPT = {
    "Cyrillic": "ru",
    "Arabic": "ar",
    "Hangul": "ko",
    "Thai": "th",
    "Chinese or Japanese": "zh",
}
_NO_RUSSIAN = regex.compile("[іїєґў]")
_DIGITS = r"\d{1,3}(?:[  \u202f]\d{3})+(?!\d)|\d{1,2}:\d\d|\d+(?:[.,]\d+)*+"
_RUN = rf"[\p{{L}}\p{{M}}--[{NO_SPACES}]]++"
_TOKEN = rf"(?:{_DIGITS})|%|°[cf]?|[ap]\.\s?m\b\.?|(?:\p{{L}}\.){{2,}}+|{_RUN}(?:['’\-]{_RUN})*+"
_ENDINGS = {
    "en": regex.compile("(?:'s|’s|e?s|e?d|ing)$"),
    "ru": regex.compile(
        r"(?<=\w{3})(?:(?:[аеиоуяы]?л[аои]?|[аеяую]?[еиюя]т|[аеиоуяы]?т[ьи])(?:ся|сь)?|"
        r"[аяоеы][мх]|[аяиы]ми|[ое]в|и[йяюие]|[еоы]й|[ое]го|[ое]му|[аеиоуыэюяьй])$"
    ),
}


_VALUED = regex.compile(r":-?[\d.][\d.e\-]*$")
_INFLECTION = regex.compile(r"(?:e[rd]|est|ing|e?s|ly)$")
_FLEETING = regex.compile(r"(?<=\w\w)[ео]к$")  # кошек is of кошка


def fold(word: str) -> str:
    """The form of a word that entries have: lower case, е for ё, straight apostrophes."""
    return word.lower().replace("ё", "е").replace("’", "'")


@cache
def _index(name: str) -> dict[str, dict[str, float]]:
    """Entry of a language's lists -> kind of list -> its value."""
    index: dict[str, dict[str, float]] = defaultdict(dict)
    for kind, lists in LISTS.items():
        for entry in lists.get(name, "").split():
            word, _, value = entry.rpartition(":") if _VALUED.search(entry) else (entry, "", "1")
            index[fold(word)].setdefault(kind, float(value))
    return dict(index)


@lru_cache(65_536)  # the same few thousand words, looked up in many lists
def values_of(word: str, name: str) -> dict[str, float]:
    """Kind of list -> the value of a folded word, 1 by default, in the lists of a language that have it.

    >>> values_of("doubled", "en")["numbers"], values_of("kilometres", "length")
    (2.0, {'units': 1000.0})
    """
    index = _index(name)
    found: dict[str, float] = {}
    for entry in entries_of(word):
        for kind, value in index.get(entry, {}).items():
            found.setdefault(kind, value)
    return found


@lru_cache(65_536)
def has_shape(kind: str, name: str, word: str) -> bool:
    """Return True if a folded word matches the regular expression of a list."""
    shape = LISTS[kind].get(name)
    return shape is not None and regex.search(shape, word) is not None


@lru_cache(16_384)
def stem(word: str, name: str) -> str:
    """A word without its ending, as far as a few rules know, in English and Russian.

    >>> stem("protected", "en"), stem("кухней", "ru")
    ('protect', 'кухн')
    """
    if name not in _ENDINGS or (name == "en" and len(word) <= BEGINNING - 1):
        return word.removesuffix("s") if name == "en" else word
    ending = _ENDINGS[name]
    if name == "ru":
        word = _FLEETING.sub("к", ending.sub("", ending.sub("", word)))
    return str(word if name == "ru" else ending.sub("", word))


@dataclass(frozen=True)
class Statement:
    """A text with its words: numbers, signs of units, words, and phrases of the lists.

    Attributes:
        text: the text.
        language: a key of the lists; "" if none of them knows it.
        words: n words with their positions.
        known: n folded words, or the entries of phrases.
        begins: n times True at the beginning of a sentence, a list or a quotation.
    """

    text: str
    language: str
    words: tuple[Word, ...]
    known: tuple[str, ...]
    begins: tuple[bool, ...]

    @cached_property
    def values(self) -> tuple[dict[str, float], ...]:
        """Kind of list -> value, for each word."""
        return tuple(values_of(word, self.language) for word in self.known)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The beginning of each word's stem."""
        return tuple(stem(word, self.language)[:BEGINNING] for word in self.known)

    @cached_property
    def content(self) -> frozenset[str]:
        """The keys of all words but function words and negations."""
        return frozenset(
            key for word, key in zip(self.known, self.keys, strict=True) if not self.is_function(word)
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All known words."""
        return frozenset(self.known)

    def value(self, kind: str, position: int) -> float | None:
        """The value of a word in a list of the statement's language; None outside the list or the statement."""
        return self.values[position].get(kind) if 0 <= position < len(self.known) else None

    def is_function(self, word: str) -> bool:
        """Return True for a word without content of its own."""
        kinds = values_of(word, self.language)
        return "function" in kinds or "negations" in kinds or word in FUNCTION_WORDS.get(self.language, ())

    def own(self, other: "Statement") -> list[int]:
        """Positions of the words that the other statement lacks."""
        return [number for number, word in enumerate(self.known) if word not in other.vocabulary]

    def at(self, positions: Iterable[int]) -> "Statement":
        """The statement with only these words."""
        numbers = tuple(positions)
        return Statement(
            self.text,
            self.language,
            tuple(self.words[number] for number in numbers),
            tuple(self.known[number] for number in numbers),
            tuple(self.begins[number] for number in numbers),
        )


_BEFORE_SENTENCES = frozenset('.!?:;…\n"“”«»„([•*')


def shared(one: Statement, other: Statement) -> float:
    """The share of the content words of the statement with fewer of them that the other has too."""
    few, many = sorted((one.content, other.content), key=len)
    return len(few & many) / len(few) if few else 1.0


def read_statement(text: str, name: str) -> Statement:
    """The statement of a text in a language of the lists, up to one word more than ``MOST_WORDS``.

    >>> read_statement("It isn't at least 1,000 m.", "en").known
    ('it', "isn't", 'at_least', '1,000', 'm')
    """
    matches = islice(_tokens(name).finditer(text), MOST_WORDS + 1)
    found = [Word(match[0], *match.span()) for match in matches]
    folded = [fold(word.text) for word in found]
    words: list[Word] = []
    known: list[str] = []
    position = 0
    while position < len(found):
        entry, end = _phrase(text, found, folded, position, name)
        start, stop = found[position].start, found[end - 1].end
        words.append(found[position] if end == position + 1 else Word(text[start:stop], start, stop))
        known.append(entry)
        position = end
    ends = (0, *(word.end for word in words))
    gaps = (text[end : word.start] for end, word in zip(ends, words, strict=False))
    begins = tuple(not number or not _BEFORE_SENTENCES.isdisjoint(gap) for number, gap in enumerate(gaps))
    return Statement(text, name, tuple(words), tuple(known), begins)


def _phrase(text: str, words: list[Word], folded: list[str], position: int, name: str) -> tuple[str, int]:
    """The longest phrase that begins with a word, and its end; the word itself if there is none."""
    following = folded[position + 1] if position + 1 < len(words) else ""
    for entry, rest in _phrases_from(folded[position], following, name):
        end = position + 2 + len(rest)
        if end <= len(words) and all(map(_matches, rest, folded[position + 2 : end])):
            gaps = (text[words[at - 1].end : words[at].start] for at in range(position + 1, end))
            if all(gap.isspace() or not gap for gap in gaps):
                return entry, end
    return folded[position], position + 1


@lru_cache(65_536)
def _phrases_from(word: str, following: str, name: str) -> list[tuple[str, list[str]]]:
    """(entry, its words after the second one) for each phrase that may begin with two words, the longest first."""
    return [
        (entry, rest)
        for first in entries_of(word)
        for entry, second, *rest in _phrases(name).get(first, ())
        if following and _matches(second, following)
    ]


def _matches(entry: str, word: str) -> bool:
    return word.startswith(entry[:-1]) if entry.endswith("*") else word == entry


def entries_of(word: str) -> list[str]:
    """The entries that stand for a word; a phrase stands for itself."""
    ends = range(min(len(word), LONGEST), 0, -1) if "_" not in word else ()
    return [word, *(f"{word[:end]}*" for end in ends)]


@cache
def _entries(name: str) -> frozenset[str]:
    """All entries of a language, and of units."""
    return frozenset().union(_index(name), *(_index(dimension) for dimension in LISTS["units"])) - {"|"}


@cache
def _phrases(name: str) -> dict[str, list[list[str]]]:
    """First word of an entry -> the entry and its other words, for each phrase, the longest first."""
    found = defaultdict(list)
    for entry in sorted(_entries(name), key=lambda entry: (-entry.count("_"), entry)):
        first, *rest = entry.split("_")
        if rest:
            found[first].append([entry, *rest])
    return dict(found)


@cache
def _tokens(name: str) -> regex.Pattern[str]:
    """The pattern of a statement's words."""
    signs = [entry.rstrip("*") for entry in _entries(name) if regex.search(f"[{NO_SPACES}]", entry)]
    return regex.compile(rf"(?i:\L<signs>|{_TOKEN}|[{NO_SPACES}]\p{{M}}*)", regex.V1, signs=signs)


@cache
def groups(kind: str, name: str) -> dict[str, int]:
    """Entry -> the number of its line, in lists whose lines have words that mean the same."""
    lines = LISTS[kind].get(name, "").strip().splitlines()
    return {entry: number for number, line in enumerate(lines) for entry in line.split()}


@cache
def axes(name: str) -> dict[str, list[tuple[int, int]]]:
    """Entry of the lists of opposites -> (axis, end) for each axis that it is on; converses have negative axes."""
    found = defaultdict(list)
    for kind, sign in (("axes", 1), ("converses", -1)):
        for axis, line in enumerate(LISTS[kind].get(name, "").strip().splitlines(), 1):
            for end, entries in enumerate(line.split("|")):
                for entry in entries.split():
                    found[fold(entry)].append((sign * axis, end))
    return dict(found)


@lru_cache(16_384)
def leanings(word: str, name: str) -> tuple[tuple[int, int], ...]:
    """(axis, end) for each axis of opposites that a known word is on."""
    forms = [word, *(_bases(word) if name == "en" else ())]
    on = axes(name)
    entries = chain(*map(entries_of, forms))
    return tuple(dict.fromkeys(leaning for entry in entries for leaning in on.get(entry, ())))


def _bases(word: str) -> list[str]:
    """Possible base forms of an English word: "wet" of "wetter", "sink" of "sinking"."""
    base = _INFLECTION.sub("", word)
    single = base[:-1] if base[-1:] == base[-2:-1] else base
    forms = [base, f"{base}e", f"{base[:-1]}y" if base.endswith("i") else base, single]
    return [] if base == word else forms


def language_of(text: str) -> str:
    """The language of a text if it has word lists; "" for other languages.

    In a short text, a language's function words and entries decide; English if there are none.
    """
    text = text[:LETTERS_FOR_LANGUAGE]
    letters = {name: len("".join(SCRIPTS[name].findall(text))) for name in ("Latin", *_LANGUAGE_OF_SCRIPT)}
    script = max(letters, key=letters.__getitem__)
    if script != "Latin":
        name = "ja" if KANA.search(text) else _LANGUAGE_OF_SCRIPT[script]
        return "" if name == "ru" and _NO_RUSSIAN.search(text.lower()) else name
    if found := language(text):
        return found if found in LISTS["negations"] else ""
    words = set(fold(text).split())
    known = [name for name in FUNCTION_WORDS if name in LISTS["negations"]]
    return max(known, key=lambda name: 2 * len(words & FUNCTION_WORDS[name]) + len(words & _entries(name)))
