"""Labels in pictures: Arabic and Hebrew lines begin on the right, and no Chinese line with a full stop."""

import re

import pytest
from helpers.encoders import hashed
from helpers.published import compare
from helpers.trees import sample

from tted_core.foundations.printable import is_leftward
from tted_core.report import svg
from tted_core.report.outline_picture import outline_picture
from tted_core.report.text_width import text_width, wrap

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


@pytest.mark.parametrize("room", range(30, 200, 7))
def test_no_line_of_a_chinese_text_begins_with_a_closing_sign(room):
    label = "茶是中国人日常生活中最常见的饮料，已有几千年的历史。好茶（绿茶）多产于南方！"
    lines = wrap(label, room, 10)
    assert "".join(lines) == label
    assert not [line for line in lines if line[0] in "，。）！"]
    assert all(text_width(line, 10) <= room for line in lines)
