"""The exception tree, ``lookup`` and ``check_limit``: what a person gets to read."""

import pytest

from tted_core.baselines import BASELINES
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.errors import LimitError, MapFormatError, UnknownNameError
from tted_core.formats import FORMATS
from tted_core.foundations.limits import check_limit
from tted_core.foundations.registry import lookup
from tted_core.solvers import SOLVERS

REGISTRIES = {
    "baseline": BASELINES,
    "context": CONTEXTS,
    "distance": DISTANCES,
    "encoder": ENCODERS,
    "format": FORMATS,
    "order": SOLVERS,
}

each_registry = pytest.mark.parametrize("kind", REGISTRIES)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({}, "no map"),
        ({"line": 3}, "line 3: no map"),
        ({"line": 3, "column": 7}, "line 3, column 7: no map"),
        ({"path": "a > b"}, "at a > b: no map"),
        ({"line": 3, "column": 7, "path": "a"}, "line 3, column 7, at a: no map"),
    ],
)
def test_a_format_error_has_its_position(position, message):
    error = MapFormatError("no map", **position)
    assert str(error) == message
    assert {key: getattr(error, key) for key in position} == position


@each_registry
@pytest.mark.parametrize("name", ["none-such", "", "Cosine", "cosine "])
def test_an_unknown_name_lists_the_choices_and_nothing_is_substituted(kind, name):
    with pytest.raises(UnknownNameError) as caught:
        lookup(REGISTRIES[kind], name, kind)
    assert str(caught.value) == f"unknown {kind} {name!r}; choose one of: {', '.join(REGISTRIES[kind])}"


def test_a_limit_is_the_last_value_allowed():
    check_limit(2, 2, "nodes", "trim it")
    with pytest.raises(LimitError, match=r"^1,003 nodes, but the limit is 1,002; trim it$"):
        check_limit(1003, 1002, "nodes", "trim it")
