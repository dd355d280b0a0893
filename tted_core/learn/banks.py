"""Exercises as question banks for learning platforms, in Moodle's GIFT format.

A bank has a question for each kind and variant. Trees are nested lists and mappings are lists of pairs, so that it
needs no further files and can be read aloud. Source: Moodle documentation, "GIFT format".
"""

import re
from collections.abc import Sequence
from html import escape

from tted_core.learn.exercise import DECIMALS, Exercise, split_marks
from tted_core.learn.exercises import EXERCISES, exercise
from tted_core.solvers.structure import node_number
from tted_core.tree import TextTree

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
            explained = _gift_text(_to_xhtml(task.explanation))
            answers = f"{{{_gift_answers(task)}\n####{explained}\n}}\n"
            blocks.append(f"::{kind}-{variant}::[html]{_gift_text(body(task))} {answers}")
    return "\n".join(blocks)


def body(task: Exercise) -> str:
    """Trees, table and question as XHTML."""
    names = ("Left tree", "Right tree") if len(task.trees) > 1 else ("The tree",)
    parts = [
        f"<div><p>{name}:</p>{_tree(tree, numbered=task.numbered)}</div>"
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
        f"\n{right if position in answer else wrong}{_gift_text(escape(option))}"
        for position, option in enumerate(options(task))
    )


def _gift_text(text: str) -> str:
    """Escape a text for GIFT."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


def _to_xhtml(markdown: str) -> str:
    """Convert the Markdown of questions to XHTML."""
    return "".join(
        f"<{TAGS[kind]}>{escape(text)}</{TAGS[kind]}>" if kind else escape(text)
        for text, kind in split_marks(markdown)
    )


def _tree(tree: TextTree, *, numbered: bool) -> str:
    """A tree as nested lists."""

    def item(node: int) -> str:
        number = f" ({node_number(tree, node)})" if numbered else ""
        below = "".join(map(item, tree.children[node]))
        return f"<li>{escape(tree.labels[node])}{number}{f'<ul>{below}</ul>' if below else ''}</li>"

    return f"<ul>{item(0)}</ul>"
