"""tted compare LEFT RIGHT: TTED, its edit script and the baselines."""

import argparse
import math
from collections.abc import Iterator
from functools import partial

from tted_core.baselines import MEASURES, USUAL, BaselineScore, F1Score
from tted_core.cli.method import EQUIVALENT, PRESET, chosen_names, method, method_arguments
from tted_core.cli.shared import (
    EXCEL,
    FAIL_ABOVE,
    JSON,
    READING,
    argument,
    check_outputs,
    chosen_map,
    chosen_models,
    dump,
    fail,
    file_name,
    progress,
    refuse,
    tell,
    write_file,
)
from tted_core.compare import compare_maps, with_depths
from tted_core.comparison import Comparison
from tted_core.errors import TTEDError
from tted_core.explain.correspondence import STATUSES, correspondence
from tted_core.explain.mapping_view import MappingView
from tted_core.foundations.extras import require
from tted_core.foundations.files import ending
from tted_core.foundations.printable import shortened
from tted_core.foundations.registry import lookup
from tted_core.report.as_json import described
from tted_core.report.exports import EXPORTS, written
from tted_core.report.replay import replay_json
from tted_core.report.words import what_happened
from tted_core.tree import TextTree

ARGUMENTS = (
    argument("left", type=file_name, help="the source map, or - for standard input"),
    argument("right", type=file_name, help="the target map, or -"),
    *method_arguments(masked=True),
    PRESET,
    argument(
        "--baselines",
        metavar="NAME[,NAME...]|all|none",
        help=f"of {', '.join(MEASURES)} (default: {', '.join(USUAL)})",
    ),
    EQUIVALENT,
    argument(
        "--report",
        type=file_name,
        action="append",
        default=[],
        metavar="FILE",
        help=f"also write a report, in the format of the file's ending: {', '.join(EXPORTS)}; may be repeated",
    ),
    argument(
        "--replay", type=file_name, metavar="FILE", help="also write a replay file; see: tted replay --help"
    ),
    FAIL_ABOVE,
    EXCEL,
    *READING,
    JSON,
)


def run(options: argparse.Namespace) -> str:
    """Compare the two maps and return what to print."""
    if options.left == options.right == "-":
        fail("both maps can't come from standard input; name a file for one of them")
    by = method(options)
    for file in options.report:
        if lookup(EXPORTS, ending(file), "kind of report").drawn:  # before the costly part
            require("figures")
    check_outputs([*options.report, options.replay], [options.left, options.right])
    names: tuple[str, ...] = USUAL
    if options.baselines is not None:
        names = tuple(chosen_names(options.baselines, MEASURES, "baseline"))
    left, right = chosen_map(options.left, options), chosen_map(options.right, options)
    result = compare_maps(
        left,
        right,
        by,
        chosen_models(options),
        baselines=names,
        equivalence=options.equivalence,
        monitor=progress(),
    )
    result = with_depths(result, progress())
    for word, side in (("left", result.left), ("right", result.right)):
        tell(f"{word} map: {notice}" for notice in side.notices)
    tell(result.notices)
    for file in options.report:
        write_file(partial(written, result, ending(file), excel=options.excel), file)
    if options.replay is not None:
        write_file(lambda: replay_json(left, right, result).encode("ascii"), options.replay)
    text = dump(described(result)) if options.json else _text(result)
    if result.normalized > options.fail_above:
        refuse(text, f"the normalized distance is {result.normalized:.4f}, above {options.fail_above:g}")
    return text


def _text(result: Comparison) -> str:
    proof = "proven optimal" if result.proven else _gap(result.excess)
    lines = [
        f"TTED                  {result.tted:.4f}  ({result.method.order}, {proof})",
        f"normalized            {result.normalized:.4f}",
        f"coverage              {correspondence(result).shares(result.costs)[0]:.4f}",
    ]
    for name, score in result.baselines.items():
        if isinstance(score, BaselineScore):
            rho = "undefined" if score.rho_base is None else f"{score.rho_base:.4f}"
            shares = ""
            if isinstance(score, F1Score):
                shares = f"precision {score.precision:.4f}, recall {score.recall:.4f}, "
            lines.append(f"{name:<21} {score.sim:.4f}  ({shares}rho_base {rho})")
        else:
            lines.append(f"{name:<21} not computed: {score}")
    for name, values in result.suite.items():
        if not isinstance(values, TTEDError):
            lines.append(f"{name:<21} {_number(values[-1])}  (by depth: {' '.join(map(_number, values))})")
    lines += ["", what_happened(result), *_sentences(MappingView(result)), "", *_script(result)]
    lines += ["", *(f"hint: {hint} (--preset proofreading)" for hint in result.hints), result.signature]
    return "\n".join(lines)


def _sentences(view: MappingView) -> Iterator[str]:
    """The status of each sentence."""
    yield ", ".join(f"{count} {status}" for status, count in view.counts.items() if count)
    for number, each in enumerate(view.outcomes):
        notes = list(view.notes(number))
        if each.status == "moved" and each.source is not None and each.target is not None:
            here = _above(view.comparison.left.tree, each.source)
            there = _above(view.comparison.right.tree, each.target)
            notes.insert(0, f"from {here} to {there}" if here != there else f"among those {here}")
        note = f"  [{'; '.join(notes)}]" if notes else ""
        yield f"{STATUSES[each.status]} {_texts(view.comparison, each.source, each.target)}{note}"


def _above(tree: TextTree, node: int) -> str:
    """The parent of a node in words."""
    parent = tree.parents[node]
    return f"under “{shortened(tree.labels[parent], 40)}”" if parent >= 0 else "the root"


def _script(result: Comparison) -> Iterator[str]:
    """The operations of the script that cost something."""
    unit = result.script.unit
    yield "edit script" if unit.power == 1 else f"shares of {unit.total}, which add up (costs don't)"
    for op in result.script.ops:
        if op.cost:
            yield f"{op.op:<7} {unit.text(unit.amount(op.cost))}  {_texts(result, op.source, op.target)}"


def _texts(result: Comparison, source: int | None, target: int | None) -> str:
    labels = [
        tree.labels[node]
        for tree, node in ((result.left.tree, source), (result.right.tree, target))
        if node is not None
    ]
    return " -> ".join(dict.fromkeys(labels))


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _gap(gap: float) -> str:
    return "not proven" if math.isinf(gap) else f"within {gap:.1%} of the optimum, not proven"
