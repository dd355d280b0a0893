"""The references and outputs of each document, matched by their names."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from tted_core.batch.controls import ANOTHER, BATCH_CONTROLS, control_of, next_documents
from tted_core.batch.pairs import Inputs
from tted_core.errors import MapFormatError, OptionsError
from tted_core.formats.forest import list_some
from tted_core.formats.labels import counted
from tted_core.formats.map_collections import ReadMap

Collection: TypeAlias = Sequence[tuple[str, ReadMap]]
"""Name of each map, equal for maps of one document, and the function that reads it."""

ALL_PAIRS = "all pairs"
"""The system of pairs that name none."""


class Documents(NamedTuple):
    """All maps by number, and the documents that they belong to.

    Attributes:
        maps: name of each map, its system and document, and the function that reads it; references first.
        references: document -> the numbers of its references; in the order of the names.
        outputs: (document, system) -> the number of the output.
        remarks: notices about maps left out.
    """

    maps: list[tuple[str, ReadMap]]
    references: dict[str, list[int]]
    outputs: dict[tuple[str, str], int]
    remarks: list[str]


def match_documents(references: Sequence[Collection], systems: Mapping[str, Collection]) -> Documents:
    """Match the outputs of systems with references of the same names."""
    if not systems or not references:
        raise OptionsError("there is nothing to compare; name references and at least one system")
    maps: list[tuple[str, ReadMap]] = []
    numbers: dict[str, list[int]] = {}
    for name, read in (each for collection in references for each in collection):
        numbers.setdefault(name, []).append(len(maps))
        maps.append((f"reference/{name}", read))
    items = sorted(numbers)
    outputs, remarks = {}, []
    for system, collection in systems.items():
        others = []
        for name, read in collection:
            if name in numbers:
                outputs[name, system] = len(maps)
                maps.append((f"{system}/{name}", read))
            else:
                others.append(name)
        if len(others) == len(collection):
            raise MapFormatError(
                f"no map of {system} has the name of a reference ({list_some(items[:3])}); name outputs as "
                "their references, whatever the ending"
            )
        if others:
            remarks.append(
                f"{counted(len(others), 'map')} of {system} without a reference left out: {list_some(others[:5])}"
            )
    return Documents(maps, {item: numbers[item] for item in items}, outputs, remarks)


def collections_of(inputs: Inputs) -> tuple[Collection, dict[str, Collection]]:
    """The references, and the outputs of each system, in pairs of them; without controls.

    Without a column system, all pairs are those of one, ``ALL_PAIRS``.
    """
    references: dict[str, ReadMap] = {}
    systems: dict[str, list[tuple[str, ReadMap]]] = {}
    of_pairs = inputs.further.get("system", [ALL_PAIRS] * len(inputs.ids))
    for item, (left, right), system in zip(inputs.ids, inputs.pairs.tolist(), of_pairs, strict=True):
        if system not in BATCH_CONTROLS:
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
        controls: names of ``BATCH_CONTROLS``; another reference is left out if there is one document.
    """
    taken = sorted(BATCH_CONTROLS.keys() & systems.keys())
    if taken:
        raise OptionsError(f"{taken[0]} is the name of a control; call the system otherwise")
    first: dict[str, ReadMap] = {}
    for name, read in (each for collection in references for each in collection):
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
