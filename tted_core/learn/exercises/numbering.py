"""Exercises on postorder and keyroots."""

from random import Random

from tted_core.learn.exercises.exercise import Exercise
from tted_core.learn.exercises.random_maps import random_tree
from tted_core.learn.zhang_shasha import number


def postorder(rng: Random) -> Exercise:
    """Number a tree in postorder."""
    tree = random_tree(rng, rng.randint(5, 7))
    numbers = number(tree)
    node = rng.randint(1, len(tree) - 1)
    return Exercise(
        f"Which number has node **{numbers.labels[node]}** in postorder, the first node being 1?",
        float(node),
        f"Children come before their parent, from left to right: {', '.join(numbers.labels[1:])}.",
        trees=(tree,),
    )


def keyroots(rng: Random) -> Exercise:
    """Find the keyroots."""
    tree = random_tree(rng, rng.randint(5, 7))
    numbers = number(tree)
    roots = [numbers.labels[node] for node in numbers.keyroots]
    options = tuple(sorted(tree.labels))
    return Exercise(
        "Which nodes are **keyroots**?",
        frozenset(options.index(root) for root in roots),
        f"A keyroot has a left sibling, or is the root: {', '.join(sorted(roots))}. They are the highest nodes "
        "with their leftmost leaf.",
        options,
        many=True,
        trees=(tree,),
    )
