"""No reader takes more than linear time or falls over depth; whatever it raises is a sentence for its own map."""

import contextlib
import gc
import json
import logging
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from helpers.hanging import not_hanging
from helpers.hostile_files import zipped
from helpers.thorough import sampled

from tted_core.errors import TTEDError
from tted_core.formats import FORMATS, parse_map, parse_maps

BEGINNINGS = (
    "", "{", "[", "<map>", "<opml><body>", "mindmap\n  a\n    ", "mindmap\n  a(", "@startmindmap\n* a\n",
    "@startmindmap\n* ", "@startmindmap\n*:", "# a\n- ", "- ", "a\n  ", "---\nx: ", "1. a\n1.1. ", "<T1>a</T1>",
    "<highlight>", "parent,child\na,", "Sure! ", "```\n", '{"a": "', '{"sentences": [', '{"nodes": [',
    '<map><node TEXT="', '<opml><body><outline text="', '<map><node><richcontent TYPE="NODE"><html>', "> ",
    "|a|\n|-|\n|", "Here is the mind map:\n\n- a\n\n", "- a\n- b\n\nNote: ", '<?xml version="1.0"?>',
    "<!DOCTYPE map ",
)  # fmt: skip
UNITS = (
    "[", "]", "[[a]", "![", "[a](", "(", ")", "((", "{", "}", "{{", "{a", '"', "'", "`", "``` ", "```\n",
    "~~~\n", "*", "**", "** a", "_", "__a ", "~~", "#", "# a\n", "- a\n", "- ", "* a\n", "1. a\n", "1.",
    "1.1. a\n", "[0] a\n", " ", "\t", "\n", " \n", "\r", "a ", "a\n", " a\n", "<", "<a>", "<a ", "</a>", "<b",
    "<p>", "<li>", "<style>", "<script>", "<!--", "<![CDATA[", "<!DOCTYPE ", "<?x ", "&", "&amp;", "&#", "&#0;",
    "|", "|a|b|\n", "a,b\n", "a\tb\n", ",", ";", ":", ":: ", "a:: b\n", "::icon(", "%%", "%%{", "}%%", "---\n",
    "===\n", "> a\n", "├── a\n", "│  ", "+--", "【1】", "[1] ", "【", "[^1]", "([a](b)) ", "@", "@startmindmap\n",
    "@enduml\n", ":a\n", ":a;\n", "/'", "'/", "<style>\n", "title\n", "[[", "[[a ", "[[http://x ", "//", "--",
    "<T1>", "<T1.1>a", "<T", "</T>", "<highlight>", '{"a":', '{"a":1},', '["a",', '"a":1,', '"\\', "\\", "{'a':",
    "'a',", '{"id":1,"map":{"a":{}}}\n', "1", "é", "\u200b", "\ud800", "́", "🌳 a\n", "**a**\n", "**a:** b\n",
    "Branch 1: a\n", "Central Topic: a\n", "Level 1: a\n", "I. a\n", "a) b\n", "Sure! ", "Sure! a b c d e.\n",
    "Here is a mind map of ", "mind map ", "mind map:", "Note: ", "mindmap\n", "graph ", "(a / b ", "(a (b) ",
    "1\t2\t3\t4\t5\t6\t7\t8\n", "https://a ", "//a\n", "#a\n", "/**/", "$", "=", "=\n", "- [x] ", ":LOGBOOK:\n",
    ":END:\n", "title: a\n", "parent,child\n", '"a\n', 'a"b,', 'mindmap\n"', '  ["', "a((", "*:a\n", "*_",
    "*[#a]", "<<a", "a mind map (", "text on a text on ", "（", "- [a](#a)\n", "**a**\n> b\n",
    "Unit 1\n",
)  # fmt: skip


