"""From which side a text is read."""

import pytest

from tted_core.foundations.output import is_leftward


@pytest.mark.parametrize(
    ("text", "leftward"),
    [("مرحبا world", True), ("world مرحبا", False), ("3. שלום!", True), ("…", False), ("", False)],
)
def test_the_first_letter_says_from_which_side_a_text_is_read(text, leftward):
    assert is_leftward(text) is leftward
