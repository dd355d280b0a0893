"""One part of a batch: its pairs solved, and written into its file."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tted_core.batch.maps import Texts
from tted_core.batch.parts import Layout, write_part
from tted_core.batch.work import Pairs, Work
from tted_core.words.surrogates import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Part:
    """Pairs that are written into one file: p of them, with what stands beside them."""

    file: Path
    pairs: Pairs
    ids: Texts
    further: dict[str, Texts]


def solve_part(work: Work | str, layout: Layout, part: Part) -> int:
    """Solve one part and write it; the number of its pairs. ``work`` may be the file that it was put into."""
    import pyarrow as pa
    from threadpoolctl import threadpool_limits

    from tted_core.batch.solving import Columns, solved  # numba: no other command needs it

    if isinstance(work, str):
        work = _opened(work)
    columns: Columns = {}
    with threadpool_limits(1, user_api="blas"):  # other parts have the other cores
        for rows in solved(work, part.pairs):
            for name, values in rows.items():
                columns.setdefault(name, []).extend(values)
    times = len(work.settings)
    names = work.maps.names
    beside: dict[str, Sequence[str]] = {
        "id": part.ids,
        "left": [names[number] for number in part.pairs[:, 0].tolist()],
        "right": [names[number] for number in part.pairs[:, 1].tolist()],
        **part.further,
    }
    columns |= {name: [value for value in values for _ in range(times)] for name, values in beside.items()}
    schema = layout.schema()
    arrays = [pa.array(_encodable(columns[each.name]), each.type) for each in schema]
    write_part(pa.Table.from_arrays(arrays, schema=schema), part.file)
    return len(part.ids)


def _encodable(values: list[Any]) -> list[Any]:
    """The values, with lone surrogates, which no file holds, as U+FFFD."""
    return [
        without_surrogates(value) if isinstance(value, str) and not value.isascii() else value
        for value in values
    ]


@functools.cache
def _opened(file: str) -> Work:
    import joblib

    work: Work = joblib.load(file, mmap_mode="r")
    return work
