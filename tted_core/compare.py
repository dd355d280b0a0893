"""compare(): the one path that runs the method.

tree -> context -> encode -> distance -> costs -> solve -> script, then the numbers made of it (Sobolevsky and
Vorontsov 2025, and their published code for the normalisation and AvgTTED).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core import normalization
from tted_core.baselines import BASELINES, BaselineScore
from tted_core.contexts import CONTEXTS
from tted_core.costs import cost_matrix
from tted_core.distances import DISTANCES
from tted_core.encoders import Encoder, SentenceEncoder, embed, load_encoder
from tted_core.errors import LimitError, SolverError
from tted_core.formats import MindMap
from tted_core.languages import foreign_share
from tted_core.limits import MAX_NODES_COMPARED, check_limit
from tted_core.registry import lookup
from tted_core.script import EditScript, edit_script
from tted_core.solvers import SOLVERS, Solution, check_mapping, mapping_cost
from tted_core.tree import TextTree
from tted_core.version import VERSION

Progress: TypeAlias = Callable[[str, float], None]
"""Called with the stage in words and the share of it that is done, 0 to 1; may raise to stop."""


@dataclass(frozen=True)
class Options:
    """What was chosen. ``depth`` is the k of TTED@k, None for whole trees."""

    encoder: str
    distance: str
    order: str
    context: str
    depth: int | None
    time_limit: float | None = None


@dataclass(frozen=True)
class Comparison:
    """Everything a view, a report or the command line needs of one comparison.

    Attributes:
        left: the map that is edited, as compared (trimmed to ``options.depth``); its tree has n nodes.
        right: the map that comes out, likewise; m nodes.
        options: what was chosen.
        costs: (n+1, m+1) edit costs, the last row and column being the gap.
        script: the optimal edit script.
        tted: the sum of the script's costs.
        lower_bound: certified lower bound of the distance; equal to ``tted`` when proven.
        tted_at: TTED@k for k = 1 .. the deeper tree's depth, not normalized.
        normalized_at: the same by the published normalisation.
        normalized: 2d / (w_max (n + m) + d), w_max the largest delete or insert cost (published code).
        steinhaus: 2d / (W + W' + d), W a tree's sum of delete costs; a metric in [0, 1].
        avg_tted: the mean of ``normalized_at``.
        baselines: each baseline's score, or why there is none.
        notices: what a reader of the numbers should know.
        signature: one line that lets a reader repeat the number.
    """

    left: MindMap
    right: MindMap
    options: Options
    costs: NDArray[np.float64] = field(repr=False)
    script: EditScript = field(repr=False)
    tted: float
    lower_bound: float
    tted_at: tuple[float, ...]
    normalized_at: tuple[float, ...]
    normalized: float
    steinhaus: float
    avg_tted: float
    baselines: dict[str, BaselineScore | LimitError]
    notices: tuple[str, ...]
    signature: str

    @property
    def proven(self) -> bool:
        """Whether the script is proven optimal in its order."""
        return self.lower_bound == self.tted


def compare(
    left: MindMap | TextTree,
    right: MindMap | TextTree,
    *,
    encoder: str | Encoder = "minilm",
    distance: str = "cosine",
    order: str = "constrained",
    context: str = "none",
    depth: int | None = None,
    baselines: Iterable[str] = (),
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare two text trees by TTED.

    Args:
        left: the map to edit.
        right: the map it becomes.
        encoder: a name for ``load_encoder``, or any function from n texts to (n, d) vectors.
        distance: a name of ``DISTANCES``.
        order: a name of ``SOLVERS``: ordered, constrained ...
        context: a name of ``CONTEXTS``.
        depth: trim both trees to this depth first (TTED@k); the root has depth 1.
        baselines: names of ``BASELINES`` to compute besides.
        time_limit: seconds for a solver that may take long; the result then has a gap instead of a proof.
        progress: is told the stages; may raise to stop.

    Raises:
        UnknownNameError: a name that isn't known.
        InvalidTreeError: ``depth`` is below 1.
        LimitError: more than ``MAX_NODES_COMPARED`` nodes in a map.
        EncoderError: the encoder can't be had or its vectors can't be used.
        SolverError: the solver's result failed the independent check.
    """
    tell = progress or (lambda _stage, _share: None)
    distance_function = lookup(DISTANCES, distance, "distance")
    solver = lookup(SOLVERS, order, "order")
    context_function = lookup(CONTEXTS, context, "context")
    chosen_baselines = {name: lookup(BASELINES, name, "baseline") for name in baselines}
    maps = tuple(_as_map(side) for side in (left, right))
    trimmed_maps = tuple(_trimmed(side, depth) for side in maps)
    for side, word in zip(trimmed_maps, ("left", "right"), strict=True):
        check_limit(
            len(side.tree),
            MAX_NODES_COMPARED,
            f"nodes in the {word} map",
            "compare to a smaller depth or split the map",
        )
    trees = tuple(side.tree for side in trimmed_maps)
    texts = tuple(context_function(tree) for tree in trees)

    if isinstance(encoder, str):
        tell("Loading the encoder", 0.0)
        encoder = load_encoder(encoder)
    every_text = (*texts[0], *texts[1], "")
    vectors = embed(encoder, every_text, lambda done, total: tell(f"Encoding {total} texts", done / total))

    tell("Computing the edit script", 0.0)
    left_vectors, right_vectors = (np.array([vectors[text] for text in side]) for side in texts)
    costs = cost_matrix(left_vectors, right_vectors, vectors[""], distance_function)

    def solve(k: int | None) -> tuple[Solution, NDArray[np.float64]]:
        """Solve the trees trimmed to depth k, and check what the solver says."""
        sides = [tree if k is None else tree.trimmed(k) for tree in trees]
        rows, columns = (
            np.append(np.array(tree.nodes_to_depth(k or tree.depth)), len(tree)) for tree in trees
        )
        part = costs[np.ix_(rows, columns)]
        solution = solver(sides[0], sides[1], part, time_limit=time_limit)
        return _checked(solution, sides[0], sides[1], part, ordered=order == "ordered"), part

    solution, _ = solve(None)
    levels = max(tree.depth for tree in trees)
    tted_at, normalized_at = [], []
    for k in range(1, levels + 1):
        tell(f"Computing TTED@k for k = 1 to {levels}", k / levels)
        at_k, part = solve(k) if k < levels else (solution, costs)
        tted_at.append(at_k.upper)
        normalized_at.append(normalization.published(at_k.upper, part))

    scores: dict[str, BaselineScore | LimitError] = {}
    for position, (name, baseline) in enumerate(chosen_baselines.items()):
        tell(f"Computing the baseline {name}", position / len(chosen_baselines))
        try:
            scores[name] = baseline(trees[0], trees[1])
        except LimitError as error:  # the distance stands without it; the reader is told
            scores[name] = error

    name, fingerprint = _identity(encoder)
    options = Options(name, distance, order, context, depth, time_limit)
    return Comparison(
        trimmed_maps[0],
        trimmed_maps[1],
        options,
        costs,
        edit_script(trees[0], trees[1], solution.mapping, costs, (texts[0], texts[1])),
        tted=solution.upper,
        lower_bound=solution.lower,
        tted_at=tuple(tted_at),
        normalized_at=tuple(normalized_at),
        normalized=normalized_at[-1],
        steinhaus=normalization.steinhaus(solution.upper, costs),
        avg_tted=float(np.mean(normalized_at)),
        baselines=scores,
        notices=_notices(encoder, every_text, options),
        signature=_signature(options, fingerprint, maps, proven=solution.proven),
    )


def _as_map(side: MindMap | TextTree) -> MindMap:
    return side if isinstance(side, MindMap) else MindMap(side, "tree")


def _trimmed(side: MindMap, depth: int | None) -> MindMap:
    tree = side.tree if depth is None else side.tree.trimmed(depth)
    if len(tree) == len(side.tree):
        return side
    notice = f"trimmed to depth {depth}: {len(tree)} of {len(side.tree)} nodes are compared"
    return replace(side, tree=tree, notices=(*side.notices, notice))


def _checked(
    solution: Solution, left: TextTree, right: TextTree, costs: NDArray[np.float64], *, ordered: bool
) -> Solution:
    """The solution with its mapping's own cost, after checking that mapping and bounds agree with it."""
    check_mapping(left, right, solution.mapping, ordered=ordered)
    cost = mapping_cost(costs, solution.mapping)
    tolerance = 1e-9 * (1.0 + cost)
    agrees = abs(cost - solution.upper) <= tolerance and solution.lower <= cost + tolerance
    if not agrees:  # nor does a NaN
        raise SolverError(
            f"the solver says {solution.upper:.12g} (at least {solution.lower:.12g}) but its mapping costs "
            f"{cost:.12g}; please report this"
        )
    return replace(solution, lower=cost if solution.proven else min(solution.lower, cost), upper=cost)


def _identity(encoder: Encoder) -> tuple[str, str]:
    if isinstance(encoder, SentenceEncoder):
        return encoder.name, encoder.fingerprint
    return "custom", "unknown"


def _notices(encoder: Encoder, texts: Sequence[str], options: Options) -> tuple[str, ...]:
    if not isinstance(encoder, SentenceEncoder):
        return ()
    notices = []
    share = foreign_share(texts)
    if encoder.english_only and share > 0.1:
        notices.append(
            f"{share:.0%} of the letters are not Latin, and the encoder {encoder.name} was trained on "
            "English only: its distances mean little here; choose mpnet-multilingual"
        )
    distinct = list(dict.fromkeys(texts))
    long = sum(count > encoder.max_tokens > 0 for count in encoder.count_tokens(distinct))
    if long:
        reason = ', mostly ancestors: try context "none"' if options.context == "ancestors" else ""
        notices.append(
            f"{long} of {len(distinct)} texts are longer than the {encoder.max_tokens} word pieces that "
            f"{encoder.name} reads; only their beginning counts{reason}"
        )
    return tuple(notices)


def _signature(options: Options, fingerprint: str, maps: Sequence[MindMap], *, proven: bool) -> str:
    parts = (
        "TTED",
        f"order:{options.order}",
        f"proven:{'yes' if proven else 'no'}",
        f"enc:{options.encoder}@{fingerprint}",
        f"dist:{options.distance}",
        f"ctx:{options.context}",
        f"k:{options.depth or 'all'}",
        f"in:{','.join(side.tree.digest[:8] for side in maps)}",
        f"v:{VERSION}",
    )
    return "|".join(parts)
