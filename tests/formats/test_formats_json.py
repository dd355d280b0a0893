"""JSON of programs, people and models: what it is recognised as, and the tree."""

import json

import pytest
from test_formats_readers import outline

from tted_core.formats import parse_map, parse_maps

READ = [
    (
        "mindmup",
        (
            '{"id": 1, "title": "a", "ideas": {"10": {"title": "e"}, "-2": {"title": "c"}, "2": {"title": "b"}, '
            '"-1.5": {"title": "d", "ideas": {"1": {"title": "f"}}}}}'
        ),
        "a | -b | -e | -d | --f | -c",
    ),
    (
        "mindmup",
        '{"formatVersion": 3, "id": "root", "title": "no", "ideas": {"1": {"title": "a", "ideas": {}}}}',
        "a",
    ),
    (
        "mindmup",
        '{"id": 1, "title": "a", "ideas": {"x": {"title": "c"}, "1": {"title": "b"}, "-1": {"title": "d"}}}',
        "a | -c | -b | -d",
    ),
    (
        "mindmup",
        '{"id": 1, "title": "a", "ideas": {"1": {"title": "b", "idea": {"1": {"title": "c"}}}}}',
        "a | -b",
    ),
    (
        "json",
        '{"root": {"data": {"text": "a"}, "children": [{"data": {"text": "b"}}]}, "theme": "x y"}',
        "a | -b",
    ),
    (
        "json",
        '{"title": "a", "children": {"b": {"title": "c"}, "d": {"title": "e"}}}',
        "a | -c | -e",
    ),
    ("json", '{"data": {"text": "<p>a</p>", "richText": true}, "children": []}', "a"),
    ("json", '{"nodeData": {"topic": "a", "id": "r", "children": [{"topic": "b"}]}, "arrows": []}', "a | -b"),
    ("json", '{"content": "a", "children": [{"content": "<b>b</b>", "children": []}]}', "a | -b"),
    ("json", '[{"title": "a", "children": [{"string": "b", "uid": "x"}]}]', "a | -b"),
    ("json", '{"id": 1, "mindmap": {"root": {"text": {"caption": "a"}, "children": ["b"]}}}', "a | -b"),
    ("json", '{"t": "root", "v": "a", "c": [{"t": "heading", "v": "b", "p": {"lines": [1]}}]}', "a | -b"),
    ("json", '{"content": "a &amp; b", "children": []}', "a & b"),
    ("json", '{"id": "a", "children": [{"id": "b"}]}', "a | -b"),
    ("json", '{"topic": {"title": "a", "children": []}, "children": [{"title": "b"}]}', "a | -b"),
    (
        "json",
        '{"title": "t", "root_topic": "a", "primary_branches": [{"icon_name": "i", "name": "b"}]}',
        "a | -b",
    ),
    ("json", '{"mapTitle": "a", "content": [{"nodeTitle": "b", "content": "x y"}]}', "a | -b"),
    ("json", '{"topic": "a", "subtasks": [{"task": "b", "examples": ["c"]}]}', "a | -b | --c"),
    (
        "json",
        '{"topic": "a", "branches": {"Stages": ["b"], "Items": ["c"]}}',
        "a | -Stages | --b | -Items | --c",
    ),
    (
        "json",
        (
            '{"tooltip": {"show": true}, "series": [{"type": "tree", "label": {"position": "left"}, "data": '
            '[{"name": "a", "children": [{"name": "b", "value": 2}]}]}]}'
        ),
        "a | -b",
    ),
    (
        "json",
        '{"topic": "a", "mindmap": [{"branch": "b", "subbranches": ["c"]}, {"branch": "d"}]}',
        "a | -b | --c | -d",
    ),
    ("json", '{"A b": [{"heading": "c", "points": ["d"]}, {"heading": "e"}]}', "A b | -c | --d | -e"),
    (
        "json",
        '{"central_topic": {"title": "a", "note": "x y", "branches": [{"title": "b", "details": "x y"}]}}',
        "a | -b",
    ),
    (
        "json",
        '{"name": "t", "data": {"label": "a", "right": [{"label": "b"}], "left": [{"label": "c"}]}}',
        "a | -b | -c",
    ),
    (
        "json",
        '[{"id": 1, "title": "a"}, {"id": 2, "title": "b", "items": ["c"]}]',
        "(2 roots) | -a | -b | --c",
    ),
    (
        "json",
        '{"app": {"cards": [{"id": 1, "text": "a"}, {"id": 2, "text": "b", "parentId": 1}]}}',
        "a | -b",
    ),
    ("json", '{"1": {"text": "<p>a &amp; b</p>", "branches": {"3": {"text": "<p>c</p>"}}}}', "a & b | -c"),
    (
        "json",
        '{"title": "t", "topics": ["x"], "mind_map": {"label": "a", "children": [{"label": "b"}]}}',
        "a | -b",
    ),
    (
        "json",
        '{"title": "a", "nodes": [{"id": 1, "text": "b", "children": ["c"]}], "links": []}',
        "a | -b | --c",
    ),
    (
        "mindmup",
        '{"title": "a", "ideas": {"1": "b", "2": {"title": "c", "ideas": {"1": "d"}}}}',
        "a | -b | -c | --d",
    ),
    ("mindmup", '{"ideas": {"1": "a"}}', "a"),
    (
        "nested-json",
        '{"a": [{"b": {}}, {"b": {"c": {}}}], "d": [{"e": {}, "f": {}}, {"e": {}, "f": {}}]}',
        "(2 roots) | -a | --b | --b | ---c | -d | --e | --f | --e | --f",
    ),
    ("json", '{"topic": "a", "level1": [{"name": "b", "level2": ["c"]}]}', "a | -b | --c"),
    (
        "json",
        '{"map": {"@version": "1", "node": {"@TEXT": "a", "node": [{"@TEXT": "b", "node": {"@TEXT": "c"}}]}}}',
        "a | -b | --c",
    ),
    (
        "json",
        '{"opml": {"body": [{"outline": [{"$": {"text": "a"}, "outline": [{"$": {"text": "b"}}]}]}]}}',
        "a | -b",
    ),
    ("json", '{"question": "a", "children": [{"question": "b", "answer": "x"}]}', "a | -b"),
    (
        "json",
        '{"central": "a", "branches": [{"name": "b", "items": ["c"]}, {"name": "d"}], "links": [["b", "d"]]}',
        "a | -b | --c | -d",
    ),
    (
        "json",
        '{"name": "a", "children": {"b": {"name": "b"}, "c": {"name": "c", "children": {}}}}',
        "a | -b | -c",
    ),
    ("json", '{"name": "a", "subs": [{"name": "b", "subs": [{"name": "c"}]}]}', "a | -b | --c"),
    ("json", '{"topic": "a", "children": {"b": {"children": {"c": {}}}, "d": {}}}', "a | -b | --c | -d"),
    ("json", '{"mindmap": "a", "branches": ["b", "c"]}', "a | -b | -c"),
    ("nested-json", '{"mind_map": {"a": {"b": {}}}}', "a | -b"),
    ("json", '{"тема": "a", "ветви": [{"название": "b", "подветви": ["c"]}]}', "a | -b | --c"),
    ("json", '{"中心主题": "a", "分支": [{"名称": "b", "子分支": ["c"]}]}', "a | -b | --c"),
    ("json", '{"tree": {"value": "a", "left": {"value": "b"}, "right": {"value": "c"}}}', "a | -b | -c"),
    ("edist", '{"nodes": ["b", "a", "c"], "adj": [[2], [0], []]}', "a | -b | --c"),
    (
        "nested-json",
        '{"tree": {"a": ["b"], "b": ["c"]}, "d": "e f"}',
        "(2 roots) | -tree | --a | ---b | --b | ---c | -d | --e f",
    ),
    ("json", '{"topic": {"title": "a", "children": ["b"]}, "children": ["c"]}', "a | -c | -b"),
    ("nested-json", '{"root": null, "b": {"c": {}}}', "(2 roots) | -root | -b | --c"),
    ("json", '[{"nodes": [{"id": 1, "label": "a"}, {"id": 2, "label": "b"}], "edges": [[1, 2]]}]', "a | -b"),
    # Branches with a text in common, and a text that is below itself, are no links.
    ("nested-json", '{"a": ["x", "y"], "b": ["x", "z"]}', "(2 roots) | -a | --x | --y | -b | --x | --z"),
    ("nested-json", '{"a": ["x", "x", "y"], "b": ["z"]}', "(2 roots) | -a | --x | --x | --y | -b | --z"),
    ("nested-json", '{"a": ["b"], "a": ["c"]}', "(2 roots) | -a | --b | -a | --c"),
    ("nested-json", '{"a": ["a", "b"], "c": ["d"]}', "(2 roots) | -a | --a | --b | -c | --d"),
    ("json", '{"title": "t", "branches": {"a": ["b", "c"], "b": ["d"]}}', "t | -a | --b | --c | -b | --d"),
    (
        "nested-json",
        '{"edges": {"a": ["b", "c"], "d": ["c", "e"]}}',
        "edges | -a | --b | --c | -d | --c | --e",
    ),
    ("nested-json", '["a", [["b", ["c"]], ["d", []]]]', "a | -b | --c | -d"),
    ("xmind", '{"rootTopic": {"title": "a", "label": "x", "children": [{"title": "b"}]}}', "a | -b"),
    ("json", '{"title": "a", "children": [{"title": "b", "label": "x", "children": []}]}', "a | -b"),
    # Of several keys with texts: the label, if it isn't rare or a class; then the name or title.
    (
        "json",
        '{"name": "n1", "label": "a", "children": [{"name": "n2", "label": "b", "title": "x"}]}',
        "a | -b",
    ),
    ("json", '{"text": "a", "title": "x", "children": [{"text": "b", "title": "x"}]}', "a | -b"),
    ("json", '{"title": "a", "text": "x y", "children": [{"title": "b", "text": "y z"}]}', "a | -b"),
    (
        "json",
        '{"name": "a", "label": "topic", "children": [{"name": "b", "label": "x"}, {"name": "c", "label": "x"}]}',
        "a | -b | -c",
    ),
    # Names as keys of objects with keys in common with those in their children; without children, they are texts.
    (
        "json",
        '{"a": {"note": "x y", "subtopics": {"b": {"note": "x"}, "c": {"note": "y", "subtopics": {"d": {}}}}}}',
        "a | -b | -c | --d",
    ),
    ("json", '{"mindmap": {"a": {"children": {"b": {"children": ["c"]}, "d": {}}}}}', "a | -b | --c | -d"),
    ("json", '{"a": {"summary": "x", "topics": {"b": {"summary": "y"}}}}', "a | -b"),
    (
        "json",
        '{"title": "a", "topics": {"b": {"note": "x", "topics": {}}, "c": {"note": "y"}}}',
        "a | -b | -c",
    ),
    (
        "nested-json",
        '{"a": {"b": {"Pros": ["x"], "Cons": ["y"]}, "c": {"Pros": ["z"]}}}',
        "a | -b | --Pros | ---x | --Cons | ---y | -c | --Pros | ---z",
    ),
    (
        "json",
        '{"central_node": {"label": "a"}, "nodes": [{"label": "b", "children": ["c"]}]}',
        "a | -b | --c",
    ),
    ("nested-json", 'Here it is:\n\n{"a": {"b": {}}}\n\nAnything else?', "a | -b"),
]


@pytest.mark.parametrize(("name", "text", "expected"), READ)
def test_read(name, text, expected):
    result = parse_map(text)
    assert (result.format, outline(result.tree)) == (name, expected)


JSONL = """{"id": "one", "map": {"a": {"b": {}}}, "split": "test"}
{"id": 2, "map": {"label": "c", "children": ["d"]}}
"""


@pytest.mark.parametrize(
    "content", [JSONL, json.dumps([json.loads(line) for line in JSONL.splitlines()], indent=1)]
)
def test_records_are_maps_under_their_ids(content):
    one, two = parse_maps(content, name="maps.jsonl")
    assert (one.format, outline(one.tree), outline(two.tree)) == ("nested-json", "a | -b", "c | -d")
    assert one.maps == ("one", "2")
    assert any("other keys of the records were not read: 'split'" in each for each in one.notices)
    assert outline(parse_map(content, sheet="2").tree) == "c | -d"


@pytest.mark.parametrize("content", ['{"id": {"x": {}}, "map": {"y": {}}}', '{"map": {"y": {}}}'])
def test_a_nested_dict_with_such_keys_is_not_a_record(content):
    assert parse_map(content).format == "nested-json"
