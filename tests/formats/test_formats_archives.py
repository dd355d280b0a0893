"""Archives, several maps in one input, and the limits of the formats of programs."""

import io
import json
import zipfile

import pytest
from helpers.hostile_files import zipped
from test_formats_readers import outline

from tted_core.errors import LimitError, MapFormatError
from tted_core.formats import parse_map, parse_maps, read_map


def topic(title, **children):
    below = {kind: [topic(child) for child in titles] for kind, titles in children.items()}
    return {"title": title, "children": below}


ZEN = json.dumps(
    [
        {"title": "First", "rootTopic": topic("a", attached=["b", ""], detached=["c"], callout=["d"]),
         "relationships": [{"id": 1}]},
        {"title": "Second", "rootTopic": {"attributedTitle": [{"text": "e"}, {"text": " f"}]}},
    ]
)  # fmt: skip
XMIND8 = """<xmap-content xmlns="urn:xmind:xmap:xmlns:content:2.0"><sheet><topic><title>a</title><children>
<topics type="attached"><topic><title>b</title></topic><topic/></topics>
<topics type="detached"><topic><title>c</title></topic></topics>
<topics type="summary"><topic><title>d</title></topic></topics></children></topic><title>First</title></sheet>
<sheet><topic><title>e</title></topic><title>Second</title></sheet></xmap-content>"""
STUB = "<xmap-content><sheet><topic><title>Please update</title></topic></sheet></xmap-content>"
MMAP = """<ap:Map xmlns:ap="x"><ap:OneTopic><ap:Topic><ap:SubTopics><ap:Topic><ap:Text PlainText="b"/></ap:Topic>
</ap:SubTopics><ap:Text PlainText="a"/><ap:FloatingTopics><ap:Topic><ap:Text PlainText="c"/></ap:Topic>
</ap:FloatingTopics></ap:Topic></ap:OneTopic></ap:Map>"""


@pytest.mark.parametrize(
    "content",
    [
        zipped({"content.json": ZEN, "content.xml": STUB}),
        zipped({"content.xml": XMIND8, "meta.xml": "<meta/>"}),
    ],
)
def test_xmind(content):
    result = parse_map(content)
    assert (result.format, outline(result.tree), result.maps) == ("xmind", "a | -b | -", ("First", "Second"))
    assert any("floating topic 'c'" in notice and "(2 nodes)" in notice for notice in result.notices)
    assert outline(parse_map(content, include_floating=True).tree) == "a | -b | - | -c | -d"
    assert parse_map(content, sheet="Second").tree.labels[0][0] == "e"
    assert parse_map(content).maps == ("First", "Second")


def test_mindmanager():
    result = parse_map(zipped({"Document.xml": MMAP}))
    assert (result.format, outline(result.tree)) == ("mindmanager", "a | -b")
    assert outline(parse_map(zipped({"Document.xml": MMAP}), include_floating=True).tree) == "a | -b | -c"


def test_an_archive_of_map_files_is_a_choice_of_maps(tmp_path):
    path = tmp_path / "stories.zip"
    path.write_bytes(
        zipped(
            {
                "b.story": "<T1>x</T1><T1.1>y</T1.1>",
                "a/c.story": "<T1>z</T1>",
                "d.png": b"\x89PNG",
                "e.json": '{"a":',
            }
        )
    )
    result = read_map(path)
    assert result.maps == ("a/c.story", "b.story")
    assert sum("'d.png'" in notice or "1 of 3 maps" in notice for notice in result.notices) == 2
    assert outline(read_map(path, sheet="b.story").tree) == "x | -y"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zipped({"mapdata.xml": "<x/>"}), "iThoughts map .*; export"),
        (zipped({"document/mindmap.xml": "<x/>"}), "a SimpleMind map; export"),
        (zipped({"picture.png": b"\x89PNG"}), "has no mind maps"),
        (zipped({"content.json": "[]"}), "has no sheet"),
        (zipped({"content.json": "[{"}), "cut off"),
        (zipped({"content.xml": XMIND8})[:200], "cut off or damaged"),
        (b"PK\x03\x04", "cut off or damaged"),
        (zipped({"content.xml": "x", "META-INF/manifest.xml": "<encryption-data/>"}), "is encrypted"),
    ],
)
def test_archives_without_maps_are_refused(content, message):
    with pytest.raises(MapFormatError, match=message):
        parse_map(content)


