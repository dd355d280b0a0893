"""Checks of one map: findings that an annotator may want to look at again.

A finding is a hint, not a fault. docs/annotation.md says how many planted errors the checks find, and how many
findings they have on maps that nobody changed.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import isfinite
from typing import NamedTuple

from tted_core.annotate import positions, rules
from tted_core.annotate.rules import Issue, MapView
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import OptionsError
from tted_core.foundations.limits import MAX_NODES_COMPARED, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.tree import TextTree


class Check(NamedTuple):
    """One check: an entry of ``CHECKS``.

    Attributes:
        title: name shown to users.
        advice: meaning of a finding and what to do about it, in one or two sentences.
        find: generator of the issues in a map by a limit, the clearest first.
        limit: meaning of the limit, for checks that have one. Distances are cosine distances of sentences: 0 for
            equal ones, about 1 for unrelated ones; similarities are cosines.
        default: its default (docs/annotation.md).
        by_default: False for a check that runs only where it is named.
    """

    title: str
    advice: str
    find: Callable[[MapView, float], Iterator[Issue]]
    limit: str = ""
    default: float = 0.0
    by_default: bool = True


CHECKS: dict[str, Check] = {
    "reading": Check(
        "Repaired when read",
        "The file isn't well formed: this was repaired, left out or guessed. Compare it with the file.",
        rules.repaired,
    ),
    "incomplete": Check(
        "Empty or cut-off text",
        "The node has no letter or digit, or its text ends in the middle. Complete it, or remove the node.",
        rules.incomplete,
    ),
    "repeats": Check(
        "Repeated text",
        "Several nodes have the same text. Keep one of them, or make them differ; a heading that every branch "
        "has may stay.",
        rules.repeats,
    ),
    "contradictions": Check(
        "A child contradicts its parent",
        "The child repeats its parent with another number, a negation or an opposite: one of the two may be "
        "wrong.",
        rules.contradictions,
    ),
    "unrelated": Check(
        "Unrelated branch",
        "The branch is far in meaning from the rest of the map. It may belong to another document.",
        positions.unrelated,
        "similarity below",
        0.22,
    ),
    "restatements": Check(
        "A child restates its parent",
        "The child adds little to the node above it. Merge them, or make the child more specific.",
        rules.restatements,
        "distance below",
        0.45,
    ),
    "duplicates": Check(
        "Near-duplicate nodes",
        "These nodes say almost the same in other words. Keep one of them, or make them differ.",
        rules.duplicates,
        "distance below",
        0.40,
    ),
    "languages": Check(
        "Mixed languages",
        "The node is in another script or language than most of the map. Encoders keep languages apart, so "
        "distances to it mean less.",
        rules.mixed_languages,
    ),
    "misplaced": Check(
        "Nearer to another branch",
        "The branch is closer in meaning to another main branch than to its own. It may belong there.",
        positions.misplaced,
        "by more than",
        0.22,
    ),
    "levels": Check(
        "More general than its parent",
        "The child sums up its siblings better than their parent does: one is too general for its level, or the "
        "other too specific. Perhaps they should be swapped.",
        positions.levels,
        "by more than",
        0.25,
        by_default=False,
    ),
    "long-texts": Check(
        "Very long text",
        "A node is meant to hold one statement. Split it, or shorten it.",
        rules.long_texts,
        "characters above",
        200,
        by_default=False,
    ),
}
"""The checks, the surest first."""

BY_DEFAULT = tuple(name for name, check in CHECKS.items() if check.by_default)
LIMITS = {name: check.default for name, check in CHECKS.items() if check.limit}


@dataclass(frozen=True)
class Finding:
    """An issue of a map, with the name of the check (in ``CHECKS``) that found it."""

    check: str
    nodes: tuple[int, ...]
    text: str
    value: float | None
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
    limits: Mapping[str, float] = LIMITS,
    checks: Iterable[str] = BY_DEFAULT,
    monitor: Monitor = UNWATCHED,
) -> tuple[Finding, ...]:
    """Return the findings of these checks, in the order of ``checks``; within one, the clearest first.

    Args:
        tree: the map.
        notices: what its reader repaired (``MindMap.notices``).
        encoder: a name for ``load_encoder``, or any function from n texts to (n, d) vectors; only checks of
            meaning use it.
        limits: check -> its limit, where that isn't the default.
        checks: names of ``CHECKS``.
        monitor: watches the encoding.
    """
    check_limit(len(tree), MAX_NODES_COMPARED, "nodes in the map", "check its branches one by one")
    chosen = {name: lookup(CHECKS, name, "check") for name in checks}
    for name, value in limits.items():
        if not lookup(CHECKS, name, "check").limit or not isfinite(value):
            raise OptionsError(
                f"the check {name} has no limit {value:g}; give numbers to: {', '.join(LIMITS)}"
            )
    view = MapView(tree, encoder, monitor, tuple(notices))
    return tuple(
        Finding(name, *issue, tree)
        for name, check in chosen.items()
        for issue in check.find(view, limits.get(name, check.default))
    )
