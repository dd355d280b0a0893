"""Pairs of maps of the same name: in two collections, or in references and the outputs of several systems."""

from array import array
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from tted_core.batch.functions import ANOTHER, CONTROLS, control_of, next_documents
from tted_core.batch.inputs import Inputs, MadeMaps, check_pairs, paths_of
from tted_core.batch.map_collections import AS_IT_IS, RECORDS, Collection, Reading, collection_of
from tted_core.batch.maps import Texts
from tted_core.errors import MapFormatError
from tted_core.formats.folder import ANYWHERE, Files
from tted_core.formats.forest import listed


def pairs_by_name(
    left: Path,
    right: Path,
    *,
    reading: Reading = AS_IT_IS,
    files: Files = ANYWHERE,
    most: int | None = None,
) -> Inputs:
    """The maps of two collections that have the same name, whatever the endings; other maps are told of.

    Args:
        left: a collection.
        right: another one.
        reading: how maps are read.
        files: what opens the maps.
        most: how many pairs there may be.

    Raises:
        MapFormatError: a collection can't be read, two maps of one have the same name, or no name is in both.
        LimitError: there are more pairs than ``most``.
    """
    sides = [collection_of(path, reading, files) for path in (left, right)]
    both = dict(sorted(_partners(*sides)))
    check_pairs(len(both), most)
    notices = []
    for number, word in enumerate(("left", "right")):
        paired = {names[number] for names in both.values()}
        alone = sorted(set(sides[number].numbers).difference(paired))
        if alone:
            notices.append(
                f"{len(alone):,} maps on the {word} have no partner of their name: {listed(alone[:5])}"
            )
    if not both:
        raise MapFormatError(
            f"no map in {left.name} has the same name as one in {right.name}; name them alike, or list the pairs "
            "in a CSV file with the columns left and right"
        )
    names = Texts.of(name for pair in both.values() for name in pair)
    entries = array(
        "q", (side.numbers[name] for pair in both.values() for side, name in zip(sides, pair, strict=True))
    )
    readers = [side.reader for side in sides]
    pairs = np.arange(2 * len(both), dtype=np.int32).reshape(-1, 2)
    return Inputs(
        MadeMaps(names, lambda number: readers[number % 2](entries[number])),
        pairs,
        Texts.of(both),
        notices=tuple(notices),
        source=paths_of(left=left, right=right),
    )


def pairs_with_references(
    reference: Path,
    systems: Sequence[Path],
    *,
    reading: Reading = AS_IT_IS,
    files: Files = ANYWHERE,
    most: int | None = None,
) -> Inputs:
    """The maps of several systems, each with the reference of its name, and the controls of all references.

    The column ``system`` tells whose a pair is.

    Args:
        reference: a collection of references.
        systems: each system's collection of outputs.
        reading: how maps are read.
        files: what opens the maps.
        most: how many pairs there may be.

    Raises:
        MapFormatError: a collection can't be read, or a system has no map of any reference's name.
        LimitError: there are more pairs than ``most``.
    """
    references = collection_of(reference, reading, files)
    first = side_name(reference)
    names = [f"{first}/{name}" for name in references.numbers]
    readers = [references.reader(number) for number in references.numbers.values()]
    place = {name: number for number, name in enumerate(references.numbers)}
    documents = {
        stem if len(each) == 1 else name: place[name]
        for stem, each in references.stems.items()
        for name in each
    }
    rows: list[tuple[str, int, int, str]] = []
    notices = []
    for path in systems:
        system, outputs = side_name(path), collection_of(path, reading, files)
        partners = dict(sorted(_partners(references, outputs)))
        if not partners:
            raise MapFormatError(
                f"no map of {system} has the name of one in {first}, which is taken for the folder of references; "
                "name maps alike, or choose another folder as the reference"
            )
        for item, (of_reference, output) in partners.items():
            rows.append((item, place[of_reference], len(names), system))
            names.append(f"{system}/{output}")
            readers.append(outputs.reader(outputs.numbers[output]))
        alone = sorted(set(outputs.numbers).difference(output for _, output in partners.values()))
        if alone:
            notices.append(f"{len(alone):,} of {system} without a reference left out: {listed(alone[:5])}")
    after = next_documents(sorted(documents))
    for control in CONTROLS:
        for item, number in documents.items():
            if control != ANOTHER:
                rows.append((item, number, len(names), control))
                names.append(f"{names[number]} {control}")
                readers.append(partial(control_of, readers[number], control))
            elif after[item] != item:
                rows.append((item, number, documents[after[item]], control))
    check_pairs(len(rows), most)
    items, left, right, whose = zip(*rows, strict=True)
    return Inputs(
        MadeMaps(Texts.of(names), readers.__getitem__),
        np.array([left, right], dtype=np.int32).T.copy(),
        Texts.of(items),
        {"system": Texts.of(whose)},
        notices=tuple(notices),
        source=paths_of(reference=reference, **{f"system {path.name}": path for path in systems}),
    )


def side_name(path: Path) -> str:
    """What a collection is called: a folder as it is, a file without its ending."""
    return path.stem if path.suffix.lower() in {".zip", *RECORDS} else path.name


def _partners(left: Collection, right: Collection) -> Iterator[tuple[str, tuple[str, str]]]:
    """Each pair's id and both names: of maps that are called alike, or else alike but for the endings.

    Raises:
        MapFormatError: of several maps that are alike but for the ending none is called as the other side's is.
    """
    stems = left.stems, right.stems
    for stem in stems[0].keys() & stems[1].keys():
        names = stems[0][stem], stems[1][stem]
        alike = sorted(set(names[0]).intersection(names[1]))
        if len(names[0]) == len(names[1]) == 1:
            yield stem, (names[0][0], names[1][0])
        elif alike:
            yield from ((name if len(alike) > 1 else stem, (name, name)) for name in alike)
        else:
            several = max(names, key=len)
            raise MapFormatError(
                f"{listed(several)} have the same name but for the ending, and the other side has none of these "
                "names; rename one, or list the pairs in a CSV file"
            )
