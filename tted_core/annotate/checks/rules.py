"""The rules that look at texts, each a generator of issues in a map, with thresholds and findings."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from tted_core.distances.vectors import cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import LimitError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree
from tted_core.words.languages import LANGUAGES, language, script
from tted_core.words.splitting import split_words


class Issue(NamedTuple):
    """Nodes to look at (preorder), a sentence that says why, and the measured value if there is one."""

    nodes: tuple[int, ...]
    text: str
    value: float | None = None


@dataclass(frozen=True)
class Finding:
    """An issue of a map, with the name of the check (in ``CHECKS``) that found it."""

    check: str
    nodes: tuple[int, ...]
    text: str
    value: float | None = None
    tree: TextTree = field(repr=False, kw_only=True)

    @property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """The path of each node: the texts of its ancestors from the root on, and its own."""
        return tuple(self._path(node) for node in self.nodes)

    def _path(self, node: int) -> tuple[str, ...]:
        texts: list[str] = []
        while node >= 0:
            texts.append(self.tree.labels[node])
            node = self.tree.parents[node]
        return tuple(reversed(texts))

    @property
    def key(self) -> str:
        """An identifier made of the check and the nodes' paths; it stays when other nodes are added or removed."""
        said = [self.text] if self.check == "reading" else []  # all at the root
        named = json.dumps([self.check, sorted(self.paths), *said], ensure_ascii=False)
        return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _number(default: float, label: str, least: float, most: float) -> float:
    value: float = field(default=default, metadata={"label": label, "least": least, "most": most})
    return value


@dataclass(frozen=True)
class Thresholds:
    """Thresholds for findings; docs/annotation.md has the measurements behind the defaults.

    The metadata of each field hold ``label`` (shown to users), ``least`` and ``most``. Distances are cosine
    distances of sentences: 0 for equal ones, about 1 for unrelated ones. Similarities are cosines.
    """

    duplicate: float = _number(0.40, "Near-duplicates: distance below", 0.0, 1.0)
    restatement: float = _number(0.45, "Restated parent: distance below", 0.0, 1.0)
    unrelated: float = _number(0.22, "Unrelated branch: similarity below", -1.0, 1.0)
    nearer_by: float = _number(
        0.19, "Misplaced branch: similarity to another branch higher by more than", 0.0, 1.0
    )
    more_general_by: float = _number(
        0.25, "More general than its parent: similarity to the rest higher by more than", 0.0, 1.0
    )
    label_characters: int = _number(200, "Very long text: characters above", 1, 10_000)  # type: ignore[assignment]

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
    """A map with what several rules need, computed once; ``notices`` are those of its reader."""

    tree: TextTree
    encoder: str | Encoder
    monitor: Monitor = UNWATCHED
    notices: tuple[str, ...] = ()

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """(n, d) vectors of the nodes' texts, of length 1."""
        encoder = load_encoder(self.encoder) if isinstance(self.encoder, str) else self.encoder
        vectors = embed(encoder, self.tree.labels, self.monitor)
        points = np.array([vectors[label] for label in self.tree.labels], dtype=float)
        points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), np.finfo(float).tiny)
        return points

    @cached_property
    def distances(self) -> NDArray[np.float64]:
        """(n, n) cosine distances between the nodes' texts, 0 on the diagonal."""
        return cosine(self.points, self.points)

    @cached_property
    def filled(self) -> tuple[bool, ...]:
        """For each node True if its text has a letter or digit; the others can't be duplicates."""
        return tuple(any(map(str.isalnum, label)) for label in self.tree.labels)

    @cached_property
    def nodes_of(self) -> dict[str, tuple[int, ...]]:
        """Text, in lower case and without punctuation -> the nodes that have it; filled nodes only."""
        found: dict[str, tuple[int, ...]] = {}
        for node, label in enumerate(self.tree.labels):
            if self.filled[node]:
                text = " ".join(word.text.casefold() for word in split_words(label) if word.is_spoken)
                found[text] = (*found.get(text, ()), node)
        return found

    def subtree(self, node: int) -> range:
        """The nodes of a subtree."""
        return range(node, node + self.tree.sizes[node])


