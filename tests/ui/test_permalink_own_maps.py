"""Links to a user's own maps, which are in the link itself as far as they fit."""

import json
from hashlib import sha256

import pytest
from helpers.pages import SAMPLE_PAIR, address, copied, opened, paste, upload
from helpers.thorough import sampled

from ui.text import shorten


def test_a_reload_keeps_a_pasted_map_and_its_link_opens_it(hashed_models):
    app = paste(opened(**SAMPLE_PAIR), "Secret\n  plan")
    assert list(address(app)) == ["left"]
    assert copied(app)["left"] == address(app)["left"]
    assert any("whoever has it can read them" in each.value for each in app.caption)
    for reloaded in (opened(**address(app)), opened(**copied(app))):
        assert reloaded.expander[0].label == "**Left map**: pasted text · Indented text · 2 nodes"
        assert reloaded.code[0].value == app.code[0].value
        assert address(reloaded) == address(app)
        assert not reloaded.warning


def test_a_link_to_an_uploaded_map_names_it_and_says_how_it_was_read(hashed_models):
    maps = [
        (f"{name}.json", json.dumps({name: {}, "# other": {}}).encode(), "application/json") for name in "ab"
    ]
    app = opened(**SAMPLE_PAIR)
    upload(app, *maps)
    app.selectbox(key="left-shown").select_index(1).run()
    app.selectbox(key="left-roots").set_value("first").run()
    assert address(app).keys() == {"left"}
    assert app.expander[0].label.startswith("**Left map**: b\\.json \\(2 of 2\\) · Nested-dict JSON · 1 node")
    for again in (opened(**address(app)), opened(**copied(app))):
        assert again.expander[0].label == app.expander[0].label
        assert again.code[0].value == app.code[0].value
        assert address(again) == address(app)
    upload(again, ("c.txt", b"Root\n  leaf", "text/plain"))
    assert again.expander[0].label == "**Left map**: c\\.txt · Indented text · 2 nodes"


def test_maps_too_large_for_a_link_are_reported_before_it_is_copied(hashed_models):
    words = "".join(f"  {hash_of(number)}\n" for number in range(400))
    app = opened(**SAMPLE_PAIR)
    paste(app, f"Root\n{words}")
    assert address(app)["left"].startswith("large:")
    assert [code.value.startswith("TTED|") for code in app.code] == [True], "the signature, and no link"
    (link_text,) = (each.value for each in app.markdown if each.value.startswith("**Link**"))
    assert "the left map is too large for a link. Share the replay file above" in link_text
    (warning,) = opened(**address(app)).warning
    assert (
        "the left side stays empty. Add the map again, or open the comparison's replay file"
        in warning.value.replace("\\", "")
    )


def hash_of(number):
    """A word that can't be compressed."""
    return sha256(str(number).encode()).hexdigest()


@pytest.mark.parametrize("link_text", sampled(["../../etc/passwd", "photosynthesis/", "own", "maps:é"], 1))
def test_a_link_to_a_map_that_is_not_here_shows_no_other(hashed_models, link_text):
    app = opened(left=link_text)
    (warning,) = app.warning
    assert warning.value.replace("\\", "").startswith(f"The link has left={shorten(link_text, 60)}: ")
    assert "the left side stays empty" in warning.value
    assert not app.code, "nothing is compared"
    assert not app.error
    assert app.expander[0].label == "**Left map**: nothing yet"
    assert app.expander[1].label.startswith("**Right map**: coral")
