"""The languages that texts are in, as far as they can be told: coarsely of one text, surer of many.

The coarse look at a text's script and language is to warn when an encoder can't know them, or a map mixes them.
Scripts are told by Unicode's property, languages by their function words (articles, prepositions,
conjunctions): a sentence has some of its own language and hardly any of another's. A short text says nothing, and
stays untold.

Of many texts a language with a script of its own is told by its letters, others by py3langid (Lui and Baldwin
2012; a model of 4 MB that comes with the package and reads no network). A label of two words says too little, so
short texts are told together, in passages. Of random maps of five German, French or Spanish labels, 37 of 40 or
more were told, of ten all, and none of 480 maps of 1 to 20 English labels, many of them terms and names of
species, was taken for another language (tests/words/test_foreign.py).
"""

import copy
import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import regex

from tted_core.foundations.once import once_each

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier


LATIN = regex.compile(r"\p{Latin}+")
BEYOND_ASCII = regex.compile(r"[^\x00-\x7f]+")
WORD = regex.compile(r"\p{L}+(?:['’]\p{L}+)?")

LETTERS = {
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
}
"""Of each script, as a regular expression."""

SCRIPTS = {name: regex.compile(f"{letter}+") for name, letter in LETTERS.items()}
"""Runs of letters: far fewer to count than letters."""

OTHERS = {name: regex.compile(rf"(?V1)[\p{{L}}--{letter}]+") for name, letter in LETTERS.items()}
"""Letters of all other scripts. What stands between letters is in none, and tells languages too."""

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

ANY_FUNCTION_WORD = frozenset[str]().union(*FUNCTION_WORDS.values())

TEXTS_KEPT = 4_096
"""Texts whose letters and function words are kept: the maps of a batch repeat theirs."""


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
    beyond = "".join(filter(str.isalpha, "".join(BEYOND_ASCII.findall(joined))))
    foreign = len(beyond) - len("".join(LATIN.findall(beyond)))
    return foreign / letters_in(joined) if foreign else 0.0


def script(text: str) -> str | None:
    """The script of most letters (a name in ``SCRIPTS``); None for a text too short to tell, or an unknown one.

    >>> script("Озеро Байкал"), script("ATP")
    ('Cyrillic', None)
    """
    letters = letters_in(text)
    if letters < LETTERS_TO_TELL:
        return None
    counts = {name: len("".join(pattern.findall(text))) for name, pattern in SCRIPTS.items()}
    name = max(counts, key=counts.__getitem__)
    return name if counts[name] > letters / 2 else None


def language(text: str) -> str | None:
    """The language (in ``LANGUAGES``) with the most function words in the text; None where that says too little.

    >>> language("The leaves are green."), language("Das sind die Blätter."), language("Green leaves")
    ('en', 'de', None)
    """
    return _language_by(_function_words(text))


def _language_by(words: frozenset[str]) -> str | None:
    counts = {name: len(words & known) for name, known in FUNCTION_WORDS.items()}
    first, second = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    return first if counts[first] - counts[second] >= LEAD_TO_TELL else None


@functools.lru_cache(TEXTS_KEPT)
def _function_words(text: str) -> frozenset[str]:
    return ANY_FUNCTION_WORD.intersection(WORD.findall(text.lower()))


@functools.lru_cache(TEXTS_KEPT)
def _letters_of(text: str) -> int:
    return letters_in(text)


TOLD = {
    "af": "Afrikaans",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "es": "Spanish",
    "et": "Estonian",
    "fi": "Finnish",
    "fr": "French",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sv": "Swedish",
    "tr": "Turkish",
    "vi": "Vietnamese",
}
"""Languages in Latin letters. The fewer there are to choose from, the surer short texts are told."""

IN_SCRIPT = {
    "Cyrillic": ("ru", "uk", "be", "bg", "kk", "mk", "mn", "sr"),
    "Greek": ("el",),
    "Arabic": ("ar", "fa", "ur"),
    "Hebrew": ("he",),
    "Devanagari": ("hi", "mr", "ne"),
    "Chinese or Japanese": ("zh", "ja"),
    "Hangul": ("ko",),
    "Thai": ("th",),
    "Georgian": ("ka",),
    "Armenian": ("hy",),
}
"""The languages written in a script, the most frequent first: what a text too short to tell is taken for."""

NAMES = (
    TOLD
    | LANGUAGES
    | {
        "ar": "Arabic",
        "be": "Belarusian",
        "bg": "Bulgarian",
        "el": "Greek",
        "fa": "Persian",
        "he": "Hebrew",
        "hi": "Hindi",
        "hy": "Armenian",
        "ja": "Japanese",
        "ka": "Georgian",
        "kk": "Kazakh",
        "ko": "Korean",
        "mk": "Macedonian",
        "mn": "Mongolian",
        "mr": "Marathi",
        "ne": "Nepali",
        "sr": "Serbian",
        "th": "Thai",
        "ur": "Urdu",
        "zh": "Chinese",
    }
)
"""The names of all languages that are told."""