def without_name(archive):
    """The archive with its first entry's name ended at its first letter, in the directory."""
    damaged = bytearray(archive)
    damaged[archive.index(b"PK\x01\x02") + 46] = 0
    return bytes(damaged)


def test_an_entry_without_a_name_is_refused():
    """Found by the fuzzer: zipfile itself falls over such a name."""
    assert outline(parse_map(without_name(zipped({"a": "x", "content.json": ZEN}))).tree) == "a | -b | -"
    with pytest.raises(MapFormatError, match="the archive has no mind maps"):
        parse_map(without_name(zipped({"a": "x"})))


def test_bytes_of_a_damaged_entry():
    content = bytearray(zipped({"content.xml": XMIND8 * 50}))
    content[60:90] = bytes(30)
    with pytest.raises(MapFormatError, match="damaged"):
        parse_map(bytes(content))


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ('{"a": {"b": {}}}\n{"c": {}}\n\n[{"d": {}}]\n', ("a", "c", "d")),
        ("@startmindmap\n* a\n@endmindmap\n@startuml\n@enduml\n@startmindmap\n* b\n@endmindmap", ("a", "b")),
        ("<highlight><T1>a</T1></highlight><highlight><T1>b</T1></highlight>", ("a", "b")),
        ("# a\n- x\n- y\n```mermaid\nmindmap\n  b\n```\n```python\nc\n```", ("a", "b")),
    ],
)
def test_several_maps_in_one_text(text, titles):
    assert parse_map(text).maps == titles
    for number, title in enumerate(titles, start=1):
        assert parse_map(text, sheet=number).tree.labels[0] == title


def test_a_broken_map_among_others_is_noticed():
    result = parse_map('{"a": {}}\n{"b": ')
    assert result.tree.labels == ("a",)
    assert any("1 of 2 maps" in notice and "line 2, column 7" in notice for notice in result.notices)


def test_files_in_hidden_folders_of_an_archive_are_ignored():
    vault = zipped(
        {"notes/reef.md": "# reef\n- polyps", ".obsidian/app.json": '{"text": "a", "children": []}'}
    )
    assert parse_map(vault).maps == ("notes/reef.md",)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_entries_of_one_name_are_both_read():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("/a.md", "- b")
        archive.writestr("a.md", "- c")
    assert [(each.maps[each.sheet - 1], each.tree.labels) for each in parse_maps(buffer.getvalue())] == [
        ("a.md", ("b",)),
        ("a.md (2)", ("c",)),
    ]


def test_maps_that_are_archives_are_read_among_others():
    """Several XMind files in one drop were left out without a word."""
    xmind = {
        "content.json": '[{"rootTopic": {"title": "Reefs", "children": {"attached": [{"title": "fish"}]}}}]'
    }
    files = {"a.xmind": zipped(xmind), "b.md": "# b\n- c\n", "c.zip": zipped({"d.md": "- d"})}
    first, second = parse_maps(zipped(files))
    assert (first.tree.labels, first.format) == (("Reefs", "fish"), "xmind")
    assert second.tree.labels == ("b", "c")
    assert any("left out: 'c.zip'" in notice for notice in first.notices)


def test_maps_that_are_archives_are_limited_together():
    bomb = zipped({"content.json": " " * 5_000_000})
    with pytest.raises(LimitError, match="25,000,000 bytes in the maps of the unpacked archive"):
        parse_maps(zipped({f"{number}.xmind": bomb for number in range(9)}))
