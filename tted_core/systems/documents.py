"""The references and outputs of each document, matched by their names."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias

from tted_core.batch.controls import ANOTHER, CONTROLS, control_of, next_documents
from tted_core.batch.inputs import Inputs
from tted_core.errors import MapFormatError, OptionsError
from tted_core.formats.forest import listed
from tted_core.formats.labels import counted
from tted_core.formats.map_collections import ReadMap

Collection: TypeAlias = Sequence[tuple[str, ReadMap]]
"""Name of each map, equal for maps of one document, and the function that reads it."""

PAIRS = "all pairs"
"""The system of pairs that name none."""


class Documents:
    """All maps by number, and the documents that they belong to.

    Attributes:
        named: name and reader of each map, references first.
        items: the documents' names.
        references: document -> the numbers of its references.
        systems: the systems' names.
        outputs: (document, system) -> the number of the output.
        titles: name of each map in notices: its system and document.
        remarks: notices about maps left out.
    """

    def __init__(self, references: Sequence[Collection], systems: Mapping[str, Collection]) -> None:
        """Number the maps."""
        if not systems or not references:
            raise OptionsError("there is nothing to compare; name references and at least one system")
        self.named: list[tuple[str, ReadMap]] = []
        self.titles: list[str] = []
        self.references: dict[str, list[int]] = {}
        for collection in references:
            for name, read in collection:
                self.references.setdefault(name, []).append(self._number(name, read, "reference"))
        self.items = tuple(sorted(self.references))
        self.systems = tuple(systems)
        self.outputs: dict[tuple[str, str], int] = {}
        self.remarks: list[str] = []
        for system, collection in systems.items():
            others = []
            for name, read in collection:
                if name in self.references:
                    self.outputs[name, system] = self._number(name, read, system)
                else:
                    others.append(name)
            if len(others) == len(collection):
                raise MapFormatError(
                    f"no map of {system} has the name of a reference ({listed(self.items[:3])}); name outputs as "
                    "their references, whatever the ending"
                )
            if others:
                self.remarks.append(
                    f"{counted(len(others), 'map')} of {system} without a reference left out: {listed(others[:5])}"
                )

    def _number(self, name: str, read: ReadMap, whose: str) -> int:
        self.named.append((name, read))
        self.titles.append(f"{whose}/{name}")
        return len(self.named) - 1


def collections_of(inputs: Inputs) -> tuple[Collection, dict[str, Collection]]:
    """The references, and the outputs of each system, in pairs of them; without controls.

    Without a column system, all pairs are those of one, ``PAIRS``.
    """
    references: dict[str, ReadMap] = {}
    systems: dict[str, list[tuple[str, ReadMap]]] = {}
    of_pairs = inputs.further.get("system", [PAIRS] * len(inputs.ids))
    for item, (left, right), system in zip(inputs.ids, inputs.pairs.tolist(), of_pairs, strict=True):
        if system not in CONTROLS:
            references.setdefault(item, inputs.maps[left][1])
            systems.setdefault(system, []).append((item, inputs.maps[right][1]))
    return tuple(references.items()), dict(systems)


def control_collections(
    references: Sequence[Collection], systems: Mapping[str, object], controls: Sequence[str]
) -> dict[str, Collection]:
    """The maps of controls, as those of systems, made of the first reference of each document.

    Args:
        references: as for ``measure_systems``.
        systems: the systems, by name.
        controls: names of ``CONTROLS``; another reference is left out where there is one document.
    """
    taken = sorted(CONTROLS.keys() & systems.keys())
    if taken:
        raise OptionsError(f"{taken[0]} is the name of a control; call the system otherwise")
    first: dict[str, ReadMap] = {}
    for collection in references:
        for name, read in collection:
            first.setdefault(name, read)
    after = next_documents(sorted(first))
    return {
        name: [
            (item, partial(control_of, first[after[item]] if name == ANOTHER else read, name))
            for item, read in first.items()
        ]
        for name in controls
        if name != ANOTHER or len(first) > 1
    }
