"""From judged pairs to values of measures: the maps by their names, each pair measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tted_core.errors import MapFormatError
from tted_core.lab.map_measures import Measure
from tted_core.lab.people.table import JudgedPairs
from tted_core.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree


@dataclass(frozen=True)
class MeasuredPairs:
    """Pairs with people's scores and n values of each measure (``measured``).

    ``left_out`` names the pairs that some measure is undefined for; ``complete`` is False after a stop. ``items``
    and ``systems`` are those of the pairs, where the table has them.
    """

    names: tuple[str, ...]
    scores: tuple[float, ...]
    measured: dict[str, tuple[float, ...]]
    left_out: tuple[str, ...]
    complete: bool
    items: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()


def measure_pairs(
    judged: JudgedPairs,
    maps: Mapping[str, TextTree],
    measures: Mapping[str, Measure],
    *,
    monitor: Monitor = UNWATCHED,
) -> MeasuredPairs:
    """Measure every pair; the table's own columns come after the measures.

    Without measures, the maps need not be there.

    Raises:
        MapFormatError: a pair names a map that isn't there.
    """
    if measures:
        _check_names(judged.pairs, maps)
    rows: dict[str, list[float]] = {name: [] for name in (*measures, *judged.columns)}
    names, scores, left_out, kept = [], [], [], []
    total = len(judged.pairs)
    complete = True
    for index, (left, right) in enumerate(judged.pairs):
        if monitor.stopped:
            complete = False
            break
        monitor.stage(f"Measuring {total} pairs", index / total)
        name = f"{left} | {right}" if right else left
        values = {column: given[index] for column, given in judged.columns.items()}
        for measure_name, measure in measures.items():
            value = measure(maps[left], maps[right])
            if value is None:
                left_out.append(name)
                break
            values[measure_name] = value
        else:
            names.append(name)
            kept.append(index)
            scores.append(judged.scores[index])
            for row, value in values.items():
                rows[row].append(value)
    finished = {name: tuple(values) for name, values in rows.items()}
    beside = (tuple(each[index] for index in kept if each) for each in (judged.items, judged.systems))
    return MeasuredPairs(tuple(names), tuple(scores), finished, tuple(left_out), complete, *beside)


def _check_names(pairs: Sequence[tuple[str, str]], maps: Mapping[str, TextTree]) -> None:
    for row, pair in enumerate(pairs, start=1):
        for name in pair:
            if name not in maps:
                known = ", ".join(list(maps)[:3]) or "none"
                raise MapFormatError(
                    f'row {row} of the judgements names the map "{name}", but the maps are: {known} ...'
                )
