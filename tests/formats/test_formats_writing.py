"""Writers: what is written reads back as an equal tree; what would change is said."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tted_core.errors import UnknownNameError
from tted_core.formats import FORMATS, WRITERS, map_text, parse_map
from tted_core.formats.labels import LabelRepairs
from tted_core.tree import TextTree


def clean(text):
    return LabelRepairs().clean(text, str)


TRICKY = [
    "", "# x", "- x", "* x", "+ x", "1. x", "12) x", "> x", "---", "===", "a #", "[ ] x", "[x](y)",
    "**b**", "_i_", "`c`", "a\\", "\\*", "&amp;", "&", "<b>x</b>", "<br>",
    "<html><body>x</body></html>", "a < b > c", '"q"', "'q'", "{x}", "[x]", "(x)", "((x))",
    "::icon(x)", ":::c", "%% c", "%%{x}%%", "#quot;", "#35;", "|a|b|", "~~s~~", "mindmap", "```", "~~~",
    "C:\\x", "http://x.y/_z_", "🌳 Дерево", "\u202eabc", "é", "x\u00a0y", "true", "1", "title: x",
    "a: b", "!x", "![x](y)", "<x>", "</map>", "]]>", "<!-- x -->", "<?x?>", "$x$",
    "$x_1 * 2$ and $5 *a*", "\\$x$_",
    "$$", "==x==",
    "a == b == c", "x ^id", "a) b", "iv) b", "[[a|b]]", "id:: 1", "TODO x", "$a\\\\b$", "@startmindmap",
    "  x", "=", "-", "#", "\\", "<span>",
    "茶思维导图", "お茶のマインドマップ", "C#", "*.pyc",
    "<T1>", "a <T1> b", "<highlight>", "id", "label", "children", "nodes", "links", "name", "root", "data",
]  # fmt: skip
LABELS = st.sampled_from(TRICKY).map(clean) | st.text(max_size=12).map(clean)


@st.composite
def trees(draw):
    labels = draw(st.lists(LABELS, min_size=1, max_size=12))
    parents = [-1]
    for node in range(1, len(labels)):
        path = [node - 1]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        parents.append(draw(st.sampled_from(path)))
    return TextTree(tuple(labels), tuple(parents))


@pytest.mark.parametrize("name", WRITERS)
@given(tree=trees())
@example(tree=TextTree(tuple(map(clean, TRICKY)), (-1, *([0] * (len(TRICKY) - 1)))))
@example(tree=TextTree(tuple(map(clean, TRICKY)), tuple(range(-1, len(TRICKY) - 1))))
@example(tree=TextTree(("id",), (-1,)))
@example(tree=TextTree(("a", "b", "b", "b", "c", "c"), (-1, 0, 1, 0, 0, 0)))
def test_written_maps_are_read_back_as_equal_trees(name, tree):
    text, _ = map_text(tree, name)
    assert text.encode("utf-8").decode("utf-8") == text
    assert parse_map(text, format=name).tree == tree
    result = parse_map(text)
    assert (result.format, result.tree) == (name, tree)


def test_equal_siblings_become_a_list_in_nested_json():
    text, notices = map_text(TextTree(("a", "b", "b", "c", "d"), (-1, 0, 0, 2, 0)), "nested-json")
    assert json.loads(text) == {"a": [{"b": {}}, {"b": {"c": {}}}, {"d": {}}]}
    assert any("equal siblings were written as a list" in notice for notice in notices)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nested-json", '{\n  "a": {\n    "b": {},\n    "c": {}\n  }\n}\n'),
        ("json", '{"label": "a", "children": [\n  {"label": "b"},\n  {"label": "c"}\n]}\n'),
        ("markdown", "# a\n- b\n- c\n"),
        (
            "freemind",
            '<map version="1.0.1">\n<node TEXT="a">\n  <node TEXT="b"/>\n  <node TEXT="c"/>\n</node>\n</map>\n',
        ),
        ("mermaid", 'mindmap\n  n0["a"]\n    n1["b"]\n    n2["c"]\n'),
    ],
)
def test_written_text_is_idiomatic(name, expected):
    assert map_text(TextTree(("a", "b", "c"), (-1, 0, 0)), name) == (expected, ())


def test_writers_are_formats():
    assert set(WRITERS) <= set(FORMATS)
    with pytest.raises(UnknownNameError, match="nested-json"):
        map_text(TextTree(("a",), (-1,)), "xmind")
