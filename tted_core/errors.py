"""The exception tree: everything that bad input can raise, and the checks that many files share.

    TTEDError
    ├── MapFormatError     a text that can't be read as a mind map (with line, column or path)
    ├── InvalidTreeError   labels and parents that don't form a tree
    ├── LimitError         an input above a limit
    ├── UnknownNameError   a name that isn't in a registry
    ├── EncoderError       a model that can't be loaded, or gives unusable vectors
    ├── MissingExtraError  a feature whose packages aren't installed
    ├── OptionsError       invalid options, or options that can't be combined
    ├── ToolError          a library that fails, or the process that runs it
    ├── ChoiceError        forced and forbidden pairs that no mapping can keep together
    ├── DatabaseError      a database that can't be read or written
    ├── SolverError        a solver's result that failed the independent check
    └── Interrupted        stopped by the user before there was a result

Each message is one sentence that names the position and the way out, ready to be shown to a user. A message that
names options is a ``Message``, so that pages and commands can call them by their own names. Exceptions of other
libraries are wrapped once, where the library is called.

``check_limit`` is called before the costly step, and names the actual value and the limit. ``lookup`` finds names
in registries, which are plain dicts. ``require`` is called before an optional package is imported: a bare
installation leaves out what reading maps and comparing them by bundled encoders don't need.
"""

import importlib.util
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, Self, TypeVar

_Entry = TypeVar("_Entry")

# Limits that several files check; other limits are in the file that checks them (docs/formats.md lists all).
MAX_BYTES = 10_000_000  # maximum bytes of one input file or pasted text

# Maximum nodes read from a file, of all its maps; more than can be compared, so that a map can be trimmed.
MAX_NODES_READ = 50_000

MAX_NODES_COMPARED = 2_000  # maximum nodes of each tree in a comparison, after trimming

MAX_SENTENCES_COMPARED = 4_000  # maximum sentences of each map that are compared one by one

# Maximum nodes of each tree whose comparison is shown step by step; its tables still fit a screen.
MAX_NODES_TRACED = 12

MAX_DEPTH = 500  # maximum levels of one map; the root is level 1

MAX_LABEL_CHARACTERS = 10_000  # maximum characters of one node's text

MAX_LINES = 200_000  # maximum lines of a text in a format that is read line by line

# Maximum characters of all Markdown in one file, which takes its parser up to 2 seconds.
MAX_MARKDOWN_CHARACTERS = 400_000

MAX_MAPS = 1_000  # maximum maps in one file, and map files in an archive

# Maximum unpacked bytes of one entry of an archive, and of all its map files together.
MAX_UNPACKED_BYTES = 20_000_000

MOST_CHARACTERS = 1_000  # maximum number of characters of a message about a text


class Setting(NamedTuple):
    """An option that a message names, and the value to give it; None for a value that the user knows."""

    option: str
    value: str | bool | None = None

    def __str__(self) -> str:
        """As an argument of the library: "roots='join'"."""
        return self.option if self.value is None else f"{self.option}={self.value!r}"


class Suggestion(str):  # noqa: SLOT000 - few objects
    """A value that a message recommends, such as the name of a model, which a page can offer as a button."""


class Message(str):  # noqa: SLOT000 - a text with parts
    """A text that names options by the library's names; an interface replaces ``parts`` that are settings.

    >>> text = Message("choose ", Setting("roots", "first"))
    >>> text, text.render(lambda setting: f"--{setting.option} {setting.value}")
    ("choose roots='first'", 'choose --roots first')
    """

    parts: "tuple[str | Setting, ...]"

    def __new__(cls, *parts: str | Setting) -> Self:
        """Join texts, settings and messages."""
        found = super().__new__(cls, "".join(map(str, parts)))
        found.parts = tuple(each for part in parts for each in getattr(part, "parts", (part,)))
        return found

    def render(self, word: Callable[[Setting], str]) -> str:
        """The text with another word for each setting."""
        return "".join(word(part) if isinstance(part, Setting) else part for part in self.parts)


class TTEDError(Exception):
    """Base of every error that a user of this package may want to catch.

    >>> issubclass(MapFormatError, TTEDError)
    True
    """

    @property
    def text(self) -> str:
        """The whole message, a ``Message`` if it names options.

        >>> TTEDError("no maps").text
        'no maps'
        """
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class MapFormatError(TTEDError):
    """A text that can't be read as a mind map.

    ``line`` and ``column`` count from 1; ``path`` leads to a node ("root > child"). The known position is put in
    front of the message; ``message`` is without it. Very long messages are cut in the middle, and lone surrogates,
    which pages and logs can't take, are escaped.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        path: str | None = None,
    ) -> None:
        parts = message.parts if isinstance(message, Message) else (message,)
        message = Message(
            *(
                part
                if isinstance(part, Setting)
                else part.encode("utf-8", "backslashreplace").decode("utf-8")
                for part in parts
            )
        )
        if len(message) > MOST_CHARACTERS:
            message = Message(f"{message[: MOST_CHARACTERS - 200]} ... {message[-200:]}")
        places = {"line {}": line, "column {}": column, "at {}": path}
        position = ", ".join(form.format(place) for form, place in places.items() if place)
        super().__init__(Message(f"{position}: ", message) if position else message)
        self.message = message
        self.line = line
        self.column = column
        self.path = path


class InvalidTreeError(TTEDError):
    """Labels and parents that don't form one rooted tree in preorder."""


