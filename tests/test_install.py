"""The wheel: installed without extras in a fresh environment, and the application started from it.

Needs a package index for 50 packages (330 MB to download, which pip caches), 900 MB of disk and half a minute to
compile the solvers. Without an index these tests are skipped with the reason; in CI that is a failure.
"""

import json
import os
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.floats import by_a_model
from helpers.paths import ROOT, SAMPLES

from tools.server import free_port, wait_for
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
    mine = {name: value for name, value in os.environ.items() if name in kept or name.startswith("PIP_")}
    return subprocess.run(
        command,
        cwd="/",
        env=mine | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    reached = run(*pip, "download", "--quiet", "--no-deps", "--dest", str(folder / "index"), "hatchling")
    if reached.returncode and not os.environ.get("CI"):
        pytest.skip(f"no package index can be reached: {reached.stderr.strip().splitlines()[-1]}")
    built = run(
        *pip,
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        str(folder),
        str(ROOT),
    )
    assert built.returncode == 0, built.stderr
    return next(folder.glob("tted-*.whl"))


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment with the library without extras."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pins = str(ROOT / "requirements.txt")
    installed = run(str(programs / "python"), "-m", "pip", "install", "--quiet", "-c", pins, str(wheel))
    assert installed.returncode == 0, installed.stderr
    return programs


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


@pytest.mark.timeout(2 * PATIENCE)
def test_a_bare_installation_compares_with_the_callers_encoder(bare):
    """The numbers are those of this environment, in three orders, with all baselines and without torch."""
    theirs = run(str(bare / "python"), "-c", COMPARISONS)
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


def test_a_bare_installation_has_the_command(bare):
    tted = str(bare / "tted")
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


@pytest.fixture
def unpacked(wheel: Path, tmp_path: Path) -> Iterator[Path]:
    """The wheel's files, first on the path of this environment, which has all extras."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    return tmp_path / "site"


def test_the_installed_application_starts(unpacked, tmp_path):
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-m", "tted_core", "app", "--no-browser", "--port", str(port)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            wait_for(f"http://127.0.0.1:{port}", process)
        finally:
            process.terminate()
        output = process.stdout.read()
    assert f"http://127.0.0.1:{port}" in output  # the address of the settings beside the page


def test_the_installed_pages_find_their_files(unpacked, tmp_path):
    program = f"""
from streamlit.testing.v1 import AppTest
app = AppTest.from_file({str(unpacked / "tted_app" / "app.py")!r}, default_timeout=300)
app.switch_page("pages/Method.py").run()
assert not app.exception, app.exception
import tted_core, ui.samples
assert len(ui.samples.topics()) > 3
print(tted_core.__file__, ui.__file__)
"""
    paths = os.pathsep.join([str(unpacked), str(unpacked / "tted_app")])
    answer = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.count(str(unpacked)) == 2
