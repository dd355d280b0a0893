"""Broken content of the formats of programs: what is said, and for which line."""

import pytest

from tted_core.errors import MapFormatError
from tted_core.formats import parse_map

LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))

REFUSED = [
    (f'<!DOCTYPE m [<!ENTITY l0 "ha">{LAUGHS}]><map><node TEXT="&l9;"/></map>', 1, "entities of its own"),
    ('<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><map><node>&x;</node></map>', 1, "refused as unsafe"),
    ('<map>\n<node TEXT="a">\n</map>', 3, "not well-formed (mismatched tag)"),
    ("<map></map>", 1, "no <node>"),
    ("<opml><body/></opml>", 1, "no <outline>"),
    ("<svg></svg>", None, "an SVG picture; export"),
    ("<!DOCTYPE html><html><body>x</body></html>", None, "a web page; save"),
    ('<?xml version="1.0"?><thing/>', None, "XML with the root element <thing>; export"),
    ("flowchart TD\n  a --> b", None, "another diagram (flowchart)"),
    ("@startuml\na -> b\n@enduml", None, "another diagram (@startuml)"),
    ("mindmap\n  a\n    b[c", 3, "the bracket '[' is not closed"),
    ('mindmap\n  a\n    b["c', 3, "quoted text that begins in this line is not closed"),
    ("mindmap\n", None, "the map has no nodes"),
    ("@startmindmap\n* a\nb\n@endmindmap", 3, "'b' is no node"),
    ("@startmindmap\n* a\n**:b\n@endmindmap", 3, "no ';' at its end"),
    ("parent,child\na,b\nb,a", 2, "in a circle: 'a' > 'b' > 'a'"),
    ("parent,child\na,b\nc,b", 3, "'b' has two parents, 'a' and 'c'"),
    ("parent,child\na,b\nb", 3, "has 1 fields"),
    ('parent,child\na,"b', 2, "check the quotes"),
    ("id,parent,text\n1,,a\n1,,b", 3, "the id '1' ('a') occurs twice"),
    ("id,parent,text\n1,,a\n2,9,b", 3, "no node has the id '9'"),
    ("id,parent,text\n1,1,a", 2, "is its own parent"),
    ('{"nodes": ["a"], "adj": []}', 1, "1 nodes but 0 lists"),
    ('{"nodes": ["a", "b"], "adj": [[5], []]}', 1, "no node has the id '5'"),
    ('{"sentences": ["a"], "mindmap": {"root": 3, "edges": []}}', 1, "there is no sentence '3'"),
    ("a: &x\n  b:\nc: *x\n", 3, "the alias *x"),
    ("a: {b: c}\nd:\n  - }\n", 3, "the YAML can't be read"),
    ("a:\n  b\ud800:\n    c:\n", 1, "the YAML can't be read ('utf-8' codec can't encode character"),
    ("{a{b}}}", 1, "closes no '{'"),
    ("{a{b}c}", 1, "after a node's children"),
    ("digraph { a -> b", 1, "a '}' is missing"),
    ("digraph { a -> b; c -> b }", 1, "two parents"),
    ("digraph { -> b }", 1, "'->' has no place here"),
    ("((a,b)c;", 1, "';' before 1 parenthesis was closed"),
    ("(a,b)(c);", 1, "children stand in front"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), REFUSED)
def test_broken_content_is_refused_with_its_place(text, line, message):
    with pytest.raises(MapFormatError) as caught:
        parse_map(text)
    assert message in str(caught.value)
    assert caught.value.line == line
