"""Replay files: what was written comes back, and broken ones get one sentence."""

import copy
import json

import pytest
from helpers.encoders import hashed, sentence_encoder
from helpers.pages import opened, option
from helpers.payloads import ALL, HOSTILE
from helpers.trees import SAMPLES, trees
from hypothesis import example, given
from streamlit.testing.v1 import AppTest

from tted_core import MindMap, TextTree, TTEDError, compare, parse_map, read_map
from tted_core.errors import ChoiceError, MapFormatError
from tted_core.explain.what_if import under_choices
from tted_core.report.replay import find_differences, read_replay, replay_json
from tted_core.solvers import Choices

ENCODER = sentence_encoder(name="minilm")
LEFT, RIGHT = (read_map(SAMPLES / "photosynthesis" / f"{name}.json") for name in ("base", "structure_2"))


@pytest.fixture(scope="module")
def made():
    return compare(
        LEFT, RIGHT, encoder=ENCODER, order="unordered", context="ancestors", depth=2, time_limit=55
    )


@pytest.fixture(scope="module")
def content(made):
    return json.loads(replay_json(LEFT, RIGHT, made.explain()))


def test_what_was_written_comes_back(made):
    replay = read_replay(replay_json(LEFT, RIGHT, made.explain()).encode())
    assert (replay.left.tree, replay.right.tree) == (LEFT.tree, RIGHT.tree)
    assert (replay.left.name, replay.method) == ("base.json", made.method)
    assert find_differences(replay, made) == ()


def test_a_choice_that_the_maps_cannot_have_is_refused_by_the_comparison(made):
    content = json.loads(replay_json(LEFT, RIGHT, made.explain()))
    content["choices"]["forced"] = [[1, 99]]
    with pytest.raises(ChoiceError, match="names node 99, but the right map has 5 nodes"):
        under_choices(made, read_replay(json.dumps(content)).choices)


def test_choices_come_back(made):
    bound = under_choices(made, Choices(forced=((1, 1),), forbidden=((2, None),)))
    replay = read_replay(replay_json(LEFT, RIGHT, bound.explain()))
    assert replay.choices == bound.choices
    assert find_differences(replay, bound) == ()
    assert any("forced" in each for each in find_differences(replay, made))


@given(trees(alphabet=ALL))
@example(TextTree((HOSTILE["surrogate"],), (-1,)))
def test_any_labels_come_back(tree):
    mind_map = MindMap(tree, "tree", name=HOSTILE["control"])
    result = compare(tree, tree, encoder=lambda texts: [[1.0, float(len(text))] for text in texts])
    assert read_replay(replay_json(mind_map, mind_map, result.explain())).left == mind_map


SEVERAL = parse_map("Leaves\n  Sugar\nRoots\n  Water\n  Soil")


def test_joined_roots_are_in_the_file_and_come_back(tted, tmp_path):
    text = replay_json(SEVERAL, LEFT, compare(SEVERAL, LEFT, distance="levenshtein").explain())
    replay = read_replay(text)
    assert (replay.left.tree, replay.left.joined, replay.right.joined) == (SEVERAL.tree, 2, 0)
    path = tmp_path / "replay.json"
    path.write_text(text, encoding="utf-8")
    assert tted("replay", str(path))[0] == 0


def test_another_encoder_version_or_number_is_reported(made):
    replay = read_replay(replay_json(LEFT, RIGHT, made.explain()))
    other = compare(
        LEFT, RIGHT, encoder=sentence_encoder(encode=lambda texts: hashed(texts) ** 3, name="specter")
    )
    reported = " ".join(find_differences(replay, other))
    for word in ("encoder: minilm@01234567 in the file, specter@", "order: unordered", "depth: 2", "tted: "):
        assert word in reported
    old = json.loads(replay_json(LEFT, RIGHT, made.explain()))
    old["signature"] = old["signature"].replace("v:", "v:0.0.")
    assert find_differences(read_replay(json.dumps(old)), made)[0].startswith("version of TTED: 0.0.")


EDITED = {
    "steinhaus": (0.5, "steinhaus: 0.500000 in the file, "),
    "avg_tted": (0.5, "avg_tted: 0.500000 in the file, "),
    "proven": (None, "proof: not as in the signature of the file"),
}


@pytest.mark.parametrize("name", EDITED)
def test_every_score_in_the_file_is_checked(made, content, name):
    value, message = EDITED[name]
    edited = copy.deepcopy(content)
    edited["result"][name] = not made.proven if value is None else value
    (reported,) = find_differences(read_replay(json.dumps(edited)), made)
    assert reported.startswith(message)
    del edited["result"][name]  # older files may lack it
    assert find_differences(read_replay(json.dumps(edited)), made) == ()


