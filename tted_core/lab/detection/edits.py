"""Edits of known size and place: what a measure is asked to find.

An edit is made to a map as many times as its dose says, at places that a seed chooses. With one seed the changes
of a smaller dose are among those of a larger one. Since the edit was made here, it is known where every sentence
stands afterwards: that is the truth which a mapping can be held against.

Small changes of one sentence that change what it claims: a negation, a number, a name.

They are made by rule, without a model: a place where the rules would make broken grammar is left alone. English,
German and Russian have words that a negation can stand beside; numbers are found as digits in any language, and
as words in these three; names as words with a capital letter inside a sentence, but not in German, which writes
all nouns so.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TypeAlias, TypeVar

from tted_core.foundations.registry import lookup
from tted_core.lab.perturbation import draft as drafts
from tted_core.lab.perturbation.draft import Draft
from tted_core.tree import TextTree
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


@dataclass(frozen=True)
class Supply:
    """What edits put into a map: texts of maps on other topics, and the names in them."""

    texts: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, texts: tuple[str, ...]) -> "Supply":
        """Take the names from the texts; from none in German, where a capital letter tells no name."""
        german = language(" ".join(texts)) == "de"
        found = () if german else dict.fromkeys(name for text in texts for name in names(text))
        return cls(texts, tuple(found))


@dataclass(frozen=True)
class Edited:
    """An edited map.

    Attributes:
        tree: the map after the edit.
        truth: node before -> the node that has its sentence now. A node that was deleted, or whose sentence was
            replaced by another topic's, isn't in it.
    """

    tree: TextTree
    truth: Mapping[int, int]


Apply: TypeAlias = Callable[[Draft, int, Random, Supply], Mapping[int, int] | None]
"""(draft, count, random numbers, supply) -> sentences that stand elsewhere or nowhere: node before -> node of the
draft (or -1); None if it can't be made so often. Changes the draft."""


@dataclass(frozen=True)
class Edit:
    """A kind of edit: ``title`` says in words what is done once, ``apply`` does it."""

    title: str
    apply: Apply


DOSES: dict[str, Callable[[int], int]] = {
    "1": lambda _size: 1,
    "2": lambda _size: 2,
    "3": lambda _size: 3,
    "20%": lambda size: max(1, round(0.2 * size)),
    "50%": lambda size: max(1, round(0.5 * size)),
}
"""How often an edit is made to a map of so many nodes."""

NOWHERE = -1

Thing = TypeVar("Thing")


def edited(tree: TextTree, name: str, dose: str, *, seed: str, supply: Supply) -> Edited | None:
    """An edited map; None if it has too few places for the dose.

    Args:
        tree: the map to edit.
        name: a name of ``EDITS``.
        dose: a name of ``DOSES``.
        seed: another seed, other places.
        supply: what swapped and invented sentences are taken from, and other names.

    Raises:
        UnknownNameError: no such edit or dose.
    """
    edit = lookup(EDITS, name, "edit")
    count = lookup(DOSES, dose, "dose")(len(tree))
    draft = Draft.of(tree)
    elsewhere = edit.apply(draft, count, Random(seed), supply)  # noqa: S311 - nothing secret
    if elsewhere is None:
        return None
    position = {node: place for place, node in enumerate(draft.subtree(0))}
    truth = {
        node: position[place] for node in range(len(tree)) if (place := elsewhere.get(node, node)) in position
    }
    return Edited(draft.tree(), truth)


def _swap(draft: Draft, count: int, rng: Random, supply: Supply) -> dict[int, int] | None:
    nodes, texts = _shuffled(range(len(draft.labels)), rng), _shuffled(supply.texts, rng)
    if min(len(nodes), len(texts)) < count:
        return None
    for node, text in zip(nodes[:count], texts, strict=False):
        draft.labels[node] = text
    return dict.fromkeys(nodes[:count], NOWHERE)


def _move(draft: Draft, count: int, rng: Random, _supply: Supply) -> dict[int, int] | None:
    nodes = drafts.not_root(draft)
    rng.shuffle(nodes)
    for node in nodes:
        if not count:
            break
        before = draft.parents[node]
        drafts.move(draft, node, rng)
        count -= draft.parents[node] != before
    return None if count else {}


def _delete(draft: Draft, count: int, rng: Random, _supply: Supply) -> dict[int, int] | None:
    nodes = _shuffled(drafts.not_root(draft), rng)
    for node in nodes[:count]:
        draft.remove(node)
    return {} if len(nodes) >= count else None


def _insert(draft: Draft, count: int, rng: Random, supply: Supply) -> dict[int, int] | None:
    size = len(draft.labels)
    for text in _shuffled(supply.texts, rng)[:count]:
        parent = rng.randrange(size)
        draft.add(text, parent, rng.randint(0, len(draft.children[parent])))
    return {} if len(supply.texts) >= count else None


def _exchange(draft: Draft, count: int, rng: Random, _supply: Supply) -> dict[int, int] | None:
    """Two sentences change places, or three in a ring, and so on: one more than the dose."""
    nodes = _shuffled(range(len(draft.labels)), rng)[: count + 1]
    if len(nodes) <= count:
        return None
    goes_to = dict(zip(nodes, (*nodes[1:], nodes[0]), strict=True))
    labels = [draft.labels[node] for node in nodes]
    for node, label in zip(nodes, labels, strict=True):
        draft.labels[goes_to[node]] = label
    return goes_to


def _reworded(
    change: Callable[[str, Supply, Random], str | None],
    draft: Draft,
    count: int,
    rng: Random,
    supply: Supply,
) -> dict[int, int] | None:
    """Change single words of so many sentences, those that can be changed."""
    nodes = list(range(len(draft.labels)))
    rng.shuffle(nodes)
    for node in nodes:
        if not count:
            break
        text = change(draft.labels[node], supply, rng)
        if text is not None:
            draft.labels[node] = text
            count -= 1
    return None if count else {}


def _shuffled(things: Iterable[Thing], rng: Random) -> list[Thing]:
    shuffled = list(things)
    rng.shuffle(shuffled)
    return shuffled


EDITS: dict[str, Edit] = {
    "swap": Edit("a sentence replaced by one of another topic", _swap),
    "move": Edit("a branch moved below another parent", _move),
    "delete": Edit("a node deleted; its children move up", _delete),
    "insert": Edit("a sentence of another topic added as a leaf", _insert),
    "exchange": Edit("two sentences exchanged", _exchange),
    "negate": Edit("a sentence negated", partial(_reworded, lambda text, _supply, _rng: negated(text))),
    "number": Edit("a number changed", partial(_reworded, lambda text, _supply, rng: renumbered(text, rng))),
    "name": Edit(
        "a name replaced by another",
        partial(_reworded, lambda text, supply, rng: renamed(text, supply.names, rng)),
    ),
}
