"""The library as a stranger calls it wrongly: a ``TTEDError`` whose one sentence says what is wanted."""

import re
from pathlib import Path

import numpy as np
import pytest
from helpers.encoders import hashed
from helpers.library import FILE, LEFT, RESULT, RIGHT, TREE, compared, made
from helpers.paths import ROOT

from tted_core import TextTree, load_encoder, map_text, parse_map, read_map, read_maps, write_map
from tted_core.baselines import BASELINES
from tted_core.errors import TTEDError
from tted_core.method import Method


def by(returned):
    """A comparison by an encoder that returns this."""
    return compared(encoder=lambda _texts: returned)


WRONG = {
    # What is no map where one is wanted.
    "a text": (
        lambda: compared("Coral reefs"),
        "the left map is the text 'Coral reefs', and there is no file",
    ),
    "an outline": (
        lambda: compared(LEFT, "a\n  b\n  c"),
        r"the right map is the text 'a b c'.*parse_map\(text\)",
    ),
    "an empty text": (lambda: compared(""), "the left map is the text ''"),
    "a missing file": (lambda: compared("missing.json"), "check the path"),
    "None": (lambda: compared(None), "the left map is None; give a MindMap, a TextTree, the path"),
    "a number": (lambda: compared(LEFT, 5), "the right map is 5; give a MindMap"),
    "bytes": (lambda: compared(b"{}"), "the left map is b'{}'.*parse_map reads"),
    "a dict": (lambda: compared({"a": {}}), r"the left map is \{'a': \{\}\}; give"),
    "a list of texts": (
        lambda: compared(["a", "b", "c"]),
        r"the left map is \['a', 'b', 'c'\]; give a MindMap",
    ),
    "two texts": (lambda: compared(("a", "b")), r"the left map is \('a', 'b'\); give"),
    "a class": (lambda: compared(TextTree), "the left map is <class"),
    "a pair of maps": (lambda: compared((LEFT, RIGHT)), r"the left map is \(TextTree"),
    "adjacency of texts": (lambda: compared((["a", "b"], [["b"], []])), "a list of its children's numbers"),
    "adjacency of nobody": (lambda: compared((["a"], [[1]])), "node 0 has the child 1, which does not exist"),
    "adjacency of numbers": (
        lambda: compared(([1, 2], [[1], []])),
        "the label of node 0 is 1; labels are texts",
    ),
    # Trees made in code.
    "labels that are numbers": (
        lambda: TextTree((1, 2), (-1, 0)),
        "the label of node 0 is 1; labels are texts",
    ),
    "a label that is None": (lambda: TextTree(("a", None), (-1, 0)), "the label of node 1 is None"),
    "labels that are one text": (
        lambda: TextTree("ab", (-1, 0)),
        "labels is 'ab'; give a list of the nodes' texts",
    ),
    "labels that are a number": (lambda: TextTree(3, (-1,)), "labels is 3; give a list"),
    "parents that are texts": (
        lambda: TextTree(("a", "b"), ("-1", "0")),
        "give a list of whole numbers, -1 for the root",
    ),
    "parents that are fractions": (
        lambda: TextTree(("a", "b"), (-1, 0.5)),
        "give a list of whole numbers, -1 for the root",
    ),
    "no parents": (lambda: TextTree(("a",), None), "give a list of whole numbers, -1 for the root"),
    "children that are numbers": (
        lambda: TextTree.from_children(["a", "b"], [1, 0]),
        "a list of its children's",
    ),
    "no children": (lambda: TextTree.from_children(["a"], None), "a list of its children's numbers"),
    # Lists of maps, and of pairs.
    "pairs of None": (lambda: TREE.compare_many(None), r"pairs\[0\] is None; give a list of pairs of maps"),
    "a pair that is no list": (
        lambda: TREE.compare_many((LEFT, RIGHT)),
        r"pairs\[0\] is TextTree",
    ),
    "pairs that are texts": (lambda: TREE.compare_many(["ab", "cd"]), r"pairs\[0\] is 'ab'"),
    "pairs that are a text": (lambda: TREE.compare_many("ab"), r"pairs\[0\] is 'a'"),
    "a pair of three": (lambda: TREE.compare_many([(LEFT, RIGHT, LEFT)]), r"pairs\[0\] is \(TextTree"),
    "a pair with None": (lambda: TREE.compare_many([(LEFT, None)]), r"the right map of pairs\[0\] is None"),
    "pairs that are a dict": (lambda: TREE.compare_many({"a": LEFT}), r"pairs\[0\] is \{'a': TextTree"),
    "many that are one": (lambda: TREE.pairwise(LEFT), "maps is TextTree.*; give a list of maps"),
    "many that are None": (lambda: TREE.pairwise(None), "maps is None"),
    "a folder for many": (lambda: TREE.pairwise("sample_trees"), "read_maps reads all of a file or folder"),
    "a dict for many": (lambda: TREE.pairwise({"a": LEFT}), r"maps is \{'a': TextTree"),
    "one of many is no file": (
        lambda: TREE.pairwise([LEFT, Path("none.json")], score="tree"),
        "the map none.json can't be compared: 'none.json' can't be read",
    ),
    "one of many is None": (lambda: TREE.pairwise([LEFT, None]), r"maps\[1\] is None"),
    "one of the others is a number": (
        lambda: TREE.pairwise([LEFT], [RIGHT, 2]),
        r"others\[1\] is 2",
    ),
    "a score that isn't": (lambda: TREE.pairwise([LEFT], score="rouge"), "unknown score 'rouge'"),
    "a score that is a list": (lambda: TREE.pairwise([LEFT], score=["tted"]), "unknown score"),
    # Options.
    "an option that isn't": (
        lambda: made(colour="blue"),
        "there is no option 'colour'; choose from: encoder,",
    ),
    "a preset that isn't": (lambda: compared(preset="x"), "unknown preset 'x'; choose one of"),
    "no preset": (lambda: compared(preset=None), "unknown preset None"),
    "a preset that is a list": (lambda: compared(preset=[]), r"unknown preset \[\]"),
    "a distance that is a function": (lambda: compared(distance=len), "unknown distance"),
    "an order that is a list": (lambda: compared(order=["ordered"]), "unknown order"),
    "a context that is None": (lambda: compared(context=None), "unknown context None"),
    "a gap that is a list": (lambda: compared(gap=[1]), r"the gap is \[1\]; give a number"),
    "a power that is None": (lambda: compared(power=None), "the power is None; give a number from 1"),
    "a depth of 2.5": (lambda: compared(depth=2.5), "depth 2.5 is not a number of levels"),
    "a depth that is a list": (lambda: compared(depth=[2]), r"depth \[2\] is not a number of levels"),
    "a depth that is True": (lambda: compared(depth=True), "depth True is not a number of levels"),
    "a time limit that is a list": (lambda: compared(time_limit=[]), "the time limit is a finite number"),
    "a method's encoder": (lambda: Method(encoder=None), "the name of a model is a text, not None"),
    "baselines that are None": (lambda: compared(baselines=None), "baselines are given as a list of names"),
    "a baseline that isn't": (lambda: compared(baselines="rogue"), "unknown baseline 'rogue'"),
    "a baseline that is a number": (lambda: compared(baselines=[1]), "unknown baseline 1"),
    "baselines of many": (
        lambda: TREE.compare_many([], baselines=3),
        "baselines are given as a list of names",
    ),
    "a monitor that is a function": (lambda: compared(monitor=print), r"give Monitor\(report, should_stop\)"),
    "many watched by a function": (lambda: TREE.pairwise([LEFT], monitor=print), r"give Monitor\(report"),
    # Models.
    "no encoder": (lambda: compared(encoder=None), "the encoder is None; give a name, a folder, a model"),
    "an encoder that is a number": (lambda: compared(encoder=5), "the encoder is 5; give a name"),
    "an encoder that is a class": (lambda: compared(encoder=dict), "the encoder is <class 'dict'>"),
    "an encoder that isn't": (lambda: compared(encoder="bert"), "unknown encoder 'bert'"),
    "an encoder that returns None": (lambda: by(None), r"returned an array of shape \(\)"),
    "an encoder that returns a row too many": (
        lambda: by(np.ones((8, 3))),
        r"shape \(8, 3\) for 7 texts; expected \(7, dimensions\)",
    ),
    "an encoder that returns texts": (
        lambda: by(["x"] * 9),
        "the encoder returned no array of numbers but list",
    ),
    "an encoder that returns rows of two lengths": (
        lambda: by([[1], [1, 2]]),
        "no array of numbers but list",
    ),
    "an encoder to load that is None": (lambda: load_encoder(None), "load_encoder takes a name and a device"),
    "a folder of an encoder that isn't there": (
        lambda: load_encoder("./none"),
        "there is no folder './none'",
    ),
    "a device that is a number": (
        lambda: load_encoder("minilm", device=0),
        "load_encoder takes a name and a device",
    ),
    # Baselines by themselves.
    "a baseline of texts": (lambda: BASELINES["rouge_sim"]("a", "b"), "the left map is the text 'a'"),
    "a baseline of None": (lambda: BASELINES["edge_f1"](LEFT, None, hashed), "the right map is None"),
    "a baseline without an encoder": (lambda: BASELINES["edge_f1"](LEFT, RIGHT), "or give an encoder"),
    "a baseline with a number": (
        lambda: BASELINES["edge_f1"](LEFT, RIGHT, 5),
        "the encoder is 5; give a name",
    ),
    # Reading and writing.
    "to read None": (lambda: read_map(None), r"None is not a path .*; parse_map\(content\) reads a text"),
    "to read a number": (lambda: read_map(3), "3 is not a path of a file or folder"),
    "to read nothing": (lambda: read_map(""), "'' is not a path of a file or folder"),
    "to read bytes": (lambda: read_map(b"a.json"), "b'a.json' is not a path"),
    "to read a list of files": (lambda: read_maps(["a.json"]), r"\['a.json'\] is not a path"),
    "to read a text": (lambda: read_map("a\n  b"), "No such file or directory"),
    "to parse None": (lambda: parse_map(None), "the content is of the type NoneType; give a text or bytes"),
    "to parse a dict": (lambda: parse_map({"a": {}}), "the content is of the type dict"),
    "to parse a path": (lambda: parse_map(ROOT), r"read_map\(path\) reads a file"),
    "a field that is a number": (lambda: parse_map("{}", field=5), "field is a text, not 5"),
    "a name that is a number": (lambda: parse_map("{}", name=5), "name is a text, not 5"),
    "a format that is a list": (lambda: parse_map("a", format=["json"]), "unknown format"),
    "roots that are None": (lambda: parse_map("a", roots=None), "unknown way with several roots None"),
    "a sheet that is a list": (lambda: parse_map("a", sheet=[1]), "there is no map"),
    "to write None": (lambda: map_text(None, "markdown"), "the map is None; give a MindMap"),
    "to write a text": (lambda: map_text("a", "markdown"), "the map is the text 'a'"),
    "to write in no format": (lambda: map_text(LEFT, None), "unknown format to write None"),
    "to write without an ending": (
        lambda: write_map(LEFT, "map"),
        "unknown ending of a map's file ''; choose one of: json, md",
    ),
    "to write nowhere": (lambda: write_map(LEFT, None), "give the name of a file, not None"),
    "to write over a folder": (
        lambda: write_map(LEFT, ROOT, "json"),
        "can't be written .*; name another file",
    ),
    "to write below a file": (
        lambda: write_map(LEFT, f"{FILE}/a.md"),
        "can't be written .*; name another file",
    ),
    "to save in None": (lambda: RESULT.save(None), "give the name of a file, not None"),
    "to save in a list": (lambda: RESULT.save(["a.html"]), "give the name of a file, not"),
    "to save under a name that no file has": (
        lambda: RESULT.save("a\0.csv"),
        r"can't be written \(no file can have this name\)",
    ),
    "to save in no format": (
        lambda: RESULT.save("a.docx"),
        "unknown kind of report 'docx'; choose one of: html",
    ),
    "to save below a file": (lambda: RESULT.save(f"{FILE}/a.csv"), "can't be written .*; name another file"),
    # What is made stays as it was made.
    "another order": (
        lambda: setattr(TREE, "order", "ordered"),
        "order can't be set: a TTED keeps the options",
    ),
    "another method": (lambda: setattr(TREE, "method", Method()), "method can't be set"),
    "baselines of a TTED": (lambda: made(baselines="all"), "compare and compare_many take baselines"),
    "an unknown option of compare": (lambda: compared(metric="cosine"), "preset, cache, .*take baselines"),
    "an unknown option of a method": (
        lambda: Method.of(metric="x"),
        "no option 'metric'; choose from: encoder",
    ),
    "an order that isn't": (lambda: made(order="free"), "unknown order 'free'; choose one of: ordered"),
    "a distance that isn't": (lambda: made(distance="l2"), "unknown distance 'l2'; choose one of: cosine"),
    "a context for texts": (lambda: made(distance="levenshtein", context="path"), "needs vectors, but"),
    "a power of 21": (lambda: made(power=21), "give a number from 1 to 20"),
    "a gap below 0": (lambda: made(gap=-1), "the gap is -1; give a number from 0"),
    "no time": (lambda: made(time_limit=0), "the time limit is a finite number of seconds above 0"),
    "no equivalence": (lambda: compared(equivalence=-1), "the threshold of equivalence is -1"),
    "an encoder of zeros": (lambda: compared(encoder=lambda texts: np.zeros((len(texts), 2))), "zero vector"),
    "an encoder of infinities": (lambda: by(np.full((7, 2), np.inf)), "not finite"),
    "an encoder of NaN": (
        lambda: compared(encoder=lambda texts: np.full((len(texts), 2), np.nan)),
        "not finite",
    ),
}


