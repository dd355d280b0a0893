"""Checks of one map: findings, the clearest first, that an annotator may want to look at again.

A finding is a hint, not a fault; docs/annotation.md has the recall of each check, and its findings on real maps.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from tted_core.annotate.rules import (
    Issue,
    MapView,
    find_contradictions,
    find_duplicates,
    find_incomplete,
    find_mixed_languages,
    find_opposed,
    find_repairs,
    find_repeats,
    find_restatements,
    find_unrelated,
)
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import MAX_NODES_COMPARED, check_limit, lookup
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree


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
