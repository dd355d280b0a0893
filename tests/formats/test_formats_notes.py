"""Maps of note-taking programs and data sets: small hand-made files in the shape of real ones."""

import json

import pytest
from test_formats_archives import packed
from test_formats_readers import outline

from tted_core.errors import MapFormatError
from tted_core.formats import parse_map, parse_maps

JSONL = """{"id": "one", "map": {"a": {"b": {}}}, "split": "test"}
{"id": 2, "map": {"label": "c", "children": ["d"]}}
"""


@pytest.mark.parametrize(
    "content", [JSONL, json.dumps([json.loads(line) for line in JSONL.splitlines()], indent=1)]
)
def test_records_are_maps_under_their_ids(content):
    one, two = parse_maps(content, name="maps.jsonl")
    assert (one.format, outline(one.tree), outline(two.tree)) == ("records", "a | -b", "c | -d")
    assert one.maps == ("one", "2")
    assert any("other keys of the record were not read: 'split'" in each for each in one.notices)
    assert outline(parse_map(content, sheet="2").tree) == "c | -d"


@pytest.mark.parametrize(
    "content", ['{"id": {"x": {}}, "map": {"y": {}}}', '{"map": {"y": {}}}', '{"id": "a", "map": "y"}']
)
def test_a_nested_dict_with_such_keys_is_not_a_record(content):
    assert parse_map(content).format == "nested-json"


SIMPLEMIND = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE simplemind-mindmaps>
<simplemind-mindmaps generator="x" doc-version="3"><mindmap>
<meta><title text="T"/><main-centraltheme id="5"/></meta>
<topics>
<topic id="3" parent="-1" x="1" y="2" text="Free" textfmt="plain"><note>n</note></topic>
<topic id="5" parent="-1" text="Root\\Nline" textfmt="plain"><layout mode="list"/></topic>
<topic id="6" parent="5" text="A &amp; B"/><topic id="7" parent="6" text="C"/><topic id="8" parent="3" text="D"/>
</topics>
<relations><relation source="6" target="7"/></relations></mindmap></simplemind-mindmaps>"""


@pytest.mark.parametrize("content", [SIMPLEMIND, packed(document__mindmap_xml=SIMPLEMIND, images__a_png="x")])
def test_simplemind(content):
    result = parse_map(content)
    assert (result.format, outline(result.tree)) == ("simplemind", "Root line | -A & B | --C")
    assert result.notices == (
        "the notes of 1 topic are not part of the labels",
        "left out, since outside the hierarchy: floating topic 'Free'; --include-floating includes them (2 nodes)",
    )
    assert outline(parse_map(content, include_floating=True).tree) == "Root line | -Free | --D | -A & B | --C"


REFUSED = {
    "topics in a circle": (
        SIMPLEMIND.replace('id="5" parent="-1"', 'id="5" parent="7"')
        .replace('id="3" parent="-1"', 'id="3" parent="8"'),
        "every topic of the SimpleMind map has a parent",
    ),
    "entities": (
        '<!DOCTYPE s [<!ENTITY x "y">]><simplemind-mindmaps>&x;</simplemind-mindmaps>', "refused as unsafe",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_broken_files_are_refused_with_the_format(name):
    content, message = REFUSED[name]
    with pytest.raises(MapFormatError) as caught:
        parse_map(content)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