BROKEN = {
    "no JSON": ("{", "line 1, column 2"),
    "not an object": ("[]", "no replay file"),
    "half a character": (r'{"tted_replay": 1, "version": "\ud800"}', "surrogates not allowed; save it again"),
    "a mind map": ('{"Root": {"a": {}}}', "no replay file"),
    "nested": ("[" * 100_000, "can't be read: .*recursion"),
    "bytes": (b"\x89PNG\xff", "can't be read"),
    "newer": ('{"tted_replay": 99}', "update TTED"),
    "a number of many digits": ('{"tted_replay": 1' + "0" * 5000 + "}", "can't be read"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_replay_file_is_refused(name):
    text, message = BROKEN[name]
    with pytest.raises(MapFormatError, match=message):
        read_replay(text)


CHANGES = {
    ("left",): [None, [], 3],
    ("left", "labels"): [None, "text", [1], ["a"], [], ["x" * 10_001]],
    ("left", "parents"): [[0], [-1, 7], ["a"], [True], [-1] * 7],
    ("left", "name"): [3, ["a"]],
    ("left", "joined"): [3, -2, True, "2"],
    ("options",): [None, []],
    ("options", "order"): ["sideways", None, 3],
    ("options", "distance"): ["far", []],
    ("options", "context"): ["all"],
    ("options", "depth"): [0, -1, 1e9, "two", True, 10**9],
    ("options", "time_limit"): [0, -1, float("inf"), 10**400, "long"],
    ("options", "encoder"): [None, 3],
    ("options", "colour"): ["blue"],
    ("choices", "forced"): [None, [3], [[1]], [["a", "b"]], [[1, 2, 3]]],
    ("signature",): [None, 3],
    ("result",): [None],
    ("result", "steinhaus"): [None, "1", float("nan")],
    ("result", "proven"): [None, 1, "yes"],
    ("result", "tted"): [None, "1", float("inf"), float("nan"), 10**400, -(10**400)],
}


@pytest.mark.parametrize("path", CHANGES, ids="-".join)
def test_a_broken_part_is_named(content, path):
    for value in CHANGES[path]:
        broken = copy.deepcopy(content)
        part = broken
        for name in path[:-1]:
            part = part[name]
        part[path[-1]] = value
        with pytest.raises(TTEDError) as raised:
            read_replay(json.dumps(broken))
        assert "\n" not in str(raised.value)
    if path[-1] not in {"name", "joined", "colour", "steinhaus", "proven"}:
        part.pop(path[-1])
        with pytest.raises(TTEDError):
            read_replay(json.dumps(broken))


@pytest.fixture
def page(hashed_models):
    return opened()


def replayed(app: AppTest, text: str) -> AppTest:
    uploader = app.file_uploader(key=f"both-{app.session_state['both-number']}")
    uploader.set_value([("any.json", text.encode(), "application/json")]).run()
    assert not app.exception
    return app


def test_the_page_restores_maps_options_and_score(page, made):
    app = replayed(page, replay_json(LEFT, RIGHT, made.explain()))
    assert app.code[0].value == made.signature
    assert "same signature, same score" in app.success[0].value
    assert option(app, "depth").value == 2
    assert option(app, "time_limit").value == 55
    assert option(app, "preset").value is None  # the order is none of a preset
    option(app, "order").set_value("ordered").run()
    assert not app.success


@pytest.mark.thorough
def test_the_page_restores_choices(page, made):
    bound = under_choices(made, Choices(forced=((1, 1),), forbidden=((2, None),)))
    app = replayed(page, replay_json(LEFT, RIGHT, bound.explain()))
    assert "same signature, same score" in app.success[0].value
    assert app.code[0].value == bound.signature


@pytest.mark.thorough
def test_the_page_says_so_when_another_number_comes_out(page, content):
    changed = copy.deepcopy(content)
    changed["result"]["tted"] += 0.25
    app = replayed(page, json.dumps(changed))
    assert not app.success
    assert "not the one in the replay file: tted:" in app.warning[0].value.replace("\\", "")


@pytest.mark.thorough
@pytest.mark.parametrize("change", ["encoder", "junk"])
def test_a_file_that_the_page_cannot_follow_changes_nothing(page, content, change):
    before = page.code[0].value
    changed = copy.deepcopy(content)
    changed["options"]["encoder"] = "some/model"
    app = replayed(page, json.dumps(changed) if change == "encoder" else '{"tted_replay": junk')
    assert len(app.error) == 1
    assert app.code[0].value == before
