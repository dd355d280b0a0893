"""Promises of a file's name and a text's look: broken ones are errors or notices, never maps of junk."""

import pytest
from helpers.hostile_files import zipped

from tted_core.errors import MapFormatError
from tted_core.formats import parse_map
from tted_core.formats.document import decode

BROKEN = [
    ("null.json", "null", (None, None), "has no nodes"),
    ("n.json", "42", (None, None), "the JSON is only '42'"),
    ("n.json", '"# a\\n- b"', (None, None), "an outline is read without the quotes around it"),
    ("n.json", "[1,2", (1, 5), "the JSON is cut off: expecting ',' delimiter; close its quotes"),
    ("n.jsonl", "a\n  b", (1, 1), "the JSON is broken at 'a': expecting value"),
    ("n.canvas", "# a\n- b", (None, None), "a canvas (Obsidian); write"),
    ("n.yml", "a:\n  - b\n", (None, None), "YAML; write the map as a Markdown list"),
    ("n.html", "a\n  b", (None, None), "a web page; export the map as OPML or Markdown"),
    ("n.dot", "a\n  b", (None, None), "a DOT graph (Graphviz); write its edges as a table"),
    ("n.org", "* a\n** b", (None, None), "an Org file; export the map as OPML or Markdown from Emacs"),
    ("n.opml", "- a\n  - b", (None, None), "isn't a map in XML, which the file's name promises"),
    ("n.csv", "just\n  words", (1, None), "begins with a header line"),
    ("n.mmd", "mindmpa\n  b", (1, None), "a Mermaid mind map begins with the line 'mindmap'"),
    ("n.puml", "@startmindmp\n* a", (None, None), "another diagram; of Mermaid and PlantUML only mindmap"),
    ("n.puml", "strtmindmap\n* a", (1, None), "a map of PlantUML begins with the line '@startmindmap'"),
    (
        "n.puml",
        "<style>\nnode {\n}\n</style>",
        (None, None),
        "a style or settings of PlantUML; give the file",
    ),
    ("n.xmind", "a\n  b", (None, None), "isn't a zip archive, which the file's name promises; save it again"),
    ("n.json", "```\na\n  b\n```", (2, 1), "the JSON is broken at 'a': expecting value"),
]


@pytest.mark.parametrize(("name", "text", "position", "message"), BROKEN)
def test_content_that_contradicts_its_file_name_is_refused_with_a_position(name, text, position, message):
    with pytest.raises(MapFormatError) as caught:
        parse_map(text, name=name)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == position


KEPT = [
    ("a.json", '<map><node TEXT="a"/></map>', "freemind"),
    ("a.opml", '{"a": {}}', "nested-json"),
    ("a.yml", '{"a": {}}', "nested-json"),
    ("a.json", 'Sure:\n```json\n{"a": {}}\n```', "nested-json"),
    ("a.mmd", "# a\n- b", "markdown"),
    ("a.txt", "null", "indented"),
    ("pasted text", "42", "indented"),
    (None, "true", "indented"),
]


@pytest.mark.parametrize(("name", "text", "expected"), KEPT)
def test_content_of_another_kind_is_read_whatever_the_name(name, text, expected):
    assert parse_map(text, name=name).format == expected


def office(entry):
    return zipped({"[Content_Types].xml": "<Types/>", entry: "<x/>"})


