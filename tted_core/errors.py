"""The exception tree: everything that bad input can raise.

    TTEDError
    ├── MapFormatError     a text that can't be read as a mind map (knows line, column or path)
    ├── InvalidTreeError   labels and parents that are no tree
    ├── LimitError         an input larger than this program takes
    ├── UnknownNameError   a name that a registry doesn't hold
    ├── EncoderError       a model that can't be had, or gives unusable vectors
    ├── MissingExtraError  a part of the program that the bare installation leaves out
    ├── OptionsError       options that don't go together
    ├── ToolError          a program beside this one (LanguageTool) that can't be had, or fails
    ├── ChoiceError        forced and forbidden pairs that no mapping can keep together
    ├── DatabaseError      a database that can't be read or written
    ├── SolverError        a solver whose result failed the independent check
    └── Interrupted        stopped by the user before there was a result

Each message is one sentence that names the place and the way out, ready to be shown to a person. Exceptions
of other libraries are wrapped once, where the library is called.
"""

MOST_CHARACTERS = 1_000
"""Characters of a message about a text."""


class TTEDError(Exception):
    """Base of every error that a user of this package may want to catch."""


class MapFormatError(TTEDError):
    """A text that can't be read as a mind map.

    ``line`` and ``column`` count from 1; ``path`` leads to a node ("root > child"). Whatever is known of
    the place is put in front of the message; ``message`` is without it. The middle of a very long message is left
    out, and lone surrogates are escaped, which no page and no log takes.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        path: str | None = None,
    ) -> None:
        message = message.encode("utf-8", "backslashreplace").decode("utf-8")
        if len(message) > MOST_CHARACTERS:
            message = f"{message[: MOST_CHARACTERS - 200]} ... {message[-200:]}"
        place = []
        if line is not None:
            place.append(f"line {line}" if column is None else f"line {line}, column {column}")
        if path:
            place.append(f"at {path}")
        super().__init__(f"{', '.join(place)}: {message}" if place else message)
        self.message = message
        self.line = line
        self.column = column
        self.path = path


class InvalidTreeError(TTEDError):
    """Labels and parents that don't form one rooted tree in preorder."""


class LimitError(TTEDError):
    """An input larger than the limits in :mod:`tted_core.foundations.limits`."""


class UnknownNameError(TTEDError):
    """A name that a registry doesn't hold; the message lists the names it does hold."""


class EncoderError(TTEDError):
    """A model that can't be loaded, or whose vectors can't be used."""


class MissingExtraError(TTEDError):
    """A part of the program whose packages aren't installed (see :mod:`tted_core.foundations.extras`)."""


class OptionsError(TTEDError):
    """Options that are known each, but don't go together."""


class ChoiceError(TTEDError):
    """Forced and forbidden pairs that no mapping of the order can keep together."""


class ToolError(TTEDError):
    """A program that runs beside this one, such as LanguageTool, and can't be had or fails."""


class Interrupted(TTEDError):  # noqa: N818 - nothing went wrong
    """Stopped on request before there was a result."""


class SolverError(TTEDError):
    """A solver's mapping that is no valid edit mapping, or doesn't cost what the solver said."""


class DatabaseError(TTEDError):
    """A database that can't be read or written."""
