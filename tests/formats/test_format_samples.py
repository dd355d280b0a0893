"""sample_trees/formats/: one map in every format, and all sample maps through every writer."""

import pytest
from helpers.trees import SAMPLES

from tted_core.formats import FORMATS, read_map

FOLDER = SAMPLES / "formats"
FILES = {
    "xmind": "xmind",
    "mindmanager": "mmap",
    "freemind": "mm",
    "opml": "opml",
    "cmgn": "story",
    "mermaid": "mmd",
    "plantuml": "puml",
    "jsmind": "jm",
    "sentences": "sentences.json",
    "mindmup": "mup",
    "edist": "edist.json",
    "json": "json",
    "nested-json": "nested.json",
    "edges": "csv",
    "numbered": "numbered.txt",
    "markdown": "md",
    "indented": "txt",
}
NOTICES = {
    "plantuml": "settings, titles and the like are not nodes: line 6 ('left side')",
}
DIGEST = "0132eb8afaddc2570af5393037a8740e4650d644c29eb9a6a2c60c828756cc37"


def test_there_is_one_file_for_each_format_and_no_other():
    assert list(FILES) == list(FORMATS)
    assert {path.name for path in FOLDER.iterdir()} == {f"photosynthesis.{end}" for end in FILES.values()}


@pytest.mark.parametrize(("name", "ending"), FILES.items())
def test_each_file_is_recognised_and_holds_the_same_tree(name, ending):
    path = FOLDER / f"photosynthesis.{ending}"
    result = read_map(path)
    assert result.format == name
    assert result.tree.digest == DIGEST
    assert result.notices == ((NOTICES[name],) if name in NOTICES else ())
    assert read_map(path, format=name).tree == result.tree
    assert f".{ending.rpartition('.')[2]}" in FORMATS[name].extensions
