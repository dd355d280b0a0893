"""The formats of programs and data sets: what they are recognised as, the tree, what is left out or refused."""

import json

import pytest
from helpers.hostile_files import zipped
from test_formats_readers import outline

from tted_core.errors import MapFormatError
from tted_core.formats import FORMATS, parse_map, parse_maps

FREEMIND = """<map version="freeplane 1.9"><!-- x -->
<node TEXT="a"><hook NAME="MapStyle"><map_styles><stylenode TEXT="no"/></map_styles></hook>
<richcontent TYPE="NOTE"><html><body><p>no</p></body></html></richcontent>
<node ID="b"><richcontent TYPE="NODE"><html><head><style>p {}</style></head><body><p>b <b>bold</b></p><p>two</p>
</body></html></richcontent></node>
<node TEXT="&lt;html&gt;&lt;body&gt;&lt;p&gt;c &amp;amp; d&lt;/p&gt;&lt;/body&gt;&lt;/html&gt;"/>
<node LOCALIZED_TEXT="e"><richcontent TYPE="DETAILS"><html><body>no</body></html></richcontent></node>
<node CONTENT_ID="b"/><node TEXT="x &lt; y &amp;amp; z"/></node></map>"""

MERMAID = """---
config: {layout: tidy-tree}
---
  %%{init: {
    "theme": "x"
  }}%%
mindmap
  root((a))
    b["multi
      line [x]"]
    ::icon(fa fa-book)
    c)cloud(
      d))bang((
    :::urgent large
    %% comment
    e{{hex}}
    f["`**bold** snake_case_x *it*`"]
    g #quot;q#quot; #35;<br/>h
    i(j (k))
    l[`m`]
    (n)
"""

PLANTUML = """@startmindmap
' comment
/' more
* no
'/
<style>
node { Padding 1 }
</style>
title A title
header
* no
endheader
skinparam x y
*[#Orange] a
**_ b <<green>>
**[#red]_ [[http://x c]]
***:d
e **f**;
left side
-- <color:red>g</color> <&flag>
---- h
@endmindmap
"""

STORY = """<highlight>
<T1>a & b</T1>
<T1.1>c <1</1.1>
<T1.1.1>d
<T1.2>e</T1.2>
<T1.2>f</T1.2>
<T1.2.1>g</T1.2.1>
<T1.10>h</T1.10>
<T1.3.1>i</T1.3.1>
</highlight>"""

