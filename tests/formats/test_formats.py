"""The public face of the formats: files, encodings, limits, several roots, several maps, hostile input."""

import os

import pytest

from tted_core.errors import MapFormatError, UnknownNameError
from tted_core.formats import parse_map, parse_maps, read_map
from tted_core.formats.document import decode
from tted_core.foundations.files import pack_files

RUSSIAN = "Корень\n  Ветка и лист\n  Ещё один лист"


def test_read_map_takes_a_path_and_goes_by_the_content(tmp_path):
    path = tmp_path / "map.json"
    path.write_text('<map><node TEXT="a"><node TEXT="b"/></node></map>', encoding="utf-8")
    result = read_map(path)
    assert (result.format, result.name, result.tree.labels) == ("freemind", "map.json", ("a", "b"))
    assert read_map(str(path)).tree == result.tree


def test_missing_files_and_folders_are_refused(tmp_path):
    with pytest.raises(MapFormatError, match="No such file or directory"):
        read_map(tmp_path / "missing.json")
    with pytest.raises(MapFormatError, match="no files in the folder"):
        read_map(tmp_path)
    with pytest.raises(MapFormatError, match="can't be read"):
        read_map("a\0b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "secret.json"
    path.write_text("{}", encoding="utf-8")
    path.chmod(0)
    with pytest.raises(MapFormatError, match="Permission denied"):
        read_map(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b" \n\t", "only white space"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
        (b"%PDF-1.7", "a PDF document"),
        (b"\x80\x04\x95\x01.", "a Python pickle"),
        (bytes(range(256)) * 10, "binary"),
        (bytes(100), "binary"),
        (b"\xff\xfea", "byte order mark of UTF-16-LE"),
    ],
)
def test_other_content_is_refused(content, message):
    with pytest.raises(MapFormatError, match=message):
        parse_map(content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_encodings(encoding):
    assert parse_map(RUSSIAN.encode(encoding)).tree == parse_map(RUSSIAN).tree


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp866"),
        ("Привет", "cp1251"),
        ("Café\n  déjà vu", "cp1252"),
        ("Grüße\n  Straße", "latin-1"),
        ("知識\n  我们的树", "gb18030"),
        ("こころ\n  ひらがなの木", "shift_jis"),
        ("나무\n  가지와 잎", "euc_kr"),
    ],
)
def test_other_encodings_are_guessed_with_a_notice(text, encoding):
    result = parse_map(text.encode(encoding))
    assert result.tree == parse_map(text).tree
    assert any("guessed" in notice and text[:2] in notice for notice in result.notices)


def test_a_file_that_is_nearly_utf8_is_read_as_that():
    cut = parse_map(RUSSIAN.encode()[:-1])
    assert cut.tree.labels[:2] == parse_map(RUSSIAN).tree.labels[:2]
    assert cut.tree.labels[2] == "Ещё один лис\N{REPLACEMENT CHARACTER}"
    assert any("except for 1 position (the first in line 3)" in notice for notice in cut.notices)
    lone = parse_map(f"{RUSSIAN}\ud800".encode("utf-8", "surrogatepass"))
    assert lone.tree.labels[2] == "Ещё один лист\N{REPLACEMENT CHARACTER}"
    assert any("half surrogate pairs" in notice and "line 3" in notice for notice in lone.notices)


def test_an_xml_declaration_names_the_encoding():
    declared = '<?xml version="1.0" encoding="{}"?><a>ё</a>'
    assert decode(declared.format("koi8-r").encode("koi8-r")) == (declared.format("koi8-r"), [])
    with pytest.raises(MapFormatError, match="declares the encoding 'none-such'"):
        decode(declared.format("none-such").encode("koi8-r"))


@pytest.mark.parametrize(
    ("text", "line"),
    [('{"a": {"x": {}}, "b": {"y": {}}}', None), ("a\n x\nb\n y", 3), ("# a\n- x\n# b\n- y", 3)],
)
def test_several_roots(text, line):
    with pytest.raises(
        MapFormatError, match=r"2 roots .*roots='error' .*roots='join'.*roots='first'"
    ) as caught:
        parse_map(text, roots="error")
    assert caught.value.line == line
    joined = parse_map(text)
    assert joined == parse_map(text, roots="join")
    assert joined.joined == 2
    assert joined.tree.labels == ("(2 roots)", "a", "x", "b", "y")
    assert joined.tree.parents == (-1, 0, 1, 0, 3)
    assert any("put above them, which costs like any other node" in notice for notice in joined.notices)
    first = parse_map(text, roots="first")
    assert first.joined == 0
    assert first.tree.labels == ("a", "x")
    assert any("('b') were left out, 2 nodes in all" in notice for notice in first.notices)


TITLED = {
    (
        "OPML",
        None,
    ): '<opml><head><title>Two things</title></head><body><outline text="a"/><outline text="b"/></body></opml>',
    ("front matter", "notes.md"): '---\nx: y\ntitle: "Two things"\n---\n- a\n- b\n',
    ("a file's name", "folder/Two things.md"): "# a\n# b\n",
}


@pytest.mark.parametrize("source", TITLED)
def test_the_node_above_several_roots_has_the_files_own_title(source):
    result = parse_map(TITLED[source], name=source[1])
    assert result.tree.labels == ("Two things", "a", "b")
    assert result.joined == 2
    assert any(
        "the node 'Two things', the title of the file, was put above" in each for each in result.notices
    )


def test_the_file_names_in_an_archive_are_no_titles_of_the_maps_in_it():
    joined, single = parse_maps(pack_files([("p.json", b'{"a": {}, "b": {}}'), ("q.json", b'{"c": {}}')]))
    assert joined.tree.labels == ("(2 roots)", "a", "b")
    assert (joined.maps, joined.joined, single.joined) == (("p.json", "q.json"), 2, 0)


def test_unknown_names_list_the_choices():
    with pytest.raises(UnknownNameError, match="nested-json, "):
        parse_map("a", format="xyz")
    with pytest.raises(UnknownNameError, match="join, first, error"):
        parse_map("a", roots="both")


def test_several_maps_in_fenced_blocks():
    text = "First:\n```\na\n  b\n```\nSecond:\n```\nc\n```"
    assert parse_map(text).maps == ("a", "c")
    assert parse_map(text).tree.labels == ("a", "b")
    assert any("holds 2 maps" in notice for notice in parse_map(text).notices)
    for sheet in (2, "2", "c"):
        chosen = parse_map(text, sheet=sheet)
        assert (chosen.tree.labels, chosen.sheet, chosen.maps) == (("c",), 2, ("a", "c"))
    with pytest.raises(MapFormatError, match="no map '3'"):
        parse_map(text, sheet=3)


def test_fenced_blocks_inside_markdown_are_not_maps():
    assert parse_map("# a\n- b\n```\nc\n```").tree.labels == ("a", "b")
    assert parse_map("````\n- x\n```\n- y\n```\n````").tree.labels == ("x",)


@pytest.mark.parametrize("word", ["Branches", "Children", "Äste", "Ветви"])
def test_a_word_for_nodes_may_be_a_node(word):
    for text in (f"Tree\n  Roots\n  {word}\n", f"# Tree\n- Roots\n- {word}\n", f"Tree\n- Roots\n- {word}\n"):
        assert parse_map(text).tree.labels == ("Tree", "Roots", word)
