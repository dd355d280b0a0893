"""The way of a tree through compare(): compare.py tells it, and asks few modules, each for one step."""

import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from helpers.encoders import hashed
from helpers.trees import sample

import tted_core
from tted_core import compare
from tted_core.contexts import CONTEXTS
from tted_core.solvers import SOLVERS

ROOT = Path(tted_core.__file__).parent
TELLING = {"tree", "compare", "tted", "formats"}  # the tree's own methods, and what asks the others


def holds(value, tree):
    """Whether the value is the tree itself, or a record or a collection that has it in it."""
    if is_dataclass(value) and not isinstance(value, type):
        return value is tree or any(holds(getattr(value, each.name), tree) for each in fields(value))
    if isinstance(value, dict):
        return any(holds(each, tree) for each in value.values())
    return isinstance(value, (tuple, list)) and any(holds(each, tree) for each in value)


def way(left, right, **options):
    """The modules in which the left tree stays, in order.

    It stays in a module while functions of this module are called that have it among their arguments; a package
    such as ``solvers`` counts as one module. Trees that are trimmed for TTED@k are others.
    """
    stays = []

    def called(frame, event, _argument):
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(str(ROOT)) or code.co_name.startswith("<"):
            return
        module = Path(code.co_filename).relative_to(ROOT).with_suffix("").parts[0]
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if module in {*TELLING, *stays[-1:]} or not any(
            holds(frame.f_locals.get(name), left) for name in names
        ):
            return
        stays.append(module)

    sys.setprofile(called)
    try:
        compare(left, right, encoder=hashed, **options)
    finally:
        sys.setprofile(None)
    return stays


# The deeper tree goes first: whatever is trimmed for TTED@k is a copy of it, and another tree.
DEEP, FLAT = "how-vaccines-work/structure_1", "coral-reefs/base"


def test_the_way_of_a_tree_is_the_story_of_the_method():
    asked = way(sample(DEEP), sample(FLAT))
    assert list(dict.fromkeys(asked)) == ["contexts", "distances", "solvers", "script"]


@pytest.mark.parametrize("order", SOLVERS)
@pytest.mark.parametrize("context", CONTEXTS)
def test_the_way_is_short_whatever_the_options(order, context):
    stays = way(sample(DEEP), sample(FLAT), order=order, context=context)
    assert len(stays) <= 7  # a distance asks the context for texts, and to blend their vectors
    assert len(set(stays)) == 4
