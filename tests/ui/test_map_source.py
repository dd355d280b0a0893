"""Maps come out as they went in: by links, replay files, swapping, a reload, and from every page to Compare."""

import json
import re
import zlib
from base64 import urlsafe_b64encode
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import pytest
import streamlit as st
from helpers.payloads import HOSTILE
from helpers.trees import trees
from hypothesis import example, given
from hypothesis import strategies as some

from tted_core import MindMap, TextTree, TTEDError, compare
from tted_core.method import Method
from tted_core.report.replay import read_replay, replay_json
from ui import comparisons, map_source, running
from ui.annotate.decide import KEPT, open_in_decide
from ui.compare.link import LONGEST_MAPS, read_side, write_side
from ui.map_source import Given, Pasted, ReadingOptions, SampleFile, Uploaded, read, read_all, takes_long
from ui.running import PAGE_RUNS

LABELS = (
    "- low tide",
    "# Spring tide",
    "1. The sun",
    "* a",
    "a\nb\r\n",
    "\t",
    " x ",
    "x: y",
    "```",
    "{}",
    "2",
)
ANY = some.sampled_from((*LABELS, *HOSTILE.values(), "", "x" * 10_000)) | some.text()
NAMES = some.none() | ANY


@some.composite
def maps(draw: some.DrawFn) -> MindMap:
    """Maps as a reader could return them."""
    tree = draw(trees(alphabet=draw(some.lists(ANY, min_size=1, max_size=4))))
    notices = tuple(draw(some.lists(ANY, max_size=2)))
    joined = draw(some.sampled_from((0, len(tree.children[0]))))
    return MindMap(tree, draw(some.sampled_from(("tree", "markdown"))), notices, draw(NAMES), joined=joined)


@pytest.fixture
def session(monkeypatch):
    """The session of a user without a page, in which no page is opened."""
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st, "switch_page", lambda _page: None)
    monkeypatch.setattr(st, "query_params", {})
    return st.session_state


@given(some.lists(maps(), min_size=1, max_size=3), some.lists(some.tuples(ANY, ANY), max_size=1), NAMES)
def test_any_maps_come_back_from_a_link(several, unread, shown):
    source = Given(tuple(several), tuple(unread), ReadingOptions(shown=shown))
    text = write_side(source, LONGEST_MAPS)
    if text.startswith("maps:"):
        assert read_side(text, {}) == source
    else:
        assert sum(len(label) for each in several for label in each.tree.labels) > 10_000


def test_any_maps_come_to_compare_from_other_pages_and_by_a_replay_file(session):
    @given(maps(), maps())
    @example(*(MindMap(TextTree((label,), (-1,)), "tree") for label in (HOSTILE["surrogate"], "")))
    def check(left, right):
        comparisons.open_in_compare(left, right, Method())
        brought = session["permalinks"]["Compare"].brought
        assert [read(brought[side]) for side in ("left", "right")] == [left, right]
        result = compare(left.tree, right.tree, distance="levenshtein", baselines=())
        replay = read_replay(replay_json(left, right, result.explain()).encode())
        assert (replay.left, replay.right) == (left, right)
        open_in_decide(left, right)
        assert [each for _, each in session[KEPT]] == [left, right]

    check()


LINES = some.builds(
    "{}{}{}".format,
    some.sampled_from(("", "  ", "\t")),
    some.sampled_from(("", "- ", "# ", "1. ", "! ")),
    ANY,
)
TEXTS = some.lists(LINES, max_size=6).map("\n".join) | some.text()


@given(TEXTS, NAMES)
@example("One\n- a\n\nTwo\n- b", None)
@example("One\n- a\n\nTwo\n- b", "tides.md")
def test_a_reload_keeps_any_text_or_file_as_it_was_read(text, name):
    source = Pasted(text) if name is None else Uploaded(((name, text.encode("utf-8", "replace")),))
    link = write_side(source, LONGEST_MAPS)
    try:
        before = read_all(source)
    except TTEDError as error:
        if name is None:
            with pytest.raises(type(error), match=f"^{re.escape(str(error))}$"):
                read_all(read_side(link, {}))
        else:
            with pytest.raises(TTEDError, match="could not be read"):
                read_side(link, {})
        return
    if link.startswith("maps:"):
        assert replace(read_all(read_side(link, {})), options=before.options) == before
    else:
        assert len(text) > 10_000


def test_a_link_keeps_all_of_many_maps():
    texts = [(f"{number}.txt", f"Root\n  leaf {number}".encode()) for number in range(150)]
    found = read_all(Uploaded(tuple(texts)))
    assert read_all(read_side(write_side(found, LONGEST_MAPS), {})).maps == found.maps