def long_labels(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Texts of more characters than the threshold; the longest first."""
    lengths = sorted((-len(label), node) for node, label in enumerate(view.tree.labels))
    for length, node in lengths:
        if -length > thresholds.label_characters:
            yield Issue((node,), f"{-length:,} characters", -length)


CUT = regex.compile(
    r"(?:[,;:(\-–]|…|\.\.\.|\s(?:the|an?|of|and|or|to|in|with|for|from|by|der|die|das|und|von|mit|и|в|на|с|de|la|el|y))$",
    regex.IGNORECASE,
)
ENDED = regex.compile(r"""[.!?。！？]["'”’»)\]]*$""")

SENTENCES = 0.8
"""Share of a map's longer texts that end as sentences do, from which on one that doesn't is taken for cut off."""
LONGER = 8
"""Words of a longer text; shorter ones are often headings."""


def incomplete(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Texts without a letter or digit, or cut off by their last word, or where all others end as sentences do."""
    longer = {v: label for v, label in enumerate(view.tree.labels) if v and label.count(" ") >= LONGER - 1}
    open_ended = {v for v, label in longer.items() if not ENDED.search(label)}
    of_sentences = len(longer) > 1 and len(open_ended) <= (1 - SENTENCES) * len(longer)
    for node, (label, filled) in enumerate(zip(view.tree.labels, view.filled, strict=True)):
        if not filled:
            yield Issue((node,), "no letter or digit in it")
        elif CUT.search(label) or label.count("(") > label.count(")"):
            yield Issue((node,), "it ends in the middle")
        elif of_sentences and node in open_ended:
            yield Issue((node,), "it doesn't end as a sentence, unlike the other longer texts")


def repaired(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Repairs, omissions and guesses of the file's reader."""
    for notice in view.notices:
        yield Issue((0,), notice)


def repeats(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Texts that several nodes share, ignoring case and punctuation; the most frequent first."""
    for nodes in sorted(view.nodes_of.values(), key=lambda each: (-len(each), each)):
        if len(nodes) > 1:
            often = "twice" if len(nodes) == 2 else f"{len(nodes)} times"
            yield Issue(nodes, f"the same text {often}", len(nodes))


def mixed_languages(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Nodes in another script than most nodes or, within one script, in another language if both are known."""
    for tell, name in ((script, str), (language, LANGUAGES.__getitem__)):
        of_node = {node: each for node, label in enumerate(view.tree.labels) if (each := tell(label))}
        if len(set(of_node.values())) < 2:
            continue
        usual, count = Counter(of_node.values()).most_common(1)[0]
        if count <= len(of_node) / 2:
            return  # no one of them is that of the map
        for node, each in of_node.items():
            if each != usual:
                yield Issue((node,), f"{name(each)}, while most of the map is {name(usual)}")
        return  # texts in another script are in another language too; once is enough


NUMBER = regex.compile(r"\p{N}+")

INDISTINGUISHABLE = 1e-6
"""Different texts nearer than this contain characters that the encoder doesn't know."""


def duplicates(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Groups of nodes that say almost the same in other words; the nearest first.

    Two texts below the threshold are of one group, and so are all nodes that have one of its texts. Left out are
    a node and its parent (``restatements``), texts that differ in numbers only ("Topic 1", "Topic 2"), and texts
    that the encoder can't distinguish.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    tree, texts, alike = view.tree, list(view.nodes_of), list(view.nodes_of.values())
    firsts = [nodes[0] for nodes in alike]
    distances = view.distances[np.ix_(firsts, firsts)]
    unnumbered = [NUMBER.sub("", text) for text in texts]

    def counts(one: int, other: int) -> bool:
        related = any(tree.parents[b] == a or tree.parents[a] == b for a in alike[one] for b in alike[other])
        return not related and unnumbered[one] != unnumbered[other]

    near = np.argwhere(
        np.triu((distances > INDISTINGUISHABLE) & (distances < thresholds.duplicate), k=1)
    ).tolist()
    pairs = [(one, other) for one, other in near if counts(one, other)]
    if not pairs:
        return
    rows, columns = zip(*pairs, strict=True)
    _, group_of = connected_components(
        coo_array((np.ones(len(pairs)), (rows, columns)), shape=distances.shape)
    )
    groups: dict[int, list[float]] = {}
    for one, other in pairs:
        groups.setdefault(int(group_of[one]), []).append(float(distances[one, other]))
    for group, found in sorted(groups.items(), key=lambda each: min(each[1])):
        members = np.flatnonzero(group_of == group).tolist()
        nodes = tuple(sorted(node for text in members for node in alike[text]))
        what = (
            "almost the same text" if len(members) == 2 else f"{len(members)} texts that say almost the same"
        )
        yield Issue(nodes, f"{what}: distance {min(found):.2f}", min(found))


def restatements(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Nodes whose distance to their parent is below the threshold; the nearest first."""
    found = sorted(
        (float(view.distances[node, parent]), parent, node)
        for node, parent in enumerate(view.tree.parents)
        if node and view.filled[node] and view.filled[parent]
    )
    for distance, parent, node in found:
        if distance < thresholds.restatement:
            yield Issue((parent, node), f"the child restates its parent: distance {distance:.2f}", distance)
