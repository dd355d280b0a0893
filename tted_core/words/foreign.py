"""Texts that an encoder can't know, since they aren't in the language it was trained on.

Another script is told by its letters, another language by py3langid (Lui and Baldwin 2012; a model of 4 MB that
comes with the package and reads no network). A label of two words says too little, so short texts are told
together, in passages. Of random maps of five German, French or Spanish labels, 37 of 40 or more were told, of ten
all, and none of 480 maps of 1 to 20 English labels, many of them terms and names of species, was taken for another
language (tests/words/test_foreign.py).
"""

import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tted_core.words.languages import foreign_share, language, letters_in

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

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

NOT_FOREIGN = ("en", "la", "zxx")
"""English, names of species and the like, and what is no language (formulas, identifiers)."""

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

MULTILINGUAL = "mpnet-multilingual"
"""The encoder for other languages; the notice ends with it."""


def english_only_notice(name: str, texts: Iterable[str]) -> tuple[str, ...]:
    """What to say where a model that was trained on English, called ``name``, reads other scripts or languages."""
    every = tuple(texts)
    letters = foreign_share(every)
    if letters > 0.1:
        found = f"{letters:.0%} of the letters are not Latin"
    else:
        shares = foreign_languages(every)
        share = sum(shares.values())
        if share < SHARE:
            return ()
        names = [TOLD[each] for each, part in shares.items() if part > share / 5]
        how_many = "the texts" if share > 0.9 else "most of the texts" if share > 0.5 else "many of the texts"
        found = f"{how_many} are in {' and '.join(names)}"
    text = (
        f"{found}, and the encoder {name} was trained on English only: its distances mean little here; "
        f"choose {MULTILINGUAL}"
    )
    return (text,)


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
    for passage, count in _passages(dict.fromkeys(texts)):
        letters += count
        if count >= LEAST_LETTERS and language(passage) != "en":
            open_to_doubt.append((passage, count))
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


def _passages(texts: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Texts that follow each other, joined until they are long enough, and the number of their letters."""
    passage: list[str] = []
    letters = 0
    for text in texts:
        passage.append(text)
        letters += letters_in(text)
        if letters >= PASSAGE_LETTERS:
            yield ". ".join(passage), letters
            passage, letters = [], 0
    if letters:
        yield ". ".join(passage), letters


@functools.lru_cache(4096)
def _told(passage: str) -> str | None:
    """The language of a passage; None for English, and where it can't be told."""
    name, probability = _identifier().classify(passage[:MOST_LETTERS])
    return None if name in NOT_FOREIGN or probability < SURE else str(name)


@functools.cache
def _identifier() -> "LanguageIdentifier":
    """The model that comes with py3langid."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages([*TOLD, *NOT_FOREIGN])
    return identifier