READ = [
    ("freemind", FREEMIND, "a | -b bold two | -c & d | -e | -b bold two | -x < y &amp; z"),
    (
        "opml",
        (
            '<opml version="1.0"><head><title>t</title></head><body><outline text="a" _note="n">'
            '<outline text="b &lt;a href=&quot;x&quot;&gt;c&lt;/a&gt;"/>'
            '<outline title="d" isComment="true"/></outline></body>'
            "</opml>"
        ),
        "a | -b c | -d",
    ),
    (
        "opml",
        "<opml><body><outline text='&lt;p>a&lt;/p>&lt;script>x&lt;/script>b&lt;style>c'/></body></opml>",
        "a bc",
    ),
    ("cmgn", STORY, "a & b | -c <1 | --d | -e | -f | --g | -i | -h"),
    (
        "mermaid",
        MERMAID,
        (
            'a | -multi line [x] | -cloud | --bang | -hex | -bold snake_case_x it | -g "q" # h | '
            "-j (k) | -m | -n"
        ),
    ),
    ("mermaid", "\n  mindmap\n  a\n    b\n   c", "a | -b | -c"),
    ("plantuml", PLANTUML, "a | -b | -c | --d e f | -g | --h"),
    ("plantuml", "@startmindmap\n* a\n\t* b\n\t\t* c\n\t* d\n@endmindmap", "a | -b | --c | -d"),
    ("plantuml", "@startwbs plan\n* a\n**< b\n** (x) c\n**(y) d\ny -> x\n@endwbs", "a | -b | -(x) c | -d"),
    (
        "plantuml",
        "@startmindmap\n* [[ http://x  a ]]\n** [[http://y]] [[u{tip} b]] [[u|c]]\n@endmindmap",
        "a | -http://y b c",
    ),
    (
        "mermaid",
        (
            "mindmap\n  a:::k\n    b [c] d\n    [e] f\n    [1] g [2]\n    h[0] i\n    j[k (l)]\n    class m\n"
            "classDef k fill:#fff\nclass a k\nstyle a fill:#fff"
        ),
        "a | -b [c] d | -[e] f | -[1] g [2] | -h[0] i | -k (l) | -class m",
    ),
    (
        "freemind",
        (
            '<map><node TEXT="a"><node TEXT=""><richcontent TYPE="NODE"><p>b</p></richcontent></node>'
            '<node TEXT=""><hook NAME="FirstGroupNode"/></node><node TEXT="c"/>'
            '<node TEXT="d"><hook NAME="SummaryNode"/></node></node></map>'
        ),
        "a | -b | -c",
    ),
    ("opml", '<opml><body><outline text="" title="a"/></body></opml>', "a"),
    (
        "xmind",
        zipped(
            {"/content.xml": "<xmap-content><sheet><topic><title>a</title></topic></sheet></xmap-content>"}
        ),
        "a",
    ),
    ("plantuml", "@startmindmap\n+ a\n++ b\n-- c\n--- d\n@endmindmap", "a | -b | -c | --d"),
    (
        "sentences",
        '{"sentences": ["a", "b", "no"], "mindmap": {"root": 0, "selected": [0, 1], "edges": [[0, 1]]}}',
        "a | -b",
    ),
    ("sentences", '{"sentences": {"7": "a", "9": "b"}, "edges": [{"parent": 7, "child": 9}]}', "a | -b"),
    ("sentences", '{"sentences": [{"id": 5, "text": "a"}], "mindmap": {"root": 5, "edges": []}}', "a"),
    (
        "jsmind",
        (
            '{"meta": {}, "format": "node_tree", "data": {"id": "r", "topic": "a", "children": [{"id": "x", '
            '"topic": "b", "direction": "left"}]}}'
        ),
        "a | -b",
    ),
    (
        "jsmind",
        (
            '{"format": "node_array", "data": [{"id": "r", "isroot": true, "topic": "a"}, {"id": "x", "topic": '
            '"b", "parentid": "r"}, {"id": "y", "topic": "c", "parentid": "x"}]}'
        ),
        "a | -b | --c",
    ),
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
        "a | -b | -c | -d",
    ),
    (
        "mindmup",
        '{"id": 1, "title": "a", "ideas": {"1": {"title": "b", "idea": {"1": {"title": "c"}}}}}',
        "a | -b",
    ),
    (
        "jsmind",
        json.dumps({"format": "freemind", "data": '<map><node TEXT="a"><node TEXT="b"/></node></map>'}),
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
        "a | -b | --c | -d | --e",
    ),
    ("json", '{"data": {"text": "<p>a</p>", "richText": true}, "children": []}', "a"),
    ("json", '{"nodeData": {"topic": "a", "id": "r", "children": [{"topic": "b"}]}, "arrows": []}', "a | -b"),
    ("json", '{"content": "a", "children": [{"content": "<b>b</b>", "children": []}]}', "a | -b"),
    ("json", '[{"title": "a", "children": [{"string": "b", "uid": "x"}]}]', "a | -b"),
    ("xmind", '[{"rootTopic": {"title": "a", "children": {"attached": [{"title": "b"}]}}}]', "a | -b"),
    ("sentences", '[{"topic": "a", "parent": null}, {"topic": "b", "parent": "a"}]', "a | -b"),
    (
        "sentences",
        '[{"id": 1, "text": "a"}, {"id": 2, "text": "b", "parent": 1, "from": 9, "to": 7}]',
        "a | -b",
    ),
    ("json", '[{"name": "a", "from": 9, "to": 7}]', "a"),
    ("json", '{"id": 1, "mindmap": {"root": {"text": {"caption": "a"}, "children": ["b"]}}}', "a | -b"),
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
    ("sentences", '{"elements": {"nodes": [{"data": {"id": "p", "label": "a"}}], "edges": []}}', "a"),
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
            '{"title": "t", "nodes": [{"text": "a", "fx": 1, "nodes": [{"text": "b", "nodes": [{"text": "c"}]}]}, '
            '{"text": "d", "nodes": []}], "connections": [{"source": "a", "target": "d"}]}'
        ),
        "a | -b | --c | -d",
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
    ("json", '{"t": "root", "v": "a", "c": [{"t": "heading", "v": "b", "p": {"lines": [1]}}]}', "a | -b"),
    ("json", '{"content": "a &amp; b", "children": []}', "a & b"),
    (
        "mindmup",
        '{"title": "a", "ideas": {"1": "b", "2": {"title": "c", "ideas": {"1": "d"}}}}',
        "a | -b | -c | --d",
    ),
    ("mindmup", '{"ideas": {"1": "a"}}', "a"),
    (
        "freemind",
        (
            '<map name="x" version="tango"><topic central="true" text="a"><topic order="0"><text><![CDATA[b\nc]]>'
            '</text><note>n</note></topic><topic text="d"/></topic></map>'
        ),
        "a | -b c | -d",
    ),
    (
        "nested-json",
        '{"a": [{"b": {}}, {"b": {"c": {}}}], "d": [{"e": {}, "f": {}}, {"e": {}, "f": {}}]}',
        "(2 roots) | -a | --b | --b | ---c | -d | --e | --f | --e | --f",
    ),
    ("edist", '{"nodes": ["b", "a", "c"], "adj": [[2], [0], []]}', "a | -b | --c"),
    ("edges", 'parent,child\na,b\na,"c, d"\nb,e\n', "a | -b | --e | -c, d"),
    ("edges", "\nid;parent;text\n1;;a\n3;2;c\n2;1;a\n", "a | -a | --c"),
    ("edges", "target\tsource\nb\ta\n", "a | -b"),
    ("edges", "child,parent\na,\nb,a\n", "a | -b"),
    ("edges", "id,parent,label\n0,-1,a\n1,0,b\n", "a | -b"),
    ("nested-json", 'Here it is:\n\n{"a": {"b": {}}}\n\nAnything else?', "a | -b"),
    ("mermaid", "Here:\n```mermaid\nmindmap\n  a\n    b\n```\n", "a | -b"),
    ("mermaid", "# p\n\n## q\nText.\n\n```mermaid\nmindmap\n  a\n    b\n```\n\n## r\n", "a | -b"),
    ("markdown", "# p\n\n## q\n```text\n# x\n```\n## r\n```markmap\n# a\n- b\n```\n", "a | -b"),
]


