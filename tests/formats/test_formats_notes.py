"""Maps of note-taking programs, web pages and data sets: small hand-made files in the shape of real ones."""

import contextlib
import json

import pytest
from helpers.hanging import not_hanging
from helpers.hostile_files import HOSTILE_HTML
from test_formats_archives import packed
from test_formats_readers import outline

from tted_core.errors import LimitError, MapFormatError
from tted_core.formats import parse_map, parse_maps


def card(key, text, x=0, y=0, **more):
    return {"id": key, "type": "text", "text": text, "x": x, "y": y, "width": 250, "height": 60} | more


def arrow(parent, child, **more):
    return {
        "id": f"{parent}-{child}",
        "fromNode": parent,
        "fromSide": "right",
        "toNode": child,
        "toSide": "left",
    } | more


CANVAS = json.dumps(
    {
        "nodes": [
            card("r", "# Root\n\nmore"),
            card("b", "B", 300, 200),
            {
                "id": "a",
                "type": "file",
                "file": "notes/deep/A note.md",
                "subpath": "#Part",
                "x": 300,
                "y": -50,
            },
            {"id": "w", "type": "link", "url": "https://example.org", "x": 600, "y": 0},
            {"id": "g", "type": "group", "label": "Box", "x": -50, "y": -50, "width": 900, "height": 400},
        ],
        "edges": [
            arrow("r", "b", label="leads to"),
            arrow("r", "a", color="1"),
            arrow("w", "b", fromEnd="arrow", toEnd="none"),
        ],
    }
)


def test_a_canvas():
    result = parse_map(CANVAS, name="a.canvas")
    assert (result.format, outline(result.tree)) == (
        "canvas",
        "Root more | -A note#Part | -B | --https://example.org",
    )
    assert result.notices == (
        "the texts of 1 arrow are not part of the labels",
        "boxes around cards are no nodes: 'Box'",
    )


def test_cards_without_arrows_are_roots_under_the_files_name():
    content = json.dumps({"nodes": [card("a", "A", 0, 9), card("b", "B", 0, 1)], "edges": []})
    assert outline(parse_map(content, name="Board.canvas").tree) == "Board | -B | -A"
    assert outline(parse_map(content).tree) == "(2 roots) | -B | -A"


def record(key, text, parent=None, **more):
    base = {"id": key, "text": text, "x": 4000, "y": 4000, "layout": None, "isExpand": True, "stroke": ""}
    return base | ({"isRoot": True, "main": True} if parent is None else {"pid": parent}) | more


RICH = {
    "mindData": [
        [record("r", "ELF"), record("a", "text\nsegment", "r", note="n"),
         record("b", "data", "r"), record("c", "bss", "b")],
        [record("f", "freeNode", main=False, isRoot=False)],
    ],
    "induceData": [],
    "wireFrameData": [],
    "relateLinkData": [{"startNodeId": "a", "endNodeId": "b"}],
    "calloutData": [{"nodeId": "a", "rootData": {"id": "x", "text": "see", "nodeType": "callout"}}],
}  # fmt: skip
NOTE = "---\n\nmindmap-plugin: rich\n\n---\n\n# ELF\n``` json\n{}\n```\n"


def test_a_rich_map_of_markmind():
    result = parse_map(NOTE.format(json.dumps(RICH)), name="ELF.md")
    assert (result.format, outline(result.tree)) == ("markmind", "ELF | -text segment | -data | --bss")
    assert result.notices[1:] == (
        "the notes of 1 node are not part of the labels",
        "not part of the tree: 1 link",
        (
            "left out, since outside the hierarchy: callout 'see', free node 'freeNode'; "
            "--include-floating takes them in (2 nodes)"
        ),
    )
    whole = parse_map(json.dumps(RICH), include_floating=True)
    assert outline(whole.tree) == "ELF | -text segment | --see | -data | --bss | -freeNode"


def test_mind_elixir():
    content = {
        "nodeData": {"id": "root", "topic": "Root", "root": True, "children": [
            {"topic": "A", "id": "a", "direction": 0, "expanded": True, "tags": ["x"],
             "children": [{"topic": "A1", "id": "1"}]},
            {"topic": "B", "id": "b", "style": {"color": "#f00"}},
        ]},
        "arrows": [{"from": "a", "to": "b", "label": "x"}],
        "summaries": [{"parent": "a"}, {"parent": "b"}],
        "direction": 2,
    }  # fmt: skip
    result = parse_map(json.dumps(content))
    assert (result.format, outline(result.tree)) == ("mind-elixir", "Root | -A | --A1 | -B")
    assert result.notices == ("not part of the tree: 1 arrow, 2 summaries",)


LOGSEQ = """alias:: Shells, Muscheln
title:: Two shells

- bash
  collapsed:: true
\t- `echo $SHELL`
\t  id:: 62479ef9-0cff-4d23-9ef2-89a801244bce
\t  collapsed:: true
\t\t- prints std::vector:: no property
\t- alias
\t  :LOGBOOK:
\t  CLOCK: [2024-01-01 Mon 10:00:00]
\t  :END:
- zsh
"""