def test_links_of_older_versions_open():
    def own(text):
        return f"own:{urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip('=')}"

    assert read(read_side(own("# a\n- b"), {})).tree.labels == ("a", "b")
    assert read(read_side(own("# a\n- b"), {"format": "indented"})).tree.labels[0] == "# a"
    assert read(read_side(own("a\nb"), {"roots": "first", "floating": "yes"})).tree.labels == ("a",)
    records = "\n".join(json.dumps({"id": name, "map": {name: {}}}) for name in "xyz")
    assert read(read_side(own(records), {"sheet": "2"})).tree.labels == ("y",)
    assert read_side("coral-reefs/base.md", {"format": "markdown"}).options.format == "markdown"
    assert read_side("paste", {}) == read_side("upload", {}) == Pasted("")


RECORD = {"name": None, "labels": ["a", "b"], "depths": [1, 2]}
DAMAGED = {
    "cut": lambda: write_side(Pasted("a\n  b"), LONGEST_MAPS)[:-9],
    "no JSON": lambda: packed_text("maps"),
    "no maps": lambda: packed({"maps": [], "unread": [], "shown": None}),
    "nested": lambda: packed_text("[" * 100_000),
    "a bomb": lambda: packed_text(" " * 10_000_000),
    "too long": lambda: "maps:" + "A" * 500_000,
    "a missing level": lambda: packed({"maps": [RECORD | {"depths": [1, 3]}], "unread": [], "shown": None}),
    "a level that is a text": lambda: packed(
        {"maps": [RECORD | {"depths": [1, "2"]}], "unread": [], "shown": None}
    ),
    "a label that is a number": lambda: packed(
        {"maps": [RECORD | {"labels": ["a", 2]}], "unread": [], "shown": None}
    ),
}


def packed(whole):
    return packed_text(json.dumps(whole))


def packed_text(text):
    return f"maps:{urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()}"


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_link_gets_a_sentence(kind):
    with pytest.raises(TTEDError, match="cut or damaged; copy the whole link"):
        read_side(DAMAGED[kind](), {})


def test_maps_of_a_link_are_bounded_together_and_large_ones_are_told_apart():
    large = [Pasted("Root\n" + "\n".join(f"  {word}{number}" for number in range(9_000))) for word in "ab"]
    assert len({write_side(each, LONGEST_MAPS) for each in large}) == 2
    assert len(write_side(large[0], LONGEST_MAPS)) < 20
    with pytest.raises(TTEDError, match="too large for a link"):
        read_side(write_side(large[0], LONGEST_MAPS), {})


def test_of_several_files_each_is_read_and_a_bad_one_costs_itself_only():
    files = (("a.txt", b"R\n  x"), ("b.json", b"{"), ("a.txt", b"R\n  y"), ("a (2).txt", b"R\n  z"))
    found = read_all(Uploaded(files, ReadingOptions(shown="a (2).txt")))
    assert [each.name for each in found.maps] == ["a.txt", "a (2).txt", "a (2) (2).txt"]
    assert found.shown.tree.labels == ("R", "y")
    assert [name for name, _ in found.unread] == ["b.json"]
    assert read(Uploaded(files[::2], ReadingOptions(shown="missing"))).tree.labels == ("R", "x")
    with pytest.raises(TTEDError, match="the JSON is cut off"):
        read(Uploaded(files[1:2]))


def test_only_what_is_large_and_was_not_read_before_takes_long():
    text = "Root\n" + "\n".join(f"  leaf {number}" for number in range(6_000))
    assert not takes_long(Pasted("Root"))
    assert not takes_long(SampleFile("coral-reefs/base.json"))
    assert takes_long(Pasted(text))
    read(Pasted(text))
    assert not takes_long(Pasted(text, ReadingOptions(shown="another")))


def test_pages_are_drawn_while_two_others_read_the_same_map(monkeypatch):
    """As in a class: one reads, the other waits for it, and neither keeps its turn meanwhile."""
    reading, drawn = Event(), Event()

    def slow(call, *_, **__):
        reading.set()
        assert drawn.wait(30), "nobody drew while the map was read"
        return call()

    def visit():
        with PAGE_RUNS.inside():
            return read(Pasted("a map that nobody else reads\n- a"))

    def draw():
        with PAGE_RUNS.inside():
            drawn.set()

    monkeypatch.setattr(map_source, "run_in_child", slow)
    monkeypatch.setattr(running, "MOST_SECONDS", 60.0)
    with ThreadPoolExecutor(3) as visitors:
        first = visitors.submit(visit)
        assert reading.wait(30)
        second = visitors.submit(visit)
        visitors.submit(draw)
        assert len(first.result(60).tree) == len(second.result(60).tree) == 2
