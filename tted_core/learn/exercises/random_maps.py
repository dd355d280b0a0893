"""Small trees of letters, drawn at random, and variants of them."""

from random import Random
from string import ascii_uppercase

from tted_core.learn.mappings import TreePair, pair_of, violation
from tted_core.solvers.structure import Pair
from tted_core.tree import TextTree


def random_tree(rng: Random, size: int) -> TextTree:
    """A tree of this size with at least two leaves, lettered in preorder; size 3 or more."""
    while True:
        parents = [-1]
        path = [0]
        for node in range(1, size):
            del path[rng.randint(1, len(path)) :]
            parents.append(path[-1])
            path.append(node)
        if len(set(parents)) < size:
            return TextTree(tuple(ascii_uppercase[:size]), tuple(parents))


def random_pair(rng: Random, size: int) -> tuple[TextTree, TextTree]:
    """A tree and a variant of it: another letter somewhere, a node that is gone, and one that has come."""
    left = random_tree(rng, size)
    labels, children = list(left.labels), [list(below) for below in left.children]
    new = iter(ascii_uppercase[size:])
    gone, renamed = rng.sample(range(1, size), 2)
    labels[renamed] = next(new)
    parent = left.parents[gone]
    place = children[parent].index(gone)
    children[parent][place : place + 1] = children[gone]
    children[gone] = []
    kept = [node for node in range(size) if node != gone]
    host = rng.choice(kept)
    labels.append(next(new))
    children.append([])
    children[host].insert(rng.randint(0, len(children[host])), size)
    order = [*kept, size]
    at = {node: position for position, node in enumerate(order)}
    right = TextTree.from_children(
        [labels[node] for node in order], [[at[child] for child in children[node]] for node in order]
    )
    return left, right


def random_mapping(rng: Random, left: TextTree, right: TextTree, order: str) -> list[Pair]:
    """Pairs that are a mapping of this order, as many as come together by chance."""
    candidates = [(v, w) for v in range(len(left)) for w in range(len(right))]
    rng.shuffle(candidates)
    pairs: list[Pair] = []
    for pair in candidates[: rng.randint(len(left), 3 * len(left))]:
        if violation(order, left, right, [*pairs, pair]) is None:
            pairs.append(pair)
    return sorted(pairs)


def random_separating_pair(rng: Random) -> TreePair:
    """A tree, and the same without one or two inner nodes and with siblings rearranged: three different distances.

    What is below a node that goes moves up to its parent. About one try in nine succeeds.
    """
    while True:
        left = random_tree(rng, rng.randint(5, 7))
        inner = [node for node in range(1, len(left)) if left.children[node]]
        gone = set(rng.sample(inner, min(len(inner), rng.randint(1, 2))))
        below = [list(children) for children in left.children]
        for node in sorted(gone, reverse=True):  # what goes up from below a node goes on from there
            place = below[left.parents[node]].index(node)
            below[left.parents[node]][place : place + 1] = below[node]
        kept = [node for node in range(len(left)) if node not in gone]
        for node in kept:
            rng.shuffle(below[node])
        at = {node: place for place, node in enumerate(kept)}
        right = TextTree.from_children(
            [left.labels[node] for node in kept], [[at[child] for child in below[node]] for node in kept]
        )
        pair = pair_of(left, right)
        if len(set(pair.distances.values())) == len(pair.distances):
            return pair
