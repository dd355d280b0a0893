"""tted check MAPS: likely errors in one map, or in each map of a folder."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from textwrap import fill, wrap

from tted_core.annotate.checks import CHECKS, Finding, check_map
from tted_core.cli.method import ENCODER_ARGUMENTS, pick_names
from tted_core.cli.shared import (
    JSON,
    READING,
    Options,
    argument,
    command,
    dump,
    file_name,
    loading,
    progress,
    read_chosen_map,
    reading_options,
    tell,
)
from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import MindMap
from tted_core.formats.map_collections import read_collection
from tted_core.foundations.output import shorten

_LINE = 110  # characters of a line
_ANCESTOR_CHARACTERS = 20  # characters shown of each of the two nodes above one that was found
_NODE_CHARACTERS = 50  # characters shown of the node itself


@command(
    argument(
        "file",
        type=file_name,
        help="a mind map, - for standard input, or a folder or zip archive of maps",
    ),
    argument(
        "--checks",
        default="all",
        metavar="NAME[,NAME...]|all",
        help=f"of {', '.join(CHECKS)} (default: all)",
    ),
    *ENCODER_ARGUMENTS,
    *READING,
    JSON,
)
def check_command(options: Options) -> str:
    """Check the map or maps and return what to print."""
    checks = pick_names(options.checks, CHECKS, "check")
    encoder, monitor = loading(options)(options.encoder), progress()
    readers = _readers(options)
    found: dict[str, tuple[Finding, ...] | TTEDError] = {}
    for name, read in readers:
        try:
            each = read()
            tell(each.notices, name)
            found[name] = check_map(
                each.tree, notices=each.notices, encoder=encoder, checks=checks, monitor=monitor
            )
        except TTEDError as error:
            if len(readers) == 1:
                raise
            found[name] = error
    if options.json:
        return dump({"maps": {name: _json(each) for name, each in found.items()}})
    if len(found) == 1:
        return _text(found[readers[0][0]])
    return "\n\n".join(f"== {name}\n{_text(each)}" for name, each in found.items())


def _readers(options: Options) -> Sequence[tuple[str, Callable[[], MindMap]]]:
    path = Path(options.file)
    if not path.is_dir() and path.suffix.lower() != ".zip":
        return [(options.file, partial(read_chosen_map, options.file, options))]
    if options.sheet or options.format:
        raise MapFormatError("--sheet and --format say how one map is read; name a file, or leave them out")
    return read_collection(path, reading_options(options))


def _json(found: tuple[Finding, ...] | TTEDError) -> dict[str, object]:
    if isinstance(found, TTEDError):
        return {"error": str(found)}
    return {
        "findings": [
            {"key": each.key, "check": each.check, "nodes": list(each.nodes), "text": each.text}
            for each in found
        ]
    }


def _text(found: tuple[Finding, ...] | TTEDError) -> str:
    if isinstance(found, TTEDError):
        return fill(f"can't be checked: {found}", _LINE)
    lines: list[str] = []
    for name, check in CHECKS.items():
        mine = [each for each in found if each.check == name]
        if mine:
            lines += ["", *wrap(f"{check.title} ({len(mine)}): {check.advice}", _LINE)]
        for each in mine:
            lines += wrap(each.text, _LINE, initial_indent="  ", subsequent_indent="  ")
            for node, (*above, text) in zip(each.nodes, each.paths, strict=True):
                nearest = [shorten(label, _ANCESTOR_CHARACTERS) for label in above[-2:]]
                path = " > ".join([*["…"][: len(above) > 2], *nearest, shorten(text, _NODE_CHARACTERS)])
                lines.append(f"    {node:>4}  {path}")
    return "\n".join(lines[1:]) or "nothing found"
