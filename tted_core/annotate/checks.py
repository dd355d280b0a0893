"""Checks of one map: findings, the clearest first, that an annotator may want to look at again.

A finding is a hint, not a fault; docs/annotation.md has the recall of each check, and its findings on real maps.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple, TypeAlias

import numpy as np
import regex
from numpy.typing import NDArray

from tted_core.distances.formulas import cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import MAX_NODES_COMPARED, check_limit, lookup
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree
from tted_core.words.claims import CLOSE, changed_claims
from tted_core.words.languages import NAMES, language, script
from tted_core.words.splitting import split_words

Issue: TypeAlias = tuple[tuple[int, ...], str]  # nodes to look at (preorder), and a sentence that says why


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
        return directions(np.array([vectors[label] for label in self.tree.labels], dtype=float))

    @cached_property
    def distances(self) -> NDArray[np.float64]:
        """(n, n) cosine distances between the nodes' texts, 0 on the diagonal."""
        return cosine(self.points, self.points)

    @cached_property
    def nodes_of(self) -> dict[str, tuple[int, ...]]:
        """Text, in lower case and without punctuation -> its nodes; only texts with a letter or digit."""
        found: dict[str, tuple[int, ...]] = {}
        for node, label in enumerate(self.tree.labels):
            if is_filled(label):
                text = " ".join(word.text.casefold() for word in split_words(label) if word.is_spoken)
                found[text] = (*found.get(text, ()), node)
        return found

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """Each parent and child whose texts have a letter or digit."""
        filled = [is_filled(label) for label in self.tree.labels]
        parents = self.tree.parents
        return [(parents[v], v) for v in range(1, len(parents)) if filled[v] and filled[parents[v]]]

    @cached_property
    def near(self) -> list[tuple[float, tuple[int, ...], str]]:
        """Distance, nodes and contradiction of two texts nearer than ``DUPLICATE``, the nearest first.

        Of texts that are all alike, each is paired with the nearest other one, not with all.
        """
        equal, edges = list(self.nodes_of.values()), set(self.edges)
        firsts = [nodes[0] for nodes in equal]
        unnumbered = [DIGITS.sub("", text) for text in self.nodes_of]
        distances = self.distances[np.ix_(firsts, firsts)]
        near = np.triu((distances > INDISTINGUISHABLE) & (distances < DUPLICATE), k=1)
        found: list[tuple[float, tuple[int, ...], str]] = []
        paired: set[int] = set()
        for distance, one, other in sorted(
            (float(distances[i, j]), i, j) for i, j in np.argwhere(near).tolist()
        ):
            if {one, other} <= paired or unnumbered[one] == unnumbered[other]:
                continue
            if not any({(a, b), (b, a)} & edges for a in equal[one] for b in equal[other]):
                paired |= {one, other}
                texts = (self.tree.labels[firsts[each]] for each in (one, other))
                nodes = tuple(sorted(equal[one] + equal[other]))
                found.append((distance, nodes, contradiction_of(*texts)))
        return found


def is_filled(label: str) -> bool:
    """Return True for a text with a letter or digit."""
    return any(map(str.isalnum, label))


def directions(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., d) vectors of length 1, zeros for those that are 0."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(float).tiny))


CUT = regex.compile(
    r"(?:[,;:(\-–]|…|\.\.\.|\s(?:the|an?|of|and|or|to|in|with|for|from|by|der|die|das|und|von|mit|и|в|на|с|de|la|el|y))$",
    regex.IGNORECASE,
)
ENDED = regex.compile(r"""[.!?。！？]["'”’»)\]]*$""")
# Share of a map's longer texts that end as sentences do, from which on one that doesn't is taken for cut off.
SENTENCES = 0.8
LONGER = 8  # words of a longer text; shorter ones are often headings
# Texts that end in the middle, each of them a finding; of more, if they are most of the map, all are one.
MOST_CUT = 20


def find_incomplete(view: MapView) -> Iterator[Issue]:
    """Texts without a letter or digit, or cut off by their last word, or where all others end as sentences do."""
    labels = view.tree.labels
    longer = [v for v, label in enumerate(labels) if v and label.count(" ") >= LONGER - 1]
    open_ended = [v for v in longer if not ENDED.search(labels[v])]
    of_sentences = len(longer) > 1 and len(open_ended) <= (1 - SENTENCES) * len(longer)
    cut = {v for v, each in enumerate(labels) if CUT.search(each) or each.count("(") > each.count(")")}
    of_data = len(cut) > max(MOST_CUT, len(labels) / 2)
    if of_data:
        yield (
            tuple(sorted(cut)),
            f"{len(cut):,} of {len(labels):,} texts end in the middle, as lines of data do",
        )
    for node, label in enumerate(labels):
        if not is_filled(label):
            yield (node,), "no letter or digit in it"
        elif node in cut and not of_data:
            yield (node,), "it ends in the middle"
        elif of_sentences and node in open_ended:
            yield (node,), "it doesn't end as a sentence, unlike the other longer texts"


