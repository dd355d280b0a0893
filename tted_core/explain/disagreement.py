"""Where two measures disagree: node pairs that TTED maps and the ROUGE baseline does not, and the reverse.

``rouge_sim`` matches edges; a matched edge pairs its lower end with that of its partner. Each node but the root is
the lower end of one edge, so both measures say of each such node whom it belongs to, or that it has nobody.
"""

from dataclasses import dataclass

from tted_core.baselines.sim import edge_matching
from tted_core.comparison import Comparison
from tted_core.solvers.structure import Pair


@dataclass(frozen=True)
class Disagreement:
    """Pairs (source, target), without the roots, each in the order of the left map."""

    both: tuple[Pair, ...]
    only_tted: tuple[Pair, ...]
    only_baseline: tuple[Pair, ...]


def disagreement(comparison: Comparison) -> Disagreement:
    """Hold the script's pairs against the best matching of edges; edges with no word in common count as unmatched.

    Raises:
        LimitError: the maps have too many words for the baseline.
    """
    tted = {
        (op.source, op.target)
        for op in comparison.script.ops
        if op.source is not None and op.target is not None and op.source > 0 and op.target > 0
    }
    matching = edge_matching(comparison.left.tree, comparison.right.tree)
    baseline = {(one[1], other[1]) for one, other, gain in matching if gain > 0}
    return Disagreement(
        tuple(sorted(tted & baseline)), tuple(sorted(tted - baseline)), tuple(sorted(baseline - tted))
    )
