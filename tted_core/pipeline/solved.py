"""Solved pairs: mappings and distances of a chunk, and what is computed from them on request."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import Sizes, normalize, weights_of, with_gap
from tted_core.baselines.suite import EQUIVALENCE, Aligned, ValuesAtDepth, suite_values
from tted_core.contexts import CONTEXTS
from tted_core.errors import SolverError, TTEDError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.matching.bounds import bounds_for
from tted_core.matching.match import match
from tted_core.matching.records import Matching
from tted_core.method import Method
from tted_core.pipeline.costs import SIDES, ChunkCosts, chunks, costs_of
from tted_core.pipeline.prepared import Pairs, Prepared
from tted_core.script import EditScript, edit_script
from tted_core.sentences import SentenceCosts, sentence_costs
from tted_core.solvers import EditProblem, solve_alone, solve_packed
from tted_core.solvers import Mapping as EditMapping
from tted_core.solvers.kernels.compiling import Floats, Integers
from tted_core.solvers.kernels.many import EditProblems, Mappings
from tted_core.solvers.kernels.review import SOUND, Review, review_mappings
from tted_core.solvers.solution import check_solution, mapping_from_partners, partners_of, rule_error


@dataclass(frozen=True)
class Solved:
    """The best mappings of p pairs of a chunk by a method, verified, and the errors of the others.

    Attributes:
        prepared: the maps.
        method: the method.
        chunk: (c, 2) numbers of the maps of all pairs in the chunk.
        pairs: (p, 2) numbers of the maps.
        positions: (p,) the pairs' positions in the chunk.
        errors: position -> the reason why a pair has no solution.
        problems: the pairs with their costs.
        mappings: their mappings.
        review: distances, numbers and costs of operations.
        lower: (p,) certified lower bounds of the distances; equal to them if proven.
    """

    prepared: Prepared
    method: Method
    chunk: Pairs
    pairs: Integers
    positions: Integers
    errors: Mapping[int, TTEDError]
    problems: EditProblems
    mappings: Mappings
    review: Review
    lower: Floats

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def tted(self) -> Floats:
        """(p,) distances."""
        return self.review.distances

    @property
    def proven(self) -> NDArray[np.bool_]:
        """(p,) True where the distance is proven."""
        return np.equal(self.lower, self.tted)

    @cached_property
    def scores(self) -> dict[str, Floats]:
        """TTED and each normalised distance, by name, (p,) each."""
        nodes = np.diff(self.problems.trees)[self.pairs]
        sizes = Sizes(nodes, self.review.empty, self.review.largest)
        return {"tted": self.tted, **normalize(self.tted, sizes, self.method.power)}

    @property
    def notices(self) -> list[tuple[str, ...]]:
        """Warnings about both maps of each pair in the chunk, and about the method."""
        of_maps = {
            number: self.prepared.notices_of(number, self.method) for number in np.unique(self.chunk).tolist()
        }
        on_left, on_right = (
            {number: tuple(f"{side} map: {each}" for each in notices) for number, notices in of_maps.items()}
            for side in SIDES
        )
        of_method = self.method.notices
        return [on_left[left] + on_right[right] + of_method for left, right in self.chunk.tolist()]

    def problem(self, row: int, *, by_depth: bool = False) -> EditProblem:
        """The trees and costs of a pair; ``by_depth`` adds those of the trimmed trees if they differ."""
        both = replace(
            self.prepared, maps=[self.prepared.maps[number] for number in self.pairs[row].tolist()]
        )
        left, right = (each.readable for each in both.maps)
        trimmed: dict[int, Floats] = {}
        if by_depth and CONTEXTS[self.method.context].looks_below:
            for k in range(1, max(left.depth, right.depth)):
                (view,) = costs_of(both.trimmed(k), np.array([[0, 1]], dtype=np.int32), self.method).views
                trimmed[k] = with_gap(view, self.method.gap)
        return EditProblem(left, right, _view(self.problems, row), trimmed, self.method.power)

    def mapping(self, row: int) -> EditMapping:
        """The mapping of a pair."""
        right = self.prepared.maps[self.pairs[row, 1]].readable
        return mapping_from_partners(self.mappings.of(row), len(right))

    def script(self, row: int) -> EditScript:
        """The edit script of a pair."""
        problem, context = self.problem(row), self.method.context
        left, right = (self.prepared.maps[number].texts[context] for number in self.pairs[row].tolist())
        power = self.method.power
        return edit_script(
            problem.left, problem.right, self.mapping(row), problem.costs, (left, right), power=power
        )

    def sentences(self, row: int) -> SentenceCosts:
        """Distances between texts without context; with context for distances that read no vectors."""
        problem, vectors = self.problem(row), self.prepared.vectors(self.method)
        nodes = problem.costs[:-1, :-1]
        if vectors is None:
            return SentenceCosts(nodes)
        known = nodes if self.method.context == "none" else None
        function = self.method.record.function
        return sentence_costs(problem.left.labels, problem.right.labels, vectors, function, known)

    def matching(self, row: int) -> Matching:
        """The sentences of a pair by status, like those that ``explain`` finds of its comparison."""
        method = self.method.with_model(self.prepared.model(self.method).name)  # named as in a comparison
        problem, costs = self.problem(row), self.sentences(row)
        bounds = bounds_for(method, problem.left.labels, problem.right.labels, costs.nodes)
        partners, ordered = self.mappings.of(row).tolist(), method.order == "ordered"
        return match(problem.left, problem.right, costs, partners, ordered=ordered, bounds=bounds)

    def suite(
        self, row: int, names: Iterable[str], equivalence: float = EQUIVALENCE
    ) -> dict[str, ValuesAtDepth | TTEDError]:
        """Measures of the suite of a pair, or the errors that prevented them."""
        method = self.method
        words = self.prepared.loaded.get((method.model, "bertscore"))
        maps = Aligned(
            self.problem(row),
            self.mapping(row),
            method.order,
            equivalence,
            method.time_limit,
            words.reader.f1 if words else None,
        )
        return suite_values(names, [maps])


def solve(
    prepared: Prepared, pairs: Pairs, *methods: Method, monitor: Monitor = UNWATCHED
) -> Iterator[Solved]:
    """Solve pairs of maps by some methods, a chunk at a time.

    For each chunk there is one result for each method. Adjacent methods that differ only in order, gap or power
    share their costs.

    Args:
        prepared: the maps, prepared for the methods.
        pairs: (p, 2) numbers of maps.
        methods: the methods.
        monitor: receives the bounds of searches now and then; may end them with the best mapping so far.
    """
    for chunk in chunks(prepared, pairs):
        for _, alike in itertools.groupby(methods, lambda each: (each.model, each.distance, each.context)):
            first, *others = alike
            costs = costs_of(prepared, chunk, first, monitor)
            for method in (first, *others):
                yield solve_costs(prepared, costs, method, monitor)


def solve_costs(
    prepared: Prepared, costs: ChunkCosts, method: Method, monitor: Monitor = UNWATCHED
) -> Solved:
    """Solve a chunk of pairs whose costs, by the method's distance and context, are known."""
    packed, priced = prepared.packed, costs.with_gap(method.gap)
    largest = np.ones(len(costs.pairs))
    if method.power != 1 and len(costs.pairs):
        highest = np.maximum.reduceat(priced, costs.starts[:-1])
        largest = np.where(highest > 0, highest, 1.0)
    weights = weights_of(priced, method.power, np.repeat(largest, np.diff(costs.starts)))
    problems = EditProblems(packed.parents, packed.starts, costs.pairs, weights, costs.starts)
    mappings, proven = solve_packed(method.order, problems)
    problems = problems._replace(costs=priced)  # solved by weights, reviewed by costs
    wrong: dict[int, TTEDError] = {}
    is_open, lower = np.zeros(len(costs.pairs), dtype=np.bool_), np.zeros(len(costs.pairs))
    ordered = method.order == "ordered"
    for row in np.flatnonzero(~proven | np.isnan(mappings.distances)).tolist():
        left, right = (prepared.maps[number].readable for number in costs.pairs[row].tolist())
        problem = EditProblem(left, right, _view(problems, row), power=method.power)
        try:
            alone = solve_alone(
                problem, method.order, problem.weights, time_limit=method.time_limit, monitor=monitor
            )
            found = check_solution(alone, problem, ordered=ordered)
        except SolverError as error:
            wrong[row] = error
        else:
            is_open[row], lower[row] = not found.proven, found.lower
            mappings.of(row)[:] = partners_of(found.mapping, len(left))
    review = review_mappings(problems, mappings, packed.texts[method.context], method.power, ordered=ordered)
    for row in np.flatnonzero(review.broken != SOUND).tolist():
        wrong.setdefault(row, rule_error(int(review.broken[row])))
    if wrong:  # only after a fault of a solver: the others are solved again
        return solve_costs(prepared, costs.without(wrong), method, monitor)
    lower = np.where(is_open, np.minimum(lower, review.distances), review.distances)
    return Solved(
        prepared,
        method,
        costs.chunk,
        costs.pairs,
        costs.positions,
        costs.errors,
        problems,
        mappings,
        review,
        lower,
    )


def _view(problems: EditProblems, row: int) -> Floats:
    """The (n+1, m+1) costs of a pair."""
    rows, columns = np.diff(problems.trees)[problems.pairs[row]] + 1
    return problems.costs[problems.starts[row] : problems.starts[row + 1]].reshape(rows, columns)