def find_repairs(view: MapView) -> Iterator[Issue]:
    """Repairs, omissions and guesses of the file's reader."""
    return (((0,), notice) for notice in view.notices)


def find_repeats(view: MapView) -> Iterator[Issue]:
    """Texts that several nodes share, ignoring case and punctuation; the most frequent first."""
    for nodes in sorted(view.nodes_of.values(), key=lambda each: (-len(each), each)):
        if len(nodes) > 1:
            often = "twice" if len(nodes) == 2 else f"{len(nodes)} times"
            yield nodes, f"the same text {often}"


def find_mixed_languages(view: MapView) -> Iterator[Issue]:
    """Nodes in another script than most nodes or, within one script, in another language if both are known."""
    for tell, name in ((script, str), (language, NAMES.__getitem__)):
        of_node = {node: each for node, label in enumerate(view.tree.labels) if (each := tell(label))}
        if len(set(of_node.values())) < 2:
            continue
        usual, count = Counter(of_node.values()).most_common(1)[0]
        for node, each in of_node.items():
            if each != usual and count > len(of_node) / 2:
                yield (node,), f"{name(each)}, while most of the map is {name(usual)}"
        return  # texts in another script are in another language too; once is enough


DIGITS = regex.compile(r"\p{N}+")

# Distances are cosine distances of MiniLM (docs/annotation.md): 0 for equal sentences, about 1 for unrelated ones.
DUPLICATE = 0.40
RESTATEMENT = 0.45
INDISTINGUISHABLE = 1e-6  # different texts nearer than this contain characters that the encoder doesn't know


def find_duplicates(view: MapView) -> Iterator[Issue]:
    """The nodes of two texts that say almost the same in other words; the nearest first.

    Left out are a node and its parent, texts that differ in numbers only ("Topic 1", "Topic 2") or contradict each
    other, and texts that the encoder can't distinguish.
    """
    for distance, nodes, contradiction in view.near:
        if not contradiction:
            yield nodes, f"almost the same text: distance {distance:.2f}"


def find_opposed(view: MapView) -> Iterator[Issue]:
    """The nodes of two texts as near as duplicates that contradict each other; the nearest first."""
    for _, nodes, contradiction in view.near:
        if contradiction:
            yield nodes, f"these contradict each other: {contradiction}"


def find_restatements(view: MapView) -> Iterator[Issue]:
    """Nodes nearer to their parent than ``RESTATEMENT``, nearest first; titles and questions may be restated."""
    for distance, edge in sorted((float(view.distances[edge]), edge) for edge in view.edges if edge[0]):
        parent, child = (view.tree.labels[node] for node in edge)
        if distance < RESTATEMENT and not is_question(parent) and not contradiction_of(parent, child):
            yield edge, f"the child restates its parent: distance {distance:.2f}"


def find_contradictions(view: MapView) -> Iterator[Issue]:
    """Children with most words of their parent that contradict it."""
    for edge in view.edges:
        if words := contradiction_of(*(view.tree.labels[node] for node in edge)):
            yield edge, words


def is_question(label: str) -> bool:
    """Return True for a text that ends with a question mark."""
    return label.rstrip().endswith(("?", "？", "؟"))


def contradiction_of(one: str, other: str) -> str:
    """The flags of two texts as text, without those of names; "" if there are none. A question claims nothing."""
    flags = () if is_question(one) or is_question(other) else changed_claims(one, other, CLOSE)
    return "; ".join(flag.words for flag in flags if flag.kind != "name")


FEWEST = 5  # nodes of a map from which on it can be said what is usual in it
# Mean cosine similarity of a branch of two nodes or more below which it is unrelated to the map.
UNRELATED_BRANCH = 0.22


