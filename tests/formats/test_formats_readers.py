"""Each reader on small texts: what it is recognised as, and the tree that comes out."""

import pytest

from tted_core.formats import parse_map
from tted_core.tree import TextTree


def outline(tree: TextTree) -> str:
    return " | ".join(
        f"{'-' * (depth - 1)}{label}" for label, depth in zip(tree.labels, tree.depths, strict=True)
    )


READ = [
    # nested-dict JSON
    ("nested-json", '{"a": {"b": {}, "c": {"d": {}}}}', "a | -b | -c | --d"),
    ("nested-json", '{"a": {"b": {}, "b": {"c": {}}}}', "a | -b | -b | --c"),
    ("nested-json", '{"a": {"b": null, "c": [], "d": "", "e": {}}}', "a | -b | -c | -d | -e"),
    (
        "nested-json",
        '{"a": {"b": "text", "c": 12.50, "d": true}}',
        "a | -b | --text | -c | --12.50 | -d | --true",
    ),
    ("nested-json", '{"a": ["x", {"y": ["z"]}, ["w"], "v"]}', "a | -x | -y | --z | -w | -v"),
    ("nested-json", '[{"a": [{"b": {}}, {"b": {}}]}]', "a | -b | -b"),
    ("nested-json", '["only"]', "only"),
    ("nested-json", '{"A": "b\\nc\\nd"}', "A | -b c d"),
    ("nested-json", '{\u00a0"a":\u00a0{"b\u00a0c": {}}}', "a | -b c"),
    ("nested-json", '"only"', "only"),
    ("nested-json", '{"a": {"name": {"b": {}}}}', "a | -name | --b"),
    ("nested-json", '{"\\u041c\\ud83d\\ude00": {}}', "М😀"),
    ("nested-json", "{'a': {'it\\'s': None, \"b\": []}}", "a | -it's | -b"),
    # JSON objects
    ("json", '{"label": "a", "children": [{"label": "b"}, {"label": "c", "children": []}]}', "a | -b | -c"),
    ("json", '{"text": "a", "nodes": ["b", {"name": "c", "nodes": [{"title": "d"}]}]}', "a | -b | -c | --d"),
    ("json", '{"id": 1, "topic": "a", "children": [{"id": 2, "topic": "b", "children": null}]}', "a | -b"),
    ("json", '{"children": [{"label": "b"}], "label": "a"}', "a | -b"),
    ("json", '{"label": "a", "children": {"label": "b"}}', "a | -b"),
    ("json", '{"title": "only"}', "only"),
    (
        "json",
        '{"": [{"text": "a", "children": ["b"]}, {"text": "c", "children": []}]}',
        "(2 roots) | -a | --b | -c",
    ),
    ("json", '{"title": "a", "nodes": ["b", "c"], "edges": []}', "a | -b | -c"),
    ("json", '[{"text": "a", "children": ["b"]}]', "a | -b"),
    # numbered outline
    ("numbered", "1. a\n1.1. b\n1.1.1. c\n1.2 d", "a | -b | --c | -d"),
    ("numbered", "1.a\n1.1.b\n1.1.1.c d\n1.2.e", "a | -b | --c d | -e"),
    ("numbered", "Title\n1. a\n1.1 b\n2) c", "Title | -a | --b | -c"),
    ("numbered", "1 - a\n1.1 – b\n2: c\n2.1: d\n3、e", "(3 roots) | -a | --b | -c | --d | -e"),
    ("numbered", "[0] Root\n1. [3] a\n1.1. [4] b\n2. [1] c\n", "Root | -a | --b | -c"),
    ("numbered", "1. a\n   1.1. b\n\n   1.2. c\n        1.2.1. d", "a | -b | -c | --d"),
    ("numbered", "1 a\n1.9 b\n1.10 c\n1.10.1 d", "a | -b | -c | --d"),
    ("numbered", "1. a\n1.1.1 c\n1.2 d", "a | -c | -d"),
    # indented text
    ("indented", "a\nUser: b\nAssistant: c", "(3 roots) | -a | -User: b | -Assistant: c"),
    ("indented", ">>> a\n  b", ">>> a | -b"),
    ("indented", "a\n\tb\n\t\tc\n\td", "a | -b | --c | -d"),
    ("indented", "a\r\n  b\r\n    c\r\n  d", "a | -b | --c | -d"),
    ("indented", "a\n\u00a0\u00a0b\n\u3000\u3000c", "a | -b | --c"),
    ("indented", "a\n- b\n  - c\n- d", "a | -b | --c | -d"),
    ("indented", "a\n• b\n  ◦ c\n• [x] d", "a | -b | --c | -d"),
    ("indented", "a\n•\tb\n\to\tc", "a | -b | --c"),
    ("indented", "a\n  b ... 4\n  c ... 3", "a | -b ... 4 | -c ... 3"),
    ("indented", "a:\n1. b\n2. c", "a | -b | -c"),
    ("indented", "a\n-bb\n-cc", "a | -bb | -cc"),
    ("indented", "a\n├── b\n│   └── c\n\n#chat \n", "a | -b | --c"),
    (
        "indented",
        "a\n|-- b\n|   |-- c\n|   |   Text of c\n|   |   Text below\n`-- d",
        "a | -b | --c | ---Text of c | ---Text below | -d",
    ),
    ("indented", "[a]\n  Beds = 4\n  Tools = spade", "[a] | -Beds = 4 | -Tools = spade"),
    (
        "indented",
        "a\n  -5 b\n  1.5 c\n  3.11 d\n  192.168.0.1 e",
        "a | --5 b | -1.5 c | -3.11 d | -192.168.0.1 e",
    ),
    ("indented", "a\n├── b\n│   ├── c\n│   └── d\n│\n└── e", "a | -b | --c | --d | -e"),
    ("indented", "a\n|-- b\n|   `-- c\n`-- d", "a | -b | --c | -d"),
    ("indented", "a\n+---b\n", "a | -b"),
    ("indented", "  a\n    b\n\n    c", "a | -b | -c"),
    ("indented", "a\n    b\n  c\n    d", "a | -b | -c | --d"),
    ("indented", "a\n├── 1. b\n│   ▲\n│   └── c\n└── 3. d", "a | -b | --c | -d"),
    ("indented", "Tea…….…\t3\nCoffee……..\t4", "(2 roots) | -Tea | -Coffee"),
    ("indented", "Root only", "Root only"),
    ("indented", "C++ -5 *x", "C++ -5 *x"),
    # in a fence
    ("nested-json", 'Sure, here it is:\n```json\n{"a": {"b": {}}}\n```\nAnything else?', "a | -b"),
    ("indented", "```\na\n  b\n```", "a | -b"),
    ("indented", "~~~text\na\n  b", "a | -b"),
]


