"""tted detect DIR: how surely measures find a few wrong places among reworded sentences."""

import argparse
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from tted_core.cli.grid import add_grid, chosen_grid, chosen_samples
from tted_core.cli.method import chosen_names
from tted_core.cli.shared import dump, fail, tell, terminal_monitor
from tted_core.formats.labels import counted
from tted_core.lab.detection import EDITS, Balance, Counting, Detected, Detection, Mean, detect
from tted_core.lab.detection.results import LARGE
from tted_core.lab.detection.study import SEEDS, SURE
from tted_core.lab.quality.grid import is_control, named
from tted_core.version import VERSION

BALANCE_WORDS = {
    "meaning": "meaning (1 swap)",
    "structure": "structure (1 move, deletion, invented node)",
    "position": "position (1 exchange)",
    "counting": "counting (swaps: 2 against 1, 3 against 2, a half against a fifth)",
    "balance": "balance, the mean of these four",
    "right_pairs": f"right pairs after 3 moves, maps of {LARGE} nodes or more",
    "a_x": "A_X, all sentences displaced against a paraphrase",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Edit the paraphrases of samples, and report how reliably one or many measures find the edits: AUC (1/2 "
        "is chance), right pairs of the mapping, counting. Edits: "
        + "; ".join(f"{name}: {edit.title}" for name, edit in EDITS.items())
    )
    add_grid(parser)
    parser.add_argument(
        "--edits", default="all", metavar="NAME[,NAME...]|all", help=f"of {', '.join(EDITS)} (default: all)"
    )
    parser.add_argument(
        "--seeds",
        type=int,
        default=SEEDS,
        metavar="N",
        help=f"edited versions of each paraphrase, edit and dose (default: {SEEDS})",
    )


def run(options: argparse.Namespace) -> str:
    """Measure the samples and return what to print."""
    if options.seeds < 1:
        fail(f"--seeds is {options.seeds}; give a number above 0")
    grid = chosen_grid(options)
    edits = chosen_names(options.edits, EDITS, "edit")
    samples, notices = chosen_samples(options)
    result = detect(samples, grid, seeds=options.seeds, edits=edits, monitor=terminal_monitor())
    tell([*notices, *result.notices])
    if options.json:
        return dump(detection_json(result) | {"notices": [*notices, *result.notices]})
    return "\n".join(_lines(result, len(samples)))


def detection_json(result: Detection) -> dict[str, Any]:
    """The detection as a JSON object."""
    asked, controls = (
        {
            "rows": [_row(row) for row in result.rows if is_control(row.options) is wanted],
            "counting": [_counting(each) for each in result.counting if is_control(each.options) is wanted],
            "balance": [_balance(each) for each in result.balance if is_control(each.options) is wanted],
            "seconds_per_pair": [
                seconds
                for each, seconds in zip(result.balance, result.seconds, strict=True)
                if is_control(each.options) is wanted
            ],
        }
        for wanted in (False, True)
    )
    scales = [asdict(scale) for scale in result.scales]
    return {**asked, "controls": controls, "scales": scales, "version": VERSION}


def _row(row: Detected) -> dict[str, Any]:
    return {
        **asdict(row),
        "auc": _value(row.auc),
        "ci95": _interval(row.auc),
        "samples": row.auc.samples if row.auc else 0,
        "doubt": row.doubt,
    }


def _counting(each: Counting) -> dict[str, Any]:
    return {
        "options": each.options,
        "edit": each.edit,
        "auc_3_against_1": _value(each.auc_3_against_1),
        "auc_3_against_1_ci95": _interval(each.auc_3_against_1),
        "spearman": _value(each.spearman),
    }


def _balance(each: Balance) -> dict[str, Any]:
    return {
        "options": each.options,
        **{name: None if mean is None else asdict(mean) for name, mean in each.means.items()},
    }


def _value(mean: Mean | None) -> float | None:
    return None if mean is None else mean.value


def _interval(mean: Mean | None) -> tuple[float, float] | None:
    return None if mean is None else mean.ci95


def _lines(result: Detection, samples: int) -> list[str]:
    lines = []
    for balance, seconds in zip(result.balance, result.seconds, strict=True):
        options = balance.options
        rows = [row for row in result.rows if row.options == options]
        lines += [f"{', '.join(named(options))}  ({1000 * seconds:.2f} ms a pair)"]
        lines += [f"  {'edit':<10}{'dose':>5}{'AUC':>7}{'95 %':>16}{'precision':>11}{'recall':>8}{'maps':>7}"]
        lines += [_line(row) for row in rows]
        counting = [each for each in result.counting if each.options == options]
        lines += [_counted(each) for each in counting]
        for edit in dict.fromkeys(row.edit for row in rows):
            dose = result.smallest_dose(options, edit)
            lines += [
                f"  {edit}: {'not found' if dose is None else f'found from {dose} on'} (AUC of at least {SURE})"
            ]
        lines += [*_balance_lines(balance), ""]
    lines += [
        f"{each.model}, {each.distance}: sentences of the samples are {each.median:.3f} apart in the median, "
        f"{each.farthest:.3f} at most"
        for each in result.scales
    ]
    return [*lines, f"{counted(samples, 'sample')}; means over samples, intervals by bootstrap over them"]


def _line(row: Detected) -> str:
    interval = "" if row.auc is None or row.auc.ci95 is None else "{:.3f} to {:.3f}".format(*row.auc.ci95)
    cells = [
        f"{cell:.3f}" if cell is not None else "" for cell in (_value(row.auc), row.precision, row.recall)
    ]
    doubt = "" if row.doubt is None else f"  ({row.doubt})"
    return f"  {row.edit:<10}{row.dose:>5}{cells[0]:>7}{interval:>16}{cells[1]:>11}{cells[2]:>8}{row.n:>7}{doubt}"


def _counted(each: Counting) -> str:
    cells = [
        "undefined" if value is None else f"{value:.3f}"
        for value in (_value(each.auc_3_against_1), _value(each.spearman))
    ]
    return f"  {each.edit:<10}AUC of 3 against 1: {cells[0]}; Spearman of dose and distance: {cells[1]}"


def _balance_lines(balance: Balance) -> Iterator[str]:
    for name, mean in balance.means.items():
        if mean is not None:
            interval = "" if mean.ci95 is None else " ({:.3f} to {:.3f})".format(*mean.ci95)
            yield f"  {BALANCE_WORDS[name]}: {mean.value:.3f}{interval}"
