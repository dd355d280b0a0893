"""tted quality DIR: how much more a measure sees of structure and meaning than of wording."""

import argparse
import math
from dataclasses import asdict
from functools import partial
from typing import Any

from tted_core.baselines import BASELINES
from tted_core.cli.shared import (
    add_json,
    add_preset,
    add_roots,
    chosen_names,
    dump,
    fail,
    file_name,
    loaded_encoder,
    show_progress,
    tell,
)
from tted_core.contexts import CONTEXTS
from tted_core.distances import distances_at_hand
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.formats.labels import counted
from tted_core.lab.quality import Grid, Row, rank_correlations, read_samples, run_grid
from tted_core.lab.quality.coefficients import Estimate
from tted_core.solvers import SOLVERS
from tted_core.version import VERSION
from tted_core.weighing import checked_gap, checked_power

SUMMARY = "R_S and R_M of measures on samples of known variants"

NAMES = "NAME[,NAME...]|all"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "The coefficients R_S and R_M (Sobolevsky and Vorontsov 2025, equations 3 and 4; smaller is better) of "
        "one or many measures."
    )
    parser.add_argument(
        "folder",
        type=file_name,
        metavar="DIR",
        help="samples: folders with base.json (or base_tree.json), paraphrase_1.json, structure_1.json, "
        "meaning_1.json and so on, at any depth",
    )
    parser.add_argument(
        "--encoders",
        "--encoder",
        default="minilm",
        metavar="NAME[,NAME...]",
        help=f"of {', '.join(ENCODERS)}",
    )
    parser.add_argument(
        "--distances",
        "--distance",
        metavar=NAMES,
        help=", ".join(distances_at_hand()),
    )
    parser.add_argument("--orders", "--order", metavar=NAMES, help=", ".join(SOLVERS))
    parser.add_argument("--contexts", "--context", metavar=NAMES, help=", ".join(CONTEXTS))
    parser.add_argument(
        "--gaps", "--gap", metavar="X|=X[,...]", help="what a missing sentence costs; see tted compare --help"
    )
    parser.add_argument("--powers", "--power", metavar="P[,P...]", help="how much the worst sentences weigh")
    add_preset(parser)
    parser.add_argument(
        "--baselines",
        default="none",
        metavar=f"{NAMES}|none",
        help=f"rows to add, of {', '.join(BASELINES)} (default: none)",
    )
    parser.add_argument(
        "--score",
        choices=("tted", "normalized", "steinhaus"),
        default="tted",
        help="which score the coefficients are of (default: tted); baselines have rho_base",
    )
    parser.add_argument("--variants", type=int, metavar="N", help="the first N of each kind (default: all)")
    parser.add_argument("--sizes", metavar="N[,N...]", help="only samples whose base has so many nodes")
    parser.add_argument(
        "--time-limit", type=float, metavar="S", help="seconds per pair for an order that may take long"
    )
    parser.add_argument("--no-cache", action="store_true", help="keep no embeddings on disk (see TTED_CACHE)")
    add_roots(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> str:
    """Measure the samples and return what to print."""
    if options.time_limit is not None and not 0 < options.time_limit < math.inf:
        fail("--time-limit takes a finite number of seconds above 0")
    if options.variants is not None and options.variants < 1:
        fail(f"--variants is {options.variants}; give a number above 0")
    encoders = dict.fromkeys(name.strip() for name in options.encoders.split(","))
    grid = Grid(
        {name: partial(loaded_encoder, name, cached=not options.no_cache) for name in encoders},
        chosen_names(options.orders, SOLVERS, "order"),
        chosen_names(options.contexts, CONTEXTS, "context"),
        chosen_names(options.distances, distances_at_hand(), "distance"),
        chosen_names(options.baselines, BASELINES, "baseline"),
        options.time_limit,
        [checked_gap(gap) for gap in options.gaps.split(",")],
        [checked_power(power) for power in options.powers.split(",")],
    )
    notices: list[str] = []
    samples = read_samples(options.folder, options.variants, roots=options.roots, tell=notices.append)
    if options.sizes:
        sizes = dict.fromkeys(size.strip() for size in options.sizes.split(","))
        samples = tuple(sample for sample in samples if str(sample.size) in sizes)
        if not samples:
            fail(f"no sample in {options.folder} has a base of {options.sizes} nodes")
        absent = sizes.keys() - {str(sample.size) for sample in samples}
        notices += [f"no sample has a base of {size} nodes" for size in sizes if size in absent]
    report = run_grid(samples, grid, progress=show_progress)
    notices += report.notices
    tell(notices)
    rows = [
        {
            **row.as_json(None if "baseline" in row.options else options.score),
            "ranking": {name: asdict(agreement) for name, agreement in rank_correlations(row).items()},
        }
        for row in report.rows
    ]
    if options.json:
        return dump(
            {**(rows[0] if len(rows) == 1 else {"rows": rows}), "version": VERSION, "notices": notices}
        )
    return "\n".join(_lines(report.rows, rows, len(samples)))


def _lines(rows: tuple[Row, ...], contents: list[dict[str, Any]], samples: int) -> list[str]:
    lines = [f"{'':<44}{'R_S':>15}{'95 %':>15}{'R_M':>15}{'95 %':>15}{'left out':>10}"]
    for row, content in zip(rows, contents, strict=True):
        cells = [text for name in ("r_s", "r_m") for text in _cells(Estimate(**content[name]))]
        dropped = content["r_s"]["dropped"] + content["r_m"]["dropped"]
        unproven = f"  ({row.unproven} not proven)" if row.unproven else ""
        lines.append(f"{row.name:<44}{''.join(f'{cell:>15}' for cell in cells)}{dropped:>10}{unproven}")
        if len(rows) == 1:
            lines += ["", *_means(content), "", row.signature]
    size = counted(samples, "sample")
    return [*lines, "", f"{size}; mean and standard deviation over samples; smaller is better"]


def _cells(estimate: Estimate) -> tuple[str, str]:
    if estimate.mean is None:
        return "undefined", ""
    interval = "" if estimate.ci95 is None else "{:.2f} to {:.2f}".format(*estimate.ci95)
    return f"{estimate.mean:.2f} ± {estimate.std:.2f}", interval


def _means(content: dict[str, Any]) -> list[str]:
    lines = []
    for kind, sizes in content["rho"].items():
        means = (
            f"{size} nodes {mean:.4f} ± {content['rho_std'][kind][size]:.4f}"
            for size, mean in sizes.items()
            if mean is not None
        )
        lines.append(f"mean distance, {kind:<11} {'; '.join(means)}")
    for name, words in (("r_s", "R_S"), ("r_m", "R_M")):
        pooled = Estimate(**content["pooled"][name])
        lines.append(f"{words} pooled over pairs as in the published tables: {_cells(pooled)[0]}")
    for name, agreement in content["ranking"].items():
        within, across = (_tau(agreement[key]) for key in ("within", "across"))
        lines.append(
            f"ranks as {name} does: Kendall's tau {within} within samples, {across} across all pairs"
        )
    return lines


def _tau(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
