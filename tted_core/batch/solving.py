"""Many pairs to their rows: costs by matrix products, mappings by one compiled call, counts by another.

The numbers are those of :func:`tted_core.compare` with the same vectors; TTED@k is left out.
"""

import itertools
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import Sizes, normalised
from tted_core.baselines import BASELINES, NOT_COMPUTED, SUITE
from tted_core.baselines.suite import Aligned, signed_equivalence, suite_values
from tted_core.batch.costs import ChunkCosts
from tted_core.batch.operations import Operations, count_operations, empty_operations
from tted_core.batch.settings import by_costs
from tted_core.batch.work import Pairs, Work
from tted_core.distances.by_models import text_f1
from tted_core.errors import TTEDError
from tted_core.explain.bounds import bounds_for
from tted_core.explain.correspondence import (
    SHARES,
    STATUSES,
    Outcome,
    Side,
    counted_outcomes,
    outcomes,
    shares_covered,
)
from tted_core.method import Method
from tted_core.signature import Signature
from tted_core.solvers import EditProblem, Mapping, solve
from tted_core.solvers.kernels.many import KERNELS, Mappings, new_mappings, solve_pairs
from tted_core.solvers.solution import mapping_from_partners
from tted_core.solvers.unordered.many import solve_pairs_unordered

CHUNK_PAIRS = 256
CHUNK_CELLS = 2_000_000
"""Pairs solved at a time, and numbers in their costs: 16 MB, and 40 MB of vectors for maps of 25 nodes."""

Columns: TypeAlias = dict[str, list[Any]]
"""What comes out, by name, in the order of the columns; None where a row has an error."""


class Solved(NamedTuple):
    """What solving gives for the p pairs of a chunk's problems, and why a pair of the chunk has nothing."""

    setting: Method
    chunk: ChunkCosts
    mappings: Mappings
    tted: NDArray[np.float64]
    normalised: dict[str, NDArray[np.float64]]
    proven: NDArray[np.bool_]
    lower: NDArray[np.float64]
    operations: Operations
    nodes: NDArray[np.int64]
    errors: list[str]

    def score(self, name: str) -> NDArray[np.float64]:
        """The distances, or those normalised by one of ``NORMALISATIONS``."""
        return self.tted if name == "tted" else self.normalised[name]

    def partners(self, row: int) -> NDArray[np.int64]:
        """Each left node's partner in the mapping of one problem, -1 for none."""
        starts = self.mappings.starts
        return self.mappings.partners[starts[row] : starts[row + 1]]


def solved(work: Work, pairs: Pairs) -> Iterator[Columns]:
    """The rows of these pairs, a chunk at a time; those of one pair follow one another."""
    for columns, _ in solved_chunks(work, pairs):
        yield columns


def solved_chunks(work: Work, pairs: Pairs) -> Iterator[tuple[Columns, list[Solved]]]:
    """The same, with what was found under each setting."""
    for chunk in chunks(work, pairs):
        yield _chunk(work, pairs[chunk])


def chunks(work: Work, pairs: Pairs) -> Iterator[slice]:
    """The pairs in chunks that fit into memory."""
    sizes = np.diff(work.maps.starts)
    cells = (sizes[pairs[:, 0]] + 1) * (sizes[pairs[:, 1]] + 1)
    start = 0
    while start < len(pairs):
        room = np.cumsum(cells[start : start + CHUNK_PAIRS])
        count = max(1, int(np.searchsorted(room, CHUNK_CELLS, side="right")))
        yield slice(start, start + count)
        start += count


def _chunk(work: Work, pairs: Pairs) -> tuple[Columns, list[Solved]]:
    by_setting: list[Columns] = []
    every: list[Solved] = []
    for first, alike in by_costs(work.settings):
        start = time.perf_counter()
        costs = ChunkCosts(work, first, pairs)
        shared = (time.perf_counter() - start) / len(alike)
        for setting in alike:
            start = time.perf_counter()
            every.append(solve_chunk(work, setting, costs))
            by_setting.append(_rows(work, setting, every[-1], shared + time.perf_counter() - start))
    _add_baselines(work, pairs, by_setting)
    for found, rows in zip(every, by_setting, strict=True):
        _add_suite(work, found, rows)
        if work.options.sentences:
            _add_sentences(work, found, rows)
    columns = {
        name: list(itertools.chain.from_iterable(zip(*(each[name] for each in by_setting), strict=True)))
        for name in by_setting[0]
    }
    return columns, every