def _edges(count: int) -> list[tuple[int, int]]:
    """A tree of three children a node."""
    return [((child - 1) // 3, child) for child in range(1, count)]


def _chain(count: int) -> list[tuple[int, int]]:
    return [(node - 1, node) for node in range(1, count)]


def _sentences(count: int, edges: list[tuple[int, int]]) -> str:
    return json.dumps({"sentences": ["s"] * count, "mindmap": {"root": 0, "edges": edges}})


def _edist(count: int, edges: list[tuple[int, int]]) -> str:
    below: list[list[int]] = [[] for _ in range(count)]
    for parent, child in edges:
        below[parent].append(child)
    return json.dumps({"nodes": ["n"] * count, "adj": below})


def _table(edges: list[tuple[int, int]]) -> str:
    return "parent,child\n" + "".join(f"n{parent},n{child}\n" for parent, child in edges)


MAP = '<map><node TEXT="r">{}</node></map>'
OPML = '<opml><body><outline text="r">{}</outline></body></opml>'
MMAP = "<Map><OneTopic><Topic><SubTopics>{}</SubTopics></Topic></OneTopic></Map>"

# Format -> a map of that many nodes.
WIDE: dict[str, Callable[[int], str | bytes]] = {
    "xmind": lambda n: zipped({"content.json": json.dumps(
        [{"rootTopic": {"title": "r", "children": {"attached": [{"title": "a"}] * n}}}])}),
    "mindmanager": lambda n: zipped({"Document.xml": MMAP.format('<Topic><Text PlainText="a"/></Topic>' * n)}),
    "freemind": lambda n: MAP.format('<node TEXT="a"/>' * n),
    "opml": lambda n: OPML.format('<outline text="a"/>' * n),
    "cmgn": lambda n: "<T1>r</T1>" + "".join(f"<T1.{i}>a</T1.{i}>\n" for i in range(1, n)),
    "mermaid": lambda n: "mindmap\n  r\n" + '    ("a")\n' * n,
    "plantuml": lambda n: "@startmindmap\n* r\n" + "** a\n" * n + "@endmindmap",
    "jsmind": lambda n: json.dumps({"format": "node_array", "data": [{"id": 0, "topic": "r"}] + [
        {"id": child, "topic": "a", "parentid": parent} for parent, child in _edges(n)]}),
    "sentences": lambda n: _sentences(n, _edges(n)),
    "mindmup": lambda n: json.dumps({"title": "r", "ideas": {str(i): {"title": "a"} for i in range(n)}}),
    "edist": lambda n: _edist(n, _edges(n)),
    "json": lambda n: json.dumps({"label": "r", "children": [{"label": "a", "id": 1}] * n}),
    "nested-json": lambda n: '{"r": {' + ",".join(['"a": {}'] * n) + "}}",
    "edges": lambda n: _table(_edges(n)),
    "numbered": lambda n: "1. r\n" + "".join(f"1.{i}. a\n" for i in range(1, n)),
    "markdown": lambda n: "# r\n" + "- **a** [b](c)\n" * n,
    "indented": lambda n: "r\n" + "  **a** b\n" * n,
}  # fmt: skip

# Format -> a map of that many levels, or of as many as fit in a line.
DEEP: dict[str, Callable[[int], str | bytes]] = {
    "xmind": lambda n: zipped({"content.json": '[{"rootTopic": ' + '{"title": "a", "children": {"attached": [' * n
                               + "]}}" * n + "}]"}),
    "mindmanager": lambda n: zipped(
        {"Document.xml": MMAP.format("<Topic><SubTopics>" * n + "</SubTopics></Topic>" * n)}),
    "freemind": lambda n: MAP.format('<node TEXT="a">' * n + "</node>" * n),
    "opml": lambda n: OPML.format('<outline text="a">' * n + "</outline>" * n),
    "cmgn": lambda n: "".join(f"<T1{'.1' * i}>a</T1>\n" for i in range(min(n, 700))),
    "mermaid": lambda n: "mindmap\n" + "".join(f"{' ' * i}a\n" for i in range(1, min(n, 1000))),
    "plantuml": lambda n: "@startmindmap\n" + "".join(f"{'*' * i} a\n" for i in range(1, min(n, 1000))),
    "jsmind": lambda n: '{"format": "node_tree", "data": ' + '{"topic": "a", "children": [' * n + "]}" * n + "}",
    "sentences": lambda n: _sentences(n, _chain(n)),
    "mindmup": lambda n: '{"title": "a", "ideas": {"1": ' * n + '{"title": "a"}' + "}}" * n,
    "edist": lambda n: _edist(n, _chain(n)),
    "json": lambda n: '{"label": "a", "children": [' * n + "]}" * n,
    "nested-json": lambda n: '{"a":' * n + "1" + "}" * n,
    "edges": lambda n: _table(_chain(n)),
    "numbered": lambda n: "".join(f"1{'.1' * i}. a\n" for i in range(min(n, 1000))),
    "markdown": lambda n: "# r\n" + "".join(f"{'  ' * i}- a\n" for i in range(min(n, 1000))),
    "indented": lambda n: "".join(f"{' ' * i}a\n" for i in range(min(n, 1000))),
}  # fmt: skip


CHARACTERS, NODES = 16_000, 2_000
TIMES = 4
# Four times the input may take ten times as long: a linear reader takes four times, a quadratic one sixteen.
MOST = 2.5 * TIMES


def duration(content):
    """Processor time of a reading in this thread, without garbage collection; at least a hundredth of a second."""
    gc.disable()
    start = time.thread_time()
    with contextlib.suppress(TTEDError):
        parse_maps(content)
    taken = time.thread_time() - start
    gc.enable()
    return max(taken, 0.01)


def grows_too_fast(make, size):
    """Return True if larger inputs are out of proportion, however often that is measured."""
    return all(duration(make(TIMES * size)) > MOST * duration(make(size)) for _ in range(3))


@pytest.mark.parametrize("name", sampled(WIDE, 3))
def test_a_map_of_every_format_is_read_in_linear_time(name):
    assert not grows_too_fast(WIDE[name], NODES)
    assert parse_map(WIDE[name](500)).format == name


@pytest.mark.parametrize(("number", "beginning"), sampled(enumerate(BEGINNINGS), 1))
def test_repeated_signs_take_linear_time(number, beginning):
    """Each beginning with every eighth unit, so that each unit stands behind four beginnings."""
    for unit in UNITS[number % 8 :: 8]:
        assert not grows_too_fast(
            lambda size, unit=unit: beginning + unit * (size // len(unit)), CHARACTERS
        ), unit


# Texts that once took more than linear time.
SLOW: dict[str, Callable[[int], str | bytes]] = {
    "spaces before the text": lambda n: " " * n + "- a\n- b\n",
    "line ends before the text": lambda n: "\n" * n + "- a\n- b\n",
    "a level": lambda n: f"- a\nMain Branches{' ' * n}x",
    "a level and a bracket": lambda n: f"- a\nLevel 2{' ' * n}(x",
    "a branch": lambda n: f"- a\n- Branch 1{' ' * n}x",
    "a note": lambda n: f"- a\n- b\n\nNote{' ' * n}x",
    "bold and spaces": lambda n: f"- a\n**a**{' ' * n}x\n- b",
    "signs of headings": lambda n: f"- a\n1. b\n# b {'# ' * (n // 2)}x",
    "adjectives of a map": lambda n: f"{'simple ' * (n // 7)}mind map: a\n- b",
    "short lines below a list": lambda n: "- a\n- b\n\n" + "a\n" * (n // 2),
    "notes below a list": lambda n: "- a\n- b\n\n" + "note\n" * (n // 5),
    "lines that go on": lambda n: "1. a\n- b\n" + "   c\n" * (n // 5),
    "distinct emoji": lambda n: "".join(
        f"{chr(0x1F300 + i % 700)}{chr(0x1F300 + i // 700)} x\n" for i in range(n // 5)
    ),
    "a quotation of many lines": lambda n: 'mindmap\n  r\n    ("' + "a\n" * (8 * n) + '")',
    "objects of many keys": lambda n: json.dumps([dict.fromkeys(map(str, range(n)), "x")] * 2),
    "objects of many empty keys": lambda n: json.dumps([dict.fromkeys(map(str, range(n)), "")] * 2),
    "topics of many kinds": lambda n: zipped(
        {
            "content.json": json.dumps(
                [{"rootTopic": {"title": "r", "children": {str(i): [{"title": "a"}] for i in range(n)}}}]
            )
        }
    ),
}


@pytest.mark.parametrize("name", SLOW)
def test_what_once_was_slow_takes_linear_time(name):
    with not_hanging():
        assert not grows_too_fast(SLOW[name], CHARACTERS // 4)


@pytest.mark.parametrize("unit", ["[", "[[a]", "![", "[a](", "[](<"])
def test_a_bracket_bomb_is_read_as_text(unit):
    """It took 52 s for the first of these and minutes for the third, in labels of 300 and 1,000 signs."""
    label = unit * (1_000 // len(unit))
    tree = parse_map("# a\n" + f"- {label}\n" * 100, format="markdown").tree
    assert set(tree.labels) == {"a", label}


def test_there_is_a_growing_map_of_every_format():
    assert list(WIDE) == list(DEEP) == list(FORMATS)


@pytest.mark.parametrize("levels", [600, 3_000, pytest.param(30_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("name", DEEP)
def test_depth_is_refused_in_a_sentence(name, levels):
    for chosen in (None, name):
        with pytest.raises(TTEDError) as caught:
            parse_map(DEEP[name](levels), format=chosen)
        assert "a bug" not in str(caught.value)
        assert len(str(caught.value)) < 400


@pytest.fixture
def broken(monkeypatch):
    """A format whose reader has a bug."""

    def read(_):
        raise KeyError("x" * 100_000)

    monkeypatch.setitem(FORMATS, "opml", replace(FORMATS["opml"], read=read))
    return "<opml><body><outline text='a'/></body></opml>"


def test_a_bug_in_a_reader_affects_only_its_own_map(broken, caplog):
    with caplog.at_level(logging.ERROR):
        (only,) = parse_maps(zipped({"a.opml": broken, "b.md": "- b\n"}))
    assert only.tree.labels == ("b",)
    assert any(
        "1 of 2 maps" in notice and "the reader has a bug (KeyError)" in notice for notice in only.notices
    )
    assert "Traceback" in caplog.text
    with pytest.raises(
        TTEDError, match=r"^the reader has a bug \(KeyError\); save the map in another format"
    ):
        parse_map(broken)