REFUSED = {
    "letter": (
        "Dear Ms. Brown,\n\nthank you for your kind letter.\nIt has arrived today.",
        "sentences without",
    ),
    "article": (
        "Trees are tall plants. They have trunks, and live for many years.",
        "sentences without levels",
    ),
    "Python": ("# A\nimport os\n\ndef f(a):\n    b = os.a(a)\n    return b", "source code"),
    "C": ("#include <a.h>\n\nint main() {\n  return a(1);\n}", "source code"),
    "CSS": ("a {\n  margin: 0;\n}\nb {\n  margin: 1;\n}", "source code"),
    "Python with a docstring": (
        '"""Read."""\n\nimport os\n\n\ndef f(a):\n    """Open it."""\n    return os.path.join(a, "b")',
        "source code",
    ),
    "Rust": (
        "//! Greets.\nuse std::fmt;\n\n#[derive(Debug)]\npub struct A {\n    b: C,\n}\n\nfn main() {\n    a();\n}",
        "source code",
    ),
    "JavaScript": (
        "const a = require('a')\n\na.get('/', (b, c) => {\n  c.send('d')\n})\n\na.listen(3000)",
        "source code",
    ),
    "Java": (
        "/*\n * A.\n */\npackage a;\n\npublic class B extends C {\n    @Override\n    void run() {\n    }\n}",
        "source code",
    ),
    "SQL": ("SELECT a, COUNT(*) AS n\nFROM b\nWHERE c > 1\nGROUP BY a;", "source code"),
    "a script without its first line": (
        'for f in *.txt; do\n  echo "$f"\ndone\nif [ -d a ]; then\n  rm -rf a\nfi',
        "source code",
    ),
    "Dockerfile": ('FROM python:3.11\nWORKDIR /app\nCOPY . .\nCMD ["a", "b"]', "source code"),
    "code with a map in it": (
        'import os\n\nos.environ = {"A": "1"}\nM = {"a": {"b": "c"}}\nfor k, v in M.items():\n    print(k)',
        "source code",
    ),
    "licence": (
        "MIT License\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy.",
        "a licence, not a mind map; format='indented' reads",
    ),
    "shell": ("#!/bin/sh\nset -e\necho a", "a script"),
    "log": ("2024-01-01 10:00 INFO a\n2024-01-01 10:01 WARN b\n2024-01-01 10:02 INFO c", "a log"),
    "table": ("date,item,n\n2024,Tea,3\n2025,Cocoa,4", "a table without the columns"),
    "settings": ("[core]\nname = x\npath = /usr", "a file of settings"),
    "poem": ("The fog comes\non little cat feet.\n\nIt sits\nand then moves on.", "sentences without levels"),
    "indented paragraphs": (
        (
            "Our school lends laptops, projectors and cameras to all of its teachers.\n"
            " A teacher asks for them by letter today, and many of them come too\nlate for the lesson."
        ),
        "sentences without levels",
    ),
    "YAML": ("name: CI\non: push\nenv: {}", "YAML; write"),
    "nested YAML": (
        "name: CI\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    - uses: x",
        "YAML; write",
    ),
    ".gitignore": ("# Python\n*.pyc\n__pycache__/\n\n# Build\nbuild/\n.venv", "a list of file names"),
    "services": (
        'services:\n  web:\n    image: nginx:1\n    ports:\n      - "80:80"\n  db:\n    image: a:2',
        "YAML; write",
    ),
    "kernel": ("[    0.000000] Linux 6\n[    0.000000] Memory: 8K\n[    1.234567] usb 1-1", "a log"),
    "times": ("10:00:01 server started\n10:00:02 request\n10:00:09 stopped", "a log"),
    "e-mail": ("From: a@b.c\nTo: d@e.f\nSubject: Hi\n\nHello", "an e-mail"),
    "subtitles": ("1\n00:00:01,000 --> 00:00:03,000\nHello", "a file of subtitles"),
    "changes": ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new", "a list of changes"),
    "calendar": ("BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR", "a calendar"),
    "BibTeX": ("@book{knuth,\n  title = {A}\n}", "a bibliography"),
    "package.json": (
        '{"name": "a", "version": "1", "scripts": {"build": "x"}}',
        "looks like 1 record of a program",
    ),
    "an error": ('{"error": {"code": 404, "message": "Not found"}}', "1 record of a program"),
    "a schema": (
        '{"pet": {"type": "object", "properties": {"id": {"type": "x"}}}}',
        "1 record of a program",
    ),
    "tsconfig.json": ('{"compilerOptions": {"strict": true}, "include": ["src"]}', "1 record of a program"),
    "GeoJSON": (
        '{"type": "Feature", "geometry": {"type": "Point"}, "properties": {}}',
        "1 record of a program",
    ),
    "rows": ('[["id", "name"], [1, "x"], [2, "y"]]', "a list of rows"),
    "Word": (
        office("word/document.xml"),
        "a Word document (.docx); turn its headings and lists into Markdown",
    ),
    "Excel": (office("xl/workbook.xml"), "an Excel workbook; save the sheet as CSV"),
    "PowerPoint": (office("ppt/presentation.xml"), "a PowerPoint presentation; save its outline"),
}


