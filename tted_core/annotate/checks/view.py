"""A map as the checks see it: the tree, and the distances between its nodes, computed when first asked for."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.vectors import cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree
from tted_core.words.splitting import split_words


@dataclass(frozen=True)
class MapView:
    """A map, the encoder that its texts are read with, and whether its root was put there by its reader."""

    tree: TextTree
    encoder: str | Encoder
    monitor: Monitor = UNWATCHED
    joined: bool = False

    @cached_property
    def distances(self) -> NDArray[np.float64]:
        """(n, n) cosine distances between the nodes' texts, 0 on the diagonal."""
        encoder = load_encoder(self.encoder) if isinstance(self.encoder, str) else self.encoder
        vectors = embed(encoder, self.tree.labels, self.monitor)
        points = np.array([vectors[label] for label in self.tree.labels])
        return cosine(points, points)

    @cached_property
    def filled(self) -> tuple[bool, ...]:
        """Which nodes have a letter or digit; the others are findings of their own, and no duplicates."""
        return tuple(any(map(str.isalnum, label)) for label in self.tree.labels)

    @cached_property
    def nodes_of(self) -> dict[str, tuple[int, ...]]:
        """Text -> the nodes that have it, in small letters and without punctuation; of filled nodes only."""
        found: dict[str, tuple[int, ...]] = {}
        for node, label in enumerate(self.tree.labels):
            if self.filled[node]:
                text = " ".join(word.text.casefold() for word in split_words(label) if word.is_spoken)
                found[text] = (*found.get(text, ()), node)
        return found

    @cached_property
    def heights(self) -> tuple[int, ...]:
        """The number of levels of each node's subtree; 1 for a leaf."""
        heights = [1] * len(self.tree)
        for node in range(len(self.tree) - 1, 0, -1):
            parent = self.tree.parents[node]
            heights[parent] = max(heights[parent], heights[node] + 1)
        return tuple(heights)

    def subtree(self, node: int) -> range:
        """The nodes of a subtree."""
        return range(node, node + self.tree.sizes[node])
