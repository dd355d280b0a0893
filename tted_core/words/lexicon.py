"""Word lists of claims.toml, and statements: texts as the words and phrases that these lists know.

An entry that ends in * stands for all words that begin so; one with _ is a phrase ("at_least"), which becomes one
word of a statement. Chinese, Japanese and Thai texts are split at the entries of their lists, otherwise by signs.
"""

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import takewhile
from typing import NamedTuple, TypeAlias

import regex

from tted_core.words.languages import FUNCTION_WORDS, IN_SCRIPT, KANA, MOST_LETTERS, language, script
from tted_core.words.splitting import NO_SPACES, Word, fold

# Kind of list, or number of an axis of opposites, below 0 for converses -> the number behind an entry's colon, the
# end of the axis, or the number of the entry's line, from 1.
Values: TypeAlias = dict[str | int, float]

# Kind of list -> language (of units: dimension) -> entries.
LISTS: dict[str, dict[str, str]] = tomllib.loads(
    (files(__package__) / "claims.toml").read_text(encoding="utf-8")
)

LONGEST = 24  # maximum number of letters of an entry

MOST_WORDS = 10_000  # texts with more words aren't statements to compare, and have no flags

BEGINNING = 5  # letters of a stem by which words of two texts are compared

# Words before a word among which what governs it is, and behind a verb among which "by" makes it a passive.
MOST_IN_PHRASE = 7

_AXES = {"axes": 1, "converses": -1}
_NO_TOPICS = frozenset(
    {
        "function",
        "negations",
        "concordant",
        "part_of",
        "ratios",
        "day_parts",
        "digits",
        "minus",
        "elided",
        "numbers",
        "factors",
        "amounts",
        "rates",
        "bounds",
        "modality",
    }
)
# Lists of endings, which words of any language may have.
SHAPES = frozenset({"digits", "adjectives", "demonyms", "first_names", "verbs"})

_RUN = rf"[\p{{L}}\p{{M}}--[{NO_SPACES}]]++"
_TOKENS = (
    rf"(?:(?=[{NO_SPACES}])\L<signs>|"
    rf"(?<![\p{{L}}\-])\L<numbers>(?=-)|"
    rf"(?:(?<![\p{{L}}'\-])|\G(?<=\p{{L}}))\L<numbers>"  # fünfundzwanzig, шестилетний
    rf"(?=\L<numbers>{{0,8}}+(?:\L<glued>\p{{L}}*+)?(?![\p{{L}}'\-]))|"
    rf"(?<![\p{{L}}'’\-])\L<elided>(?=\p{{L}})|"
    rf"\d{{1,3}}(?:[  \u202f]\d{{3}})+(?!\d)|\d{{1,2}}(?::|\s?h\s?)\d\d|\d+(?:[.,]\d+)*+|"
    rf"(?<![^\s(–])(?<!\d\s)[-−](?=\d)|%|°[cf]?|[ap]\.\s?m\b\.?|(?:\p{{L}}\.){{2,}}+|"
    rf"{_RUN}(?:['’\-]{_RUN})*+|[{NO_SPACES}]\p{{M}}*)"
)
_IN_WORDS = regex.compile(r"[\p{L}'\-]")
_BEFORE_SENTENCES = frozenset('.!?:;…\n"“”«»„([•*')


class Lexicon(NamedTuple):
    """The lists of one language, as one index.

    Attributes:
        values: entry, or = and the base of one on an axis ("=cold" for "colder") -> its values.
        shapes: kind of list -> its regular expression, if the language has one.
        tokens: the pattern of a statement's words.
        phrases: first word -> the phrases that begin with it, the longest first.
    """

    values: dict[str, Values]
    shapes: dict[str, regex.Pattern[str]]
    tokens: regex.Pattern[str]
    phrases: dict[str, list[str]]


