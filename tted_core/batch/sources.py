"""Opening a batch's pairs from a plan or from results, within limits."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from tted_core.batch.inputs import Inputs, pairs_by_name, pairs_of_table, pairs_with_references
from tted_core.errors import MapFormatError, TTEDError
from tted_core.formats import MindMap
from tted_core.formats.folder import Entry, Files
from tted_core.formats.map_collections import DEFAULT_READING, Reading, ReadMap


def opened_source(
    source: dict[str, Path], *, files: Files, reading: Reading = DEFAULT_READING, most: int | None = None
) -> Inputs:
    """The pairs of a source; a map that may not be opened has an error instead of its content.

    Args:
        source: the paths of "pairs" and optionally "maps", of "left" and "right", or of "reference" and several
            systems.
        files: opens the source and every map.
        reading: options for reading maps.
        most: maximum number of pairs.
    """
    for path in source.values():
        if not files.allows(path):
            raise MapFormatError(f"{path.name!r} may not be opened on this server")
    if "pairs" in source:
        folder = source["pairs"].parent
        inputs = pairs_of_table(source["pairs"], source.get("maps"), reading=reading, files=files, most=most)
    elif "reference" in source:
        reference, *systems = source.values()
        folder = reference.parent
        inputs = pairs_with_references(reference, systems, reading=reading, files=files, most=most)
    else:
        folder = source["left"].parent
        inputs = pairs_by_name(source["left"], source["right"], reading=reading, files=files, most=most)
    return replace(inputs, maps=[(name, partial(_read, read, folder)) for name, read in inputs.maps])


def _read(read: ReadMap, folder: Path) -> MindMap:
    """Read a map; errors don't reveal the server's folders."""
    try:
        return read()
    except TTEDError as error:
        raise MapFormatError(str(error).replace(f"{folder}/", "")) from error


def unwrapped(folder: Path, files: Files) -> Path:
    """The folder, or the only one in it: archives often have a single folder with everything else."""
    entries = entries_of(folder, files)
    while len(entries) == 1 and entries[0].is_dir:
        folder = entries[0].path
        entries = entries_of(folder, files)
    return folder


def entries_of(folder: Path, files: Files) -> list[Entry]:
    """The entries of a folder, except hidden files."""
    try:
        entries = files.entries(folder)
    except OSError as error:
        raise MapFormatError(f"the folder {folder.name!r} can't be read ({error.strerror})") from error
    return [each for each in entries if not each.path.name.startswith(".") and each.path.name != "__MACOSX"]
