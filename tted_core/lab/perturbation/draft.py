"""A tree that can be edited, and perturbations of its structure (the same sentences in another tree) and words.

Nodes keep their numbers while they are moved, added and removed. Each perturbation takes the draft, the random
numbers, and how many of its targets to change; see ``perturb``.

Perturbations of the words are light paraphrases in the manner of EDA (Wei and Zou 2019).
EDA replaces words by synonyms, inserts synonyms, swaps words and deletes words. The synonyms come from a small
list of groups of words that can stand for each other in many sentences, English and Russian (synonyms.tsv).
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from typing import TypeAlias

from tted_core.foundations.limits import MAX_LABEL_CHARACTERS
from tted_core.tree import TextTree

ROOT = 0


@dataclass
class Draft:
    """Labels, parents and child lists by node number; 0 is the root and stays it."""

    labels: list[str]
    parents: list[int]
    children: list[list[int]]

    @classmethod
    def of(cls, tree: TextTree) -> "Draft":
        """A draft of the tree; its nodes have their preorder indices."""
        return cls(list(tree.labels), list(tree.parents), [list(nodes) for nodes in tree.children])

    def tree(self) -> TextTree:
        """The tree as it stands; nodes that were removed are left out."""
        order = list(self.subtree(ROOT))
        position = {node: index for index, node in enumerate(order)}
        parents = [position.get(self.parents[node], -1) for node in order]
        return TextTree(tuple(self.labels[node] for node in order), tuple(parents))

    def subtree(self, node: int) -> Iterable[int]:
        """The node and all below it, in preorder."""
        stack = [node]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(self.children[node]))

    def place(self, node: int) -> int:
        """The node's position among its siblings."""
        return self.children[self.parents[node]].index(node)

    def move(self, node: int, parent: int, position: int) -> None:
        """Take the node with its subtree below ``parent``, which is not in that subtree."""
        self.children[self.parents[node]].remove(node)
        self.children[parent].insert(position, node)
        self.parents[node] = parent

    def lift_children(self, node: int, position: int) -> None:
        """Make the node's children its siblings, from ``position`` on."""
        parent = self.parents[node]
        for child in self.children[node]:
            self.parents[child] = parent
        self.children[parent][position:position] = self.children[node]
        self.children[node] = []

    def remove(self, node: int) -> None:
        """Take the node out; its children take its place."""
        position = self.place(node)
        self.children[self.parents[node]].remove(node)
        self.lift_children(node, position)

    def add(self, label: str, parent: int, position: int) -> None:
        """A new leaf."""
        self.children[parent].insert(position, len(self.labels))
        self.labels.append(label)
        self.parents.append(parent)
        self.children.append([])


def with_siblings(draft: Draft) -> list[int]:
    """The nodes that have at least two children."""
    return [node for node, children in enumerate(draft.children) if len(children) > 1]


def not_root(draft: Draft) -> list[int]:
    """All nodes but the root."""
    return list(range(1, len(draft.labels)))


def below_level_2(draft: Draft) -> list[int]:
    """The nodes that have a grandparent."""
    return [node for node in not_root(draft) if draft.parents[node] != ROOT]


def inner(draft: Draft) -> list[int]:
    """The nodes with children, but not the root."""
    return [node for node in not_root(draft) if draft.children[node]]


def leaves(draft: Draft) -> list[int]:
    """The nodes without children, but not the root."""
    return [node for node in not_root(draft) if not draft.children[node]]


def of_several_words(draft: Draft) -> list[int]:
    """The nodes whose text has at least two words."""
    return [node for node, label in enumerate(draft.labels) if len(label.split()) > 1]


def shuffle(draft: Draft, node: int, rng: Random) -> None:
    """Bring the node's children into another order."""
    before = list(draft.children[node])
    while draft.children[node] == before:
        rng.shuffle(draft.children[node])


def move(draft: Draft, node: int, rng: Random) -> None:
    """Move the node with its subtree below another parent, to any place among its children."""
    forbidden = {*draft.subtree(node), draft.parents[node]}
    parents = [parent for parent in range(len(draft.labels)) if parent not in forbidden]
    if parents:  # none for the only child of the root
        parent = rng.choice(parents)
        draft.move(node, parent, rng.randint(0, len(draft.children[parent])))


def promote(draft: Draft, node: int, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    """Make the node with its subtree the next sibling of its parent."""
    parent = draft.parents[node]
    if parent != ROOT:  # as it may be by now, after the promotion of others
        draft.move(node, draft.parents[parent], draft.place(parent) + 1)


def demote(draft: Draft, node: int, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    """Make the node with its subtree the last child of the sibling before it; a first child stays."""
    place = draft.place(node)
    if place > 0:
        sibling = draft.children[draft.parents[node]][place - 1]
        draft.move(node, sibling, len(draft.children[sibling]))


def flatten(draft: Draft, node: int, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    """Make the node's children its next siblings."""
    draft.lift_children(node, draft.place(node) + 1)


def merge(draft: Draft, node: int, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    """Write the leaf's text behind its parent's, and remove the leaf."""
    parent = draft.parents[node]
    together = f"{draft.labels[parent]} {draft.labels[node]}".strip()
    if len(together) <= MAX_LABEL_CHARACTERS:
        draft.labels[parent] = together
        draft.remove(node)


def split(draft: Draft, node: int, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    """Move the second half of the node's text to a new first child: after a sentence or clause if it can be."""
    label = draft.labels[node]
    for places in (re.finditer(r"(?<=[.!?;:,])\s+", label), re.finditer(r"\s+", label)):
        inside = [each for each in places if label[: each.start()].strip() and label[each.end() :].strip()]
        if inside:
            gap = min(inside, key=lambda each: abs(each.start() - len(label) / 2))
            draft.labels[node] = label[: gap.start()]
            draft.add(label[gap.end() :], node, 0)
            return


def exchange(draft: Draft, node: int, rng: Random) -> None:
    """Exchange the node's text with that of another node."""
    other = rng.choice([other for other in range(len(draft.labels)) if other != node])
    draft.labels[node], draft.labels[other] = draft.labels[other], draft.labels[node]


def delete(draft: Draft, node: int, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
    """Delete the node; its children take its place."""
    draft.remove(node)


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


def delete_words(words: Words, place: int, rng: Random) -> None:  # noqa: ARG001 - nothing to choose
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
    "word-deletion": (delete_words, has_company),
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
