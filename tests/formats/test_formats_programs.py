"""The formats of programs and data sets: what they are recognised as, and the tree."""

import json

import pytest
from helpers.hostile_files import zipped
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
<node TEXT="x &lt; y &amp;amp; z"/></node></map>"""

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
    ("freemind", FREEMIND, "a | -b bold two | -c & d | -e | -x < y &amp; z"),
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
    ("mermaid", "mindmap\n  r((a));\n    - **b** c\n    d * e ** f", "a | -b c | -d * e ** f"),
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
            '<map><node TEXT="a"><node TEXT=""><richcontent TYPE="NODE"><body><p>b</p></body></richcontent></node>'
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
        "jsmind",
        json.dumps({"format": "freemind", "data": '<map><node TEXT="a"><node TEXT="b"/></node></map>'}),
        "a | -b",
    ),
    ("xmind", '[{"rootTopic": {"title": "a", "children": {"attached": [{"title": "b"}]}}}]', "a | -b"),
    (
        "freemind",
        (
            '<map name="x" version="tango"><topic central="true" text="a"><topic order="0"><text><![CDATA[b\nc]]>'
            '</text><note>n</note></topic><topic text="d"/></topic></map>'
        ),
        "a | -b c | -d",
    ),
    ("edges", 'parent,child\na,b\na,"c, d"\nb,e\n', "a | -b | --e | -c, d"),
    ("edges", "\nid;parent;text\n1;;a\n3;2;c\n2;1;a\n", "a | -a | --c"),
    ("edges", "target\tsource\nb\ta\n", "a | -b"),
    ("edges", "child,parent\na,\nb,a\n", "a | -b"),
    ("edges", "id,parent,label\n0,-1,a\n1,0,b\n", "a | -b"),
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
