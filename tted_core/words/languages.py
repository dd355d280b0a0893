"""Detection of languages: coarse for one text, more reliable for many.

The coarse detection of a text's script and language serves to warn if an encoder doesn't know them, or a map mixes
them. Scripts are detected by Unicode's property, languages by their function words (articles, prepositions,
conjunctions): a sentence has some of its own language and hardly any of another's. Short texts return None.

For many texts, a language with its own script is detected by its letters, others by py3langid (Lui and Baldwin
2012; a model of 4 MB that comes with the package and needs no network). A label of two words is too short, so
short texts are joined in passages. Of random maps of five German, French or Spanish labels, 37 of 40 or more were
detected, with ten labels all, and none of 480 maps of 1 to 20 English labels, many of them terms and names of
species, was attributed to another language (tests/words/test_foreign.py).
"""

import functools
from collections import Counter
from collections.abc import Iterable
from threading import Condition
from typing import Any

import regex
from cachetools import LRUCache, cached

from tted_core.errors import ToolError
from tted_core.words.splitting import fold

WORD = regex.compile(r"\p{L}+(?:'\p{L}+)?")

# Runs of a script's letters, with their accents and joiners, of which there are far fewer than letters.
SCRIPTS = {
    name: regex.compile(rf"{letter}(?:{letter}|[\p{{M}}\u200c\u200d])*+")
    for name, letter in {
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

LETTERS_TO_TELL = 10  # minimum letters for detecting a script; an abbreviation or a name has fewer

LEAD_TO_TELL = 2  # minimum lead in function words for detecting a language; some words belong to several

FUNCTION_WORDS = {
    name: frozenset(fold(words).split())
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
        "pl": "się nie jest są przez dla oraz który która które że lub ale jako przy od z w",
        "tr": "ve bir bu için ile olarak olan daha çok gibi kadar ise değil sonra veya",
        "uk": "і що з як це із від або вони він вона його її їх але також був була були є та який коли під",
    }.items()
}

ANY_FUNCTION_WORD = frozenset[str]().union(*FUNCTION_WORDS.values())


def letters_in(text: str) -> int:
    """Number of the text's characters that are letters."""
    return sum(map(str.isalpha, text))  # ten times as fast as a regular expression


def script(text: str, least: int = LETTERS_TO_TELL) -> str | None:
    """The script of most letters (a name in ``SCRIPTS``); None for an unknown one, or below ``least`` letters.

    >>> script("Озеро Байкал"), script("ATP")
    ('Cyrillic', None)
    """
    letters = letters_in(text)
    counts = {name: letters_in("".join(pattern.findall(text))) for name, pattern in SCRIPTS.items()}
    name = max(counts, key=counts.__getitem__)
    return name if letters >= least and counts[name] > letters / 2 else None


@functools.lru_cache(4096)  # the maps of a batch repeat texts
def language(text: str) -> str | None:
    """The language (of ``FUNCTION_WORDS``) with the most function words in the text; None without a clear lead.

    >>> language("The leaves are green."), language("Das sind die Blätter."), language("Green leaves")
    ('en', 'de', None)
    """
    words = ANY_FUNCTION_WORD.intersection(WORD.findall(fold(text)))
    counts = {name: len(words & known) for name, known in FUNCTION_WORDS.items()}
    first, second = sorted(counts, key=counts.__getitem__, reverse=True)[:2]
    return first if counts[first] - counts[second] >= LEAD_TO_TELL else None


# Languages in Latin letters. With fewer candidates, short texts are detected more reliably.
IN_LATIN_LETTERS = {
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

# The languages of a script; the first, most frequent one is assumed for short texts.
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

# The names of all languages that can be detected.
NAMES = IN_LATIN_LETTERS | {
    "ar": "Arabic",
    "be": "Belarusian",
    "bg": "Bulgarian",
    "el": "Greek",
    "en": "English",
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
    "ru": "Russian",
    "sr": "Serbian",
    "th": "Thai",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "zh": "Chinese",
}

# English, names of species and the like, and non-languages (formulas, identifiers).
NOT_FOREIGN = ("en", "la", "zxx")

KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")

# Consecutive words of at least 120 characters, or the rest.
_PASSAGE = regex.compile(r"(?s)\S.{120}\S*+|\S.*+")

LEAST_LETTERS = 20  # minimum letters of a passage; shorter ones (a map of two words) aren't classified

MOST_LETTERS = 20_000  # characters that are read of joined texts, and of a passage; more add nothing

SURE = 0.9  # minimum probability of a language

SHARE = 0.25  # minimum share of letters in other languages for a notice

LETTERS_SHARE = 0.1  # minimum share of letters in another script for a notice; a name or a formula has fewer


def languages_of(texts: Iterable[str]) -> dict[str, float]:
    """Language (a key of ``NAMES``) -> its share of the texts' letters, the largest first; without English.

    Empty if little is in another language.

    >>> languages_of(["Озеро Байкал", "Вода чиста"]), languages_of(["湖", "贝加尔湖是世界上最深的湖泊"])
    ({'ru': 1.0}, {'zh': 1.0})
    >>> languages_of(["Lakes", "Water is clear"])
    {}
    """
    every = dict.fromkeys(texts)
    joined = "\n".join(every)[:MOST_LETTERS]
    letters = letters_in(joined)
    counts: Counter[str] = Counter()
    for script in () if joined.isascii() else IN_SCRIPT:
        own = " ".join(SCRIPTS[script].findall(joined))
        count = letters_in(own)
        if count > LETTERS_SHARE * letters:
            counts[_in_script(script, own)] = count
    shares = {name: count / letters for name, count in counts.most_common()}
    return shares or foreign_languages(every)


def foreign_languages(texts: Iterable[str]) -> dict[str, float]:
    """Language in Latin letters (a key of ``IN_LATIN_LETTERS``) -> its share of the texts' letters, largest first.

    Empty if passages without English function words have a share below ``SHARE``: for most English maps the model,
    which takes half a second to load, isn't needed.

    >>> foreign_languages(["Klimawandel", "Folgen für Mensch und Natur", "Weniger Fleisch essen"])
    {'de': 1.0}
    >>> foreign_languages(["Climate change", "Consequences for people and nature", "Eat less meat"])
    {}
    """
    passages = _PASSAGE.findall(". ".join(dict.fromkeys(texts))[:MOST_LETTERS])
    sizes = {passage: size for passage in passages if (size := letters_in(passage)) >= LEAST_LETTERS}
    letters = sum(sizes.values())
    foreign = [passage for passage in sizes if language(passage) != "en"]
    if sum(sizes[passage] for passage in foreign) < SHARE * letters:
        return {}
    counts: Counter[str] = Counter()
    for passage in foreign:
        name = _detect(passage, (*IN_LATIN_LETTERS, *NOT_FOREIGN))
        if name in IN_LATIN_LETTERS:
            counts[name] += sizes[passage]
    return {name: count / letters for name, count in counts.most_common()}


def _in_script(script: str, text: str) -> str:
    """The language of a text in this script, or the script's most frequent one if uncertain."""
    if script == "Chinese or Japanese":  # Japanese has its own signs, which are decisive
        return "ja" if KANA.search(text) else "zh"
    candidates = IN_SCRIPT[script]
    name = language(text)  # avoids the model, which takes half a second to load
    if name not in candidates and len(candidates) > 1:
        name = _detect(text, candidates)
    return name or candidates[0]


@functools.lru_cache(4096)
def _detect(text: str, names: tuple[str, ...]) -> str | None:
    """The language of a text among these; None if it is uncertain."""
    chances = [each for each in _model().rank(text[:MOST_LETTERS]) if each[0] in names]
    name, chance = chances[0]  # the likeliest
    return str(name) if chance > SURE * sum(other for _, other in chances) else None


@cached(LRUCache(1), condition=Condition())  # concurrent users of a server would each load the model
def _model() -> Any:
    """The model that comes with py3langid."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    try:
        return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    except OSError as error:
        raise ToolError(
            f"the model of languages can't be unpacked ({error.strerror}); make room for temporary files"
        ) from error
