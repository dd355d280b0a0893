"""Checks of one map: findings that an annotator may want to look at again.

A finding is a hint, not a fault. docs/annotation.md has the measurements: of the default thresholds on the sample
maps, and how often findings were useful on real maps.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tted_core.annotate.checks import rules
from tted_core.annotate.checks.rules import Finding, Issue, MapView, Thresholds
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.foundations.limits import MAX_NODES_COMPARED, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.tree import TextTree

__all__ = ["BY_DEFAULT", "CHECKS", "Check", "Finding", "Thresholds", "check_map"]


@dataclass(frozen=True)
class Check:
    """One check: an entry of ``CHECKS``.

    Args:
        title: name shown to users.
        advice: meaning of a finding and what to do about it, in one or two sentences.
        find: generator of the issues in a map.
        useful: number of useful findings and of all findings on the real maps that ``benchmarks/check_labels.csv``
            judges; ``(0, 0)`` if it has none there.
        by_default: whether it runs unless others are chosen.
    """

    title: str
    advice: str
    find: Callable[[MapView, Thresholds], Iterator[Issue]]
    useful: tuple[int, int] = (0, 0)
    by_default: bool = True


CHECKS: dict[str, Check] = {
    "repeats": Check(
        "Repeated text",
        "Several nodes have one text. Keep one of them, or say what sets them apart; a heading that every branch "
        "has may stay.",
        rules.repeats,
        useful=(10, 24),
    ),
    "duplicates": Check(
        "Near-duplicate nodes",
        "These nodes say almost the same in other words. Keep one of them, or say what sets them apart.",
        rules.duplicates,
        useful=(5, 22),
    ),
    "restatements": Check(
        "A child restates its parent",
        "The child adds little to the node above it. Merge them, or make the child more specific.",
        rules.restatements,
        useful=(20, 23),
    ),
    "misplaced": Check(
        "Nearer to another branch",
        "The node is closer in meaning to another branch than to its own parent and siblings. It may belong there;"
        " all sentences of a map are related, so many of these are right where they are.",
        rules.misplaced,
        useful=(10, 77),
        by_default=False,
    ),
    "long-labels": Check(
        "Very long text",
        "A node is meant to hold one statement. Split it, or shorten it.",
        rules.long_labels,
        useful=(12, 22),
    ),
    "empty-labels": Check(
        "Empty text",
        "The node has no letter or digit; nothing can be compared with it. Write something, or remove it.",
        rules.empty_labels,
        useful=(1, 1),
    ),
    "languages": Check(
        "Mixed languages",
        "The node is in another script or language than most of the map. Encoders place languages apart, so "
        "distances to it mean less.",
        rules.mixed_languages,
    ),
    "chains": Check(
        "Chain of single children",
        "Each of these nodes is its parent's only child: levels that divide nothing. Merge some of them.",
        rules.chains,
    ),
    "unbalanced": Check(
        "Unbalanced depth",
        "One main branch goes much deeper than another. Perhaps one is worked out and the other is not yet.",
        rules.unbalanced,
        useful=(0, 3),
        by_default=False,
    ),
    "roots": Check(
        "Several roots",
        "The file has several roots, and an invented node joins them. Name their common topic, or split the file.",
        rules.several_roots,
        useful=(1, 1),
    ),
}


BY_DEFAULT = tuple(name for name, check in CHECKS.items() if check.by_default)


def check_map(
    tree: TextTree,
    *,
    joined: bool = False,
    encoder: str | Encoder = "minilm",
    thresholds: Thresholds | None = None,
    checks: Iterable[str] = BY_DEFAULT,
    monitor: Monitor = UNWATCHED,
) -> tuple[Finding, ...]:
    """Return the findings of these checks, in the order of ``checks``; within one, the clearest first.

    Args:
        tree: the map.
        joined: whether the reader put its root above several others (``MindMap.joined``); a root that is called
            "(2 roots)" or similar is recognized anyway.
        encoder: a name for ``load_encoder``, or any function from n texts to (n, d) vectors; only checks of
            meaning use it.
        thresholds: by default as measured on the sample maps.
        checks: names of ``CHECKS``; by default those that were useful on real maps.
        monitor: watches the encoding.
    """
    check_limit(len(tree), MAX_NODES_COMPARED, "nodes in the map", "check its branches one by one")
    chosen = {name: lookup(CHECKS, name, "check") for name in checks}
    view = MapView(tree, encoder, monitor, joined)
    return tuple(
        Finding(name, issue.nodes, issue.text, issue.value, tree=tree)
        for name, check in chosen.items()
        for issue in check.find(view, thresholds or Thresholds())
    )
