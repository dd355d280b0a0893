"""The maps nearest to one, in the order of lower bounds and no further than they allow."""

from dataclasses import dataclass

import numpy as np

from tted_core.batch.bounds import known_costs, lower_bounds, matched_bounds
from tted_core.batch.costs import ChunkCosts
from tted_core.batch.solving import CHUNK_PAIRS, chunks, solve_chunk
from tted_core.batch.work import Work

AT_FIRST = 32
"""Maps that are solved before it is looked again which others can be skipped; twice as many each time."""


@dataclass(frozen=True)
class Nearest:
    """The maps nearest to one.

    Attributes:
        found: number and distance of each, the nearest first; of equally near ones the first.
        compared: how many distances were computed.
        skipped: how many maps a lower bound ruled out.
        errors: number and reason of each map that can't be compared.
    """

    found: tuple[tuple[int, float], ...]
    compared: int
    skipped: int
    errors: tuple[tuple[int, str], ...] = ()


def nearest_of(work: Work, k: int) -> Nearest:
    """The k maps nearest to the first one of the work, among the others, which are numbered from 0."""
    setting, count = work.settings[0], len(work.maps) - 1
    pairs = np.zeros((count, 2), dtype=np.int32)
    pairs[:, 1] = np.arange(1, count + 1)
    known = known_costs(work, setting, 0)
    bounds = lower_bounds(work, setting, 0, known)[1:]
    order = np.argsort(bounds, kind="stable")
    found: list[tuple[float, int]] = []
    errors: list[tuple[int, str]] = []
    seen = compared = 0
    at_a_time = max(k, AT_FIRST)
    while seen < count:
        waiting = order[seen : seen + at_a_time]
        if len(found) == k:
            waiting = waiting[bounds[waiting] <= found[-1][0]]
        if not len(waiting):
            break
        seen += len(waiting)
        at_a_time = min(2 * at_a_time, CHUNK_PAIRS)
        for part in chunks(work, pairs[waiting]):
            numbers = waiting[part]
            costs = ChunkCosts(work, setting, pairs[numbers], known)
            if (
                setting.order == "unordered" and len(found) == k
            ):  # which takes a hundred times as long as a bound
                near = np.ones(len(numbers), dtype=np.bool_)
                near[costs.rows] = matched_bounds(costs, setting.power) <= found[-1][0]
                numbers = numbers[near]
                costs = ChunkCosts(work, setting, pairs[numbers], known)
            solved = solve_chunk(work, setting, costs)
            errors += [each for each in zip(numbers.tolist(), solved.errors, strict=True) if each[1]]
            good = [row for row, pair in enumerate(costs.rows.tolist()) if not solved.errors[pair]]
            found += zip(solved.tted[good].tolist(), numbers[costs.rows[good]].tolist(), strict=True)
            found = sorted(found)[:k]
            compared += len(good)
    return Nearest(
        tuple((number, tted) for tted, number in found),
        compared,
        count - compared - len(errors),
        tuple(sorted(errors)),
    )
