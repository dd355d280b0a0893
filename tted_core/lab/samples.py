"""Samples D: a base map and its variants of known kinds (Sobolevsky and Vorontsov 2025, equation 2).

A sample is a folder with a file ``base.*`` or ``base_tree.*`` and variants ``paraphrase_1.*``, ``structure_1.*``,
``meaning_1.*`` and so on, in any supported format. The published data (size_5/set_0/...) and sample_trees
(topic/...) have this form.
"""

import itertools
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tted_core.errors import MapFormatError, TTEDError, check_limit
from tted_core.formats.map_collections import DEFAULT_READING, Reading
from tted_core.foundations.files import files_in, read_bytes
from tted_core.foundations.messages import counted, list_some
from tted_core.tree import TextTree

MAX_SAMPLE_FILES = 5_000  # maximum maps in a folder of samples

# Kinds of variants, by how they differ from the base: in wording, in structure, or in meaning.
VARIANT_KINDS = ("paraphrase", "structure", "meaning")

# The parts of a sample, and the kinds of files of which each needs one.
_PARTS = {
    "base map": ("base",),
    "paraphrases": ("paraphrase",),
    "structure or meaning variants": ("structure", "meaning"),
}

_FILE = re.compile(rf"(?:(?P<base>base|base_tree)|(?P<kind>{'|'.join(VARIANT_KINDS)})_(?P<number>\d+))\.\w+")


@dataclass(frozen=True)
class Sample:
    """A base map and its variants of each of ``VARIANT_KINDS``; ``name`` is its folder."""

    name: str
    base: TextTree
    variants: dict[str, tuple[TextTree, ...]]

    @property
    def size(self) -> int:
        """Number of nodes of the base."""
        return len(self.base)

    @property
    def trees(self) -> tuple[TextTree, ...]:
        """The base and all variants."""
        return (self.base, *itertools.chain(*self.variants.values()))


def read_samples(
    folder: Path | str,
    variants: int | None = None,
    *,
    reading: Reading = DEFAULT_READING,
    report: Callable[[str], None] = lambda _notice: None,
) -> tuple[Sample, ...]:
    """All samples in a folder and its subfolders, in natural order of their names.

    Args:
        folder: a sample, or a folder of samples.
        variants: number of each kind to read, lowest numbers first; None for all.
        reading: options for reading maps; of several roots, "first" reproduces the published numbers.
        report: called with notices about folders that aren't samples and about repaired maps.

    Raises:
        MapFormatError: there is no sample, or a map can't be read.
        LimitError: more files than ``MAX_SAMPLE_FILES``.
    """
    root = Path(folder)
    if not root.is_dir():
        raise MapFormatError(
            f"{root} is not a folder; name one that holds samples (base.json, paraphrase_1.json ...)"
        )
    maps = _maps_in(root)
    folders: defaultdict[str, dict[str, dict[int, Path]]] = defaultdict(lambda: defaultdict(dict))
    for path in sorted(maps, key=lambda path: (path.suffix != ".json", path)):  # of several formats, JSON
        match = maps[path]
        kind, number = ("base", "0") if match["base"] else (match["kind"], match["number"])
        folders[path.parent.as_posix()][kind].setdefault(int(number), path)

    def tree(path: Path) -> TextTree:
        try:
            mind_map = reading.file(read_bytes(root / path), path.name)
        except TTEDError as error:
            raise MapFormatError(f"{path.as_posix()}: {error}") from error
        for notice in mind_map.notices:
            report(f"{path.as_posix()}: {notice}")
        return mind_map.tree

    samples = []
    left_out = []
    numbered = {name: re.findall(r"(\D*)(\d*)", name) for name in folders}  # 5 comes before 10
    for name in sorted(folders, key=lambda name: [(int(part or 0), text) for text, part in numbered[name]]):
        found = folders[name]
        if lacking := [part for part, kinds in _PARTS.items() if not any(map(found.get, kinds))]:
            left_out.append(f"{name} (no {' and no '.join(lacking)})")
            continue
        of_kind = {
            kind: tuple(tree(found[kind][number]) for number in sorted(found[kind])[:variants])
            for kind in VARIANT_KINDS
        }
        samples.append(Sample(name, tree(found["base"][0]), of_kind))
    if not samples:
        raise MapFormatError(
            f"{root} holds no sample: a folder with base.json (or base_tree.json), paraphrase_1.json and so on, "
            "and structure_1.json or meaning_1.json and so on"
        )
    if left_out:
        report(f"left out {counted(len(left_out), 'folder')}: {list_some(left_out)}")
    return tuple(samples)


def _maps_in(root: Path) -> dict[Path, re.Match[str]]:
    """The files below a folder that are named like maps of samples."""
    maps = {path: match for path in map(Path, files_in(root)) if (match := _FILE.fullmatch(path.name))}
    check_limit(len(maps), MAX_SAMPLE_FILES, f"maps in {root}", "give fewer samples")
    return maps