@pytest.mark.parametrize(("name", "text", "expected"), READ)
def test_read(name, text, expected):
    result = parse_map(text)
    assert (result.format, outline(result.tree)) == (name, expected)


def test_every_format_refuses_other_content():
    for name in set(FORMATS) - {"indented", "markdown"}:
        with pytest.raises(MapFormatError):
            parse_map("some prose\nin two lines", format=name)


NOTICED = [
    (FREEMIND, "the notes or details of 2 nodes"),
    ('<map><node TEXT="a" ENCRYPTED_CONTENT="x"/></map>', "encrypted branches below 1 node"),
    ('<opml><body><outline text="a" _note="x"/></body></opml>', "the notes of 1 outline"),
    (STORY, "more than once, kept as siblings: 1.2 (line 6)"),
    (STORY, "below the nearest one there is: 1.3.1 (line 9)"),
    (
        "<highlight><T1>a</T1><T1.1>b<T1.1><T1.2>c",
        "closing ones, as they follow one with the same number: 1.1 (line 1)",
    ),
    ("<T1>a <key>x</key></T1>\n<T1.1>b\n<highlight>\n<T1>a x</T1>", "which has tags too, was left out"),
    (PLANTUML, "are not nodes: line 6 ('<style>'), line 9 ('title A title'), line 10 ('header') and 2 more"),
    ('{"sentences": ["a", "b"], "mindmap": {"root": 0, "edges": []}}', "not in the map: 1 sentence"),
    ('<map><nod TEXT="x"/><node TEXT="a"/></map>', "other elements were not read: '<nod>' (1 time)"),
    (
        '<!DOCTYPE map SYSTEM "x.dtd"><map><node TEXT="a"/></map>',
        "the <!DOCTYPE ...> at the beginning was ignored",
    ),
    (
        '{"format": "node_tree", "data": {"topic": "a", "chidren": [{"topic": "b"}]}}',
        "not read: 'chidren' (1 time)",
    ),
    ('{"id": 1, "title": "a", "idea": {"1": {"title": "b"}}, "ideas": {}}', "not read: 'idea' (1 time)"),
    ('{"label": "a", "children": {"label": "b"}}', "an object instead of a list of children is one child"),
    ('{"a": [{"b": NaN}]}', "NaN is no value in JSON"),
    ('{"a": [1, // b\n /* c, */ 2]}', "comments in the JSON were ignored"),
    ("parent,child\na,b\na,b", "count once: 'a' > 'b'"),
    ('{"id": 1, "title": "a", "attr": {"note": {"text": "n"}}, "ideas": {}}', "not read: 'attr' (1 time)"),
]


