"""The formats of mind-map programs and data sets: what they are recognised as, the tree, what is left out."""

import pytest
from test_formats_readers import outline

from tted_core.errors import MapFormatError
from tted_core.formats import FORMATS, parse_map

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
%%{init: {"theme": "x"}}%%
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
    l[m]
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
    ("edist", '{"nodes": ["b", "a", "c"], "adj": [[2], [0], []]}', "a | -b | --c"),
    ("edges", 'parent,child\na,b\na,"c, d"\nb,e\n', "a | -b | --e | -c, d"),
    ("edges", "\nid;parent;text\n1;;a\n3;2;c\n2;1;a\n", "a | -a | --c"),
    ("edges", "target\tsource\nb\ta\n", "a | -b"),
    ("edges", "child,parent\na,\nb,a\n", "a | -b"),
    ("edges", "id,parent,label\n0,-1,a\n1,0,b\n", "a | -b"),
    ("nested-json", 'Here it is:\n\n{"a": {"b": {}}}\n\nAnything else?', "a | -b"),
    ("mermaid", "Here:\n```mermaid\nmindmap\n  a\n    b\n```\n", "a | -b"),
]


@pytest.mark.parametrize(("name", "text", "expected"), READ)
def test_read(name, text, expected):
    result = parse_map(text)
    assert (result.format, outline(result.tree)) == (name, expected)


@pytest.mark.parametrize(("name", "text", "expected"), READ)
def test_the_override_takes_the_format_that_recognition_finds(name, text, expected):
    assert outline(parse_map(text, format=name).tree) == expected


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
    ("parent,child\na,b\na,b", "count once: 'a' > 'b'"),
    ('{"id": 1, "title": "a", "attr": {"note": {"text": "n"}}, "ideas": {}}', "the notes of 1 idea"),
]


@pytest.mark.parametrize(("text", "notice"), NOTICED)
def test_every_omission_is_noticed_once(text, notice):
    notices = parse_map(text).notices
    assert sum(notice in sentence for sentence in notices) == 1, notices
