"""tted agree: how well measures agree with people's judgements of pairs, beside controls without structure."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path

from tted_core.baselines import BASELINES, USUAL
from tted_core.cli.method import chosen_names, combination_arguments, methods
from tted_core.cli.shared import (
    COLLECTION,
    JSON,
    NO_CACHE,
    argument,
    check_outputs,
    content_of,
    csv_of,
    dump,
    fail,
    file_name,
    loading,
    lower_is_better,
    reading,
    seed_of,
    tell,
    terminal_monitor,
    write_table,
)
from tted_core.errors import MapFormatError
from tted_core.formats import MindMap, read_map
from tted_core.formats.labels import counted, quoted
from tted_core.formats.map_collections import collected
from tted_core.foundations.tables import csv_text, text_table
from tted_core.lab.people import (
    WITHOUT_STRUCTURE,
    Agreement,
    JudgedPairs,
    agreements,
    measured,
    read_judged_pairs,
)
from tted_core.method import OPTIONS, PRESETS, Method
from tted_core.tree import TextTree
from tted_core.version import VERSION

DESCRIPTION = (
    "Agreement of TTED and other measures with people's judgements: Spearman's rho with ratings, or the mean of "
    "Kendall's tau-b over groups of ranked pairs, with bootstrap intervals and differences to the best measure "
    "that ignores the hierarchy."
)

ARGUMENTS = (
    argument(
        "table",
        type=file_name,
        metavar="PAIRS",
        help="a .csv or .tsv file with the columns left, right (maps) and human (higher: more alike), perhaps id, "
        "group (ranked within it) and cluster (drawn together); any further one is a measure",
    ),
    argument(
        "--maps",
        type=file_name,
        metavar="FOLDER|ZIP|JSONL",
        help="the maps that left and right name (default: files, by their paths from the table's folder)",
    ),
    lower_is_better("columns of the table, human among them, that are lower where maps are more alike"),
    *combination_arguments(
        baselines="measures beside TTED", default=",".join((*USUAL, *WITHOUT_STRUCTURE)), presets=True
    ),
    seed_of("the resamples"),
    *csv_of("the agreements"),
    *COLLECTION,
    NO_CACHE,
    JSON,
)


def run(options: argparse.Namespace) -> str:
    """Measure, correlate, and return what to print."""
    check_outputs([options.csv], [options.table, options.maps])
    rated = _turned(read_judged_pairs(content_of(options.table)), options.lower_is_better)
    settings = _titles(methods(options))
    baselines = chosen_names(options.baselines, BASELINES, "baseline")
    values = measured(
        rated,
        _trees(options, rated),
        settings,
        baselines,
        load=cache(loading(options)),
        monitor=terminal_monitor(),
    )
    undefined = [name for name in baselines if name not in values]
    if undefined:
        tell([f"{', '.join(undefined)} left out: undefined for some of the pairs"])
    rows = agreements(rated, values, controls=WITHOUT_STRUCTURE, seed=options.seed)
    columns = ("measure", "agreement", "low", "high", "difference", "difference_low", "difference_high")
    cells = (
        (row.measure, row.value, *row.ci95, row.difference, *(row.difference_ci95 or (None, None)))
        for row in rows
    )
    write_table(csv_text(columns, cells), options)
    if options.json:
        return dump(
            {
                "agreements": [asdict(row) for row in rows],
                "pairs": len(rated.ids),
                "groups": len({*rated.groups} - {""}),
                "clusters": len({*rated.clusters}),
                "left_out": undefined,
                "seed": options.seed,
                "version": VERSION,
            }
        )
    return "\n".join(_lines(rows, rated))


def _turned(rated: JudgedPairs, names: Sequence[str]) -> JudgedPairs:
    """Negate the columns that are lower where maps are more alike."""
    for name in names:
        if name not in {*rated.columns, "human"}:
            fail(f"--lower-is-better names {quoted(name)}; choose of {', '.join((*rated.columns, 'human'))}")
    columns = {
        name: tuple(-value for value in values) if name in names else values
        for name, values in rated.columns.items()
    }
    human = tuple(-value for value in rated.human) if "human" in names else rated.human
    return replace(rated, human=human, columns=columns)


def _titles(settings: Sequence[Method]) -> dict[str, Method]:
    """The settings by the preset that each is nearest to, and by what differs from it."""
    titles = {}
    for method in settings:
        values = {name: getattr(method, name) for name in OPTIONS}
        differing = {
            preset: [f"{name} {values[name]}" for name, value in fixed.items() if values[name] != value]
            for preset, fixed in PRESETS.items()
        }
        preset = min(differing, key=lambda name: len(differing[name]))
        titles[", ".join((f"TTED {preset}", *differing[preset]))] = method
    return titles


def _trees(options: argparse.Namespace, rated: JudgedPairs) -> dict[str, TextTree]:
    """The maps that the pairs name, each read once."""
    readers: Mapping[str, Callable[[], MindMap]] = {}
    if options.maps is not None:
        readers = dict(collected(Path(options.maps), reading(options)))
    folder = Path(options.table).parent
    trees = {}
    for name in dict.fromkeys(name for pair in rated.pairs for name in pair):
        read = readers.get(name) or readers.get(Path(name).with_suffix("").as_posix())
        if options.maps is not None and read is None:
            raise MapFormatError(f"there is no map {quoted(name)} in {options.maps}; check the name")
        how = {"roots": options.roots, "field": options.field, "key": options.key}
        trees[name] = (read or partial(read_map, folder / name, **how))().tree
    return trees


def _lines(rows: Sequence[Agreement], rated: JudgedPairs) -> list[str]:
    control = next((row.measure for row in rows if row.measure in WITHOUT_STRUCTURE), None)
    compared = (f"minus {control}", "95 %") if control else ()
    table = [("", "agreement", "95 %", *compared)]
    for row in rows:
        table.append((row.measure, f"{row.value:.3f}", _interval(row.ci95)))
        if row.difference is not None and row.difference_ci95 is not None and control:
            table[-1] += (f"{row.difference:+.3f}", _interval(row.difference_ci95))
        elif control:
            table[-1] += ("", "")
    groups = len({*rated.groups} - {""})
    by = f"mean of Kendall's tau-b in {counted(groups, 'group')}" if groups else "Spearman's rho"
    counts = f"{counted(len(rated.ids), 'pair')}, {counted(len({*rated.clusters}), 'cluster')}; {by}."
    lines = [*text_table(table), "", counts]
    tted = next((row for row in rows if row.measure.startswith("TTED")), None)
    if control and tted and tted.difference is not None and tted.difference_ci95 is not None:
        low, high = tted.difference_ci95
        verdict = "better than" if low > 0 else "less well than" if high < 0 else "about as well as"
        lines.append(
            f"{tted.measure} agrees with people {verdict} the best control without structure, {control}."
        )
    return lines


def _interval(ci95: tuple[float, float]) -> str:
    return "{:6.3f} to {:6.3f}".format(*ci95)