def find_unrelated(view: MapView) -> Iterator[Issue]:
    """Branches far from the rest of the map and from what is around them; the farthest first.

    The similarity is the mean of two: of the branch's centre to that of all other nodes, and to the nearest of
    parent and siblings. A single sentence is often far from all others ("It took years."): its limit is half. Of a
    branch and one within it, the farther one counts.
    """
    tree, points = view.tree, view.points
    found = []
    for head in range(1, len(tree)) if len(tree) >= FEWEST else ():
        branch = range(head, head + tree.sizes[head])
        inside = points[branch].sum(axis=0)
        centre, rest = directions(inside), directions(points.sum(axis=0) - inside)
        parent = tree.parents[head]
        around = [parent, *(child for child in tree.children[parent] if child != head)]
        near, far = float((points[around] @ centre).max()), float(rest @ centre)
        value = (near + far) / 2
        if 2 * len(branch) <= len(tree) and value < UNRELATED_BRANCH / (1 if len(branch) > 1 else 2):
            text = f"similarity {far:.2f} to the rest of the map, {near:.2f} to the nearest node around it"
            found.append((value, head, branch, text))
    taken: list[range] = []
    for _, head, branch, text in sorted(found):
        if not any(branch.start in other or other.start in branch for other in taken):
            taken.append(branch)
            yield (head,), text


class Check(NamedTuple):
    """One check: its title, the meaning of a finding and what to do about it, and the generator of its issues."""

    title: str
    advice: str
    find: Callable[[MapView], Iterator[Issue]]


# The checks, the surest first.
CHECKS: dict[str, Check] = {
    "reading": Check(
        "Repaired when read",
        "The file isn't well formed: this was repaired, left out or guessed. Compare it with the file.",
        find_repairs,
    ),
    "incomplete": Check(
        "Empty or cut-off text",
        "The node has no letter or digit, or its text ends in the middle. Complete it, or remove the node.",
        find_incomplete,
    ),
    "repeats": Check(
        "Repeated text",
        "Several nodes have the same text. Keep one of them, or make them differ; a heading that every branch "
        "has may stay.",
        find_repeats,
    ),
    "contradictions": Check(
        "A child contradicts its parent",
        "The child repeats its parent with another number, a negation, an opposite, or must in place of may: one "
        "of the two may be wrong.",
        find_contradictions,
    ),
    "opposed": Check(
        "Nodes contradict each other",
        "These nodes are alike but for a negation, an opposite, a number, or must in place of may. Keep both if "
        "both are meant, as low and high tide are; otherwise correct one.",
        find_opposed,
    ),
    "unrelated": Check(
        "Unrelated branch",
        "The branch is far in meaning from the rest of the map. It may belong to another document.",
        find_unrelated,
    ),
    "restatements": Check(
        "A child restates its parent",
        "The child adds little to the node above it. Merge them, or make the child more specific.",
        find_restatements,
    ),
    "duplicates": Check(
        "Near-duplicate nodes",
        "These nodes say almost the same in other words. Keep one of them, or make them differ.",
        find_duplicates,
    ),
    "languages": Check(
        "Mixed languages",
        "The node is in another script or language than most of the map. Encoders keep languages apart, so "
        "distances to it mean less.",
        find_mixed_languages,
    ),
}


@dataclass(frozen=True)
class Finding:
    """An issue of a map, with the name of the check (in ``CHECKS``) that found it."""

    check: str
    nodes: tuple[int, ...]
    text: str
    tree: TextTree = field(repr=False)

    @property
    def paths(self) -> list[list[str]]:
        """The path of each node: the texts of its ancestors from the root on, and its own."""
        paths: list[list[str]] = []
        for node in self.nodes:
            line = [node]
            while line[0]:
                line.insert(0, self.tree.parents[line[0]])
            paths.append([self.tree.labels[each] for each in line])
        return paths

    @property
    def key(self) -> str:
        """An identifier made of the check and the nodes' paths; it stays when other nodes are added or removed."""
        said = [self.text] if self.check == "reading" else []  # all at the root
        named = json.dumps([self.check, sorted(self.paths), *said], ensure_ascii=False)
        return sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def check_map(
    tree: TextTree,
    *,
    notices: Sequence[str] = (),
    encoder: str | Encoder = "minilm",
    checks: Iterable[str] = tuple(CHECKS),
    monitor: Monitor = UNWATCHED,
) -> tuple[Finding, ...]:
    """Return the findings of these checks, in the order of ``checks``; within one, the clearest first.

    ``notices`` are those of the map's reader. ``encoder`` is a name for ``load_encoder``, or any function from n
    texts to (n, d) vectors; only checks of meaning use it.
    """
    check_limit(len(tree), MAX_NODES_COMPARED, "nodes in the map", "check its branches one by one")
    chosen = {name: lookup(CHECKS, name, "check") for name in checks}
    view = MapView(tree, encoder, monitor, tuple(notices))
    return tuple(
        Finding(name, nodes, text, tree) for name, check in chosen.items() for nodes, text in check.find(view)
    )
