"""Checks of one map: findings that an annotator may want to look at again.

A finding is a hint, not a fault. docs/annotation.md says how many planted errors the checks find, and how many
findings they have on maps that nobody changed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tted_core.annotate.checks import positions, rules
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
        by_default: whether it runs unless others are chosen.
    """

    title: str
    advice: str
    find: Callable[[MapView, Thresholds], Iterator[Issue]]
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
        positions.contradictions,
    ),
    "unrelated": Check(
        "Unrelated branch",
        "The branch is far in meaning from the rest of the map. It may belong to another document.",
        positions.unrelated,
    ),
    "restatements": Check(
        "A child restates its parent",
        "The child adds little to the node above it. Merge them, or make the child more specific.",
        rules.restatements,
    ),
    "duplicates": Check(
        "Near-duplicate nodes",
        "These nodes say almost the same in other words. Keep one of them, or make them differ.",
        rules.duplicates,
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
    ),
    "levels": Check(
        "More general than its parent",
        "The child sums up its siblings better than their parent does: one is too general for its level, or the "
        "other too specific. Perhaps they should be swapped.",
        positions.levels,
        by_default=False,
    ),
    "long-labels": Check(
        "Very long text",
        "A node is meant to hold one statement. Split it, or shorten it.",
        rules.long_labels,
        by_default=False,
    ),
}
"""The checks, the surest first."""

BY_DEFAULT = tuple(name for name, check in CHECKS.items() if check.by_default)


def check_map(
    tree: TextTree,
    *,
    notices: Sequence[str] = (),
    encoder: str | Encoder = "minilm",
    thresholds: Thresholds | None = None,
    checks: Iterable[str] = BY_DEFAULT,
    monitor: Monitor = UNWATCHED,
) -> tuple[Finding, ...]:
    """Return the findings of these checks, in the order of ``checks``; within one, the clearest first.

    Args:
        tree: the map.
        notices: what its reader repaired (``MindMap.notices``).
        encoder: a name for ``load_encoder``, or any function from n texts to (n, d) vectors; only checks of
            meaning use it.
        thresholds: by default as measured on the sample maps.
        checks: names of ``CHECKS``.
        monitor: watches the encoding.
    """
    check_limit(len(tree), MAX_NODES_COMPARED, "nodes in the map", "check its branches one by one")
    chosen = {name: lookup(CHECKS, name, "check") for name in checks}
    view = MapView(tree, encoder, monitor, tuple(notices))
    return tuple(
        Finding(name, issue.nodes, issue.text, issue.value, tree=tree)
        for name, check in chosen.items()
        for issue in check.find(view, thresholds or Thresholds())
    )
