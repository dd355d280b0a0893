"""Scores of systems: a value per document, system and measure, or the reason why there is none.

Scores may have been computed elsewhere: a table with item, system and measures, or results of ``tted batch``.
"""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tted_core.arithmetic import NORMALISATIONS
from tted_core.baselines import MEASURES
from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.batch.results import LOWER, read_parts
from tted_core.batch.table import FIRST_COLUMNS
from tted_core.errors import MapFormatError, Message, OptionsError, Setting, require
from tted_core.formats.document import decode
from tted_core.foundations.messages import counted, quoted, without_surrogates
from tted_core.foundations.stats import Values
from tted_core.foundations.tables import Cells, number_of, read_cells
from tted_core.matching.records import SHARES
from tted_core.method import SETTING_COLUMNS
from tted_core.notices import group_notices

_NAMED = 5  # documents that a notice names


@dataclass(frozen=True)
class SystemScores:
    """Values of n documents and s systems.

    Attributes:
        items: the documents' names.
        systems: the systems' names.
        measures: measure -> (s, n) values, NaN where there is none.
        lower: the measures of which lower is better.
        missing: (document, system) -> why there are no values.
        remarks: notices that concern no single map.
        of_maps: names of maps, and notices about them.
    """

    items: tuple[str, ...]
    systems: tuple[str, ...]
    measures: Mapping[str, Values] = field(repr=False)
    lower: frozenset[str]
    missing: Mapping[tuple[str, str], str] = field(default_factory=dict, repr=False)
    remarks: tuple[str, ...] = ()
    of_maps: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    @property
    def contenders(self) -> "SystemScores":
        """The scores without the controls."""
        return self.with_controls(())

    def with_controls(self, names: Collection[str]) -> "SystemScores":
        """The scores without the controls but these."""
        kept = [system not in BATCH_CONTROLS or system in names for system in self.systems]
        systems = tuple(itertools.compress(self.systems, kept))
        return replace(
            self, systems=systems, measures={name: values[kept] for name, values in self.measures.items()}
        )

    def whole(self, measure: str) -> NDArray[np.bool_]:
        """(n,) which documents have a value of this measure for every system, controls aside."""
        values = self.measures[measure][[system not in BATCH_CONTROLS for system in self.systems]]
        return np.asarray(np.isfinite(values).all(axis=0), dtype=np.bool_)

    @property
    def notices(self) -> tuple[str, ...]:
        """Every notice: about maps, and about documents that are left out for all systems."""
        return (*self.remarks, *(f"{name}: {notice}" for name, notice in self.of_maps), *self._left_out())

    @property
    def summary(self) -> tuple[str, ...]:
        """The notices, those about maps grouped by kind, each with a count and an example."""
        return (*self.remarks, *group_notices(self.of_maps), *self._left_out())

    def _left_out(self) -> list[str]:
        """Notices about documents left out of measures for all systems."""
        by_mask: dict[bytes, list[str]] = {}
        for measure in self.measures:
            by_mask.setdefault(self.whole(measure).tobytes(), []).append(measure)
        notices = []
        for mask, measures in by_mask.items():
            out = np.flatnonzero(~np.frombuffer(mask, dtype=np.bool_))
            if len(out):
                which = "" if len(measures) == len(self.measures) else f" of {', '.join(measures)}"
                reasons = "; ".join(self._reason(int(item), measures[0]) for item in out[:_NAMED])
                more = "" if len(out) <= _NAMED else f"; and {len(out) - _NAMED:,} more"
                notices.append(
                    f"{len(out):,} of {counted(len(self.items), 'document')} left out{which} for all systems: "
                    f"{reasons}{more}"
                )
        return notices

    def _reason(self, item: int, measure: str) -> str:
        name, contenders = self.items[item], self.contenders
        without = ~np.isfinite(contenders.measures[measure][:, item])
        reasons: dict[str, list[str]] = {}
        for system in itertools.compress(contenders.systems, without):
            reasons.setdefault(self.missing.get((name, system), f"no {measure}"), []).append(system)
        causes = "; ".join(f"{', '.join(each)}: {why}" for why, each in reasons.items())
        return f"{name} ({causes})"


# Scores of TTED that are measures of systems, the main one first: all but Steinhaus.
OF_TTED = tuple(
    dict.fromkeys(("normalized", "tted", *(name for name in NORMALISATIONS if name != "steinhaus")))
)

# Columns that are no measures; tables of earlier versions have nodes, those of the references.
ITEM, SYSTEM, NODES = "item", "system", "nodes"

# The columns of a batch that are taken as measures, if none are named.
OF_A_BATCH = (*OF_TTED, *SHARES, *(name for name in MEASURES if name not in FIRST_COLUMNS))


