"""README and documents: the README's commands run and print its output; options, files and links exist."""

import argparse
import re
import shutil
import subprocess
import sys

import pytest
from helpers.paths import ROOT

from tted_core.cli import SUMMARIES, load_command

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
OF_OTHERS = {"--build-arg", "--env"}
"""Options of docker."""


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
    for each in load_command(name).arguments:
        parser.add_argument(*each.names, **each.how)
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
