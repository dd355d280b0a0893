"""Code in docstrings and documents runs and has the results that are shown."""

import doctest
import importlib
import re

import pytest
from helpers.paths import ROOT

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


@pytest.mark.parametrize("module", WITH_DOCTESTS)
def test_examples_in_docstrings(module):
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert tried
    assert not failed


@pytest.mark.thorough
@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_in_the_documentation(program, monkeypatch, tmp_path, capsys):
    """Each program runs by itself in an empty folder, and prints something."""
    (tmp_path / "sample_trees").symlink_to(ROOT / "sample_trees")
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "the program", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out.strip()
