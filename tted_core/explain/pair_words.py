"""The words of a node pair: what each does to the cost of replacing one sentence by the other."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tted_core.compare import Comparison
from tted_core.contexts import CONTEXTS, Nodes, joined
from tted_core.distances import LoadedDistance
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.tree import TextTree
from tted_core.words.importance import WordImportance, word_importance


def pair_words(
    comparison: Comparison,
    distance: LoadedDistance,
    source: int,
    target: int,
    *,
    monitor: Monitor = UNWATCHED,
) -> WordImportance:
    """What leaving out each word of either node's own sentence does to the cost of the pair.

    The sentence is read in its context, as in the comparison; words of the context stay.

    Args:
        comparison: whose context is used.
        distance: that of the comparison, with its model, which reads all shortened texts together.
        source: a node of the left map.
        target: a node of the right map.
        monitor: watches the texts being read.

    Raises:
        LimitError: the two sentences have too many words.
        EncoderError: the model gives nothing that can be used.
    """
    context = lookup(CONTEXTS, comparison.method.context, "context")

    def with_labels(tree: TextTree, node: int, labels: Iterable[str]) -> Nodes:
        before, after = tree.labels[:node], tree.labels[node + 1 :]
        changed = (replace(tree, labels=(*before, label, *after)) for label in labels)
        return joined(*(context.node(each, node) for each in changed))

    def changed_costs(pairs: Sequence[tuple[str, str]]) -> list[float]:
        firsts, seconds = (list(dict.fromkeys(side)) for side in zip(*pairs, strict=True))
        costs = distance.costs(
            with_labels(comparison.left.tree, source, firsts),
            with_labels(comparison.right.tree, target, seconds),
            monitor,
        )
        return [float(costs[firsts.index(first), seconds.index(second)]) for first, second in pairs]

    labels = comparison.left.tree.labels[source], comparison.right.tree.labels[target]
    return word_importance(*labels, changed_costs)
