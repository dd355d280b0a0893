"""What readers leave out of programs' formats, with a notice, and what all refuse, with its line."""

import pytest
from test_formats_programs import FREEMIND, PLANTUML, STORY

from tted_core.errors import MapFormatError
from tted_core.formats import parse_map

NOTICED = [
    (FREEMIND, "the notes or details of 2 nodes"),
    ('<map><node TEXT="a" ENCRYPTED_CONTENT="x"/></map>', "encrypted branches below 1 node"),
    ('<opml><body><outline text="a" _note="x"/></body></opml>', "the notes of 1 outline"),
    (STORY, "numbers that recur or skip a level; they went below the nearest one above: 1.2 (line 6)"),
    (STORY, ", 1.3.1 (line 9)"),
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
    ("# Mind map: cats and dogs\n# Cats\n- a", "left out, as a title of the map: 'cats and dogs'"),
    ('{"theme": "x y", "app": {"name": "a", "children": ["b"]}}', "not read: 'theme' (1 time)"),
    ('[["a", "has", "b"], ["a", "has", "c"]]', "keys of edges were not read: 'relation' (2 times)"),
    ("parent,child\na,b\na,b", "count once: 'a' > 'b'"),
    ('{"id": 1, "title": "a", "attr": {"note": {"text": "n"}}, "ideas": {}}', "not read: 'attr' (1 time)"),
]


