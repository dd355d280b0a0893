"""What is installed, and from what: the files that pin it say the same."""

import re
from itertools import combinations, pairwise

import pytest
from helpers.paths import ROOT

PIN = re.compile(r"^([\w.-]+)(?:\[\w+\])?==([^\s\\;]+)", re.MULTILINE)
LOCKS = ("requirements.lock", "requirements-dev.lock")


def pins(file: str) -> dict[str, str]:
    """Package -> version; a build such as +cpu of the same version left out."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return {name.lower().replace("_", "-"): version.partition("+")[0] for name, version in PIN.findall(text)}


@pytest.mark.parametrize(
    ("file", "lock"),
    [
        ("requirements.txt", "requirements.lock"),
        ("requirements-dev.txt", "requirements-dev.lock"),
        ("requirements.txt", "constraints.txt"),
    ],
)
def test_what_is_asked_for_is_pinned_to_the_same_version(file, lock):
    """``make lock`` was run after the last change, and constraints.txt was not forgotten."""
    assert pins(file)
    assert pins(file).items() <= pins(lock).items()


def test_nothing_is_pinned_to_two_versions():
    files = [pins(file) for file in ("constraints.txt", *LOCKS)]
    for first, second in combinations(files, 2):
        shared = first.keys() & second.keys()
        assert shared
        assert {name: first[name] for name in shared} == {name: second[name] for name in shared}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_line_of_a_lock_has_hashes_and_none_an_address(lock):
    lines = [
        line
        for line in (ROOT / lock).read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert all(
        PIN.match(line) or re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line) for line in lines
    )
    followed = {
        PIN.match(line)[1] for line, after in pairwise(lines) if PIN.match(line) and "--hash" in after
    }
    assert len(followed) == len(pins(lock))
