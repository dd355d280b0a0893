"""Perturbations of the structure: the same sentences in another tree.

Each takes the draft, the random numbers, and how many of its targets to change; see ``perturb``.
"""

import re
from random import Random

from tted_core.lab.perturbation.draft import ROOT, Draft
from tted_core.limits import MAX_LABEL_CHARACTERS


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
