"""Which setting tells systems apart, on simple generators of a folder of articles and references.

Eight systems make a map of each article: *lead*, *textrank* and *random* of ``examples/generators``, and *whole*,
which takes every sentence; each once of the whole article and once of its first half. They are made here, so that
every system has a map of every document; they are cruder than language models, so their differences are larger.
The table is that of ``tted systems --reliability``.

Usage: python -m benchmarks.systems_reliability FOLDER [--maps DIR]

FOLDER holds ``references`` and ``articles`` (texts whose paragraphs are apart by an empty line, named as their
references). With ``--maps`` the maps are kept in DIR, so that ``tted systems`` can read them.
"""

import argparse
import re
import tempfile
from functools import partial
from pathlib import Path

from examples.generators.generate import GENERATORS, outline
from tted_core import TextTree
from tted_core.batch.functions import CONTROLS
from tted_core.batch.map_collections import collected
from tted_core.batch.settings import BatchOptions
from tted_core.cli.shared import loaded_encoder
from tted_core.systems.reliability import measure_reliability, reliability_lines

TOGETHER = 4
"""Paragraphs that count as one: those of news are a sentence long."""


def article(file: Path) -> tuple[str, list[list[str]]]:
    """The first paragraph as the title, and the sentences of the others, some paragraphs at a time."""
    title, *rest = [each.strip() for each in file.read_text(encoding="utf-8").split("\n\n") if each.strip()]
    groups = [rest[place : place + TOGETHER] for place in range(0, len(rest), TOGETHER)]
    return title, [re.split(r"(?<=[.!?])\s+", " ".join(group)) for group in groups]


def whole(title: str, paragraphs: list[list[str]]) -> TextTree:
    """Every sentence; the first of each paragraph is the branch of its others."""
    labels, parents = [title], [-1]
    for sentences in paragraphs:
        parents += [0, *[len(labels)] * (len(sentences) - 1)]
        labels += sentences
    return TextTree(tuple(labels), tuple(parents))


def main() -> None:
    """Make the maps and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--maps", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        target = given.maps or Path(temporary)
        systems = {}
        for name, generator in {**GENERATORS, "whole": whole}.items():
            for part in ("", "_half"):
                folder = target / f"{name}{part}"
                folder.mkdir(parents=True, exist_ok=True)
                for file in sorted((given.folder / "articles").iterdir()):
                    title, paragraphs = article(file)
                    kept = paragraphs[: (len(paragraphs) + 1) // 2] if part else paragraphs
                    (folder / f"{file.stem}.md").write_text(outline(generator(title, kept)), encoding="utf-8")
                systems[folder.name] = collected(folder)
        references = [collected(given.folder / "references")]
        load = partial(loaded_encoder, cached=True)
        rows, scores = measure_reliability(
            references, systems, BatchOptions(), controls=tuple(CONTROLS), load=load
        )
        print("\n".join([*reliability_lines(rows), *scores.summary]))


if __name__ == "__main__":
    main()
