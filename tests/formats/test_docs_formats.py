"""docs/formats.md agrees with the code: its tables match, and its examples are read as described."""

import io
import re
import zipfile

import pytest
from helpers.paths import ROOT

from tted_core.formats import FORMATS, ROOTS, WRITERS, parse_map

PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
ENTRY = {  # what the example of a zip format is
    "xmind": "content.json",
    "mindmanager": "Document.xml",
    "simplemind": "document/mindmap.xml",
}
EXAMPLE = re.compile(r"^### `([^`\n]+)`\n+(?:[^`\n][^\n]*\n+)*```\w+\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
EXAMPLES = dict(EXAMPLE.findall(PAGE))


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


def test_every_format_has_an_example():
    assert list(EXAMPLES) == list(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_each_example_is_read_as_the_format_of_its_section(name):
    text = EXAMPLES[name]
    content = packed(ENTRY[name], text) if name in ENTRY else text
    result = parse_map(content)
    assert (result.format, result.notices) == (name, ())
    assert result.tree.labels == ("Trees", "Oak", "Birch")


def packed(entry: str, text: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(entry, text)
    return buffer.getvalue()