def test_properties_of_logseq_are_no_labels():
    result = parse_map(LOGSEQ, name="pages/shells.md")
    assert (result.format, outline(result.tree)) == (
        "markdown",
        "Two shells | -bash | --echo $SHELL | ---prints std::vector:: no property | --alias | -zsh",
    )
    assert "properties of Logseq are not part of the labels: 8 lines" in result.notices


def test_what_looks_like_a_property_elsewhere_stays():
    assert (
        outline(parse_map("# a\n- key:: value\n- b\n  C++: std::move\n").tree)
        == "a | -key:: value | -b C++: std::move"
    )
    assert outline(parse_map("- a\n  :LOGBOOK:\n  - b", format="markdown").tree) == "a :LOGBOOK: | -b"


HTML = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>Out &amp; in</title><style>li { color: red }</style></head>
<body><!-- <li>no</li> --><p>Intro</p>
<ul>
 <li><p>Root <b>bold</b></p>
  <ul><li>A<br>two<li>B <a href="x">link</a></ul>
 </li>
 <ul><li>C</li></ul>
</ul><script>document.write("<li>no</li>")</script></body></html>"""


def test_html_lists():
    result = parse_map(HTML, name="a.html")
    assert (result.format, outline(result.tree)) == ("html", "Root bold | -A two | -B link | -C")
    assert result.notices == ("only headings and list items are nodes; not read: 1 text outside of them",)


def test_html_headings_and_lists_nest_as_in_markdown():
    text = "<h1>a</h1><h3>b</h3><ol><li>c<h2>d</h2></li></ol><h2>e</h2><ul><li>f</li></ul>"
    assert outline(parse_map(text).tree) == "a | -b | --cd | -e | --f"
    assert outline(parse_map("<ul><li>a</ul><ul><li>b</ul>").tree) == "(2 roots) | -a | -b"
    titled = "<html><title>T</title><ul><li>a<li>b</ul></html>"
    assert outline(parse_map(titled).tree) == "T | -a | -b"


@pytest.mark.parametrize("name", HOSTILE_HTML)
def test_broken_html_takes_linear_time(name):
    content = f"<ul><li>a{HOSTILE_HTML[name]}"
    with not_hanging(), contextlib.suppress(LimitError, MapFormatError):
        parse_map(content)


def test_limits_of_html():
    with pytest.raises(LimitError, match="characters of HTML"):
        parse_map("<ul><li>a" + " " * 1_000_000)
    with pytest.raises(LimitError, match="levels"):
        parse_map("<ul><li>a" * 600)
    with pytest.raises(LimitError, match="nodes"):
        parse_map("<ul>" + "<li>a" * 60_000)


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
    assert any("keys of the record that are no map were not read: 'split'" in each for each in one.notices)
    assert outline(parse_map(content, sheet="2").tree) == "c | -d"


@pytest.mark.parametrize(
    "content", ['{"id": {"x": {}}, "map": {"y": {}}}', '{"map": {"y": {}}}', '{"id": "a", "map": "y"}']
)
def test_a_nested_dict_with_such_keys_is_no_record(content):
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
        "not part of the tree: 1 relation between topics",
        "left out, since outside the hierarchy: floating topic 'Free'; --include-floating takes them in (2 nodes)",
    )
    assert outline(parse_map(content, include_floating=True).tree) == "Root line | -Free | --D | -A & B | --C"


REFUSED = {
    "an arrow to nowhere": (
        json.dumps({"nodes": [card("a", "A")], "edges": [arrow("a", "b")]}), "no node has the id 'b'",
    ),
    "arrows in a circle": (
        json.dumps({"nodes": [card("a", "A"), card("b", "B")], "edges": [arrow("a", "b"), arrow("b", "a")]}),
        "in a circle",
    ),
    "two arrows to a card": (
        json.dumps({"nodes": [card(k, k) for k in "abc"], "edges": [arrow("a", "c"), arrow("b", "c")]}),
        "'c' has two parents, 'a' and 'b'",
    ),
    "two cards with an id": (json.dumps({"nodes": [card("a", "A"), card("a", "B")]}), "occurs twice"),
    "a rich map without nodes": ('{"mindData": []}', "and this has none"),
    "an unknown parent": (
        json.dumps({"mindData": [[record("r", "R"), record("a", "A", "z")]]}), "no node has the id 'z'",
    ),
    "a node of numbers": ('{"mindData": [[1, 2]]}', "a node of MarkMind is an object"),
    "no children": ('{"nodeData": {"topic": "a", "children": [1]}}', "a node is an object with 'topic'"),
    "topics in a circle": (
        SIMPLEMIND.replace('id="5" parent="-1"', 'id="5" parent="7"')
        .replace('id="3" parent="-1"', 'id="3" parent="8"'),
        "every topic of the SimpleMind map has a parent",
    ),
    "a topic without an id": (SIMPLEMIND.replace('id="7" ', ""), "has an 'id', and this has none"),
    "entities": (
        '<!DOCTYPE s [<!ENTITY x "y">]><simplemind-mindmaps>&x;</simplemind-mindmaps>', "refused as unsafe",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_broken_is_refused_by_name(name):
    content, message = REFUSED[name]
    with pytest.raises(MapFormatError) as caught:
        parse_map(content)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