def read_scores(data: bytes, *, lower: Iterable[str] = (), measures: Sequence[str] = ()) -> SystemScores:
    """Read a CSV (comma, semicolon or tab) with the columns ``item``, ``system``, and one for each measure.

    A CSV file of ``tted batch`` has ``id`` for the item; its input needs a column ``system``. An empty cell is a
    document without a value.

    Args:
        data: the table.
        lower: measures of which lower is better; of those in ``LOWER`` it is known.
        measures: which columns to take; all by default.
    """
    return _scores(
        read_cells(without_surrogates(decode(data)[0]), "document and system"), tuple(lower), measures
    )


def read_batch(folder: Path, *, lower: Iterable[str] = (), measures: Sequence[str] = ()) -> SystemScores:
    """Read the results of ``tted batch`` in a folder, as ``read_scores`` reads a table."""
    require("batch")
    records = [
        {name: "" if value is None else str(value) for name, value in record.items()}
        for table in read_parts(folder)
        for record in table.to_pylist()
    ]
    if not records:
        raise MapFormatError(
            f"there are no results of a batch in {folder}; name the folder that it was written to"
        )
    rows = tuple(enumerate(records, start=2))
    return _scores(Cells(tuple(records[0]), rows, "\t"), tuple(lower), measures)


def _scores(cells: Cells, lower: tuple[str, ...], named: Sequence[str]) -> SystemScores:
    header = cells.header
    of_batch = {"signature", "tted", "error"} <= set(header)
    item = ITEM if ITEM in header or "id" not in header else "id"
    if without := [name for name in (item, SYSTEM) if name not in header]:
        raise MapFormatError(
            f"the table has no column {' and no column '.join(without)}; it needs item (the document), "
            "system, and a column for each measure (for results of a batch: give its table of pairs a column "
            "system)"
        )
    measures = [name for name in header if name not in {item, SYSTEM, NODES}]
    if of_batch:
        for name in SETTING_COLUMNS:
            settings = dict.fromkeys(record[name] for _, record in cells.rows if name in record)
            if len(settings) > 1:
                raise MapFormatError(
                    f"the batch has rows of several settings ({name}: {', '.join(settings)}); keep the rows of one"
                )
        measures = [name for name in OF_A_BATCH if any(record.get(name) for _, record in cells.rows)]
    chosen = _choose_columns(header, measures, named, lower)
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for line, record in cells.rows:
        key = record[item], record[SYSTEM]
        if not all(key):
            raise MapFormatError(f"a row without {item} or {SYSTEM}; name both", line=line)
        if key in rows:
            raise MapFormatError(
                f"{quoted(key[0])} of {quoted(key[1])} is there twice; give each document and system one row",
                line=line,
            )
        rows[key] = {name: number_of(cells, record, name, line) for name in chosen if record[name]}
    items, systems = (tuple(dict.fromkeys(key[side] for key in rows)) for side in (0, 1))
    unknown = [name for name in chosen if name not in LOWER]
    assumed = (
        f"higher {' and higher '.join(unknown)} is taken as better; name those of which lower is better with "
    )
    absent = (key for key in itertools.product(items, systems) if key not in rows)
    errors = {(record[item], record[SYSTEM]): record.get("error") for _, record in cells.rows}
    return SystemScores(
        items,
        systems,
        values_of(rows, items, systems, chosen),
        frozenset(name for name in chosen if name in lower or LOWER.get(name, False)),
        dict.fromkeys(absent, "not in the table") | {key: error for key, error in errors.items() if error},
        (Message(assumed, Setting("lower")),) if unknown and not lower else (),
    )


def _choose_columns(
    header: Sequence[str], measures: Sequence[str], named: Sequence[str], lower: Sequence[str]
) -> list[str]:
    for name in named:
        if name not in header:
            raise OptionsError(f"the table has no column {quoted(name)}; it has {', '.join(header)}")
    chosen = list(named or measures)
    if not chosen:
        raise MapFormatError("the table has no measures; give each a column")
    for name in lower:
        if name not in chosen:
            raise OptionsError(f"{quoted(name)} is no measure of the table; choose of {', '.join(chosen)}")
    return chosen


def values_of(
    rows: Mapping[tuple[str, str], Mapping[str, float]],
    items: Iterable[str],
    systems: Iterable[str],
    measures: Iterable[str],
) -> dict[str, Values]:
    """Measure -> (s, n) values of systems and documents, from the values of each (document, system)."""
    every = [[rows.get((item, system), {}) for item in items] for system in systems]
    return {
        name: np.array([[row.get(name, np.nan) for row in of_system] for of_system in every])
        for name in measures
    }
