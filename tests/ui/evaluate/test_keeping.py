"""How much a server keeps of its visitors: nobody's run or recent work goes for somebody else's upload."""

import os
import time

import pytest
from helpers.evaluate_page import address, click, evaluate_page, shown, uploaded, zip_of_pairs
from helpers.paths import ROOT
from streamlit.testing.v1 import AppTest

from ui import kept_maps
from ui.kept_maps import DAY_SECONDS, Kept, room_made
from ui.many import kept_batches
from ui.many.kept_batches import alone, batch_at

pytestmark = pytest.mark.usefixtures("hashed_models")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("ages", "gone", "room"),
    [
        ((0.1, 0.5, 0.9), (), False),
        ((0.1, 2, 3), (3,), True),
        ((2, 3, 8), (8,), True),
        ((0.1, 8, 9), (8, 9), True),
        ((2, 3), (), True),
    ],
)
def test_the_oldest_go_and_nothing_of_today(tmp_path, ages, gone, room):
    now = time.time()
    removed = []
    found = [Kept(tmp_path / str(age), now - age * DAY_SECONDS, 10) for age in ages]
    tally = room_made(
        found, 10, most=100, most_bytes=35, remove=lambda path: removed.append(path.name) or True
    )
    assert tally.has_room(10) is room
    assert sorted(removed) == sorted(map(str, gone))


@pytest.mark.thorough
def test_what_is_in_use_stays_and_the_number_is_limited(tmp_path):
    now = time.time()
    found = [Kept(tmp_path / str(age), now - age * DAY_SECONDS, 1) for age in (3, 2)]
    removed = []

    def remove(path):
        removed.append(path.name)
        return path.name != "3"

    assert room_made(found, 1, most=2, most_bytes=100, remove=remove).has_room(1)
    assert removed == ["3", "2"]


def begun() -> tuple:
    """A page whose batch of four pairs is done, and its folder."""
    app = click(uploaded(evaluate_page(), ("pairs.zip", zip_of_pairs(4))), "Compare 4 pairs")
    assert "4 rows" in shown(app)
    return app, batch_at(address(app)["batch"]).folder.parent


def aged(folder, days):
    then = time.time() - days * DAY_SECONDS
    os.utime(folder, (then, then))


@pytest.mark.thorough
def test_a_running_batch_of_somebody_else_is_never_evicted(monkeypatch):
    _, running = begun()
    _, resting = begun()
    monkeypatch.setattr(kept_batches, "MAX_KEPT_BATCHES", 2)
    with alone(running):
        for folder in (running, resting):
            aged(folder, 3)
        uploaded(evaluate_page(), ("pairs.zip", zip_of_pairs(4)))
        assert running.is_dir()
        assert not resting.exists()
    assert time.time() - running.stat().st_mtime < 100, "a run lets the age begin anew"


@pytest.mark.thorough
def test_an_upload_is_refused_rather_than_recent_work_deleted(monkeypatch):
    _, folder = begun()
    monkeypatch.setattr(kept_batches, "MAX_KEPT_BATCHES", 1)
    app = uploaded(evaluate_page(), ("pairs.zip", zip_of_pairs(4)))
    assert "no room for a further batch now" in shown(app)
    assert [each.name for each in folder.parent.iterdir()] == [folder.name]
    aged(folder, 2)
    app = uploaded(evaluate_page(), ("pairs.zip", zip_of_pairs(4)))
    assert not app.error
    assert not folder.exists()


@pytest.mark.thorough
def test_each_session_has_a_share(monkeypatch):
    app, folder = begun()
    monkeypatch.setattr(kept_batches, "MAX_SESSION_PAIRS", 6)
    app.switch_page("pages/Evaluate.py")
    app.session_state["evaluate"] = "Maps"
    app.run()
    uploaded(app, ("other.zip", zip_of_pairs(3)))
    click(app, "Compare 3 pairs")
    assert "7 pairs in your batches, but the limit is 6" in shown(app)
    monkeypatch.setattr(kept_batches, "MAX_SESSION_BATCH_BYTES", 100_000_001)
    uploaded(app, ("third.zip", zip_of_pairs(2)))
    assert "download what you need and delete one of them" in shown(app)
    assert folder.is_dir()
    assert "delete one" not in shown(uploaded(evaluate_page(), ("third.zip", zip_of_pairs(2))))


@pytest.mark.thorough
def test_kept_maps_have_a_limit_on_their_number_and_each_session_a_share(cache_folder, monkeypatch):
    def kept(app, text):
        app.session_state["left-source"] = "Paste"
        app.run()
        app.text_area(key="left-text").set_value(text).run()
        assert not app.exception
        return {file.read_bytes().partition(b"\n")[2] for file in (cache_folder / "maps").iterdir()}

    def opened():
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        app.query_params.update({"left": "bread/base", "right": "bread/paraphrase_1"})
        return app.run()

    monkeypatch.setattr(kept_maps, "_tallies", {})
    monkeypatch.setattr(kept_maps, "MAX_KEPT_MAPS", 2)
    monkeypatch.setattr(kept_maps, "MAX_SESSION_MAPS", 1)
    first, second = opened(), opened()
    assert kept(first, "a\n b") == {b"a\n b"}
    assert kept(first, "c\n d") == {b"c\n d"}, "its own older one gives way"
    monkeypatch.setattr(kept_maps, "_tallies", {})  # a minute later
    both = {b"c\n d", b"e\n f"}
    assert kept(second, "e\n f") == both
    monkeypatch.setattr(kept_maps, "_tallies", {})
    assert kept(opened(), "g\n h") == both, "refused, and nobody's recent map deleted"
