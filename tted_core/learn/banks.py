"""Exercises as question banks for learning platforms, in Moodle's GIFT format.

A bank has a question for each kind and variant. Trees are written as nested lists and mappings as pairs, so that
it needs no files besides and can be read aloud. Source: Moodle documentation, "GIFT format".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from tted_core.learn.exercises import EXERCISES, CellTable, Exercise, exercise
from tted_core.learn.exercises.exercise import DECIMALS, marked_runs
from tted_core.solvers.wording import node_number
from tted_core.tree import TextTree

TAGS = {"strong": "strong", "emph": "em"}
ROUNDING = 0.51 * 10.0**-DECIMALS
"""How far a number may be from the answer: a little more than rounding takes it."""


@dataclass(frozen=True)
class Question:
    """One exercise of a bank under a name of its own."""

    kind: str
    variant: int
    asked: Exercise

    @property
    def name(self) -> str:
        """Tells this question from all others, say "score-7"."""
        return f"{self.kind}-{self.variant}"

    @property
    def title(self) -> str:
        """The kind's title and the variant."""
        return f"{EXERCISES[self.kind].full_title}, variant {self.variant}"

    @property
    def body(self) -> str:
        """Trees, table and question as XHTML."""
        asked = self.asked
        names = ("Left tree", "Right tree") if len(asked.trees) > 1 else ("The tree",)
        parts = [
            f"<div><p>{name}:</p>{_tree(tree, numbered=asked.numbered)}</div>"
            for name, tree in zip(names, asked.trees, strict=False)
        ]
        if asked.numbered:
            parts.append("<p>Numbers in brackets are the nodes' numbers in postorder.</p>")
        if asked.grid:
            parts.append(_table(asked.grid))
        if asked.mappings and not asked.is_choice_of_mappings:
            parts += [f"<p>The mapping: {asked.mapping_in_words(each)}.</p>" for each in asked.mappings]
        return "".join((*parts, f"<p>{_marked(asked.question)}</p>"))

    @property
    def options(self) -> tuple[str, ...]:
        """What can be chosen, in words."""
        if self.asked.is_choice_of_mappings:
            mappings = map(self.asked.mapping_in_words, self.asked.mappings)
            return tuple(f"{name}: {each}" for name, each in zip(self.asked.options, mappings, strict=True))
        return self.asked.options

    @property
    def tolerance(self) -> float:
        """How far a number may be from the answer: not at all from a whole one."""
        assert isinstance(self.asked.answer, float)
        return 0.0 if self.asked.answer.is_integer() else ROUNDING


def questions(variants: Sequence[int], kinds: Sequence[str] = tuple(EXERCISES)) -> Iterator[Question]:
    """The questions of a bank, kind by kind."""
    for kind in kinds:
        for variant in variants:
            yield Question(kind, variant, exercise(kind, variant))


def gift(variants: Sequence[int], kinds: Sequence[str] = tuple(EXERCISES)) -> str:
    """A bank in Moodle's GIFT format, with a category for each kind."""
    lines: list[str] = []
    category = ""
    for each in questions(variants, kinds):
        if each.kind != category:
            category = each.kind
            lines.append(f"$CATEGORY: TTED/{EXERCISES[category].full_title}\n")
        explained = _gift_text(_marked(each.asked.explanation))
        lines.append(
            f"::{each.name}::[html]{_gift_text(each.body)} {{{_gift_answers(each)}\n####{explained}\n}}\n"
        )
    return "\n".join(lines)


def _gift_answers(each: Question) -> str:
    answer = each.asked.answer
    if not isinstance(answer, frozenset):
        return f"#{answer:.10g}:{each.tolerance:g}"
    share = f"{100 / len(answer):.5f}".rstrip("0").rstrip(".")
    lines = []
    for place, option in enumerate(each.options):
        if each.asked.many:
            mark = f"~%{share}%" if place in answer else "~%-100%"
        else:
            mark = "=" if place in answer else "~"
        lines.append(f"\n{mark}{_gift_text(escape(option))}")
    return "".join(lines)


def _gift_text(text: str) -> str:
    """A text in which no character has a meaning of its own."""
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


def _marked(markdown: str) -> str:
    """The Markdown of questions as XHTML."""
    return "".join(
        f"<{TAGS[kind]}>{escape(text)}</{TAGS[kind]}>" if kind else escape(text)
        for text, kind in marked_runs(markdown)
    )


def _tree(tree: TextTree, *, numbered: bool) -> str:
    """A tree as nested lists."""

    def item(node: int) -> str:
        number = f" ({node_number(tree, node)})" if numbered else ""
        below = "".join(map(item, tree.children[node]))
        return f"<li>{escape(tree.labels[node])}{number}{f'<ul>{below}</ul>' if below else ''}</li>"

    return f"<ul>{item(0)}</ul>"


def _table(grid: CellTable) -> str:
    rows = [("", *grid.columns), *((name, *cells) for name, cells in zip(grid.rows, grid.cells, strict=True))]
    body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table><tbody>{body}</tbody></table>"
