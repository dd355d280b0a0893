"""Question banks and sheets: read back by readers that share nothing with the writers; solutions apart."""

import html
import re
import zlib
from xml.etree import ElementTree as ET

import pytest
from helpers.thorough import sampled

from tted_core.errors import LimitError, UnknownNameError
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.handouts import MOST_STUDENTS, VARIANTS, class_variants, gift, options, sheets_pdf

SIX = range(6)


def pieces(text, marks):
    """GIFT text cut at the marks that no backslash precedes: (mark, text behind it with the backslashes gone)."""
    found = [["", ""]]
    position = 0
    while position < len(text):
        if text[position] == "\\":
            assert text[position + 1] in "~=#{}:\\"
            found[-1][1] += text[position + 1]
            position += 2
            continue
        mark = next((each for each in marks if text.startswith(each, position)), None)
        if mark:
            found.append([mark, ""])
            position += len(mark)
            continue
        assert text[position] not in "{}", text[position - 20 : position + 20]
        found[-1][1] += text[position]
        position += 1
    return found


def read_gift(bank):
    """name -> (text, answers, feedback) of a bank, strictly: one blank line between questions, none within."""
    found = {}
    for block in bank.strip().split("\n\n"):
        if block.startswith("$CATEGORY: "):
            assert "\n" not in block
            continue
        name, text, answers = re.fullmatch(
            r"::([\w-]+)::\[html\]((?:[^{}\\]|\\.)*) \{((?:[^{}\\]|\\.)*)\n\}", block, re.DOTALL
        ).groups()
        answers, feedback = re.split(r"\n####", answers)
        found[name] = (pieces(text, ())[0][1], answers, pieces(feedback, ())[0][1])
    return found


def well_formed(xhtml):
    return ET.fromstring(f"<div>{xhtml}</div>")


def test_a_gift_bank_has_every_exercise_and_grades_as_the_page_does():
    read = read_gift(gift(SIX))
    every = {f"{kind}-{variant}": exercise(kind, variant) for kind in EXERCISES for variant in SIX}
    assert list(read) == list(every)
    for name, task in every.items():
        text, answers, feedback = read[name]
        assert "".join(well_formed(text).itertext()).endswith(html.unescape(task.question).replace("*", ""))
        assert "".join(well_formed(feedback).itertext()) == task.explanation.replace("*", "")
        if not task.options:
            value, tolerance = map(float, re.fullmatch(r"#([-\d.e]+):([\d.e-]+)", answers).groups())
            assert value == pytest.approx(task.answer)
            assert task.is_right(round(value, 2))
            assert abs(round(value, 2) - value) <= tolerance + 1e-12
            assert tolerance < 0.006
            continue
        marked = pieces(answers, ("~%-100%", "~%100%", "~%50%", "~%33.33333%", "~%25%", "~%20%", "~", "="))[
            1:
        ]
        assert [html.unescape(option.strip()) for _, option in marked] == list(options(task))
        right = {position for position, (mark, _) in enumerate(marked) if mark not in {"~", "~%-100%"}}
        assert right == task.answer
        shares = [float(mark.strip("~%")) for mark, _ in marked if re.fullmatch(r"~%[\d.]+%", mark)]
        assert sum(shares) == pytest.approx(100 if task.many else 0, abs=1e-3)


def test_a_bank_is_deterministic_and_has_the_requested_exercises():
    assert gift([7], ["score"]) == gift([7], ["score"])
    assert gift([7], ["score", "cost"]).count("[html]") == 2
    with pytest.raises(UnknownNameError, match="exercise"):
        gift([0], ["knitting"])


def test_whole_numbers_are_marked_exactly():
    assert "{#3:0\n" in gift(range(12), ["distance"])


def texts(pdf: bytes) -> str:
    """All that the streams of a PDF hold."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    found = []
    for stream in streams:
        try:
            found.append(zlib.decompress(stream).decode("latin-1"))
        except zlib.error:  # a font or such
            continue
    return "\n".join(found)


def pages(pdf: bytes) -> int:
    return len(re.findall(r"/Type\s*/Page\b(?!s)", texts(pdf) + pdf.decode("latin-1")))


def test_every_student_has_a_variant_of_their_own_that_no_other_student_changes():
    variants = class_variants(7, MOST_STUDENTS)
    assert len(set(variants)) == MOST_STUDENTS
    assert all(0 <= each < VARIANTS for each in variants)
    assert class_variants(7, 30) == variants[:30]
    assert class_variants(8, 30) != variants[:30]


@pytest.mark.parametrize("count", [0, MOST_STUDENTS + 1])
def test_a_class_of_no_or_too_many_students_is_refused(count):
    with pytest.raises(LimitError, match=f"1 to {MOST_STUDENTS} students"):
        class_variants(0, count)


def test_sheets_have_two_pages_each_at_most_and_solutions_are_apart():
    variants = class_variants(7, 8)
    sheets, solutions = sheets_pdf(variants), sheets_pdf(variants, solutions=True)
    assert sheets.startswith(b"%PDF")
    assert len(variants) <= pages(sheets) <= 2 * len(variants)
    assert pages(solutions) == len(variants)
    assert sheets_pdf(variants) == sheets or pages(sheets_pdf(variants)) == pages(sheets)
    assert pages(sheets_pdf([variants[0]], ["cost", "score"])) == 1


@pytest.mark.parametrize("kind", sampled(EXERCISES, 2))
def test_no_exercise_is_too_much_for_the_template(kind):
    for variant in range(3):
        assert exercise(kind, variant).explanation
    assert pages(sheets_pdf(range(3), [kind])) == pages(sheets_pdf(range(3), [kind], solutions=True)) == 3
