"""A coarse look at a text's script and language: to warn when an encoder can't know them, or a map mixes them.

Scripts are told by Unicode's property, languages by their function words (articles, prepositions,
conjunctions): a sentence has some of its own language and hardly any of another's. A short text says nothing, and
stays untold.
"""

from collections.abc import Iterable

import regex

LATIN = regex.compile(r"\p{Latin}")
BEYOND_ASCII = regex.compile(r"[^\x00-\x7f]+")
WORD = regex.compile(r"\p{L}+(?:['’]\p{L}+)?")

SCRIPTS = {
    name: regex.compile(pattern)
    for name, pattern in {
        "Latin": r"\p{Latin}",
        "Cyrillic": r"\p{Cyrillic}",
        "Greek": r"\p{Greek}",
        "Arabic": r"\p{Arabic}",
        "Hebrew": r"\p{Hebrew}",
        "Devanagari": r"\p{Devanagari}",
        "Chinese or Japanese": r"[\p{Han}\p{Hiragana}\p{Katakana}]",
        "Hangul": r"\p{Hangul}",
        "Thai": r"\p{Thai}",
        "Georgian": r"\p{Georgian}",
        "Armenian": r"\p{Armenian}",
    }.items()
}

LETTERS_TO_TELL = 10
"""Fewer letters (an abbreviation, a name) don't tell in which script a text is written."""

LEAD_TO_TELL = 2
"""By how many function words a language must lead before it is told; some words belong to several."""

LANGUAGES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "ru": "Russian",
    "uk": "Ukrainian",
}

FUNCTION_WORDS = {
    name: frozenset(words.split())
    for name, words in {
        "en": "the of and to is are was were that which with from by on for as it its their they this these has "
        "have not be been into than when while an at or can how what",
        "de": "der die das und ist sind nicht mit von zu den dem ein eine einen einer auf für im zum zur auch als "
        "wird werden aus bei nach durch sich wie oder",
        "fr": "le la les des et est sont une un du dans par pour que qui avec sur au aux ne pas plus se ce cette "
        "leur ou être",
        "es": "el la los las y es son una un del que en por para con se al su sus más como o pero ser está han",
        "it": "il lo la gli e è sono una un del della dei delle che di in per con si nel nella non più come o da",
        "pt": "o a os as e é são uma um do da dos das que em por para com se no na não mais como ou ao",
        "nl": "de het een en is zijn van te dat die met op voor niet door aan bij ook als uit naar wordt of",
        "ru": "и с что по как это из к от или они он она его их но также был была были является который когда",
        "uk": "і що з як це із від або вони він вона його її їх але також був була були є та який коли під",
    }.items()
}


def letters_in(text: str) -> int:
    """How many of the text's characters are letters."""
    return sum(map(str.isalpha, text))  # ten times as fast as a regular expression


def foreign_share(texts: Iterable[str]) -> float:
    """The share of the texts' letters that are not Latin, 0 to 1.

    >>> foreign_share(["Привет", "world"])  # 6 of 11 letters
    0.5454545454545454
    """
    joined = "".join(texts)
    if joined.isascii():
        return 0.0
    beyond = [letter for letter in "".join(BEYOND_ASCII.findall(joined)) if letter.isalpha()]
    foreign = len(beyond) - len(LATIN.findall("".join(beyond)))
    return foreign / letters_in(joined) if foreign else 0.0


def script(text: str) -> str | None:
    """The script of most letters (a name in ``SCRIPTS``); None for a text too short to tell, or an unknown one.

    >>> script("Озеро Байкал"), script("ATP")
    ('Cyrillic', None)
    """
    letters = letters_in(text)
    if letters < LETTERS_TO_TELL:
        return None
    counts = {name: len(pattern.findall(text)) for name, pattern in SCRIPTS.items()}
    name = max(counts, key=counts.__getitem__)
    return name if counts[name] > letters / 2 else None


def language(text: str) -> str | None:
    """The language (in ``LANGUAGES``) with the most function words in the text; None where that says too little.

    >>> language("The leaves are green."), language("Das sind die Blätter."), language("Green leaves")
    ('en', 'de', None)
    """
    words = set(WORD.findall(text.lower()))
    counts = {name: len(words & known) for name, known in FUNCTION_WORDS.items()}
    first, second = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    return first if counts[first] - counts[second] >= LEAD_TO_TELL else None
