"""Pictures of results as an option: ``--figure FILE``, or ``--figure KIND=FILE`` for another kind."""

import argparse
from collections.abc import Collection, Mapping
from pathlib import Path

from tted_core.cli.shared import Argument, argument, file_name, write_file
from tted_core.figures.style import DRAWN, Spec, drawn
from tted_core.foundations.extras import require
from tted_core.foundations.registry import lookup


def figure_of(kinds: Mapping[str, str]) -> Argument:
    """``--figure`` for pictures of several ``kinds``: name -> what it draws; the first needs no name."""
    first, *others = kinds.items()
    more = "".join(f"; {name}=FILE draws {what}" for name, what in others)
    return argument(
        "--figure",
        type=file_name,
        action="append",
        default=[],
        metavar="[KIND=]FILE",
        help=f"draw {first[1]}{more}; its ending sets the format: {', '.join(DRAWN)}; may be repeated",
    )


def chosen_figures(options: argparse.Namespace, kinds: Collection[str]) -> list[tuple[str, str]]:
    """Kind and file of each picture that ``figure_of`` names; all of them can be drawn."""
    found = []
    for given in options.figure:
        kind, _, file = given.partition("=")
        if kind not in kinds:
            kind, file = next(iter(kinds)), given
        lookup(DRAWN, Path(file).suffix.removeprefix(".").lower(), "ending of a picture's file")
        found.append((kind, file))
    if found:
        require("figures")
    return found


def write_picture(figure: Spec, file: str) -> None:
    """Draw the figure into the file, in the format that its ending names."""
    write_file(lambda: drawn(figure, Path(file).suffix), file)
