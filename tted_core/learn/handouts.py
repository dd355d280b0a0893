"""Exercises for a class: a question bank in Moodle's GIFT format, or sheets as PDF, a variant for each student.

A bank has a question for each kind and variant. Trees are nested lists and mappings are lists of pairs, so that it
needs no further files and can be read aloud. Source: Moodle documentation, "GIFT format".
"""

import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from tted_core.errors import LimitError, require
from tted_core.learn.exercise import DECIMALS, Exercise, split_marks
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.learn.tree_picture import tree_picture
from tted_core.solvers.structure import node_number
from tted_core.tree import TextTree

# Variants of an exercise are numbered from 0 to one less.
VARIANTS = 10_000

# Maximum number of students of a class.
MOST_STUDENTS = 500

SHEET_TEMPLATE = str(Path(__file__).parent / "sheet.typ")

TAGS = {"strong": "strong", "emph": "em"}
# Tolerance of a number in an answer: a little more than rounding error.
ANSWER_TOLERANCE = 0.51 * 10.0**-DECIMALS


def gift(variants: Sequence[int], kinds: Sequence[str] = tuple(EXERCISES)) -> str:
    """A bank with a category for each kind and a question for each variant, named like "score-7".

    Raises:
        UnknownNameError: no such kind.
    """
    blocks = []
    for kind in kinds:
        for position, variant in enumerate(variants):
            task = exercise(kind, variant)
            if not position:
                blocks.append(f"$CATEGORY: TTED/{EXERCISES[kind].title}\n")
            explained = _escape_gift(_to_xhtml(task.explanation))
            answers = f"{{{_gift_answers(task)}\n####{explained}\n}}\n"
            blocks.append(f"::{kind}-{variant}::[html]{_escape_gift(body(task))} {answers}")
    return "\n".join(blocks)


def body(task: Exercise) -> str:
    """Trees, table and question as XHTML."""
    names = ("Left tree", "Right tree") if len(task.trees) > 1 else ("The tree",)
    parts = [
        f"<div><p>{name}:</p>{_nest_lists(tree, numbered=task.numbered)}</div>"
        for name, tree in zip(names, task.trees, strict=False)
    ]
    if task.numbered:
        parts.append("<p>Numbers in brackets are the nodes' numbers in postorder.</p>")
    if task.grid:
        cells = (f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in task.grid)
        parts.append(f"<table><tbody>{''.join(cells)}</tbody></table>")
    if task.mappings and not task.is_choice_of_mappings:
        parts += [f"<p>The mapping: {task.mapping_in_words(each)}.</p>" for each in task.mappings]
    return "".join((*parts, f"<p>{_to_xhtml(task.question)}</p>"))


def options(task: Exercise) -> tuple[str, ...]:
    """The options to choose from, as text."""
    if not task.is_choice_of_mappings:
        return task.options
    mappings = map(task.mapping_in_words, task.mappings)
    return tuple(f"{name}: {each}" for name, each in zip(task.options, mappings, strict=True))


def _gift_answers(task: Exercise) -> str:
    answer = task.answer
    if not isinstance(answer, frozenset):
        return f"#{answer:.10g}:{0.0 if answer.is_integer() else ANSWER_TOLERANCE:g}"
    share = f"{100 / len(answer):.5f}".rstrip("0").rstrip(".")
    right, wrong = (f"~%{share}%", "~%-100%") if task.many else ("=", "~")
    return "".join(
        f"\n{right if position in answer else wrong}{_escape_gift(escape(option))}"
        for position, option in enumerate(options(task))
    )


def _escape_gift(text: str) -> str:
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


def _to_xhtml(markdown: str) -> str:
    return "".join(
        f"<{TAGS[kind]}>{escape(text)}</{TAGS[kind]}>" if kind else escape(text)
        for text, kind in split_marks(markdown)
    )


def _nest_lists(tree: TextTree, *, numbered: bool) -> str:

    def item(node: int) -> str:
        number = f" ({node_number(tree, node)})" if numbered else ""
        below = "".join(map(item, tree.children[node]))
        return f"<li>{escape(tree.labels[node])}{number}{f'<ul>{below}</ul>' if below else ''}</li>"

    return f"<ul>{item(0)}</ul>"


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
    return bytes(typst.compile(SHEET_TEMPLATE, sys_inputs=data, ignore_system_fonts=True))


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
