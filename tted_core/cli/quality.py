"""tted quality DIR: how much more a measure sees of structure and meaning than of wording."""

import argparse
from dataclasses import asdict
from typing import Any

from tted_core.cli.grid import add_grid, chosen_grid, chosen_samples
from tted_core.cli.shared import dump, show_progress, tell
from tted_core.formats.labels import counted
from tted_core.lab.quality import Row, rank_correlations, run_grid
from tted_core.lab.quality.coefficients import Estimate
from tted_core.version import VERSION

SUMMARY = "R_S and R_M of measures on samples of known variants"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "The coefficients R_S and R_M (Sobolevsky and Vorontsov 2025, equations 3 and 4; smaller is better) of "
        "one or many measures."
    )
    add_grid(parser)
    parser.add_argument(
        "--score",
        choices=("tted", "normalized", "steinhaus"),
        default="tted",
        help="which score the coefficients are of (default: tted); baselines have rho_base",
    )


def run(options: argparse.Namespace) -> str:
    """Measure the samples and return what to print."""
    grid = chosen_grid(options)
    samples, notices = chosen_samples(options)
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
