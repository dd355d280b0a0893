"""Maps of 25 nodes made of the sentences of sample_trees, and variants of them, from a seed.

A variant is another tree of the same sentences, has sentences of other topics, has paraphrases, or some of each:
of each kind a share, from a few nodes to all. No sentence is new, so the texts to encode stay few.
"""

from collections.abc import Iterator
from random import Random

from benchmarks import SAMPLES
from benchmarks.edits import EDITS, Draft, edit_tree
from tted_core import TextTree, read_map

NODES = 25


class Generator:
    """Makes originals and variants; the same seed, the same maps."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = Random(seed)
        self._topics = [path.parent for path in sorted(SAMPLES.glob("*/base.json"))]
        self._bases = [read_map(topic / "base.json").tree for topic in self._topics]
        self._other_words: dict[str, list[str]] = {}
        for topic, base in zip(self._topics, self._bases, strict=True):
            for file in sorted(topic.glob("paraphrase_*.json")):
                for text, other in zip(base.labels, read_map(file).tree.labels, strict=True):
                    self._other_words.setdefault(text, []).append(other)

    def original(self) -> TextTree:
        """A topic's map, without some of its leaves or with sentences of other topics, of 25 nodes."""
        rng = self._rng
        draft = Draft.of(rng.choice(self._bases))
        nodes = set(range(len(draft.labels)))
        while len(nodes) > NODES:
            leaf = rng.choice(sorted(node for node in nodes if node and not draft.children[node]))
            draft.remove(leaf)
            nodes.remove(leaf)
        for _ in range(NODES - len(nodes)):
            parent = rng.choice(sorted(nodes))
            nodes.add(len(draft.labels))
            draft.add(rng.choice(rng.choice(self._bases).labels), parent, len(draft.children[parent]))
        return draft.finished().tree

    def variant(self, tree: TextTree) -> TextTree:
        """The map with some of its sentences or branches changed."""
        rng = self._rng
        strengths = {name: rng.choice((0.0, 0.0, 0.1, 0.3, 1.0)) for name in ("move", "meaning", "words")}
        donor = rng.choice(self._bases)
        for name in ("move", "meaning"):
            if strengths[name] and set(donor.labels) - set(tree.labels):
                count = round(strengths[name] * EDITS[name].sites(tree))
                tree = edit_tree(tree, name, count, seed=rng.randrange(2**31), texts=donor.labels).tree
        labels = [
            rng.choice(self._other_words.get(text, [text])) if rng.random() < strengths["words"] else text
            for text in tree.labels
        ]
        return TextTree(tuple(labels), tree.parents)

    def families(self, originals: int, variants: int) -> Iterator[list[TextTree]]:
        """So many originals, each followed by so many variants of it."""
        for _ in range(originals):
            tree = self.original()
            yield [tree, *(self.variant(tree) for _ in range(variants))]