@pytest.mark.parametrize(("text", "notice"), NOTICED)
def test_every_omission_is_noticed_once(text, notice):
    notices = parse_map(text).notices
    assert sum(notice in sentence for sentence in notices) == 1, notices


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
    ("flowchart TD\n  a --> b", None, "another diagram; of Mermaid and PlantUML only mindmap"),
    ("CC=gcc\n\nall: main\n\nmain: a.o\n\t$(CC) -o main a.o\n", None, "a Makefile, not a mind map"),
    ('source "https://a.b"\n\ngem "x", "~> 7"\ngem "y"\n', None, "source code, not a mind map"),
    ("maps/2024.a.json\n", None, "the name of a file; give what is in it"),
    (".PHONY: all\n\nall:\n\tgo build ./...\n", None, "a Makefile, not a mind map"),
    ("root:x:0:0:root:/root:/bin/sh\nbin:x:1:1::/:/bin/sh\n", None, "a file of settings"),
    (
        "The wood is dark and deep,\nBut I have things to keep,\n\n  Whose wood it is I know.\n  He is away;\n",
        None,
        "a text of sentences",
    ),
    ("# m h\n0 5 * * 1 tar x\n*/10 * * * * php\n30 2 * * * backup\n", None, "a file of settings"),
    ("Plan\n\nWrite\n  ↓\nTest\n  ↓\nShip", None, "a flow with arrows"),
    ("$ git status\nOn branch main\n", None, "the output of a command, not a mind map"),
    ("Package  Version\n-------- -------\nnumpy    1.26\n", None, "the output of a command"),
    ("total 8\n-rw-r--r-- 1 ann ann 12 Jan 1 a.txt\n", None, "the output of a command"),
    ("collected 1 item\n\na.py::test_b PASSED [100%]\n", None, "the output of a command"),
    ("commit 1a2b3c4d\nAuthor: A <a@b.c>\n\n    Mend\n", None, "a list of changes"),
    ('{"presets": ["@babel/preset-env"], "plugins": ["x"]}', None, "looks like 1 record of a program"),
    ('{"require": {"php": ">=7.4"}, "autoload": {"psr-4": {"App": "src/"}}}', None, "looks like 1 record"),
    ('{"name": "my-app", "version": "1.0.0", "license": "MIT"}', None, "looks like 1 record of a program"),
    ('{"@babel/core": "^7.0.0", "lodash": "^4.0.0"}', None, "looks like 1 record of a program"),
    ('{"imports": {"react": "https://a.b/react"}}', None, "looks like 1 record of a program"),
    ('[{"name": "a.csv", "lines": 3}, {"name": "b.csv", "lines": 4}]', None, "repeat the keys 'name', 'lines'"),
    ('[{"data": {"id": "a"}}, {"data": {"id": "b"}}, {"data": {"source": "a", "target": "b"}}]', None, "a graph"),
    ("@startuml\na -> b\n@enduml", None, "another diagram; of Mermaid and PlantUML only mindmap"),
    ("\\begin{forest}\n[a [b] [c]]\n\\end{forest}", None, "LaTeX; write its tree as indented text"),
    ("     Tea\n      |\n  |       |\nGreen   Black", None, "a drawing with several nodes in a row"),
    ("        Tea\n       /   \\\n   Green   Black", None, "a drawing with slanted lines"),
    ("Green ──┐\n        ├── Tea\nBlack ──┘\n", None, "several nodes in a row or branches to the left"),
    ("<simplemind-mindmaps/>", None, "a SimpleMind map; export the map as OPML"),
    ("mindmap\n", None, "the map has no nodes"),
    ("@startmindmap\n* a\nb\n@endmindmap", 3, "'b' is not a node"),
    ("@startmindmap\n* a\n**:b\n@endmindmap", 3, "no ';' at its end"),
    ("parent,child\na,b\nb,a", None, "form a cycle: 'a' > 'b' > 'a'"),
    ("parent,child\na,b\nc,b", None, "'b' has two parents, 'a' and 'c'"),
    (
        '[{"parent": "a", "child": "b"}, {"parent": "c", "child": "b"}]',
        None,
        "'b' has two parents, 'a' and 'c'",
    ),
    ("parent,child\na,b\nb", 3, "has 1 fields"),
    ('parent,child\na,"b', 2, "check the quotes"),
    ("id,parent,text\n1,,a\n1,,b", None, "the id '1' ('a') occurs twice"),
    ("id,parent,text\n1,,a\n2,9,b", None, "no node has the id '9'"),
    ("id,parent,text\n1,1,a", None, "is its own parent"),
    ('{"a": ["b"], "b": ["a"]}', None, "form a cycle: 'a' > 'b' > 'a'"),
    ('{"nodes": ["a"], "adj": []}', None, "1 nodes but 0 lists"),
    ('{"nodes": ["a", "b"], "adj": [[5], []]}', None, "no node has the id '5'"),
    ('{"sentences": ["a"], "mindmap": {"root": 3, "edges": []}}', None, "no node has the id '3'"),
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
    ('{"id": 1, "children": [{"id": 2}]}', None, "a graph of nodes"),
    ('{"p": {"next_token": "a", "key": "b"}, "q": {"next_token": "c", "key": "d"}}', None, "keys 'next_token'"),
    ('{"ops": [{"insert": "a"}, {"at": {}, "insert": "b"}, {"insert": "c"}]}', None, "repeat the keys 'insert'"),
    ('{"name": "a", "children": [], "notes": [{"guid": "x"}, {"guid": "y"}]}', None, "the keys 'guid'"),
    ('{"k": "a", "kids": [{"k": "b"}, {"k": "c"}]}', None, "repeat the keys 'k'"),
    ('[{"name": "a", "level": 5}, {"name": "b", "level": 7}]', None, "the keys 'name', 'level'"),
    (f'[{{"name": "a", "level": 5}}, {{"name": "b", "level": {"6" * 5000}}}]', None, "the keys 'name', 'level'"),
    ('[{"name": "a", "level": 1}, {"name": "b", "level": 2}]', None, "the keys 'name', 'level'"),
    ('{"type": "x", "children": [{"title": null, "children": ["a"]}]}', None, "a program (keys type,"),
    ('[{"name": "a", "email": "x", "age": 3}, {"name": "b", "email": "y", "age": 4}]', None, "the keys 'name'"),
    ('{"p": {"name": "a", "children": ["b"]}, "q": {"name": "c", "children": ["d"]}}', None, "the keys 'name'"),
    ('{"nodes": [{"id": "a", "type": "text", "text": "A", "x": 0, "y": 0}], "edges": []}', None, "a canvas (Obs"),
    ('{"type": "excalidraw", "elements": [{"id": 1, "text": "a"}], "appState": {}}', None, "a drawing of Exca"),
    ('{"cells": [{"cell_type": "markdown", "source": ["# a"]}], "nbformat": 4}', None, "a Jupyter notebook; save"),
    ("<mxfile><diagram>x</diagram></mxfile>", None, "a draw.io diagram; write the outline"),
    ('{"mindData": [[{"id": "r", "text": "R"}]], "calloutData": []}', None, "a rich map of MarkMind (Obsid"),
    ("\\section{A}\nWe \\emph{saw} it.", None, "LaTeX; write its tree as indented text"),
    ('@startjson\n{"a": {"b": 1}}\n@endjson', None, "another diagram; of Mermaid and PlantUML only mindmap"),
    ('[{"id": 1, "txt": "a"}, {"id": 2, "txt": "b"}]', None, "repeat the keys 'id', 'txt', so these are"),
    ('{"id": 1, "kids": [{"id": 2, "txt": "b"}, {"id": 3, "txt": "c"}]}', None, "name the field that holds the"),
    ('{"p": {"id": "1", "label": "x"}, "q": {"id": "2", "label": "y"}}', None, "repeat the keys 'id', 'label'"),
    ('{"root": 0, "selected": [0, 1], "edges": [[0, 1]]}', None, "without the sentences; add them as a list"),
    ('{"nodes": [{"name": "a", "typeVersion": 1}], "connections": {}}', None, "a workflow of n8n, not a mind map"),
    ('{"mapping": {"a": {"children": ["b"]}}, "current_node": "a"}', None, "a conversation of ChatGPT; give"),
    ('{"State": {"Running": true}, "Name": "a"}', None, "looks like 1 record of a program"),
    ('{"p": {"id": "a", "kin": 1, "of": "x"}, "q": {"id": "b", "kin": 2, "of": "y"}}', None, "(keys p, q), not"),
    ('{"x": {"input_token": "a", "output_token": "b"}}', None, "looks like 1 record of a program"),
    ('[{"tokens": ["a"], "tags": ["b"]}, {"tokens": ["c"], "tags": ["d"]}]', None, "the keys 'tokens', 'tags'"),
    ('{"home.title": "Back again", "home.save": "Save now"}', None, "looks like 1 record of a program"),
    ('["one text", "another"]', None, "a list of texts without levels, not a mind map"),
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


