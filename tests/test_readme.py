"""The README: each of its commands is run, as far as a test can, and prints what stands there."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.paths import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(
    r"^    (\S.*)$", re.sub(r"^```.*?^```", "", TEXT, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
)
OUTPUT = re.search(r"^```text\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)[1].splitlines()
NUMBER = re.compile(r"\d+\.\d{4}")


def run(*command: str | Path, **options: object) -> str:
    """What it prints; it must succeed."""
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=280, **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def as_installed(command: str) -> list[str]:
    """The command with this environment's Python in place of .venv's."""
    return [sys.executable, *command.split()[1:]]


def make(command: str) -> None:
    """Its steps, which install what is installed here, end with the application."""
    if shutil.which("make") is None:
        pytest.skip("no make on this machine")
    steps = run("make", "--no-print-directory", "--dry-run", *command.split()[1:])
    assert steps.splitlines()[-1].endswith("-m tted_core app --port 8501")


def new_environment(command: str, folder: Path) -> None:
    run(sys.executable, *command.split()[1:-1], folder / "venv", "--without-pip")
    assert (folder / "venv" / "pyvenv.cfg").is_file()


def with_pip(command: str) -> None:
    """What it would install is installed here; tests/test_install.py installs into a fresh environment."""
    *_, last = command.split()
    assert (ROOT / last).is_file() or last == '".[app]"'


def with_streamlit(command: str) -> None:
    assert run(*as_installed(command)[:3], "version").startswith("Streamlit")
    assert (ROOT / command.rsplit(maxsplit=1)[-1]).is_file()


def compared(command: str) -> None:
    printed = iter(run(*as_installed(command)).splitlines())
    for line in OUTPUT:
        if line not in {"", "..."}:
            shape = NUMBER.sub("0", line)
            found = next(each for each in printed if NUMBER.sub("0", each) == shape)
            numbers = zip(NUMBER.findall(line), NUMBER.findall(found), strict=True)
            # Another processor's model may round the last digit that is printed the other way.
            assert all(float(there) == pytest.approx(float(here), abs=1.1e-4) for there, here in numbers)


def docker(command: str) -> None:
    """Tests have no Docker engine; test_packaging.py checks the Dockerfile."""
    words = command.split()
    assert words[-1] in {".", "tted"}
    assert words[1] in {"build", "run"}
    assert (ROOT / "Dockerfile").is_file()


RUN: dict[str, Callable[..., None]] = {
    r"make app": make,
    r"python3 -m venv \.venv": new_environment,
    r"\S+ -m pip install .*": with_pip,
    r"\S+ -m streamlit run app.py": with_streamlit,
    r"\S+ -m tted_core compare .*": compared,
    r"docker .*": docker,
}
"""pattern of a command -> what runs it."""


def runner(command: str) -> Callable[..., None]:
    (found,) = (run for pattern, run in RUN.items() if re.fullmatch(pattern, command))
    return found


def test_all_ways_to_run_a_command_are_needed():
    assert {runner(command) for command in COMMANDS} == set(RUN.values())


@pytest.mark.thorough
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_runs(command, tmp_path):
    run_it = runner(command)
    run_it(command, tmp_path) if run_it is new_environment else run_it(command)


def test_options_in_the_text_are_those_of_the_command(tted):
    words = re.findall(r"`(--[\w-]+)", TEXT)
    _, out, _ = tted("compare", "--help")
    assert words
    assert {word for word in words if word != "--help"} <= set(re.findall(r"--[\w-]+", out))


def test_links_lead_to_files():
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", TEXT)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []
    assert "..." not in "".join(COMMANDS), "a placeholder that can't be run"
