"""Sheets of exercises: a variant for each student, on two pages at most, and the solutions apart."""

import re
import zlib

import pytest
from helpers.thorough import sampled

from tted_core.errors import LimitError
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.sheets import MOST_STUDENTS, VARIANTS, class_variants, sheets_pdf


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
