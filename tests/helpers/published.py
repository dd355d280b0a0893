"""Trees to score by ROUGE, and the published label similarity by the package itself."""

from helpers.trees import random_tree
from rouge import Rouge

from tted_core.tree import TextTree

WORDS = ("the", "cat", "sat", "ran", "The", "cat.", "a. b", "_", "...", ". .")


def phrase_tree(rng, size, words=WORDS, shortest=0):
    """A random tree of labels of a few words, or none."""
    shape = random_tree(rng, size)
    labels = (" ".join(rng.choices(words, k=rng.randint(shortest, 4))) for _ in range(size))
    return TextTree(tuple(labels), shape.parents)


def star(*labels):
    return TextTree(labels, (-1, *[0] * (len(labels) - 1)))


def published_r(hypothesis, reference):
    try:
        scores = Rouge().get_scores(hypothesis, reference)[0]
    except ValueError:  # the package refuses a text without a word; nothing in common, then
        return 0.0
    return scores["rouge-1"]["f"] / 3 + scores["rouge-2"]["f"] / 3 + scores["rouge-l"]["f"] / 3


def published_edges(tree, node=0):
    """A node's child edges, then those of the first child's subtree, and so on."""
    yield from ((tree.labels[node], tree.labels[child]) for child in tree.children[node])
    for child in tree.children[node]:
        yield from published_edges(tree, child)
