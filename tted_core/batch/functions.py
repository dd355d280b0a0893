"""Many maps in memory: compare_many, distance_matrix and nearest. Nothing is written to disk."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.batch.maps import gathered
from tted_core.batch.settings import BatchOptions, all_combined
from tted_core.batch.work import Pairs, Work, prepared
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import OptionsError
from tted_core.extras import require
from tted_core.formats import MindMap
from tted_core.limits import MAX_MAPS_IN_MATRIX, check_limit
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.presets import DEFAULT
from tted_core.registry import lookup
from tted_core.tree import TextTree
from tted_core.weighing import Gap

if TYPE_CHECKING:
    import pandas as pd

    from tted_core.batch.neighbours import Nearest

AnyMap: TypeAlias = MindMap | TextTree
SCORES = ("tted", *NORMALISATIONS)


@dataclass(frozen=True)
class Results:
    """The rows of many comparisons, computed as they are asked for; each iteration computes them anew."""

    work: Work
    pairs: Pairs

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """One dict for each pair, with the columns that docs/scale.md lists; None where there is an error."""
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
    *,
    encoder: str | Encoder = "minilm",
    distance: str = DEFAULT.distance,
    order: str = DEFAULT.order,
    context: str = DEFAULT.context,
    gap: Gap = DEFAULT.gap,
    power: float = DEFAULT.power,
    depth: int | None = None,
    baselines: Iterable[str] = (),
    time_limit: float | None = None,
    monitor: Monitor = UNWATCHED,
) -> Results:
    """Compare many pairs, with each distinct text encoded once; the options are those of ``compare``.

    What can't be compared has an ``error`` in its row. A map that stands in several pairs should be one object.

    Raises:
        UnknownNameError: a name that isn't known.
        OptionsError: options that don't go together.
        EncoderError: the encoder can't be had or its vectors can't be used.
    """
    numbers: dict[int, int] = {}
    maps: list[AnyMap] = []
    chosen: list[tuple[int, int]] = []
    for left, right in pairs:
        for side in (left, right):
            if id(side) not in numbers:  # ``maps`` keeps it alive, so no other one gets its id
                numbers[id(side)] = len(maps)
                maps.append(side)
        chosen.append((numbers[id(left)], numbers[id(right)]))
    options = _options(
        encoder, (distance, order, context), (gap, power), (depth, time_limit), tuple(baselines)
    )
    work = _work(maps, options, encoder, monitor)
    return Results(work, np.array(chosen, dtype=np.int32).reshape(-1, 2))


def distance_matrix(
    maps: Sequence[AnyMap],
    *,
    encoder: str | Encoder = "minilm",
    distance: str = DEFAULT.distance,
    order: str = DEFAULT.order,
    context: str = DEFAULT.context,
    gap: Gap = DEFAULT.gap,
    power: float = DEFAULT.power,
    depth: int | None = None,
    time_limit: float | None = None,
    score: str = "tted",
    monitor: Monitor = UNWATCHED,
) -> NDArray[np.float64]:
    """(n, n) distances of n maps; where the node distance is symmetric each pair is computed once.

    Args:
        maps: the maps.
        encoder: as in ``compare``, like the options that follow.
        distance: likewise.
        order: likewise.
        context: likewise.
        gap: likewise.
        power: likewise.
        depth: likewise.
        time_limit: likewise.
        score: tted, normalized or steinhaus.
        monitor: watches the stages, and may stop it.

    Raises:
        OptionsError: a map can't be compared, or options don't go together.
        LimitError: more maps than a matrix holds.
        UnknownNameError: a name that isn't known.
        EncoderError: the encoder can't be had or its vectors can't be used.
    """
    from tted_core.batch.costs import ChunkCosts
    from tted_core.batch.solving import chunks, solve_chunk

    lookup(dict.fromkeys(SCORES), score, "score")
    check_limit(len(maps), MAX_MAPS_IN_MATRIX, "maps", "give fewer, or list the pairs for tted batch")
    options = _options(encoder, (distance, order, context), (gap, power), (depth, time_limit))
    work = _work(maps, options, encoder, monitor, notices=False)
    symmetric = work.settings[0].record.symmetric
    pairs = pairs_of_matrix(len(maps), symmetric=symmetric)
    monitor.stage(f"Comparing {len(pairs):,} pairs")
    matrix = np.zeros((len(maps), len(maps)))
    for chunk in chunks(work, pairs):
        found = solve_chunk(work, work.settings[0], ChunkCosts(work, work.settings[0], pairs[chunk]))
        for (left, right), error in zip(pairs[chunk].tolist(), found.errors, strict=True):
            if error:
                raise OptionsError(f"maps {left} and {right} can't be compared: {error}")
        left, right = pairs[chunk].T
        matrix[left, right] = found.score(score)
        if symmetric:
            matrix[right, left] = matrix[left, right]
        monitor.advance(chunk.stop, len(pairs))
        monitor.check()
    return matrix


def pairs_of_matrix(count: int, *, symmetric: bool) -> Pairs:
    """The pairs that a matrix of so many maps needs: the upper triangle, or all but the diagonal."""
    places = np.triu_indices(count, 1) if symmetric else np.nonzero(~np.eye(count, dtype=np.bool_))
    return np.stack(places, axis=1).astype(np.int32)


def nearest(
    query: AnyMap,
    maps: Sequence[AnyMap],
    k: int = 5,
    *,
    encoder: str | Encoder = "minilm",
    distance: str = DEFAULT.distance,
    order: str = DEFAULT.order,
    context: str = DEFAULT.context,
    gap: Gap = DEFAULT.gap,
    power: float = DEFAULT.power,
    depth: int | None = None,
    monitor: Monitor = UNWATCHED,
) -> "Nearest":
    """The k maps nearest to ``query``, exactly; those that a lower bound rules out are not compared.

    Bounds take maps as bags of sentences (:mod:`tted_core.batch.bounds`). The options are those of ``compare``.

    Raises:
        OptionsError: ``k`` is below 1, the query can't be compared, or options don't go together.
        UnknownNameError: a name that isn't known.
        EncoderError: the encoder can't be had or its vectors can't be used.
    """
    from tted_core.batch.neighbours import nearest_of

    if k < 1:
        raise OptionsError(f"the {k} nearest maps are none; give a number above 0")
    options = _options(encoder, (distance, order, context), (gap, power), (depth, None))
    work = _work([query, *maps], options, encoder, monitor, notices=False)
    if work.maps.error(0, context):
        raise OptionsError(
            f"the map whose neighbours are looked for can't be compared: {work.maps.error(0, context)}"
        )
    return nearest_of(work, k)


def _options(
    encoder: str | Encoder,
    names: tuple[str, str, str],
    weighing: tuple[Gap, float],
    bounds: tuple[int | None, float | None],
    baselines: tuple[str, ...] = (),
) -> BatchOptions:
    """One setting: names of distance, order and context; gap and power; depth and time limit."""
    model = encoder if isinstance(encoder, str) else "given"
    distance, order, context = names
    gap, power = weighing
    return BatchOptions((model,), (distance,), (order,), (context,), (gap,), (power,), baselines, *bounds)


def _work(
    maps: Sequence[AnyMap],
    options: BatchOptions,
    encoder: str | Encoder,
    monitor: Monitor,
    *,
    notices: bool = True,
) -> Work:
    def as_map(given: AnyMap) -> MindMap:
        return given if isinstance(given, MindMap) else MindMap(given, "tree")

    settings = all_combined(options)
    if not settings:
        raise OptionsError("nothing goes with these options")
    load: Callable[[str], Encoder] = load_encoder if isinstance(encoder, str) else lambda _name: encoder
    named = ((str(number), partial(as_map, each)) for number, each in enumerate(maps))
    kept = gathered(named, options.contexts, depth=options.depth, total=len(maps))
    return prepared(kept, options, settings, folder=None, load=load, monitor=monitor, notices=notices)
