"""The words of a node pair: the effect of each on the cost of replacing one sentence with the other."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tted_core.compare import Comparison
from tted_core.contexts import CONTEXTS
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
    """Effect of omitting each word of either node's own sentence on the cost of the pair.

    The sentence is read in its context, as in the comparison; words of the context stay.

    Args:
        comparison: whose context is used.
        distance: that of the comparison, with its model, which reads all shortened texts together.
        source: a node of the left map.
        target: a node of the right map.
        monitor: watches the texts being read.
    """
    context = lookup(CONTEXTS, comparison.method.context, "context")

    def with_labels(tree: TextTree, node: int, labels: Iterable[str]) -> list[TextTree]:
        before, after = tree.labels[:node], tree.labels[node + 1 :]
        return [replace(tree, labels=(*before, label, *after)) for label in labels]

    def changed_costs(pairs: Sequence[tuple[str, str]]) -> list[float]:
        firsts, seconds = (list(dict.fromkeys(side)) for side in zip(*pairs, strict=True))
        sides = (
            (with_labels(comparison.left.tree, source, firsts), source),
            (with_labels(comparison.right.tree, target, seconds), target),
        )
        if context.blend is None:
            texts = [[context.texts(tree)[node] for tree in trees] for trees, node in sides]
            ready = distance.read((*texts[0], *texts[1], ""), monitor)
            nodes = [ready.nodes(side) for side in texts]
        else:
            every = [text for trees, _ in sides for tree in trees for text in context.texts(tree)]
            ready = distance.read((*every, ""), monitor)
            nodes = [
                np.array([ready.in_context(context, tree, context.texts(tree))[node] for tree in trees])
                for trees, node in sides
            ]
        costs = ready.between(nodes[0], nodes[1], monitor)
        return [float(costs[firsts.index(first), seconds.index(second)]) for first, second in pairs]

    labels = comparison.left.tree.labels[source], comparison.right.tree.labels[target]
    return word_importance(*labels, changed_costs)
