"""Many maps in memory: compare_many and distance_matrix. Nothing is written to disk."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import MEASURES
from tted_core.baselines.suite import EQUIVALENCE
from tted_core.batch.inputs import Pairs
from tted_core.batch.settings import BatchOptions
from tted_core.batch.work import Work, prepared, read_maps
from tted_core.distances import Models
from tted_core.errors import OptionsError
from tted_core.formats import AnyMap, as_map, maps_of, pairs_of
from tted_core.foundations.extras import require
from tted_core.foundations.limits import MAX_MAPS_IN_MATRIX, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor, checked_monitor
from tted_core.foundations.registry import chosen, lookup
from tted_core.method import Method

if TYPE_CHECKING:
    import pandas as pd

SCORES = ("tted", *NORMALISATIONS)


@dataclass(frozen=True, repr=False, eq=False)
class LazyRows(Sequence[dict[str, Any]]):
    """The rows of many comparisons, computed anew whenever they are read.

    A row is one dict for each pair, with the columns that docs/evaluating.md lists; None where there is an error.
    """

    work: Work
    pairs: Pairs

    def __repr__(self) -> str:
        options = self.work.options
        beside = "".join(f", {name}" for name in options.baselines)
        return f"<{len(self):,} pairs by {options.methods[0].distance}, {options.methods[0].order}{beside}>"

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, place: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice) -> "LazyRows": ...
    def __getitem__(self, place: int | slice) -> "dict[str, Any] | LazyRows":
        if isinstance(place, slice):
            return replace(self, pairs=self.pairs[place])
        return next(iter(replace(self, pairs=self.pairs[[place]])))

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
    """Compare many pairs by a method, with each distinct text encoded once.

    What can't be compared has an ``error`` in its row. A map that stands in several pairs should be one object.

    Args:
        pairs: the pairs of maps.
        method: the options.
        models: the models; those that the method names are loaded if None.
        baselines: names of ``MEASURES`` to compute besides.
        equivalence: the distance up to which two nodes are equivalent, for the measures of the suite.
        sentences: whether rows count what became of the sentences, too.
        monitor: watches the stages, and may stop it.
    """
    monitor = checked_monitor(monitor)
    columns = tuple(chosen(MEASURES, baselines, "baseline"))
    options = BatchOptions((method,), columns, equivalence=equivalence, sentences=sentences)
    given = pairs_of(pairs)
    # A path is read once; any other map is known by its id, as ``given`` keeps it alive.
    keys = [tuple(each if isinstance(each, str) else id(each) for each in pair) for pair in given]
    numbers: dict[int | str, int] = {}
    maps: list[AnyMap] = []
    for key, each in zip(itertools.chain(*keys), itertools.chain(*given), strict=True):
        if key not in numbers:
            numbers[key] = len(maps)
            maps.append(each)
    places = [(numbers[left], numbers[right]) for left, right in keys]
    work = _work(maps, options, models, monitor)
    return LazyRows(work, np.array(places, dtype=np.int32).reshape(-1, 2))


def distance_matrix(
    maps: Iterable[AnyMap],
    method: Method,
    models: Models | None = None,
    *,
    others: Iterable[AnyMap] | None = None,
    score: str = "tted",
    monitor: Monitor = UNWATCHED,
) -> NDArray[np.float64]:
    """(n, n) distances of n maps, or (n, m) distances to m others.

    Where the node distance is symmetric, each pair of n maps is computed once.

    Args:
        maps: the maps.
        method: the options.
        models: the models; those that the method names are loaded if None.
        others: the maps of the columns; ``maps`` if None.
        score: tted, or a name of ``NORMALISATIONS``.
        monitor: watches the stages, and may stop it.
    """
    from tted_core.batch.engine import Solved, chunks, edit_problems, scores_of, solve_pairs

    monitor = checked_monitor(monitor)
    lookup(dict.fromkeys(SCORES), score, "score")
    rows = maps_of(maps)
    columns = None if others is None else maps_of(others, "others")
    every = [*rows, *(columns or ())]
    check_limit(len(every), MAX_MAPS_IN_MATRIX, "maps", "give fewer, or list the pairs for tted batch")
    work = _work(every, BatchOptions((method,)), models, monitor, notices=False)
    mirrored = columns is None and method.record.symmetric
    if columns is None:
        pairs = pairs_of_matrix(len(rows), symmetric=mirrored)
    else:
        places = np.indices((len(rows), len(columns))).reshape(2, -1).T
        pairs = (places + np.array([0, len(rows)])).astype(np.int32)
    monitor.stage(f"Comparing {len(pairs):,} pairs")
    matrix = np.zeros((len(every), len(every)))
    for place in chunks(work, pairs):
        found = solve_pairs(method, pairs[place], edit_problems(work, method, pairs[place]))
        for (left, right), each in zip(pairs[place].tolist(), found, strict=True):
            if not isinstance(each, Solved):
                raise OptionsError(f"maps {left} and {right} can't be compared: {each}")
        solved = [each for each in found if isinstance(each, Solved)]
        left, right = pairs[place].T
        matrix[left, right] = [scores[score] for scores in scores_of(method, solved)]
        if mirrored:
            matrix[right, left] = matrix[left, right]
        monitor.advance(place.stop, len(pairs))
        monitor.check()
    return matrix if columns is None else matrix[: len(rows), len(rows) :]


SQUARE = 45
"""Rows and columns of the squares in which a matrix is computed, so that a part of it needs few maps."""


def pairs_of_matrix(count: int, *, symmetric: bool) -> Pairs:
    """The pairs that a matrix of so many maps needs, the upper triangle or all but the diagonal, in squares."""
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
) -> Work:
    named = ((str(number), partial(as_map, each)) for number, each in enumerate(maps))
    kept = read_maps(named, options.contexts, depth=options.depth, total=len(maps))
    return prepared(
        kept, options, models or Models(), monitor=monitor, notices=notices, sentences=options.sentences
    )
