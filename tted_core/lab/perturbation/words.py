"""Perturbations of the words: light paraphrases in the manner of EDA (Wei and Zou 2019).

EDA replaces words by synonyms, inserts synonyms, swaps words and deletes words. The synonyms come from a small
list of groups of words that can stand for each other in many sentences, English and Russian (synonyms.tsv).
"""

import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from random import Random
from typing import TypeAlias

from tted_core.lab.perturbation.draft import Draft

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")

Words: TypeAlias = list[str]
"""One sentence, cut at its words: what is between words stands at even places, the words at odd ones."""


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Each known word's synonyms, in lower case."""
    text = resources.files(__package__).joinpath("synonyms.tsv").read_text(encoding="utf-8")
    known: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        group = line.split("\t")
        for word in group:
            known[word] = tuple(other for other in group if other != word)
    return known


def replace_by_synonym(words: Words, place: int, rng: Random) -> None:
    """Put a synonym in the word's place."""
    words[place] = _like(words[place], rng.choice(synonyms()[words[place].lower()]))


def insert_synonym(words: Words, place: int, rng: Random) -> None:
    """Put a synonym of the word before some word of the sentence."""
    synonym = rng.choice(synonyms()[words[place].lower()])
    before = rng.choice([each for each in range(1, len(words), 2) if words[each]])
    following = words[before]
    words[before] = f"{_like(following, synonym)} {following if before > 1 else following.lower()}"


def swap(words: Words, place: int, rng: Random) -> None:
    """Exchange the word with another one of the sentence."""
    other = rng.choice([each for each in range(1, len(words), 2) if each != place])
    words[place], words[other] = words[other], words[place]


def delete(words: Words, place: int, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    """Leave the word out, unless it is the last one."""
    if sum(map(bool, words[1::2])) > 1:
        words[place] = ""


def has_synonym(words: Words, place: int) -> bool:
    """Whether the list knows the word."""
    return words[place].lower() in synonyms()


def has_company(words: Words, place: int) -> bool:  # noqa: ARG001 - every word of the sentence has it
    """Whether the sentence has another word."""
    return len(words) > 3


WordEdit: TypeAlias = Callable[[Words, int, Random], None]
EDITS: dict[str, tuple[WordEdit, Callable[[Words, int], bool]]] = {
    "synonyms": (replace_by_synonym, has_synonym),
    "word-insertion": (insert_synonym, has_synonym),
    "word-swap": (swap, has_company),
    "word-deletion": (delete, has_company),
}
"""name -> the edit at one word of a sentence, and which words it can be made at."""


def edit_words(draft: Draft, names: tuple[str, ...], share: float, rng: Random) -> None:
    """Edit this share of the words, of all sentences, that one of the named edits can be made at.

    A word that has a synonym is not swapped or deleted if the synonym may be used.
    """
    sentences = [_cut(label) for label in draft.labels]
    places = []
    for node, words in enumerate(sentences):
        for place in range(1, len(words), 2):
            possible = [name for name in names if EDITS[name][1](words, place)]
            gentle = [name for name in possible if EDITS[name][1] is has_synonym]
            if possible:
                places.append((node, place, rng.choice(gentle or possible)))
    rng.shuffle(places)
    for node, place, name in places[: round(share * len(places))]:
        edit, possible_at = EDITS[name]
        if possible_at(sentences[node], place):  # an earlier edit may have changed the word
            edit(sentences[node], place, rng)
    draft.labels[: len(sentences)] = map(_join, sentences, draft.labels)


def _cut(text: str) -> Words:
    words = []
    end = 0
    for match in WORD.finditer(text):
        words += [text[end : match.start()], match.group()]
        end = match.end()
    return [*words, text[end:]]


def _join(words: Words, before: str) -> str:
    """The sentence again, tidied where it was changed: spaces around words that went, and the first letter."""
    text = "".join(words)
    if text == before:
        return before
    text = re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"\s{2,}", " ", text)).strip()
    return _like(before, text)


def _like(model: str, word: str) -> str:
    """The word, with a capital letter if the model has one."""
    return word[0].upper() + word[1:] if model[:1].isupper() else word
