"""Pinned requirements, the citation and what a release is built with."""

import re
import tomllib
from collections.abc import Iterable

from helpers.paths import ROOT

from tted_core.version import RELEASE, RELEASED

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def names(requirements: Iterable[str]) -> set[str]:
    """The names of required packages."""
    return {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-") for line in requirements}


def pins(file: str) -> dict[str, set[str]]:
    """Package -> versions (PyTorch has two); every line but a comment is a pin or a hash of the pin above it."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    found: dict[str, set[str]] = {}
    for line in (line for line in lines if not line.startswith("#")):
        if pin := re.match(r"([\w.-]+)==(\S+) (; [^\\]* )?\\$", line):
            found.setdefault(pin[1], set()).add(pin[2])
        else:
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line), line
    return found


def test_every_dependency_is_pinned():
    """``make lock`` was run after the last change of pyproject.toml."""
    requested = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["weights"]]
    requested += [line for extra in PROJECT["project"]["optional-dependencies"].values() for line in extra]
    assert names(requested) <= pins("requirements.txt").keys()
    assert names(requested + PROJECT["dependency-groups"]["dev"]) <= pins("requirements-dev.txt").keys()
    everything = pins("requirements-dev.txt")
    assert {name: everything[name] for name in pins("requirements.txt")} == pins("requirements.txt")


def test_the_lock_has_pytorch_for_every_platform():
    """The builds for the CPU of Linux (two processors) and Windows, for three versions of Python."""
    for file in ("requirements.txt", "requirements-dev.txt"):
        (pin,) = re.findall(
            r"^torch==\S+\+cpu .*\n((?:    --hash=.*\n)+)", (ROOT / file).read_text("utf-8"), re.MULTILINE
        )
        assert pin.count("--hash") >= 9


def test_a_release_has_its_changes():
    """The version stands in one place, so the citation names none."""
    released = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert not RELEASED or released[0] == RELEASE
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert "\nversion:" not in citation
    assert "doi: 10.1109/APEIE66761.2025.11289395" in citation


def test_a_release_is_built_with_pinned_actions_and_a_pinned_image():
    actions = re.findall(r"uses: (\S+)", (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    assert actions
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each) for each in actions)
    images = re.findall(
        r"^(?:ARG PYTHON=|FROM )(\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert all("@sha256:" in each or each == "python:${PYTHON}" for each in images)
