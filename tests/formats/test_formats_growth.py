"""No reader takes more than linear time or falls over depth; whatever it raises is a sentence for its own map."""

import contextlib
import gc
import logging
import time
from dataclasses import replace

import pytest
from helpers.growing import BEGINNINGS, DEEP, UNITS, WIDE
from helpers.hostile_files import zipped
from helpers.thorough import sampled

from tted_core.errors import TTEDError
from tted_core.formats import FORMATS, parse_map, parse_maps

CHARACTERS, NODES = 16_000, 2_000
TIMES = 4
MOST = 2.5 * TIMES
"""Four times the input may take ten times as long: a linear reader takes four times, a quadratic one sixteen."""


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


@pytest.mark.parametrize(("number", "beginning"), sampled(enumerate(BEGINNINGS), 2))
def test_repeated_signs_take_linear_time(number, beginning):
    """Each beginning with every eighth unit, so that each unit stands behind four beginnings."""
    for unit in UNITS[number % 8 :: 8]:
        assert not grows_too_fast(
            lambda size, unit=unit: beginning + unit * (size // len(unit)), CHARACTERS
        ), unit


def test_there_is_a_growing_map_of_every_format():
    assert list(WIDE) == list(DEEP) == list(FORMATS)


@pytest.mark.parametrize("levels", [600, 3_000, 30_000])
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
