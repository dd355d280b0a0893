"""tted difftool OLD NEW: two versions of a map as one outline, for git difftool (docs/git.md)."""

import argparse
from collections.abc import Iterable
from itertools import repeat
from pathlib import Path

from tted_core.cli.method import add_method, method
from tted_core.cli.shared import add_reading, chosen_map, chosen_models, fail, file_name, tell
from tted_core.comparing import compare_maps
from tted_core.explain.correspondence import STATUSES, Status, correspondence, counted_outcomes
from tted_core.explain.merged import merged_map
from tted_core.formats import MindMap
from tted_core.formats.labels import counted

NOTHING = {"/dev/null", "nul"}
"""What git names in place of a file that was added or removed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("old", type=file_name, help="the version before, or /dev/null for a new file")
    parser.add_argument("new", type=file_name, help="the version after, or /dev/null for a removed file")
    add_method(parser, masked=True)
    add_reading(parser)


def run(options: argparse.Namespace) -> str:
    """Compare the two versions and return what to print."""
    old, new = (_version(file, options) for file in (options.old, options.new))
    if old and new:
        return _compared(old, new, options)
    if new:
        return _alone(new, "extra", f"{Path(options.new).name}: added")
    if old:
        return _alone(old, "missing", f"{Path(options.old).name}: removed")
    return fail("there is no map on either side; name a file for one of them")


def _version(file: str, options: argparse.Namespace) -> MindMap | None:
    return None if file.lower() in NOTHING else chosen_map(file, options)


def _alone(mind_map: MindMap, kind: Status, head: str) -> str:
    tell(mind_map.notices)
    tree = mind_map.tree
    rows = zip(repeat(kind), tree.depths, tree.labels, strict=False)
    return f"{head}, {counted(len(tree), 'node')}\n{_lines(rows)}"


def _compared(old: MindMap, new: MindMap, options: argparse.Namespace) -> str:
    result = compare_maps(old, new, method(options), chosen_models(options))
    for word, side in (("old", old), ("new", new)):
        tell(f"{word} map: {notice}" for notice in side.notices)
    tell(result.notices)
    merged = merged_map(result)
    rows: list[tuple[Status, int, str]] = []
    for status, parent, text, was in zip(
        merged.statuses, merged.parents, merged.texts, merged.old, strict=True
    ):
        depth = rows[parent][1] + 1 if parent >= 0 else 1
        rows.append((status, depth, text if was is None else f"{text} (was: {was})"))
    count = counted_outcomes(correspondence(result))
    counts = ", ".join(f"{count[status]} {status}" for status in STATUSES if count[status])
    head = f"{Path(options.new).name}: TTED {result.tted:.4f}, normalized {result.normalized:.4f} ({counts})"
    return f"{head}\n{_lines(rows)}"


def _lines(rows: Iterable[tuple[Status, int, str]]) -> str:
    return "\n".join(f"{STATUSES[kind]} {'  ' * (depth - 1)}{text}" for kind, depth, text in rows)
