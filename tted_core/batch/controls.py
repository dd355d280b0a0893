"""Controls: maps made from references only, which show if a measure can be won without a good map.

In tables of systems their names are in brackets. If a control beats a system, the measure says little: by TTED
itself, for example, the root alone often wins, as it has no superfluous nodes.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tted_core.formats import MindMap
from tted_core.tree import TextTree


@dataclass(frozen=True)
class Control:
    """A control: an entry of ``BATCH_CONTROLS``.

    Attributes:
        title: description.
        made: makes it from the document's reference; None for the reference of the next document.
    """

    title: str
    made: Callable[[TextTree], TextTree] | None


ANOTHER = "(another reference)"

# Controls by their names in tables of systems.
BATCH_CONTROLS: dict[str, Control] = {
    "(root)": Control("the root of the reference alone", lambda tree: tree.trimmed(1)),
    "(flat)": Control(
        "all nodes of the reference below its root",
        lambda tree: TextTree(tree.labels, (-1, *[0] * (len(tree) - 1))),
    ),
    "(two levels)": Control("the first two levels of the reference", lambda tree: tree.trimmed(2)),
    ANOTHER: Control("the reference of the next document", None),
}


def control_of(read: Callable[[], MindMap], name: str) -> MindMap:
    """The control of a map by name, without the notices of the map's reader."""
    given, made = read(), BATCH_CONTROLS[name].made
    return replace(given, tree=given.tree if made is None else made(given.tree), notices=())
