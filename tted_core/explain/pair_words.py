"""The words of a node pair: what each does to the cost of replacing one sentence by the other."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS
from tted_core.costs import loaded_distance, node_distance, text_cost_matrix
from tted_core.distances import TextDistance
from tted_core.encoders.masked_model import MaskedModel
from tted_core.encoders.sentence_encoder import Encoder, EncodingProgress, embed
from tted_core.errors import EncoderError
from tted_core.registry import lookup
from tted_core.tree import TextTree
from tted_core.words.importance import WordImportance, word_importance


def pair_words(
    comparison: Comparison,
    encoder: Encoder | MaskedModel | None,
    source: int,
    target: int,
    *,
    progress: EncodingProgress | None = None,
) -> WordImportance:
    """What leaving out each word of either node's own sentence does to the cost of the pair.

    The sentence is read in its context, as in the comparison; words of the context stay.

    Args:
        comparison: whose context and distance are used.
        encoder: the encoder of the comparison, to which all shortened texts go together; its masked model for a
            distance of ``MASKED_DISTANCES``, and None for another distance of texts.
        source: a node of the left map.
        target: a node of the right map.
        progress: is told how many of the texts are encoded.

    Raises:
        LimitError: the two sentences have too many words.
        EncoderError: the encoder's vectors can't be used.
    """
    context = lookup(CONTEXTS, comparison.options.context, "context")
    distance = node_distance(comparison.options.distance)

    def with_label(tree: TextTree, node: int, label: str) -> tuple[TextTree, int]:
        return replace(tree, labels=(*tree.labels[:node], label, *tree.labels[node + 1 :])), node

    def changed_costs(pairs: Sequence[tuple[str, str]]) -> list[float]:
        lefts = [with_label(comparison.left.tree, source, first) for first, _ in pairs]
        rights = [with_label(comparison.right.tree, target, second) for _, second in pairs]
        if isinstance(distance, TextDistance):
            measure = loaded_distance(comparison.options.distance, distance, encoder)
            ones, others = ([context.texts(tree)[node] for tree, node in side] for side in (lefts, rights))
            rows, columns = list(dict.fromkeys(ones)), list(dict.fromkeys(others))
            costs = text_cost_matrix(rows, columns, measure)
            return [
                float(costs[rows.index(one), columns.index(other)])
                for one, other in zip(ones, others, strict=True)
            ]
        if encoder is None or isinstance(encoder, MaskedModel):
            raise EncoderError(f"the distance {comparison.options.distance} needs the comparison's encoder")
        sides = list(zip(lefts, rights, strict=True))
        needed = (context.texts_behind(tree, node) for side in sides for tree, node in side)
        encoded = embed(encoder, [*itertools.chain(*needed)], progress)
        vectors = ([context.vector(tree, node, encoded)[None] for tree, node in side] for side in sides)
        return [float(distance(one, other)[0, 0]) for one, other in vectors]

    labels = comparison.left.tree.labels[source], comparison.right.tree.labels[target]
    return word_importance(*labels, changed_costs)
