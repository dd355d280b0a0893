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
from itertools import islice

import regex

from tted_core.words.languages import FUNCTION_WORDS, IN_SCRIPT, KANA, language, script
from tted_core.words.splitting import NO_SPACES, Word

LISTS: dict[str, dict[str, str]] = tomllib.loads(
    (files(__package__) / "claims.toml").read_text(encoding="utf-8")
)
"""Kind of list -> language (of units: dimension) -> entries."""

LONGEST = 24
"""Maximum number of letters of an entry."""

MOST_WORDS = 10_000
"""Texts with more words aren't statements to compare, and have no flags."""

LETTERS_FOR_LANGUAGE = 2_000
"""Characters of a text by which its language is detected."""

BEGINNING = 5
"""Letters of a stem by which words of two texts are compared."""

_NEAR = 6
"""Words before and behind a position among which its topics are."""

MOST_REPLACED = 2
"""Topics of a short statement that may be replaced in another one."""

_AXES = {"axes": 1, "converses": -1}
_NO_RUSSIAN = regex.compile("[іїєґў]")
_FRACTION = r"(?:\d{1,3}\s)?\d{1,2}/(?:[234568]|10|16|32|64)(?![\d/])"
_DIGITS = r"\d{1,3}(?:[  \u202f]\d{3})+(?!\d)|\d{1,2}:\d\d|\d+(?:[.,]\d+)*+"
_RUN = rf"[\p{{L}}\p{{M}}--[{NO_SPACES}]]++"
_TOKEN = rf"{_FRACTION}|(?:{_DIGITS})|%|°[cf]?|[ap]\.\s?m\b\.?|(?:\p{{L}}\.){{2,}}+|{_RUN}(?:['’\-]{_RUN})*+"
_ENDINGS = {
    "en": regex.compile("(?:'s|’s|e?s|e?d|ing)$"),
    "ru": regex.compile(
        r"(?<=\w{3})(?:(?:[аеиоуяы]?л[аои]?|[аеяую]?[еиюя]т|[аеиоуяы]?т[ьи])(?:ся|сь)?|"
        r"[аяоеы][мх]|[аяиы]ми|[ое]в|и[йяюие]|[еоы]й|[ое]го|[ое]му|[аеиоуыэюяьй])$"
    ),
}
_VALUED = regex.compile(r":-?[\d.][\d.e\-]*$")
_INFLECTION = regex.compile(r"(?:e[rd]|est|ing|e?s|ly)$")
_FLEETING = regex.compile(r"(?<=\w\w)[ео]([кц])$")  # кошек is of кошка, свинец of свинца
_VARIANTS = str.maketrans("ёЁ’", "еЕ'")
_BEFORE_SENTENCES = frozenset('.!?:;…\n"“”«»„([•*')


def fold(word: str) -> str:
    """The form of a word that entries have: lower case, е for ё, straight apostrophes."""
    return word.translate(_VARIANTS).lower()


class Lexicon:
    """The lists of one language, as one index.

    Attributes:
        values: entry -> kind of list -> the number behind the entry's colon, or that of its line, from 1.
        axes: entry of the lists of opposites -> (axis, end) for each axis; converses have negative axes.
        shapes: kind of list -> its regular expression.
        tokens: the pattern of a statement's words.
    """

    def __init__(self, name: str) -> None:
        self.values: dict[str, dict[str, float]] = defaultdict(dict)
        self.axes: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.shapes: dict[str, regex.Pattern[str]] = {}
        units = {dimension: {"all": entries} for dimension, entries in LISTS["units"].items()}
        for kind, lists in (LISTS | units).items():
            lines = lists.get(name, lists.get("all", "")).strip().splitlines()
            for number, line in enumerate(lines, 1):
                self._read_line(kind, number, line)
        self._read_line("function", 1, " ".join(FUNCTION_WORDS.get(name, ())))
        entries = {*self.values, *self.axes}
        phrases = [entry.replace("_", " ") for entry in entries if "_" in entry]
        signs = [entry.rstrip("*") for entry in entries if regex.search(f"[{NO_SPACES}]", entry)]
        numbers = [entry for entry in entries if "numbers" in self.values.get(entry, ()) and "*" not in entry]
        pattern = (
            rf"(?i:(?<![\p{{L}}'\-])(?P<phrase>\L<phrases>)(?![\p{{L}}'\-])|\L<signs>|"
            rf"(?<![\p{{L}}\-])\L<numbers>(?=-)|{_TOKEN}|[{NO_SPACES}]\p{{M}}*)"
        )
        self.tokens = regex.compile(pattern, regex.V1, phrases=phrases, signs=signs, numbers=numbers)

    def _read_line(self, kind: str, number: int, line: str) -> None:
        end = 0
        for entry in line.split():
            word, _, value = entry.rpartition(":") if _VALUED.search(entry) else (entry, "", number)
            if entry.startswith("/"):
                self.shapes[kind] = regex.compile(entry.strip("/"))
            elif kind not in _AXES:
                self.values[fold(word)].setdefault(kind, float(value))
            elif entry == "|":
                end += 1
            else:
                self.axes[fold(entry)].append((_AXES[kind] * number, end))


