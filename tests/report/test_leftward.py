"""Labels in pictures: Arabic and Hebrew lines begin on the right, and no Chinese line with a full stop."""

import re

import pytest
from helpers.encoders import hashed
from helpers.trees import sample

from tted_core import TextTree, compare
from tted_core.foundations.printable import is_leftward
from tted_core.report.outline_picture import outline_picture
from tted_core.report.text_width import text_width, wrap

EMBEDDED, END = "\u202b", "\u202c"


@pytest.mark.parametrize(
    ("text", "leftward"),
    [("مرحبا world", True), ("world مرحبا", False), ("3. שלום!", True), ("…", False), ("", False)],
)
def test_the_first_letter_says_from_which_side_a_text_is_read(text, leftward):
    assert is_leftward(text) is leftward


def test_lines_of_an_arabic_map_begin_on_the_right_and_others_on_the_left():
    for topic, leftward in (("date-palm", True), ("bread", False)):
        left, right = (sample(f"{topic}/{name}") for name in ("base", "structure_1"))
        picture = outline_picture(compare(left, right, encoder=hashed).explain())
        texts = re.findall(r"<text([^>]*)>([^<]*)</text>", picture)
        label = left.labels[1].split()[0]
        (attributes, line, *_) = next(each for each in texts if each[1].strip(EMBEDDED).startswith(label))
        assert ('text-anchor="end"' in attributes) is leftward
        assert (line[0] == EMBEDDED and line[-1] == END) is leftward


def test_a_line_is_read_as_its_label_is_even_if_it_begins_with_a_latin_word():
    tree = TextTree(
        ("שורש", "טורבינות רוח פועלות (offshore wind turbines in deep water) מאשר ביבשה"), (-1, 0)
    )
    picture = outline_picture(compare(tree, tree, encoder=hashed).explain(), 1)
    lines = re.findall(r"<text[^>]*>([^<]*(?:wind|water|שורש)[^<]*)</text>", picture)
    assert any("water" in line and not is_leftward(line[1:]) for line in lines)
    assert all(line[0] == EMBEDDED and line[-1] == END for line in lines)


@pytest.mark.parametrize("room", range(30, 200, 7))
def test_no_line_of_a_chinese_text_begins_with_a_closing_sign(room):
    label = "茶是中国人日常生活中最常见的饮料，已有几千年的历史。好茶（绿茶）多产于南方！"
    lines = wrap(label, room, 10)
    assert "".join(lines) == label
    assert not [line for line in lines if line[0] in "，。）！"]
    assert all(text_width(line, 10) <= room for line in lines)
