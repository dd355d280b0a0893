"""The command line: ``python -m tted_core COMMAND``, also installed as ``tted``; one module per command.

Only the module of the command that is called is imported. With ``--json`` standard output holds one JSON object
and nothing else; progress and notices go to standard error. Bad input is one line "error: ..." and exit status 2.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from tted_core.cli.shared import Command, fail, say, with_flags
from tted_core.errors import TTEDError
from tted_core.version import VERSION

# Heading of --help -> command -> its summary.
_GROUPS = {
    "Two maps": {
        "app": "open the application in a browser: compare, evaluate, annotate, learn",
        "compare": "compare two maps: the distance, and the changes that explain it",
        "replay": "repeat a comparison from its replay file and check its result",
        "read": "show how a file is read, or convert it to another format",
        "merge": "merge two maps of the same document; works as a git merge driver",
    },
    "Many maps": {
        "batch": "compare many pairs of maps; an interrupted run can be resumed",
        "systems": "rank programs that generate maps, with significance tests",
        "matrix": "compare all maps with each other, for clustering",
    },
    "People": {
        "check": "find likely errors in a map, or in all maps of a folder",
        "annotators": "measure how far annotators of the same documents agree",
        "exercises": "make exercises for a class: a bank for Moodle (GIFT) or PDF sheets",
    },
    "Measures": {
        "agree": "find the measure that agrees best with people's scores of pairs",
        "quality": "test how well measures distinguish small changes from large ones (R_S, R_M)",
    },
}

SUMMARIES = {name: summary for group in _GROUPS.values() for name, summary in group.items()}


def load_command(name: str) -> Command:
    """The command of a name, ``read_command`` of ``tted_core.cli.read``, say."""
    found: Command = getattr(import_module(f"tted_core.cli.{name}"), f"{name}_command")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status; it exits with 2 for bad input."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    arguments = sys.argv[1:] if arguments is None else arguments
    options, unknown = _parser(arguments).parse_known_args(arguments)
    if unknown:
        fail(f"unrecognized arguments: {' '.join(unknown)}; see: tted {options.command} --help")
    if sys.stdout is None:
        fail("standard output is closed; redirect it to a file, or to /dev/null")
    try:
        say(load_command(options.command).run(options))
    except TTEDError as error:
        fail(with_flags(error.text))
    except BrokenPipeError:  # the reader (head, say) has seen enough
        sys.stderr.close()
    except OSError as error:  # the name is too long, say, or a drive is gone
        fail(f"{error.filename or 'a file or address'} can't be used ({error.strerror}); check the name")
    except KeyboardInterrupt:
        return 130
    return 0


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        fail(f"{message}; see: {self.prog} --help")


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser, with the arguments of those commands alone that are named."""
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
    for name, summary in SUMMARIES.items():
        one = commands.add_parser(name, description=f"{summary[0].upper()}{summary[1:]}.")
        if name in arguments:
            command = load_command(name)
            one.description = command.description or one.description
            for add_to in command.arguments:
                add_to(one)
    return parser


def _overview() -> str:
    """The commands under their headings, which argparse has no room for among subcommands."""
    lines = ["Compare mind maps by text tree edit distance (TTED)."]
    for heading, group in _GROUPS.items():
        lines += ["", f"{heading}:", *(f"  {name:<12} {summary}" for name, summary in group.items())]
    return "\n".join([*lines, "", "tted COMMAND --help explains one of them."])
