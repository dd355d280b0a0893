"""The rules of the checks, each a generator of issues in a map, with thresholds and findings.

Some look at the shape of the map and at single texts (too deep, too long, empty, repeated, in another language),
some at meaning (nodes that say the same, nodes that may be misplaced).
"""

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
from tted_core.formats.forest import joined_roots
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
        named = json.dumps([self.check, sorted(self.paths)], ensure_ascii=False)
        return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _number(default: float, label: str, least: float, most: float) -> float:
    value: float = field(default=default, metadata={"label": label, "least": least, "most": most})
    return value


@dataclass(frozen=True)
class Thresholds:
    """Thresholds for findings; docs/annotation.md has the measurements behind the defaults.

    The metadata of each field hold ``label`` (shown to users), ``least`` and ``most``. Distances are cosine
    distances of sentences: 0 for equal ones, about 1 for unrelated ones.
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
    """A map with what several rules need, computed once; ``joined`` is True if the reader added the root."""

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


def chains(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Only children in a row, one below the other; the longest first."""
    children, found = view.tree.children, []
    for node, parent in enumerate(view.tree.parents):
        if not node or len(children[parent]) > 1:
            continue  # not an only child
        if parent > 0 and len(children[view.tree.parents[parent]]) == 1:
            continue  # in the middle of a chain, which was found at its top
        chain = [node]
        while len(children[chain[-1]]) == 1:
            chain.append(children[chain[-1]][0])
        if len(chain) >= thresholds.chain_nodes:
            found.append(chain)
    for chain in sorted(found, key=lambda each: (-len(each), each)):
        yield Issue(tuple(chain), f"{len(chain)} only children, one below the other", len(chain))


def unbalanced(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """The deepest and the shallowest branch below the root, if their levels differ enough."""
    branches = view.tree.children[0]
    if len(branches) < 2:
        return
    deepest = max(branches, key=lambda node: view.heights[node])
    shallowest = min(branches, key=lambda node: view.heights[node])
    most, least = view.heights[deepest], view.heights[shallowest]
    if most - least >= thresholds.depth_spread:
        levels = "level" if least == 1 else "levels"
        text = f"the deepest main branch has {most} levels, the shallowest {least} {levels}"
        yield Issue((deepest, shallowest), text, most - least)


def several_roots(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """The roots below a node that the reader added."""
    roots = view.tree.children[0] if view.joined else joined_roots(view.tree)
    if roots:
        yield Issue(roots, f"{len(roots)} roots", len(roots))


def long_labels(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Texts of more characters than the threshold; the longest first."""
    lengths = sorted((-len(label), node) for node, label in enumerate(view.tree.labels))
    for length, node in lengths:
        if -length > thresholds.label_characters:
            yield Issue((node,), f"{-length:,} characters", -length)


def empty_labels(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Texts without a letter or digit."""
    for node, filled in enumerate(view.filled):
        if not filled:
            yield Issue((node,), "no letter or digit in it")


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


def misplaced(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Nodes nearer to another branch than to their own, by more than the threshold; the most misplaced first.

    A branch is an inner node with its children, its distance the mean of theirs; a single nearest node is nearer
    by chance far too often (docs/annotation.md). Compared are branches that neither contain the node's parent nor
    are below it. Children of the root have no such branch, and ``repeats`` finds texts that several nodes share.
    """
    tree, found = view.tree, []
    heads = np.array([node for node in range(1, len(tree)) if tree.children[node]], dtype=np.intp)
    if not len(heads):
        return
    members = np.zeros((len(tree), len(heads)))
    for column, head in enumerate(heads.tolist()):
        members[[head, *tree.children[head]], column] = 1
    members *= np.array(view.filled)[:, None]
    sizes = members.sum(axis=0)
    sums = view.distances @ members
    column_of = {head: column for column, head in enumerate(heads.tolist())}
    alone = {nodes[0] for nodes in view.nodes_of.values() if len(nodes) == 1}
    for node, parent in enumerate(tree.parents):
        if parent <= 0 or node not in alone or sizes[column_of[parent]] < 2:
            continue
        own = float(sums[node, column_of[parent]] / (sizes[column_of[parent]] - 1))  # itself is at distance 0
        elsewhere = (heads < parent) | (heads >= parent + tree.sizes[parent])
        above = tree.parents[parent]
        while above > 0:
            elsewhere[column_of[above]] = False
            above = tree.parents[above]
        elsewhere &= sizes > 0
        if not elsewhere.any():
            continue
        means = np.where(elsewhere, sums[node] / np.maximum(sizes, 1), np.inf)
        nearest = int(np.argmin(means))
        other = float(means[nearest])
        if own - other > thresholds.nearer_by:
            found.append((own - other, node, int(heads[nearest]), own, other))
    for margin, node, head, own, other in sorted(found, key=lambda each: (-each[0], each[1])):
        text = f"mean distance {other:.2f} to another branch, {own:.2f} to its own"
        yield Issue((node, head), text, margin)
