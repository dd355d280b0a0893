"""A plugin of pytest: ``--record-durations FILE`` writes down what each test file costs (``make durations``)."""

import os
import platform
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

SLOWEST = 10
HEAD = """\
# Seconds of each test file, set-up and clearing away included; written by `make durations`.
# "default" is what `make test` runs, "rest" what only `make test-all` runs besides.
# Files of less than half a second are summed up.
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-durations", metavar="FILE", help="write the seconds of each test file there")


def pytest_configure(config: pytest.Config) -> None:
    file = config.getoption("--record-durations")
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Durations(Path(file), config.rootpath))


class Durations:
    """The seconds of all tests of a session, written to a file at its end."""

    def __init__(self, file: Path, root: Path) -> None:
        self.file = file if file.is_absolute() else root / file
        self.seconds: Counter[tuple[str, bool]] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid, "thorough" in report.keywords] += report.duration

    def pytest_sessionfinish(self) -> None:
        self.file.write_text(table(self.seconds), encoding="utf-8")


def table(seconds: Counter[tuple[str, bool]]) -> str:
    """The seconds and numbers of tests by file and by suite, and the slowest tests of each suite."""
    files: dict[str, list[float]] = {}
    for (test, thorough), each in seconds.items():
        counts = files.setdefault(test.split("::")[0], [0.0, 0, 0.0, 0])
        counts[2 * thorough] += each
        counts[2 * thorough + 1] += 1
    long = {name: counts for name, counts in files.items() if counts[0] + counts[2] >= 0.5}
    short = [counts for name, counts in files.items() if name not in long]
    rows = {"all": _sum(files.values()), **long, f"{len(short)} other files": _sum(short)}
    lines = [HEAD, f"# {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}\n\n"]
    lines.append("default s   tests    rest s   tests  file\n")
    for name, counts in sorted(rows.items(), key=lambda each: -each[1][0] - each[1][2]):
        lines.append("{:9.1f} {:7} {:9.1f} {:7}  {}\n".format(*counts, name))
    for title, kind in (("default suite", False), ("rest", True)):
        lines.append(f"\nThe slowest tests of the {title}\n")
        own = Counter({test: each for (test, thorough), each in seconds.items() if thorough is kind})
        lines += [f"{each:9.1f}  {test}\n" for test, each in own.most_common(SLOWEST)]
    return "".join(lines)


def _sum(rows: Iterable[list[float]]) -> list[float]:
    return [sum(column) for column in zip([0.0, 0, 0.0, 0], *rows, strict=True)]