@pytest.mark.parametrize(("text", "notice"), NOTICED)
def test_every_omission_is_noticed_once(text, notice):
    notices = parse_map(text).notices
    assert sum(notice in sentence for sentence in notices) == 1, notices


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


@pytest.mark.parametrize(
    "content", ['{"id": {"x": {}}, "map": {"y": {}}}', '{"map": {"y": {}}}', '{"id": "a", "map": "y"}']
)
def test_a_nested_dict_with_such_keys_is_not_a_record(content):
    assert parse_map(content).format == "nested-json"


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))

REFUSED = [
    (f'<!DOCTYPE m [<!ENTITY l0 "ha">{LAUGHS}]><map><node TEXT="&l9;"/></map>', 1, "entities of its own"),
    ('<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><map><node>&x;</node></map>', 1, "refused as unsafe"),
    ('<map>\n<node TEXT="a">\n</map>', 3, "not well-formed (mismatched tag)"),
    ("<map></map>", None, "the map has no nodes"),
    ("<opml><body/></opml>", None, "the map has no nodes"),
    ("<svg></svg>", None, "an SVG picture; export"),
    ("<!DOCTYPE html><html><body>x</body></html>", None, "a web page; export"),
    ('<?xml version="1.0"?><thing/>', None, "XML with the root element <thing>; export"),
    ("flowchart TD\n  a --> b", None, "another diagram (flowchart)"),
    ("CC=gcc\n\nall: main\n\nmain: a.o\n\t$(CC) -o main a.o\n", None, "a Makefile, not a mind map"),
    ('source "https://a.b"\n\ngem "x", "~> 7"\ngem "y"\n', None, "source code, not a mind map"),
    (".PHONY: all\n\nall:\n\tgo build ./...\n", None, "a Makefile, not a mind map"),
    ("# m h\n0 5 * * 1 tar x\n*/10 * * * * php\n30 2 * * * backup\n", None, "a file of settings"),
    ("commit 1a2b3c4d\nAuthor: A <a@b.c>\n\n    Mend\n", None, "a list of changes"),
    ('{"presets": ["@babel/preset-env"], "plugins": ["x"]}', None, "looks like 1 record of a program"),
    ('{"require": {"php": ">=7.4"}, "autoload": {"psr-4": {"App": "src/"}}}', None, "looks like 1 record"),
    ('{"name": "my-app", "version": "1.0.0", "license": "MIT"}', None, "looks like 1 record of a program"),
    ('{"@babel/core": "^7.0.0", "lodash": "^4.0.0"}', None, "looks like 1 record of a program"),
    ('{"imports": {"react": "https://a.b/react"}}', None, "looks like 1 record of a program"),
    ('[{"name": "a.csv", "lines": 3}, {"name": "b.csv", "lines": 4}]', None, "repeat the keys 'name', 'lines'"),
    ('[{"data": {"id": "a"}}, {"data": {"id": "b"}}, {"data": {"source": "a", "target": "b"}}]', None, "a graph"),
    ("@startuml\na -> b\n@enduml", None, "another diagram (@startuml)"),
    ("\\begin{forest}\n[a [b] [c]]\n\\end{forest}", None, "LaTeX; write its tree as indented text"),
    ("     Tea\n      |\n  |       |\nGreen   Black", None, "a drawing with several nodes in a row"),
    ("        Tea\n       /   \\\n   Green   Black", None, "a drawing with slanted lines"),
    ("Green ──┐\n        ├── Tea\nBlack ──┘\n", None, "several nodes in a row or branches to the left"),
    ("mindmap\n  a\n    b[c", 3, "the bracket '[' is not closed"),
    ('mindmap\n  a\n    b["c', 3, "the bracket '[' is not closed"),
    ('mindmap\n  a\n    b["c\n    d', 3, "the quoted text that begins in this line is not closed"),
    ("<simplemind-mindmaps/>", None, "a SimpleMind map; export the map as OPML"),
    ("mindmap\n", None, "the map has no nodes"),
    ("@startmindmap\n* a\nb\n@endmindmap", 3, "'b' is not a node"),
    ("@startmindmap\n* a\n**:b\n@endmindmap", 3, "no ';' at its end"),
    ("parent,child\na,b\nb,a", None, "form a cycle: 'a' > 'b' > 'a'"),
    ("parent,child\na,b\nc,b", None, "'b' has two parents, 'a' and 'c'"),
    ("parent,child\na,b\nb", 3, "has 1 fields"),
    ('parent,child\na,"b', 2, "check the quotes"),
    ("id,parent,text\n1,,a\n1,,b", None, "the id '1' ('a') occurs twice"),
    ("id,parent,text\n1,,a\n2,9,b", None, "no node has the id '9'"),
    ("id,parent,text\n1,1,a", None, "is its own parent"),
    ('{"nodes": ["a"], "adj": []}', None, "1 nodes but 0 lists"),
    ('{"nodes": ["a", "b"], "adj": [[5], []]}', None, "no node has the id '5'"),
    ('{"sentences": ["a"], "mindmap": {"root": 3, "edges": []}}', None, "there is no sentence '3'"),
    ("> __version__=`1.1`\n---\n# a\n## b", None, "a map of SciaReto; export the map as OPML or Markdown"),
    ('strict digraph "G" { a -> b }', None, "a DOT graph (Graphviz); write its edges as a table"),
    ("((a,b)c,d)e;", None, "a Newick tree; write its edges as a table"),
    ("{a{b}{c, d}}", None, "a tree in bracket notation; write it as nested JSON"),
    ("#+TITLE: x\n* a\n** b", None, "an Org file; export the map"),
    ("* a\n:PROPERTIES:\n:ID: 1\n:END:\n** b", None, "an Org file; export the map"),
    ("%YAML 1.2\n---\na:\n  b:", None, "YAML; write the map as a Markdown list"),
    ("{a: {b: {}}}", None, "YAML; write the map as a Markdown list"),
    ("<h1>a</h1><ul><li>b</li></ul>", None, "a web page; export the map"),
    ('{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}', None, "a graph of nodes"),
    ('{"id": "a", "children": [{"id": "b"}]}', None, "a graph of nodes"),
    ('{"nodes": [{"id": "a", "type": "text", "text": "A", "x": 0, "y": 0}], "edges": []}', None, "a canvas (Obs"),
    ('{"type": "excalidraw", "elements": [{"id": 1, "text": "a"}], "appState": {}}', None, "a drawing of Exca"),
    ('{"cells": [{"cell_type": "markdown", "source": ["# a"]}], "nbformat": 4}', None, "a Jupyter notebook; save"),
    ("<mxfile><diagram>x</diagram></mxfile>", None, "a draw.io diagram; write the outline"),
    ('{"mindData": [[{"id": "r", "text": "R"}]], "calloutData": []}', None, "a rich map of MarkMind (Obsid"),
    ("\\section{A}\nWe \\emph{saw} it.", None, "LaTeX; write its tree as indented text"),
    ('@startjson\n{"a": {"b": 1}}\n@endjson', None, "another diagram (@startjson)"),
    ('[{"id": 1, "txt": "a"}, {"id": 2, "txt": "b"}]', None, "repeat the keys 'id', 'txt', so these are"),
    ('{"id": 1, "txt": "a", "kids": [{"id": 2, "txt": "b"}]}', None, "name the field that holds the text"),
    ('{"p": {"id": "1", "label": "x"}, "q": {"id": "2", "label": "y"}}', None, "repeat the keys 'id', 'label'"),
    ('{"root": 0, "selected": [0, 1], "edges": [[0, 1]]}', None, "without the sentences; add them as a list"),
    ('{"root": 0, "edges": []}', None, "without the sentences; add them as a list"),
    ('{"mindmap": {"edges": [{"parent": 0, "child": 2}]}}', None, "without the sentences; add them as a list"),
    ('[{"id": "a",\n "mindmap": {"edges": [[0, 2]]}}]', None, "without the sentences; add them as a list"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), REFUSED)
def test_broken_content_is_refused_with_its_position(text, line, message):
    with pytest.raises(MapFormatError) as caught:
        parse_map(text)
    assert message in str(caught.value)
    assert caught.value.line == line
