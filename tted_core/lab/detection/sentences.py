"""Small changes of one sentence that change what it claims: a negation, a number, a name.

They are made by rule, without a model: a place where the rules would make broken grammar is left alone. English,
German and Russian have words that a negation can stand beside; numbers are found as digits in any language, and
as words in these three; names as words with a capital letter inside a sentence, but not in German, which writes
all nouns so.
"""

import re
from random import Random

from tted_core.words.languages import language

_AFTER_VERB = {
    "en": ("not", "is are was were can could will would may might must should has had"),
    "de": ("nicht", "ist sind war waren wird werden wurde wurden kann können muss müssen darf dürfen"),
}
_BEFORE_VERB = {"ru": ("не", "является являются может могут можно был была было были будет будут")}

_NEGATIONS = re.compile(r"\b(?:not|n't|never|no|nicht|nie|kein\w*|не|нет|никогда|ни)\b", re.IGNORECASE)

_NUMBER_WORDS = (
    (
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "twelve",
        "twenty",
        "thirty",
    ),
    ("hundred", "thousand", "million", "billion"),
    (
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "zwölf",
        "zwanzig",
        "dreißig",
    ),
    ("hundert", "tausend"),
    ("Millionen", "Milliarden"),
    ("два", "три", "четыре"),
    ("пять", "шесть", "семь", "восемь", "девять", "десять", "двадцать", "тридцать", "сорок", "пятьдесят"),
    ("двух", "трёх", "четырёх"),
    ("пяти", "шести", "семи", "восьми", "девяти", "десяти", "двадцати", "тридцати", "сорока"),
)
"""Words that can stand for each other in a sentence of their language, number and case."""

_FAMILY = {word.lower(): family for family in _NUMBER_WORDS for word in family}
_NUMBER = re.compile(rf"\d+(?:[.,]\d+)*|\b(?:{'|'.join(_FAMILY)})\b", re.IGNORECASE)

_NAME = re.compile(r"(?<=[\w,;] )[A-ZА-ЯЁ][^\W\d_]+(?: [A-ZА-ЯЁ][^\W\d_]+)*")


def negated(text: str) -> str | None:
    """The sentence with its first verb negated; None if no known verb is there, or a negation already.

    >>> negated("Corals are animals."), negated("Er kann fliegen."), negated("Reefs grow.")
    ('Corals are not animals.', 'Er kann nicht fliegen.', None)
    """
    if _NEGATIONS.search(text):
        return None
    for name, (word, verbs) in (_AFTER_VERB | _BEFORE_VERB).items():
        if name != (language(text) or name):
            continue
        verb = re.search(rf"\b(?:{verbs.replace(' ', '|')})\b", text)
        if verb and name in _AFTER_VERB:
            return f"{text[: verb.end()]} {word}{text[verb.end() :]}"
        if verb:
            return f"{text[: verb.start()]}{word} {text[verb.start() :]}"
    return None


def renumbered(text: str, rng: Random) -> str | None:
    """The sentence with one of its numbers changed; None if it has none.

    >>> renumbered("It has 12 moons.", Random(1)) != "It has 12 moons."
    True
    >>> renumbered("It has moons.", Random(1)) is None
    True
    """
    places = list(_NUMBER.finditer(text))
    if not places:
        return None
    place = rng.choice(places)
    return f"{text[: place.start()]}{_other_number(place[0], rng)}{text[place.end() :]}"


def _other_number(number: str, rng: Random) -> str:
    """Another number of as many digits, or another word of the same kind, written alike."""
    if number[0].isdigit():
        digit = str(rng.choice([each for each in range(1, 10) if each != int(number[0])]))
        return digit + number[1:]
    word = rng.choice([each for each in _FAMILY[number.lower()] if each.lower() != number.lower()])
    return word.capitalize() if number[0].isupper() and not number.isupper() else word


def names(text: str) -> tuple[str, ...]:
    """The names in a sentence, as far as capital letters tell; none in German, or at its beginning.

    >>> names("The river Angara leaves Lake Baikal."), names("Die Blätter der Pflanze sind grün und zart.")
    (('Angara', 'Lake Baikal'), ())
    """
    return () if language(text) == "de" else tuple(match[0] for match in _NAME.finditer(text))


def renamed(text: str, others: tuple[str, ...], rng: Random) -> str | None:
    """The sentence with one of its names replaced by one of ``others``; None if there is none of either.

    >>> renamed("It flows into Lake Baikal.", ("Mars",), Random(1))
    'It flows into Mars.'
    """
    own = names(text)
    choices = [name for name in others if name not in own]
    if not own or not choices:
        return None
    return text.replace(rng.choice(own), rng.choice(choices), 1)
