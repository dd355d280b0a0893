"""Comparing many maps in memory: ``compare_many`` and ``distance_matrix``."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import MEASURES
from tted_core.baselines.suite import EQUIVALENCE
from tted_core.batch.inputs import Pairs
from tted_core.batch.settings import BatchOptions
from tted_core.batch.work import Work, prepared, read_maps
from tted_core.distances import Models
from tted_core.errors import OptionsError, TTEDError
from tted_core.formats import AnyMap, as_map, maps_of, pairs_of
from tted_core.foundations.extras import require
from tted_core.foundations.limits import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor, checked_monitor
from tted_core.foundations.registry import chosen, lookup
from tted_core.method import Method

if TYPE_CHECKING:
    import pandas as pd

MAX_MAPS_IN_MATRIX = 20_000
"""Maximum maps in one matrix of distances, which then takes 3.2 GB."""

MATRIX_SCORES = ("tted", *NORMALISATIONS)


@dataclass(frozen=True, repr=False, eq=False)
class LazyRows(Sequence[dict[str, Any]]):
    """Rows of many comparisons, computed each time they are read.

    A row is a dict per pair, with the columns listed in docs/evaluating.md; None where there is an error.
    """

    work: Work
    pairs: Pairs

    def __repr__(self) -> str:
        options = self.work.options
        beside = "".join(f", {name}" for name in options.baselines)
        return f"<{len(self):,} pairs by {options.methods[0].distance}, {options.methods[0].order}{beside}>"

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return replace(self, pairs=self.pairs[key])
        return next(iter(replace(self, pairs=self.pairs[[key]])))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        from tted_core.batch.rows import solved_rows

        for row, _ in solved_rows(self.work, self.pairs):
            yield row

    def to_pandas(self) -> "pd.DataFrame":
        """All rows as a table."""
        require("batch")
        import pandas as pd

        return pd.DataFrame(list(self))


def compare_many(
    pairs: Iterable[tuple[AnyMap, AnyMap]],
    method: Method,
    models: Models | None = None,
    *,
    baselines: Iterable[str] = (),
    equivalence: float = EQUIVALENCE,
    sentences: bool = False,
    monitor: Monitor = UNWATCHED,
) -> LazyRows:
    """Compare many pairs by a method, encoding each distinct text once.

    A pair that can't be compared has an ``error`` in its row. Pass a map of several pairs as one object.

    Args:
        pairs: the pairs of maps.
        method: the options.
        models: the models; if None, those that the method names are loaded.
        baselines: names of ``MEASURES`` to compute as well.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        sentences: count sentences by status, too.
        monitor: receives the stages, and may stop the work.
    """
    monitor = checked_monitor(monitor)
    columns = tuple(chosen(MEASURES, baselines, "baseline"))
    options = BatchOptions((method,), columns, equivalence=equivalence, sentences=sentences)
    given = pairs_of(pairs)
    # A path is read once; other maps are identified by id, as ``given`` keeps them alive.
    keys = [[each if isinstance(each, str) else id(each) for each in pair] for pair in given]
    maps = dict(zip(itertools.chain(*keys), itertools.chain(*given), strict=True))
    numbers = {key: number for number, key in enumerate(maps)}
    rows = np.array([[numbers[key] for key in pair] for pair in keys], dtype=np.int32).reshape(-1, 2)
    work = _work(list(maps.values()), options, models, monitor, pairs=rows if sentences else None)
    return LazyRows(work, rows)


def distance_matrix(
    maps: Iterable[AnyMap],
    method: Method,
    models: Models | None = None,
    *,
    others: Iterable[AnyMap] | None = None,
    score: str = "tted",
    monitor: Monitor = UNWATCHED,
) -> NDArray[np.float64]:
    """(n, n) distances between n maps, or (n, m) distances to m others.

    If the node distance is symmetric, each pair of n maps is computed once.

    Args:
        maps: the maps.
        method: the options.
        models: the models; if None, those that the method names are loaded.
        others: the maps of the columns; ``maps`` if None.
        score: "tted" or a name of ``NORMALISATIONS``.
        monitor: receives the stages, and may stop the work.
    """
    from tted_core.batch.engine import chunks, edit_problems, scores_of, solve_pairs

    monitor = checked_monitor(monitor)
    lookup(dict.fromkeys(MATRIX_SCORES), score, "score")
    rows = maps_of(maps)
    columns = None if others is None else maps_of(others, "others")
    every = [*rows, *(columns or ())]
    check_limit(len(every), MAX_MAPS_IN_MATRIX, "maps", "give fewer, or list the pairs for tted batch")
    work = _work(every, BatchOptions((method,)), models, monitor, notices=False)
    mirrored = columns is None and method.record.symmetric
    if columns is None:
        pairs = pairs_of_matrix(len(rows), symmetric=mirrored)
    else:
        cells = np.indices((len(rows), len(columns))).reshape(2, -1).T
        pairs = (cells + np.array([0, len(rows)])).astype(np.int32)
    monitor.stage(f"Comparing {len(pairs):,} pairs")
    matrix = np.zeros((len(every), len(every)))
    for chunk in chunks(work, pairs):
        found = solve_pairs(method, pairs[chunk], edit_problems(work, method, pairs[chunk]))
        for (left, right), each, scores in zip(
            pairs[chunk].tolist(), found, scores_of(method, found), strict=True
        ):
            if isinstance(each, TTEDError):
                raise OptionsError(f"maps {left} and {right} can't be compared: {each}")
            matrix[left, right] = scores[score]
            if mirrored:
                matrix[right, left] = scores[score]
        monitor.advance(chunk.stop, len(pairs))
        monitor.check()
    return matrix if columns is None else matrix[: len(rows), len(rows) :]


SQUARE = 45
"""Rows and columns of the squares in which a matrix is computed, so that each part needs few maps."""


def pairs_of_matrix(count: int, *, symmetric: bool) -> Pairs:
    """Pairs for a matrix of so many maps, the upper triangle or all but the diagonal, in squares."""
    rows, columns = np.triu_indices(count, 1) if symmetric else np.nonzero(~np.eye(count, dtype=np.bool_))
    order = np.lexsort((columns, rows, columns // SQUARE, rows // SQUARE))
    return np.stack((rows, columns), axis=1)[order].astype(np.int32)


def _work(
    maps: list[AnyMap],
    options: BatchOptions,
    models: Models | None,
    monitor: Monitor,
    *,
    notices: bool = True,
    pairs: Pairs | None = None,
) -> Work:
    named = [(str(number), partial(as_map, each)) for number, each in enumerate(maps)]
    kept = read_maps(named, options.contexts, depth=options.depth)
    return prepared(kept, options, models or Models(), monitor=monitor, notices=notices, pairs=pairs)