@cache
def lexicon_of(name: str) -> Lexicon:
    """The lexicon of a language of claims.toml; of any other one, the units."""
    values: dict[str, Values] = defaultdict(dict)
    shapes = dict.fromkeys(("bases", "endings", "first_names", "prefixes"), regex.compile("(?!)"))
    units = {dimension: {"all": entries} for dimension, entries in LISTS["units"].items()}
    units["units"] = {"all": "\n".join(LISTS["units"].values())}
    units["function"] = {name: " ".join(FUNCTION_WORDS.get(name, ()))}
    for kind, lists in (*LISTS.items(), *units.items()):
        for number, line in enumerate(
            (line for each in (name, "all") for line in lists.get(each, "").strip().splitlines()), 1
        ):
            for end, part in enumerate(line.split(" | ")):
                for entry in part.split():
                    word, _, value = entry.partition(":")
                    word = fold(word)
                    if entry.startswith("/"):
                        shapes[kind] = regex.compile(entry.strip("/"))
                    elif kind in _AXES:
                        ends: Values = {kind: end, _AXES[kind] * number: end}
                        for key in {word, f"={word if '*' in word else shapes['bases'].sub('', word)}"}:
                            values[key] = ends | values[key]
                    else:
                        values[word].setdefault(kind, float(value or number))
    phrases = defaultdict(list)
    for entry in sorted((each for each in values if "_" in each), key=len, reverse=True):
        phrases[entry.partition("_")[0]].append(entry)
    entries = [(entry.rstrip("*"), each.keys()) for entry, each in values.items()]
    found = {
        "signs": [entry for entry, _ in entries if regex.search(f"[{NO_SPACES}]", entry)],
        "numbers": [
            entry for entry, kinds in entries if not kinds.isdisjoint({"numbers", "scales", "joins"})
        ],
        "elided": [entry for entry, kinds in entries if "elided" in kinds],
        "glued": [entry for entry, kinds in entries if "glued_units" in kinds],
    }
    # an empty list would be found between any two letters
    tokens = regex.compile(_TOKENS, regex.V1, **{kind: each or ["_"] for kind, each in found.items()})
    return Lexicon(values, shapes, tokens, phrases)


@lru_cache(65_536)  # the same few thousand words, looked up in many lists
def word_values(word: str, name: str) -> Values:
    """The values of a folded word, in the lists of a language that have it.

    >>> word_values("doubled", "en")["factors"], word_values("kilometres", "en")["length"]
    (2.0, 1000.0)
    """
    lexicon = lexicon_of(name)
    found: Values = {
        kind: 1.0
        for kind, shape in lexicon.shapes.items()
        if kind not in {"bases", "endings"} and shape.search(word)
    }
    longest = 0 if "_" in word or word[:1].isdigit() else min(len(word), LONGEST)
    base = f"={lexicon.shapes['bases'].sub('', word)}"
    for entry in (word, *(f"{word[:end]}*" for end in range(longest, 0, -1)), base):
        found = lexicon.values.get(entry, {}) | found
    return found


class Token(NamedTuple):
    """A word of a statement: a number, the sign of a unit, a word, or a phrase of the lists.

    Attributes:
        word: its text and position.
        gap: the text between it and the token before it.
        begins: True at the beginning of a sentence, a list or a quotation.
        known: the folded word, or the entry of the phrase.
        values: its values in the lists.
        axes: its ends of axes of opposites, and of its stem, whose other end is what a prefix denies ("unripe");
            "names", at whose one end are weekdays, months and capitalised words within a sentence.
        stem: its stem.
        topic: the beginning of the stem; "" for function words, negations and numbers.
    """

    word: Word
    gap: str
    begins: bool
    known: str
    values: Values
    axes: dict[str | int, float]
    stem: str
    topic: str


@lru_cache(65_536)
def _features(known: str, name: str, *, capital: bool) -> tuple[Values, dict[str | int, float], str, str]:
    """All of a token that depends on the word alone, and on its capital within a sentence: May is a month."""
    values = word_values(known, name)
    if capital and "capital_periods" in values:
        values = {kind: value for kind, value in values.items() if kind != "modality"}
    shapes = lexicon_of(name).shapes
    stem = shapes["endings"].sub("", known)
    if "irregular" in values:
        stem = f"~{values['irregular']:g}"
    bare = stem if "negations" in values else shapes["prefixes"].sub("", stem)
    axes: dict[str | int, float] = {bare: 1.0, stem: 0.0}
    axes |= {kind: value for kind, value in values.items() if isinstance(kind, int)}
    if capital or "periods" in values:
        axes["names"] = 0.0
    topic = stem[:BEGINNING] if _NO_TOPICS.isdisjoint(values) else ""
    return values, axes, stem, topic


