"""Pinned requirements and the citation agree with pyproject.toml and the version."""

import re
import tomllib
from collections.abc import Iterable

from helpers.paths import ROOT

from tted_core.version import RELEASE, RELEASED

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def names(requirements: Iterable[str]) -> set[str]:
    """The names of required packages."""
    return {re.match(r"[\w.-]+", line)[0].lower().replace("_", "-") for line in requirements}


def pins(file: str) -> dict[str, str]:
    """Package -> version; every line but a comment is a pin."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_every_dependency_is_pinned():
    """``make lock`` was run after the last change of pyproject.toml."""
    requested = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["weights"]]
    requested += [line for extra in PROJECT["project"]["optional-dependencies"].values() for line in extra]
    assert names(requested) <= pins("requirements.txt").keys()
    assert names(requested + PROJECT["dependency-groups"]["dev"]) <= pins("requirements-dev.txt").keys()
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


def test_the_citation_has_this_version_and_the_paper():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    released = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert f"\nversion: {released[0]}\n" in citation
    assert not RELEASED or released[0] == RELEASE
    assert "doi: 10.1109/APEIE66761.2025.11289395" in citation
