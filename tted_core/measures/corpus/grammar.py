"""Grammatical errors of sentences, counted by LanguageTool: the only importer of language_tool_python.

LanguageTool is a Java program of about 250 MB that the package fetches. It is never fetched by the way, and
no text goes to its public server: it runs on this machine, or the error says what is missing and how to get
it.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tted_core.errors import Interrupted, ToolError
from tted_core.extras import require
from tted_core.monitor import Monitor

GrammarCheck: TypeAlias = Callable[[Sequence[str], Monitor], list[int]]
"""n sentences, who watches -> the number of errors in each."""

FETCH = (
    'python -c "from language_tool_python.download_lt import LocalLanguageTool as Tool; '
    'Tool.from_version_name().download()"'
)


def load_grammar_check(language: str = "en-US") -> GrammarCheck:
    """A check by LanguageTool, in one of its languages ("en-US", "ru-RU", "de-DE" ...).

    Raises:
        MissingExtraError: the extra "grammar" isn't installed.
        ToolError: Java or LanguageTool isn't on this machine.
    """
    require("grammar")
    from language_tool_python.download_lt import LocalLanguageTool, confirm_java_compatibility

    try:
        confirm_java_compatibility()
    except (Exception, SystemExit) as error:  # it leaves the program where it can't read Java's version
        raise ToolError(
            f"grammar needs Java 17 or newer on this machine ({' '.join(str(error).split())}); install it, for "
            "example from adoptium.net"
        ) from error
    tool = LocalLanguageTool.from_version_name()
    try:
        tool.get_directory_path()
    except OSError as error:
        raise ToolError(
            f"grammar needs LanguageTool, which is not on this machine; fetch it once (about 250 MB) with: {FETCH}"
        ) from error
    return lambda sentences, monitor: _count_errors(sentences, language, monitor)


def _count_errors(sentences: Sequence[str], language: str, monitor: Monitor) -> list[int]:
    """Start LanguageTool, check, and end it.

    Raises:
        ToolError: it doesn't start, doesn't know the language, or fails.
        Interrupted: stopped before every sentence was checked.
    """
    from language_tool_python import LanguageTool

    counts = []
    try:
        with LanguageTool(language) as tool:
            for sentence in sentences:
                if monitor.stopped:
                    break
                counts.append(len(tool.check(sentence)))
    except Exception as error:  # its own errors, requests' and the operating system's
        cause = " ".join(str(error).split()) or type(error).__name__
        raise ToolError(
            f"LanguageTool failed ({cause[:300]}); check that {language!r} is one of its languages, or leave the "
            "grammar out"
        ) from error
    if len(counts) < len(sentences):
        raise Interrupted("stopped before every sentence was checked; run it again")
    return counts