@dataclass(frozen=True, eq=False)
class Statement:
    """A text in a language, a key of the lists or "", and its tokens."""

    text: str
    language: str
    tokens: tuple[Token, ...]

    @cached_property
    def topics(self) -> frozenset[str]:
        """The topics of all tokens."""
        return frozenset(token.topic for token in self.tokens) - {""}

    def value(self, kind: str, position: int) -> float | None:
        """The value of a token in a list; None outside the list or the statement."""
        return self.tokens[position].values.get(kind) if 0 <= position < len(self.tokens) else None

    def find(self, kind: str) -> list[int]:
        """Positions of the tokens that a list has."""
        return [position for position, token in enumerate(self.tokens) if kind in token.values]

    def within(self, positions: range) -> Word:
        """The text of these tokens, with what stands between them, as one word."""
        tokens = self.tokens[positions.start : positions.stop]
        start, end = (tokens[0].word.start, tokens[-1].word.end) if tokens else (0, 0)
        return Word(self.text[start:end], start, end)

    def before(self, position: int) -> list[Token]:
        """The tokens before one in its clause, the nearest first."""
        starts = range(position, max(0, position - MOST_IN_PHRASE), -1)
        within = takewhile(lambda at: not self.tokens[at].gap.strip(" —–"), starts)
        return [self.tokens[at - 1] for at in within]

    def own(self, other: "Statement", kind: str = "") -> list[int]:
        """Positions of the tokens, or of those in a list, that the other statement lacks in any form."""
        stems = {token.stem for token in other.tokens}
        every = self.find(kind) if kind else range(len(self.tokens))
        return [position for position in every if self.tokens[position].stem not in stems]


def are_alike(one: Statement, other: Statement, share: float) -> bool:
    """Return True if two statements have this share of the topics of both in common.

    Words on one axis, opposites too ("rose", "fell"), and names have a topic in common.
    """
    axes = {axis for token in one.tokens for axis in token.axes}
    axes &= {axis for token in other.tokens for axis in token.axes}
    lacking = [
        len({token.topic for token in side.tokens if axes.isdisjoint(token.axes)} - {""} - there.topics)
        for side, there in ((one, other), (other, one))
    ]
    return sum(lacking) <= (1 - share) * (len(one.topics) + len(other.topics))


def read_statement(text: str, name: str) -> Statement:
    """The statement of a text in a language of the lists, up to one word more than ``MOST_WORDS``.

    >>> [token.known for token in read_statement("It isn't at least 1,000 m.", "en").tokens]
    ['it', "isn't", 'at_least', '1,000', 'm']
    """
    tokens: list[Token] = []
    end = 0
    lexicon = lexicon_of(name)
    lowered = fold(text)  # a third of the time that a pattern without regard to case takes
    while len(tokens) <= MOST_WORDS and (match := lexicon.tokens.search(lowered, end)):
        start = match.start()
        phrases = (
            phrase
            for phrase in lexicon.phrases.get(match[0], ())
            if lowered.startswith(phrase.replace("_", " "), start)
            and not _IN_WORDS.match(lowered, start + len(phrase))
        )
        known = next(phrases, match[0])
        gap = text[end:start]
        if gap.startswith(".") and regex.fullmatch(
            r"\d{1,2}|\p{Lu}|г", tokens[-1].word.text if tokens else ""
        ):  # J. Smith, 31. März, г. Москва
            gap = gap[1:]
        begins = not tokens or not _BEFORE_SENTENCES.isdisjoint(gap)
        end = start + len(known)
        word = Word(text[start:end], start, end)
        capital = word.text[0].isupper() and not begins
        tokens.append(Token(word, gap, begins, known, *_features(known, name, capital=capital)))
    return Statement(text, name, tuple(tokens))


def language_of(text: str) -> str:
    """The language of a text if it has word lists; "" for other languages.

    In a short text, a language's function words and entries decide; English if there are none.
    """
    text = text[:MOST_LETTERS]
    letters = (None if text.isascii() else script(text, 1)) or "Latin"
    if letters != "Latin":
        name: str | None = "ja" if KANA.search(text) else IN_SCRIPT[letters][0]
        name = "uk" if name == "ru" and not {*"іїєґ"}.isdisjoint(text.lower()) else name
    elif not (name := language(text)):
        words = {*fold(text).split()}
        counts = {
            name: len(words & known) + sum(not SHAPES.issuperset(word_values(word, name)) for word in words)
            for name, known in FUNCTION_WORDS.items()
            if name in LISTS["negations"]
        }
        name = max(counts, key=counts.__getitem__)
    return name if name in LISTS["negations"] else ""
