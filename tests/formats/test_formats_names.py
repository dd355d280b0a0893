"""Promises of a file's name and a text's look: broken ones are errors or notices, never maps of junk."""

import io
import zipfile

import pytest

from tted_core.errors import MapFormatError
from tted_core.formats import parse_map
from tted_core.formats.decoding import decode

PARSE = "a parse of a sentence (CoNLL-U, PENMAN or brackets); write its tree as indented text"
CONLLU = (
    "# sent_id = 1\n# text = A dog\n"
    "1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\tdog\tNOUN\tNN\t_\t0\troot\t_\t_\n"
)
AMR = "# ::id 1\n(w / want-01\n   :ARG0 (b / boy)\n   :ARG1 (g / go-01\n      :ARG0 b))\n"

BROKEN = [
    ("null.json", "null", (None, None), "has no nodes"),
    ("n.json", "42", (None, None), "the JSON is only '42'"),
    ("n.json", "[1,2", (1, 5), "the JSON is cut off: expecting ',' delimiter; close its quotes"),
    ("n.jsonl", "a\n  b", (1, 1), "the JSON is broken at 'a': expecting value"),
    ("n.canvas", "# a\n- b", (None, None), "a canvas (Obsidian); write"),
    ("n.yml", "a:\n  - b\n", (None, None), "YAML; write the map as a Markdown list"),
    ("n.html", "a\n  b", (None, None), "a web page; export the map as OPML or Markdown"),
    ("n.dot", "a\n  b", (None, None), "a DOT graph (Graphviz); write its edges as a table"),
    ("n.org", "* a\n** b", (None, None), "an Org file; export the map as OPML or Markdown from Emacs"),
    ("n.xml", "just\n  words", (1, 1), "not well-formed"),
    ("n.xml", "<thing/>", (None, None), "XML with the root element <thing>"),
    ("n.opml", "- a\n  - b", (1, 1), "promises XML"),
    ("n.csv", "just\n  words", (1, None), "begins with a header line"),
    ("n.xmind", "a\n  b", (None, None), "the content is text; save it again"),
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
    ("a.mmd", "a\n  b", "indented"),
    ("a.txt", "null", "indented"),
    ("pasted text", "42", "indented"),
    (None, "true", "indented"),
]


@pytest.mark.parametrize(("name", "text", "expected"), KEPT)
def test_content_of_another_kind_is_read_whatever_the_name(name, text, expected):
    assert parse_map(text, name=name).format == expected


def office(entry):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(entry, "<x/>")
    return buffer.getvalue()


REFUSED = {
    "CoNLL-U": (CONLLU, PARSE),
    "AMR": (AMR, PARSE),
    "a parse tree": ("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))\n", PARSE),
    "parse trees": ("(S (NP x))\n(S (VP (V y)))", PARSE),
    "Word": (
        office("word/document.xml"),
        "a Word document (.docx); turn its headings and lists into Markdown",
    ),
    "Excel": (office("xl/workbook.xml"), "an Excel workbook; save the sheet as CSV"),
    "PowerPoint": (office("ppt/presentation.xml"), "a PowerPoint presentation; save its outline"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("file", [None, "x.txt"])
def test_other_trees_and_documents_are_refused_by_name_with_what_to_do(name, file):
    content, message = REFUSED[name]
    with pytest.raises(MapFormatError) as caught:
        parse_map(content, name=file)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["(a (b) c)", "(in brackets)", "(a) b (c (d))", "a\n  (b (c (d)))", "1\t2\t3", "(((", "(a / b"],
)
def test_brackets_and_tabs_do_not_make_a_treebank(text):
    assert parse_map(text, name="x.txt").format in {"indented", "numbered"}


DOUBTED = {
    "prose under a heading": (
        "# a\nOne.\nTwo.\nThree.\n- b",
        "1 of 4 lines below the first look like Markdown",
    ),
    "lines": (
        "One thing.\nAnother thing.\nAnd one more.",
        "0 of 2 lines below the first look like indented text",
    ),
    "JSON that breaks off": ('x\n"c": 1\n{d', "it may also be JSON"),
}


@pytest.mark.parametrize("name", DOUBTED)
def test_a_pasted_text_that_hardly_looks_like_the_guess_may_be_something_else(name):
    text, message = DOUBTED[name]
    (notice,) = (each for each in parse_map(text).notices if "below the first look like" in each)
    assert message in notice
    assert "--format selects another reader" in notice
    assert parse_map(text, name="pasted text").notices == parse_map(text).notices
    assert not any("look like" in each for each in parse_map(text, name="a.txt").notices)
    assert not any("look like" in each for each in parse_map(text, format=parse_map(text).format).notices)


@pytest.mark.parametrize("text", ["a", "a\n- b\nc", "a\n  b\nc", "# a\n- b\n- c\n\nText.\n"])
def test_half_matching_texts_are_not_doubted(text):
    assert not any("look like" in notice for notice in parse_map(text).notices)


XML = '<?xml version="1.0" encoding="{}"?><map><node TEXT="{}"/></map>'
WITH_NOTICES = [
    (
        XML.format("none-such", "a").encode(),
        "a",
        "read as UTF-8, though the file declares none-such, which is no",
    ),
    (
        XML.format("UTF-7", "+AOQ-").encode(),
        "+AOQ-",
        "read as UTF-8, though the file declares UTF-7, which is no",
    ),
    (XML.format("undefined", "a").encode(), "a", "declares undefined, which is not a known encoding"),
    (XML.format("base64", "a").encode(), "a", "declares base64, which is not a known encoding"),
    (XML.format("iso-8859-1", "ä").encode(), "ä", "read as UTF-8, though the file declares iso-8859-1"),
    (XML.format("utf-16", "a").encode(), "a", "read as UTF-8, though the file declares utf-16"),
    (
        b"\xef\xbb\xbf" + XML.format("koi8-r", "ё").encode(),
        "ё",
        "read as UTF-8, though the file declares koi8-r",
    ),
    (XML.format("utf-8", "a").encode("utf-16"), "a", "read as UTF-16-LE, though the file declares utf-8"),
    ("Деревья\n  Листья\n  Корни".encode()[:-1], "Деревья", "the file is UTF-8, broken at byte 40"),
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
        assert "neither UTF-8 nor UTF-16" in decode(text.encode(encoding))[1][0]