def solve_chunk(work: Work, setting: Method, chunk: ChunkCosts) -> Solved:
    """Solve the pairs of a chunk, and check each mapping."""
    found, proven, lower = _mappings(work, setting, chunk)
    operations = empty_operations(len(chunk.rows))
    rule = setting.order == "ordered", float(setting.power)
    count_operations(chunk.problems, chunk.texts, rule, found, operations)
    errors = list(chunk.errors)
    for row in np.flatnonzero(~operations.sound | np.isnan(found.distances)):
        errors[chunk.rows[row]] = "the solver's mapping breaks a rule or its distance; please report this"
    tted = operations.distances
    nodes: NDArray[np.int64] = np.diff(chunk.problems.trees.starts)[chunk.problems.pairs]
    sizes = Sizes(nodes, operations.gaps[:, 1:], operations.gaps[:, 0])
    every = normalised(tted, sizes, setting.power)
    return Solved(setting, chunk, found, tted, every, proven, lower, operations, nodes, errors)


def _rows(work: Work, setting: Method, found: Solved, seconds: float) -> Columns:
    """One row for each pair of a chunk; ``seconds`` is what all took, with this setting's share of the costs."""
    _, chunk, _, tted, every, proven, lower, operations, nodes, errors = found
    count = len(chunk.pairs)
    kept = [row for row, pair in enumerate(chunk.rows.tolist()) if not errors[pair]]
    places = chunk.rows[kept].tolist()

    def placed(values: NDArray[Any]) -> list[Any]:
        """The values of the pairs that could be solved in their places, None in the others."""
        column: list[Any] = [None] * count
        for place, value in zip(places, values[kept].tolist(), strict=True):
            column[place] = value
        return column

    is_proven = placed(proven)
    result: Columns = {name: [value] * count for name, value in setting.columns.items()}
    result |= {
        "tted": placed(tted),
        "lower_bound": placed(np.where(proven, tted, np.minimum(lower, tted))),
        "proven": is_proven,
        **{name: placed(values) for name, values in every.items()},
        "left_nodes": placed(nodes[:, 0]),
        "right_nodes": placed(nodes[:, 1]),
    }
    for number, name in enumerate(("match", "replace", "delete", "insert")):
        result[name] = placed(operations.counts[:, number])
    for number, name in enumerate(("cost_replace", "cost_delete", "cost_insert")):
        result[name] = placed(operations.costs[:, number])
    result["notices"] = _notices(work, setting, chunk)
    result["error"] = [error or None for error in errors]
    result["seconds"] = [seconds / count] * count
    result["signature"] = _signatures(work, setting, chunk, is_proven)
    return result


def _mappings(
    work: Work, setting: Method, chunk: ChunkCosts
) -> tuple[Mappings, NDArray[np.bool_], NDArray[np.float64]]:
    """The best mapping of each pair, whether it is proven, and if not a lower bound of the distance."""
    proven, lower = np.ones(len(chunk.rows), dtype=np.bool_), np.zeros(len(chunk.rows))
    if setting.order in KERNELS:
        return solve_pairs(KERNELS[setting.order], chunk.weights), proven, lower
    if setting.order == "unordered":
        found, proven = solve_pairs_unordered(chunk.weights)
    else:
        found, proven = new_mappings(chunk.weights), ~proven
    for row in np.flatnonzero(~proven).tolist():
        pair = int(chunk.rows[row])
        if not chunk.errors[pair]:
            left, right = (work.maps.tree(number) for number in chunk.pairs[pair].tolist())
            problem = EditProblem(left, right, chunk.of_row(row), power=setting.power)
            solution = solve(problem, setting.order, time_limit=setting.time_limit)
            proven[row], lower[row] = solution.proven, solution.lower
            found.partners[found.starts[row] : found.starts[row + 1]] = _partners(solution.mapping)
    return found, proven, lower


def _partners(mapping: Mapping) -> list[int]:
    """Each left node's partner, -1 for none."""
    pairs = sorted((v, -1 if w is None else w) for v, w in mapping if v is not None)
    return [w for _, w in pairs]


def _add_baselines(work: Work, pairs: Pairs, by_setting: list[Columns]) -> None:
    """Put the baselines' columns beside those of every setting; what doesn't depend on it is computed once."""
    known: dict[tuple[str, str], tuple[Columns, list[str]]] = {}
    for setting, columns in zip(work.settings, by_setting, strict=True):
        for name in (each for each in work.options.baselines if each in BASELINES):
            reads = BASELINES[name].reads == setting.record.reads == "encoder"
            key = name, setting.model if reads else ""
            if key not in known:
                known[key] = _baseline(work, pairs, name, setting if reads else None)
            values, refused = known[key]
            columns.update(values)
            told = zip(columns["notices"], refused, strict=True)
            columns["notices"] = ["; ".join(filter(None, each)) for each in told]


