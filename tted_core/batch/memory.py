"""Comparing many maps in memory: ``compare_many`` and ``distance_matrix``."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import BASELINES, MEASURES, SCALES
from tted_core.baselines.kernel import NO_VECTORS
from tted_core.baselines.suite import EQUIVALENCE
from tted_core.batch.table import OF_PAIR, BatchOptions, columns_of, rows_of
from tted_core.distances import Models
from tted_core.errors import OptionsError, check_limit, lookup, require, select_baselines
from tted_core.formats import AnyMap, as_map, maps_of, pairs_of
from tted_core.foundations.monitor import UNWATCHED, Monitor, check_monitor
from tted_core.method import Method
from tted_core.pipeline import Pairs, Prepared, PreparedMap, chunks, prepare, prepare_maps, solve

if TYPE_CHECKING:
    import pandas as pd

MAX_MAPS_IN_MATRIX = 20_000  # maximum maps in one matrix of distances, which then takes 3.2 GB

MATRIX_SCORES = ("tted", *NORMALISATIONS, *SCALES)


@dataclass(frozen=True, repr=False, eq=False)
class LazyRows(Sequence[dict[str, Any]]):
    """Rows of many comparisons, computed each time they are read.

    A row is a dict per pair, with the columns listed in docs/evaluating.md; None where there is an error.
    """

    prepared: Prepared
    options: BatchOptions
    pairs: Pairs

    def __repr__(self) -> str:
        beside = "".join(f", {name}" for name in self.options.baselines)
        (method,) = self.options.methods
        return f"<{len(self):,} pairs by {method.distance}, {method.order}{beside}>"

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return replace(self, pairs=self.pairs[key])
        return next(iter(replace(self, pairs=self.pairs[[key]])))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return rows_of(self.prepared, self.options, self.pairs)

    def to_pandas(self) -> "pd.DataFrame":
        """All rows as a table."""
        require("batch")
        import pandas as pd

        return pd.DataFrame(list(self), columns=list(columns_of(self.options)[len(OF_PAIR) :]))


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
        monitor: receives the stages of encoding, and may stop it; rows are computed when they are read.
    """
    monitor = check_monitor(monitor)
    columns = tuple(select_baselines(MEASURES, baselines))
    options = BatchOptions((method,), columns, equivalence=equivalence, sentences=sentences)
    # A path is read once; other maps are identified by id, as ``every`` keeps them alive.
    every = list(itertools.chain.from_iterable(pairs_of(pairs)))
    keys = [each if isinstance(each, str) else id(each) for each in every]
    maps = dict(zip(keys, every, strict=True))
    numbers = {key: number for number, key in enumerate(maps)}
    rows = np.array([numbers[key] for key in keys], dtype=np.int32).reshape(-1, 2)
    prepared = prepare(
        _prepare_maps(list(maps.values()), method),
        (method,),
        models,
        baselines=columns,
        pairs=rows if sentences else None,
        monitor=monitor,
    )
    return LazyRows(prepared, options, rows)


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
        score: a name of ``MATRIX_SCORES``.
        monitor: receives the stages, and may stop the work.
    """
    monitor = check_monitor(monitor)
    lookup(dict.fromkeys(MATRIX_SCORES), score, "score")
    rows = maps_of(maps)
    columns = None if others is None else maps_of(others, "others")
    every = [*rows, *(columns or ())]
    check_limit(len(every), MAX_MAPS_IN_MATRIX, "maps", "give fewer, or compare the pairs in a batch")
    read = _prepare_maps(every, method)
    for name, error in ((each.name, error) for each in read for error in each.errors.values()):
        raise OptionsError(f"the map {name} can't be compared: {error}")
    prepared = prepare(read, (method,), models, notices=False, monitor=monitor)
    mirrored = columns is None and method.record.symmetric
    if columns is None:
        # the upper triangle or all but the diagonal, in squares, so that each chunk needs few maps
        across, down = np.triu_indices(len(rows), 1) if mirrored else np.nonzero(1 - np.eye(len(rows)))
        order = np.lexsort((down, across, down // SQUARE, across // SQUARE))
        pairs = np.stack((across, down), axis=1)[order].astype(np.int32)
    else:
        cells = np.indices((len(rows), len(columns))).reshape(2, -1).T
        pairs = (cells + np.array([0, len(rows)])).astype(np.int32)
    monitor.stage(f"Comparing {len(pairs):,} pairs")
    matrix, done = np.zeros((len(every), len(every))), 0
    for chunk, values in _score_chunks(prepared, pairs, method, score):
        matrix[tuple(chunk.T)] = values
        if mirrored:
            matrix.T[tuple(chunk.T)] = values
        done += len(chunk)
        monitor.advance(done, len(pairs))
        monitor.check()
    return matrix if columns is None else matrix[: len(rows), len(rows) :]


def _score_chunks(
    prepared: Prepared, pairs: Pairs, method: Method, score: str
) -> Iterator[tuple[Pairs, NDArray[np.float64]]]:
    """The pairs of each chunk with their distances, which are 1 minus a similarity for ``SCALES``."""
    if many := score in SCALES and BASELINES[score].of_pairs:
        vectors = prepared.vectors(method)
        if vectors is None:
            raise OptionsError(f"no {score}: {NO_VECTORS}")
        for chunk in chunks(prepared, pairs):
            trees = {number: prepared.maps[number].readable for number in np.unique(chunk).tolist()}
            yield chunk, many(trees, chunk, vectors)
    else:
        for solved in solve(prepared, pairs, method):
            for position, error in solved.errors.items():
                left, right = (prepared.maps[number].name for number in solved.chunk[position].tolist())
                raise OptionsError(f"maps {left} and {right} can't be compared: {error}")
            yield solved.chunk, solved.scores[score]


SQUARE = 45  # rows and columns of the squares in which a matrix is computed


def _prepare_maps(maps: Sequence[AnyMap], method: Method) -> list[PreparedMap]:
    return prepare_maps(
        (  # one at a time
            (getattr(each, "name", None) or str(number), partial(as_map, each))
            for number, each in enumerate(maps)
        ),
        (method.context,),
        depth=method.depth,
    )