BROKEN = [
    ('{"a": {"b": ', (1, 13), "the JSON is cut off: expecting value; close its quotes and brackets"),
    ('{\n"a": "b', (2, 6), "the JSON is cut off: unterminated string"),
    ('{"a": {}} x', (1, 11), "the JSON is broken at 'x': extra data"),
    ('{"a" {}}', (1, 6), "expecting ':' delimiter"),
    ('{"a": {}\n "b": {}}', (2, 2), "expecting ',' delimiter"),
    ("{“a”: {}}", (1, 2), "curly"),
    ('{"a\\x": {}}', (1, 4), "invalid \\escape"),
    ("{}", (None, None), "has no nodes"),
    ('{"label": "a", "children": [["b"]]}', (None, None), "but found a list"),
    ('{"label": "a", "children": [{"x": 1}]}', (None, None), "but found an object with the keys 'x'"),
]


@pytest.mark.parametrize(("text", "position", "message"), BROKEN)
def test_broken_text_is_refused_with_its_position(text, position, message):
    with pytest.raises(MapFormatError) as caught:
        parse_map(text)
    assert (caught.value.line, caught.value.column) == position
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lines_count_in_the_file_and_not_in_the_fenced_block():
    with pytest.raises(MapFormatError, match=r"^line 4, column 6:"):
        parse_map('Hello\n```json\n{"a": {\n"b": }}\n```')


def test_a_numbered_line_without_a_number_is_named():
    with pytest.raises(MapFormatError, match=r"^line 3: 'more' has no number"):
        parse_map("1. a\n1.1 b\nmore", format="numbered")
