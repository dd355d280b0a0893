"""tted merge LEFT RIGHT: merge two maps of the same document."""

from pathlib import Path

from tted_core.annotate.merge import log_json, merge, read_decisions
from tted_core.cli.method import METHOD, PRESET, method
from tted_core.cli.shared import (
    JSON,
    READING,
    Options,
    argument,
    check_outputs,
    command,
    content_of,
    dump,
    exclusive,
    fail,
    file_name,
    load_chosen_models,
    progress,
    read_chosen_map,
    refuse,
    tell,
    write_output,
)
from tted_core.compare import compare_maps
from tted_core.errors import lookup
from tted_core.explain.build import explain
from tted_core.explanation import Explanation
from tted_core.formats import WRITERS, MindMap, map_text
from tted_core.formats.writing import ENDINGS


@command(
    argument("left", type=file_name, help="a mind map (ours, for git)"),
    argument("right", type=file_name, help="another map of the same document (theirs)"),
    argument(
        "--base",
        type=file_name,
        metavar="MAP",
        help="a common ancestor; changes that only one side made are accepted",
    ),
    argument(
        "--decisions",
        type=file_name,
        metavar="FILE",
        help="apply the decisions in this file, written by --log or the Annotate page",
    ),
    exclusive(
        *(
            argument(
                f"--{name}",
                dest="side",
                action="store_const",
                const=side,
                help=f"use the {side} side for all undecided changes",
            )
            for name, side in (("ours", "left"), ("theirs", "right"))
        )
    ),
    argument(
        "--out",
        type=file_name,
        metavar="MAP",
        help="write the merged map to this file, which may be one of the two",
    ),
    argument(
        "--to",
        choices=WRITERS,
        help="format of the merged map (default: by the ending of --out, otherwise that of the left map)",
    ),
    argument(
        "--log", type=file_name, metavar="FILE", help="write all changes and decisions to this file (JSON)"
    ),
    *METHOD,
    PRESET,
    *READING,
    JSON,
)
def merge_command(options: Options) -> str:
    """Merge; exit status 1 if changes are undecided, for which the left side is used."""
    check_outputs([options.out, options.log], [options.base])
    check_outputs([options.log], [options.left, options.right])  # the map may be written over one of them
    maps = [read_chosen_map(file, options) for file in (options.left, options.right)]
    ancestor = read_chosen_map(options.base, options) if options.base else None
    to = _format(options, maps[0])
    models, how, monitor = load_chosen_models(options), method(options), progress()

    def explain_pair(left: MindMap, right: MindMap) -> Explanation:
        return explain(compare_maps(left, right, how, models, monitor=monitor))

    explanation = explain_pair(*maps)
    base = None if ancestor is None else (explain_pair(ancestor, maps[0]), explain_pair(ancestor, maps[1]))
    decisions = read_decisions(content_of(options.decisions), explanation) if options.decisions else {}
    merged = merge(explanation, decisions, base=base, otherwise=options.side or "left")
    text, notices = map_text(merged.tree, to)
    tell(notices)
    if options.out:
        write_output(text.encode, options.out)
    if options.log:
        write_output(log_json(explanation, merged).encode, options.log)
    if options.json:
        result = dump({"changes": merged.log, "open": len(merged.conflicts), "map": text})
    else:
        counts = f"{len(merged.tree)} nodes; {len(merged.log)} changes, {len(merged.conflicts)} undecided"
        result = counts if options.out else text.rstrip("\n")
    if merged.conflicts and not options.side:
        reason = f"{len(merged.conflicts)} of {len(merged.log)} changes are undecided; the left side is used"
        refuse(result, reason)
    return result


def _format(options: Options, left: MindMap) -> str:
    """The format to write: by ``--to``, by the ending of the file, or the left map's."""
    if options.to:
        return str(options.to)
    given, own = (Path(file or "").suffix.lower() for file in (options.out, options.left))
    writer = WRITERS.get(left.format)
    if writer and given in {"", own, writer.extension}:
        return left.format
    if not given:
        fail(f"maps aren't written as {left.format}; choose another format with --to: {', '.join(WRITERS)}")
    return lookup(ENDINGS, given.removeprefix("."), "ending of a map's file")
