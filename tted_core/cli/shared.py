"""Shared by the commands: arguments, reading of maps, progress and errors.

Progress of long work goes to standard error: one line that changes on a terminal.
"""

import argparse
import json
import math
import os
import re
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias

from tted_core.distances import Models
from tted_core.distances.bertscore import load_bertscorer
from tted_core.encoders.embedding_cache import default_cache, with_disk_cache
from tted_core.encoders.sentence_encoder import SentenceEncoder, load_encoder
from tted_core.errors import MAX_BYTES, Message, Setting, TTEDError
from tted_core.formats import FORMATS, ROOTS, MindMap, parse_map
from tted_core.formats.map_collections import Reading
from tted_core.foundations.files import ANYWHERE, read_bytes
from tted_core.foundations.messages import quoted
from tted_core.foundations.monitor import UNWATCHED, Monitor, with_rates
from tted_core.foundations.output import printable, write_whole
from tted_core.foundations.tables import text_bytes

# Characters that a terminal could take for a command: all controls but line break and tab.
NOT_PRINTED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


# Flags of options that have another name in the library.
FLAGS = {"folder": "--out", "key": "--id", "lower": "--lower-is-better"}


def say(text: str, *, aside: bool = False, end: str = "\n") -> None:
    """Print a text, aside from the result or as the result, with control characters escaped."""
    stream = sys.stderr if aside else sys.stdout
    if stream is None:  # closed before the program began
        return
    try:
        print(NOT_PRINTED.sub(lambda found: printable(found[0]), text), file=stream, end=end, flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:  # the disk is full
        # Python would try once more when it ends, and show a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if not aside:
            fail(f"the result can't be printed ({error.strerror}); redirect standard output to another file")


def fail(message: str) -> NoReturn:
    """Print one line "error: ..." and leave with exit status 2."""
    say(f"error: {' '.join(message.split())}", aside=True)
    raise SystemExit(2)


def file_name(given: str) -> str:
    """The type of an argument that names a file: an empty name would stand for the current folder."""
    if not given:
        raise argparse.ArgumentTypeError("its name is empty, as from a variable that isn't set; name a file")
    return given


def number(low: float, high: float = math.inf, kind: Callable[[str], float] = int) -> Callable[[str], float]:
    """The type of an argument that is a number from ``low`` to ``high``."""
    whole = "whole " if kind is int else ""
    bounds = f"from {low:g} on" if high == math.inf else f"from {low:g} to {high:g}"

    def value(text: str) -> float:
        with suppress(ValueError):
            if low <= (found := kind(text)) <= high:
                return found
        raise argparse.ArgumentTypeError(f"{text!r} is not a {whole}number {bounds}")

    return value


def split_names(text: str) -> list[str]:
    """The type of an argument that is a list: names between commas."""
    return [name.strip() for name in text.split(",")]


Options: TypeAlias = argparse.Namespace  # the arguments of a command as parsed


# An argument of a command: called with a parser, or a group in one, it is added there. It is made as by
# ``add_argument`` itself.
Argument: TypeAlias = Callable[[Any], object]
argument = partial(methodcaller, "add_argument")


def exclusive(*arguments: Argument) -> Argument:
    """Arguments of which one may be given."""

    def add(parser: argparse.ArgumentParser) -> list[object]:
        group = parser.add_mutually_exclusive_group()
        return [each(group) for each in arguments]

    return add


class Command(NamedTuple):
    """A command: its function, which returns the text to print, and what its parser needs."""

    run: Callable[[Options], str]
    arguments: tuple[Argument, ...]
    description: str = ""  # for --help, if it says more than the command's summary


def command(*arguments: Argument, description: str = "") -> Callable[[Callable[[Options], str]], Command]:
    """Make a function a command with these arguments."""
    return lambda run: Command(run, arguments, description)


JSON = argument("--json", action="store_true", help="print the result as one JSON object")

# Arguments of commands that encode texts.
ENCODING = (
    argument(
        "--device",
        metavar="DEVICE",
        help="device of the models, such as cuda, cuda:1 or mps, which needs PyTorch (default: TTED_DEVICE; "
        "else the CPU for bundled encoders, and for others the best one)",
    ),
    argument(
        "--no-cache", action="store_true", help="don't cache embeddings on disk (in the folder TTED_CACHE)"
    ),
)

EXCEL = argument(
    "--excel",
    action="store_true",
    help="begin CSV files with a byte-order mark, which Excel needs to read them as UTF-8; Python and R read "
    "it as part of the first column's name",
)

FAIL_ABOVE = argument(
    "--fail-above",
    type=number(0, 1, float),
    default=1.0,
    metavar="DISTANCE",
    help="exit with status 1 if a normalized distance is greater (0 to 1; default: 1, never)",
)

# Arguments of commands that read many maps in the same way; without the last where a file holds one map.
COLLECTION = (
    argument(
        "--roots",
        default=ROOTS[0],
        choices=ROOTS,
        help="what to do with several roots: join them under a new root, which costs like any node; keep the "
        "first, as the published code does; or report an error (default: join)",
    ),
    argument(
        "--field",
        metavar="PATH",
        help="position of the map in each record of JSON or JSON lines: keys and list indices joined by dots "
        "(generation.rendered); of many files, in those that have it",
    ),
    argument(
        "--id",
        dest="key",
        metavar="PATH",
        help="likewise, position of the record's name (default: id, name, ...)",
    ),
)

# Arguments of commands that read single maps.
READING = (
    argument("--format", choices=FORMATS, help="format of the maps (default: recognised from the content)"),
    argument("--sheet", metavar="TITLE|N", help="the map to read from a file with several"),
    argument("--include-floating", action="store_true", help="keep topics outside the hierarchy"),
    *COLLECTION,
)


def seed_argument(what: str) -> Argument:
    """``--seed`` of what is drawn."""
    return argument("--seed", type=number(0), default=0, metavar="N", help=f"seed of {what} (default: 0)")


def csv_of(what: str) -> tuple[Argument, ...]:
    """``--csv`` and ``--excel``; ``what`` is in the table."""
    return argument("--csv", type=file_name, metavar="FILE", help=f"also write {what} as a table"), EXCEL


def reading_options(options: Options) -> Reading:
    """The options of reading maps, by the values of ``COLLECTION``."""
    return Reading(options.roots, options.field, getattr(options, "key", None))


def refuse(result: str, reason: str) -> NoReturn:
    """Print the result as always, then on standard error why the exit status is 1."""
    say(result)
    say(reason, aside=True)
    raise SystemExit(1)


def loading(options: Options) -> Callable[[str], SentenceEncoder]:
    """Return a loader of encoders by name: on ``--device``, cached on disk unless ``--no-cache`` is given."""
    cache = None if options.no_cache else default_cache()
    return lambda name: with_disk_cache(load_encoder(name, device=options.device), cache)


def load_chosen_models(options: Options) -> Models:
    """Loaders of the method's models."""
    return Models(
        load_encoder=loading(options), load_bertscorer=partial(load_bertscorer, device=options.device)
    )


def read_chosen_map(file: str, options: Options) -> MindMap:
    """The map in ``file`` ("-" is standard input), read as ``READING`` or ``COLLECTION`` says."""
    how = {
        name: value
        for name, value in vars(options).items()
        if name in {"format", "sheet", "roots", "include_floating", "field", "key"}
    }
    subject = "standard input" if file == "-" else file
    is_stream = file == "-" or not (os.path.isfile(file) or os.path.isdir(file))  # noqa: PTH112, PTH113 - are False for what no path can be
    content = content_of(file) if is_stream else read_bytes(file)
    try:
        return parse_map(content, name=Path(subject).name, **how)
    except TTEDError as error:  # of which of several maps?
        raise TTEDError(Message(f"{subject}: ", error.text)) from error


PIPE_SECONDS = 2.0  # seconds of silence while a pipe or a terminal is read


@contextmanager
def _notice_of_waiting(file: str) -> Iterator[None]:
    """Print a notice if what is read inside is a pipe or a terminal to which nobody writes."""
    mode = 0
    with suppress(OSError, ValueError):  # reported by the reader
        mode = (os.fstat(sys.stdin.fileno()) if file == "-" else Path(file).stat()).st_mode
    name = "standard input" if file == "-" else f"the pipe {quoted(file, limit=200)}"
    notice = threading.Timer(PIPE_SECONDS, tell, [[f"waiting for {name}; Ctrl-C ends the command"]])
    notice.daemon = True
    if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        notice.start()
    try:
        yield
    finally:
        notice.cancel()


def content_of(file: str) -> bytes:
    """Read a file, or standard input for "-".

    Of a larger file only ``MAX_BYTES`` + 1 bytes are read; whoever takes them checks the limit.
    """
    if file == "-" and sys.stdin is None:
        raise TTEDError("standard input is closed; name a file, or pipe one into the command")
    with _notice_of_waiting(file):
        if file == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with ANYWHERE.open(Path(file)) as source:
            return source.read(MAX_BYTES + 1)


def write_table(text: str, options: Options, name: str = "csv") -> None:
    """Write CSV into the file that an option names, if it does, as ``EXCEL`` says."""
    if (file := getattr(options, name)) is not None:
        write_output(partial(text_bytes, text, excel=options.excel), file)


def write_output(make: Callable[[], bytes], file: str) -> None:
    """Write what is made into the file, whole or not at all."""
    try:
        write_whole(Path(file), make())
    except OSError as error:
        fail(f"{file} can't be written ({error.strerror}); name another file")
    except TTEDError as error:
        fail(f"{file} is not written: {error}")


def check_outputs(files: Iterable[str | None], inputs: Iterable[str | None]) -> None:
    """Before the long work: refuse to write over an input, twice into one file, or where nothing can be written.

    Args:
        files: what will be written; None for an option that wasn't given.
        inputs: what is read: files, folders whose files are read, "-", or None likewise.
    """
    read = {Path(file).resolve() for file in inputs if file is not None}
    written = set()
    for file in (each for each in files if each is not None):
        path = Path(file).resolve()
        try:
            exists = path.exists()
            if path in read or (exists and path.parent in read):
                fail(f"{file} is read and would be written over; name another file")
            if path in written:
                fail(f"{file} would be written twice; name another file for one of the two")
            if exists and not path.is_file() and not path.is_dir():
                continue  # a pipe, say: to open it on trial would end it
            written.add(path)
            path.open("ab").close()
            if not exists:
                path.unlink()
        except OSError as error:
            fail(f"{file} can't be written ({error.strerror}); name another file")


def tell(notices: Iterable[str], subject: str = "") -> None:
    """Print notices about a subject on standard error."""
    for notice in notices:
        say(f"notice: {subject and f'{subject}: '}{with_flags(notice)}", aside=True)


def with_flags(text: str) -> str:
    """A message in which options are called as on the command line."""
    return text.render(_flag) if isinstance(text, Message) else text


def _flag(setting: Setting) -> str:
    name = FLAGS.get(setting.option, f"--{setting.option.replace('_', '-')}")
    return name if setting.value in {None, True} else f"{name} {setting.value}"


def dump(content: dict[str, object]) -> str:
    """A JSON text; NaN is refused, since JSON has none. What is not printed stands in it as an escape."""
    text = json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)
    return NOT_PRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def show(options: Options, content: Callable[[], dict[str, object]], text: Callable[[], str]) -> str:
    """The output for a result: its content as JSON with ``--json``, otherwise its text."""
    return dump(content()) if options.json else text()


TERMINAL_SECONDS = 0.2
LOG_SECONDS = 30.0  # seconds between two lines of one stage of a batch


def progress(*, logs: bool = False) -> Monitor:
    """Shows the stage, its rate and the remaining time: on a terminal in one line that changes.

    Elsewhere it is silent or, with ``logs``, writes a line now and then.
    """
    terminal = bool(sys.stderr) and sys.stderr.isatty()
    if not terminal and not logs:
        return UNWATCHED
    pause = TERMINAL_SECONDS if terminal else LOG_SECONDS
    last = 0.0

    def tell(text: str, done: float, total: float) -> None:
        nonlocal last
        now, finished = time.monotonic(), done >= total
        if done and not finished and now - last < pause:
            return
        last = now
        if terminal:
            sys.stderr.write("\x1b[2K")  # wipes the line before
        say(text, aside=True, end="\r" if terminal and not finished else "\n")

    return Monitor(with_rates(tell))
