"""Many maps in memory: compare_many and distance_matrix. Nothing is written to disk.

Controls are maps made of references alone, by which one sees whether a measure can be won without a good map.
In tables of systems they stand under names in brackets. Where a control beats a system, the measure says little:
by the distance TTED itself, say, the root alone often wins, as it has no node too many. A table of pairs may name
a control of a map in place of a file: ``references/a.json (root)``.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import MEASURES
from tted_core.baselines.suite import EQUIVALENCE
from tted_core.batch.maps import gathered
from tted_core.batch.settings import BatchOptions
from tted_core.batch.work import Pairs, Work, prepared
from tted_core.distances import Models
from tted_core.errors import OptionsError
from tted_core.formats import AnyMap, MindMap, as_map, maps_of, pairs_of
from tted_core.foundations.extras import require
from tted_core.foundations.limits import MAX_MAPS_IN_MATRIX, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor, checked_monitor
from tted_core.foundations.registry import chosen, lookup
from tted_core.method import Method
from tted_core.tree import TextTree

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Control:
    """A control: an entry of ``CONTROLS``.

    Attributes:
        title: what it is.
        made: makes it of the document's reference; None where it is the reference of the next document.
    """

    title: str
    made: Callable[[TextTree], TextTree] | None


def flat(tree: TextTree) -> TextTree:
    """The nodes of a tree, all below its root."""
    return TextTree(tree.labels, (-1, *[0] * (len(tree) - 1)))


ANOTHER = "(another reference)"

CONTROLS: dict[str, Control] = {
    "(root)": Control("the root of the reference alone", lambda tree: tree.trimmed(1)),
    "(flat)": Control("all nodes of the reference below its root", flat),
    "(two levels)": Control("the first two levels of the reference", lambda tree: tree.trimmed(2)),
    ANOTHER: Control("the reference of the next document", None),
}
"""Controls by their names in tables of systems."""


def control_in(name: str) -> tuple[str, str]:
    """The name of a map, and that of its control, if this names one: "a.json (root)"; else the name and "".

    >>> control_in("a.json (root)"), control_in("a.json")
    (('a.json', '(root)'), ('a.json', ''))
    """
    for control, each in CONTROLS.items():
        if each.made is not None and name.endswith(f" {control}"):
            return name.removesuffix(f" {control}"), control
    return name, ""


def control_of(read: Callable[[], MindMap], name: str) -> MindMap:
    """The control of this name of a map; without the notices of its reader, which are those of the map."""
    given, made = read(), CONTROLS[name].made
    return replace(given, tree=given.tree if made is None else made(given.tree), notices=())


def next_documents(items: Sequence[str]) -> dict[str, str]:
    """Each document, and the one after it; the first follows the last.

    >>> next_documents(["a", "b", "c"])
    {'a': 'b', 'b': 'c', 'c': 'a'}
    """
    return dict(zip(items, [*items[1:], *items[:1]], strict=True))


SCORES = ("tted", *NORMALISATIONS)


@dataclass(frozen=True)
class LazyRows:
    """The rows of many comparisons, computed as they are asked for; each iteration computes them anew."""

    work: Work
    pairs: Pairs

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """One dict for each pair, with the columns that docs/evaluating.md lists; None where there is an error."""
        from tted_core.batch.solving import solved

        for columns in solved(self.work, self.pairs):
            for cells in zip(*columns.values(), strict=True):
                yield dict(zip(columns, cells, strict=True))

    def to_pandas(self) -> "pd.DataFrame":
        """All rows as a table.

        Raises:
            MissingExtraError: the extra "batch" isn't installed.
        """
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

    Raises:
        UnknownNameError: a baseline that isn't known.
        MapFormatError: ``pairs`` is no list of pairs of maps.
        EncoderError: the encoder can't be had or its vectors can't be used.
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

    Raises:
        MapFormatError: ``maps`` or ``others`` is no list of maps.
        OptionsError: a map can't be compared.
        LimitError: more maps than a matrix holds.
        UnknownNameError: no such score.
        EncoderError: the encoder can't be had or its vectors can't be used.
    """
    from tted_core.batch.costs import ChunkCosts
    from tted_core.batch.solving import chunks, solve_chunk

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
    for chunk in chunks(work, pairs):
        found = solve_chunk(work, method, ChunkCosts(work, method, pairs[chunk]))
        for (left, right), error in zip(pairs[chunk].tolist(), found.errors, strict=True):
            if error:
                raise OptionsError(f"maps {left} and {right} can't be compared: {error}")
        left, right = pairs[chunk].T
        matrix[left, right] = found.score(score)
        if mirrored:
            matrix[right, left] = matrix[left, right]
        monitor.advance(chunk.stop, len(pairs))
        monitor.check()
    return matrix if columns is None else matrix[: len(rows), len(rows) :]


def pairs_of_matrix(count: int, *, symmetric: bool) -> Pairs:
    """The pairs that a matrix of so many maps needs: the upper triangle, or all but the diagonal."""
    places = np.triu_indices(count, 1) if symmetric else np.nonzero(~np.eye(count, dtype=np.bool_))
    return np.stack(places, axis=1).astype(np.int32)


def _work(
    maps: list[AnyMap],
    options: BatchOptions,
    models: Models | None,
    monitor: Monitor,
    *,
    notices: bool = True,
) -> Work:
    named = ((str(number), partial(as_map, each)) for number, each in enumerate(maps))
    kept = gathered(named, options.contexts, depth=options.depth, total=len(maps))
    return prepared(kept, options, models or Models(), folder=None, monitor=monitor, notices=notices)
