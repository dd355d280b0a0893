"""Links to a visitor's own maps, which the server keeps for a while and shows to nobody else."""

import json
import os
import time

import pytest
from helpers.compare_page import SAMPLE_PAIR, address, asked, copied, fresh, opened
from helpers.pages import paste, upload
from helpers.thorough import sampled

from ui import kept_maps

__all__ = ["asked", "fresh"]  # fixtures


@pytest.mark.thorough
def test_a_reload_keeps_a_pasted_map_and_its_link_opens_it_without_telling_it(fresh):
    app = paste(opened(**SAMPLE_PAIR), "Secret\n  plan")
    assert "Secret" not in str(address(app))
    assert list(address(app)) == ["left"]
    assert copied(app)["left"] == address(app)["left"]
    assert any("can open them; nobody else" in each.value for each in app.caption)
    for reloaded in (opened(**address(app)), opened(**copied(app))):
        assert reloaded.text_area(key="left-text").value == "Secret\n  plan"
        assert reloaded.code[0].value == app.code[0].value
        assert address(reloaded) == address(app)
        assert not reloaded.warning


BROKEN = '{"Root": [}'


@pytest.mark.thorough
def test_a_reload_keeps_what_could_not_be_read(fresh):
    app = paste(opened(**SAMPLE_PAIR), BROKEN)
    reloaded = opened(**address(app))
    assert reloaded.text_area(key="left-text").value == BROKEN
    assert reloaded.error[0].value == app.error[0].value


def test_a_reload_keeps_uploaded_maps_and_how_they_are_read(fresh):
    maps = [
        (f"{name}.json", json.dumps({name: {}, "other": {}}).encode(), "application/json") for name in "ab"
    ]
    app = opened(**SAMPLE_PAIR)
    upload(app, *maps)
    app.selectbox(key="left-sheet").set_value(2).run()
    app.selectbox(key="left-roots").set_value("first").run()
    reloaded = opened(**address(app))
    assert reloaded.selectbox(key="left-sheet").value == 2
    assert reloaded.selectbox(key="left-roots").value == "first"
    assert reloaded.code[0].value == app.code[0].value
    assert any("Current file: 2 files" in each.value for each in reloaded.caption)
    again = opened(**address(reloaded))
    assert address(again) == address(app)
    upload(again, ("c.txt", b"Root\n  leaf", "text/plain"))
    assert again.expander[0].label == "**Left map**: c\\.txt · Indented text · 2 nodes"


@pytest.mark.thorough
def test_an_empty_side_is_empty_after_a_reload(fresh):
    app = opened(**SAMPLE_PAIR)
    app.session_state["right-source"] = "Upload"
    app.run()
    assert address(app) == {"right": "upload"}
    reloaded = opened(**address(app))
    assert not reloaded.code
    assert not reloaded.warning
    assert reloaded.expander[1].label == "**Right map**: nothing yet"


@pytest.mark.parametrize(
    "told",
    sampled(
        ["../../etc/passwd", "photosynthesis/", "own", "own:", f"own:{'A' * 22}", "own:../maps/secret"], 2
    ),
)
def test_a_link_to_a_map_that_is_not_here_shows_no_other(fresh, told):
    app = opened(left=told)
    (warning,) = app.warning
    assert warning.value.replace("\\", "").startswith(f"The link says left={told}: ")
    assert "the left side stays empty" in warning.value
    assert not app.code, "nothing is compared"
    assert not app.error
    assert app.expander[0].label == "**Left map**: nothing yet"
    assert app.expander[1].label.startswith("**Right map**: coral")


@pytest.mark.thorough
def test_a_map_is_kept_until_nobody_has_opened_it_for_days(fresh, cache_folder, monkeypatch):
    app = paste(opened(**SAMPLE_PAIR), "My\n  own")
    (file,) = (cache_folder / "maps").iterdir()
    assert file.stat().st_mode & 0o077 == 0, "for this server's user alone"
    six, eight = (time.time() - days * 86_400 for days in (6, 8))
    os.utime(file, (six, six))
    assert opened(**address(app)).text_area(key="left-text").value == "My\n  own"
    assert file.stat().st_mtime > six + 86_400, "its age begins anew"
    os.utime(file, (eight, eight))
    gone = opened(**address(app))
    assert "isn't kept here any more" in gone.warning[0].value
    assert not gone.code
    paste(gone, "Another\n  map")
    assert not file.exists()
    monkeypatch.setattr(kept_maps, "MAX_KEPT_BYTES", 60)
    paste(gone, "One more\n  map, which has no room beside the other")
    assert len(list((cache_folder / "maps").iterdir())) < 2


@pytest.mark.thorough
def test_a_server_that_keeps_no_maps_says_so_and_offers_the_replay_file(fresh, cache_folder, monkeypatch):
    monkeypatch.setenv("TTED_KEPT_DAYS", "0")
    app = paste(opened(**SAMPLE_PAIR), "My\n  own")
    assert not (cache_folder / "maps").exists()
    assert address(app) == {"left": "own"}
    assert [code.value.startswith("TTED|") for code in app.code] == [True], "the signature, and no link"
    assert any("The replay file above does" in each.value for each in app.markdown)
    assert "the server doesn't keep" in opened(**address(app)).warning[0].value.replace("\\", "")


def test_a_wrong_number_of_days_is_one_sentence(fresh, monkeypatch):
    monkeypatch.setenv("TTED_KEPT_DAYS", "soon")
    app = paste(opened(**SAMPLE_PAIR), "My\n  own")
    assert [error.value for error in app.error] == [
        "TTED\\_KEPT\\_DAYS is a number of days from 0 to 36,500, not soon"
    ]


@pytest.mark.thorough
def test_kept_maps_have_a_limit_on_their_number_and_each_session_a_share(cache_folder, monkeypatch):
    def kept(app, text):
        app.session_state["left-source"] = "Paste"
        app.run()
        app.text_area(key="left-text").set_value(text).run()
        assert not app.exception
        return {file.read_bytes().partition(b"\n")[2] for file in (cache_folder / "maps").iterdir()}

    monkeypatch.setattr(kept_maps, "_tallies", {})
    monkeypatch.setattr(kept_maps, "MAX_KEPT_MAPS", 2)
    monkeypatch.setattr(kept_maps, "MAX_SESSION_MAPS", 1)
    first, second = opened(**SAMPLE_PAIR), opened(**SAMPLE_PAIR)
    assert kept(first, "a\n b") == {b"a\n b"}
    assert kept(first, "c\n d") == {b"c\n d"}, "its own older one gives way"
    monkeypatch.setattr(kept_maps, "_tallies", {})  # a minute later
    both = {b"c\n d", b"e\n f"}
    assert kept(second, "e\n f") == both
    monkeypatch.setattr(kept_maps, "_tallies", {})
    assert kept(opened(**SAMPLE_PAIR), "g\n h") == both, "refused, and nobody's recent map deleted"
