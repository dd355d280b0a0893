"""A release: source archive and wheel, installed in a fresh environment in the pinned versions.

Needs a package index for 90 packages (which uv caches), 2 GB of disk and half a minute to compile the solvers.
Without an index these tests are skipped with the reason; in CI that is a failure.
"""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from helpers.floats import by_a_model
from helpers.paths import ROOT, SAMPLES

from tools.server import free_port, wait_for
from tools.session import Session
from tted_core import VERSION, compare, read_map

pytestmark = pytest.mark.thorough

MAPS = [str(SAMPLES / "coral-reefs" / name) for name in ("base.json", "demo.json")]
PATIENCE = 500

COMPARISONS = f"""
import importlib.util, json, sys
import numpy as np
from tted_core import compare, read_map
from tted_core.baselines import BASELINES
from tted_core.distances import DISTANCES
from tted_core.solvers import SOLVERS

def letters(texts):
    return np.array([[1.0, *(text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz")] for text in texts])

left, right = map(read_map, {MAPS!r})
runs = [dict(order=order, encoder=letters, baselines=BASELINES) for order in SOLVERS]
runs += [
    dict(distance=name, encoder=letters, context="ancestors")
    for name, distance in DISTANCES.items()
    if distance.reads in ("encoder", "none")
]
runs += [dict(distance="levenshtein")]
for options in runs:
    result = compare(left, right, **options)
    scores = [each for score in result.baselines.values() for each in (score.sim, score.rho_base)]
    print(json.dumps([result.tted, result.normalized, result.avg_tted, result.proven, *scores]))
print(json.dumps([name for name in ("torch", "streamlit", "pandas") if importlib.util.find_spec(name)]))
"""


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command outside the repository, with a minimal environment."""
    kept = ("PATH", "HOME", "TMPDIR", "TTED_CACHE", "SSL_CERT_FILE")
    mine = {
        name: value for name, value in os.environ.items() if name in kept or name.startswith(("PIP_", "UV_"))
    }
    return subprocess.run(
        command,
        cwd="/",
        env=mine | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def uv(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run uv, which the Makefile puts beside this Python."""
    return run(str(Path(sys.executable).parent / "uv"), *arguments, "--quiet")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source archive, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("release")
    built = uv("build", "--out-dir", str(folder), str(ROOT))
    if built.returncode and not os.environ.get("CI") and "Failed to fetch" in built.stderr:
        pytest.skip(f"no package index can be reached: {built.stderr.strip().splitlines()[-1]}")
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(release: Path) -> Path:
    """The project's wheel."""
    return next(release.glob("tted-*.whl"))


def test_the_source_archive_has_what_the_repository_has(release):
    with tarfile.open(next(release.glob("tted-*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert set(tracked.stdout.split()) - names == set()


def test_the_wheel_has_two_packages_with_all_files(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    packages = {"tted_core", "tted_app", "tted_minilm", f"tted-{VERSION}.dist-info"}
    assert {name.split("/")[0] for name in names} == packages
    assert not any("__pycache__" in name for name in names)
    tracked = subprocess.run(
        ["git", "ls-files", "tted_core", "ui", "pages", "sample_trees"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    missing = {name if name.startswith("tted_core/") else f"tted_app/{name}" for name in tracked} - set(names)
    assert not missing


@pytest.mark.timeout(3 * PATIENCE)
def test_a_fresh_environment_compares_without_extras_and_serves_pages_with_one(wheel, tmp_path):
    """One environment for both, as its solvers are compiled for half a minute."""
    programs = tmp_path / "environment" / ("Scripts" if os.name == "nt" else "bin")

    def install(requirement: str) -> None:
        pins = ("--constraints", str(ROOT / "requirements.txt"))
        done = uv("pip", "install", "--python", str(programs / "python"), *pins, requirement)
        assert done.returncode == 0, done.stderr

    assert uv("venv", str(programs.parent)).returncode == 0
    install(str(wheel))
    check_the_library(str(programs / "python"))
    check_the_command(str(programs / "tted"))
    install(f"{wheel}[app]")
    check_the_application(str(programs / "tted"), tmp_path)


def check_the_library(python: str) -> None:
    """Its numbers are those of this environment, in three orders, with all baselines and without torch."""
    theirs = run(python, "-c", COMPARISONS)
    assert theirs.returncode == 0, theirs.stderr
    assert theirs.stderr == ""
    numbers, packages = theirs.stdout.splitlines()[:-1], theirs.stdout.splitlines()[-1]
    assert json.loads(packages) == []
    ours = subprocess.run(
        [sys.executable, "-c", COMPARISONS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert [json.loads(line) for line in numbers] == [
        pytest.approx(json.loads(line)) for line in ours.stdout.splitlines()[:-1]
    ]
    assert len(numbers) > 7


def check_the_command(tted: str) -> None:
    """It compares with the bundled encoders and names the extra that is missing."""
    assert run(tted, "--version").stdout == f"tted {VERSION}\n"
    assert run(tted, "compare", *MAPS, "--distance", "levenshtein").returncode == 0
    for encoder in ("minilm", "use-multilingual"):
        compared = run(tted, "compare", *MAPS, "--encoder", encoder, "--json")
        assert compared.returncode == 0, compared.stderr
        expected = compare(*map(read_map, MAPS), encoder=encoder).tted
        assert json.loads(compared.stdout)["tted"] == by_a_model(expected)
    for command, extra in ((["compare", *MAPS, "--encoder", "labse"], "models"), (["app"], "app")):
        answer = run(tted, *command)
        assert (answer.returncode, answer.stdout) == (2, "")
        assert answer.stderr.startswith("error: ")
        assert answer.stderr.endswith(f'".[{extra}]" in a copy of the repository\n')
        assert answer.stderr.count("\n") == 1


def check_the_application(tted: str, folder: Path) -> None:
    """It starts, and finds its pages, maps and documents."""
    port = free_port()
    with subprocess.Popen(
        [tted, "app", "--no-browser", "--port", str(port)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            wait_for(f"http://127.0.0.1:{port}", process)
            with Session(f"http://127.0.0.1:{port}") as user:
                user.run()  # with the sample maps
                assert any(user.shown("metric"))
                user.run(page="Method")  # with its text
                assert any(user.shown("heading"))
                assert not user.failures
        finally:
            process.terminate()
        output = process.stdout.read()
    assert f"http://127.0.0.1:{port}" in output  # the address of the settings beside the page
