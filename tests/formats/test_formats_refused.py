"""Broken content of the formats of programs: what is said, and for which line."""

import pytest

from tted_core.errors import MapFormatError
from tted_core.formats import parse_map

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
    ("@startuml\na -> b\n@enduml", None, "another diagram (@startuml)"),
    ("\\begin{forest}\n[a [b] [c]]\n\\end{forest}", None, "LaTeX; write its tree as indented text"),
    ("        Tea\n       /   \\\n   Green   Black", None, "a drawing with slanted lines"),
    ("mindmap\n  a\n    b[c", 3, "the bracket '[' is not closed"),
    ('mindmap\n  a\n    b["c', 3, "quoted text that begins in this line is not closed"),
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
    ('{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}', None, "a graph of netw"),
    ('{"id": "a", "children": [{"id": "b"}]}', None, "a graph of netw"),
    ('{"nodes": [{"id": "a", "type": "text", "text": "A", "x": 0, "y": 0}], "edges": []}', None, "a canvas (Obs"),
    ('{"mindData": [[{"id": "r", "text": "R"}]], "calloutData": []}', None, "a rich map of MarkMind (Obsid"),
    ('{"nodeData": {"topic": "a"}, "arrows": []}', None, "a map of Mind Elixir or KityMinder; export the map"),
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