NOT_FOREIGN = ("en", "la", "zxx")
"""English, names of species and the like, and what is no language (formulas, identifiers)."""

KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")

PASSAGE_LETTERS = 100
"""So many letters are told together, more if a text is longer."""

LEAST_LETTERS = 20
"""A shorter passage (a map of two words) stays untold."""

MOST_LETTERS = 20_000
"""More tell nothing new."""

SURE = 0.9
"""The probability from which on a language counts as told."""

SHARE = 0.25
"""The share of letters in other languages from which on it is worth a notice."""

LETTERS_SHARE = 0.1
"""The same of letters in another script, of which a name or a formula has few."""


def languages_of(texts: Iterable[str]) -> dict[str, float]:
    """Language (a key of ``NAMES``) -> its share of the texts' letters, the largest first; without English.

    Empty where little is in another language.

    >>> languages_of(["Озеро Байкал", "Вода чиста"]), languages_of(["湖", "贝加尔湖是世界上最深的湖泊"])
    ({'ru': 1.0}, {'zh': 1.0})
    >>> languages_of(["Lakes", "Water is clear"])
    {}
    """
    every = tuple(texts)
    if foreign_share(every) <= LETTERS_SHARE:
        return foreign_languages(every)
    joined = "\n".join(dict.fromkeys(every))[:MOST_LETTERS]
    letters = letters_in(joined)
    counts = {script: len("".join(SCRIPTS[script].findall(joined))) for script in IN_SCRIPT}
    shares = Counter(
        {
            _in_script(script, OTHERS[script].sub(" ", joined)): count / letters
            for script, count in counts.items()
            if count > LETTERS_SHARE * letters
        }
    )
    return dict(shares.most_common())


def foreign_languages(texts: Iterable[str]) -> dict[str, float]:
    """Language (a key of ``TOLD``) -> its share of the texts' letters, the largest first; in Latin letters.

    Empty where passages with English function words leave less than ``SHARE`` to be told: for most English maps
    the model, which takes half a second to load, isn't needed.

    >>> foreign_languages(["Klimawandel", "Folgen für Mensch und Natur", "Weniger Fleisch essen"])
    {'de': 1.0}
    >>> foreign_languages(["Climate change", "Consequences for people and nature", "Eat less meat"])
    {}
    """
    open_to_doubt: list[tuple[str, int]] = []
    letters = 0
    for together, count in _passages(dict.fromkeys(texts)):
        letters += count
        words = frozenset[str]().union(*map(_function_words, together))
        if count >= LEAST_LETTERS and _language_by(words) != "en":
            open_to_doubt.append((". ".join(together), count))
        if letters >= MOST_LETTERS:
            break
    if sum(count for _, count in open_to_doubt) < SHARE * letters:
        return {}
    found: Counter[str] = Counter()
    for passage, count in open_to_doubt:
        told = _told(passage)
        if told:
            found[told] += count
    return {name: count / letters for name, count in found.most_common()}


def _passages(texts: Iterable[str]) -> Iterator[tuple[list[str], int]]:
    """Texts that follow each other, so many that they are long enough, and the number of their letters."""
    passage: list[str] = []
    letters = 0
    for text in texts:
        passage.append(text)
        letters += _letters_of(text)
        if letters >= PASSAGE_LETTERS:
            yield passage, letters
            passage, letters = [], 0
    if letters:
        yield passage, letters


@functools.lru_cache(4096)
def _told(passage: str) -> str | None:
    """The language of a passage; None for English, and where it can't be told."""
    name, probability = _identifier().classify(passage[:MOST_LETTERS])
    return None if name in NOT_FOREIGN or probability < SURE else str(name)


def _in_script(script: str, text: str) -> str:
    """The language of a text all in this script, or the most frequent one where it can't be told."""
    names = IN_SCRIPT[script]
    if (
        script == "Chinese or Japanese"
    ):  # Japanese has signs of its own, which model and text can't disagree on
        return "ja" if KANA.search(text) else "zh"
    if len(names) == 1:
        return names[0]
    if (known := language(text)) in names:  # without the model, which takes half a second to load
        return str(known)
    name, probability = _identifier(names).classify(text)
    return str(name) if probability >= SURE else names[0]


@once_each(8)  # visitors of a server who come at once would each load the model
def _identifier(names: tuple[str, ...] = (*TOLD, *NOT_FOREIGN)) -> "LanguageIdentifier":
    """The model that comes with py3langid, for these languages."""
    identifier = copy.copy(_model())  # its tables of 75 MB are shared
    identifier.set_languages(list(names))
    return identifier


@once_each(1)
def _model() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