@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_call_gets_one_sentence(call):
    function, message = WRONG[call]
    with pytest.raises(TTEDError) as raised:
        function()
    assert re.search(message, str(raised.value))
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 600


def test_an_unreadable_file_affects_only_its_own_row(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    rows = list(TREE.compare_many([(str(broken), LEFT), (LEFT, RIGHT)]))
    assert [bool(row["error"]) for row in rows] == [True, False]


def test_a_folder_of_folders_is_not_the_map_of_its_readme(tmp_path):
    (tmp_path / "README.md").write_text("# About\n- maps\n", encoding="utf-8")
    (tmp_path / "reefs").mkdir()
    with pytest.raises(
        TTEDError, match=r"no files in the folder .* itself; name one of its folders \(reefs\) or a file"
    ):
        read_map(tmp_path)
    (tmp_path / "map.md").write_text("# Reefs\n- fish\n", encoding="utf-8")
    read = read_map(tmp_path)
    assert read.tree.labels == ("Reefs", "fish")
    assert "files in the archive that aren't maps were left out: 'README.md'" in read.notices


def test_a_distance_that_would_take_too_long_says_so():
    side = TextTree(("Reefs", *(letter * 9_000 for letter in "abcdefghijklmnopqrst")), (-1, *[0] * 20))
    with pytest.raises(TTEDError, match="pairs of characters, but the limit is"):
        compared(side, side, distance="levenshtein")
