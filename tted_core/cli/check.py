"""tted check MAPS: likely errors in one map, or in each map of a folder."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import fill, wrap
from typing import Any

from tted_core.annotate.annotations import is_collection
from tted_core.annotate.checks import BY_DEFAULT, CHECKS, LIMITS, Finding, check_map
from tted_core.cli.method import ENCODER, chosen_names
from tted_core.cli.shared import (
    JSON,
    READING,
    argument,
    chosen_encoder,
    chosen_map,
    dump,
    file_name,
    reading,
    tell,
    terminal_monitor,
)
from tted_core.errors import MapFormatError, OptionsError, TTEDError
from tted_core.formats import MindMap
from tted_core.formats.map_collections import collected
from tted_core.foundations.limits import MAX_BYTES
from tted_core.foundations.printable import shortened

LINE = 110
"""Characters of a line."""

ABOVE, SHOWN = 20, 50
"""Characters shown of each of the two nodes above one that was found, and of itself."""


ARGUMENTS = (
    argument(
        "file",
        type=file_name,
        help="a mind map, - for standard input, or a folder or zip archive of maps",
    ),
    argument(
        "--checks",
        default=",".join(BY_DEFAULT),
        metavar="NAME[,NAME...]|all",
        help=f"of {', '.join(CHECKS)} (default: all but "
        f"{' and '.join(name for name in CHECKS if name not in BY_DEFAULT)})",
    ),
    argument(
        "--limit",
        dest="limits",
        action="append",
        default=[],
        metavar="CHECK=X",
        help="limit of a check, repeatable (default: "
        f"{', '.join(f'{name}={value:g}' for name, value in LIMITS.items())})",
    ),
    *ENCODER,
    *READING,
    JSON,
)


def run(options: argparse.Namespace) -> str:
    """Check the map or maps and return what to print."""
    limits = dict(LIMITS)
    for given in options.limits:
        name, _, value = given.partition("=")
        try:
            limits[name] = float(value)
        except ValueError as error:
            raise OptionsError(f"--limit {given} is not CHECK=X, such as unrelated=0.2") from error
    checks = chosen_names(options.checks, CHECKS, "check")
    encoder = chosen_encoder(options)
    monitor = terminal_monitor()

    def check(mind_map: MindMap, name: str = "") -> tuple[Finding, ...]:
        tell(f"{name}: {notice}" if name else notice for notice in mind_map.notices)

        return check_map(
            mind_map.tree,
            notices=mind_map.notices,
            encoder=encoder,
            limits=limits,
            checks=checks,
            monitor=monitor,
        )

    if not _holds_many(options.file):
        mind_map = chosen_map(options.file, options)
        findings = check(mind_map)
        if options.json:
            return dump({"findings": _rows(findings), "limits": limits, "map": mind_map.to_dict()})
        return _text(findings)
    found = _each(options, check)
    if options.json:
        maps = {
            name: {"error": str(each)} if isinstance(each, TTEDError) else {"findings": _rows(each)}
            for name, each in found.items()
        }
        return dump({"maps": maps, "limits": limits})
    return "\n\n".join(f"== {name}\n{_outcome(each)}" for name, each in found.items())


def _holds_many(file: str) -> bool:
    path = Path(file)
    if path.is_dir():
        return True
    if path.suffix.lower() != ".zip" or not path.is_file():
        return False
    with path.open("rb") as archive:
        return is_collection(archive.read(MAX_BYTES + 1))


def _each(
    options: argparse.Namespace, check: Callable[[MindMap, str], tuple[Finding, ...]]
) -> Mapping[str, tuple[Finding, ...] | TTEDError]:
    """Of each map its findings, or why it can't be read: the others are checked all the same."""
    if options.sheet or options.format:
        raise MapFormatError("--sheet and --format say how one map is read; name a file, or leave them out")
    found: dict[str, tuple[Finding, ...] | TTEDError] = {}
    for name, read in collected(Path(options.file), reading(options)):
        try:
            found[name] = check(read(), name)
        except TTEDError as error:
            found[name] = error
    return found


def _rows(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    return [
        {
            "key": each.key,
            "check": each.check,
            "nodes": list(each.nodes),
            "text": each.text,
            "value": each.value,
        }
        for each in findings
    ]


def _outcome(found: tuple[Finding, ...] | TTEDError) -> str:
    return fill(f"can't be checked: {found}", LINE) if isinstance(found, TTEDError) else _text(found)


def _text(findings: tuple[Finding, ...]) -> str:
    if not findings:
        return "nothing found"
    lines: list[str] = []
    for name, check in CHECKS.items():
        mine = [each for each in findings if each.check == name]
        if mine:
            lines += ["", *wrap(f"{check.title} ({len(mine)}): {check.advice}", LINE)]
        for each in mine:
            lines += wrap(each.text, LINE, initial_indent="  ", subsequent_indent="  ")
            for node, (*above, text) in zip(each.nodes, each.paths, strict=True):
                nearest = [shortened(label, ABOVE) for label in above[-2:]]
                path = " > ".join([*["…"][: len(above) > 2], *nearest, shortened(text, SHOWN)])
                lines.append(f"    {node:>4}  {path}")
    return "\n".join(lines[1:])
