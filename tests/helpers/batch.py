"""Batches for tests: sample maps in a table of pairs, and what came out of a run."""

import csv
from pathlib import Path

import pyarrow as pa
from helpers.trees import SAMPLES

from tted_core.batch.results import read_parts
from tted_core.batch.table import BatchOptions, combine

TOPICS = ("bread", "coral-reefs", "solar-system")
VARIANTS = ("structure_1", "meaning_2", "paraphrase_3")


def write_pairs(file: Path, *, topics=TOPICS, further=()):
    """A CSV file of base maps and variants; ``further`` are (left, right) to add."""
    rows = [
        (
            f"{topic}-{variant}",
            str(SAMPLES / topic / "base.json"),
            str(SAMPLES / topic / f"{variant}.json"),
            topic,
        )
        for topic in topics
        for variant in VARIANTS
    ]
    rows += [(f"more-{number}", *pair, "") for number, pair in enumerate(further)]
    with file.open("w", encoding="utf-8", newline="") as target:
        csv.writer(target).writerows([("id", "left", "right", "topic"), *rows])
    return file


def table_of(folder: Path) -> pa.Table:
    """All rows in a folder of results, without the seconds, which are never twice the same."""
    return pa.concat_tables(read_parts(folder)).drop_columns(["seconds"])


def batch_options(*, baselines=(), **several) -> BatchOptions:
    """All combinations of these options, in the plural."""
    return BatchOptions(combine(**several), baselines)
