"""Pictures of results as an option: ``--figure FILE``."""

from collections.abc import Callable
from pathlib import Path

from tted_core.cli.shared import Argument, Options, argument, file_name, write_output
from tted_core.errors import lookup, require
from tted_core.figures.style import RENDERERS, Spec, render_figure
from tted_core.foundations.files import ending


def figure_of(what: str) -> Argument:
    """``--figure`` that draws ``what``."""
    text = f"also draw {what}; the file's ending sets the format: {', '.join(RENDERERS)}"
    return argument("--figure", type=file_name, metavar="FILE", help=text)


def check_figure(options: Options) -> None:
    """Check before the long work that the figure can be drawn, if there is to be one."""
    if options.figure is not None:
        lookup(RENDERERS, ending(options.figure), "ending of a picture's file")
        require("figures")


def write_figure(make: Callable[[], Spec], options: Options) -> None:
    """Draw the figure into its file, if there is to be one."""
    if options.figure is not None:
        write_output(lambda: render_figure(make(), Path(options.figure).suffix), options.figure)
