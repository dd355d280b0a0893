"""Code in docstrings and documents has the shown results; the README's commands, options and links exist."""

import argparse
import doctest
import importlib
import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from types import FunctionType, MethodType

import pytest
from helpers.paths import ROOT

import tted_core
from tted_core import TTED, TextTree, compare, write_map
from tted_core.cli import SUMMARIES, load_command
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


README = (ROOT / "README.md").read_text(encoding="utf-8")

DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "sample_trees" / "README.md")
}

COMMANDS = re.findall(
    r"^    (\S.*)$", re.sub(r"^```.*?^```", "", README, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
)

OUTPUT = re.search(r"^```text\n(.*?)^```", README, re.MULTILINE | re.DOTALL)[1].splitlines()

NUMBER = re.compile(r"\d+\.\d{4}")

OF_OTHERS = {"--build-arg", "--env"}  # options of docker


def run(*arguments: str) -> str:
    """The output of a command in the repository; it must succeed."""
    done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_are_those_tested_here():
    kinds = [
        re.sub(r"^\.venv/bin/python|^python3", "python", each).split(" sample_trees")[0] for each in COMMANDS
    ]
    assert kinds == [
        "make app",
        "python -m venv .venv",
        "python -m pip install --extra-index-url https://download.pytorch.org/whl/cpu -r requirements.txt",
        "python -m streamlit run app.py",
        "docker build --tag tted .",
        "docker run --rm --publish 127.0.0.1:8501:8501 tted",
        "python -m tted_core compare",
        "python -m pip install --no-deps .",
    ]


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")
def test_make_app_starts_the_application():
    assert (
        run("make", "--no-print-directory", "--dry-run", "app")
        .splitlines()[-1]
        .endswith("-m tted_core app --port 8501")
    )


@pytest.mark.thorough
def test_the_comparison_prints_the_output_shown():
    (compare,) = (each for each in COMMANDS if " compare " in each)
    printed = iter(run(sys.executable, *compare.split()[1:]).splitlines())
    for line in OUTPUT:
        if line not in {"", "..."}:
            shape = NUMBER.sub("0", line)
            found = next(each for each in printed if NUMBER.sub("0", each) == shape)
            numbers = zip(NUMBER.findall(line), NUMBER.findall(found), strict=True)
            # Another processor's model may round the last digit that is printed the other way.
            assert all(float(there) == pytest.approx(float(here), abs=1.1e-4) for there, here in numbers)


def options(name: str) -> set[str]:
    """The options of a command."""
    parser = argparse.ArgumentParser()
    for add_to in load_command(name).arguments:
        add_to(parser)
    return set(parser._option_string_actions)


def test_commands_have_the_options_that_documents_name():
    known = {name: options(name) for name in SUMMARIES}
    for file, text in DOCUMENTS.items():
        for name, arguments in re.findall(r"\btted(?:_core)? ([\w-]+)([^\n`|]*)", text):
            if name in known:
                assert set(re.findall(r"(?<= )--[a-z][\w-]*", arguments)) <= known[name], (file, name)
        named = set(re.findall(r"`(--[a-z][\w-]*)", text))
        assert named <= set().union(OF_OTHERS, *known.values()), file


def test_links_and_paths_exist():
    for file, text in DOCUMENTS.items():
        for path, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)", text):
            target = (ROOT / file).parent / path if path else ROOT / file
            assert target.exists(), (file, path)
            if anchor:
                heads = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
                assert anchor in {
                    re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads
                }, (file, anchor)
        for path in re.findall(
            r"`((?:tted_core|ui|tests|benchmarks|pages|docs|sample_trees)/[\w/.-]+)`", text
        ):
            assert (ROOT / path).exists(), (file, path)
        for module in re.findall(r"python -m (benchmarks[.\w]*)", text):
            path = ROOT / module.rstrip(".").replace(".", "/")
            assert path.is_dir() or path.with_suffix(".py").is_file(), (file, module)