# Outlines of people that look a little like code, settings, a log or a licence.
READ = {
    "built-in functions": "Python\n    print()\n    len()\n    Collections\n        list()\n        dict()",
    "C": "C\n  loops\n    for (;;)\n    while (1)\n  strings\n    char s[10]\n  functions\n    printf()",
    "JavaScript": "JavaScript\n  let\n  const\n  functions\n    function foo() {}\n    () => {}\n  async / await",
    "HTML": "HTML\n  text\n    <b>\n    <i>\n  lists\n    <ul>\n    <ol>",
    "SQL": "SQL\n  DDL\n    CREATE TABLE\n    DROP TABLE\n  DML\n    SELECT\n    DELETE FROM",
    "physics": "F=ma\nE=mc^2\np=mv\nW=Fs",
    "sets": "Sets\n  A = {1, 2, 3}\n  B = {2, 3}\n  A ∩ B = {2, 3}\n  power set P(A)",
    "Russian": "Требования\n\tанализ рынка;\n\tсбор данных (опрос);\n\tпроектирование (схема);\n\tкод;",
    "trade": "trade\n  import duties\n  export goods\n  use cases\n  call for action\n  public health",
    "budget": "Budget\n  Rent: $1,200\n  Food\n    $300 groceries\n    $100 restaurants",
    "files": "text\n  text/*\n  image/*\n  src/**/*.py\nuses\n  upload",
    "reactions": "Photosynthesis\n  Light reactions (thylakoid):\n    ATP\n  Dark reactions (stroma):\n    sugar",
    "keys": "animals:\n  mammals:\n    - cat\n    - dog\nplants:\n  - oak",
    "levels": "Learning log\n  INFO literacy\n  ERROR analysis\n  DEBUG skills",
    "recipe": "bread:\n  flour: 500\n  water: 300\n  salt: 10",
    "trigonometry": "Trigonometry\n  Functions\n    y = sin(x)\n    y = cos(x)\n  Inverse\n    x = arcsin(y)",
    "functions": 'Functions (built-in)\n  print("x")\n  range(10)\n  open("a.txt")',
    "queries": "SQL\n  Read\n    SELECT a FROM b\n  Write\n    DELETE FROM b\n    DROP TABLE b;",
    "Python": 'Python\n  Values\n    x = 1\n    y = "a"\n  Loops\n    for x in y:\n  Functions\n    def f(x):',
    "licences": "# Licences\n- Permission is hereby granted, free of charge\n- GPL",
}


@pytest.mark.parametrize("name", READ)
def test_no_outline_is_taken_for_code(name):
    assert len(parse_map(READ[name]).tree) >= len(READ[name].split("\n"))


@pytest.mark.parametrize("name", REFUSED)
def test_other_documents_are_refused_by_name_with_what_to_do(name):
    content, message = REFUSED[name]
    with pytest.raises(MapFormatError) as caught:
        parse_map(content)
    assert message in str(caught.value)


XML = '<?xml version="1.0" encoding="{}"?><map><node TEXT="{}"/></map>'
WITH_NOTICES = [
    ("Деревья\n  Листья\n  Корни".encode()[:-1], "Деревья", "the file is UTF-8, except for 1 position"),
    (XML.format("utf-7", "a").encode(), "a", "declares the encoding 'utf-7', but its bytes are UTF-8"),
    (XML.format("latin-1", "é").encode(), "é", "declares the encoding 'latin-1', but its bytes are UTF-8"),
    (XML.format("none", "é").encode("utf-16"), "é", "declares the encoding 'none', but its bytes are UTF-16-LE"),
    ('<map>\n<node TEXT="a&#0;&#x1;\x02&#65;"/></map>', "aA", "characters that XML forbids were left out"),
    ('<opml><body><outline text="a\x0bb&#9999999999;"/></body></opml>', "ab", "XML forbids were left out"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "root", "notice"), WITH_NOTICES)
def test_no_repair_is_silent(content, root, notice):
    result = parse_map(content)
    assert result.tree.labels[0] == root
    assert sum(notice in each for each in result.notices) == 1, result.notices


def test_old_code_pages_are_not_damaged_utf8():
    declared = XML.format("latin-1", "Á¿").encode("latin-1")
    assert parse_map(declared).tree.labels == ("Á¿",)
    for text, encoding in (
        ("Déjà vu ÀÉ, à\n  é", "cp1252"),
        ("À\u00a0table", "latin-1"),
        ("юАбвгд шар", "koi8-r"),
    ):
        assert "the file isn't UTF-8" in decode(text.encode(encoding))[1][0]
