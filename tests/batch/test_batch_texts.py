"""Many texts in two arrays."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tted_core.batch.maps import Packing, Texts

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=5)


@given(st.lists(ANY_TEXT, max_size=8), st.slices(8))
def test_packed_texts_are_the_texts(texts, place):
    packed = Texts.of(texts)
    assert (len(packed), list(packed)) == (len(texts), texts)
    assert [packed[number] for number in range(-len(texts), len(texts))] == texts * 2
    if place.step in (None, 1):
        assert list(packed[place]) == texts[place]
        assert list(packed[place][1:]) == texts[place][1:]
    with pytest.raises(IndexError):
        packed[len(texts)]


def test_some_of_the_texts_share_the_letters_of_all():
    packed = Texts.of(map(str, range(1000)))
    assert np.shares_memory(packed[10:20].letters, packed.letters)
    with pytest.raises(ValueError, match="one after the other"):
        packed[::2]


def test_texts_that_are_missing_are_empty():
    packing = Packing()
    packing.fill(2)
    packing.add("a")
    packing.fill(1)
    assert list(packing.packed()) == ["", "", "a"]
