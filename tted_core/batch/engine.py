"""The engine: pairs of maps -> edit problems -> verified solutions, a chunk at a time.

Numbers equal those of :func:`tted_core.compare` with the same vectors; TTED@k is not computed.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import Sizes, normalised, sizes_of, with_gap
from tted_core.batch.inputs import SIDES, Pairs
from tted_core.batch.work import Work
from tted_core.contexts import CONTEXTS
from tted_core.distances.vectors import cosine, euclidean
from tted_core.encoders.embedding import unit_vectors
from tted_core.errors import OptionsError, TTEDError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method
from tted_core.solvers import EditProblem, Solution, solve_many

CHUNK_PAIRS = 256
CHUNK_CELLS = 2_000_000
"""Maximum pairs solved at a time, and numbers in their costs: 16 MB."""

NEAR = 1e-6
"""For unit vectors, squared distances below this are computed from differences; for larger ones the product of two
vectors is exact to 1e-15, which changes a distance by less than 1e-12."""

SCALES: dict[Callable[..., NDArray[np.float64]], float] = {cosine: math.sqrt(0.5), euclidean: 1.0}
"""Distances that are Euclidean, of unit or raw vectors, times a number."""


def chunks(work: Work, pairs: Pairs) -> Iterator[slice]:
    """Split the pairs into chunks that fit into memory."""
    sizes = np.array([0 if each.tree is None else len(each.tree) for each in work.maps], dtype=np.int64)
    cells = (sizes[pairs[:, 0]] + 1) * (sizes[pairs[:, 1]] + 1)
    start = 0
    while start < len(pairs):
        total = np.cumsum(cells[start : start + CHUNK_PAIRS])
        count = max(1, int(np.searchsorted(total, CHUNK_CELLS, side="right")))
        yield slice(start, start + count)
        start += count


def edit_problems(work: Work, method: Method, pairs: Pairs) -> list[EditProblem | TTEDError]:
    """Trees and costs of each pair by a method, whatever its order, or the error that prevents a comparison."""
    of_map: dict[int, NDArray[np.float64]] = {}
    squares: dict[int, NDArray[np.float64]] = {}

    def costs(left: int, right: int) -> NDArray[np.float64]:
        if method.record.reads != "encoder":
            trees = work.maps[left].readable, work.maps[right].readable
            return work.distance(method).costs(CONTEXTS[method.context], *trees)
        for number in {left, right} - of_map.keys():
            of_map[number] = _vectors(work, method, number)
            squares[number] = np.einsum("ij,ij->i", of_map[number], of_map[number])
        function = method.record.function
        if function in SCALES:
            lengths = squares[left][:, None] + squares[right]
            return SCALES[function] * _euclidean(of_map[left], of_map[right], lengths)
        return function(of_map[left], of_map[right])

    found: list[EditProblem | TTEDError] = []
    for left, right in pairs.tolist():
        maps = work.maps[left], work.maps[right]
        errors = [each.errors.get(method.context) for each in maps]
        try:
            if any(errors):
                named = zip(SIDES, errors, strict=True)
                raise OptionsError("; ".join(f"{side} map: {error}" for side, error in named if error))
            priced = with_gap(costs(left, right), method.gap)
            found.append(EditProblem(maps[0].readable, maps[1].readable, priced, power=method.power))
        except TTEDError as error:
            found.append(error)
    return found


class Solved(NamedTuple):
    """The solution of a pair (left map, right map) by a method."""

    method: Method
    pair: tuple[int, int]
    problem: EditProblem
    solution: Solution


def solve_pairs(
    method: Method,
    pairs: Pairs,
    problems: Sequence[EditProblem | TTEDError],
    monitor: Monitor = UNWATCHED,
) -> list[Solved | TTEDError]:
    """The best mapping of each pair in the method's order, verified, or an error."""
    good = [each for each in problems if isinstance(each, EditProblem)]
    solutions = iter(solve_many(good, method.order, time_limit=method.time_limit, monitor=monitor))
    monitor.check()  # a stopped search may return a worse mapping than a repeated one
    found: list[Solved | TTEDError] = []
    for (left, right), problem in zip(pairs.tolist(), problems, strict=True):
        solution = next(solutions) if isinstance(problem, EditProblem) else problem
        if isinstance(problem, EditProblem) and isinstance(solution, Solution):
            found.append(Solved(method, (left, right), problem, solution))
        elif isinstance(solution, TTEDError):
            found.append(solution)
    return found


def scores_of(method: Method, found: Sequence[Solved | TTEDError]) -> list[dict[str, float]]:
    """TTED and each normalised distance of pairs, by name; empty for errors."""
    solved = [each for each in found if isinstance(each, Solved)]
    if not solved:
        return [{} for _ in found]
    tted = np.array([each.solution.upper for each in solved])
    sizes = [sizes_of(each.problem.costs, method.power) for each in solved]
    columns = normalised(tted, Sizes(*map(np.array, zip(*sizes, strict=True))), method.power)
    values = zip(tted.tolist(), *(column.tolist() for column in columns.values()), strict=True)
    return [
        dict(zip(("tted", *columns), next(values), strict=True)) if isinstance(each, Solved) else {}
        for each in found
    ]


def _vectors(work: Work, method: Method, number: int) -> NDArray[np.float64]:
    """(n + 1, d) vectors of a map's nodes and of the gap; of length 1 for cosine."""
    each = work.maps[number]
    vectors = work.model(method)((*each.texts[method.context], "")).astype(np.float64)
    blend = CONTEXTS[method.context].blend
    if blend is not None:
        vectors[:-1] = blend(each.readable, vectors[:-1])
    return unit_vectors(vectors) if method.record.function is cosine else vectors


def _euclidean(
    left: NDArray[np.float64], right: NDArray[np.float64], both: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(n, m) L2 distances of (n, d) and (m, d) vectors by one matrix product; exactly 0 for equal rows.

    ``both`` are the sums of the squared lengths of each two rows, (n, m).
    """
    squares = both - 2.0 * (left @ right.T)
    near = np.nonzero(squares < NEAR * 0.5 * both)
    differences = left[near[0]] - right[near[1]]
    squares[near] = np.einsum("ij,ij->i", differences, differences)
    return np.asarray(np.sqrt(squares))
