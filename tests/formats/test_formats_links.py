"""JSON with nodes and links between them: the tree that they make."""

import pytest
from test_formats_readers import outline

from tted_core.formats import parse_map

READ = [
    (
        "sentences",
        '{"sentences": ["a", "b", "no"], "mindmap": {"root": 0, "selected": [0, 1], "edges": [[0, 1]]}}',
        "a | -b",
    ),
    ("sentences", '{"sentences": {"7": "a", "9": "b"}, "edges": [{"parent": 7, "child": 9}]}', "a | -b"),
    ("sentences", '{"sentences": [{"id": 5, "text": "a"}], "mindmap": {"root": 5, "edges": []}}', "a"),
    ("sentences", '[{"topic": "a", "parent": null}, {"topic": "b", "parent": "a"}]', "a | -b"),
    ("sentences", '[{"id": 1, "text": "a", "parentId": 0}, {"id": 2, "text": "b", "parentId": 1}]', "a | -b"),
    (
        "sentences",
        '[{"id": 1, "name": "a", "childrenIds": [3, 2]}, {"id": 2, "name": "b"}, {"id": 3, "name": "c"}]',
        "a | -c | -b",
    ),
    (
        "sentences",
        '{"nodes": {"p": {"text": "a", "x": 1, "children": ["q"]}, "q": {"text": "b", "x": 2}}}',
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"nodes": [{"id": 1, "data": {"label": "a"}}, {"id": 2, "parentNode": "1", "data": {"label": "b"}}], '
            '"edges": [{"source": 1, "target": 2}]}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '[{"id": "1", "type": "input", "data": {"label": "a"}, "position": {"x": 0}}, {"id": "2", "data": '
            '{"label": "b"}}, {"id": "e", "source": "1", "target": "2"}]'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"elements": [{"data": {"id": "p", "label": "a"}}, {"data": {"id": "q", "label": "b"}}, {"data": '
            '{"source": "p", "target": "q"}}], "style": [{"selector": "node"}], "zoom": 1}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        '[{"id": 1, "parent": null, "value": "a"}, {"id": 2, "parent": 1, "value": "b"}]',
        "a | -b",
    ),
    (
        "sentences",
        '{"data": [{"id": 1, "parent": 0, "title": "a"}, {"id": 2, "parent": 1, "title": "b"}]}',
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"mindmap": {"nodes": [{"id": 1, "data": {"label": "a"}}, {"id": 2, "data": {"label": "b"}}], '
            '"edges": [{"source": 1, "target": 2}]}, "title": "t"}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"nodeDataArray": [{"key": 1, "text": "a"}, {"key": 2, "text": "b"}], "linkDataArray": [{"from": 1, '
            '"to": 2}], "class": "GraphLinksModel"}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"nodes": [{"id": "p", "type": "text", "text": "a", "x": 0, "y": 0}, {"id": "q", "type": "file", '
            '"file": "B.md", "x": 0, "y": 0}], "edges": [{"fromNode": "p", "toNode": "q"}]}'
        ),
        "a | -B.md",
    ),
    (
        "sentences",
        (
            '{"title": "t", "nodes": [{"id": 1, "text": "a", "connections": ["2"]}, {"id": 2, "text": "b", '
            '"connections": []}]}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"nodes": [{"id": 1, "title": {"text": "<p>a &amp; b</p>"}, "nodes": []}, {"id": 2, "title": '
            '{"text": "c"}}], "connections": [{"startNodeID": 1, "endNodeID": 2}]}'
        ),
        "a & b | -c",
    ),
    (
        "sentences",
        '{"root": "a", "nodes": [{"name": "b", "parent": "a"}, {"name": "c", "parent": "b"}]}',
        "a | -b | --c",
    ),
    (
        "sentences",
        (
            '{"cells": [{"id": "p", "attrs": {"label": {"text": "a"}}}, {"id": "q", "attrs": {"label": {"text": '
            '"b"}}}, {"source": {"cell": "p"}, "target": {"cell": "q"}}]}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"data": [{"id": 1, "data": {"nodeView": {"data": {"content": "a"}}}, "children": [{"id": 2}]}, '
            '{"id": 2, "data": {"nodeView": {"data": {"content": "b"}}}, "parent": {"id": 1}}]}'
        ),
        "a | -b",
    ),
    ("sentences", '{"nodes": ["a", "b"], "edges": [["a", "b"]]}', "a | -b"),
    ("sentences", '[{"from": "a", "to": "b"}, {"from": "b", "to": "c", "label": "has"}]', "a | -b | --c"),
    (
        "sentences",
        '{"ideas": [{"id": 0, "label": "a", "parent": null}, {"id": 1, "label": "b", "parent": 0}], "central": 0}',
        "a | -b",
    ),
    (
        "sentences",
        '{"centralNode": {"id": "r", "text": "a"}, "branches": [{"id": 1, "text": "b", "parentId": "r"}]}',
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"nodes": [{"id": 1, "attrs": {"label": {"textWrap": {"text": "a"}}}}, {"id": 2, "attrs": {"label": '
            '{"text": "b"}}}], "edges": [{"source": 1, "target": 2}]}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"entities": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}], "relationships": [{"source_id": 1, '
            '"target_id": 2}]}'
        ),
        "a | -b",
    ),
    ("sentences", '[["a", "has", "b"], ["a", "needs", "c"]]', "a | -b | -c"),
    (
        "sentences",
        '{"topic": "a", "concepts": ["b", "c"], "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]}',
        "a | -b | --c",
    ),
    ("sentences", '[{"name": "a", "parentName": null}, {"name": "b", "parentName": "a"}]', "a | -b"),
    ("json", '{"title": "a", "nodes": [{"name": "b"}, {"name": "c"}], "edges": []}', "a | -b | -c"),
    ("sentences", '{"nodes": ["a", "b"], "links": [{"source": 0, "target": 1, "value": 3}]}', "a | -b"),
    ("sentences", '{"root": "a", "edges": [["a", "b"], ["b", "c"]]}', "a | -b | --c"),
    (
        "sentences",
        '[{"parent": "a", "children": ["b", "c"]}, {"parent": "b", "children": ["d"]}]',
        "a | -b | --d | -c",
    ),
    ("sentences", '[["a", "a", "b"], ["b", "a", "c"]]', "a | -b | --c"),
    (
        "sentences",
        '{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b"}]}',
        "a | -b",
    ),
    ("sentences", '[[null, "a"], ["a", "b"], ["a", "c"]]', "a | -b | -c"),
    (
        "sentences",
        (
            '{"nodes": [{"id": 1, "text": {"x": 4, "value": "a"}}, {"id": 2, "text": {"x": 5, "value": "b"}}], '
            '"edges": [{"sourceNodeId": 1, "targetNodeId": 2}]}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"@graph": [{"@id": "p", "skos:prefLabel": {"@value": "a"}}, {"@id": "q", "skos:prefLabel": '
            '[{"@language": "en", "@value": "b"}], "skos:broader": {"@id": "p"}}]}'
        ),
        "a | -b",
    ),
    # The label rather than the tooltip of vis.js, or a name.
    (
        "sentences",
        (
            '{"nodes": [{"id": 1, "label": "a", "title": "x y"}, {"id": 2, "label": "b", "title": "z"}], '
            '"edges": [{"from": 1, "to": 2}]}'
        ),
        "a | -b",
    ),
    (
        "sentences",
        (
            '{"nodes": [{"key": "1", "attributes": {"label": "a", "name": "x"}}, {"key": "2", "attributes": '
            '{"label": "b", "name": "y"}}], "edges": [{"source": "1", "target": "2"}]}'
        ),
        "a | -b",
    ),
    # Columns, as Plotly has them.
    ("sentences", '{"ids": ["p", "q"], "labels": ["a", "b"], "parents": ["", "p"]}', "a | -b"),
    ("sentences", '{"labels": ["a", "b", "c"], "parents": [-1, 0, 0]}', "a | -b | -c"),
    ("sentences", '{"labels": ["a", "b", "c"], "parents": ["", "a"]}', "(2 roots) | -a | --b | -c"),
    (
        "sentences",
        '{"data": [{"type": "treemap", "labels": ["a", "b"], "parents": ["", "a"]}], "layout": {}}',
        "a | -b",
    ),
    # Children under their parents, one of which is a child.
    ("sentences", '{"b": ["c"], "a": ["b", "d"], "d": []}', "a | -b | --c | -d"),
    ("sentences", '{"mindmap": {"a": ["b"], "b": ["c"], "d": null}}', "(2 roots) | -a | --b | ---c | -d"),
]


@pytest.mark.parametrize(("name", "text", "expected"), READ)
def test_read(name, text, expected):
    result = parse_map(text)
    assert (result.format, outline(result.tree)) == (name, expected)
