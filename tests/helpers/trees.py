"""Small trees: written as text, drawn at random, and the sample maps."""

import json
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from helpers.paths import SAMPLES
from hypothesis import strategies as st

from tted_core.formats import read_map
from tted_core.lab.samples import VARIANT_KINDS, Sample
from tted_core.tree import TextTree

FEW_WORDS = (
    *("reef", "coral", "fish", "algae", "light", "storm", "heat"),
    *("law", "tax", "song", "winter", "bread", "train"),
)


def by_kind(*variants: Any) -> dict[str, Any]:
    """The variants of a sample, or what is known of them, by kind."""
    return dict(zip((*VARIANT_KINDS, "displaced"), variants, strict=False))


def tree_of(text: str) -> TextTree:
    """A tree from one line: ``a(b(c) d)`` has the root a, its children b and d, and c below b.

    >>> tree_of("a(b(c) d)").parents
    (-1, 0, 1, 0)
    """
    labels, parents, path = [], [], [-1]
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            path.append(len(labels) - 1)
        elif word == ")":
            path.pop()
        else:
            labels.append(word)
            parents.append(path[-1])
    return TextTree(tuple(labels), tuple(parents))


# A base map with two paraphrases, two restructured maps and one of another meaning.
SAMPLE = Sample(
    "s",
    tree_of("a(b(c) d)"),
    by_kind(
        (tree_of("A(b(c) d)"), tree_of("a(B(C) d)")),
        (tree_of("a(b c d)"), tree_of("a(d b(c))")),
        (tree_of("x(y(z) w)"),),
    ),
)


@cache
def sample(name: str) -> TextTree:
    """A map of sample_trees/, such as "coral-reefs/base"."""
    return read_map(SAMPLES / f"{name}.json").tree


def random_tree(rng: random.Random, size: int, alphabet: str = "abcde") -> TextTree:
    """Each further node goes below a random node of the path to the node before: every shape can come out."""
    parents = [-1]
    path = [0]
    for node in range(1, size):
        del path[rng.randint(1, len(path)) :]
        parents.append(path[-1])
        path.append(node)
    return TextTree(tuple(rng.choice(alphabet) for _ in range(size)), tuple(parents))


@st.composite
def trees(draw: st.DrawFn, max_nodes: int = 7, alphabet: Sequence[str] = ("", *"abcde")) -> TextTree:
    """Trees of 1 to ``max_nodes`` nodes; some labels are equal or empty."""
    size = draw(st.integers(1, max_nodes))
    labels = draw(st.lists(st.sampled_from(alphabet), min_size=size, max_size=size))
    parents = [-1]
    path = [0]
    for node in range(1, size):
        del path[draw(st.integers(1, len(path))) :]
        parents.append(path[-1])
        path.append(node)
    return TextTree(tuple(labels), tuple(parents))


def hard_map(size: int, seed: int) -> str:
    """A map of random shape and few words, as JSON: with 600 nodes, an unordered search takes a minute or more."""
    drawn = random.Random(seed)
    nodes: list[dict[str, Any]] = []
    for number in range(size):
        nodes.append({"text": " ".join(drawn.choices(FEW_WORDS, k=2)), "children": []})
        if number:
            nodes[drawn.randrange(max(0, number - 12), number)]["children"].append(nodes[-1])
    return json.dumps(nodes[0])
