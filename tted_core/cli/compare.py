"""tted compare LEFT RIGHT: TTED, its edit script and the baselines."""

import math
from collections.abc import Iterable, Iterator
from functools import partial

from tted_core.baselines import DEFAULT_BASELINES, MEASURES, BaselineScore, F1Score
from tted_core.cli.method import EQUIVALENT, METHOD, PRESET, method, pick_names
from tted_core.cli.shared import (
    EXCEL,
    FAIL_ABOVE,
    JSON,
    READING,
    Options,
    argument,
    check_outputs,
    command,
    dump,
    fail,
    file_name,
    load_chosen_models,
    progress,
    read_chosen_map,
    refuse,
    tell,
    write_output,
)
from tted_core.compare import compare_maps, with_depths
from tted_core.errors import TTEDError, lookup, require
from tted_core.explain.build import explain
from tted_core.explanation import Explanation, Node
from tted_core.foundations.messages import counted
from tted_core.foundations.output import ending, shorten
from tted_core.matching.records import STATUSES
from tted_core.report.exports import EXPORTS, describe, write_export
from tted_core.report.readings import read_script, read_sentences
from tted_core.report.replay import replay_json
from tted_core.report.wording import what_happened


@command(
    argument("left", type=file_name, help="the source map, or - for standard input"),
    argument("right", type=file_name, help="the target map, or -"),
    *METHOD,
    PRESET,
    argument(
        "--baselines",
        default=",".join(DEFAULT_BASELINES),
        metavar="NAME[,NAME...]|all|none",
        help=f"of {', '.join(MEASURES)} (default: {', '.join(DEFAULT_BASELINES)})",
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
        "--columns",
        type=int,
        choices=(1, 2),
        default=2,
        help="width of pictures: one text column of a paper or two (default)",
    ),
    argument(
        "--replay", type=file_name, metavar="FILE", help="also write a replay file; see: tted replay --help"
    ),
    FAIL_ABOVE,
    EXCEL,
    *READING,
    JSON,
)
def compare_command(options: Options) -> str:
    """Compare the two maps and return what to print."""
    if options.left == options.right == "-":
        fail("both maps can't come from standard input; name a file for one of them")
    by = method(options)
    for file in options.report:
        if lookup(EXPORTS, ending(file), "kind of report").is_picture:  # before the costly part
            require("figures")
    check_outputs([*options.report, options.replay], [options.left, options.right])
    names = pick_names(options.baselines, MEASURES, "baseline")
    left, right = read_chosen_map(options.left, options), read_chosen_map(options.right, options)
    result = compare_maps(
        left,
        right,
        by,
        load_chosen_models(options),
        baselines=names,
        equivalence=options.equivalence,
        monitor=progress(),
    )
    result = with_depths(result, progress())
    explanation = explain(result)
    for word, side in (("left", result.left), ("right", result.right)):
        tell(side.notices, f"{word} map")
    tell(result.notices)
    for file in options.report:
        save = partial(write_export, explanation, ending(file), excel=options.excel, columns=options.columns)
        write_output(save, file)
    if options.replay is not None:
        write_output(lambda: replay_json(left, right, explanation).encode("ascii"), options.replay)
    text = dump(describe(explanation)) if options.json else _text(explanation)
    if result.normalized > options.fail_above:
        refuse(text, f"the normalized distance is {result.normalized:.4f}, above {options.fail_above:g}")
    return text


def _text(explanation: Explanation) -> str:
    result = explanation.comparison
    bound = "" if math.isinf(result.excess) else f"within {result.excess:.1%} of the optimum, "
    proof = "proven optimal" if result.proven else f"{bound}not proven"
    lines = [
        f"TTED                  {result.tted:.4f}  ({result.method.order}, {proof})",
        f"normalized            {result.normalized:.4f}",
        f"coverage              {explanation.matching.shares(result.costs)[0]:.4f}",
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
    lines += ["", what_happened(explanation), *_sentences(explanation), "", *_script(explanation)]
    lines += ["", *(f"hint: {hint} (--preset proofreading)" for hint in result.hints), result.signature]
    return "\n".join(lines)


def _sentences(explanation: Explanation) -> Iterator[str]:
    """The status of each sentence; a branch that moved is one line."""
    yield ", ".join(f"{count} {status}" for status, count in explanation.matching.counts.items() if count)
    for each, line in zip(explanation.sentences, read_sentences(explanation).lines, strict=True):
        notes = line.remarks
        if each.moves_along and not notes and len({node.label for node in each.nodes if node}) == 1:
            continue
        if each.head is each and each.change and each.left and each.right:
            here, there = _name_parent(each.left), _name_parent(each.right)
            way = f"from {here} to {there}" if here != there else f"among those {here}"
            below = each.change.size - 1
            notes.insert(0, f"{way}, with {counted(below, 'node')} below it" if below else way)
        sign = STATUSES["reworded" if each.moves_along else each.status]
        note = f"  [{'; '.join(notes)}]" if notes else ""
        yield f"{sign} {_texts(each.nodes)}{note}"


def _name_parent(node: Node) -> str:
    return f"under “{shorten(node.parent.label, 40)}”" if node.parent else "the root"


def _script(explanation: Explanation) -> Iterator[str]:
    """The operations of the script that cost something."""
    reading = read_script(explanation)
    unit = reading.unit
    yield "edit script" if unit.power == 1 else f"shares of {unit.total}, which add up (costs don't)"
    for line in reading.lines:
        if line.amount:
            yield f"{line.kind:<7} {unit.text(line.amount)}  {_texts(line.nodes)}"


def _texts(nodes: Iterable[Node | None]) -> str:
    return " -> ".join(dict.fromkeys(node.label for node in nodes if node))


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"