@pytest.mark.parametrize(("name", "text", "expected"), READ)
def test_read(name, text, expected):
    result = parse_map(text, name="x.md" if name == "markdown" else None)
    assert (result.format, outline(result.tree)) == (name, expected)


NOTICED = [
    ("{'a': None}", "read as a Python dict"),
    ('{"a": {},\n}', "commas before closing brackets were ignored"),
    ('{"label": "a", "color": "red", "children": []}', "were not read: 'color' (1 time)"),
    (
        '[{"id": 1, "label": "a", "title": "x"}, {"id": 2, "label": "b", "parent": 1}]',
        "not read: 'title' (1 time)",
    ),
    ("# a\ntext\n\n> quote\n", "not read: 1 paragraph, 1 quotation"),
    ("# a\n- x\n- y\n```\n- b\n1. c\n```\n", "not read: 1 code block, with 2 lines like list items"),
    ("- a\n  id:: 1\n  :LOGBOOK:\n  :END:", "not read: 1 drawer, 1 property line"),
    ("- a\n  - is-part-of:: b\n  - logseq.order-list-type:: number\n", "not read: 1 property line"),
    ("# a <!-- b -->\n- c", "not read: 1 HTML comment"),
    ('<T1>a</T1>\nb "\n<T1.1>c</T1.1>', "text without a number was left out: 'b \"'"),
    ("# [a](b)", "targets of 1 link or image"),
    ("---\nx: y\n---\n# a", "front matter (lines 1 to 3)"),
    ("\n---\nx: y\n---\n---\n\nz-plugin: b\n\n---\n\n# a", "front matter (lines 1 to 9)"),
    ("---\nx: y\n---\na\n  b", "the front matter was not read"),
    ("# a\n- b\n\n  The words below an item go on.", "not read: 1 paragraph"),
    ("a\n    b\n  c", "line 3 is indented less"),
    (
        "1. a\n1.1 b\n1.1 c",
        "numbers that recur or skip a level; they went below the nearest one above: 1.1 (line 3)",
    ),
    (
        "1. a\n1.1.1 c",
        "numbers that recur or skip a level; they went below the nearest one above: 1.1.1 (line 2)",
    ),
    ("a\n    b\n\tc", "a tab was taken for 4 columns"),
    ("x\n```\na\n```", "read from the fenced block from line 3 on"),
    ("- a\n  - \n    - b", "went below the node above): line 2"),
    ("#t #u\n\n- a", "not read: 1 line of tags"),
    ("<answer>\n- a\n</answer>", "tags around the map were left out: <answer>"),
    ("<summary>a</summary>\n- b\n- c", "tags around the map were left out: <summary>"),
    (
        "Option 1:\n- a\n  - b\nOption 2:\n- c\n  - d",
        "holds 2 maps (1 'Option 1', 2 'Option 2'); this is the first",
    ),
    ("a .... 1\nb .... 12", "page numbers were removed from 2 texts"),
    (
        "- a\n  - \n  - ![](b.png)",
        "2 list items without text left out: line 2, line 3",
    ),
    ("- a\n  - &nbsp;", "1 node without text (kept, as an empty label): line 2 ('a' > '')"),
    ('{"a": {" b\\n c": {}}}', "extra white space was removed from 1 node: 'a' > 'b c'"),
    ('{"a\\u0007": {}}', "control characters were removed from 1 node: 'a\\x07'"),
    ('{"a\\ud800": {}}', "half surrogate pairs"),
    ('{"a\\ufeff": {}}', "invisible characters"),
    ('{"e\\u0301": {}}', "Unicode NFC"),
]


@pytest.mark.parametrize(("text", "notice"), NOTICED)
def test_every_repair_and_omission_is_noticed_once(text, notice):
    notices = parse_map(text).notices
    assert sum(notice in sentence for sentence in notices) == 1, notices


@pytest.mark.parametrize(
    "text",
    [
        "a\n  b",
        '{"a": {"b": {}}}',
        "# a\n- b",
        '{"label": "a", "children": ["b"]}',
        '{"nodes": [{"id": "a a"}, {"id": "b b"}], "links": [{"source": "a a", "target": "b b"}]}',
        '[{"id": 1, "attrs": {"text": {"text": "a a"}}}, {"id": 2, "text": "b", "parent": 1}]',
    ],
)
def test_a_clean_map_has_no_notices(text):
    assert parse_map(text).notices == ()
