"""docs/formats.md agrees with the code: its tables match."""

import pytest
from helpers.paths import ROOT

from tted_core.formats import FORMATS, ROOTS, WRITERS

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")


def table(heading: str) -> list[list[str]]:
    """The cells of the table whose header begins so, without the backticks around names."""
    _, _, rest = PAGE.partition(f"\n{heading}")
    rows = rest.partition("\n\n")[0].split("\n")[2:]
    return [[cell.strip().strip("`") for cell in row.strip("|").split(" | ")] for row in rows]


def test_every_format_has_its_row_under_its_title():
    assert [row[:2] for row in table("| name | format |")] == [
        [name, entry.title] for name, entry in FORMATS.items()
    ]


def test_every_writer_has_its_row():
    assert [row[:2] for row in table("| name | ending |")] == [
        [name, each.extension] for name, each in WRITERS.items()
    ]


@pytest.mark.parametrize(
    "option", [f"--roots {name}" for name in ROOTS] + ["--sheet", "--include-floating", "--format"]
)
def test_every_option_of_reading_is_explained(option):
    assert f"`{option}" in PAGE
