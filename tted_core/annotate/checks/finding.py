"""Findings of checks, the thresholds that decide what is worth one, and a map as the checks see it."""

import json
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.vectors import cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import LimitError
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree
from tted_core.words.splitting import split_words


class Issue(NamedTuple):
    """What one check found: the nodes it points to (preorder), a sentence, and the value measured if any."""

    nodes: tuple[int, ...]
    text: str
    value: float | None = None


@dataclass(frozen=True)
class Finding:
    """An issue with the name of the check (in ``CHECKS``) that found it, and the map that it is in."""

    check: str
    nodes: tuple[int, ...]
    text: str
    value: float | None = None
    tree: TextTree = field(repr=False, kw_only=True)

    @property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """Of each node its text, after those of its ancestors from the root on."""
        return tuple(self._path(node) for node in self.nodes)

    def _path(self, node: int) -> tuple[str, ...]:
        texts: list[str] = []
        while node >= 0:
            texts.append(self.tree.labels[node])
            node = self.tree.parents[node]
        return tuple(reversed(texts))

    @property
    def key(self) -> str:
        """The same for the same check and nodes with the same paths, wherever they stand in whichever map."""
        named = json.dumps([self.check, sorted(self.paths)], ensure_ascii=False)
        return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _number(default: float, label: str, least: float, most: float) -> float:
    value: float = field(default=default, metadata={"label": label, "least": least, "most": most})
    return value


@dataclass(frozen=True)
class Thresholds:
    """When something is worth a finding. docs/annotation.md has the figures behind the defaults.

    Each field's metadata hold ``label`` (for people), ``least`` and ``most``; distances are cosine distances of
    sentences, 0 for the same and about 1 for unrelated ones.

    Raises:
        LimitError: a value outside its range.
    """

    duplicate: float = _number(0.40, "Near-duplicates: distance below", 0.0, 1.0)
    restatement: float = _number(0.45, "Restated parent: distance below", 0.0, 1.0)
    nearer_by: float = _number(0.12, "Nearer to another branch by more than", 0.0, 1.0)
    label_characters: int = _number(200, "Very long text: characters above", 1, 10_000)  # type: ignore[assignment]
    chain_nodes: int = _number(3, "Chain: only children in a row, at least", 2, 100)  # type: ignore[assignment]
    depth_spread: int = _number(3, "Unbalanced: levels between main branches, at least", 1, 100)  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for each in fields(self):
            value, limits = getattr(self, each.name), each.metadata
            if not limits["least"] <= value <= limits["most"]:
                raise LimitError(
                    f"the threshold {each.name} is {value:g}; give a number from {limits['least']:g} to "
                    f"{limits['most']:g}"
                )


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