class LimitError(TTEDError):
    """An input above a limit."""


class UnknownNameError(TTEDError):
    """A name that isn't in a registry; the message lists the names that are."""


class EncoderError(TTEDError):
    """A model that can't be loaded, or whose vectors can't be used."""


class MissingExtraError(TTEDError):
    """A feature whose packages aren't installed (see ``EXTRAS``)."""


class OptionsError(TTEDError):
    """Invalid options, or valid ones that can't be combined."""


class ChoiceError(TTEDError):
    """Forced and forbidden pairs that no mapping of the order can keep together."""


class ToolError(TTEDError):
    """A library that fails, or the process that runs it."""


class Interrupted(TTEDError):  # noqa: N818 - nothing went wrong
    """Stopped on request before there was a result."""


class SolverError(TTEDError):
    """A solver's mapping that isn't a valid edit mapping, or doesn't have the reported cost."""


class DatabaseError(TTEDError):
    """A database that can't be read or written."""


def check_limit(value: int, limit: int, what: str, way_out: str) -> None:
    """Raise ``LimitError`` if ``value`` is above ``limit``; ``what`` and ``way_out`` complete the sentence.

    >>> check_limit(3, 2, "nodes in the left map", "trim it to fewer levels")
    Traceback (most recent call last):
    tted_core.errors.LimitError: 3 nodes in the left map, but the limit is 2; trim it to fewer levels
    """
    if value > limit:
        raise LimitError(Message(f"{value:,} {what}, but the limit is {limit:,}; ", way_out))


def lookup(registry: Mapping[str, _Entry], name: str, kind: str) -> _Entry:
    """Return ``registry[name]``; ``kind`` ("encoder", "distance" ...) is the word used in the error."""
    try:
        return registry[name]
    except (KeyError, TypeError):  # missing, or unhashable such as a list
        raise UnknownNameError(f"unknown {kind} {name!r:.60}; choose one of: {', '.join(registry)}") from None


def select_baselines(registry: Mapping[str, _Entry], names: Iterable[str]) -> dict[str, _Entry]:
    """The entries of several baselines by name; a text is a single name, or "all" or "none"."""
    if not isinstance(names, Iterable):
        raise OptionsError(f"baselines are given as a list of names, not as {type(names).__name__}")
    if isinstance(names, str):
        names = {"all": tuple(registry), "none": ()}.get(names, (names,))
    return {name: lookup(registry, name, "baseline") for name in names}


class Extra(NamedTuple):
    """A feature that needs further packages.

    Attributes:
        purpose: as in "BERTScore needs ...".
        packages: their import names.
        install: argument of ``pip install``.
    """

    purpose: str
    packages: tuple[str, ...]
    install: str = '".[app]" in a copy of the repository'


_BATCH = ("filelock", "joblib", "pandas", "pyarrow")
_FIGURES = ("fontTools", "matplotlib", "typst", "vl_convert")
_PAGES = ("altair", "networkx", "pyvis", "starlette", "streamlit")

_MODELS = ("sentence_transformers", "torch", "transformers", "huggingface_hub")
_MODELS_INSTALL = (
    '--extra-index-url https://download.pytorch.org/whl/cpu ".[models]" in a copy of the repository'
)

EXTRAS = {
    "encoder": Extra("a model that isn't bundled", _MODELS, _MODELS_INSTALL),
    "bertscore": Extra("BERTScore", (*_MODELS, "bert_score"), _MODELS_INSTALL),
    "batch": Extra("a batch", _BATCH),
    "cluster": Extra("a batch on Dask", ("distributed",), "distributed"),
    "figures": Extra("drawing a figure or a sheet", _FIGURES),
    "app": Extra("the application", (*_BATCH, *_FIGURES, *_PAGES)),
}


def require(extra: str, what: str | None = None, instead: str = "") -> None:
    """Raise ``MissingExtraError`` if a package of an extra is missing; imports nothing.

    Args:
        extra: a name of ``EXTRAS``.
        what: the feature, if it is not the whole extra.
        instead: another way out, ending with "or ".
    """
    purpose, packages, install = EXTRAS[extra]
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise MissingExtraError(
                f"{what or purpose} needs the package {package}, which isn't installed; {instead}install it with: "
                f"pip install {install}"
            )