def _baseline(work: Work, pairs: Pairs, name: str, setting: Method | None) -> tuple[Columns, list[str]]:
    """A baseline's similarity and distance of each pair, by the setting's vectors, and why there is none."""
    sims: list[float | None] = [None] * len(pairs)
    rhos: list[float | None] = [None] * len(pairs)
    refused = [""] * len(pairs)
    for row, (left, right) in enumerate(pairs.tolist()):
        if work.maps.errors[left] or work.maps.errors[right]:
            continue
        vectors = None if setting is None else work.vectors(setting, (left, right))
        try:
            score = BASELINES[name](work.maps.tree(left), work.maps.tree(right), vectors)
        except NOT_COMPUTED as error:
            refused[row] = f"{name}: {error}"
        else:
            sims[row], rhos[row] = score.sim, score.rho_base
    return {name: sims, f"{name}_rho": rhos}, refused


def _add_suite(work: Work, found: Solved, columns: Columns) -> None:
    """Put the columns of the suite beside those of a setting; a measure that can't be computed is told of."""
    names = [name for name in work.options.baselines if name in SUITE]
    count = len(found.chunk.pairs)
    columns.update({name: [None] * count for name in names if name not in columns})
    words = work.loaded.get((found.setting.model, "bertscore"))
    for row, pair in enumerate(found.chunk.rows.tolist() if names else ()):
        if found.errors[pair]:
            continue
        left, right = (work.maps.tree(number) for number in found.chunk.pairs[pair].tolist())
        maps = Aligned(
            EditProblem(left, right, found.chunk.of_row(row), power=found.setting.power),
            mapping_from_partners(found.partners(row), len(right)),
            found.setting.order,
            work.options.equivalence,
            found.setting.time_limit,
            partial(text_f1, words.reader) if words else None,
        )
        told = [columns["notices"][pair]]
        for name, values in suite_values(names, [maps]).items():
            if isinstance(values, TTEDError):
                told.append(f"{name}: {values}")
            else:
                columns[name][pair] = values[-1]
        if words:
            told += [each for each in words.texts_notices(maps.texts, "none") if each not in told[0]]
        columns["notices"][pair] = "; ".join(filter(None, told))


def _add_sentences(work: Work, found: Solved, columns: Columns) -> None:
    """Put what became of the sentences beside the columns of a setting: Compare's counts, and shares covered."""
    columns.update({name: [None] * len(found.chunk.pairs) for name in (*STATUSES, *SHARES)})
    for row, pair in enumerate(found.chunk.rows.tolist()):
        if not found.errors[pair]:
            every = outcomes_of(work, found, row)
            for status, count in counted_outcomes(every).items():
                columns[status][pair] = count
            for name, share in zip(SHARES, shares_covered(every, found.chunk.of_row(row)), strict=True):
                columns[name][pair] = share


def outcomes_of(work: Work, found: Solved, row: int) -> tuple[Outcome, ...]:
    """What became of each sentence of one of a chunk's problems; as ``correspondence`` of the comparison."""
    setting = found.setting
    places = [work.maps.place(number) for number in found.chunk.pairs[found.chunk.rows[row]].tolist()]
    labels = [work.maps.labels[place] for place in places]
    sides = [Side(labels[side].tolist(), work.maps.parents[places[side]].tolist()) for side in (0, 1)]
    costs = found.chunk.of_row(row)
    model = work.models[setting.model, setting.distance].name  # as a comparison's method names it
    different = costs[:-1, :-1][np.not_equal.outer(*labels)]
    bounds = bounds_for(model, setting.distance, setting.context, different)
    targets = found.partners(row).tolist()
    return outcomes(sides[0], sides[1], costs, targets, ordered=setting.order == "ordered", bounds=bounds)


def _notices(work: Work, setting: Method, chunk: ChunkCosts) -> list[str]:
    told = work.models[setting.model, setting.distance].notices[setting.context]
    own = "; ".join(setting.notices)

    def of_map(number: int, side: str) -> Iterator[str]:
        for notice in (*work.maps.notices[number], *told[number]):
            yield f"{side} map: {notice}"

    return [
        "; ".join((*of_map(left, "left"), *of_map(right, "right"), *([own] if own else ())))
        for left, right in chunk.pairs.tolist()
    ]


def _signatures(work: Work, setting: Method, chunk: ChunkCosts, proven: list[Any]) -> list[str | None]:
    """As ``Comparison.signature`` writes them."""
    digests = work.maps.digests
    model = work.models[setting.model, setting.distance]
    plain = Signature.of(setting.with_model(model.name), model.fingerprint)
    said = signed_equivalence(work.options.baselines, work.options.equivalence)
    return [
        None
        if known is None
        else str(Signature(plain.signing(proven=known, digests=(digests[left], digests[right])).parts | said))
        for (left, right), known in zip(chunk.pairs.tolist(), proven, strict=True)
    ]
