"""The suite of measures by which the authors of TTED evaluate generated maps in 2026.

"Revisiting hierarchical summarization", a draft by the authors of TTED: structural TTED, the composition of an
optimal script, and ROUGE and BERTScore of maps as texts; each for whole maps and for maps trimmed to k levels.
docs/method.md has all formulas. The left map is the reference.
"""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.kernel import NOT_COMPUTED
from tted_core.baselines.sim import split_labels
from tted_core.baselines.sim_published import rouge_scores, split
from tted_core.errors import LimitError, OptionsError, TTEDError
from tted_core.options import as_number
from tted_core.solvers import EditProblem, mapping_cost, solve
from tted_core.solvers.solution import Mapping as EditMapping
from tted_core.tree import TextTree

# Default threshold of semantic equivalence, as a node distance: for cosine distances, a cosine of 0.75.
EQUIVALENCE = 0.5

# A measure for k = 1, 2, ... levels, the last one that of whole maps; None where it is undefined.
ValuesAtDepth: TypeAlias = tuple[float | None, ...]


@dataclass(frozen=True)
class Aligned:
    """Two maps and the mapping of an optimal script, from which measures of the suite are computed.

    Attributes:
        problem: the maps and their (n+1, m+1) edit costs; for two nodes, the cost is their distance.
        mapping: the pairs, deletions and insertions of the script.
        order: a name of ``SOLVERS``, for structural TTED.
        equivalence: the distance up to which two nodes are equivalent.
        time_limit: seconds for structural TTED in an order that may take long.
        bertscore: F1 of BERTScore of two texts; None if there is no model for it.
    """

    problem: EditProblem
    mapping: EditMapping
    order: str
    equivalence: float = EQUIVALENCE
    time_limit: float | None = None
    bertscore: Callable[[str, str], float] | None = field(default=None, repr=False)

    @cached_property
    def pairs(self) -> NDArray[np.intp]:
        """(p, 2) mapped pairs of nodes."""
        pairs = [(v, w) for v, w in self.mapping if v is not None and w is not None]
        return np.array(pairs, dtype=np.intp).reshape(-1, 2)

    @cached_property
    def distances(self) -> NDArray[np.float64]:
        """(p,) distances of the mapped pairs, which are their costs."""
        rows, columns = self.pairs.T
        return np.asarray(self.problem.costs[rows, columns])

    @cached_property
    def texts(self) -> tuple[str, str]:
        """Both maps as texts: their nodes depth-first, joined by spaces."""
        return linear_text(self.problem.left), linear_text(self.problem.right)

    @cached_property
    def rouge(self) -> tuple[float, float, float]:
        """F1 by ROUGE-1, ROUGE-2 and ROUGE-L of the texts, the left one being the reference."""
        left, right = self.texts
        if left == right == "":
            return 1.0, 1.0, 1.0
        words = split_labels(TextTree((left,), (-1,)), TextTree((right,), (-1,)), split)
        scores = rouge_scores(words.values())[:, 0, -1]
        one, two, longest = scores.tolist()
        return one, two, longest


def linear_text(tree: TextTree) -> str:
    """The map as one text, depth-first."""
    return " ".join(tree.labels)


def structural_tted(maps: Aligned) -> float:
    """The distance in unit costs: replacing equivalent nodes is free, all other edits cost 1."""
    costs = np.ones_like(maps.problem.costs)
    costs[:-1, :-1] = maps.problem.costs[:-1, :-1] > maps.equivalence
    costs[-1, -1] = 0.0
    problem = EditProblem(maps.problem.left, maps.problem.right, costs)
    solution = solve(problem, maps.order, time_limit=maps.time_limit)
    if not solution.proven:
        raise LimitError(
            f"structural TTED lies between {solution.lower:.4g} and {solution.upper:.4g}, the bounds "
            "proven in time; give more time or choose another order"
        )
    return solution.upper


def sum_operations(kinds: Collection[str], maps: Aligned) -> float:
    """Total cost of the script's operations of these kinds, of "insert", "delete" and "replace"."""
    chosen = (
        (v, w)
        for v, w in maps.mapping
        if ("insert" if v is None else "delete" if w is None else "replace") in kinds
    )
    return mapping_cost(maps.problem.costs, tuple(chosen))


def mean_relabel_distance(maps: Aligned) -> float | None:
    """The mean non-zero distance of the mapped pairs; undefined if there are none."""
    relabelled = maps.distances[maps.distances > 0]
    return float(relabelled.mean()) if len(relabelled) else None


def mean_depth_difference(maps: Aligned) -> float | None:
    """The mean of |depth - depth'| over the mapped pairs; undefined if there are none."""
    if not len(maps.pairs):
        return None
    rows, columns = maps.pairs.T
    depths = np.array(maps.problem.left.depths)[rows] - np.array(maps.problem.right.depths)[columns]
    return float(np.abs(depths).mean())