@cache
def lexicon_of(name: str) -> Lexicon:
    """The lexicon of a language of claims.toml; of any other one, the units."""
    return Lexicon(name)


@lru_cache(65_536)  # the same few thousand words, looked up in many lists
def word_values(word: str, name: str) -> dict[str, float]:
    """Kind of list -> the value of a folded word, in the lists of a language that have it.

    >>> word_values("doubled", "en")["numbers"], word_values("kilometres", "en")["length"]
    (2.0, 1000.0)
    """
    lexicon = lexicon_of(name)
    found: dict[str, float] = {kind: 1.0 for kind, shape in lexicon.shapes.items() if shape.search(word)}
    for entry in entries_of(word):
        found = lexicon.values.get(entry, {}) | found
    return found


@lru_cache(16_384)
def leanings(word: str, name: str) -> dict[int, int]:
    """Axis of opposites -> end, for each axis that a known word is on."""
    found: dict[int, int] = {}
    for form in (word, *(_bases(word) if name == "en" else ())):
        for entry in entries_of(form):
            for axis, end in lexicon_of(name).axes.get(entry, ()):
                found.setdefault(axis, end)
    return found


def _bases(word: str) -> list[str]:
    """Possible base forms of an English word: "wet" of "wetter", "sink" of "sinking"."""
    base = _INFLECTION.sub("", word)
    single = base[:-1] if base[-1:] == base[-2:-1] else base
    forms = [base, f"{base}e", f"{base[:-1]}y" if base.endswith("i") else base, single]
    return [] if base == word else forms


def entries_of(word: str) -> list[str]:
    """The entries that stand for a word, the longest first; a phrase or a number stands for itself."""
    is_whole = "_" in word or word[:1].isdigit()
    ends = () if is_whole else range(min(len(word), LONGEST), 0, -1)
    return [word, *(f"{word[:end]}*" for end in ends)]


