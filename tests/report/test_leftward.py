"""Arabic and Hebrew labels in pictures: lines begin on the right, with their punctuation on their own side."""

import re

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import sample

from tted_core.foundations.printable import is_leftward
from tted_core.report import svg
from tted_core.report.outline_picture import outline_picture

MARK = "\u200f"


@pytest.mark.parametrize(
    ("text", "leftward"),
    [("مرحبا world", True), ("world مرحبا", False), ("3. שלום!", True), ("…", False), ("", False)],
)
def test_the_first_letter_says_from_which_side_a_text_is_read(text, leftward):
    assert is_leftward(text) is leftward
    assert svg.text(text, 0, 0).count(MARK) == 2 * leftward


def test_lines_of_an_arabic_map_begin_on_the_right_and_others_on_the_left():
    for topic, leftward in (("date-palm", True), ("bread", False)):
        left, right = (sample(f"{topic}/{name}") for name in ("base", "structure_1"))
        picture = outline_picture(compare(left, right, encoder=hashed).explain())
        texts = re.findall(r"<text([^>]*)>([^<]*)</text>", picture)
        label = left.labels[1].split()[0]
        (attributes, *_) = [how for how, text in texts if text.strip(MARK).startswith(label)]
        assert ('text-anchor="end"' in attributes) is leftward
