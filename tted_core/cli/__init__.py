"""The command line: ``python -m tted_core COMMAND``, also installed as ``tted``; one module per command.

With ``--json`` standard output holds one JSON object and nothing else; progress and notices go to standard
error. Bad input is one line "error: ..." and exit status 2.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from tted_core.cli import (
    agree,
    agreement,
    app,
    batch,
    check,
    compare,
    compress,
    corpus,
    detect,
    difftool,
    exercises,
    matrix,
    mcp,
    ndd,
    ndd_table,
    nearest,
    paraphrases,
    people,
    perturb,
    quality,
    read,
    replay,
    reviews,
    samples,
    stepper,
    systems,
    text,
)
from tted_core.cli.shared import fail, lost, say
from tted_core.errors import TTEDError
from tted_core.version import VERSION

GROUPS = {
    "Every day": {
        "app": app,
        "compare": compare,
        "read": read,
        "samples": samples,
        "batch": batch,
        "systems": systems,
        "nearest": nearest,
    },
    "Files and git": {
        "difftool": difftool,
        "replay": replay,
        "matrix": matrix,
        "stepper": stepper,
        "exercises": exercises,
        "mcp": mcp,
    },
    "Evaluate": {
        "corpus": corpus,
        "agree": agree,
    },
    "Annotate": {
        "check": check,
        "agreement": agreement,
        "reviews": reviews,
        "people": people,
    },
    "Research": {
        "quality": quality,
        "detect": detect,
        "perturb": perturb,
        "text": text,
        "paraphrases": paraphrases,
        "ndd": ndd,
        "ndd-table": ndd_table,
        "compress": compress,
    },
}
"""heading of --help -> name -> module with SUMMARY, add_arguments(parser) and run(options) -> what to print."""

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status: 0, or 2 for bad input or a result that can't be kept."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    options = _parser().parse_args(arguments)
    if sys.stdout is None:
        fail("standard output is closed; redirect it to a file, or to /dev/null")
    lost.clear()
    try:
        say(COMMANDS[options.command].run(options))
    except TTEDError as error:
        fail(str(error))
    except BrokenPipeError:  # the reader (head, say) has seen enough
        sys.stderr.close()
    except KeyboardInterrupt:
        return 130
    return 2 if lost else 0


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(f"{message}; see: {self.prog} --help")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="tted",
        usage="tted [-h] [--version] COMMAND ...",
        description=_overview(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tted {VERSION}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", help=argparse.SUPPRESS, prog="tted"
    )
    for name, command in COMMANDS.items():
        summary = f"{command.SUMMARY[0].upper()}{command.SUMMARY[1:]}."
        command.add_arguments(commands.add_parser(name, description=summary))
    return parser


def _overview() -> str:
    """The commands under their headings, which argparse has no room for among subcommands."""
    lines = ["Compare mind maps by text tree edit distance (TTED)."]
    for heading, group in GROUPS.items():
        lines += ["", f"{heading}:", *(f"  {name:<12} {command.SUMMARY}" for name, command in group.items())]
    return "\n".join([*lines, "", "tted COMMAND --help explains one of them."])
