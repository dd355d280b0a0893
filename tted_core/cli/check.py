"""tted check MAP: what an annotator would want to look at again."""

import argparse
from dataclasses import fields

from tted_core.annotate.checks import CHECKS, Finding, Thresholds, check_map
from tted_core.cli.method import add_encoder
from tted_core.cli.shared import (
    add_json,
    add_reading,
    chosen_encoder,
    chosen_map,
    dump,
    file_name,
    show_progress,
    tell,
)
from tted_core.report import map_json
from tted_core.tree import TextTree

SUMMARY = "find what may be wrong in a mind map"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", type=file_name, help="a mind map, or - for standard input")
    for each in fields(Thresholds):
        parser.add_argument(
            f"--{each.name.replace('_', '-')}",
            type=type(each.default),
            default=each.default,
            metavar="X",
            help=f"{each.metadata['label']} X (default: {each.default:g})",
        )
    add_encoder(parser)
    add_reading(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> str:
    """Check the map and return what to print."""
    thresholds = Thresholds(**{each.name: getattr(options, each.name) for each in fields(Thresholds)})
    mind_map = chosen_map(options.file, options)
    tell(mind_map.notices)
    findings = check_map(
        mind_map.tree,
        joined=mind_map.joined > 0,
        encoder=chosen_encoder(options),
        thresholds=thresholds,
        progress=lambda done, total: show_progress(f"Encoding {total} texts", done / total),
    )
    if options.json:
        found = [
            {"check": each.check, "nodes": list(each.nodes), "text": each.text, "value": each.value}
            for each in findings
        ]
        limits = {each.name: getattr(thresholds, each.name) for each in fields(Thresholds)}
        return dump({"findings": found, "thresholds": limits, "map": map_json(mind_map)})
    return _text(findings, mind_map.tree)


def _text(findings: tuple[Finding, ...], tree: TextTree) -> str:
    if not findings:
        return "nothing found"
    lines: list[str] = []
    for name, check in CHECKS.items():
        mine = [each for each in findings if each.check == name]
        if mine:
            lines += ["", f"{check.title} ({len(mine)}): {check.advice}"]
        for each in mine:
            lines.append(f"  {each.text}")
            lines += [f"    {node:>4}  {tree.labels[node]}" for node in each.nodes]
    return "\n".join(lines[1:])
