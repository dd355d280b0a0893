"""Exercises as question banks for learning platforms: Moodle's GIFT, and packages of IMS QTI 2.1.

Both hold the same questions, one for each kind and variant. Trees are written as nested lists and mappings as
pairs, so that a bank needs no files besides and can be read aloud.

Sources: GIFT format (Moodle documentation, "GIFT format"); IMS Question and Test Interoperability 2.1 (2012).
"""

import io
import re
import zipfile
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
    """The questions of a bank, kind by kind.

    Raises:
        UnknownNameError: no such kind.
    """
    for kind in kinds:
        for variant in variants:
            yield Question(kind, variant, exercise(kind, variant))


def gift(variants: Sequence[int], kinds: Sequence[str] = tuple(EXERCISES)) -> str:
    """A bank in Moodle's GIFT format, with a category for each kind.

    Raises:
        UnknownNameError: no such kind.
    """
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


def qti(variants: Sequence[int], kinds: Sequence[str] = tuple(EXERCISES)) -> bytes:
    """A bank as a package of IMS QTI 2.1: an item for each question, and a manifest.

    Raises:
        UnknownNameError: no such kind.
    """
    every = list(questions(variants, kinds))
    resources = "".join(
        f'<resource identifier="R-{each.name}" type="imsqti_item_xmlv2p1" href="items/{each.name}.xml">'
        f'<file href="items/{each.name}.xml"/></resource>'
        for each in every
    )
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="TTED-exercises">'
        "<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion></metadata>"
        f"<organizations/><resources>{resources}</resources></manifest>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as package:
        files = {"imsmanifest.xml": manifest, **{f"items/{each.name}.xml": _item(each) for each in every}}
        for name, text in files.items():
            package.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _item(each: Question) -> str:
    asked, answer = each.asked, each.asked.answer
    if isinstance(answer, frozenset):
        kind, cardinality = "identifier", "multiple" if asked.many else "single"
        right = "".join(f"<value>option-{place}</value>" for place in sorted(answer))
        choices = "".join(
            f'<simpleChoice identifier="option-{place}">{escape(option)}</simpleChoice>'
            for place, option in enumerate(each.options)
        )
        given = (
            f'<choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="{int(not asked.many)}">'
            f"{choices}</choiceInteraction>"
        )
        compared = '<match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>'
    else:
        kind, cardinality, right = "float", "single", f"<value>{answer:.10g}</value>"
        given = '<p>Answer: <textEntryInteraction responseIdentifier="RESPONSE" expectedLength="10"/></p>'
        compared = (
            f'<equal toleranceMode="absolute" tolerance="{each.tolerance:g} {each.tolerance:g}">'
            '<variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>'
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" '
        f'identifier="{each.name}" title="{escape(each.title)}" adaptive="false" timeDependent="false">'
        f'<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" baseType="{kind}">'
        f"<correctResponse>{right}</correctResponse></responseDeclaration>"
        '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float">'
        "<defaultValue><value>0</value></defaultValue></outcomeDeclaration>"
        '<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>'
        f"<itemBody>{each.body}{given}</itemBody>"
        f"<responseProcessing><responseCondition><responseIf>{compared}"
        '<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue>'
        "</responseIf></responseCondition>"
        '<setOutcomeValue identifier="FEEDBACK"><baseValue baseType="identifier">explanation</baseValue>'
        "</setOutcomeValue></responseProcessing>"
        '<modalFeedback outcomeIdentifier="FEEDBACK" identifier="explanation" showHide="show">'
        f"{_marked(asked.explanation)}</modalFeedback></assessmentItem>"
    )


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
