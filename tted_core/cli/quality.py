"""tted quality DIR: how much more a measure sees of structure and meaning than of wording."""

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tted_core.arithmetic import NORMALISATIONS
from tted_core.cli.grid import add_grid, chosen_grid, chosen_samples
from tted_core.cli.shared import dump, tell, terminal_monitor
from tted_core.formats.labels import counted
from tted_core.lab.quality import Row, rank_correlations, run_grid
from tted_core.lab.quality.coefficients import FIGURES, Estimate
from tted_core.lab.quality.grid import is_control
from tted_core.version import VERSION


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "The coefficients R_S and R_M (Sobolevsky and Vorontsov 2025, equations 3 and 4; smaller is better) of "
        "one or many measures."
    )
    add_grid(parser)
    parser.add_argument(
        "--score",
        choices=("tted", *NORMALISATIONS),
        default="tted",
        help="which score the coefficients are of (default: tted); baselines have rho_base",
    )


def run(options: argparse.Namespace) -> str:
    """Measure the samples and return what to print."""
    grid = chosen_grid(options)
    samples, notices = chosen_samples(options)
    report = run_grid(samples, grid, monitor=terminal_monitor())
    notices += report.notices
    tell(notices)
    rows = [
        {
            **row.as_json(options.score if "distance" in row.options else None),
            "ranking": {name: asdict(agreement) for name, agreement in rank_correlations(row).items()},
        }
        for row in report.rows
    ]
    if options.json:
        asked, controls = (
            [row for row in rows if is_control(row["options"]) is wanted] for wanted in (False, True)
        )
        content = asked[0] if len(asked) == 1 else {"rows": asked}
        return dump({**content, "controls": controls, "version": VERSION, "notices": notices})
    return "\n".join(_lines(report.rows, rows, len(samples)))


def _lines(rows: tuple[Row, ...], contents: list[dict[str, Any]], samples: int) -> list[str]:
    headings = "".join(f"{name:>15}{'95 %':>15}" for name in FIGURES.values())
    lines = [f"{'':<44}{headings}{'left out':>10}"]
    details: list[str] = []
    alone = sum(not is_control(row.options) for row in rows) == 1
    for row, content in zip(rows, contents, strict=True):
        found = row.quality_of(content["options"]["score"])
        cells = "".join(f"{cell:>15}" for estimate in found.figures.values() for cell in _cells(estimate))
        unproven = f"  ({row.unproven} not proven)" if row.unproven else ""
        lines.append(f"{row.name:<44}{cells}{found.r_s.dropped + found.r_m.dropped:>10}{unproven}")
        lines += [f"  ({FIGURES[name]}): {doubt}" for name, doubt in content["doubt"].items()]
        if alone and not is_control(row.options):
            details = ["", *_means(content, found.pooled), "", row.signature]
    size = counted(samples, "sample")
    told = f"{size}; mean and standard deviation over samples; R_S, R_M: smaller is better, A_X: larger"
    return [*lines, *details, "", told]


def _cells(estimate: Estimate) -> tuple[str, str]:
    """The figure and its interval; in brackets if it can't stand beside others."""
    if estimate.mean is None:
        return "undefined", ""
    interval = "" if estimate.ci95 is None else "{:.2f} to {:.2f}".format(*estimate.ci95)
    cells = f"{estimate.mean:.2f} ± {estimate.std:.2f}", interval
    return (f"({cells[0]})", f"({interval})" if interval else "") if estimate.doubt else cells


def _means(content: dict[str, Any], pooled: Mapping[str, Estimate]) -> list[str]:
    lines = []
    for kind, sizes in content["rho"].items():
        means = (
            f"{size} nodes {mean:.4f} ± {content['rho_std'][kind][size]:.4f}"
            for size, mean in sizes.items()
            if mean is not None
        )
        lines.append(f"mean distance, {kind:<11} {'; '.join(means)}")
    for name, estimate in pooled.items():
        doubt = f"; {estimate.doubt}" if estimate.doubt else ""
        lines.append(
            f"{FIGURES[name]} pooled over pairs as in the published tables: {_cells(estimate)[0]}{doubt}"
        )
    for name, agreement in content["ranking"].items():
        within, across = (_tau(agreement[key]) for key in ("within", "across"))
        lines.append(
            f"ranks as {name} does: Kendall's tau {within} within samples, {across} across all pairs"
        )
    return lines


def _tau(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
