"""Brackets in Markdown labels: a parser's time must not grow with their powers, and no sign of them gets lost."""

import pytest

from tted_core import parse_map
from tted_core.formats.markdown import INLINE_NESTING, MOST_BRACKETS


@pytest.mark.parametrize("unit", ["[", "[[a]", "![", "[a](", "[](<"])
def test_a_bracket_bomb_is_read_as_text(unit):
    """It took 52 s for the first of these and minutes for the third, in labels of 300 and 1,000 signs."""
    label = unit * (1_000 // len(unit))
    tree = parse_map("# a\n" + f"- {label}\n" * 100, format="markdown").tree
    assert set(tree.labels) == {"a", label}


def test_links_are_still_removed():
    nested = "[" * (INLINE_NESTING - 2) + "a" + "]" * (INLINE_NESTING - 2)
    many = " ".join(["[b](c)"] * MOST_BRACKETS)
    tree = parse_map(f"# x\n- {nested}\n- {many}\n- ![i](j) [k](l)\n", format="markdown").tree
    assert tree.labels[1:] == (nested, " ".join("b" * MOST_BRACKETS), "i k")
