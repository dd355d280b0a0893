"""The words of a node pair: what each does to the cost of replacing one sentence by the other."""

from collections.abc import Sequence
from dataclasses import replace

from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.encoders import Encoder, EncodingProgress, embed
from tted_core.registry import lookup
from tted_core.tree import TextTree
from tted_core.word_importance import WordImportance, word_importance


def pair_words(
    comparison: Comparison,
    encoder: Encoder,
    source: int,
    target: int,
    *,
    progress: EncodingProgress | None = None,
) -> WordImportance:
    """What leaving out each word of either node's own sentence does to the cost of the pair.

    The sentence is read in its context, as in the comparison; words of the context stay.

    Args:
        comparison: whose context and distance are used.
        encoder: the encoder of the comparison; all shortened texts go to it together.
        source: a node of the left map.
        target: a node of the right map.
        progress: is told how many of the texts are encoded.

    Raises:
        LimitError: the two sentences have too many words.
        EncoderError: the encoder's vectors can't be used.
    """
    context = lookup(CONTEXTS, comparison.options.context, "context")
    distance = lookup(DISTANCES, comparison.options.distance, "distance")

    def in_context(tree: TextTree, node: int, label: str) -> str:
        labels = (*tree.labels[:node], label, *tree.labels[node + 1 :])
        return context(replace(tree, labels=labels))[node]

    def costs(pairs: Sequence[tuple[str, str]]) -> list[float]:
        texts = [
            (
                in_context(comparison.left.tree, source, first),
                in_context(comparison.right.tree, target, second),
            )
            for first, second in pairs
        ]
        vectors = embed(encoder, [text for pair in texts for text in pair], progress)
        return [float(distance(vectors[one][None], vectors[other][None])[0, 0]) for one, other in texts]

    labels = comparison.left.tree.labels[source], comparison.right.tree.labels[target]
    return word_importance(*labels, costs)
