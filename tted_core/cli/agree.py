"""tted agree: how well measures agree with people's scores, and whether one agrees better than another."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from tted_core.baselines import BASELINES
from tted_core.cli.method import add_method, chosen_names, method
from tted_core.cli.shared import (
    add_collection,
    add_csv,
    add_json,
    add_lower_is_better,
    add_seed,
    check_outputs,
    chosen_encoder,
    dump,
    fail,
    file_name,
    reading,
    tell,
    terminal_monitor,
    write_csv_text,
)
from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import MindMap, read_map
from tted_core.formats.labels import counted, quoted
from tted_core.formats.map_collections import collected
from tted_core.foundations.limits import MAX_BYTES
from tted_core.foundations.tables import csv_text
from tted_core.lab import Measure, map_measures
from tted_core.lab.people import (
    Agreement,
    Contest,
    JudgedPairs,
    MeasuredPairs,
    agreements,
    measure_pairs,
    read_judged_pairs,
)
from tted_core.systems.scores import LOWER
from tted_core.tree import TextTree
from tted_core.version import VERSION


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Agreement of measures with people's scores: Pearson, Spearman and Kendall's tau-b, with bootstrap "
        "intervals and paired tests of every two measures."
    )
    parser.add_argument(
        "table",
        type=file_name,
        metavar="TABLE.csv",
        help="the columns left and right (maps), or item and system (without maps), and score; "
        "any further one is a measure",
    )
    parser.add_argument(
        "--maps",
        type=file_name,
        metavar="FOLDER|ZIP|JSONL",
        help="where left and right name maps (default: files, by their paths from the table's folder)",
    )
    add_lower_is_better(
        parser, "columns that are lower for better maps, possibly score; TTED's own are known"
    )
    parser.add_argument(
        "--columns-only", action="store_true", help="measure nothing; compare the table's own columns"
    )
    parser.add_argument(
        "--baselines",
        default="none",
        metavar="NAME[,NAME...]|all|none",
        help=f"measures to add to TTED, of {', '.join(BASELINES)} (default: none)",
    )
    add_seed(parser, "the resamples")
    add_csv(parser, "the agreements")
    add_method(parser)
    add_collection(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> str:
    """Measure, correlate, and return what to print."""
    check_outputs([options.csv], [options.table, options.maps])
    judged = read_judged_pairs(_bytes(options.table))
    measures = {} if options.columns_only or not judged.pairs else _measures(options)
    if not measures and not judged.columns:
        fail(
            f"{options.table} has no measures; give it columns of them, or left and right for maps to measure"
        )
    measured = measure_pairs(
        judged, _trees(options, judged) if measures else {}, measures, terminal_monitor()
    )
    for name in options.lower_is_better:
        if name not in (*judged.columns, "score"):
            fail(f"--lower-is-better names {quoted(name)}; choose of {', '.join((*judged.columns, 'score'))}")
    lower = sorted(
        {*options.lower_is_better, *measures, *(name for name in judged.columns if LOWER.get(name))}
    )
    rows, contests = agreements(measured.scores, measured.measured, lower=lower, seed=options.seed)
    notices = list(dict.fromkeys(f"{row.measure}: {row.why_not}" for row in rows if row.why_not))
    if measured.left_out:
        told = f"{counted(len(measured.left_out), 'pair')} left out, as a measure is undefined"
        notices.insert(0, f"{told}: {', '.join(measured.left_out[:5])}")
    tell(notices)
    if options.csv is not None:
        columns = ("coefficient", "measure", "n", "value", "low", "high", "p")
        cells = (
            (row.coefficient, row.measure, row.n, row.value, *(row.ci95 or (None, None)), row.p)
            for row in rows
        )
        write_csv_text(csv_text(columns, cells), options.csv, options)
    if options.json:
        return dump(
            {
                "agreements": [asdict(row) for row in rows],
                "tests": [asdict(each) for each in contests],
                "lower_is_better": lower,
                "pairs": len(measured.scores),
                "seed": options.seed,
                "notices": notices,
                "version": VERSION,
            }
        )
    return "\n".join(_lines(rows, contests, measured))


def _bytes(file: str) -> bytes:
    try:
        with Path(file).open("rb") as source:
            return source.read(MAX_BYTES + 1)
    except OSError as error:
        raise TTEDError(f"{file} can't be read ({error.strerror}); check the name") from error


def _measures(options: argparse.Namespace) -> dict[str, Measure]:
    baselines = chosen_names(options.baselines, BASELINES, "baseline")
    return map_measures((method(options),), chosen_encoder(options), baselines)


def _trees(options: argparse.Namespace, judged: JudgedPairs) -> dict[str, TextTree]:
    """The maps that the pairs name, each read once."""
    readers: Mapping[str, Callable[[], MindMap]] = {}
    if options.maps is not None:
        readers = dict(collected(Path(options.maps), reading(options)))
    folder = Path(options.table).parent
    trees = {}
    for name in dict.fromkeys(name for pair in judged.pairs for name in pair):
        read = readers.get(name) or readers.get(Path(name).with_suffix("").as_posix())
        if options.maps is not None and read is None:
            raise MapFormatError(f"there is no map {quoted(name)} in {options.maps}; check the name")
        how = {"roots": options.roots, "field": options.field, "key": options.key}
        trees[name] = (read or partial(read_map, folder / name, **how))().tree
    return trees


def _lines(rows: Sequence[Agreement], contests: Sequence[Contest], measured: MeasuredPairs) -> list[str]:
    width = max(24, *(len(name) + 2 for name in measured.measured))
    lines = [f"  {'measure':<{width}}{'n':>6}{'agreement':>11}{'95 %':>24}{'p':>9}"]
    for coefficient in dict.fromkeys(row.coefficient for row in rows):
        lines.append(coefficient)
        for row in rows:
            if row.coefficient == coefficient:
                value = "undefined" if row.value is None else f"{row.value:.3f}"
                interval = "" if row.ci95 is None else "{:.3f} to {:.3f}".format(*row.ci95)
                p = "" if row.p is None else f"{row.p:.4f}"
                lines.append(f"  {row.measure:<{width}}{row.n:>6}{value:>11}{interval:>24}{p:>9}")
        lines += [
            f"  {each.a} - {each.b}: {each.difference:+.3f}, p = {each.p:.4f}"
            for each in contests
            if each.coefficient == coefficient
        ]
    size = counted(len(measured.scores), "judged map")
    return [
        *lines,
        "",
        f"{size}; 1 is perfect agreement, p two-sided and not corrected for the number of tests",
    ]
