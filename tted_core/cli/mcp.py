"""tted mcp: a server of the Model Context Protocol, so that assistants can read and compare mind maps."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from tted_core.cli.shared import loaded_encoder
from tted_core.comparing import compare_maps
from tted_core.distances import Models
from tted_core.errors import OptionsError, TTEDError
from tted_core.formats import MindMap, parse_map, read_map
from tted_core.foundations.extras import require
from tted_core.method import DEFAULT_PRESET, Method
from tted_core.version import VERSION

if TYPE_CHECKING:
    from mcp.server import MCPServer


@dataclass(frozen=True)
class GivenMap:
    """A mind map: the path of a file, or the text itself, in any format that TTED reads."""

    file: str | None = None
    text: str | None = None

    def read(self) -> MindMap:
        """The map.

        Raises:
            OptionsError: both are given, or neither.
            TTEDError: as for ``read_map``.
        """
        if (self.file is None) == (self.text is None):
            raise OptionsError('give each map as {"file": PATH} or as {"text": TEXT}, one of the two')
        return read_map(self.file) if self.file is not None else parse_map(self.text or "")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = (
        "Serve the tools read and compare on standard input and output, for an assistant that starts "
        "this command itself (docs/integrations.md). They read the files that you can read, and write none."
    )


def run(_options: argparse.Namespace) -> str:
    """Serve until standard input ends."""
    served().run("stdio")
    raise SystemExit(0)  # what is printed after the protocol's messages would be taken for one


def served() -> "MCPServer":
    """The server with its tools.

    Raises:
        MissingExtraError: the package mcp isn't installed.
    """
    require("mcp")
    from mcp.server import MCPServer

    server = MCPServer("tted", version=VERSION, instructions="Compare mind maps by text tree edit distance.")
    for tool in (read, compare):
        server.tool()(_refusing(tool))
    return server


def read(mind_map: GivenMap) -> dict[str, Any]:
    """Show what a mind map is read as: its texts in preorder, the parent of each, and what was repaired."""
    return mind_map.read().to_dict()


def compare(left: GivenMap, right: GivenMap, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """Compare two mind maps: the distance (tted; normalized, from 0 to 1) and the edit script that explains it.

    Options: preset (published or proofreading), encoder, distance, order, context, gap, power, depth, time_limit.
    """
    return compare_maps(left.read(), right.read(), _method(options), MODELS).to_dict()


MODELS = Models(load_encoder=partial(loaded_encoder, cached=True))


def _method(options: dict[str, Any] | None) -> Method:
    given = dict(options or {})
    return Method.of(given.pop("preset", DEFAULT_PRESET), **given)


def _refusing(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The tool, whose errors reach the assistant as one sentence."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(tool)
    def refusing(*given: Any, **named: Any) -> dict[str, Any]:
        try:
            return tool(*given, **named)
        except TTEDError as error:
            raise ToolError(str(error)) from error

    return refusing
