"""Code in docstrings and documents runs and has the results that are shown."""

import doctest
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType, MethodType

import pytest
from helpers.paths import ROOT

import tted_core
from tted_core import TTED, TextTree, compare, write_map
from tted_core.tted import Result

WITH_DOCTESTS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "tted_core").rglob("*.py")
    if re.search(r"^\s*>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
)
PROGRAM = re.compile(r"^(`{3,})python\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
PROGRAMS = [
    pytest.param(found[2], id=f"{file}-{number}")
    for file in ("README.md", "docs/using.md", "docs/evaluating.md")
    for number, found in enumerate(PROGRAM.finditer((ROOT / file).read_text(encoding="utf-8")))
]


TREE, OTHER = TextTree(("Trees", "Oak", "Birch"), (-1, 0, 0)), TextTree(("Trees", "Oaks"), (-1, 0))


@pytest.fixture(scope="module")
def names() -> dict[str, object]:
    """The names of ``help(tted_core)`` that examples of the public interface use."""
    tted = TTED(distance="levenshtein")
    return {
        "tree": TREE,
        "other": OTHER,
        "tted": tted,
        "result": tted.compare(TREE, OTHER),
        "compare": compare,
    }


@pytest.mark.parametrize("module", WITH_DOCTESTS)
def test_examples_in_docstrings(module, names, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    write_map(TREE, "trees.md")
    failed, tried = doctest.testmod(importlib.import_module(module), extraglobs=names)
    assert tried
    assert not failed


def public() -> Iterator[object]:
    """Classes and functions that users may import, and what these classes do."""
    for thing in (*(getattr(tted_core, name) for name in tted_core.__all__), Result):
        if callable(thing):
            yield thing
        for name, part in inspect.getmembers(thing) if inspect.isclass(thing) else ():
            kinds = (property, cached_property, FunctionType, MethodType)
            if isinstance(part, kinds) and not name.startswith("_"):
                yield part


def test_public_docstrings_have_an_example(names, monkeypatch, tmp_path):
    """Each runs here, since Python's doctest finds no cached properties before 3.13."""
    monkeypatch.chdir(tmp_path)
    write_map(TREE, "trees.md")
    for thing in public():
        function = getattr(thing, "fget", getattr(thing, "func", thing))
        known = vars(sys.modules[function.__module__]) | names
        example = doctest.DocTestParser().get_doctest(thing.__doc__, known, function.__qualname__, None, 0)
        assert example.examples, function
        assert not doctest.DocTestRunner().run(example).failed


@pytest.mark.thorough
@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_in_the_documentation(program, monkeypatch, tmp_path, capsys):
    """Each program runs by itself in an empty folder, and prints something."""
    (tmp_path / "sample_trees").symlink_to(ROOT / "sample_trees")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "the program", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.strip()
