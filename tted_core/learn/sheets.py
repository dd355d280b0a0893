"""Exercise sheets as PDF: a variant for each student of a class, and solutions."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from tted_core.errors import LimitError
from tted_core.foundations.extras import require
from tted_core.learn.exercise import split_marks
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.tree_picture import tree_picture

# Variants of an exercise are numbered from 0 to one less.
VARIANTS = 10_000

# Maximum number of students of a class.
MOST_STUDENTS = 500

TEMPLATE = str(Path(__file__).parent / "sheet.typ")


def class_variants(seed: int, count: int) -> list[int]:
    """Distinct variants for so many students; with one student more, the others' variants don't change."""
    if not 1 <= count <= MOST_STUDENTS:
        raise LimitError(
            f"a class has 1 to {MOST_STUDENTS} students, and a bank as many variants, not {count:,}"
        )
    rng = Random(f"class {seed}")  # noqa: S311 - nothing secret
    found: dict[int, None] = {}
    while len(found) < count:
        found[rng.randrange(VARIANTS)] = None
    return list(found)


def sheets_pdf(
    variants: Sequence[int], kinds: Sequence[str] = tuple(EXERCISES), *, solutions: bool = False
) -> bytes:
    """A sheet for each variant, each beginning on a new page.

    Args:
        variants: numbers of the variants.
        kinds: names of ``EXERCISES``, in the order of the sheet.
        solutions: answers with explanations instead of questions.
    """
    require("figures", "making a sheet")
    import typst

    sheets = [
        {"variant": variant, "exercises": [_exercise(kind, variant, solutions=solutions) for kind in kinds]}
        for variant in variants
    ]
    data = {"data": json.dumps({"sheets": sheets, "solutions": solutions})}
    return bytes(typst.compile(TEMPLATE, sys_inputs=data, ignore_system_fonts=True))


def _exercise(kind: str, variant: int, *, solutions: bool) -> dict[str, Any]:
    task = exercise(kind, variant)
    shown: dict[str, Any] = {"title": EXERCISES[kind].title}
    if solutions:
        return shown | {"solution": task.solution, "explanation": list(split_marks(task.explanation))}
    plain: dict[str, Any] = {"dark": False, "title": "", "numbered": task.numbered}
    chosen = task.is_choice_of_mappings
    return shown | {
        "question": list(split_marks(task.question)),
        "pictures": [] if task.mappings else [tree_picture((tree,), **plain) for tree in task.trees],
        "grid": task.grid,
        "options": [] if chosen else task.options,
        "mappings": [
            (
                task.options[index] if chosen else "",
                tree_picture(task.trees, mapping, **plain),
            )
            for index, mapping in enumerate(task.mappings)
        ],
    }
