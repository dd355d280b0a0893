"""Installing with uv: what pip is configured for is handed over, and pip takes over where uv can't be had."""

import os
import subprocess
import sys

import pytest
from helpers.paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import with_uv

LISTED = """\
:env:.find-links='/opt/wheels ~/wheels'
global.extra-index-url='https://one.example/simple\\nhttps://two.example/simple'
global.find-links='/elsewhere'
global.index-url='https://all.example/simple'
install.index-url='https://mine.example/simple'
list.format='columns'
"""


def test_what_counts_for_pip_counts_for_uv(monkeypatch):
    """The section of the command before the global one, and a variable before both; uv's own separators."""
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    assert with_uv.uv_settings(with_uv.pip_configuration(LISTED)) == {
        "UV_DEFAULT_INDEX": "https://mine.example/simple",
        "UV_INDEX": "https://one.example/simple https://two.example/simple",
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_FIND_LINKS": "/opt/wheels,/home/ada/wheels",
    }


def test_without_a_configuration_uv_keeps_its_own(monkeypatch):
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    assert with_uv.uv_settings(with_uv.pip_configuration("")) == {}


@pytest.mark.parametrize(("free", "said"), [(0.3, "make room"), (50.0, "reaches a package index")])
def test_who_cannot_install_is_told_what_to_do(free, said):
    assert said in with_uv.what_to_do(free)


@pytest.mark.thorough
def test_pip_takes_over_where_uv_cannot_be_had(tmp_path):
    """A folder is the only place for packages here, and it has none but the one asked for."""
    package = tmp_path / "hello-1.0"
    package.mkdir()
    (tmp_path / "tools").mkdir()
    (tmp_path / ".venv").mkdir()
    script = tmp_path / "tools" / "with_uv.py"
    script.write_bytes((ROOT / "tools" / "with_uv.py").read_bytes())
    alone = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(package), "PIP_CONFIG_FILE": os.devnull}
    install = [sys.executable, str(script), "pip", "install", "--dry-run", "absent-package"]
    answer = subprocess.run(
        install, env={**os.environ, **alone}, capture_output=True, text=True, check=False, timeout=200
    )
    assert answer.returncode == 1
    assert "uv can't install from here; pip does it" in answer.stderr
    assert "No matching distribution found for absent-package" in answer.stderr
    assert "run make again" in answer.stderr
