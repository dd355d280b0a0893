"""tted quality DIR: sensitivity of measures to structure and meaning, compared with wording."""

import itertools
from collections.abc import Mapping
from typing import Any

from tted_core.baselines import BASELINES
from tted_core.batch.table import combine
from tted_core.cli.method import (
    baselines_argument,
    combination_arguments,
    pick_names,
    read_combinations,
)
from tted_core.cli.shared import (
    COLLECTION,
    ENCODING,
    JSON,
    Options,
    argument,
    command,
    dump,
    fail,
    file_name,
    loading,
    number,
    progress,
    reading_options,
    split_names,
    tell,
)
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.foundations.messages import counted
from tted_core.lab.coefficients import FIGURES, Estimate
from tted_core.lab.quality import QualityRow, run_grid
from tted_core.lab.samples import read_samples
from tted_core.method import PLURALS
from tted_core.version import VERSION


@command(
    argument(
        "folder",
        type=file_name,
        metavar="DIR",
        help="samples: folders with base.json (or base_tree.json), paraphrase_1.json, structure_1.json, "
        "meaning_1.json and so on, at any depth",
    ),
    *combination_arguments(depth=False),
    baselines_argument(BASELINES),
    argument("--variants", type=number(1), metavar="N", help="the first N of each kind (default: all)"),
    argument("--sizes", metavar="N[,N...]", help="only samples whose base has one of these numbers of nodes"),
    *ENCODING,
    *COLLECTION[:-1],
    JSON,
    description=(
        "The coefficients R_S and R_M of measures (Sobolevsky and Vorontsov 2025, equations 3 and 4; smaller is "
        "better)."
    ),
)
def quality_command(options: Options) -> str:
    """Measure the samples and return what to print."""
    given = read_combinations(options)
    notices: list[str] = []
    methods, encoders = combine(**given), given[PLURALS["encoder"]]
    baselines = pick_names(options.baselines, BASELINES, "baseline")
    samples = read_samples(
        options.folder, options.variants, reading=reading_options(options), report=notices.append
    )
    if options.sizes:
        sizes = split_names(options.sizes)
        samples = tuple(sample for sample in samples if str(sample.size) in sizes)
        if not samples:
            fail(f"no sample in {options.folder} has a base of {options.sizes} nodes")
    report = run_grid(
        samples, methods, baselines, encoders=encoders, load=loading(options), monitor=progress()
    )
    notices += [*_left_out(given), *report.notices]
    tell(notices)
    rows = [row.as_json() for row in report.rows]
    if not options.json:
        return "\n".join(_lines(report.rows, rows, len(samples)))
    content = rows[0] if len(rows) == 1 else {"rows": rows}
    return dump({**content, "version": VERSION, "notices": notices})


def _left_out(given: Mapping[str, Any]) -> list[str]:
    """A notice about combinations of a distance and a context that are invalid, if there are any."""
    every = itertools.product(*(given[PLURALS[name]] for name in ("distance", "context")))
    apart = [each for each in every if not DISTANCES[each[0]].goes_with(CONTEXTS[each[1]])]
    if not apart:
        return []
    distances, contexts = (", ".join(dict.fromkeys(names)) for names in zip(*apart, strict=True))
    return [f"left out: {distances} with the context {contexts}, which needs vectors"]


def _lines(rows: tuple[QualityRow, ...], contents: list[dict[str, Any]], samples: int) -> list[str]:
    headings = "".join(f"{name:>15}{'95 %':>15}" for name in FIGURES.values())
    lines = [f"{'':<44}{headings}{'left out':>10}"]
    for row, content in zip(rows, contents, strict=True):
        found = row.quality
        cells = "".join(f"{cell:>15}" for estimate in found.figures.values() for cell in _cells(estimate))
        dropped = found.figures["r_s"].dropped + found.figures["r_m"].dropped
        unproven = f"  ({row.unproven} not proven)" if row.unproven else ""
        lines.append(f"{row.name:<44}{cells}{dropped:>10}{unproven}")
        lines += [f"  ({FIGURES[name]}): {doubt}" for name, doubt in content["doubt"].items()]
    legend = f"{counted(samples, 'sample')}; mean and standard deviation over samples; smaller is better"
    return [*lines, *(["", rows[0].signature] if len(rows) == 1 else []), "", legend]


def _cells(estimate: Estimate) -> tuple[str, str]:
    """The figure and its interval; in brackets if it can't stand beside others."""
    if estimate.mean is None:
        return "undefined", ""
    interval = "" if estimate.ci95 is None else "{:.2f} to {:.2f}".format(*estimate.ci95)
    cells = f"{estimate.mean:.2f} ± {estimate.std:.2f}", interval
    return (f"({cells[0]})", f"({interval})" if interval else "") if estimate.doubt else cells