def equivalent_share(maps: Aligned) -> float | None:
    """The share of equivalent pairs among the mapped ones; undefined if there are none."""
    return float((maps.distances <= maps.equivalence).mean()) if len(maps.pairs) else None


def linear_rouge(index: int, maps: Aligned) -> float:
    """F1 by ROUGE-1, ROUGE-2 or ROUGE-L (package rouge) of the maps as texts."""
    return maps.rouge[index]


def linear_bertscore(maps: Aligned) -> float:
    """F1 of BERTScore of the maps as texts."""
    if maps.bertscore is None:
        raise OptionsError("BERTScore needs word vectors, for which there is no model; name an encoder")
    return maps.bertscore(*maps.texts)


@dataclass(frozen=True)
class Measure:
    """A measure of the suite: an entry of ``SUITE``.

    Attributes:
        function: computes it; may raise errors in ``NOT_COMPUTED``.
        note: description for users.
        lower: True if lower is better.
        reads: the script's mapping, the distances only, the maps' texts, or word vectors.
        by_equivalence: True if it depends on the threshold of equivalence.
    """

    function: Callable[[Aligned], float | None]
    note: str
    lower: bool = True
    reads: Literal["script", "distances", "texts", "word vectors"] = "script"
    by_equivalence: bool = False


# The authors' suite of 2026, by name.
SUITE: dict[str, Measure] = {
    "structural_tted": Measure(
        structural_tted,
        "Structural TTED: inserted, deleted and replaced nodes cost 1, but replacing equivalent nodes is free.",
        reads="distances",
        by_equivalence=True,
    ),
    "cost_insert": Measure(
        partial(sum_operations, {"insert"}),
        "Total cost of the script's insertions.",
    ),
    "cost_delete": Measure(
        partial(sum_operations, {"delete"}),
        "Total cost of the script's deletions.",
    ),
    "cost_structure": Measure(
        partial(sum_operations, {"insert", "delete"}),
        "Total cost of the script's insertions and deletions.",
    ),
    "cost_replace": Measure(
        partial(sum_operations, {"replace"}),
        "Total cost of the script's replaced texts.",
    ),
    "mean_relabel_distance": Measure(
        mean_relabel_distance, "The mean distance of the pairs whose texts are replaced."
    ),
    "mean_depth_difference": Measure(
        mean_depth_difference, "The mean difference in level between mapped nodes."
    ),
    "equivalent_share": Measure(
        equivalent_share,
        "The share of equivalent pairs among the mapped ones.",
        lower=False,
        by_equivalence=True,
    ),
    **{
        f"linear_{name}": Measure(
            partial(linear_rouge, index),
            f"{title} F1 (package rouge) of the maps read depth-first as texts.",
            lower=False,
            reads="texts",
        )
        for index, (name, title) in enumerate(
            {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougel": "ROUGE-L"}.items()
        )
    },
    "linear_bertscore": Measure(
        linear_bertscore,
        "BERTScore F1 of the maps read depth-first as texts, as far as the model reads.",
        lower=False,
        reads="word vectors",
    ),
}


def suite_values(names: Iterable[str], at_depth: Sequence[Aligned]) -> dict[str, ValuesAtDepth | TTEDError]:
    """Each measure for k = 1, 2, ... levels, the whole maps last, or the error that prevented it."""
    found: dict[str, ValuesAtDepth | TTEDError] = {}
    for name in names:
        try:
            found[name] = tuple(SUITE[name].function(maps) for maps in at_depth)
        except NOT_COMPUTED as error:
            found[name] = error
    return found


def of_empty_map(deletions: Sequence[float]) -> dict[str, float]:
    """The measures of a map without nodes against a reference with these costs of deletion; NaN if undefined."""
    lost = math.fsum(deletions)
    zeros = dict.fromkeys(("cost_insert", "cost_replace"), 0.0)
    costs = {"structural_tted": float(len(deletions)), "cost_delete": lost, "cost_structure": lost, **zeros}
    texts = {name: 0.0 for name, each in SUITE.items() if each.reads in {"texts", "word vectors"}}
    return {name: (costs | texts).get(name, math.nan) for name in SUITE}


def check_equivalence(equivalence: float | str) -> float:
    """Validate the threshold of equivalence."""
    number = as_number(equivalence)
    if not 0 <= number < math.inf:
        raise OptionsError(
            f"the threshold of equivalence is {equivalence!s:.20}; give a node distance of 0 or more"
        )
    return number


def sign_equivalence(names: Iterable[str], equivalence: float) -> dict[str, str]:
    """The part of a signature with the threshold, if one of these measures depends on it."""
    said = any(name in SUITE and SUITE[name].by_equivalence for name in names)
    return {"eq": f"{equivalence!r}"} if said else {}
