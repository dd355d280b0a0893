"""tted agree: how well measures agree with people's judgements of pairs, beside controls without structure."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

from tted_core.baselines import BASELINES, DEFAULT_BASELINES
from tted_core.cli.method import METHOD, NAME_LIST, baselines_argument, method, pick_names
from tted_core.cli.shared import (
    COLLECTION,
    JSON,
    Options,
    argument,
    check_outputs,
    command,
    content_of,
    csv_of,
    file_name,
    loading,
    progress,
    read_chosen_map,
    seed_argument,
    show,
    tell,
    write_table,
)
from tted_core.foundations.messages import counted
from tted_core.foundations.tables import csv_text, text_table
from tted_core.lab.people import (
    WITHOUT_STRUCTURE,
    JudgedPairs,
    MeasureAgreement,
    agreements,
    measure_agreement,
    read_judged_pairs,
)
from tted_core.method import PRESETS
from tted_core.version import VERSION


@command(
    argument(
        "table",
        type=file_name,
        metavar="PAIRS",
        help="a .csv or .tsv file with the columns left, right (paths of maps from its folder) and human (higher: "
        "more alike), perhaps id, group (ranked within it) and cluster (drawn together); any other is a measure",
    ),
    *METHOD,
    argument(
        "--preset",
        default="all",
        metavar=NAME_LIST,
        help=f"TTED by each of {', '.join(PRESETS)}, under the other options (default: all)",
    ),
    baselines_argument(BASELINES, ",".join(DEFAULT_BASELINES)),
    seed_argument("the resamples"),
    *csv_of("the agreements"),
    *COLLECTION,
    JSON,
    description=(
        "Agreement of TTED and other measures with people's judgements: Spearman's rho with ratings, or the mean "
        "of Kendall's tau-b over groups of ranked pairs, with bootstrap intervals and differences to the best "
        "measure that ignores the hierarchy, all of which are computed."
    ),
)
def agree_command(options: Options) -> str:
    """Measure, correlate, and return what to print."""
    check_outputs([options.csv], [options.table])
    rated = read_judged_pairs(content_of(options.table))
    settings = {
        f"TTED {preset}": method(options, preset) for preset in pick_names(options.preset, PRESETS, "preset")
    }
    baselines = list(
        dict.fromkeys((*pick_names(options.baselines, BASELINES, "baseline"), *WITHOUT_STRUCTURE))
    )
    names = dict.fromkeys(name for pair in rated.pairs for name in pair)
    folder = Path(options.table).parent
    values = measure_agreement(
        rated,
        {name: read_chosen_map(str(folder / name), options).tree for name in names},
        settings,
        baselines,
        load=cache(loading(options)),
        monitor=progress(),
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
    return show(
        options,
        lambda: {
            "agreements": [asdict(row) for row in rows],
            "pairs": len(rated.ids),
            "groups": len({*rated.groups} - {""}),
            "clusters": len({*rated.clusters}),
            "left_out": undefined,
            "seed": options.seed,
            "version": VERSION,
        },
        lambda: "\n".join(_lines(rows, rated)),
    )


def _lines(rows: Sequence[MeasureAgreement], rated: JudgedPairs) -> list[str]:
    control = next((row.measure for row in rows if row.measure in WITHOUT_STRUCTURE), "no control")
    table = [("", "agreement", "95 %", f"minus {control}", "95 %")]
    for row in rows:
        difference = "" if row.difference is None else f"{row.difference:+.3f}"
        cells = f"{row.value:.3f}", _interval(row.ci95), difference, _interval(row.difference_ci95)
        table.append((row.measure, *cells))
    groups = len({*rated.groups} - {""})
    by = f"mean of Kendall's tau-b in {counted(groups, 'group')}" if groups else "Spearman's rho"
    counts = f"{counted(len(rated.ids), 'pair')}, {counted(len({*rated.clusters}), 'cluster')}; {by}."
    lines = [*text_table(table), "", counts]
    tted = next((row for row in rows if row.measure.startswith("TTED")), None)
    if tted is not None and tted.difference_ci95 is not None:
        low, high = tted.difference_ci95
        verdict = "better than" if low > 0 else "less well than" if high < 0 else "about as well as"
        lines.append(
            f"{tted.measure} agrees with people {verdict} the best control without structure, {control}."
        )
    return lines


def _interval(ci95: tuple[float, float] | None) -> str:
    return "" if ci95 is None else "{:6.3f} to {:6.3f}".format(*ci95)
