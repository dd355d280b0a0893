"""What the Compare page's link carries: the sample maps, how they are read, the options, and the view."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tted_core import CONTEXTS, DISTANCES, FORMATS, SOLVERS, UnknownNameError
from tted_core.formats import ROOTS
from tted_core.limits import MAX_DEPTH
from ui import samples
from ui.inputs import LEFT, RIGHT, SOURCES, Side
from ui.mapping.graph import LAYOUTS
from ui.mapping.view import VIEWS
from ui.masked_models import offered_masked_models
from ui.options import MAX_SECONDS, PRESETS, UNORDERED_SECONDS, offered_encoders
from ui.permalink import Parameter, number, one_of


def compare_link() -> Sequence[Parameter]:
    """The parameters of the page's link."""
    start = PRESETS["Published reference"]
    return (
        *_side(LEFT),
        *_side(RIGHT),
        one_of("order", list(SOLVERS), start["order"]),
        one_of("context", list(CONTEXTS), start["context"]),
        one_of("encoder", offered_encoders(), "minilm"),
        one_of("distance", list(DISTANCES), start["distance"]),
        one_of("masked_model", offered_masked_models(), offered_masked_models()[0]),
        number("depth", int, 1, MAX_DEPTH),
        number("time_limit", float, 1.0, MAX_SECONDS, default=f"{UNORDERED_SECONDS:g}"),
        one_of("view", VIEWS, VIEWS[0]),
        one_of("layout", tuple(LAYOUTS), "rows"),
    )


def _side(side: Side) -> tuple[Parameter, ...]:
    """A sample by its file, and how it is read.

    A map that was pasted or uploaded stays out of the link: a replay file carries it.
    """
    source, topic, file = map(side.state, ("source", "topic", "file"))

    def read(text: str) -> dict[str, Any]:
        folder, _, name = text.partition("/")
        if folder not in samples.topics() or name not in samples.files(folder):
            raise UnknownNameError("there is no such sample map")
        return {source: SOURCES[0], topic: folder, file: name, side.state("origin"): None}

    def write(state: Mapping[str, Any]) -> str | None:
        return f"{state[topic]}/{state[file]}" if state[source] == SOURCES[0] else None

    def of_sample(parameter: Parameter) -> Parameter:
        return replace(
            parameter,
            write=lambda state: parameter.write(state) if state[source] == SOURCES[0] else None,
        )

    keys = (source, topic, file, *map(side.state, ("text", "sheet", "floating")))
    opening = f"{samples.OPENING_TOPIC}/{side.opening_file}"
    return (
        Parameter(side.key, opening, keys, read, write),
        of_sample(one_of(f"{side.key}_format", ["", *FORMATS], "", key=side.state("format"))),
        of_sample(one_of(f"{side.key}_roots", ROOTS, ROOTS[0], key=side.state("roots"))),
    )