@lru_cache(16_384)
def stem(word: str, name: str) -> str:
    """A word without its ending, as far as a few rules know, in English and Russian.

    >>> stem("protected", "en"), stem("кухней", "ru")
    ('protect', 'кухн')
    """
    if name == "en" and len(word) < BEGINNING:
        return word.removesuffix("s")
    if name == "ru":
        word = _FLEETING.sub(r"\1", _ENDINGS[name].sub("", _ENDINGS[name].sub("", word)))
    return word if name != "en" else str(_ENDINGS[name].sub("", regex.sub("ie[sd]$", "y", word)))


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
        return tuple(word_values(word, self.language) for word in self.known)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stem of each word."""
        return tuple(stem(word, self.language) for word in self.known)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The beginning of each stem."""
        return tuple(stem[:BEGINNING] for stem in self.stems)

    @cached_property
    def contents(self) -> tuple[str, ...]:
        """The key of each word, "" for function words and negations."""
        kinds = {"function", "negations", "negating_shapes", "part_of", "day_parts"}
        pairs = zip(self.keys, self.values, strict=True)
        return tuple(key if kinds.isdisjoint(values) else "" for key, values in pairs)

    @cached_property
    def content(self) -> frozenset[str]:
        """The keys of all words but function words and negations."""
        return frozenset(filter(None, self.contents))

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The key of each word with content that is no number, "" for other words."""
        words = zip(self.contents, self.known, self.values, strict=True)
        no_topics = {"numbers", "amounts", "bounds", "modality"}
        return tuple(
            "" if word[0].isdigit() or not no_topics.isdisjoint(kinds) else key for key, word, kinds in words
        )

    @cached_property
    def subject(self) -> frozenset[str]:
        """All topics."""
        return frozenset(filter(None, self.topics))

    @cached_property
    def axes(self) -> frozenset[int]:
        """The axes of opposites that words are on."""
        return frozenset(axis for word in self.known for axis in leanings(word, self.language))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all words."""
        return frozenset(self.stems)

    def value(self, kind: str, position: int) -> float | None:
        """The value of a word in a list of the statement's language; None outside the list or the statement."""
        return self.values[position].get(kind) if 0 <= position < len(self.known) else None

    def find(self, kind: str) -> list[int]:
        """Positions of the words that a list has."""
        return [position for position, values in enumerate(self.values) if kind in values]

    def gap(self, position: int) -> str:
        """The text between a word and the one before it, or behind the last word."""
        end = self.words[position].start if position < len(self.words) else len(self.text)
        return self.text[self.words[position - 1].end : end]

    def ahead(self, position: int) -> list[str]:
        """The last two topics among the words before a position."""
        return [*filter(None, self.topics[max(0, position - _NEAR) : position])][-2:]

    def behind(self, position: int) -> list[str]:
        """The first two topics among the words from a position on."""
        return [*filter(None, self.topics[position : position + _NEAR])][:2]

    def own(self, other: "Statement") -> list[int]:
        """Positions of the words that the other statement lacks in any form."""
        return [number for number, word in enumerate(self.stems) if word not in other.vocabulary]

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


def are_alike(one: Statement, other: Statement, share: float) -> bool:
    """Return True if two statements have this share of the topics of both in common.

    Words on one axis have a topic in common, and so have opposites ("rose", "fell"). Half is enough if each statement
    has at most ``MOST_REPLACED`` topics that the other lacks.
    """
    axes = one.axes & other.axes
    counts = []
    for side, there in ((one, other), (other, one)):
        topics = {key: word for key, word in zip(side.topics, side.known, strict=True) if key}
        lacking = [
            key
            for key, word in topics.items()
            if key not in there.subject and axes.isdisjoint(leanings(word, side.language))
        ]
        counts.append((len(topics), len(lacking)))
    every, lacking = (sum(each) for each in zip(*counts, strict=True))
    return every - lacking >= every * (0.5 if max(lack for _, lack in counts) <= MOST_REPLACED else share)


def read_statement(text: str, name: str) -> Statement:
    """The statement of a text in a language of the lists, up to one word more than ``MOST_WORDS``.

    >>> read_statement("It isn't at least 1,000 m.", "en").known
    ('it', "isn't", 'at_least', '1,000', 'm')
    """
    plain = text.translate(_VARIANTS)
    matches = [*islice(lexicon_of(name).tokens.finditer(plain), MOST_WORDS + 1)]
    spans = [match.span() for match in matches]
    gaps = (text[end:start] for (_, end), (start, _) in zip(((0, 0), *spans), spans, strict=False))
    return Statement(
        text,
        name,
        tuple(Word(text[start:end], start, end) for start, end in spans),
        tuple(
            match[0].lower().replace(" ", "_") if match.lastgroup else match[0].lower() for match in matches
        ),
        tuple(not number or not _BEFORE_SENTENCES.isdisjoint(gap) for number, gap in enumerate(gaps)),
    )


def language_of(text: str) -> str:
    """The language of a text if it has word lists; "" for other languages.

    In a short text, a language's function words and entries decide; English if there are none.
    """
    text = text[:LETTERS_FOR_LANGUAGE]
    letters = script(text, 1) or "Latin"
    if letters != "Latin":
        name = "ja" if KANA.search(text) else IN_SCRIPT[letters][0]
        return (
            ""
            if name not in LISTS["negations"] or (name == "ru" and _NO_RUSSIAN.search(text.lower()))
            else name
        )
    if found := language(text):
        return found if found in LISTS["negations"] else ""
    words = {word for word in fold(text).split() if not word.isdigit()}
    counts = {
        name: len(words & known)
        + sum(bool(word_values(word, name) or leanings(word, name)) for word in words)
        for name, known in FUNCTION_WORDS.items()
        if name in LISTS["negations"]
    }
    return max(counts, key=counts.__getitem__)
