"""STED, semantic tree edit distance of JSON documents: Wang et al., arXiv 2512.23712, equations 2 to 4.

STED compares documents, so a map is written as one: an object with its sentence as "text" and, if it is no leaf,
an array "children" of such objects. Fields of one name meet, and only a pair of sentences costs between 0 and 1:
half the cost of structure, which is 0, and half that of content, 1 - cos. The formula is the paper's. In later
versions of the repository amazon-science/sted children are matched by structure alone, here the same for all.
"""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.assignment import best_assignment
from tted_core.baselines.kernel import BaselineScore, share_score
from tted_core.baselines.vectors import node_cosines
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.limits import MAX_STED_PAIRS, check_limit
from tted_core.tree import TextTree

LAMBDA = 0.1
"""What each child more than the other node has costs besides being missing, which costs 1."""

CONTENT = 0.5
"""The weight of content; structure has the rest."""

Costs = NDArray[np.float64]


def sted(left: TextTree, right: TextTree, encoder: Encoder) -> BaselineScore:
    """STED by the cosines of sentences.

    Raises:
        EncoderError: the encoder gives nothing that can be used.
        LimitError: too many pairs of nodes with children stand on one level.
    """
    return sted_by(left, right, node_cosines(encoder, left, right))


def sted_by(left: TextTree, right: TextTree, similarity: Costs) -> BaselineScore:
    """STED by (n, m) similarities of the nodes; raises ``LimitError`` as ``sted``.

    A pair of nodes costs min(1, d / max(number of fields)), where d is the cost of their sentences, of their
    children, and of an array that only one of them has. Nodes meet on the same level only.
    """
    inner = [_inner(tree) for tree in (left, right)]
    check_limit(
        sum(len(nodes) * len(others) for nodes, others in zip(*inner, strict=False)),
        MAX_STED_PAIRS,
        "pairs of nodes with children on one level for STED",
        "leave it out or trim the maps to fewer levels",
    )
    texts = CONTENT * np.minimum(1.0, 1.0 - similarity)
    leaves = [np.array([not each for each in tree.children]) for tree in (left, right)]
    one_has = np.minimum(1.0, (texts + 1.0 + LAMBDA) / 2)
    costs = np.where(leaves[0][:, None] & leaves[1], texts, one_has)
    children = [[np.array(each) for each in tree.children] for tree in (left, right)]
    between = partial(children_cost, costs)
    for nodes, others in reversed(list(zip(*inner, strict=False))):
        for node in nodes:
            for other in others:
                below = between(children[0][node], children[1][other])
                costs[node, other] = min(1.0, (texts[node, other] + below) / 2)
    return share_score(1.0 - float(costs[0, 0]))


def children_cost(costs: Costs, nodes: NDArray[np.intp], others: NDArray[np.intp]) -> float:
    """The cost of two arrays: of the best matching and 1 + ``LAMBDA`` for each left over, per place; up to 1."""
    gains = -costs[np.ix_(nodes, others)]
    rows, columns = best_assignment(gains)
    more = abs(len(nodes) - len(others))
    total = (1 + LAMBDA) * more - float(gains[rows, columns].sum())
    return min(1.0, total / max(len(nodes), len(others)))


def _inner(tree: TextTree) -> list[list[int]]:
    """The nodes with children, level by level."""
    levels: list[list[int]] = [[] for _ in range(tree.depth)]
    for node, (depth, children) in enumerate(zip(tree.depths, tree.children, strict=True)):
        if children:
            levels[depth - 1].append(node)
    return levels
