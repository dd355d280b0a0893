"""Closing the decisive gaps: those of pairs of forests that the best solution so far would use.

All pairs have bounds (see :mod:`tted_core.solvers.unordered.bounds`). Starting from the pair with the largest
upper bound, each pair's program is solved with *upper* bounds of its columns' worth; the columns that its
solution uses are then refined in the same way, and the program is solved again with their new bounds. Unused
columns are never refined. There are two passes, so that the root's bound improves early: linear programs only,
then integer programs over the columns that reduced costs can't exclude.

Each pair is a generator that yields the pairs it needs refined first; a stack drives them, so that deep trees
don't meet the recursion limit.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tted_core.solvers.kernels.compiling import Floats, Integers
from tted_core.solvers.structure import Pair
from tted_core.solvers.unordered.bounds import bound_forest, load_prices, set_forest, split_upper
from tted_core.solvers.unordered.lagrange import (
    first_leaf,
    force_values,
    pick_pairs,
    relaxed_value,
    repair,
)
from tted_core.solvers.unordered.model import MatchingModel
from tted_core.solvers.unordered.problem import Deadline, Problem

_LINEAR, _EXACT = 1, 2
_STEPS = 300
CHEAP = 16  # an integer program this many times smaller than its parent's is solved before it


class Refiner:
    """Refines the pairs of one problem until a deadline."""

    def __init__(self, problem: Problem, deadline: Deadline) -> None:
        self._problem = problem
        self._deadline = deadline
        self._models: dict[Pair, MatchingModel] = {}
        self._done: dict[Pair, int] = {}

    def run(self) -> None:
        """Refine until the best pair is closed or the deadline has passed."""
        bounds = self._problem.bounds
        for level in (_LINEAR, _EXACT):
            while not self._deadline.passed:
                best = divmod(int(bounds.pair_upper.argmax()), bounds.pair_upper.shape[1])
                if self._is_done(best, level):
                    break
                self._drive(best, level)

    def _is_done(self, pair: Pair, level: int) -> bool:
        return self._problem.is_closed(*pair) or self._done.get(pair, 0) >= level

    def _drive(self, pair: Pair, level: int) -> None:
        stack = [(pair, self._refine(pair, level))]
        while stack:
            if self._deadline.passed:
                # New bounds below still tighten the pairs above.
                for open_pair, _ in reversed(stack):
                    self._relax(open_pair, self._models.get(open_pair))
                return
            child = next(stack[-1][1], None)
            if child is None:
                stack.pop()
            elif not self._is_done(child, level):
                stack.append((child, self._refine(child, level)))
            self._deadline.report(self._problem.lower, self._problem.upper)

    def _refine(self, pair: Pair, level: int) -> Iterator[Pair]:
        left, right = self._problem.left, self._problem.right
        one_left = left.first[pair[0] + 1] - left.first[pair[0]] == 1
        if one_left or right.first[pair[1] + 1] - right.first[pair[1]] == 1:
            yield from self._refine_single(pair, level, on_left=bool(one_left))
        else:
            bound_forest(self._problem.forests(*pair), _STEPS, self._problem.tables)
            if not self._problem.is_closed(*pair):
                model = self._models[pair] = self._new_model(pair)
                yield from self._refine_linear(pair, model)
                if level == _EXACT and not self._problem.is_closed(*pair):
                    yield from self._refine_exact(pair, model)
                # The models of all pairs would take gigabytes.
                del self._models[pair]
        self._done[pair] = level

    def _refine_single(self, pair: Pair, level: int, *, on_left: bool) -> Iterator[Pair]:
        """F(i, j) = max( F(k, j), max_m W(k, m) ) with k the only child of i (or the other way round)."""
        problem, bounds = self._problem, self._problem.bounds
        i, j = pair
        if on_left:
            child = int(problem.left.children[problem.left.first[i]])
            below: Pair = (child, j)
            options: Any = np.s_[child, j + 1 : j + problem.right.sizes[j]]
        else:
            child = int(problem.right.children[problem.right.first[j]])
            below = (i, child)
            options = np.s_[i + 1 : i + problem.left.sizes[i], child]

        def option(position: int) -> Pair:
            return (child, j + 1 + position) if on_left else (i + 1 + position, child)

        while True:
            bound_forest(problem.forests(i, j), 0, problem.tables)
            problem.offer(i, j, [option(int(bounds.pair_lower[options].argmax()))])
            best = option(int(bounds.pair_upper[options].argmax()))
            needed = below if bounds.forest_upper[below] >= bounds.pair_upper[best] else best
            if problem.is_closed(i, j) or self._is_done(needed, level):
                return
            yield needed

    def _refine_linear(self, pair: Pair, model: MatchingModel) -> Iterator[Pair]:
        """Solve the linear program until the columns that it uses are refined."""
        problem, bounds = self._problem, self._problem.bounds
        while self._solve_linear(pair, model):
            used = np.flatnonzero(model.amounts > 1e-6)
            columns = list(zip(model.left[used].tolist(), model.right[used].tolist(), strict=True))
            if np.all(model.amounts[used] > 1.0 - 1e-6):
                problem.offer(*pair, columns)
            if problem.is_closed(*pair):
                return
            unfinished = [column for column in columns if not self._is_done(column, _LINEAR)]
            if not unfinished:
                return
            yield from unfinished
            model.reweigh(bounds.pair_upper)

    def _refine_exact(self, pair: Pair, model: MatchingModel) -> Iterator[Pair]:
        """Solve the integer program until all columns that it uses are closed.

        Columns that can't take part in a solution of more than some threshold are left out; the true optimum is
        then at most the larger of the program's bound and the threshold. The threshold starts high, so that the
        first programs are small, and falls until it no longer decides.
        """
        problem, bounds = self._problem, self._problem.bounds
        wanted = sum(model.shape) // 2
        while self._solve_linear(pair, model) and not problem.is_closed(*pair):
            columns, known, threshold = self._candidates(pair, model, wanted)
            cheap = self._cheap(pair, columns)
            yield from cheap
            model.reweigh(bounds.pair_upper)
            if cheap:
                continue
            solved = model.solve_integer(columns, bounds.pair_upper, known, self._deadline)
            if solved is None:
                return
            upper, taken = solved
            pick = list(zip(columns[0][taken].tolist(), columns[1][taken].tolist(), strict=True))
            self._lower_upper(pair, max(upper, threshold))
            problem.offer(*pair, pick)
            if problem.is_closed(*pair):
                return
            unfinished = [column for column in pick if not self._is_done(column, _EXACT)]
            yield from unfinished
            problem.offer(*pair, pick)
            model.reweigh(bounds.pair_upper)
            if threshold > upper and wanted < math.prod(model.shape):
                wanted *= 2
            elif not unfinished:
                return

    def _new_model(self, pair: Pair) -> MatchingModel:
        """A model with the best columns for the Lagrangian prices."""
        problem = self._problem
        model = MatchingModel(problem.forests(*pair))
        forced = self._forced(pair)
        per_node = 3 * sum(forced.shape)
        if forced.size > per_node:
            best = np.argpartition(-forced, per_node, axis=None)[:per_node]
        else:
            best = np.arange(forced.size)
        rows, columns = np.divmod(best, forced.shape[1])
        model.add(rows + pair[0] + 1, columns + pair[1] + 1, problem.bounds.pair_upper)
        return model

    def _solve_linear(self, pair: Pair, model: MatchingModel) -> bool:
        """Column generation; stores the bound that the final prices certify. False if time ran out."""
        upper = self._problem.bounds.pair_upper
        while model.solve(self._deadline):
            if not model.add(*model.find_promising(upper), upper):
                self._relax(pair, model)
                return True
        return False

    def _relax(self, pair: Pair, model: MatchingModel | None = None) -> float:
        """Store the Lagrangian bound for the model's prices, or else the stored ones, and a repaired solution.

        Returns the sum of the prices; f and the node prices stay in the scratch arrays.
        """
        problem, bounds, space = self._problem, self._problem.bounds, self._problem.space
        forests = problem.forests(*pair)
        load_prices(forests, bounds, space)
        if model is not None and model.amounts.size:
            space.leaf_price[: model.right_prices.size] = model.right_prices
        self._lower_upper(pair, relaxed_value(forests, bounds.pair_upper, space))
        picked = pick_pairs(forests, bounds.pair_upper, space)
        repair(forests, picked, bounds.pair_lower, space)
        pick = zip(space.left[:picked].tolist(), space.right[:picked].tolist(), strict=True)
        problem.offer(*pair, [(k, m) for k, m in pick if m >= 0])
        return float(space.leaf_price[: first_leaf(forests)[1]].sum())

    def _forced(self, pair: Pair, model: MatchingModel | None = None) -> Floats:
        problem, total = self._problem, self._relax(pair, model)
        return force_values(problem.forests(*pair), problem.bounds.pair_upper, total, problem.space)

    def _candidates(
        self, pair: Pair, model: MatchingModel, wanted: int
    ) -> tuple[tuple[Integers, Integers], NDArray[np.bool_], float]:
        """The columns for the integer program, those in the best known solution, and the threshold."""
        problem = self._problem
        forced = self._forced(pair, model)
        threshold = float(problem.bounds.forest_lower[pair]) + 0.5 * problem.tolerance
        if forced.size > wanted:
            # Slightly lower, to include ties.
            weakest = float(np.partition(forced, forced.size - wanted, axis=None)[-wanted])
            threshold = max(threshold, weakest - problem.tolerance)
        known = np.zeros(forced.shape, dtype=np.bool_)
        for k, m in problem.pick(*pair):
            known[k - pair[0] - 1, m - pair[1] - 1] = True
        rows, columns = np.nonzero((forced > threshold) | known)
        return (rows + pair[0] + 1, columns + pair[1] + 1), known[rows, columns], threshold

    def _cheap(self, pair: Pair, columns: tuple[Integers, Integers]) -> list[Pair]:
        """Open columns whose own programs are much smaller than the pair's."""
        left, right = self._problem.left.sizes, self._problem.right.sizes
        bounds = self._problem.bounds
        is_open = bounds.pair_upper[columns] - bounds.pair_lower[columns] > self._problem.tolerance
        is_small = left[columns[0]] * right[columns[1]] * CHEAP < left[pair[0]] * right[pair[1]]
        chosen = is_open & is_small
        pairs = zip(columns[0][chosen].tolist(), columns[1][chosen].tolist(), strict=True)
        return [column for column in pairs if not self._is_done(column, _EXACT)]

    def _lower_upper(self, pair: Pair, upper: float) -> None:
        bounds = self._problem.bounds
        upper = min(upper, bounds.forest_upper[pair], split_upper(self._problem.forests(*pair), bounds))
        set_forest(*pair, bounds.forest_lower[pair], upper, bounds)
